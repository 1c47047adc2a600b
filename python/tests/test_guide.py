"""The Python code of README.md and of the guide runs."""

import re
from pathlib import Path

import pytest

import nearhit as nh

ROOT = Path(__file__).parent.parent.parent
DOCUMENTS = ["README.md", *(str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs/guide/src").glob("*.md")))]
BLOCK = re.compile(r"^```python\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(name):
    return BLOCK.findall((ROOT / name).read_text(encoding="utf-8"))


WITH_CODE = [name for name in DOCUMENTS if blocks(name)]


@pytest.mark.parametrize("name", WITH_CODE)
def test_code_runs(name):
    names = {}  # Later blocks of a document use names of earlier ones.
    for block in blocks(name):
        exec(compile(block, name, "exec"), names)


def test_the_first_program_prints_what_the_readme_says(capsys):
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    block, said = re.search(r"^```python\n(.*?)^```\n\nIt prints `(.*?)`\.$", text, re.MULTILINE | re.DOTALL).groups()
    exec(compile(block, "README.md", "exec"), {})
    assert capsys.readouterr().out.splitlines() == [said]


def test_the_table_of_names_is_of_this_package():
    text = (ROOT / "docs/guide/src/answers.md").read_text(encoding="utf-8")
    rows = text.split("## Names in each language")[1].split("## ")[0].splitlines()
    cells = [row.split("|")[3] for row in rows if row.startswith("| ") and "| Python |" not in row]
    names = [name for cell in cells for name in re.findall(r"`([\w.]+)`", cell)]
    assert len(names) > 10
    for name in names:
        found = nh
        for part in name.split("."):
            found = getattr(found, part)


def test_there_is_code():
    assert {"README.md", "docs/guide/src/python.md"} <= set(WITH_CODE)
