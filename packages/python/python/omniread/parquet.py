"""Rows of many files as Arrow tables and Parquet files, for one machine or many.

This module needs ``pyarrow``. ``omniread.ray`` uses it, and programs for other engines can.

* :func:`tables` converts the rows of a batch to tables, which have the schema :data:`SCHEMA`.
* :func:`plan` divides a list of paths into shares, and :meth:`Run.write` answers one share in one file. Workers of any
  engine can do so, in any order and again, because the file of a share has one name and appears as a whole.

A row has these columns:

``path``
    The path as it is in the list, or that of a file, a member or a page to which an entry of the list has led.
``ok``
    Whether it was read.
``blocks``
    The reply for a model: a list of structs with ``type``, ``text``, ``mime`` and ``data``. A query that selects
    ``text`` does not load the images, and ``data`` has their bytes, not base64.
``details``, ``error``
    The facts of the reply and the error, as ``omniread batch`` writes them, in JSON. Their fields depend on the kind of
    the content and on the version, so that structs of them would have another type in each file.
"""

# pyarrow has no types.
# pyright: reportMissingTypeStubs=false, reportMissingImports=false, reportUnknownMemberType=false
# pyright: reportUnknownVariableType=false, reportUnknownArgumentType=false, reportUnknownParameterType=false

from __future__ import annotations

import base64
import dataclasses
import hashlib
import itertools
import json
import os
import posixpath
import threading
import time
from contextlib import contextmanager
from typing import Any, Callable, Generator, Iterable, Iterator, Mapping, Optional, Sequence, cast

import pyarrow as pa  # type: ignore[import-untyped, import-not-found, unused-ignore]
import pyarrow.parquet as pq  # type: ignore[import-untyped, import-not-found, unused-ignore]
from pyarrow import fs  # type: ignore[import-untyped, import-not-found, unused-ignore]

from . import ConfigError, Reader, Row
from . import __version__ as _version

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

BLOCK = pa.struct([("type", pa.string()), ("text", pa.string()), ("mime", pa.string()), ("data", pa.binary())])
"""The type of a block of a reply."""

SCHEMA = pa.schema(
    [
        pa.field("path", pa.string(), nullable=False),
        pa.field("ok", pa.bool_(), nullable=False),
        pa.field("blocks", pa.list_(pa.field("element", BLOCK))),
        pa.field("details", pa.string()),
        pa.field("error", pa.string()),
    ]
)
"""The columns of rows. They are the same for all files, options and versions."""

TABLE_BYTES = 8 << 20
"""The size of the JSON of the rows of a table, as far as one row is not larger."""

TABLE_ROWS = 1024
"""The maximum number of rows of a table."""

_FORMAT = 1
_ENTRIES = pa.schema([pa.field("path", pa.string(), nullable=False), pa.field("error", pa.string())])


Entry = tuple[str, Optional[str]]
"""A path, and the error of a directory that could not be listed as a whole."""


def entry_table(entries: Sequence[Entry]) -> pa.Table:
    """Entries as a table."""
    columns = {"path": [path for path, _ in entries], "error": [error for _, error in entries]}
    return pa.Table.from_pydict(columns, schema=_ENTRIES)


def some_entries(rows: Iterable[Row], most: int) -> list[Entry]:
    """The next entries that :meth:`omniread.Reader.expand` has found."""
    return [(row.path, row.error) for row in itertools.islice(rows, most)]


def table(rows: Sequence[Row]) -> pa.Table:
    """The rows as a table."""
    offsets = [0]
    missing: list[bool] = []
    fields: dict[str, list[Any]] = {name: [] for name in ("type", "text", "mime", "data")}
    for row in rows:
        text = row.blocks
        missing.append(text is None)
        for block in json.loads(text) if text is not None else ():
            fields["type"].append(block["type"])
            fields["text"].append(block.get("text"))
            fields["mime"].append(block.get("mime"))
            data = block.get("data")
            fields["data"].append(None if data is None else base64.b64decode(data))
        offsets.append(len(fields["type"]))
    columns = [pa.array(fields[field.name], field.type) for field in BLOCK]
    blocks = pa.ListArray.from_arrays(
        pa.array(offsets, pa.int32()),
        pa.StructArray.from_arrays(columns, fields=list(BLOCK)),
        type=SCHEMA.field("blocks").type,
        mask=pa.array(missing, pa.bool_()),
    )
    return pa.Table.from_arrays(
        [
            pa.array([row.path for row in rows], pa.string()),
            pa.array([row.ok for row in rows], pa.bool_()),
            blocks,
            pa.array([row.details for row in rows], pa.string()),
            pa.array([row.error for row in rows], pa.string()),
        ],
        schema=SCHEMA,
    )


