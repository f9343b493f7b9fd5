"""Readers and sessions, with the reads of coroutines."""

from __future__ import annotations

import os
import sys
import threading
from types import TracebackType
from typing import TYPE_CHECKING, Any, Callable, Mapping, TypeVar

from . import _native
from ._types import Api, Dialect, Options, StrPath

if sys.version_info >= (3, 11):
    from typing import Self, Unpack
elif TYPE_CHECKING:
    from typing_extensions import Self, Unpack

T = TypeVar("T")


class Reader(_native.Reader):
    __doc__ = _native.Reader.__doc__
    __slots__ = ()

    def session(self, directory: StrPath | None = None) -> Session:
        """Start a session in which nothing was shown yet.

        With ``directory``, the session continues what is kept there, and outlives the process. The directory is
        created if it does not exist, and several processes can use it at once. A state that cannot be used is renamed,
        with a warning. Reads of the directory are denied.

        Raises :class:`SessionError` if the directory cannot be used.
        """
        return Session(self, directory)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


class Session(_native.Session):
    __doc__ = _native.Session.__doc__
    __slots__ = ()

    async def aread(
        self,
        path: StrPath,
        dialect: Dialect = "omp",
        **options: Unpack[Options],
    ) -> _native.Reply:
        """Read a path on another thread, as :meth:`read` does.

        Cancelling the task cancels the read, within milliseconds.

        >>> import asyncio, omniread, pathlib, tempfile
        >>> with tempfile.TemporaryDirectory() as directory:
        ...     _ = pathlib.Path(directory, "a.txt").write_text("hello")
        ...     with omniread.Reader(directory) as reader, reader.session() as session:
        ...         reply = asyncio.run(session.aread("a.txt", hashlines=False))
        >>> reply.text.splitlines()[0]
        'hello'
        """
        return await _on_thread(lambda cancel: self.read(path, dialect, cancel=cancel, **options))

    async def acall(
        self,
        dialect: Dialect,
        arguments: str | Mapping[str, Any],
        **options: Unpack[Options],
    ) -> _native.Reply:
        """Run the tool of a dialect on another thread, as :meth:`call` does.

        Cancelling the task cancels the call, within milliseconds.
        """
        return await _on_thread(lambda cancel: self.call(dialect, arguments, cancel=cancel, **options))

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


async def _on_thread(read: Callable[[_native.CancelToken], T]) -> T:
    """Run a read on a thread of the executor of the loop. If the task is cancelled, the read is, too."""
    # A coroutine runs in a program that has imported this already. In others it is most of the time of `import omniread`.
    import asyncio

    token = _native.CancelToken()
    running = asyncio.get_running_loop().run_in_executor(None, read, token)
    try:
        return await asyncio.shield(running)
    except asyncio.CancelledError:
        token.cancel()
        # Without a reader, the loop would report the error of the cancelled read.
        running.add_done_callback(lambda done: done.cancelled() or done.exception())
        raise


class _Default:
    """The session of the function :func:`read`: its root is the current directory."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._session: tuple[str, Session] | None = None

    def session(self) -> Session:
        directory = os.getcwd()
        current = self._session
        if current is None or current[0] != directory:
            with self._lock:
                current = (directory, Reader(directory).session())
                self._session = current
        return current[1]


_DEFAULT = _Default()


def read(
    path: StrPath,
    dialect: Dialect = "omp",
    *,
    cancel: _native.CancelToken | None = None,
    **options: Unpack[Options],
) -> _native.Reply:
    """Read a path below the current directory.

    The path may end in a selector, as in ``src/main.rs:1-40``, or go on into a container, as in
    ``report.pdf:page:3`` or ``data.sqlite:users``. The reads of a process share one session. Create a
    :class:`Reader` to read other directories, to deny files, or to set limits.

    >>> import omniread, os, pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as directory:
    ...     _ = pathlib.Path(directory, "hello.txt").write_text("hello\\nworld\\n")
    ...     before = os.getcwd()
    ...     os.chdir(directory)
    ...     reply = omniread.read("hello.txt:2-2")
    ...     os.chdir(before)
    >>> "2:world" in reply.text
    True

    Raises :class:`ReadError` if there is nothing to show, and ``TypeError`` or ``ValueError`` if an option or the
    dialect is wrong.
    """
    return _DEFAULT.session().read(path, dialect, cancel=cancel, **options)


async def aread(path: StrPath, dialect: Dialect = "omp", **options: Unpack[Options]) -> _native.Reply:
    """Read a path below the current directory on another thread, as :func:`read` does.

    Cancelling the task cancels the read.
    """
    return await _DEFAULT.session().aread(path, dialect, **options)


def tools(api: Api, dialect: Dialect = "omp", *, current: bool = False) -> list[dict[str, Any]]:
    """The list ``tools`` of a request to the API of a model, with the tool of a dialect.

    ``current`` is as that of :meth:`Reader.tools`.

    >>> import omniread
    >>> [tool["name"] for tool in omniread.tools("anthropic", "claude")]
    ['Read']
    """
    return _DEFAULT.session().reader.tools(api, dialect, current=current)
