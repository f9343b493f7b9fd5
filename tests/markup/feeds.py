#!/usr/bin/env python3
"""Compares the Markdown of feeds with the expectations in feedparser's test files.

    feeds.py [--batch] [--unchecked] DIR COMMAND...

`COMMAND FILE` prints the Markdown of a feed. With `--batch`, `COMMAND --url URL FILE --url URL FILE...`
prints a line of JSON for each file, with `file`, `text` and `metadata`; the example `convert` of
`omniread-markup` does. Without `--batch`, expectations that need the URL of the feed are skipped.

Each file has a comment `Expect:` with a Python expression over the result of feedparser. The
expression is split at `and`. A comparison of a title, a link, a date, a text or an author with a
constant is checked against the Markdown, at the place where it belongs: the heading, the line of
facts or the body of an item. Other comparisons are counted as not about the Markdown;
`--unchecked` lists them. Exit status 1:
less than 98 % of the expectations about titles, links, dates and entries are met.
"""

import ast
import collections
import datetime
import email.utils
import html
import json
import pathlib
import re
import subprocess
import sys
import urllib.parse

HOME = "http://127.0.0.1:8097/"
TARGET = {"feed title", "feed link", "feed description", "feed date", "entry title", "entry link", "entry date",
          "entry text", "entry author", "entry enclosure"}
PROGRAM = re.compile(r"""<script|\bon[a-z]+\s*=\s*["']|location\.href|javascript:|executeMe\(\);|alert\(""")


def plain(markup):
    """The text of HTML."""
    text = re.sub(r"(?is)<(script|style)\b.*?</\1\s*>", " ", markup)
    text = re.sub(r"(?s)<!--.*?-->", " ", text)
    text = re.sub(r"(?s)</?[A-Za-z][^<>]*>", "", text)
    return squeeze(html.unescape(text))


def squeeze(text):
    return " ".join(text.split())


def markdown_text(markdown):
    """The text of Markdown, in which some HTML may be left."""
    text = re.sub(r"!\[((?:[^\]\\]|\\.)*)\]\((?:<[^>]*>|[^()\s]*)(?: \"[^\"]*\")?\)", r"\1", markdown)
    text = re.sub(r"\[((?:[^\]\\]|\\.)*)\]\((?:<[^>]*>|[^()\s]*)(?: \"[^\"]*\")?\)", r"\1", text)
    text = re.sub(r"\\([^\w\s])", r"\1", text)
    return squeeze(text)


def variants(markdown):
    """The forms of a text in Markdown that are equal to a text."""
    text = markdown_text(markdown)
    bare = re.sub(r"\*\*|__|(?<!\w)[*_]|[*_](?!\w)|`", "", text)
    return {text, bare, plain(text), plain(bare), html.unescape(text)}


class Feed:
    """Markdown, split into its parts."""

    def __init__(self, text, metadata):
        self.all = text + "\n" + "\n".join(metadata.values())
        parts = re.split(r"(?m)^## ", text)
        heading = re.search(r"(?m)^# (.*)$", parts[0])
        self.title = heading.group(1) if heading else ""
        self.head = parts[0] + "\n" + "\n".join(metadata.values())
        self.link = metadata.get("link")
        self.entries = [Entry(part) for part in parts[1:]]


class Entry:
    def __init__(self, text):
        heading, _, self.body = text.partition("\n")
        linked = re.fullmatch(r"\[(.*)\]\(([^()]*)\)", heading.strip())
        self.title, self.link = linked.groups() if linked else (heading.strip(), None)
        self.title = re.sub(r"\\([\[\]])", r"\1", self.title)
        paragraphs = self.body.strip().split("\n\n")
        self.facts = paragraphs[0]
        self.all = text


def same_url(found, expected):
    norm = lambda url: urllib.parse.unquote(url or "").strip()
    return norm(found) == norm(expected)


def dates(text):
    """The dates in a text, in UTC."""
    found = set()
    pattern = r"\d{4}-\d\d-\d\d(?:T\d\d:\d\d:\d\d(?:Z|[+-]\d\d:\d\d)?)?"
    for match in re.findall(pattern, text):
        found.add(instant(datetime.datetime.fromisoformat(match)))
    return found


def instant(date):
    if date.tzinfo is None:
        return date
    return date.astimezone(datetime.timezone.utc).replace(tzinfo=None)


def expected_date(value):
    if isinstance(value, tuple):
        return datetime.datetime(*value[:6])
    try:
        return instant(datetime.datetime.fromisoformat(value))
    except ValueError:
        return instant(email.utils.parsedate_to_datetime(value))


