"""Reads anything as text and images for a model: one path string in, blocks out.

Every parser runs inside a WebAssembly sandbox, without access to anything but the bytes that it parses.

>>> import omniread, pathlib, tempfile
>>> with tempfile.TemporaryDirectory() as directory:
...     _ = pathlib.Path(directory, "notes.txt").write_text("one\\ntwo\\nthree\\n")
...     with omniread.Reader(directory, deny=[".env"]) as reader, reader.session() as session:
...         reply = session.read("notes.txt", limit=2, hashlines=False)
>>> print(reply.text.splitlines()[0], reply.next)
one notes.txt:3

* :func:`read` reads below the current directory.
* :class:`Reader` defines which directories may be read, and the limits of a read.
* :class:`Session` remembers what was shown, and calls the tools of agents with the arguments of a model.
* :class:`Reply` has the text and the images for the model, and facts for the program.
* :class:`ReadError` is raised if there is nothing to show.

A read releases the lock of the interpreter, so that threads read at the same time. ``Ctrl-C`` ends a read.
"""

from __future__ import annotations

import atexit as _atexit

from . import _errors
from ._errors import (
    AccessDeniedError,
    ConfigError,
    ForkError,
    InvalidRequestError,
    NetworkError,
    PathIsDirectoryError,
    PathNotFoundError,
    ReadCancelledError,
    ReadError,
    ReadTimeoutError,
    Reason,
    SessionError,
)

try:
    from . import _native
except ImportError as _error:
    if "subinterpreter" in str(_error):
        raise ImportError(
            "omniread cannot be used in a subinterpreter: use threads, which read at the same time, or processes",
            name=__name__,
        ) from _error
    # An error about this package, not about its module: there is no module.
    if _error.name == __name__:
        raise ImportError(
            f"the compiled part of omniread is missing in {__path__[0]}: install a wheel for this platform, with "
            "`pip install --force-reinstall omniread`",
            name=__name__,
        ) from _error
    raise

_native.install(_errors.read_error, ConfigError, SessionError, ForkError)
# Threads that are reading when the interpreter ends stop before it goes away.
_atexit.register(_native.shut_down)

from ._native import APIS, DIALECTS, OPTIONS, CancelToken, Media, Reply, Row, Rows, Text  # noqa: E402
from ._native import version as __version__  # noqa: E402
from ._reading import Reader, Session, aread, read, tools  # noqa: E402

__all__ = [
    "APIS",
    "DIALECTS",
    "OPTIONS",
    "AccessDeniedError",
    "CancelToken",
    "ConfigError",
    "ForkError",
    "InvalidRequestError",
    "Media",
    "NetworkError",
    "PathIsDirectoryError",
    "PathNotFoundError",
    "ReadCancelledError",
    "ReadError",
    "ReadTimeoutError",
    "Reader",
    "Reason",
    "Reply",
    "Row",
    "Rows",
    "Session",
    "SessionError",
    "Text",
    "__version__",
    "aread",
    "read",
    "tools",
]
