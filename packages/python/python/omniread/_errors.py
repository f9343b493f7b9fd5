"""The errors of the package."""

from __future__ import annotations

import errno
from typing import Any, Literal, Mapping

Reason = Literal[
    "not_found",
    "outside_roots",
    "link_outside_roots",
    "symlink",
    "denied",
    "ignored",
    "permission",
    "special_file",
    "directory",
    "binary",
    "limit",
    "query",
    "invalid_path",
    "invalid_selector",
    "invalid_argument",
    "unsupported",
    "cancelled",
    "io",
    "network",
    "internal",
]


class ReadError(Exception):
    """A read that failed.

    ``str(error)`` is the message, and the hint on a line of its own if there is one. Where Python has an
    exception for the reason, the error is one of a subclass that is also that exception: a missing file is a
    :class:`PathNotFoundError`, which is a ``FileNotFoundError``.

    >>> import omniread
    >>> with omniread.Reader(".") as reader, reader.session() as session:
    ...     try:
    ...         session.read("no-such-file")
    ...     except FileNotFoundError as error:
    ...         print(error.reason, error.is_error)
    not_found True
    """

    reason: Reason
    """The kind of the failure, for programs."""
    message: str
    """The reason in one sentence, with the path as the caller wrote it."""
    hint: str | None
    """A suggestion for the next step, such as similar names."""
    text: str
    """The failure for the model, in the format of the dialect."""
    facts: dict[str, Any]
    """All facts, as ``error`` in the JSON of the command line."""
    structured: dict[str, Any]
    """The facts with the field names of the dialect."""
    is_error: Literal[True] = True
    """True, as that of a reply is False: a tool can return either."""

    def __init__(
        self, facts: Mapping[str, Any], text: str | None = None, structured: Mapping[str, Any] | None = None
    ) -> None:
        self.facts = dict(facts)
        self.reason = self.facts["kind"]
        self.message = self.facts["message"]
        self.hint = self.facts.get("hint")
        self.text = self.message if text is None else text
        self.structured = dict(structured or {})
        super().__init__(self.message)

    def __str__(self) -> str:
        return f"{self.message}\nhint: {self.hint}" if self.hint else self.message

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.facts, self.text, self.structured)


class PathNotFoundError(ReadError, FileNotFoundError):
    """The path does not exist. ``facts["near"]`` has similar names."""


class AccessDeniedError(ReadError, PermissionError):
    """The path is outside the roots, a deny rule or an ignore file excludes it, or the system denies access."""


class PathIsDirectoryError(ReadError, IsADirectoryError):
    """The path is a directory, and the dialect reads only files."""


class InvalidRequestError(ReadError, ValueError):
    """The path, its selector, its query or an argument is not valid."""


class ReadTimeoutError(ReadError, TimeoutError):
    """The read, or the server that it waited for, took longer than its limit."""


class NetworkError(ReadError, ConnectionError):
    """The address cannot be read. ``facts["error"]`` has the kind of the error."""


class ReadCancelledError(ReadError):
    """A token, or the end of the session, cancelled the read."""


class ConfigError(ValueError):
    """An argument of a reader is wrong: a root cannot be opened, or a rule is not a pattern."""


class SessionError(OSError):
    """The directory of a session cannot be used."""


class ForkError(RuntimeError):
    """This process was forked from one that had used omniread, whose threads it does not have.

    Start processes with ``multiprocessing.get_context("spawn")`` or ``"forkserver"``, or use omniread only after
    the fork.
    """


_CLASSES: dict[str, type[ReadError]] = {
    "not_found": PathNotFoundError,
    "outside_roots": AccessDeniedError,
    "link_outside_roots": AccessDeniedError,
    "symlink": AccessDeniedError,
    "denied": AccessDeniedError,
    "ignored": AccessDeniedError,
    "permission": AccessDeniedError,
    "directory": PathIsDirectoryError,
    "query": InvalidRequestError,
    "invalid_path": InvalidRequestError,
    "invalid_selector": InvalidRequestError,
    "invalid_argument": InvalidRequestError,
    "cancelled": ReadCancelledError,
    "network": NetworkError,
}

_CODES: dict[type[ReadError], int] = {
    PathNotFoundError: errno.ENOENT,
    AccessDeniedError: errno.EACCES,
    PathIsDirectoryError: errno.EISDIR,
    ReadTimeoutError: errno.ETIMEDOUT,
}


def read_error(facts: Mapping[str, Any], text: str, structured: Mapping[str, Any]) -> ReadError:
    """The error of a failure, of the class of its reason."""
    reason = facts["kind"]
    kind = _CLASSES.get(reason, ReadError)
    # A document may end by its own share of the time.
    if reason == "limit" and facts.get("limit") in ["time", "document-time"]:
        kind = ReadTimeoutError
    if reason == "network" and facts["error"]["kind"] == "timeout":
        kind = ReadTimeoutError
    error = kind(facts, text, structured)
    if isinstance(error, OSError):
        # Programs that look only at `errno` find what they expect.
        error.errno = _CODES.get(kind)
        error.strerror = error.message
    return error
