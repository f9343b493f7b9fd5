"""The programs of the documentation."""

from __future__ import annotations

import pathlib
import re
import shutil

import pytest
from conftest import png

import omniread
from omniread import _errors

PROJECT = pathlib.Path(__file__).parents[3]
PAGE = PROJECT / "docs/embedding/python.md"

pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="this is not a checkout of the project")


@pytest.fixture
def example(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """The current directory has the files of the examples."""
    shutil.copy(PROJECT / "examples/manual.pdf", tmp_path / "report.pdf")
    source = tmp_path / "project/src"
    source.mkdir(parents=True)
    (source / "main.py").write_text("".join(f"print({number})\n" for number in range(2000)))
    (tmp_path / "project/logo.png").write_bytes(png(8, 4))
    monkeypatch.chdir(tmp_path)
    return tmp_path


def programs(page: pathlib.Path) -> list[str]:
    """The blocks of Python about the package."""
    text = page.read_text(encoding="utf-8").split("## The portable component")[0]
    return re.findall(r"```python\n(.*?)```", text, re.DOTALL)


def test_programs_of_the_page_run(example: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    read, tools, batch = programs(PAGE)
    names: dict[str, object] = {}
    # The manual has fewer pages than the report.
    exec(read.replace("page:3", "page:1"), names)
    assert "print(1999)" in capsys.readouterr().out
    with omniread.Reader("project") as reader, reader.session() as session:
        names.update(reader=reader, session=session)
        exec(tools, names)
        run = names["run"]
        assert callable(run)
        assert run("Read", {"file_path": str(example / "project/missing")})["is_error"] is True
        exec(batch, names)
        assert capsys.readouterr().out.splitlines()[0] == "src/main.py True None"
        assert "print(0)" in run("Read", {"file_path": str(example / "project/src/main.py")})["content"]


def test_programs_of_the_readme_run(example: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    (program,) = programs(PROJECT / "packages/python/README.md")
    exec(program.replace("page:3", "page:1"), {})
    assert "image/png" in capsys.readouterr().out


def test_page_has_the_table_of_errors() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for reason, kind in _errors._CLASSES.items():
        (row,) = re.findall(rf"\| `{kind.__name__}` \|.*", text)
        assert f"`{reason}`" in row
        base = kind.__mro__[2].__name__
        assert f"`{base}`" in row or kind is omniread.ReadCancelledError
