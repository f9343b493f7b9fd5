"""Reads of many files on the machines of a Ray cluster, with Ray Data.

This module needs ``ray[data]`` and ``pyarrow``. ``import omniread`` does not import it.

* :func:`read` returns a dataset of rows, for a pipeline that goes on with them.
* :func:`write_parquet` writes rows to Parquet files. A run that was stopped goes on where it was.
* :class:`Worker` is what both pass to ``map_batches``.

The columns are those of :mod:`omniread.parquet`. Each worker is an actor with a reader of its own, which reads one
batch after the other and returns its rows in tables of up to 8 MiB, so that its memory does not grow with the files.
"""

# pyarrow has no types, and Ray has some.
# pyright: reportMissingTypeStubs=false, reportMissingImports=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownParameterType=false

from __future__ import annotations

import dataclasses
import os
from typing import Any, Iterable, Iterator, Mapping

import pyarrow as pa  # type: ignore[import-untyped, import-not-found, unused-ignore]
import ray  # type: ignore[import-untyped, import-not-found, unused-ignore]
import ray.data  # type: ignore[import-untyped, import-not-found, unused-ignore]

from . import ConfigError, parquet
from .parquet import SCHEMA, Reads, Run, Share

__all__ = ["SCHEMA", "Reads", "Summary", "Worker", "read", "write_parquet"]


class Worker:
    """Reads batches of paths: ``dataset.map_batches(Worker, fn_constructor_args=[reads], batch_format="pyarrow")``.

    A batch has the column ``path``. If it has ``error`` too, a path with an error is not read, and has a row with it.
    """

    def __init__(self, reads: Reads) -> None:
        self._reads = reads
        # The first batch does not wait for the code of the reader, nor do errors of its arguments wait for a batch.
        reads.open()

    def __call__(self, batch: pa.Table) -> Iterator[pa.Table]:
        """Rows of a batch."""
        paths = batch["path"].to_pylist()
        errors = batch["error"].to_pylist() if "error" in batch.column_names else [None] * len(paths)
        yield from self._reads.tables_of(list(zip(paths, errors)))


class _ShareWorker:
    """Writes the files of shares."""

    def __init__(self, run: Run) -> None:
        self._run = run
        run.reads.open()

    def __call__(self, batch: pa.Table) -> pa.Table:
        shares = [Share(plan, number) for plan, number in zip(batch["plan"].to_pylist(), batch["number"].to_pylist())]
        written = [self._run.write(share) for share in shares]
        return pa.table({name: [each[name] for each in written] for name in ("rows", "failed")})


@dataclasses.dataclass(frozen=True)
class Summary:
    """The numbers of a run."""

    rows: int
    """The rows that this run has written."""
    failed: int
    """Those of them whose path could not be read."""
    files: int
    """The files of the output."""
    files_before: int
    """Those of them that earlier runs have written."""


def read(
    paths: Iterable[str],
    reads: Reads,
    *,
    recursive: bool = False,
    batch_size: int = 256,
    workers: int | None = None,
    **options: Any,
) -> ray.data.Dataset:
    """A dataset with a row for each path. It is read when it is consumed.

    ``recursive``
        Each file in a directory and below it has a row, in place of the directory.
    ``batch_size``
        The paths that a worker gets at once.
    ``workers``
        The number of workers. By default, there is one for each core of the cluster, or for ``reads.jobs`` cores.

    The other arguments are passed to ``map_batches``.
    """
    _check_jobs(reads, options)
    reads = reads.absolute()
    reads.check()
    with reads.open().expand(paths, recursive=recursive) as rows:
        blocks: list[pa.Table] = []
        while entries := parquet.some_entries(rows, batch_size):
            blocks.append(parquet.entry_table(entries))
    # A worker gets a block at a time, and again if it ended before it had returned all rows of the block.
    return ray.data.from_arrow(blocks or [parquet.entry_table([])]).map_batches(
        Worker,
        fn_constructor_args=[reads],
        batch_size=batch_size,
        batch_format="pyarrow",
        **{**_pool(reads, workers, len(blocks)), **options},
    )


def write_parquet(
    paths: Iterable[str],
    output: str | os.PathLike[str],
    reads: Reads,
    *,
    recursive: bool = False,
    share_paths: int = 1000,
    filesystem: Any = None,
    workers: int | None = None,
    **options: Any,
) -> Summary:
    """Write a row for each path to Parquet files in a directory, and return the numbers of rows.

    A share of ``share_paths`` paths is one file, which appears as a whole. If the run is stopped, or a worker ends for
    any reason, the same call writes the files that are missing, so that each path has its rows exactly once. The
    arguments up to ``filesystem`` are those of :func:`omniread.parquet.plan`, and ``workers`` is as that of
    :func:`read`. The other arguments are passed to ``map_batches``.
    """
    _check_jobs(reads, options)
    run = parquet.plan(paths, output, reads, recursive=recursive, share_paths=share_paths, filesystem=filesystem)
    files = len(run.shares())
    left = run.left()
    rows = failed = 0
    if left:
        shares = [{"plan": share.plan, "number": share.number} for share in left]
        dataset = ray.data.from_items(shares, override_num_blocks=min(len(shares), 2000))
        written = dataset.map_batches(
            _ShareWorker,
            fn_constructor_args=[run],
            batch_size=1,
            batch_format="pyarrow",
            **{**_pool(reads, workers, len(shares)), **options},
        )
        batches: Iterable[Any] = written.iter_batches(batch_size=None, batch_format="pyarrow")
        for batch in batches:
            rows += sum(batch["rows"].to_pylist())
            failed += sum(batch["failed"].to_pylist())
    return Summary(rows, failed, files, files - len(left))


def _check_jobs(reads: Reads, options: Mapping[str, Any]) -> None:
    """Refuse workers that no machine has enough cores for. Ray would wait for such a machine."""
    if "num_cpus" in options:
        return
    # Ray gives this function no types.
    cluster: Any = ray
    cores = [node["Resources"].get("CPU", 0) for node in cluster.nodes() if node["Alive"]]
    most = int(max(cores, default=0))
    if reads.jobs > most:
        raise ConfigError(
            f"no machine of the cluster has {reads.jobs} cores for the {reads.jobs} `jobs` of a worker: the largest "
            f"has {most}\nhint: set `jobs` to at most {most}, or pass `num_cpus`"
        )


def _pool(reads: Reads, workers: int | None, batches: int) -> dict[str, Any]:
    """The arguments of `map_batches` about workers. There are not more of them than batches."""
    if workers is None:
        # Ray gives this function no types.
        cluster: Any = ray
        workers = max(1, int(cluster.cluster_resources().get("CPU", 1)) // reads.jobs)
    size = max(1, min(workers, batches))
    return {"num_cpus": reads.jobs, "compute": ray.data.ActorPoolStrategy(size=size)}
