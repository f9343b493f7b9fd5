"""Scores conversions of HTML to Markdown against published truth, beside other programs.

    quality.py [--articles DIR] [--readability DIR] [--html DIR] [--scorer DIR] [--peers [NAME,...]]
               [--files] [--save DIR] [--] [COMMAND...]

`COMMAND FILE` prints the main text of an HTML file as Markdown, and `COMMAND --full FILE` the whole
page. FILE is an absolute path. The output is UTF-8, without line numbers, and not divided into pages.
It may begin with facts about the page, `Title: ...`, one a line, which end with a line `---`. Lines
in brackets before and after the text are notices. Both are removed. A status other than 0 counts as
an empty conversion. The time is that of the process, unless it prints `@ms NUMBER` to standard error.

  --articles DIR     `DIR/articles/*.html.gz`, whose main text is in `DIR/ground-truth.json`: the article
                     extraction benchmark of Scrapinghub. F1, precision and recall of shingles of 4 words.
  --readability DIR  `NAME__source.html` and `NAME__expected.html`: the tests of Mozilla's Readability.
                     F1 of words and of shingles of the expected text, as means over the files.
  --html DIR         `NAME.html` and `expected/NAME.html.md`: the tests of docling, whole pages. Similarity
                     of the reading order (nid), tables (teds) and headings (mhs), and their mean (all).
  --scorer DIR       the scorers: `score.py`, `articles/evaluate.py`.
  --peers            also scores all peers that this Python has, or the given ones. Those in JavaScript
                     need `OMNIREAD_TEST_NODE_MODULES`: a `node_modules` with @mozilla/readability, jsdom
                     and turndown.
  --files            also prints the scores of each file, the worst first.
  --save DIR         keeps the conversions, and the texts that are scored, as DIR/SET/ENGINE/NAME.

Only the files are read: no peer loads a URL. All engines are run one after the other.
"""

import argparse
import collections
import gzip
import html
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

# A guard against hangs.
TIMEOUT_SECONDS = 120


# Markdown and HTML to plain text

# Elements that begin and end a line. Their texts do not touch, while `wo<b>rd</b>` is one word.
BLOCKS = set(
    "address article aside blockquote body br button caption center dd details dialog div dl dt fieldset "
    "figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr html iframe li main nav noscript ol "
    "option p pre section select summary table tbody td textarea tfoot th thead tr ul video".split()
)
WITHOUT_TEXT = {"script", "style", "template", "head", "title", "svg"}


def text_of_html(source):
    """The text of an HTML document or fragment, with a line for each block."""
    import lxml.html

    if not source.strip():
        return ""
    # lxml guesses the encoding of bytes, but not that of text. It rejects text with a declaration.
    root = lxml.html.document_fromstring(re.sub(r"^\s*<\?xml[^>]*>", "", source))
    parts = []
    walk = lxml.etree.iterwalk(root, events=("start", "end", "comment", "pi"))
    for event, node in walk:
        parts.append("\n" if node.tag in BLOCKS else "")
        if event != "start":
            parts.append(node.tail or "")
        elif node.tag in WITHOUT_TEXT:
            walk.skip_subtree()
        else:
            parts.append(node.text or "")
    return normalised("".join(parts))


def normalised(text):
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


