"""The Python code of README.md and of the guide runs."""

import re
from pathlib import Path

import pytest

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


def test_there_is_code():
    assert {"README.md", "docs/guide/src/python.md"} <= set(WITH_CODE)
