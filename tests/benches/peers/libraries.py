"""Reads files with libraries of Python. The protocol is that of `driver.rs`; `path` is `LIBRARY REQUEST`.

A library that is not installed answers `null` as its time.
"""

import functools
import json
import sys
import time


@functools.cache
def connection():
    """A connection of DuckDB with one thread, like a read."""
    import duckdb

    return duckdb.connect(config={"threads": 1})


def duckdb(query):
    """Runs a query. The types of columns are guessed from the file each time, as they are for a user."""
    return len(str(connection().execute(query).fetchall()))


def pypdfium2(request):
    """The text of a page (`FILE PAGE`), or of all pages (`FILE`)."""
    import pypdfium2

    file, _, page = request.partition(" ")
    document = pypdfium2.PdfDocument(file)
    pages = [int(page) - 1] if page else range(len(document))
    return sum(len(document[page].get_textpage().get_text_bounded()) for page in pages)


def pdf_oxide(request):
    """The Markdown of a page, or of all pages."""
    import pdf_oxide

    file, _, page = request.partition(" ")
    document = pdf_oxide.PdfDocument(file)
    if page:
        return len(document.to_markdown(int(page) - 1))
    return sum(len(document.to_markdown(page)) for page in range(document.page_count()))


def unpdf(file):
    import unpdf

    return len(unpdf.to_markdown(file))


def undoc(file):
    import undoc

    return len(undoc.parse_file(file).to_markdown())


def calamine(file):
    import python_calamine

    workbook = python_calamine.CalamineWorkbook.from_path(file)
    return sum(len(workbook.get_sheet_by_name(name).to_python()) for name in workbook.sheet_names)


def anydoc(file):
    import anydoc

    return len(str(anydoc.to_markdown(file)))


LIBRARIES = {
    "duckdb": duckdb,
    "pypdfium2": pypdfium2,
    "pdf_oxide": pdf_oxide,
    "unpdf": unpdf,
    "undoc": undoc,
    "calamine": calamine,
    "anydoc": anydoc,
}


def main():
    for line in sys.stdin:
        request = json.loads(line)
        name, _, path = request["path"].partition(" ")
        least, characters, error = None, 0, None
        begin = time.perf_counter_ns()
        for _ in range(request["rounds"]):
            start = time.perf_counter_ns()
            try:
                characters = LIBRARIES[name](path)
            except Exception as failure:
                error = f"{type(failure).__name__}: {failure}"
                break
            end = time.perf_counter_ns()
            least = min(end - start, least or end - start)
            if end - begin > request["nanoseconds"]:
                break
        print(json.dumps({"least": least, "characters": characters, "error": error}), flush=True)


if __name__ == "__main__":
    main()