FENCE = re.compile(r"^\s*(?:(?:[-*+]|\d+[.)]|>)\s+)*(`{3,}|~{3,})")
# The target of a link: `<URL>` or a URL with balanced parentheses, and a title.
URL = r"<[^<>\n]*>|(?:[^\s()\\]|\\.|\((?:[^\s()\\]|\\.|\([^\s()]*\))*\))*"
TITLE = r"""\s+(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|\((?:[^()\\]|\\.)*\))"""
TARGET = rf"\(\s*(?:{URL})(?:{TITLE})?\s*\)"
# The text of a link may have brackets in pairs. Images in it are removed before.
TEXT = r"[^\[\]\\]|\\."
LINK = re.compile(rf"\[((?:{TEXT}|\[(?:{TEXT}|\[[^\[\]]*\])*\])*)\]{TARGET}")
IMAGE = re.compile(rf"!\[(?:{TEXT}|\[(?:{TEXT})*\])*\]{TARGET}")
REFERENCE = re.compile(r"^ {0,3}\[[^\]^][^\]]*\]:\s+\S+(?:\s+[\"'(].*)?\s*$")
RULE = re.compile(r"^\s*(?:(?:-\s*){3,}|(?:\*\s*){3,}|(?:_\s*){3,})$")
TABLE_RULE = re.compile(r"^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$")
LIST_MARKER = re.compile(r"^(\s*)(?:[-*+]|\d+[.)])(?:\s+|$)(?:\[[ xX]\]\s+)?")
FACT = re.compile(r"^[A-Za-z][\w ]*: ")
NOTICE = re.compile(r"^\[.*\]$")
CODE = re.compile(r"(?<![`\\])(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.S)
# Marks of emphasis. Those of `_` do not occur inside a word.
EMPHASIS = [
    re.compile(r"(\*{1,3})(?=\S)((?:[^*]|(?<=\s)\*(?=\s))*?\S)\1"),
    re.compile(r"(?<!\w)(_{1,3})(?=\S)(.*?\S)\1(?!\w)"),
    re.compile(r"(~~)(?=\S)(.*?\S)~~"),
    re.compile(r"(==)(?=\S)(.*?\S)=="),
]
# Characters of private use for the characters of code and escapes, which are not marks.
HIDDEN = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
HIDE = str.maketrans({mark: chr(0xF000 + ord(mark)) for mark in HIDDEN})
SHOW = {0xF000 + ord(mark): mark for mark in HIDDEN}


def without_head(markdown):
    """Removes facts about the page at the beginning, up to a line `---`, and notices around the text."""
    lines = markdown.strip("\n").split("\n")
    first = 1 if lines[0] == "---" else 0
    if "---" in lines[first:]:
        end = lines.index("---", first)
        if all(not line or FACT.match(line) or NOTICE.match(line) for line in lines[first:end]):
            lines = lines[end + 1 :]
    # A line in brackets between other lines is text.
    while lines and (not lines[0] or NOTICE.match(lines[0])):
        lines.pop(0)
    while lines and (not lines[-1] or NOTICE.match(lines[-1])):
        lines.pop()
    return "\n".join(lines)


def text_of_markdown(markdown):
    """The text of Markdown, without images, targets of links and marks."""
    out = []
    fence = None
    paragraph = []

    def end_paragraph():
        # Marks of emphasis and links may continue on the next line.
        if paragraph:
            out.append(inline("\n".join(paragraph)))
            paragraph.clear()

    for line in markdown.replace("\r\n", "\n").split("\n"):
        mark = FENCE.match(line)
        if fence:
            if mark and mark[1].startswith(fence) and not line[mark.end() :].strip():
                fence = None
            else:
                out.append(line)
            continue
        if mark and "`" not in line[mark.end() :]:
            end_paragraph()
            fence = mark[1]
            continue
        line = re.sub(r"^\s*(?:>\s?)+", "", line)
        if not line.strip() or RULE.match(line) or TABLE_RULE.match(line) or REFERENCE.match(line):
            end_paragraph()
            continue
        if re.match(r"^\s*=+\s*$", line):
            continue
        heading = re.match(r"^\s{0,3}#{1,6}(?:\s+|$)(.*?)(?:\s+#+)?\s*$", line)
        if heading or line.lstrip().startswith("|"):
            end_paragraph()
            out.append(cells(inline(heading[1] if heading else line)))
            continue
        item = LIST_MARKER.match(line)
        if item:
            end_paragraph()
            line = line[item.end() :]
            # An item may begin with another item, a quote or a heading.
            nested = re.match(r"^(?:(?:[-*+]|\d+[.)]|>|#{1,6})\s+)+", line)
            line = line[nested.end() :] if nested else line
        paragraph.append(re.sub(r"^\[\^[^\]]+\]:\s*", "", line))
    end_paragraph()
    return normalised("\n".join(out).translate(SHOW))


def cells(line):
    return " ".join(line.split("|"))


def inline(text):
    """The text of inline Markdown."""
    # Code first, as nothing in it is a mark, then escapes.
    text = CODE.sub(lambda code: code[2].translate(HIDE), text)
    text = re.sub(r"\\([!-/:-@\[-`{-~])", lambda escape: escape[1].translate(HIDE), text)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"<(?:(?:https?|ftp|mailto):[^<>\s]*|[\w.+-]+@[\w.-]+)>", lambda link: link[0][1:-1], text)
    text = re.sub(r"<(?:br|/?(?:p|div|li|ul|ol|td|th|tr|table|details|summary|h[1-6]))\b[^<>]*>", " ", text)
    text = re.sub(r"</?[a-zA-Z][\w-]*(?:\s[^<>]*)?/?>", "", text)
    text = IMAGE.sub("", text)
    # A link may contain an image with a link, so links are removed from the inside.
    for _ in range(3):
        text, count = LINK.subn(r"\1", text)
        if not count:
            break
    for mark in EMPHASIS:
        for _ in range(3):
            text, count = mark.subn(r"\2", text)
            if not count:
                break
    return html.unescape(text)


