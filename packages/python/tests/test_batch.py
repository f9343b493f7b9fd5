"""Rows of many files: `Reader.batch` and `Reader.expand`."""

from __future__ import annotations

import gc
import json
import os
import pathlib
import subprocess
import sys
import textwrap
import threading
import time
import weakref
from typing import Iterator

import pytest

import omniread


def paths(rows: omniread.Rows) -> list[str]:
    return [row.path for row in rows]


def test_row_is_that_of_a_read(reader: omniread.Reader) -> None:
    wanted = ["notes.txt:2-3", "red.png", "missing", "data.sqlite:users", "notes.txt:2-3"]
    rows = list(reader.batch(wanted, jobs=2))
    assert [row.path for row in rows] == wanted[:4]
    for row in rows:
        assert row.to_dict() == json.loads(str(row))
        assert list(row.to_dict()) == ["path", "ok", "blocks", "details", "error"]
        with reader.session() as session:
            if row.ok:
                reply = session.read(row.path).to_dict()
                assert row.blocks is not None and json.loads(row.blocks) == reply["blocks"]
                assert row.details is not None and json.loads(row.details)["kind"] == reply["details"]["kind"]
                assert row.error is None
            else:
                with pytest.raises(FileNotFoundError) as failed:
                    session.read(row.path)
                assert row.error is not None and json.loads(row.error) == failed.value.facts
                assert row.blocks is None and row.details is None
    assert [row.ok for row in rows] == [True, True, False, True]
    assert repr(rows[2]) == "<Row failed 'missing'>"


def test_containers_have_rows_for_what_is_in_them(reader: omniread.Reader) -> None:
    assert paths(reader.batch(["pack.zip"])) == ["pack.zip"]
    assert paths(reader.batch(["pack.zip"], members=True)) == ["pack.zip:inner/a.txt"]
    assert paths(reader.batch(["notes.txt"], pages=True)) == [
        "notes.txt", "notes.txt:301", "notes.txt:601", "notes.txt:901",
    ]  # fmt: skip
    found = paths(reader.batch(["."], recursive=True))
    assert "./notes.txt" in found and "./.env" not in found and len(found) == 6


def test_options_and_dialect_are_those_of_the_reads(reader: omniread.Reader) -> None:
    (row,) = reader.batch(["notes.txt"], limit=2, hashlines=False)
    assert row.to_dict()["blocks"][0]["text"].startswith("line 1\nline 2\n")
    (row,) = reader.batch([os.path.abspath("/nowhere")], "claude")
    assert not row.ok
    with pytest.raises(TypeError, match="no option `unknown`"):
        reader.batch(["a"], unknown=1)  # type: ignore[call-arg]
    with pytest.raises(ValueError, match="no dialect"):
        reader.batch(["a"], "other")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="not one path"):
        reader.batch("notes.txt")


def test_done_paths_have_no_row(reader: omniread.Reader) -> None:
    assert paths(reader.batch(["notes.txt", "red.png"], done=["notes.txt"])) == ["red.png"]
    assert paths(reader.expand(["notes.txt", "red.png"], done=iter(["red.png"]))) == ["notes.txt"]


def test_done_is_no_path_and_excludes_pages(reader: omniread.Reader) -> None:
    for one in ("notes.txt", b"notes.txt", pathlib.Path("notes.txt")):
        with pytest.raises(TypeError, match="`done` are a list or another iterable, not one path"):
            reader.batch(["notes.txt"], done=one)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="`done` are a list or another iterable, not one path"):
            reader.expand(["notes.txt"], done=one)  # type: ignore[arg-type]
    # The pages of a path whose first page has a row would be missing.
    with pytest.raises(ValueError, match="`pages` and `done` exclude each other"):
        reader.batch(["notes.txt"], pages=True, done=["notes.txt"])
    assert len(paths(reader.batch(["notes.txt"], pages=True, done=None))) == 4


def test_directory_that_is_done_has_new_files(reader: omniread.Reader) -> None:
    found = paths(reader.expand(["."]))
    assert paths(reader.expand([".", "red.png"], done=[".", *found[1:], "red.png"])) == found[:1]


