"""The part of the package that is written in Rust. Import its names from ``omniread``."""

from datetime import timedelta
from typing import Any, Callable, Final, Iterable, Literal, Mapping, NoReturn, Sequence, final

from typing_extensions import Self, Unpack, disjoint_base

from ._errors import ConfigError, ForkError, ReadError, SessionError
from ._types import Api, Dialect, Options, StrPath

__all__ = [
    "APIS",
    "DIALECTS",
    "OPTIONS",
    "CancelToken",
    "Media",
    "Reader",
    "Reply",
    "Row",
    "Rows",
    "Session",
    "Text",
    "install",
    "shut_down",
    "version",
]

version: Final[str]
DIALECTS: Final[tuple[str, ...]]
APIS: Final[tuple[str, ...]]
OPTIONS: Final[dict[str, str]]

def install(
    read_error: Callable[[Mapping[str, Any], str, Mapping[str, Any]], ReadError],
    config_error: type[ConfigError],
    session_error: type[SessionError],
    fork_error: type[ForkError],
) -> None:
    """Tell this module the classes of the package. The package calls it when it is imported."""

def shut_down() -> None:
    """Cancel all reads, wait for their end, and refuse others.

    The package calls this before the interpreter ends, so that no thread of it is in a read then.
    """

@final
class CancelToken:
    """Cancels reads from another thread. A read that starts with a cancelled token fails at once."""

    def __new__(cls) -> Self: ...
    def cancel(self) -> None:
        """Cancel all reads with this token, within milliseconds."""

    @property
    def cancelled(self) -> bool:
        """Whether the token was cancelled."""

@disjoint_base
class Reader:
    """The directories that reads may access, and the limits of a read. Reads by a :class:`Session`.

    By default, a read can access nothing: no directory, no host, no environment variable.

    ``roots``
        A directory that reads may access with everything below it, or several. Relative paths belong to the first.
    ``deny``
        A deny rule, or several: patterns as in ``.gitignore``, relative to each root.
    ``mounts``
        Directories that internal URLs read, by scheme: ``{"docs": "handbook"}`` for ``docs://plan.md``.
    ``timeout``
        The processor time of a read in seconds, 10 by default. A read ends after twenty times as much real time in
        any case. ``None`` removes the limit.
    ``memory``
        The memory of a read in bytes, 512 MiB by default, at least 2.5 MiB.
    ``engine_memory``
        The memory of the engines of all reads of the process in bytes, 1 GiB by default. The last reader decides.
    ``max_file_size``
        The size in bytes above which files are refused. There is no limit by default.
    ``home``
        The directory that ``~`` means at the start of a path.
    ``password``
        The password of encrypted documents.
    ``allow_net``
        A host that reads may connect to, or several: ``example.com``, ``example.com:8080``, ``*.example.com``,
        an address, or ``public`` for all public hosts.
    ``net_headers``
        Headers by host, without a port: ``{"example.com": {"Authorization": "Bearer …"}}``. No other host gets them.
    ``net_timeout``
        The time of all requests of a read in seconds, 45 by default. It does not count towards ``timeout``.
    ``net_max_bytes``
        The size of the largest response in bytes, 50 MiB by default.
    ``net_proxy``, ``net_user_agent``, ``net_authorities``
        The address of a proxy, the value of ``User-Agent``, and PEM files of certificate authorities that are
        accepted besides those of the platform.

    Raises :class:`ConfigError` if a root cannot be opened or a value is wrong, ``TypeError`` for an unknown
    argument, and :class:`ForkError` in a child of ``fork``.
    """

    def __new__(
        cls,
        roots: StrPath | Sequence[StrPath] | None = None,
        *,
        deny: str | Sequence[str] | None = None,
        mounts: Mapping[str, StrPath | Sequence[StrPath]] | None = None,
        timeout: float | timedelta | None = ...,
        memory: int | None = None,
        engine_memory: int | None = None,
        max_file_size: int | None = None,
        home: StrPath | None = None,
        password: str | None = None,
        allow_net: str | Sequence[str] | None = None,
        net_headers: Mapping[str, Mapping[str, str]] | None = None,
        net_timeout: float | timedelta | None = None,
        net_max_bytes: int | None = None,
        net_proxy: str | None = None,
        net_user_agent: str | None = None,
        net_authorities: StrPath | Sequence[StrPath] | None = None,
    ) -> Self: ...
    @property
    def roots(self) -> list[str]:
        """The absolute paths of the roots. A root has two paths if one of them leads through a symlink."""

    @property
    def closed(self) -> bool:
        """Whether the reader was closed."""

    def tools(self, api: Api, dialect: Dialect = "omp", *, current: bool = False) -> list[dict[str, Any]]:
        """The list ``tools`` of a request to the API of a model, with the tool of a dialect.

        With ``current``, the tool has the arguments that the tool of the agent has today, if they differ from those
        of the dialect. :meth:`Session.call` takes the arguments of either.
        """

    def complete(self, path: str, most: int = 100) -> list[str]:
        """Paths that start with ``path``, at most ``most``. The paths of directories end in ``/``."""

    def batch(
        self,
        paths: Iterable[StrPath],
        dialect: Dialect = "omp",
        *,
        members: bool = False,
        recursive: bool = False,
        pages: bool = False,
        ordered: bool = True,
        jobs: int | None = None,
        done: Iterable[StrPath] | None = None,
        **options: Unpack[Options],
    ) -> Rows:
        """Read many paths on all cores. Iterate over the result for the rows, as ``omniread batch`` writes them.

        ``paths``
            The paths, in any iterable. They are taken when they are needed, up to some hundred before their rows.
        ``members``
            Each member of an archive has a row, in place of the archive.
        ``recursive``
            Each file in a directory and below it has a row, in place of the directory.
        ``pages``
            Each further page of a path has a row too, up to 10,000.
        ``ordered``
            Rows are in the order of the paths. Otherwise they come as the reads end.
        ``jobs``
            The number of reads at once: one for each core by default.
        ``done``
            Paths that have a row already, in any iterable. They have no other one. It excludes ``pages``.

        The other arguments are options of the reads. A path that cannot be read has a row with its error, and a path
        that is in the list several times has one row. A row does not depend on the others.
        """

    def expand(
        self, paths: Iterable[StrPath], *, recursive: bool = True, done: Iterable[StrPath] | None = None
    ) -> Rows:
        """Find the files in directories, without reading them.

        Each path that is not a directory has a row without a reply, and so does each file in a directory and below it,
        without hidden ones. A directory that cannot be listed as a whole has a row with an error. A path to which
        several entries lead has one row, and one that is in ``done`` has none. The files in a
        directory that is in ``done`` have.
        """

    def close(self) -> None:
        """Cancel the reads of the sessions of this reader, and refuse others. ``with`` calls this at its end."""

    def __reduce__(self) -> NoReturn: ...