def tables(rows: Iterable[Row]) -> Iterator[pa.Table]:
    """The rows as tables of up to 8 MiB, or of one row if it is larger."""
    some: list[Row] = []
    size = 0
    for row in rows:
        length = len(row.blocks or "") + len(row.details or "") + len(row.error or "")
        if some and (size + length > TABLE_BYTES or len(some) >= TABLE_ROWS):
            yield table(some)
            some, size = [], 0
        some.append(row)
        size += length
    if some:
        yield table(some)


@dataclasses.dataclass(frozen=True)
class Reads:
    """How paths are read. It can be pickled, so that each worker creates a reader of its own."""

    roots: str | Sequence[str]
    """The directories that reads may access. Relative paths belong to the first."""
    dialect: str = "omp"
    """The dialect of the replies."""
    members: bool = False
    """Each member of an archive has a row, in place of the archive."""
    pages: bool = False
    """Each further page of a path has a row too."""
    jobs: int = 1
    """The reads of a worker at once."""
    reader: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """The other arguments of :class:`omniread.Reader`."""
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    """The options of the reads."""

    def __post_init__(self) -> None:
        if self.jobs < 1:
            raise ConfigError(f"a worker has at least one read at once, not {self.jobs}\nhint: set `jobs` to 1 or more")

    def absolute(self) -> Reads:
        """These reads with absolute paths, for workers that have another current directory."""
        reader = dict(self.reader)
        for name in ("home", "net_authorities"):
            if reader.get(name) is not None:
                reader[name] = _absolute(reader[name])
        if isinstance(reader.get("mounts"), Mapping):
            reader["mounts"] = {scheme: _absolute(places) for scheme, places in reader["mounts"].items()}
        return dataclasses.replace(self, roots=_absolute(self.roots), reader=reader)

    def open(self) -> Reader:
        """The reader of this process with these arguments. It stays open for later reads."""
        # The process is a part of the key, so that a child of `fork` fails as it does with its own reader.
        key = repr((os.getpid(), self.roots, sorted(self.reader.items())))
        with _LOCK:
            reader = _READERS.get(key)
            if reader is None or reader.closed:
                reader = Reader(self.roots, **self.reader)
                _READERS[key] = reader
            return reader

    def tables(self, paths: Iterable[str]) -> Iterator[pa.Table]:
        """Read paths, and return tables of their rows."""
        with self.open().batch(
            paths,
            cast(Any, self.dialect),
            members=self.members,
            pages=self.pages,
            jobs=self.jobs,
            **cast(Any, self.options),
        ) as rows:
            yield from tables(rows)

    def tables_of(self, entries: Sequence[Entry]) -> Iterator[pa.Table]:
        """The tables of paths, of which those with an error are not read."""
        failed = [(path, error) for path, error in entries if error is not None]
        if failed:
            columns: dict[str, list[Any]] = {
                "path": [path for path, _ in failed],
                "ok": [False] * len(failed),
                "blocks": [None] * len(failed),
                "details": [None] * len(failed),
                "error": [error for _, error in failed],
            }
            yield pa.Table.from_pydict(columns, schema=SCHEMA)
        yield from self.tables(path for path, error in entries if error is None)

    def check(self) -> None:
        """Raise the error of a wrong argument, before any worker does."""
        for _ in self.tables([]):
            pass

    def facts(self) -> dict[str, Any]:
        """What must be the same in all runs with one output. Secrets are not in it, nor what may differ."""
        free = {"password", "timeout", "memory", "engine_memory"}
        return {
            "version": _version,
            "roots": self.open().roots,
            "dialect": self.dialect,
            "members": self.members,
            "pages": self.pages,
            "reader": {
                name: _fact(_as_set(value) if name == "deny" else value)
                for name, value in self.reader.items()
                if value is not None and name not in free and not name.startswith("net_") and name != "allow_net"
            },
            "options": _fact(self.options),
        }