def test_expand_finds_files_without_reading(reader: omniread.Reader, tmp_path: pathlib.Path) -> None:
    rows = list(reader.expand(["missing", ".", "notes.txt", "./notes.txt"]))
    found = [row.path for row in rows]
    assert found[0] == "missing" and found[-1] == "notes.txt" and found.count("./notes.txt") == 1
    assert all(row.ok and row.blocks is None and row.error is None for row in rows)
    assert paths(reader.expand(["."], recursive=False)) == ["."]


@pytest.mark.skipif(os.geteuid() == 0 and not pathlib.Path("/proc").exists(), reason="there is no deep directory")
def test_directory_that_is_not_listed_as_a_whole_has_a_row_with_an_error(tmp_path: pathlib.Path) -> None:
    deep = tmp_path.joinpath(*["d"] * 140)
    deep.mkdir(parents=True)
    (deep / "a.txt").write_text("a")
    (tmp_path / "b.txt").write_text("b")
    with omniread.Reader(tmp_path) as reader:
        rows = list(reader.expand(["."]))
        assert "./b.txt" in [row.path for row in rows]
        (failed,) = [row for row in rows if not row.ok]
        assert failed.error is not None and json.loads(failed.error)["kind"] == "limit"


def test_paths_are_taken_as_they_are_needed(reader: omniread.Reader) -> None:
    taken: list[int] = []

    def many() -> Iterator[str]:
        for number in range(5000):
            taken.append(number)
            yield f"missing{number}"

    with reader.batch(many()) as rows:
        assert next(rows).path == "missing0"
        assert len(taken) <= 600
        assert len(list(rows)) == 4999
    assert len(taken) == 5000


def test_row_is_returned_before_the_next_paths_are_there(reader: omniread.Reader) -> None:
    taken: list[int] = []

    def slow() -> Iterator[str]:
        for number in range(200):
            taken.append(number)
            yield f"missing{number}"
            time.sleep(0.02)

    with reader.batch(slow()) as rows:
        assert next(rows).path == "missing0"
        assert len(taken) < 200