@disjoint_base
class Session:
    """Reads that share what was shown, and a cache of up to 32 MiB. Use one for each conversation.

    :meth:`Reader.session` creates one. Threads can read at the same time.
    """

    def __new__(cls, reader: Reader, directory: StrPath | None = None) -> Self: ...
    @property
    def reader(self) -> Reader:
        """The reader of the session."""

    @property
    def closed(self) -> bool:
        """Whether the session or its reader was closed."""

    def read(
        self,
        path: StrPath,
        dialect: Dialect = "omp",
        *,
        cancel: CancelToken | None = None,
        **options: Unpack[Options],
    ) -> Reply:
        """Read a path in a dialect.

        The path may end in a selector, as in ``src/main.rs:1-40``, or go on into a container, as in
        ``report.pdf:page:3`` or ``data.sqlite:users``.

        Raises :class:`ReadError` if there is nothing to show, ``TypeError`` or ``ValueError`` if an option or the
        dialect is wrong, and ``KeyboardInterrupt`` if ``Ctrl-C`` ended the read.
        """

    def call(
        self,
        dialect: Dialect,
        arguments: str | Mapping[str, Any],
        *,
        cancel: CancelToken | None = None,
        **options: Unpack[Options],
    ) -> Reply:
        """Run the tool of a dialect with the arguments of a model, which are JSON or a mapping.

        Raises :class:`ReadError` if the arguments are wrong or there is nothing to show. Its ``text`` is for the
        model.
        """

    def stale(self, path: StrPath) -> Literal["unread", "same", "touched", "changed", "gone"]:
        """Whether a file has changed since this session read it."""

    def changes(self, path: StrPath) -> dict[str, Any]:
        """What has changed in the lines of a file that this session showed.

        The keys are ``state``, which is as :meth:`stale` returns it, ``is_complete``, and ``hunks``: a list of
        ``old_first``, ``old``, ``new_first`` and ``new``, with numbers of lines from 1 and lists of lines.
        """

    def record_write(self, path: StrPath, data: bytes | str) -> bool:
        """Say that the program has written this content to a file, so that it is not reported as a change.

        Call it after the write. Returns False if the session cannot keep it.
        """

    def clear(self) -> None:
        """Remove everything that the session keeps."""

    def close(self) -> None:
        """Cancel the reads of this session, and refuse others. ``with`` calls this at its end."""

    def __reduce__(self) -> NoReturn: ...

