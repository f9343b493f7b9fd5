"""Rows as Parquet files, on one machine."""

from __future__ import annotations

import base64
import collections
import dataclasses
import json
import os
import pathlib
import pickle
import threading
import zipfile
from typing import Any, Iterator

import pytest
from conftest import docx, png

import omniread

pa = pytest.importorskip("pyarrow")

pytestmark = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no pipes with names")

import pyarrow.parquet as pq  # noqa: E402
from pyarrow import fs  # noqa: E402

from omniread import parquet  # noqa: E402


@pytest.fixture
def many(tmp_path: pathlib.Path) -> pathlib.Path:
    """A directory with 60 texts, an archive, an image, files that are damaged, and a pipe that nobody writes to."""
    root = tmp_path / "root"
    (root / "d/in").mkdir(parents=True)
    for number in range(60):
        (root / "d" / ("in" if number % 2 else ".") / f"{number}.txt").write_text(f"text {number}\n")
    with zipfile.ZipFile(root / "pack.zip", "w") as archive:
        for number in range(5):
            archive.writestr(f"m/{number}.txt", f"member {number}\n")
    (root / "red.png").write_bytes(png(8, 4))
    (root / "empty.txt").write_bytes(b"")
    docx(root / "letter.docx", "Dear reader")
    (root / "broken.docx").write_bytes((root / "letter.docx").read_bytes()[:200])
    os.mkfifo(root / "pipe")
    (root / "broken.pdf").write_bytes(b"%PDF-1.7\n" + bytes(range(256)) * 40)
    return root


LIST = ["pack.zip", "d", "missing", "red.png", "d/0.txt", "red.png", "broken.docx", "broken.pdf", "empty.txt", "pipe", "d"]

EXPECTED = collections.Counter(
    [f"pack.zip:m/{number}.txt" for number in range(5)]
    + [f"d/{'in/' if number % 2 else ''}{number}.txt" for number in range(60)]
    + ["missing", "red.png", "broken.docx", "broken.pdf", "empty.txt", "pipe"]
)


def paths(output: pathlib.Path) -> collections.Counter[str]:
    """The paths of an output as any reader of Parquet finds them."""
    return collections.Counter(pq.read_table(output, schema=parquet.SCHEMA)["path"].to_pylist())


def test_table_has_the_rows_of_a_batch(many: pathlib.Path) -> None:
    wanted = ["d/0.txt", "red.png", "missing", "empty.txt"]
    reads = parquet.Reads(str(many), options={"hashlines": False})
    (table,) = reads.tables(wanted)
    assert table.schema.equals(parquet.SCHEMA)
    with omniread.Reader(many) as reader:
        rows = list(reader.batch(wanted, hashlines=False))
    for row, found in zip(rows, table.to_pylist(), strict=True):
        expected = row.to_dict()
        assert (found["path"], found["ok"]) == (row.path, row.ok)
        assert (found["details"], found["error"]) == (row.details, row.error)
        if expected["blocks"] is None:
            assert found["blocks"] is None
            continue
        for block, given in zip(found["blocks"], expected["blocks"], strict=True):
            assert (block["type"], block["text"], block["mime"]) == (given["type"], given.get("text"), given.get("mime"))
            data = given.get("data")
            assert block["data"] == (None if data is None else base64.b64decode(data))
    assert table["blocks"][1].as_py()[1]["data"].startswith(b"\x89PNG") or table["blocks"][1].as_py()[0]["data"]


def test_schema_is_that_of_earlier_versions() -> None:
    block = "struct<type: string, text: string, mime: string, data: binary>"
    assert [(field.name, str(field.type), field.nullable) for field in parquet.SCHEMA] == [
        ("path", "string", False),
        ("ok", "bool", False),
        ("blocks", f"list<element: {block}>", True),
        ("details", "string", True),
        ("error", "string", True),
    ]


def test_tables_are_of_bounded_size(many: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "TABLE_BYTES", 4000)
    tables = list(parquet.Reads(str(many)).tables(f"d/{number}.txt" for number in range(0, 60, 2)))
    assert len(tables) > 3
    assert sum(table.num_rows for table in tables) == 30
    assert all(table.num_rows == 1 or table.nbytes < 4000 for table in tables)