def _absolute(paths: Any) -> Any:
    """One path as an absolute one, or several."""
    if isinstance(paths, (str, bytes, os.PathLike)):
        return os.path.abspath(os.fsdecode(paths))
    return [_absolute(path) for path in paths]


def _as_set(value: Any) -> Any:
    """One text or several, whose order has no meaning."""
    return {value} if isinstance(value, str) else set(value)


def _fact(value: Any) -> Any:
    """A value as JSON, which is the same for values that mean the same."""
    if isinstance(value, (bytes, bytearray)):
        return f"sha256:{hashlib.sha256(value).hexdigest()}"
    if isinstance(value, os.PathLike):
        return os.fsdecode(cast("os.PathLike[str]", value))
    if isinstance(value, Mapping):
        return {str(name): _fact(each) for name, each in value.items() if each is not None}
    if isinstance(value, (set, frozenset)):
        return sorted((_fact(each) for each in value), key=json.dumps)
    if isinstance(value, (list, tuple)):
        return [_fact(each) for each in value]
    if value is None or isinstance(value, (str, int, float)):
        return value
    return repr(value)


_READERS: dict[str, Reader] = {}
_LOCK = threading.Lock()


@dataclasses.dataclass(frozen=True)
class Share:
    """Some entries of the list, which one file answers."""

    plan: str
    number: int

    @property
    def file(self) -> str:
        """The name of the file."""
        return f"{self.plan.replace('plan', 'part', 1)}-{self.number:06}.parquet"


@dataclasses.dataclass(frozen=True)
class Run:
    """An output directory, and how its files are made. It can be pickled. :func:`plan` creates it."""

    reads: Reads
    output: str
    filesystem: Any

    def shares(self) -> list[Share]:
        """All shares."""
        return [Share(plan, number) for plan in self.plans() for number in range(self._open(plan).num_row_groups)]

    def left(self) -> list[Share]:
        """The shares that have no file yet."""
        done = set(_names(self.filesystem, self.output))
        return [share for share in self.shares() if share.file not in done]

    def plans(self) -> list[str]:
        """The names of the plans, one of each run that has added entries to the list."""
        names = _names(self.filesystem, _state(self.output))
        return sorted(name[: -len(".parquet")] for name in names if name.startswith("plan-"))

    def entries(self, share: Share) -> list[Entry]:
        """The paths of a share. A directory that could not be listed as a whole has an error."""
        with _LOCK:
            columns = self._open(share.plan).read_row_group(share.number).to_pydict()
        return list(zip(columns["path"], columns["error"]))

    def tables(self, share: Share) -> Iterator[pa.Table]:
        """Read the paths of a share, and return tables of their rows."""
        return self.reads.tables_of(self.entries(share))

    def write(self, share: Share) -> dict[str, int]:
        """Write the file of a share, unless it exists. Returns the number of its ``rows`` and of those that ``failed``.

        The file appears as a whole under its name. If two workers write the same share, one file remains.
        """
        final = posixpath.join(self.output, share.file)
        # A file without content is what a crash of the machine may leave.
        if self.filesystem.get_file_info(final).size:
            metadata = pq.read_metadata(final, filesystem=self.filesystem)
            return {"rows": metadata.num_rows, "failed": int(metadata.metadata[_FAILED])}
        rows = failed = 0
        with _unfinished(self.filesystem, self.output, final) as unfinished:
            with pq.ParquetWriter(unfinished, SCHEMA, filesystem=self.filesystem, compression="zstd") as writer:
                for part in self.tables(share):
                    writer.write_table(part)
                    rows += part.num_rows
                    failed += part["ok"].to_pylist().count(False)
                writer.add_key_value_metadata({_FAILED: str(failed)})
        return {"rows": rows, "failed": failed}

    def _open(self, plan: str) -> pq.ParquetFile:
        path = posixpath.join(_state(self.output), f"{plan}.parquet")
        found = _PLANS.get(path)
        if found is None:
            if len(_PLANS) >= 16:
                _PLANS.clear()
            # The name has a hash of the content.
            found = _PLANS[path] = pq.ParquetFile(self.filesystem.open_input_file(path))
        return found


