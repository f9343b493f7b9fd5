"""Reads on a Ray of this machine with two workers, which are killed."""

from __future__ import annotations

import collections
import dataclasses
import logging
import os
import pathlib
import re
import signal
import subprocess
import sys
import textwrap
import time
from typing import Any, Iterator

import pytest
from test_parquet import EXPECTED, LIST, many, paths

import omniread

pytest.importorskip("ray.data")

# Ray warns of its own deprecations.
pytestmark = [pytest.mark.filterwarnings("default"), pytest.mark.usefixtures("cluster")]

__all__ = ["many"]

PAGE = pathlib.Path(__file__).parents[3] / "docs/guide/many-machines.md"


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """One Ray for all tests, and its address."""
    os.environ.update(RAY_AUTH_MODE="disabled", RAY_USAGE_STATS_ENABLED="0", RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO="0")
    import ray
    import ray.data

    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="ERROR",
        object_store_memory=200 << 20,
    )
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    # Workers cannot import this file.
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield ray.get_runtime_context().gcs_address
    ray.shutdown()


@dataclasses.dataclass(frozen=True)
class Killed:
    """How the worker of one share ends after a part of its rows."""

    mark: str
    how: str

    def once(self) -> None:
        try:
            open(self.mark, "x").close()
        except FileExistsError:
            return
        if self.how == "SIGKILL":
            os.kill(os.getpid(), signal.SIGKILL)
        import ray

        ray.kill(ray.get_runtime_context().current_actor)
        time.sleep(60)


def killed_reads(root: pathlib.Path, killed: Killed) -> Any:
    """Reads whose first worker is killed after it has returned rows."""
    from omniread.ray import Reads

    @dataclasses.dataclass(frozen=True)
    class KilledReads(Reads):
        def tables_of(self, entries: Any) -> Iterator[Any]:
            for number, table in enumerate(super().tables_of(entries)):
                yield table
                if number == 0:
                    killed.once()

    return KilledReads(str(root), members=True)


def test_rows_of_a_dataset(many: pathlib.Path) -> None:
    from omniread.ray import SCHEMA, Reads, read

    dataset = read(LIST, Reads(str(many), members=True), recursive=True, batch_size=10)
    tables = list(dataset.iter_batches(batch_size=None, batch_format="pyarrow"))
    assert all(table.schema.equals(SCHEMA) for table in tables)
    rows = {row["path"]: row for table in tables for row in table.to_pylist()}
    found = collections.Counter(path for table in tables for path in table["path"].to_pylist())
    assert found == EXPECTED
    with omniread.Reader(many) as reader:
        for expected in reader.batch(["missing", "broken.docx", "d/0.txt"]):
            assert (rows[expected.path]["error"], rows[expected.path]["details"]) == (expected.error, expected.details)
    assert rows["red.png"]["ok"] and not rows["missing"]["ok"]
    assert read([], Reads(str(many))).count() == 0


@pytest.mark.parametrize("how", ["SIGKILL", "ray.kill"])
def test_killed_worker_loses_and_repeats_no_row(many: pathlib.Path, tmp_path: pathlib.Path, how: str) -> None:
    from omniread.ray import Reads, write_parquet

    output, mark = tmp_path / "rows", tmp_path / "mark"
    reads = killed_reads(many, Killed(str(mark), how))
    try:
        write_parquet(LIST, output, reads, recursive=True, share_paths=8)
    except Exception:
        # Ray does not start an actor again that was killed by its interface.
        assert how == "ray.kill"
    assert mark.exists()
    before = paths(output)
    assert all(count == 1 for count in before.values())
    again = write_parquet(LIST, output, Reads(str(many), members=True), recursive=True, share_paths=8)
    assert paths(output) == EXPECTED
    assert again.files == 9 and again.rows == EXPECTED.total() - before.total()
    if how == "SIGKILL":
        assert again.files_before == 9 and again.rows == 0


