"""The server for agents (`nearhit-mcp`), asked by the protocol's own client."""

import asyncio
import os
import shutil
from pathlib import Path

import pytest

mcp = pytest.importorskip("mcp", reason="needs the client: pip install mcp")

TARGET = Path(os.environ.get("CARGO_TARGET_DIR") or Path(__file__).parents[2] / "target")
SERVERS = [TARGET / profile / "nearhit-mcp" for profile in ("release", "debug")]
SERVER = next((str(path) for path in SERVERS if path.is_file()), None) or shutil.which("nearhit-mcp")

CORNER = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"


async def _session(folder, talk):
    from mcp.client.stdio import StdioServerParameters, stdio_client

    parameters = StdioServerParameters(command=SERVER, cwd=str(folder))
    async with stdio_client(parameters) as (read, write), mcp.ClientSession(read, write) as session:
        await session.initialize()
        return await talk(session)


def _field(result, *names):
    """A field of a result, whose spelling depends on the client's version."""
    return next(getattr(result, name) for name in names if hasattr(result, name))


@pytest.mark.skipif(SERVER is None, reason="needs the server: cargo build -p nearhit-mcp")
def test_a_client_asks_the_server(tmp_path):
    for name, x in (("bolt", 0), ("plate", 0.5), ("cover", 3)):
        moved = "\n".join(
            f"v {float(line.split()[1]) + x} {line.split(' ', 2)[2]}" if line[0] == "v" else line for line in CORNER.splitlines()
        )
        (tmp_path / f"{name}.obj").write_text(moved + "\n")
    files = [str(tmp_path / f"{name}.obj") for name in ("bolt", "plate", "cover")]

    async def talk(session):
        tools = (await session.list_tools()).tools
        asserted = ["room = bolt:cover clears 1.5", "tight = plate:cover clears 2"]
        return (
            [tool.name for tool in tools],
            await session.call_tool("clash", {"files": files}),
            await session.call_tool("assertions", {"files": files, "assert": asserted}),
            await session.call_tool("distance", {"a": files[0], "b": "missing.stl"}),
        )

    names, clash, checked, missing = asyncio.run(asyncio.wait_for(_session(tmp_path, talk), 60))
    assert names == ["info", "distance", "overlap", "clash", "assertions"]
    report = _field(clash, "structuredContent", "structured_content")
    assert report["counts"]["hard"] == 1 and report["findings"][0]["a"] == "bolt"
    assertions = _field(checked, "structuredContent", "structured_content")["assertions"]
    assert [one["standing"] for one in assertions] == ["holds", "violated"]
    assert _field(missing, "isError", "is_error") and missing.content[0].text.startswith("missing.stl: ")