_PLANS: dict[str, pq.ParquetFile] = {}
_FAILED = b"omniread.failed"


def plan(
    paths: Iterable[str],
    output: str | os.PathLike[str],
    reads: Reads,
    *,
    recursive: bool = False,
    share_paths: int = 1000,
    filesystem: Any = None,
) -> Run:
    """Divide a list of paths into shares, and record them in the output directory.

    ``paths``
        The paths. One that is there several times has one row. With ``recursive``, each file in a directory and below
        it is an entry, in place of the directory.
    ``output``
        A directory that all workers reach, or the URI of one, as ``pyarrow.fs`` takes it. It is created.
    ``share_paths``
        The number of entries of a share, and so of a file.
    ``filesystem``
        The file system of ``output``, if it is not that of the path.

    Files that runs have written to the output are no entries. An output of an earlier run is continued: entries that
    are new are added, also those of a directory that is in the list again, and files that exist stay. Raises
    :class:`omniread.ConfigError` if it is that of a run that reads otherwise, or not one of omniread.
    """
    filesystem, output = _resolved(output, filesystem)
    if share_paths < 1:
        raise ConfigError(f"a share has at least one path, not {share_paths}")
    reads = reads.absolute()
    run = Run(reads, output, filesystem)
    reads.check()
    facts = {**reads.facts(), "recursive": recursive}
    is_own = _own(filesystem, output, reads.open().roots)
    with _locked(filesystem, output):
        _check(filesystem, output, facts)
        _clean(filesystem, output)
        plans = run.plans()
        failed: set[tuple[str, str]] = set()

        def before() -> Iterator[str]:
            for name in plans:
                opened = run._open(name)
                for number in range(opened.num_row_groups):
                    columns = opened.read_row_group(number).to_pydict()
                    for path, error in zip(columns["path"], columns["error"]):
                        # What is below a directory that could not be listed may be there now.
                        if error is not None:
                            failed.add((path, error))
                        else:
                            yield path

        with reads.open().expand(paths, recursive=recursive, done=before()) as found:
            entries = ((row.path, row.error) for row in found if not is_own(row.path))
            new = (entry for entry in entries if entry[1] is None or (entry[0], entry[1]) not in failed)
            _add(run, len(plans), new, share_paths)
    return run


def _add(run: Run, number: int, entries: Iterator[Entry], share_paths: int) -> None:
    """Write a plan, if there are entries."""
    share = list(itertools.islice(entries, share_paths))
    if not share:
        return
    digest = hashlib.sha256()
    unfinished = posixpath.join(_state(run.output), f"unfinished-{os.urandom(8).hex()}")
    try:
        with pq.ParquetWriter(unfinished, _ENTRIES, filesystem=run.filesystem, compression="zstd") as writer:
            while share:
                digest.update(repr(share).encode("utf-8", "surrogatepass"))
                writer.write_table(entry_table(share), row_group_size=share_paths)
                share = list(itertools.islice(entries, share_paths))
        name = f"plan-{number:06}-{digest.hexdigest()[:16]}.parquet"
        _finish(run.filesystem, unfinished, posixpath.join(_state(run.output), name))
    except BaseException:
        _remove(run.filesystem, unfinished)
        raise


def _own(filesystem: Any, output: str, roots: Sequence[str]) -> Callable[[str], bool]:
    """Whether a path leads to a file that runs have written to the output, which may be in a root."""
    if not isinstance(filesystem, fs.LocalFileSystem):
        return lambda _: False
    places = {os.path.join(place, "") for place in (output, os.path.realpath(output))}
    if not any(place.startswith(os.path.join(root, "")) for place in places for root in roots):
        return lambda _: False

    def is_own(path: str) -> bool:
        for place in places:
            file = os.path.normpath(os.path.join(roots[0], path))
            if file.startswith(place):
                first, *below = file[len(place) :].split(os.sep)
                is_part = first.startswith("part-") and first.endswith(".parquet")
                return first == "_omniread" if below else is_part
        return False

    return is_own


