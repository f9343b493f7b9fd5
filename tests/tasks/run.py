"""Prints the reads, characters and tokens that four readers need for thirty facts.

    run.py FILES --npm DIR --now omniread [--before omniread-of-another-version] [--peer COMMAND]

FILES is the directory that `fetch.py` fills. `--peer` is the command of the read tool of oh-my-pi, such as
`bun omp read`. Tokens are the mean of two tokenizers, which `../tokens/texts.py` explains. A task whose last call does not show
the fact has no answer by that way, and its cost counts all the same. With `--check` only the ways `now` are
read, without tokenizers, and a fact that is not shown is an error.
"""

import argparse
import collections
import pathlib
import re
import shlex
import subprocess
import sys
import tomllib

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tokens"))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("files")
    parser.add_argument("--npm")
    parser.add_argument("--now", required=True)
    parser.add_argument("--before")
    parser.add_argument("--peer")
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    options = parser.parse_args()
    tasks = tomllib.loads((pathlib.Path(__file__).parent / "tasks.toml").read_text("utf-8"))["task"]
    if options.check:
        sys.exit(check(tasks, options))
    import texts

    tokenizers = texts.tokenizers(options.npm)
    ways = ["now", "before", "shell", "peer"]
    commands = {"now": options.now, "before": options.before, "peer": options.peer}
    ways = [way for way in ways if way == "shell" or commands[way]]
    rows = collections.defaultdict(lambda: [0, 0, 0, 0.0])
    for task in tasks:
        costs = []
        for way in ways:
            shown = calls(task[way], way, commands.get(way), options.files)
            tokens = sum(len(kind.encode_ordinary(text)) for text in shown for kind in tokenizers) / len(tokenizers)
            found = re.search(task["fact"], shown[-1]) is not None
            costs.append((way, found, round(tokens)))
            for topic in (task["topic"], "all"):
                row = rows[topic, way]
                row[0] += found
                row[1] += len(shown)
                row[2] += sum(map(len, shown))
                row[3] += tokens
        if options.verbose:
            print(task["question"], *costs, sep="\n  ", file=sys.stderr)
    print("| tasks | way | answers | reads | characters | tokens |")
    print("|---|---|---:|---:|---:|---:|")
    for (topic, way), (answers, reads, characters, tokens) in sorted(rows.items(), key=lambda row: order(row[0], ways)):
        print(f"| {topic} | {way} | {answers} | {reads} | {characters} | {tokens:.0f} |")


def order(key, ways):
    topic, way = key
    return ["sources", "documents", "tables", "all"].index(topic), ways.index(way)


def check(tasks, options):
    failed = 0
    for task in tasks:
        text = calls(task["now"], "now", options.now, options.files)[-1]
        if not re.search(task["fact"], text):
            failed = 1
            print(f"{task['question']}\n{task['now']}\n{text[:2000]}\n", file=sys.stderr)
    print(f"{len(tasks)} tasks")
    return failed


def calls(steps, way, command, files):
    """The texts of the calls, each with what it prints as an error."""
    shown = []
    for step in steps:
        arguments = ["sh", "-c", step] if way == "shell" else [*shlex.split(command), step]
        run = subprocess.run(arguments, cwd=files, capture_output=True, check=False)
        shown.append((run.stdout + run.stderr).decode("utf-8", "replace"))
    return shown


if __name__ == "__main__":
    main()
