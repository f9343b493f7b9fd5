"""Sets of PDF files that were rendered from known text, for `quality.py`.

    index.jsonl    {"name": NAME, "producer": "chromium", "tagged": true}, a line each
    NAME.pdf       the file
    NAME.md        the truth: `#` headings, tables, `- ` and `1. ` lists, fences, and no running heads

Every difference between two runs is a difference of the code: the files and their truth do not change.
"""

import json
import statistics

# The files that `--files` prints for each engine.
WORST = 12

# The properties by which the files of a set are grouped.
GROUPS = ["producer", "tagged"]


def index_of(directory):
    """The properties of the files of a set by name. None if the directory is no such set."""
    path = directory / "index.jsonl"
    if not path.is_file():
        return None
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return {f"{line['name']}.pdf": line for line in lines}


def sets_of(directory):
    """The files and their truths: `{"pdf": [(file, truth), ...]}`."""
    files = sorted(directory.glob("*.pdf"))
    found = [(file.resolve(), file.with_suffix(".md")) for file in files if file.with_suffix(".md").is_file()]
    return {"pdf": found}


def tables(index, scores, table):
    """Prints the mean of `all` by producer, and of tagged files and others. `scores` has the scores by engine
    and file."""
    engines = list(scores)
    for group in GROUPS:
        values = sorted({str(line.get(group)) for line in index.values()})
        rows = []
        for value in values:
            names = [name for name, line in index.items() if str(line.get(group)) == value]
            means = [mean(scores[engine], names) for engine in engines]
            rows.append([value, sum(name in scores[engines[0]] for name in names), *means])
        table(f"all, by {group}", ["file", "n", *engines], rows)


def mean(scores, names):
    """The mean of `all` of the files that have scores."""
    found = [scores[name]["all"] for name in names if name in scores]
    return statistics.mean(found) if found else float("nan")