# Engines


class Conversion:
    """The Markdown or HTML of a file, and the milliseconds that it took."""

    def __init__(self, output, milliseconds, is_html=False, error=None):
        self.output = output
        self.milliseconds = milliseconds
        self.is_html = is_html
        self.error = error


class Command:
    """A program that is started for each file."""

    def __init__(self, command):
        self.name = "command"
        self.version = ""
        self.command = command

    def convert(self, files, whole_page):
        for file in files:
            arguments = [*self.command, *(["--full"] if whole_page else []), str(file)]
            start = time.perf_counter()
            try:
                run = subprocess.run(arguments, capture_output=True, timeout=TIMEOUT_SECONDS)
            except subprocess.TimeoutExpired:
                yield Conversion("", TIMEOUT_SECONDS * 1e3, error="timeout")
                continue
            milliseconds = (time.perf_counter() - start) * 1e3
            errors = run.stderr.decode(errors="replace")
            own = re.search(r"^@ms ([\d.]+)", errors, re.M)
            output = without_head(run.stdout.decode(errors="replace"))
            error = None
            if run.returncode != 0:
                output, error = "", f"status {run.returncode}: {errors.strip()[-200:]}"
            yield Conversion(output, float(own[1]) if own else milliseconds, error=error)


class Peer:
    """A package of Python. `convert` returns the function that converts a file."""

    def __init__(self, name, module, sets, convert, is_html=False, package=None):
        self.name = name
        self.module = module
        self.sets = sets
        self.function = convert
        self.is_html = is_html
        self.package = package or name

    @property
    def version(self):
        return importlib.metadata.version(self.package)

    def is_installed(self):
        return importlib.util.find_spec(self.module) is not None

    def convert(self, files, whole_page):
        function = self.function()
        for file in files:
            start = time.perf_counter()
            output, error = "", None
            try:
                output = function(file) or ""
            except Exception as caught:  # Any failure of a peer counts as an empty conversion.
                error = repr(caught)[:200]
            milliseconds = (time.perf_counter() - start) * 1e3
            yield Conversion(output, milliseconds, self.is_html, error)


# Reads the name of a converter and a list of files from standard input, and prints a line of JSON for
# each file. The time includes building the DOM, as for the other peers.
SCRIPT = """
const fs = require("fs"), { JSDOM, VirtualConsole } = require("jsdom");
const [mode, ...files] = JSON.parse(fs.readFileSync(0, "utf8"));
for (const file of files) {
  const source = fs.readFileSync(file, "utf8"), start = performance.now();
  let output = "", error = null;
  try {
    const { window } = new JSDOM(source, { url: "http://localhost/", virtualConsole: new VirtualConsole() });
    if (mode === "readability") {
      const { Readability } = require("@mozilla/readability");
      output = new Readability(window.document).parse()?.content ?? "";
    } else {
      const Turndown = require("turndown");
      const turndown = new Turndown({ headingStyle: "atx", codeBlockStyle: "fenced" });
      turndown.remove(["script", "style", "title"]);
      output = turndown.turndown(window.document.documentElement);
    }
    window.close();
  } catch (caught) { error = String(caught).slice(0, 200); }
  console.log(JSON.stringify({ output, error, milliseconds: performance.now() - start }));
}
"""