def test_every_path_of_a_list_has_its_rows_once(many: pathlib.Path, tmp_path: pathlib.Path) -> None:
    output = tmp_path / "rows"
    reads = parquet.Reads(str(many), members=True)
    run = parquet.plan(LIST, output, reads, recursive=True, unit_paths=7)
    units = run.units()
    assert len(units) == 10 and run.left() == units
    written = [pickle.loads(pickle.dumps(run)).write(unit) for unit in units]
    assert sum(each["rows"] for each in written) == EXPECTED.total()
    assert paths(output) == EXPECTED
    assert run.left() == []
    # A second answer of a unit changes nothing.
    assert run.write(units[0]) == written[0]
    rows = {row["path"]: row for row in pq.read_table(output).to_pylist()}
    failed = {path for path, row in rows.items() if not row["ok"]}
    assert failed == {"missing", "pipe"}
    assert sum(each["failed"] for each in written) == len(failed)
    assert json.loads(rows["missing"]["error"])["kind"] == "not_found"
    assert json.loads(rows["pipe"]["error"])["kind"] == "special_file"


def test_longer_list_adds_units(many: pathlib.Path, tmp_path: pathlib.Path) -> None:
    output = tmp_path / "rows"
    reads = parquet.Reads(str(many))
    run = parquet.plan(["d/0.txt", "missing"], output, reads)
    run.write(*run.left())
    again = parquet.plan(["missing", "d"], output, reads, recursive=True, unit_paths=20)
    assert len(again.left()) == 3 and len(again.units()) == 4
    for unit in again.left():
        again.write(unit)
    assert sorted(paths(output).values()) == [1] * 61
    # There is nothing new.
    assert parquet.plan(["d", "missing"], output, reads, recursive=True).units() == again.units()


def test_output_of_another_run_is_refused(many: pathlib.Path, tmp_path: pathlib.Path) -> None:
    output = tmp_path / "rows"
    reads = parquet.Reads(str(many))
    parquet.plan(["d/0.txt"], output, reads)
    for other, fact in [
        (dataclasses.replace(reads, members=True), "members"),
        (dataclasses.replace(reads, dialect="claude"), "dialect"),
        (dataclasses.replace(reads, roots=str(many / "d")), "roots"),
        (dataclasses.replace(reads, options={"limit": 5}), "options"),
        (dataclasses.replace(reads, reader={"deny": [".env"]}), "reader"),
    ]:
        with pytest.raises(omniread.ConfigError, match=f"it is of another run: `{fact}` was"):
            parquet.plan(["d/0.txt"], output, other)
    # What does not change a row may differ.
    parquet.plan(["d/0.txt"], output, dataclasses.replace(reads, jobs=2, reader={"timeout": 3.0}))
    foreign = tmp_path / "foreign"
    foreign.mkdir()
    pq.write_table(pa.table({"a": [1]}), foreign / "a.parquet")
    with pytest.raises(omniread.ConfigError, match="files of another program"):
        parquet.plan(["d/0.txt"], foreign, reads)


class Stop(BaseException):
    """The end of a process, as the code sees it."""


