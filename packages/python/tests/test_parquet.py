"""Rows as Parquet files, on one machine."""

from __future__ import annotations

import base64
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import pickle
import stat
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


LIST = [
    "pack.zip", "d", "missing", "red.png", "d/0.txt", "red.png", "broken.docx", "broken.pdf", "empty.txt", "pipe", "d",
]  # fmt: skip

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
            fields = ("type", "text", "mime")
            assert [block[field] for field in fields] == [given.get(field) for field in fields]
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
    run = parquet.plan(LIST, output, reads, recursive=True, share_paths=7)
    shares = run.shares()
    assert len(shares) == 10 and run.left() == shares
    written = [pickle.loads(pickle.dumps(run)).write(share) for share in shares]
    assert sum(each["rows"] for each in written) == EXPECTED.total()
    assert paths(output) == EXPECTED
    assert run.left() == []
    # A second answer of a share changes nothing.
    assert run.write(shares[0]) == written[0]
    rows = {row["path"]: row for row in pq.read_table(output).to_pylist()}
    failed = {path for path, row in rows.items() if not row["ok"]}
    assert failed == {"missing", "pipe"}
    assert sum(each["failed"] for each in written) == len(failed)
    assert json.loads(rows["missing"]["error"])["kind"] == "not_found"
    assert json.loads(rows["pipe"]["error"])["kind"] == "special_file"


def test_longer_list_adds_shares(many: pathlib.Path, tmp_path: pathlib.Path) -> None:
    output = tmp_path / "rows"
    reads = parquet.Reads(str(many))
    run = parquet.plan(["d/0.txt", "missing"], output, reads, recursive=True)
    run.write(*run.left())
    again = parquet.plan(["missing", "d"], output, reads, recursive=True, share_paths=20)
    assert len(again.left()) == 3 and len(again.shares()) == 4
    for share in again.left():
        again.write(share)
    assert sorted(paths(output).values()) == [1] * 61
    # There is nothing new.
    assert parquet.plan(["d", "missing"], output, reads, recursive=True).shares() == again.shares()


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