def holds_text(place, value):
    """Whether a place contains the text, the links and the images of an HTML value."""
    folded = lambda text: re.sub(r"\s+", "", text)
    places = {folded(text) for text in variants(place)}
    wanted = {folded(squeeze(value)), folded(plain(value))} if plain(value) else set()
    if wanted and not any(want in text for want in wanted for text in places):
        return f"text {plain(value)!r} is missing"
    for attribute, tag in re.findall(r"""<(?:a|img)\b[^>]*\b(href|src)="([^"]+)""", value):
        if urllib.parse.unquote(html.unescape(tag)) not in urllib.parse.unquote(place):
            return f"{attribute} {tag!r} is missing"
    return None


def check(path, value, feed):
    """The category of a comparison and its failure. The category is `None` if it is not checked."""
    if path[0] == "entries" and len(path) > 2:
        index, keys = path[1], path[2:]
        entry = feed.entries[index] if index < len(feed.entries) else None
        prefix = "entry"
        if entry is None:
            entry = Entry("")
            missing = "the item is missing"
        else:
            missing = None
    elif path[0] == "feed":
        prefix, keys, entry, missing = "feed", path[1:], None, None
    else:
        return None, None
    first = keys[0]
    detail = keys[1:] == ["value"] and first.endswith("_detail")
    name = first.removesuffix("_detail") if detail else first
    if len(keys) > 1 and not detail and first not in ("links", "content", "authors", "author_detail", "contributors", "enclosures", "source", "tags"):
        return None, None
    place = entry.all if entry else feed.head
    title = entry.title if entry else feed.title

    if name == "title" and (len(keys) == 1 or detail):
        category = f"{prefix} title"
        if missing:
            return category, missing
        wanted = {squeeze(value), plain(value)}
        program = PROGRAM.search(title)
        if program and not PROGRAM.search(value):
            return category, f"{program.group()!r} is in the title"
        if not plain(value):
            return f"{prefix} title without text", None
        found = {squeeze(title), squeeze(html.unescape(title))}
        return category, None if found & wanted else f"{title!r} is not {value!r}"
    if name in ("subtitle", "tagline", "description", "summary") and (len(keys) == 1 or detail) or (
        first == "content" and keys[2:] == ["value"]
    ):
        category = "entry text" if entry else "feed description"
        if missing:
            return category, missing
        program = PROGRAM.search(place)
        if program and not PROGRAM.search(value):
            return category, f"{program.group()!r} is in the text"
        if not plain(value) and not re.search(r'(?:src|href)="[^"]', value):
            return f"{category} without text", None
        if not entry:
            value = plain(value) or value
            if not plain(value):
                return f"{category} without text", None
        return category, holds_text(place, value)
    if name in ("rights", "copyright", "info"):
        category = f"{prefix} other text"
        program = PROGRAM.search(feed.all)
        if program and not PROGRAM.search(value):
            return category, f"{program.group()!r} is in the text"
        return category, missing or holds_text(place, plain(value))
    if name == "link" and len(keys) == 1:
        found = entry.link if entry else feed.link
        if found is None and not entry:
            found = value if value in feed.head else None
        failure = None if same_url(found, value) else f"{found!r} is not {value!r}"
        return f"{prefix} link", missing or failure
    if first in ("links", "enclosures") and (keys[2:] == ["href"] or isinstance(value, dict)):
        url = value["href"] if isinstance(value, dict) else value
        category = "entry enclosure" if first == "enclosures" else f"{prefix} link"
        return category, missing or (None if url in urllib.parse.unquote(place) else f"{url!r} is missing")
    base = name.removesuffix("_parsed")
    if base in ("published", "updated", "created", "modified", "expired") and len(keys) == 1:
        wanted = expected_date(value)
        failure = None if wanted in dates(entry.facts if entry else feed.head) else f"{value!r} is missing"
        return f"{prefix} date", missing or failure
    if name == "author" or (first in ("author_detail", "authors", "contributors") and len(keys) > 1):
        last = keys[-1]
        place = entry.facts if entry else feed.head
        category = f"{prefix} author"
        if first == "contributors":
            category = f"{prefix} contributor"
        elif last in ("email", "url", "href"):
            category = f"{prefix} author's address"
        values = [item for item in value.values()] if isinstance(value, dict) else [value]
        lacking = [item for item in values if squeeze(item) not in place and item not in markdown_text(place)]
        return category, missing or (f"{lacking[0]!r} is missing" if lacking else None)
    if name == "category" or (first == "tags" and keys[-1] in ("term", "label")):
        return f"{prefix} tag", missing or (None if value in place else f"{value!r} is missing")
    if first == "source" and keys[1:] in (["title"], ["link"]):
        found = value if keys[1] == "link" else plain(value)
        return "entry source", missing or (None if found in place else f"{value!r} is missing")
    return None, None


