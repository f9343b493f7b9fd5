"""Scores conversions of documents to Markdown against published truth, beside other programs.

    quality.py DIR --scorer DIR [--formats NAME,...] [--peers [NAME,...]] [--files] [--twins [DIR]]
               [--runs N] [--save DIR] [--] [COMMAND...]

`COMMAND FILE N` converts FILE N times. It prints the Markdown to the standard output, and `@ms BEST`, the
best time in milliseconds, to the standard error. A status other than 0 counts as an empty conversion.

  DIR            `FORMAT/NAME.EXT`, whose truth is in `FORMAT/expected/NAME.EXT.md`: the tests of docling.
                 Similarity of the reading order (nid), tables (teds) and headings (mhs), and the mean of
                 those that the truth has.
                 Or a set of PDF files: `NAME.pdf`, whose truth is in `NAME.md`, with a line of JSON each in
                 `index.jsonl`: `{"name", "producer", "tagged"}`. `rendered.py` says more.
  --scorer DIR   the scorer: `score.py`.
  --formats      only these formats, by extension. All but HTML and PDF otherwise, or only PDF in a set of
                 PDF files.
  --peers        also scores all peers that this Python has, or the given ones.
  --files        also prints the scores of each file, the worst first. Only twelve of a set of PDF files.
  --twins        also scores twins: each document of Word, PowerPoint and Excel, converted by LibreOffice
                 to the formats before 2007, to OpenDocument and RTF. The truth is that of the source.
                 DIR keeps the twins.
  --runs N       the runs of which the time is the best, 5 otherwise. The times are medians over the files
                 of a format.
  --save DIR     keeps the conversions as DIR/FORMAT/ENGINE/NAME.md.

No peer loads a URL or a model. Each peer runs in a process of its own, one after the other, and the time to
start it is not measured. A peer that hangs or dies loses one file.
"""

import argparse
import importlib.metadata
import importlib.util
import multiprocessing
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import rendered
import sets
from sets import extension

# A guard against hangs, for one file.
TIMEOUT_SECONDS = 60

# A slow engine is not run again after this time.
RUNS_SECONDS = 3

PARTS = ["nid", "teds", "mhs", "all", "wrec", "wprec"]


# Engines


class Conversion:
    """The Markdown of a file, and the best time in milliseconds."""

    def __init__(self, output, milliseconds, error=None):
        self.output = output
        self.milliseconds = milliseconds
        self.error = error


class Command:
    """A program that is started for each file."""

    name = "omniread"
    version = ""

    def __init__(self, command):
        self.command = command

    def reads(self, _format):
        return True

    def convert(self, files, runs):
        for file in files:
            start = time.perf_counter()
            try:
                run = subprocess.run(
                    [*self.command, str(file), str(runs)], capture_output=True, timeout=TIMEOUT_SECONDS
                )
            except subprocess.TimeoutExpired:
                yield Conversion("", TIMEOUT_SECONDS * 1e3, "timeout")
                continue
            milliseconds = (time.perf_counter() - start) * 1e3
            errors = run.stderr.decode(errors="replace")
            own = re.search(r"^@ms ([\d.]+)", errors, re.M)
            if run.returncode != 0:
                yield Conversion("", milliseconds, f"status {run.returncode}: {errors.strip()[-200:]}")
            else:
                output = run.stdout.decode(errors="replace")
                yield Conversion(output, float(own[1]) if own else milliseconds)


class Peer:
    """A package of Python. `function` returns the function that converts a file."""

    def __init__(self, name, module, function, formats, package=None, wrote_truth=False):
        self.name = name
        self.module = module
        self.function = function
        self.formats = set(formats.split())
        self.package = package or name
        self.wrote_truth = wrote_truth

    @property
    def version(self):
        if self.name == "pandoc":
            import pypandoc

            return pypandoc.get_pandoc_version()
        return importlib.metadata.version(self.package)

    def is_installed(self):
        return importlib.util.find_spec(self.module) is not None

    def reads(self, extension):
        return extension in self.formats

    def convert(self, files, runs):
        worker = None
        for file in files:
            worker = worker or Worker(self.name)
            conversion = worker.convert(file, runs)
            if conversion is None:
                worker.kill()
                worker = None
                conversion = Conversion("", TIMEOUT_SECONDS * 1e3, "it hung or died")
            yield conversion
        if worker:
            worker.kill()