class JavaScript:
    """A package of JavaScript. One process converts all files."""

    def __init__(self, name, package, sets, is_html):
        self.name = name
        self.package = package
        self.sets = sets
        self.is_html = is_html
        modules = os.environ.get("OMNIREAD_TEST_NODE_MODULES")
        self.modules = modules and pathlib.Path(modules)

    @property
    def version(self):
        return json.loads((self.modules / self.package / "package.json").read_text())["version"]

    def is_installed(self):
        return bool(self.modules) and all((self.modules / name).is_dir() for name in ("jsdom", self.package))

    def convert(self, files, whole_page):
        mode = "readability" if self.is_html else "turndown"
        run = subprocess.run(
            ["node", "-e", SCRIPT],
            input=json.dumps([mode, *map(str, files)]),
            env={**os.environ, "NODE_PATH": str(self.modules)},
            capture_output=True,
            text=True,
            check=True,
        )
        for line in run.stdout.splitlines():
            reply = json.loads(line)
            yield Conversion(reply["output"], reply["milliseconds"], self.is_html, reply["error"])


def trafilatura():
    import trafilatura

    # Without comments, as in the published runs of the benchmark.
    options = {"output_format": "markdown", "include_comments": False}
    return lambda file: trafilatura.extract(file.read_bytes(), **options)


def readability_lxml():
    import readability

    return lambda file: readability.Document(file.read_text(encoding="utf-8", errors="replace")).summary()


def markitdown():
    import markitdown

    converter = markitdown.MarkItDown()
    return lambda file: converter.convert(str(file)).markdown


def html_to_markdown():
    import html_to_markdown

    return lambda file: html_to_markdown.convert(file.read_text(encoding="utf-8", errors="replace")).content


def markdownify():
    import bs4
    import markdownify

    converter = markdownify.MarkdownConverter(heading_style="ATX")

    def convert(file):
        soup = bs4.BeautifulSoup(file.read_text(encoding="utf-8", errors="replace"), "lxml")
        # No option of markdownify removes elements with their text.
        for element in soup(["script", "style", "title"]):
            element.decompose()
        return converter.convert_soup(soup)

    return convert


def html2text():
    import html2text

    def convert(file):
        converter = html2text.HTML2Text(bodywidth=0)
        return converter.handle(file.read_text(encoding="utf-8", errors="replace"))

    return convert


def docling():
    # The backend of HTML, which needs no models. The truth of the set was written by it and corrected.
    from docling.backend.html_backend import HTMLDocumentBackend
    from docling.datamodel.base_models import InputFormat
    from docling.datamodel.document import InputDocument

    def convert(file):
        arguments = {"format": InputFormat.HTML, "backend": HTMLDocumentBackend}
        document = InputDocument(path_or_stream=file, **arguments)
        return document._backend.convert().export_to_markdown()

    return convert


def xberg():
    import asyncio
    import inspect

    import xberg

    config = xberg.ExtractionConfig(output_format="markdown", use_cache=False, disable_ocr=True)
    loop = asyncio.new_event_loop()

    def convert(file):
        result = xberg.extract(xberg.ExtractInput(kind="uri", uri=str(file)), config)
        if inspect.isawaitable(result):
            result = loop.run_until_complete(result)
        if result.errors:
            raise RuntimeError(repr(result.errors[0]))
        return (result.results[0] if result.results else result.single).content

    return convert


MAIN = {"articles", "readability"}
WHOLE = {"html"}
PEERS = [
    Peer("trafilatura", "trafilatura", MAIN, trafilatura),
    Peer("readability-lxml", "readability", MAIN, readability_lxml, is_html=True),
    JavaScript("mozilla-readability", "@mozilla/readability", MAIN, is_html=True),
    Peer("markitdown", "markitdown", WHOLE, markitdown),
    Peer("html-to-markdown", "html_to_markdown", WHOLE, html_to_markdown),
    Peer("markdownify", "markdownify", WHOLE, markdownify),
    Peer("html2text", "html2text", WHOLE, html2text),
    Peer("docling", "docling", WHOLE, docling, package="docling-slim"),
    Peer("xberg", "xberg", WHOLE, xberg),
    JavaScript("turndown", "turndown", WHOLE, is_html=False),
]


# Sets