def test_share_that_was_stopped_leaves_no_file(
    many: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "rows"
    run = parquet.plan(["d"], output, parquet.Reads(str(many)), recursive=True, share_paths=30)
    first, second = run.shares()
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
    again = parquet.plan(["d"], output, parquet.Reads(str(many)), recursive=True, share_paths=7)
    assert again.left() == [first, second] and left.exists()
    os.utime(left, (0, 0))
    parquet.plan(["d"], output, parquet.Reads(str(many)), recursive=True)
    assert not left.exists()
    for share in again.left():
        again.write(share)
    assert sorted(paths(output).values()) == [1] * 60


def test_plan_that_was_stopped_is_made_again(many: pathlib.Path, tmp_path: pathlib.Path) -> None:
    output = tmp_path / "rows"
    reads = parquet.Reads(str(many))

    def broken() -> Iterator[str]:
        # Some shares are written then.
        yield from (f"missing{number}" for number in range(2000))
        raise Stop

    with pytest.raises(Stop):
        parquet.plan(broken(), output, reads, recursive=True, share_paths=3)
    assert [name for name in os.listdir(output / "_omniread") if name not in ("run.json", "lock")] == []
    run = parquet.plan(["d"], output, reads, recursive=True)
    assert len(run.shares()) == 1 and len(run.entries(run.shares()[0])) == 60


def test_two_workers_of_one_share_leave_one_file(many: pathlib.Path, tmp_path: pathlib.Path) -> None:
    output = tmp_path / "rows"
    run = parquet.plan(["d"], output, parquet.Reads(str(many)), recursive=True)
    (share,) = run.shares()
    both = threading.Barrier(2)

    class Late(parquet.Reads):
        def tables_of(self, entries: Any) -> Iterator[Any]:
            both.wait(60)
            yield from super().tables_of(entries)

    late = dataclasses.replace(run, reads=Late(str(many)))
    with concurrent.futures.ThreadPoolExecutor(2) as threads:
        written = [threads.submit(late.write, share) for _ in range(2)]
    # `result` raises the error of a thread.
    assert [each.result() for each in written] == [{"rows": 60, "failed": 0}] * 2
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
        for share in run.left():
            run.write(share)
    rows = pq.read_table(output).to_pylist()
    assert [row["ok"] for row in rows] == [False, True] and rows[1]["path"] == "./b.txt"
    assert json.loads(rows[0]["error"])["kind"] == "limit"


def test_other_file_systems_take_the_output(many: pathlib.Path, tmp_path: pathlib.Path) -> None:
    (tmp_path / "bucket").mkdir()
    bucket = fs.SubTreeFileSystem(str(tmp_path / "bucket"), fs.LocalFileSystem())
    run = parquet.plan(["d"], "rows", parquet.Reads(str(many)), recursive=True, share_paths=40, filesystem=bucket)
    for share in run.left():
        pickle.loads(pickle.dumps(run)).write(share)
    assert sorted(paths(tmp_path / "bucket/rows").values()) == [1] * 60
    run = parquet.plan(["d/0.txt"], (tmp_path / "uri").as_uri(), parquet.Reads(str(many)))
    run.write(*run.shares())
    assert paths(tmp_path / "uri") == {"d/0.txt": 1}


def answered(run: parquet.Run) -> None:
    for share in run.left():
        run.write(share)


def test_directory_with_a_name_that_is_no_text_has_new_files_later(tmp_path: pathlib.Path) -> None:
    root, output = tmp_path / "root", tmp_path / "rows"
    root.mkdir()
    try:
        os.makedirs(os.fsencode(root) + b"/d/\xff")
    except OSError:
        pytest.skip("the file system has no such names")
    for name in ("a.txt", "b.txt"):
        (root / "d" / name).write_text(name)
        answered(parquet.plan(["d"], output, parquet.Reads(str(root)), recursive=True))
    rows = pq.read_table(output).to_pylist()
    found = sorted((row["path"], row["ok"]) for row in rows)
    assert found == [("d/\\xFF/", False), ("d/a.txt", True), ("d/b.txt", True)]


def test_directory_that_was_not_listed_as_a_whole_has_new_files_later(tmp_path: pathlib.Path) -> None:
    root, output = tmp_path / "root", tmp_path / "rows"
    (root / "d").mkdir(parents=True)
    reads = parquet.Reads(str(root))
    (root / "d/a.txt").write_text("a")
    run = parquet.plan(["d"], output, reads, recursive=True)
    # A plan as one of a directory with more entries than are listed.
    (plan,) = run.plans()
    pq.write_table(parquet.entry_table([("d/a.txt", None), ("d", "{}")]), output / f"_omniread/{plan}.parquet")
    parquet._PLANS.clear()
    (root / "d/b.txt").write_text("b")
    again = parquet.plan(["d"], output, reads, recursive=True)
    assert [again.entries(share) for share in again.left()[1:]] == [[("d/b.txt", None)]]


def test_directory_that_was_missing_is_expanded_later(tmp_path: pathlib.Path) -> None:
    root, output = tmp_path / "root", tmp_path / "rows"
    root.mkdir()
    reads = parquet.Reads(str(root))
    answered(parquet.plan(["d"], output, reads, recursive=True))
    assert paths(output) == {"d": 1}
    (root / "d").mkdir()
    for number in range(3):
        (root / f"d/{number}.txt").write_text("text")
        answered(parquet.plan(["d"], output, reads, recursive=True))
        assert paths(output) == {"d": 1, **{f"d/{name}.txt": 1 for name in range(number + 1)}}


def test_files_and_entries_of_directories_are_two_runs(many: pathlib.Path, tmp_path: pathlib.Path) -> None:
    reads = parquet.Reads(str(many))
    parquet.plan(["d"], tmp_path / "rows", reads)
    with pytest.raises(omniread.ConfigError, match="`recursive` was false, and is now true"):
        parquet.plan(["d"], tmp_path / "rows", reads, recursive=True)


def test_values_that_mean_the_same_are_one_run(many: pathlib.Path, tmp_path: pathlib.Path) -> None:
    output = tmp_path / "rows"
    place = many / "d"
    for reader, options in [
        ({"deny": ["b", "a"], "mounts": {"docs": place}, "home": many}, {"limit": 5, "lines": None}),
        ({"home": str(many), "mounts": {"docs": str(place)}, "deny": {"a", "b"}}, {"limit": 5}),
    ]:
        parquet.plan(["d"], output, parquet.Reads(str(many), reader=reader, options=options))
    found = json.loads((output / "_omniread/run.json").read_text())["run"]
    assert found["reader"] == {"deny": ["a", "b"], "home": str(many), "mounts": {"docs": str(place)}}
    assert found["options"] == {"limit": 5}


def test_bytes_are_recorded_as_a_hash(many: pathlib.Path) -> None:
    facts = parquet.Reads(str(many), options={"stdin": b"a secret", "ignores": ("a", "b")}).facts()
    assert "secret" not in json.dumps(facts)
    assert facts["options"]["stdin"].startswith("sha256:") and facts["options"]["ignores"] == ["a", "b"]
    other = parquet.Reads(str(many), options={"stdin": b"another", "ignores": ["a", "b"]}).facts()
    assert facts["options"]["stdin"] != other["options"]["stdin"]


def test_workers_of_other_directories_read_the_same_files(
    many: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads = parquet.Reads(".", reader={"mounts": {"docs": ["d"]}, "home": "d"})
    monkeypatch.chdir(many)
    run = parquet.plan(["d/0.txt", "docs://2.txt", "~/4.txt"], "../rows", reads, filesystem=fs.LocalFileSystem())
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(parquet, "_READERS", {})
    (share,) = run.left()
    assert pickle.loads(pickle.dumps(run)).write(share) == {"rows": 3, "failed": 0}
    assert sum(paths(tmp_path / "rows").values()) == 3


def test_files_are_on_the_disk_before_they_have_their_names(
    many: pathlib.Path, tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    output = tmp_path / "rows"
    synced: list[tuple[str, int]] = []
    sync = os.fsync

    def recorded(descriptor: int) -> None:
        kind = "directory" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file"
        synced.append((kind, len(list(output.glob("part-*")))))
        sync(descriptor)

    run = parquet.plan(["d"], output, parquet.Reads(str(many)), recursive=True)
    monkeypatch.setattr(os, "fsync", recorded)
    answered(run)
    assert synced == [("file", 0), ("directory", 1)]
    parquet.plan(["missing"], output, parquet.Reads(str(many)), recursive=True)
    assert [kind for kind, _ in synced[2:]] == ["file", "directory"]


def test_file_without_content_is_written_again(many: pathlib.Path, tmp_path: pathlib.Path) -> None:
    output = tmp_path / "rows"
    run = parquet.plan(["d"], output, parquet.Reads(str(many)), recursive=True)
    (share,) = run.left()
    (output / share.file).touch()
    assert run.left() == [share]
    assert run.write(share)["rows"] == 60 and run.left() == []


@pytest.mark.parametrize("place", [".", "in"])
def test_input_in_the_output_is_read(tmp_path: pathlib.Path, place: str) -> None:
    # The output is the root, or a directory of it.
    output = tmp_path / place
    (output / "deep").mkdir(parents=True)
    names = ("a.txt", "part-b.txt", "deep/part-c.parquet", "deep/d.txt")
    for name in names:
        (output / name).write_text("text")
    for _ in range(2):
        answered(parquet.plan(["."], output, parquet.Reads(str(tmp_path)), recursive=True))
    parts = [pq.read_table(part)["path"].to_pylist() for part in output.glob("part-*.parquet")]
    found = sorted(os.path.normpath(path) for part in parts for path in part)
    assert found == sorted(os.path.normpath(os.path.join(place, name)) for name in names)


def test_output_in_a_root_is_not_read(many: pathlib.Path) -> None:
    output = many / "d/rows"
    reads = parquet.Reads(str(many))
    for _ in range(2):
        run = parquet.plan(["d", "missing"], output, reads, recursive=True)
        for share in run.left():
            run.write(share)
    assert sorted(paths(output).values()) == [1] * 61


def test_wrong_arguments_are_refused_before_the_first_share(many: pathlib.Path, tmp_path: pathlib.Path) -> None:
    for reads, error in [
        (parquet.Reads(str(many / "nowhere")), omniread.ConfigError),
        (parquet.Reads(str(many), options={"unknown": 1}), TypeError),
        (parquet.Reads(str(many), dialect="other"), ValueError),
        (parquet.Reads(str(many), reader={"unknown": 1}), TypeError),
    ]:
        with pytest.raises(error):
            parquet.plan(["d"], tmp_path / "rows", reads)
    for jobs in (0, -1):
        with pytest.raises(omniread.ConfigError, match="at least one read at once"):
            parquet.Reads(str(many), jobs=jobs)
    with pytest.raises(omniread.ConfigError, match="at least one path"):
        parquet.plan(["d"], tmp_path / "rows", parquet.Reads(str(many)), share_paths=0)