def constant(node):
    """The value of a constant expression."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return constant(node.left) + constant(node.right)
    return ast.literal_eval(node)


def access(node):
    """`entries[0]['title']` and `entries[0].title` as a list."""
    if isinstance(node, ast.Name):
        return [node.id]
    if isinstance(node, ast.Subscript):
        return access(node.value) + [constant(node.slice)]
    if isinstance(node, ast.Attribute):
        return access(node.value) + [node.attr]
    raise ValueError("not an access")


def outcomes(node, feed):
    """The categories and failures of the comparisons in an expression."""
    if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
        return [outcome for value in node.values for outcome in outcomes(value, feed)]
    if isinstance(node, ast.BoolOp):
        alternatives = [outcomes(value, feed) for value in node.values]
        passed = [found for found in alternatives if all(failure is None for _, failure in found)]
        return (passed or alternatives)[0]
    if not (isinstance(node, ast.Compare) and all(isinstance(op, ast.Eq) for op in node.ops)):
        return [(None, None)]
    try:
        *paths, value = [node.left, *node.comparators]
        value = constant(value)
        return [check(access(path), value, feed) for path in paths]
    except (ValueError, TypeError, KeyError, AttributeError):
        return [(None, None)]


def source_text(path):
    data = path.read_bytes()
    for mark, charset in ((b"\xef\xbb\xbf", "utf-8-sig"), (b"\xff\xfe\0\0", "utf-32"), (b"\xff\xfe", "utf-16"),
                          (b"\xfe\xff", "utf-16"), (b"<\0", "utf-16-le"), (b"\0<", "utf-16-be")):
        if data.startswith(mark):
            return data.decode(charset, "replace")
    declared = re.search(rb"""<\?xml[^>]*encoding=["']([\w.:-]+)""", data)
    try:
        return data.decode(declared.group(1).decode() if declared else "utf-8", "replace")
    except LookupError:
        return data.decode("utf-8", "replace")


def read(paths, urls, command, batch):
    """The feeds in files, by file."""
    found = {}
    if batch:
        arguments = [argument for path in paths for argument in ("--url", urls[path], str(path))]
        lines = subprocess.run([*command, *arguments], stdout=subprocess.PIPE, check=True).stdout.splitlines()
        for line in map(json.loads, lines):
            found[pathlib.Path(line["file"])] = Feed(line["text"], line["metadata"])
        return found
    for path in paths:
        done = subprocess.run([*command, str(path)], stdout=subprocess.PIPE, text=True, errors="replace")
        found[path] = Feed(done.stdout if done.returncode == 0 else "", {})
    return found


def main():
    arguments = sys.argv[1:]
    batch = "--batch" in arguments
    unchecked = "--unchecked" in arguments
    arguments = [argument for argument in arguments if argument not in ("--batch", "--unchecked")]
    if len(arguments) < 2:
        sys.exit(__doc__)
    directory, *command = arguments
    paths = sorted(pathlib.Path(directory).glob("*.xml"))
    sources = {path: source_text(path) for path in paths}
    urls = {}
    for path in paths:
        location = re.search(r"(?m)^\s*Content-Location:\s*(\S+)|^Header:\s*Content-Location:\s*(\S+)", sources[path])
        url = urllib.parse.urljoin(HOME, location.group(1) or location.group(2)) if location else HOME + path.name
        urls[path] = url if url.startswith("http") else HOME + path.name
    feeds = read(paths, urls, command, batch)

    counts = collections.defaultdict(collections.Counter)
    failures = []
    for path in paths:
        expect = re.search(r"(?s)Expect:\s*(.*?)\s*-->", sources[path])
        try:
            expression = ast.parse(expect.group(1).strip(), mode="eval").body
        except (SyntaxError, AttributeError):
            counts["no expectation"]["met"] += 1
            continue
        needs_url = "Content-Location:" in sources[path] or HOME in expect.group(1)
        if needs_url and not batch:
            counts["skipped: needs the URL of the feed"]["met"] += 1
            continue
        results = outcomes(expression, feeds[path])
        categories = {category for category, _ in results} - {None}
        if not categories:
            counts["not about the Markdown"]["met"] += 1
            if unchecked:
                print(f"unchecked: {path.name}: {squeeze(expect.group(1))[:120]}")
        for category in categories:
            failed = [failure for one, failure in results if one == category and failure]
            counts[category]["failed" if failed else "met"] += 1
            if failed:
                failures.append((category, path.name, failed[0]))

    total = collections.Counter()
    for category in sorted(counts, key=lambda category: (category not in TARGET, category)):
        count = counts[category]
        if category in TARGET:
            total += count
        whole = count["met"] + count["failed"]
        print(f"{category:36} {count['met']:4} of {whole:4}  {100 * count['met'] / whole:5.1f} %")
    rate = 100 * total["met"] / max(1, total.total())
    print(f"{'titles, links, dates and entries':36} {total['met']:4} of {total.total():4}  {rate:5.1f} %")
    for category, name, failure in sorted(failures):
        print(f"{category}: {name}: {squeeze(failure)[:200]}")
    return 0 if rate >= 98 else 1


if __name__ == "__main__":
    sys.exit(main())