def converted(engine, name_of_set, files, save):
    """Converts files, and returns the conversions by name, after printing errors."""
    conversions = {}
    for name, conversion in zip(files, engine.convert(list(files.values()), name_of_set in WHOLE)):
        conversions[name] = conversion
        if conversion.error:
            print(f"{engine.name}: {name}: {conversion.error}", file=sys.stderr)
        suffix = "html" if conversion.is_html else "md"
        keep(save, f"{name_of_set}/{engine.name}/{name}.{suffix}", conversion.output)
    assert len(conversions) == len(files), f"{engine.name} converted {len(conversions)} files"
    return conversions


def keep(save, path, text):
    if save:
        path = save / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def plain(conversion):
    return (text_of_html if conversion.is_html else text_of_markdown)(conversion.output)


def f1(true_positives, false_positives, false_negatives):
    total = 2 * true_positives + false_positives + false_negatives
    return 2 * true_positives / total if total else 1.0


def words_f1(evaluate, true, predicted):
    true, predicted = (collections.Counter(evaluate._tokenize(text)) for text in (true, predicted))
    common = (true & predicted).total()
    return f1(common, predicted.total() - common, true.total() - common)


def table(title, columns, rows):
    """Prints a table. Numbers are aligned to the right, and have three decimals."""
    print(f"\n{title}")
    rows = [[f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    widths = [max(len(row[at]) for row in [columns, *rows]) for at in range(len(columns))]
    for row in [columns, *rows]:
        cells = [
            cell.ljust(width) if column in ("engine", "file", "url") else cell.rjust(width)
            for column, cell, width in zip(columns, row, widths)
        ]
        print(f"  {'  '.join(cells)}".rstrip())


def median_time(conversions):
    return f"{statistics.median(conversion.milliseconds for conversion in conversions.values()):.1f} ms"


def failures(conversions):
    return sum(not conversion.output.strip() for conversion in conversions.values())


def score_articles(directory, engines, evaluate, arguments):
    truth = json.loads((directory / "ground-truth.json").read_text(encoding="utf-8"))
    rows, details = [], []
    with tempfile.TemporaryDirectory() as temporary:
        files = {}
        for name in sorted(truth):
            files[name] = pathlib.Path(temporary) / f"{name}.html"
            packed = (directory / "articles" / f"{name}.html.gz").read_bytes()
            files[name].write_bytes(gzip.decompress(packed))
        for engine in engines:
            conversions = converted(engine, "articles", files, arguments.save)
            texts = {name: plain(conversion) for name, conversion in conversions.items()}
            for name, text in texts.items():
                keep(arguments.save, f"articles/{engine.name}/{name}.txt", text)
            matches = {
                name: evaluate.string_shingle_matching(true=truth[name]["articleBody"], pred=texts[name])
                for name in truth
            }
            means = evaluate.metrics_from_tp_fp_fns(list(matches.values()))
            scores = [means["f1"], means["precision"], means["recall"]]
            measured = [failures(conversions), median_time(conversions)]
            rows.append([engine.name, engine.version, *scores, *measured])
            details.append((engine, [
                [
                    # The beginning of a hash.
                    name[:12],
                    f1(*match),
                    evaluate.precision_score(*match),
                    evaluate.recall_score(*match),
                    len(evaluate._tokenize(truth[name]["articleBody"])),
                    len(evaluate._tokenize(texts[name])),
                    truth[name].get("url", ""),
                ]
                for name, match in matches.items()
            ]))
    columns = ["engine", "version", "F1", "precision", "recall", "empty", "median"]
    table(f"articles: {len(truth)} pages, shingles of 4 words", columns, rows)
    columns = ["file", "F1", "precision", "recall", "truth", "predicted", "url"]
    per_file("articles", columns, details, arguments)


def score_readability(directory, engines, evaluate, arguments):
    files = {}
    for source in sorted(directory.glob("*__source.html")):
        name = source.name.removesuffix("__source.html")
        if (directory / f"{name}__expected.html").exists():
            files[name] = source.resolve()
    truth = {name: (directory / f"{name}__expected.html").read_text(encoding="utf-8") for name in files}
    truth = {name: text_of_html(expected) for name, expected in truth.items()}
    rows, details = [], []
    for engine in engines:
        conversions = converted(engine, "readability", files, arguments.save)
        scores = []
        for name, conversion in conversions.items():
            text = plain(conversion)
            keep(arguments.save, f"readability/{engine.name}/{name}.txt", text)
            match = evaluate.string_shingle_matching(true=truth[name], pred=text)
            counts = [len(evaluate._tokenize(of)) for of in (truth[name], text)]
            scores.append([name, words_f1(evaluate, truth[name], text), f1(*match), *counts])
        means = [statistics.mean(row[column] for row in scores) for column in (1, 2)]
        rows.append([engine.name, engine.version, *means, failures(conversions), median_time(conversions)])
        details.append((engine, scores))
    columns = ["engine", "version", "words F1", "shingles F1", "empty", "median"]
    table(f"readability: {len(files)} pages", columns, rows)
    columns = ["file", "words F1", "shingles F1", "truth", "predicted"]
    per_file("readability", columns, details, arguments)


def score_html(directory, engines, scorer, arguments):
    sys.path.insert(0, str(scorer))
    import score

    files = {file.name: file.resolve() for file in sorted(directory.glob("*.htm*"))}
    files = {name: file for name, file in files.items() if (directory / f"expected/{name}.md").exists()}
    with tempfile.TemporaryDirectory() as temporary:
        # The layout of the scorer is OUT/ENGINE/NAME.md.
        temporary = pathlib.Path(temporary)
        times = {}
        for engine in engines:
            conversions = converted(engine, "html", files, arguments.save)
            for name, conversion in conversions.items():
                keep(temporary, f"{engine.name}/{name}.md", conversion.output)
            times[engine.name] = [failures(conversions), median_time(conversions)]
        request = argparse.Namespace(set=str(directory), out=str(temporary), half="all", raw=False, j=1)
        scores, _ = score.load(request, [engine.name for engine in engines])
    parts = ["nid", "teds", "mhs", "all", "wrec", "wprec"]
    rows, details = [], []
    for engine in engines:
        of = scores[engine.name]
        means = [score.mean(of.values(), part) for part in parts]
        rows.append([engine.name, engine.version, *means, *times[engine.name]])
        by_file = []
        for name, values in of.items():
            # Parts that the truth does not have, such as tables, have no score.
            measured = (values.get(part) for part in ["all", *parts[:3], *parts[4:]])
            by_file.append([name, *(value if isinstance(value, float) else "-" for value in measured)])
        details.append((engine, by_file))
    columns = ["engine", "version", *parts, "empty", "median"]
    table(f"html: {len(files)} pages, whole", columns, rows)
    per_file("html", ["file", "all", *parts[:3], *parts[4:]], details, arguments)


def per_file(name_of_set, columns, details, arguments):
    for engine, rows in details if arguments.files else []:
        rows = sorted(rows, key=lambda row: row[1])
        table(f"{name_of_set}: {engine.name}, the worst first", columns, rows)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n", 1)[1], add_help=False)
    parser.add_argument("--help", action="help")
    for name in ("articles", "readability", "html", "scorer", "save"):
        parser.add_argument(f"--{name}", type=pathlib.Path)
    parser.add_argument("--peers", nargs="?", const="")
    parser.add_argument("--files", action="store_true")
    own = sys.argv[1:]
    # Everything after `--` is the command, with its options.
    command = own[own.index("--") + 1 :] if "--" in own else []
    arguments = parser.parse_args(own[: own.index("--")] if "--" in own else own)

    engines = [Command(command)] if command else []
    if arguments.peers is not None:
        wanted = arguments.peers.split(",") if arguments.peers else [peer.name for peer in PEERS]
        for peer in PEERS:
            if peer.name in wanted and peer.is_installed():
                engines.append(peer)
            elif peer.name in wanted:
                print(f"{peer.name} is not installed", file=sys.stderr)
    if not engines:
        parser.error("give a command after `--`, or `--peers`")

    def of(name_of_set):
        return [engine for engine in engines if isinstance(engine, Command) or name_of_set in engine.sets]

    if not arguments.scorer:
        parser.error("give the scorers with --scorer DIR")
    sys.path.insert(0, str(arguments.scorer / "articles"))
    import evaluate

    if arguments.articles and of("articles"):
        score_articles(arguments.articles, of("articles"), evaluate, arguments)
    if arguments.readability and of("readability"):
        score_readability(arguments.readability, of("readability"), evaluate, arguments)
    if arguments.html and of("html"):
        score_html(arguments.html, of("html"), arguments.scorer, arguments)


main()
