"""The types of arguments."""

from __future__ import annotations

import os
from typing import Literal, Sequence, TypedDict, Union

StrPath = Union[str, bytes, "os.PathLike[str]", "os.PathLike[bytes]"]
"""A path. ``bytes`` and surrogates are decoded as the file system encodes names."""

Dialect = Literal["omp", "gateway", "comma", "gemini", "claude", "opencode", "codex"]
"""The arguments and the format of the replies of the read tool of an agent."""

Api = Literal[
    "openai", "openai-strict", "openai-responses", "openai-responses-strict", "anthropic", "gemini", "mcp"
]
"""An API to which a tool is passed."""


class Options(TypedDict, total=False):
    """The options of a read. ``None`` means the default. ``omniread.OPTIONS`` has the help of each."""

    limit: int | None
    """Lines of a page, 1 to 3000. The default is 300."""
    all: bool | None
    """Pages of up to 8 MiB, and no outlines."""
    lines: str | None
    """The lines to read, as in the selector of a path: ``"50-80"``."""
    hashlines: bool | None
    """A header with a tag, and ``N:`` before the lines of editable text. On by default."""
    numbers: bool | None
    """``N|`` before lines that have no ``N:``."""
    edits: bool | None
    """The agent has an edit tool. Without one, ``hashlines`` has no effect. On by default."""
    pilcrow: bool | None
    """Write the header as ``¶PATH#TAG``."""
    margin: bool | None
    """A single range shows one line before it and three after. On by default."""
    outlines: bool | None
    """Show the outline of a long file. On by default."""
    context: bool | None
    """Also show the first lines of the declarations that enclose a range."""
    reply_bytes: int | str | None
    """The size of the text of a reply in bytes, 4096 to 8 MiB, which is the default. ``"256K"`` is a size."""
    reply_images: int | str | None
    """The size of the images of a reply as base64, in bytes, 4096 to 8 MiB, which is the default."""
    max_tokens: int | None
    """Tokens of the lines of a page, as an estimate, from 100. 0, the default, for no limit."""
    rest: int | None
    """The size of the list of declarations that a page does not show, in percent of the page."""
    table_width: int | None
    """Characters of a line of a table, up to 1000. 0, the default, for tables as wide as their values."""
    image_metadata: bool | None
    """Describe images, do not show them."""
    image_side: int | None
    """Pixels of the longer side of an image that is shown, 64 to 8000. The default is 1568."""
    image_bytes: int | str | None
    """The size of an image that is shown in bytes, 16K to 3840K. The default is 500K."""
    image_budget: int | None
    """Images that a session shows, after which they are described. 0, the default, for no limit."""
    image_budget_tokens: int | None
    """Tokens of the images that a session shows, as an estimate. 0, the default, for no limit."""
    github_soft_age: int | None
    """Seconds after which an issue, a pull request or a diff of GitHub is requested again. The default is 300."""
    github_hard_age: int | None
    """Seconds after which a copy of one is not shown, even if GitHub does not answer. The default is a week."""
    github_api: str | None
    """The address of the API of GitHub Enterprise: ``https://HOST/api/v3``."""
    absolute: bool | None
    """The dialect ``comma`` takes absolute paths."""
    ignores: Sequence[str] | None
    """Names of ignore files at the top of a root, which the dialect ``gemini`` obeys."""
    repeat: bool | None
    """A reply that the session has shown before is one line."""
    stdin: bool | None
    """The path ``-`` is standard input."""