class Worker:
    """A process that converts files with a peer."""

    def __init__(self, name):
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=work, args=(name, other), daemon=True)
        self.process.start()
        other.close()

    def convert(self, file, runs):
        """None if the process hangs or dies."""
        try:
            self.pipe.send((str(file), runs))
            if self.pipe.poll(TIMEOUT_SECONDS):
                return Conversion(*self.pipe.recv())
        except (EOFError, OSError):
            pass
        return None

    def kill(self):
        self.process.kill()
        self.process.join()


def work(name, pipe):
    """Converts the files that come through the pipe."""
    # The output of programs and libraries is not ours.
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, 1)
    os.dup2(null, 2)
    convert = next(peer for peer in PEERS if peer.name == name).function()
    while True:
        try:
            file, runs = pipe.recv()
        except EOFError:
            return
        output, error, best = "", None, float("inf")
        begin = time.perf_counter()
        for _ in range(runs):
            start = time.perf_counter()
            try:
                output = convert(file) or ""
            except BaseException as caught:  # Any failure of a peer counts as an empty conversion.
                error = repr(caught)[:200]
            end = time.perf_counter()
            best = min(best, (end - start) * 1e3)
            if error or end - begin > RUNS_SECONDS:
                break
        pipe.send(("" if error else output, best, error))


def markitdown():
    import markitdown

    converter = markitdown.MarkItDown()
    return lambda file: converter.convert(file).markdown


def anydoc():
    import anydoc

    return anydoc.to_markdown


def xberg():
    import asyncio
    import inspect

    import xberg

    config = xberg.ExtractionConfig(output_format="markdown", use_cache=False, disable_ocr=True)
    loop = asyncio.new_event_loop()

    def convert(file):
        result = xberg.extract(xberg.ExtractInput(kind="uri", uri=file), config)
        if inspect.isawaitable(result):
            result = loop.run_until_complete(result)
        if result.errors:
            raise RuntimeError(repr(result.errors[0]))
        return (result.results[0] if result.results else result.single).content

    return convert


def office_oxide():
    import office_oxide

    return office_oxide.to_markdown


def undoc():
    import undoc

    return lambda file: undoc.parse_file(file).to_markdown()


def pandoc():
    import pypandoc

    path = pypandoc.get_pandoc_path()

    def convert(file):
        # In its sandbox, pandoc reads no other file and no URL.
        options = ["--sandbox", "--to", "gfm+tex_math_dollars", "--wrap", "none"]
        run = subprocess.run([path, *options, file], capture_output=True, timeout=TIMEOUT_SECONDS, check=True)
        return run.stdout.decode()

    return convert


def sharepoint2text():
    import sharepoint2text

    def convert(file):
        documents = sharepoint2text.read_file(file, ignore_images=True)
        return "\n\n".join(map(sharepoint2text.render_markdown, documents))

    return convert


def docling():
    # The backends of office documents, which need no models.
    from docling.backend.msexcel_backend import MsExcelDocumentBackend
    from docling.backend.mspowerpoint_backend import MsPowerpointDocumentBackend
    from docling.backend.msword_backend import MsWordDocumentBackend
    from docling.datamodel.base_models import InputFormat
    from docling.datamodel.document import InputDocument

    backends = {
        "docx": (InputFormat.DOCX, MsWordDocumentBackend),
        "pptx": (InputFormat.PPTX, MsPowerpointDocumentBackend),
        "xlsx": (InputFormat.XLSX, MsExcelDocumentBackend),
    }

    def convert(file):
        path = pathlib.Path(file)
        kind, backend = backends[extension(path)]
        document = InputDocument(path_or_stream=path, format=kind, backend=backend)
        return document._backend.convert().export_to_markdown()

    return convert