def test_unit_that_was_stopped_leaves_no_file(
    many: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "rows"
    run = parquet.plan(["d"], output, parquet.Reads(str(many)), recursive=True, unit_paths=30)
    first, second = run.units()
    with monkeypatch.context() as patched:

        def stopped(reads: parquet.Reads, entries: Any) -> Iterator[Any]:
            yield next(reads.tables(path for path, _ in entries))
            raise Stop

        patched.setattr(parquet.Reads, "tables_of", stopped)
        with pytest.raises(Stop):
            run.write(first)
        # A process that is killed cleans up nothing.
        patched.setattr(parquet, "_remove", lambda *_: None)
        with pytest.raises(Stop):
            run.write(second)
    assert list(output.glob("*.parquet")) == []
    (left,) = (output / "_omniread").glob("unfinished-*")
    again = parquet.plan(["d"], output, parquet.Reads(str(many)), recursive=True, unit_paths=7)
    assert again.left() == [first, second] and left.exists()
    os.utime(left, (0, 0))
    parquet.plan(["d"], output, parquet.Reads(str(many)), recursive=True)
    assert not left.exists()
    for unit in again.left():
        again.write(unit)
    assert sorted(paths(output).values()) == [1] * 60


def test_plan_that_was_stopped_is_made_again(many: pathlib.Path, tmp_path: pathlib.Path) -> None:
    output = tmp_path / "rows"
    reads = parquet.Reads(str(many))

    def broken() -> Iterator[str]:
        # Some units are written then.
        yield from (f"missing{number}" for number in range(2000))
        raise Stop

    with pytest.raises(Stop):
        parquet.plan(broken(), output, reads, unit_paths=3)
    assert [name for name in os.listdir(output / "_omniread") if name not in ("run.json", "lock")] == []
    run = parquet.plan(["d"], output, reads, recursive=True)
    assert len(run.units()) == 1 and len(run.entries(run.units()[0])) == 60


def test_two_workers_of_one_unit_leave_one_file(many: pathlib.Path, tmp_path: pathlib.Path) -> None:
    output = tmp_path / "rows"
    run = parquet.plan(["d"], output, parquet.Reads(str(many)), recursive=True)
    (unit,) = run.units()
    both = threading.Barrier(2)

    class Late(parquet.Reads):
        def tables_of(self, entries: Any) -> Iterator[Any]:
            both.wait(60)
            yield from super().tables_of(entries)

    late = dataclasses.replace(run, reads=Late(str(many)))
    threads = [threading.Thread(target=late.write, args=[unit]) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(paths(output).values()) == [1] * 60


def test_directory_that_is_not_listed_has_one_row_in_all_runs(tmp_path: pathlib.Path) -> None:
    root = tmp_path / "root"
    deep = root.joinpath(*["d"] * 140)
    deep.mkdir(parents=True)
    (root / "b.txt").write_text("b")
    output = tmp_path / "rows"
    reads = parquet.Reads(str(root))
    for _ in range(2):
        run = parquet.plan(["."], output, reads, recursive=True)
        for unit in run.left():
            run.write(unit)
    rows = pq.read_table(output).to_pylist()
    assert [row["ok"] for row in rows] == [False, True] and rows[1]["path"] == "./b.txt"
    assert json.loads(rows[0]["error"])["kind"] == "limit"


def test_other_file_systems_take_the_output(many: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "bucket").mkdir()
    bucket = fs.SubTreeFileSystem(str(tmp_path / "bucket"), fs.LocalFileSystem())
    run = parquet.plan(["d"], "rows", parquet.Reads(str(many)), recursive=True, unit_paths=40, filesystem=bucket)
    for unit in run.left():
        pickle.loads(pickle.dumps(run)).write(unit)
    assert sorted(paths(tmp_path / "bucket/rows").values()) == [1] * 60
    run = parquet.plan(["d/0.txt"], (tmp_path / "uri").as_uri(), parquet.Reads(str(many)))
    run.write(*run.units())
    assert paths(tmp_path / "uri") == {"d/0.txt": 1}


def test_output_in_a_root_is_not_read(many: pathlib.Path) -> None:
    output = many / "d/rows"
    reads = parquet.Reads(str(many))
    for _ in range(2):
        run = parquet.plan(["d", "missing"], output, reads, recursive=True)
        for unit in run.left():
            run.write(unit)
    assert sorted(paths(output).values()) == [1] * 61


def test_wrong_arguments_are_refused_before_the_first_unit(many: pathlib.Path, tmp_path: pathlib.Path) -> None:
    for reads, error in [
        (parquet.Reads(str(many / "nowhere")), omniread.ConfigError),
        (parquet.Reads(str(many), options={"unknown": 1}), TypeError),
        (parquet.Reads(str(many), dialect="other"), ValueError),
        (parquet.Reads(str(many), reader={"unknown": 1}), TypeError),
    ]:
        with pytest.raises(error):
            parquet.plan(["d"], tmp_path / "rows", reads)
    with pytest.raises(omniread.ConfigError, match="at least one path"):
        parquet.plan(["d"], tmp_path / "rows", parquet.Reads(str(many)), unit_paths=0)
