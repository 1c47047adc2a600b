#!/usr/bin/env python3
"""Programs that nobody here wrote, through `nearhit nc`: which are read and run, which are refused and why.

    lab/bench/nc/foreign.py path/to/nearhit FOLDER

Every file below the folder that ends like G-code is checked against a small box far below, with a flat
mill for each tool number that it names, from a start above it. A refusal is a line of the list; a crash,
or an error without a line, ends the script with 1.
"""

import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ENDINGS = {".nc", ".ngc", ".gcode", ".tap", ".cnc", ".gc"}
# No program may take longer than this, in seconds.
PATIENCE = 120


def tools(text):
    """A table of mills for all numbers after T."""
    numbers = {int(number) for number in re.findall(r"[Tt] *0*(\d{1,6})(?![\d.])", text)} | {1}
    mills = [{"number": n, "shape": "flat", "diameter": 3, "cutting_length": 20} for n in sorted(numbers)]
    return json.dumps({"units": "mm", "tools": mills})


def run(nearhit, program, folder):
    """Moves, words ignored, seconds; or what it was refused for."""
    (folder / "tools.json").write_text(tools(program.read_text(errors="replace")))
    command = [nearhit, "nc", program, "--tools", folder / "tools.json", "--fixture", "box:1,1,1@0,0,-9000", "--json"]
    command += ["--start", "0,0,50", "--tool-change", "same", "--tool", "1", "--rapid", "straight"]
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=PATIENCE)
    seconds = time.perf_counter() - start
    if done.returncode == 2:
        return None, done.stderr.strip().splitlines()[0]
    assert done.returncode in (0, 1, 3), (program, done.returncode, done.stderr)
    report = json.loads(done.stdout)
    assert report["complete"], program
    return (report["moves"], len(report["ignored"]), seconds), None


def main():
    nearhit, top = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    files = sorted(path for path in top.rglob("*") if path.suffix.lower() in ENDINGS and path.is_file())
    moves, seconds, refused, strange = 0, 0.0, collections.defaultdict(list), 0
    with tempfile.TemporaryDirectory() as name:
        for program in files:
            found, why = run(nearhit, program, pathlib.Path(name))
            if found is None:
                refused[program.parent.relative_to(top)].append((program.name, why))
                # The file is named as given, then its line.
                strange += re.search(r":\d+: |is empty", why) is None
                continue
            moves, seconds = moves + found[0], seconds + found[2]
            print(f"{program.relative_to(top)}: {found[0]} moves, {found[1]} words ignored, {found[2]:.2f} s")
    count = sum(map(len, refused.values()))
    print(f"{len(files) - count} of {len(files)} programs run: {moves} moves in {seconds:.1f} s")
    for folder, programs in refused.items():
        for program, why in programs:
            print(f"  {folder / program}: {why.replace(str(top) + '/', '')}")
    sys.exit(strange > 0)


if __name__ == "__main__":
    main()