def calamine():
    import python_calamine

    def convert(file):
        # It has no Markdown, so this is the least that its rows need: a heading and a table a sheet.
        workbook = python_calamine.CalamineWorkbook.from_path(file)
        out = []
        for name in workbook.sheet_names:
            rows = workbook.get_sheet_by_name(name).to_python()
            lines = ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in row) + " |" for row in rows]
            if rows:
                lines.insert(1, "|" + " --- |" * len(rows[0]))
            out.append("\n".join([f"## {name}", "", *lines]))
        return "\n\n".join(out)

    return convert


def pdf_oxide():
    import pdf_oxide

    return lambda file: pdf_oxide.PdfDocument(file).to_markdown_all()


PEERS = [
    Peer("markitdown", "markitdown", markitdown, "docx pptx xlsx xls msg epub csv pdf"),
    Peer(
        "anydoc", "anydoc", anydoc, "docx pptx xlsx xlsb xls doc ppt odt ods odp rtf epub csv",
        package="firecrawl-anydoc",
    ),
    Peer("xberg", "xberg", xberg, "docx pptx xlsx xlsb xls doc ppt odt ods odp rtf epub csv eml msg pdf"),
    Peer("pdf_oxide", "pdf_oxide", pdf_oxide, "pdf"),
    Peer("office_oxide", "office_oxide", office_oxide, "docx pptx xlsx xls doc ppt", package="office-oxide"),
    Peer("undoc", "undoc", undoc, "docx pptx xlsx xls doc ppt"),
    Peer("pandoc", "pypandoc", pandoc, "docx pptx xlsx odt rtf epub csv", package="pypandoc-binary"),
    Peer(
        "sharepoint2text", "sharepoint2text", sharepoint2text,
        "docx pptx xlsx xlsb xls doc ppt odt ods odp rtf epub csv eml msg", package="sharepoint-to-text",
    ),
    Peer("calamine", "python_calamine", calamine, "xlsx xlsb xls ods", package="python-calamine"),
    # The truth of most sets was written by it and corrected, so it is not a rival.
    Peer("docling", "docling", docling, "docx pptx xlsx", package="docling-slim", wrote_truth=True),
]


# Scores


def converted(engine, files, arguments):
    """Converts files, and returns the conversions, after printing errors."""
    conversions = []
    for file, conversion in zip(files, engine.convert(files, arguments.runs)):
        conversions.append(conversion)
        if conversion.error:
            print(f"{engine.name}: {file.name}: {conversion.error}", file=sys.stderr)
    assert len(conversions) == len(files), f"{engine.name} converted {len(conversions)} files"
    return conversions


