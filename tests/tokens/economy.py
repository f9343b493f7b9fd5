"""Compares what the tables in the replies of two versions of omniread cost.

    economy.py --npm DIR --before omniread-of-another-version --now omniread FILE...

Each file is read to its end by both; `FILE:` is read for CSV, HTML and PDF, `FILE:TABLE?limit=50` for the tables of a
database. Only tables are counted, and only files in which both versions show the same number of values. `padded` is what
the tables of `before` cost with all columns aligned. Prints the characters and tokens of a value.
`texts.py` says what must be installed.
"""

import argparse
import collections
import pathlib
import re
import sqlite3
import subprocess

import texts


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--npm", required=True)
    parser.add_argument("--before", required=True)
    parser.add_argument("--now", required=True)
    parser.add_argument("files", nargs="+")
    options = parser.parse_args()
    tokenizers = texts.tokenizers(options.npm)
    rows = collections.defaultdict(lambda: collections.defaultdict(lambda: [0] * (2 + len(tokenizers))))
    for path in (path for file in options.files for path in paths(file)):
        before, now = (tables(read(command, path)) for command in (options.before, options.now))
        shown = {"padded": [padded(table) for table in before], "before": before, "now": now}
        counts = {way: sum(len(cells(line)) for table in found for line in table) for way, found in shown.items()}
        if len(set(counts.values())) > 1 or counts["now"] == 0:
            continue
        for way, found in shown.items():
            text = "\n\n".join("\n".join(table) for table in found)
            for kind in (extension(path), "all"):
                row = rows[kind][way]
                row[0] += counts[way]
                row[1] += len(text)
                for index, tokenizer in enumerate(tokenizers):
                    row[2 + index] += len(tokenizer.encode_ordinary(text))
    names = " | ".join(f"{tokenizer.name} | of before | of padded" for tokenizer in tokenizers)
    print(f"| tables of | values | form | characters a value | {names} |")
    print("|---|---:|---|---:|" + "---:|---:|---:|" * len(tokenizers))
    for kind in sorted(rows, key=lambda kind: (kind == "all", kind)):
        for way, (values, characters, *tokens) in rows[kind].items():
            parts = [f"{characters / values:.2f}"]
            for index, count in enumerate(tokens):
                before, wide = (rows[kind][form][2 + index] for form in ("before", "padded"))
                parts += [f"{count / values:.2f}", f"{count / before:.3f}", f"{count / wide:.3f}"]
            print(f"| {kind} | {values} | {way} | {' | '.join(parts)} |")


def extension(path):
    return pathlib.Path(path.split("?")[0].split(":")[0]).suffix.removeprefix(".")


def paths(file):
    kind = extension(file)
    if kind in ("db", "sqlite"):
        try:
            connection = sqlite3.connect(f"file:{file}?mode=ro", uri=True)
            names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        except (sqlite3.Error, UnicodeDecodeError):
            return []
        return [f"{file}:{name}?limit=50" for (name,) in names[:6]]
    return [f"{file}:"] if kind in ("csv", "tsv", "html", "htm", "pdf") else [file]


def read(command, path):
    run = [command, "--root", "/", "--all", str(pathlib.Path(path).absolute())]
    return subprocess.run(run, capture_output=True, check=False, timeout=120).stdout.decode("utf-8", "replace")


def tables(text):
    found, lines = [], []
    for line in [*text.split("\n"), ""]:
        if line.startswith("|") and line.endswith("|"):
            lines.append(line)
            continue
        if len(lines) > 1 and set("".join(cells(lines[1]))) == {"-"}:
            found.append(lines)
        lines = []
    return found


def cells(line):
    return [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]


def padded(table):
    rows = [cells(line) for line in table]
    width = max(map(len, rows))
    rows = [row + [""] * (width - len(row)) for row in rows]
    widths = [max(3, *(len(row[index]) for row in rows if set(row[index]) != {"-"}), 3) for index in range(width)]
    rows[1] = ["-" * size for size in widths]
    lines = ["| " + " | ".join(cell.ljust(size) for cell, size in zip(row, widths)) + " |" for row in rows]
    # Cells that a short row does not have are no values.
    return lines if all(len(cells(line)) == width for line in table) else table


if __name__ == "__main__":
    main()