def test_paths_can_depend_on_the_rows_of_earlier_ones(reader: omniread.Reader) -> None:
    returned = {name: threading.Event() for name in ("missing0", "missing1", "missing2")}
    in_time: list[bool] = []

    def dependent() -> Iterator[str]:
        for name, event in returned.items():
            yield name
            in_time.append(event.wait(60))

    def take() -> None:
        for row in rows:
            found.append(row.path)
            returned[row.path].set()

    found: list[str] = []
    with reader.batch(dependent()) as rows:
        # One thread waits in the generator, and another one takes the row.
        threads = [threading.Thread(target=take) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert found == list(returned) and in_time == [True] * 3


def test_paths_cannot_take_rows_of_their_own_batch(reader: omniread.Reader) -> None:
    def reentered() -> Iterator[str]:
        yield "notes.txt"
        next(rows)

    rows = reader.batch(reentered())
    with pytest.raises(RuntimeError, match="cannot take a row of this batch"):
        list(rows)


class Paths:
    """An iterator that can have weak references."""

    rows: omniread.Rows

    def __init__(self) -> None:
        self.left = ["missing", "notes.txt"]

    def __iter__(self) -> Paths:
        return self

    def __next__(self) -> str:
        if not self.left:
            raise StopIteration
        return self.left.pop()


def test_iterator_of_paths_is_dropped(reader: omniread.Reader) -> None:
    def started() -> tuple[omniread.Rows, weakref.ref[Paths]]:
        some = Paths()
        return reader.batch(some), weakref.ref(some)

    rows, reference = started()
    assert reference() is not None
    rows.close()
    assert reference() is None
    rows, reference = started()
    assert len(list(rows)) == 2 and reference() is None
    # A cycle of the rows and their paths is found.
    rows, reference = started()
    some = reference()
    assert some is not None
    some.rows = rows
    del rows, some
    gc.collect()
    assert reference() is None


def test_error_of_the_iterable_is_raised(reader: omniread.Reader) -> None:
    def broken() -> Iterator[str]:
        yield "notes.txt"
        raise LookupError("the list is broken")

    with pytest.raises(LookupError, match="the list is broken"):
        list(reader.batch(broken()))


def test_rows_end_when_they_are_closed(reader: omniread.Reader) -> None:
    rows = reader.batch(f"missing{number}" for number in range(100_000))
    next(rows)
    rows.close()
    assert list(rows) == []


def test_closed_reader_is_not_the_end_of_the_list(files: pathlib.Path) -> None:
    reader = omniread.Reader(files)
    rows = reader.batch(f"missing{number}" for number in range(100_000))
    next(rows)
    reader.close()
    with pytest.raises(ValueError, match="the reader is closed"):
        list(rows)


def test_threads_share_the_rows(reader: omniread.Reader) -> None:
    rows = reader.batch(f"missing{number}" for number in range(2000))
    found: list[str] = []
    threads = [threading.Thread(target=lambda: found.extend(row.path for row in rows)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(found) == sorted(f"missing{number}" for number in range(2000))


def run(program: str, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", textwrap.dedent(program), *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no such signals")
def test_interrupt_ends_the_wait_for_a_row(files: pathlib.Path) -> None:
    done = run(
        """
        import os, signal, sys, threading, omniread
        reader = omniread.Reader(sys.argv[1])
        rows = reader.batch(f"missing{number}" for number in range(10_000_000))
        threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()
        try:
            for row in rows:
                pass
            print("all rows")
        except KeyboardInterrupt:
            print("interrupted")
        """,
        files,
    )
    assert done.stdout == "interrupted\n", done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no such signals")
def test_interrupt_ends_the_wait_for_the_paths_of_another_thread(files: pathlib.Path) -> None:
    done = run(
        """
        import os, signal, sys, threading, omniread
        reader = omniread.Reader(sys.argv[1])
        begun, over, ended = threading.Event(), threading.Event(), threading.Event()

        def slow():
            begun.set()
            over.wait(30)
            ended.set()
            yield "notes.txt"

        rows = reader.batch(slow())
        other = threading.Thread(target=next, args=[rows])
        other.start()
        begun.wait(60)
        threading.Timer(0.3, os.kill, [os.getpid(), signal.SIGINT]).start()
        try:
            next(rows)
            print("a row")
        except KeyboardInterrupt:
            print("interrupted", ended.is_set())
        over.set()
        other.join()
        """,
        files,
    )
    assert done.stdout == "interrupted False\n", done.stderr


def test_interpreter_ends_during_a_batch(files: pathlib.Path) -> None:
    done = run(
        """
        import sys, omniread
        reader = omniread.Reader(sys.argv[1])
        rows = reader.batch(["notes.txt"] + [f"missing{number}" for number in range(1_000_000)])
        print(next(rows).path)
        """,
        files,
    )
    assert (done.returncode, done.stdout) == (0, "notes.txt\n"), done.stderr


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.filterwarnings("ignore")
def test_child_of_fork_gets_no_rows(files: pathlib.Path) -> None:
    done = run(
        """
        import os, sys, warnings, omniread
        warnings.simplefilter("ignore")
        reader = omniread.Reader(sys.argv[1])
        rows = reader.batch(f"missing{number}" for number in range(1000))
        next(rows)
        if os.fork() == 0:
            try:
                next(rows)
            except omniread.ForkError:
                print("refused", flush=True)
            del rows
        else:
            os.wait()
            print(len(list(rows)))
        """,
        files,
    )
    assert (done.returncode, done.stdout) == (0, "refused\n999\n"), done.stderr


@pytest.mark.skipif(not pathlib.Path("/proc/self/status").exists(), reason="the system has no such file")
def test_memory_does_not_grow_with_the_rows(tmp_path: pathlib.Path) -> None:
    for number in range(4):
        (tmp_path / f"{number}.txt").write_text(f"{number} of a text\n" * 60_000)

    def peak(rows: int) -> int:
        done = run(
            """
            import sys, time, omniread
            reader = omniread.Reader(sys.argv[1])
            paths = (f"{number % 4}.txt:1-{50_000 + number}" for number in range(int(sys.argv[2])))
            with reader.batch(paths, all=True, jobs=2) as rows:
                # The reads go on while nobody takes rows.
                size = len(next(rows).blocks)
                time.sleep(float(sys.argv[3]))
                size += sum(len(row.blocks or "") for row in rows)
            assert size > 500_000 * int(sys.argv[2]), size
            print(*[line.split()[1] for line in open("/proc/self/status") if line.startswith("VmHWM")])
            """,
            tmp_path,
            rows,
            2 if rows > 10 else 0,
        )
        assert done.returncode == 0, done.stderr
        return int(done.stdout)

    # 60 rows have 56 MB.
    assert peak(60) - peak(10) < 20_000
