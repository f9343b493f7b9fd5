"""A program that uses all of the package. mypy and pyright check it, and the tests run it."""

from __future__ import annotations

import asyncio
import pathlib
import sys
from typing import Any

import omniread


def show(reply: omniread.Reply) -> list[str]:
    """One line for each part of a reply."""
    lines: list[str] = []
    for block in reply.blocks:
        if isinstance(block, omniread.Text):
            lines.append(block.text)
        else:
            data: bytes = block.data
            lines.append(f"{block.mime}: {len(data)} bytes, {block.width} x {block.height}")
    return lines


def run_tool(session: omniread.Session, arguments: dict[str, Any]) -> tuple[str, bool]:
    """The result of a tool for a model."""
    result: omniread.Reply | omniread.ReadError
    try:
        result = session.call("claude", arguments)
    except omniread.ReadError as error:
        result = error
    return result.text, result.is_error


async def both(session: omniread.Session) -> list[str]:
    first, second = await asyncio.gather(session.aread("a.txt"), session.acall("omp", {"path": "a.txt"}))
    return [first.kind, second.kind]


def main(directory: pathlib.Path) -> None:
    (directory / "a.txt").write_text("hello\n")
    with omniread.Reader(directory, deny=".env", timeout=5, memory=64 << 20) as reader:
        with reader.session() as session:
            reply = session.read("a.txt", limit=10, hashlines=False)
            print(show(reply)[0].splitlines()[0])
            path: str | None = reply.next
            print(path, reply.details["kind"])
            print(run_tool(session, {"file_path": str(directory / "b.txt")})[1])
            print(asyncio.run(both(session)), session.stale("a.txt"))
            token = omniread.CancelToken()
            token.cancel()
            try:
                session.read("a.txt", cancel=token)
            except omniread.ReadCancelledError as error:
                print(error.reason)
        rows: list[omniread.Row] = list(reader.batch(["a.txt", "b.txt"], jobs=2))
        print([row.path for row in rows if row.ok])
        print([tool["name"] for tool in reader.tools("anthropic", "claude")])


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