def write(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")


def score_set(title, documents, engines, score, out, arguments):
    """Prints the scores of the documents of a format. Returns the mean and the time by engine."""
    engines = [engine for engine in engines if engine.reads(title.split()[0])]
    if not engines:
        return {}
    # The layout of the scorer is SET/expected/NAME.md and OUT/ENGINE/NAME.md.
    for file, truth in documents:
        write(out / "set" / "expected" / f"{file.name}.md", truth.read_text(encoding="utf-8"))
    measured = {}
    for engine in engines:
        conversions = converted(engine, [file for file, _ in documents], arguments)
        for (file, _), conversion in zip(documents, conversions):
            write(out / engine.name / f"{file.name}.md", conversion.output)
            if arguments.save:
                path = arguments.save / title.replace(" ", "-") / engine.name / f"{file.name}.md"
                write(path, conversion.output)
        empty = sum(not conversion.output.strip() for conversion in conversions)
        times = [conversion.milliseconds for conversion in conversions if not conversion.error]
        measured[engine.name] = (empty, statistics.median(times) if times else float("nan"))
    request = argparse.Namespace(set=str(out / "set"), out=str(out), half="all", raw=False, j=1)
    scores, _ = score.load(request, [engine.name for engine in engines])
    if arguments.index:
        rendered.tables(arguments.index, scores, table)
    rows, result = [], {}
    for engine in engines:
        means = [score.mean(scores[engine.name].values(), part) for part in PARTS]
        empty, milliseconds = measured[engine.name]
        rows.append([engine.name, engine.version, *means, empty, f"{milliseconds:.2f}"])
        result[engine.name] = (means[PARTS.index("all")], milliseconds)
    table(f"{title}: {len(documents)} documents", ["engine", "version", *PARTS, "empty", "ms"], rows)
    columns = ["all", "nid", "teds", "mhs", "wrec", "wprec"]
    for engine in engines if arguments.files else []:
        rows = [
            # Parts that the truth does not have, such as tables, have no score.
            [name, *(values[part] if isinstance(values.get(part), float) else "-" for part in columns)]
            for name, values in scores[engine.name].items()
        ]
        rows.sort(key=lambda row: row[1])
        rows = rows[: rendered.WORST if arguments.index else None]
        table(f"{title}: {engine.name}, the worst first", ["file", *columns], rows)
    return result


def summary(results, engines, column, title):
    """Prints a table of formats and engines. `column` is 0 for the mean and 1 for the time."""
    rows = []
    for name, of in results.items():
        row = [name]
        for engine in engines:
            number = of.get(engine.name, (None, None))[column]
            row.append("-" if number is None else f"{number:.3f}" if column == 0 else f"{number:.2f}")
        rivals = [
            of[engine.name][column]
            for engine in engines
            if isinstance(engine, Peer) and not engine.wrote_truth and engine.name in of
        ]
        own = of.get(Command.name)
        if own and rivals:
            best = max(rivals) if column == 0 else min(rivals)
            row.append(f"{own[0] - best:+.3f}" if column == 0 else f"{best / own[1]:.1f} x")
        else:
            row.append("-")
        rows.append(row)
    table(title, ["file", *(engine.name for engine in engines), "lead"], rows)


def table(title, columns, rows):
    """Prints a table. Numbers are aligned to the right, and have three decimals."""
    print(f"\n{title}")
    rows = [[f"{cell:.3f}" if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    widths = [max(len(row[at]) for row in [columns, *rows]) for at in range(len(columns))]
    for row in [columns, *rows]:
        cells = [
            cell.ljust(width) if column in ("engine", "file") else cell.rjust(width)
            for column, cell, width in zip(columns, row, widths)
        ]
        print(f"  {'  '.join(cells)}".rstrip(), flush=True)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n", 1)[1], add_help=False)
    parser.add_argument("--help", action="help")
    parser.add_argument("directory", type=pathlib.Path)
    parser.add_argument("--scorer", type=pathlib.Path, required=True)
    parser.add_argument("--save", type=pathlib.Path)
    parser.add_argument("--formats")
    parser.add_argument("--peers", nargs="?", const="")
    parser.add_argument("--twins", nargs="?", const="")
    parser.add_argument("--runs", type=int, default=5)
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
    sys.path.insert(0, str(arguments.scorer))
    import score

    wanted = arguments.formats.split(",") if arguments.formats else []
    arguments.index = rendered.index_of(arguments.directory)
    directory = arguments.directory
    found = rendered.sets_of(directory) if arguments.index else sets.sets_of(directory, wanted)
    with tempfile.TemporaryDirectory() as temporary:
        temporary = pathlib.Path(temporary)
        if arguments.twins is not None:
            found |= sets.twins_of(found, pathlib.Path(arguments.twins) if arguments.twins else temporary / "twins")
        if wanted:
            found = {name: documents for name, documents in found.items() if name.split()[0] in wanted}
        results = {}
        for name, documents in found.items():
            out = temporary / name.replace(" ", "-")
            results[name] = score_set(name, documents, engines, score, out, arguments)
    summary(results, engines, 0, "means, and the lead on the best peer")
    summary(results, engines, 1, "milliseconds: the medians of the best of several runs, and the lead")


if __name__ == "__main__":
    main()