@final
class Text:
    """A part of a reply that is text."""

    __match_args__: Final = ("text",)
    @property
    def type(self) -> Literal["text"]:
        """The kind of the part: ``"text"``."""

    @property
    def text(self) -> str:
        """The text."""

@final
class Media:
    """A part of a reply that is an image, or a file that is passed to the model unchanged."""

    __match_args__: Final = ("mime", "data")
    @property
    def type(self) -> Literal["image", "attachment"]:
        """The kind of the part: ``"image"`` or ``"attachment"``."""

    @property
    def mime(self) -> str:
        """The MIME type, such as ``image/png``."""

    @property
    def data(self) -> bytes:
        """The bytes. The first access decodes them."""

    @property
    def base64(self) -> str:
        """The bytes in base64 with padding, as APIs of models take them."""

    @property
    def size(self) -> int:
        """The number of bytes."""

    @property
    def width(self) -> int | None:
        """The width of the image in pixels. None for an image of a document, or an attachment."""

    @property
    def height(self) -> int | None:
        """The height of the image in pixels. None for an image of a document, or an attachment."""

@final
class Reply:
    """What a read shows: parts for the model, and facts for the program. ``str(reply)`` is its text."""

    @property
    def text(self) -> str:
        """The text of all parts that are text, joined by newlines."""

    @property
    def blocks(self) -> tuple[Text | Media, ...]:
        """The parts, in the order in which a model should see them."""

    @property
    def images(self) -> tuple[Media, ...]:
        """The images."""

    @property
    def attachments(self) -> tuple[Media, ...]:
        """The files that are passed to the model unchanged."""

    @property
    def details(self) -> dict[str, Any]:
        """Facts, as ``details`` in the JSON of the command line, without ``display_content``."""

    @property
    def structured(self) -> dict[str, Any]:
        """Facts with the field names of the dialect."""

    @property
    def kind(self) -> str:
        """The kind of the content: ``text``, ``directory``, ``archive``, ``database``, ``document``, ``image``, …"""

    @property
    def path(self) -> str:
        """The path without its selector."""

    @property
    def next(self) -> str | None:
        """The path that reads the rest. None if all was shown."""

    @property
    def notes(self) -> list[str]:
        """Facts about the source: its encoding, damage, a repaired path."""

    @property
    def is_error(self) -> Literal[False]:
        """False, as that of a :class:`ReadError` is True."""

    def to_dict(self) -> dict[str, Any]:
        """The reply as the command line prints it with ``--json``: ``blocks``, ``details`` and ``structured``."""

    def __reduce__(self) -> NoReturn: ...

@final
class Rows:
    """The rows of many paths, one after the other. :meth:`Reader.batch` and :meth:`Reader.expand` return it.

    Reads run ahead of the rows that are taken, up to 4 MiB of rows. ``with`` or :meth:`close` ends them.
    """

    def __iter__(self) -> Self: ...
    def __next__(self) -> Row: ...
    def close(self) -> None:
        """End the reads. The iterator then has no more rows."""

    def __enter__(self) -> Self: ...
    def __exit__(self, *_error: object) -> None: ...

@final
class Row:
    """What a path of a batch has led to. ``str(row)`` is its JSON, as ``omniread batch`` writes it."""

    @property
    def path(self) -> str:
        """The path as it is in the list, or that of a file, a member or a page to which an entry of the list has led."""

    @property
    def ok(self) -> bool:
        """Whether it was read."""

    @property
    def blocks(self) -> str | None:
        """The blocks of the reply as JSON. None if the path was not read."""

    @property
    def details(self) -> str | None:
        """The facts of the reply as JSON, without ``display_content``. None if the path was not read."""

    @property
    def error(self) -> str | None:
        """The error as JSON. None if the path was read."""

    def to_dict(self) -> dict[str, Any]:
        """The row as ``json.loads`` returns it: ``path``, ``ok``, ``blocks``, ``details`` and ``error``."""