def test_killed_program_goes_on(many: pathlib.Path, tmp_path: pathlib.Path, cluster: str) -> None:
    from omniread.ray import Reads, write_parquet

    output = tmp_path / "rows"
    program = textwrap.dedent(
        """
        import dataclasses, os, signal, sys, threading, time, ray, ray.data
        from omniread.ray import Reads, write_parquet

        root, output, address = sys.argv[1:]
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")

        @dataclasses.dataclass(frozen=True)
        class Slow(Reads):
            def tables_of(self, entries):
                time.sleep(0.3)
                yield from super().tables_of(entries)

        def kill():
            while not any(name.endswith(".parquet") for name in os.listdir(output)):
                time.sleep(0.01)
            os.kill(os.getpid(), signal.SIGKILL)

        os.makedirs(output)
        threading.Thread(target=kill, daemon=True).start()
        write_parquet(["d", "missing", "pack.zip"], output, Slow(root, members=True), recursive=True, share_paths=2)
        """
    )
    command = [sys.executable, "-c", program, str(many), str(output), cluster]
    done = subprocess.run(command, timeout=120, capture_output=True, text=True)
    assert done.returncode == -signal.SIGKILL, done.stderr
    assert 0 < len(list(output.glob("*.parquet"))) < 31
    # The workers of that program may still write the shares that they have begun.
    summary = write_parquet(LIST, output, Reads(str(many), members=True), recursive=True, share_paths=2)
    assert summary.files_before > 0
    assert paths(output) == EXPECTED


@pytest.mark.skipif(not PAGE.exists(), reason="this is not a checkout of the project")
def test_programs_of_the_page_run(many: pathlib.Path, capsys: pytest.CaptureFixture[str]) -> None:
    project = many.parent / "project"
    project.mkdir()
    (many / "d").rename(project / "reports")
    (many / "pack.zip").rename(project / "mail.zip")
    names: dict[str, object] = {}
    shown: list[str] = []
    for program in re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL):
        exec(program.replace("/data", str(many.parent)), names)
        shown.append(capsys.readouterr().out)
    written, texts, selected, shares, rows = shown
    assert written == "65 rows; 0 not read; 1 files\n"
    assert "text" in texts and selected == "65\n"
    table: Any = names["texts"]
    assert [field.name for field in table.schema.field("blocks").type.value_field.type] == ["text"]
    assert shares == "{'rows': 60, 'failed': 0}\n"
    assert len(rows.splitlines()) == 60 and rows.startswith("reports/0.txt True\n")


def test_output_of_another_run_is_refused(many: pathlib.Path, tmp_path: pathlib.Path) -> None:
    from omniread.ray import Reads, write_parquet

    output = tmp_path / "rows"
    assert write_parquet([], output, Reads(str(many))).files == 0
    with pytest.raises(omniread.ConfigError, match="`dialect` was"):
        write_parquet(["missing"], output, Reads(str(many), dialect="claude"))


def test_jobs_that_no_machine_has_are_refused(many: pathlib.Path, tmp_path: pathlib.Path) -> None:
    from omniread.ray import Reads, read, write_parquet

    reads = Reads(str(many), jobs=3)
    for refused in (lambda: write_parquet(["d"], tmp_path / "rows", reads), lambda: read(["d"], reads)):
        with pytest.raises(omniread.ConfigError, match="the largest has 2\nhint: set `jobs` to at most 2"):
            refused()
    assert not (tmp_path / "rows").exists()
    assert read(["missing"], reads, num_cpus=1).count() == 1


def test_relative_roots_are_those_of_the_program(many: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from omniread.ray import Reads, read

    monkeypatch.chdir(many.parent)
    (row,) = read(["d/0.txt"], Reads(many.name)).take_all()
    assert row["ok"]


@pytest.mark.skipif(not pathlib.Path("/proc/self/status").exists(), reason="the system has no such file")
def test_memory_of_a_worker_is_bounded(tmp_path: pathlib.Path) -> None:
    from omniread.ray import Reads, write_parquet

    root = tmp_path / "root"
    root.mkdir()
    for number in range(4):
        (root / f"{number}.txt").write_text(f"{number} of a text\n" * 60_000)

    @dataclasses.dataclass(frozen=True)
    class Measured(Reads):
        def tables_of(self, entries: Any) -> Iterator[Any]:
            yield from super().tables_of(entries)
            status = pathlib.Path("/proc/self/status").read_text()
            (peak,) = [line.split()[1] for line in status.splitlines() if line.startswith("VmHWM")]
            (tmp_path / f"peak-{len(entries)}").write_text(peak)

    def peak(rows: int) -> int:
        reads = Measured(str(root), options={"all": True})
        wanted = [f"{number % 4}.txt:1-{50_000 + number}" for number in range(rows)]
        summary = write_parquet(wanted, tmp_path / f"rows-{rows}", reads)
        assert (summary.rows, summary.failed) == (rows, 0)
        return int((tmp_path / f"peak-{rows}").read_text())

    # 110 rows have 103 MB, and 40 fill several tables.
    assert peak(110) - peak(40) < 30_000