def _clean(filesystem: Any, output: str) -> None:
    """Remove the files of workers that were killed a day ago or earlier. Others may still be written."""
    latest = time.time() - 24 * 3600
    for info in filesystem.get_file_info(fs.FileSelector(_state(output))):
        if info.base_name.startswith("unfinished-") and info.mtime is not None and info.mtime.timestamp() < latest:
            _remove(filesystem, info.path)


def _check(filesystem: Any, output: str, facts: dict[str, Any]) -> None:
    """Check that the output is new or that of the same run, and record the run."""
    file = posixpath.join(_state(output), "run.json")
    if filesystem.get_file_info(file).type == fs.FileType.NotFound:
        if any(name.endswith(".parquet") for name in _names(filesystem, output)):
            raise ConfigError(
                f"cannot write to `{output}`: it has files of another program\nhint: name a new directory"
            )
        with _unfinished(filesystem, output, file) as unfinished, filesystem.open_output_stream(unfinished) as stream:
            stream.write(json.dumps({"omniread_parquet": _FORMAT, "run": facts}).encode())
        return
    with filesystem.open_input_stream(file) as stream:
        found: dict[str, Any] = json.loads(stream.read())
    if found.get("omniread_parquet") != _FORMAT:
        raise ConfigError(f"cannot continue `{output}`: its format is another one\nhint: name a new directory")
    then: dict[str, Any] = found["run"]
    now: dict[str, Any] = json.loads(json.dumps(facts))
    for fact in sorted(then.keys() | now.keys()):
        if then.get(fact) != now.get(fact):
            raise ConfigError(
                f"cannot continue `{output}`: it is of another run: `{fact}` was {json.dumps(then.get(fact))}, and is "
                f"now {json.dumps(now.get(fact))}\nhint: repeat the arguments of that run, or name a new directory"
            )


def _state(output: str) -> str:
    return posixpath.join(output, "_omniread")


def _resolved(output: str | os.PathLike[str], filesystem: Any) -> tuple[Any, str]:
    """The file system of an output, and the path in it."""
    text = os.fspath(output)
    if filesystem is None and "://" in text:
        filesystem, text = fs.FileSystem.from_uri(text)
    elif filesystem is None:
        filesystem = fs.LocalFileSystem()
    if isinstance(filesystem, fs.LocalFileSystem):
        text = os.path.abspath(text)
    filesystem.create_dir(_state(text), recursive=True)
    return filesystem, text


def _names(filesystem: Any, directory: str) -> Iterator[str]:
    """The names of the files in a directory that have content."""
    return (info.base_name for info in filesystem.get_file_info(fs.FileSelector(directory)) if info.size)


@contextmanager
def _unfinished(filesystem: Any, output: str, final: str) -> Generator[str]:
    """A name for a file that gets its final name after it was written."""
    name = posixpath.join(_state(output), f"unfinished-{os.urandom(8).hex()}")
    try:
        yield name
        _finish(filesystem, name, final)
    except BaseException:
        _remove(filesystem, name)
        raise


def _finish(filesystem: Any, unfinished: str, final: str) -> None:
    """Give a file its final name. A crash of the machine leaves it as a whole or not at all, if it is a local one."""
    is_local = isinstance(filesystem, fs.LocalFileSystem)
    if is_local:
        _sync(unfinished, os.O_RDWR)
    filesystem.move(unfinished, final)
    # Windows opens no directories.
    if is_local and os.name != "nt":
        _sync(os.path.dirname(final), os.O_RDONLY)


def _sync(path: str, access: int) -> None:
    descriptor = os.open(path, access)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _remove(filesystem: Any, file: str) -> None:
    if filesystem.get_file_info(file).type != fs.FileType.NotFound:
        filesystem.delete_file(file)


@contextmanager
def _locked(filesystem: Any, output: str) -> Generator[None]:
    """Has another process on this machine wait, so that two do not plan at once. Other file systems have no locks."""
    if fcntl is None or not isinstance(filesystem, fs.LocalFileSystem):
        yield
        return
    with open(posixpath.join(_state(output), "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
