"""Compares `PATH:sym:NAME` and `PATH:LINE:block` with universal-ctags and with parsers of the languages.

    cargo build --release --package omniread-reader --features native --example symbols
    quality.py --read target/release/examples/symbols [--cache DIR] [--show N] [--json FILE] [LANGUAGE...]

Prints a row for each package of `packages.tsv` and for each language:

* `both`: declarations that universal-ctags and the outline name on one line, and `found`, the share of them that
  `:sym:NAME` shows or lists, where NAME is the name as ctags prints it
* `parsed`: declarations that the parser of the language and the outline name on one line, and `exact`, the share for
  which the shown or listed lines are those of the parser: from the first comment or attribute before the
  declaration to its last line
* `lines`: sampled lines in declarations of the parser, and `block`, the share for which `:LINE:block` shows the lines
  of the smallest of them, or of a smaller declaration of the outline, such as a constant
* `ctags only`: declarations of ctags that the outline does not have; `--show` lists some with their kinds

Needs universal-ctags, and the grammars of tree-sitter: `pip install tree-sitter` and `tree-sitter-NAME` for the names in
`parsers.py`. Python has its own parser. A language whose grammar is not installed has no figures for `exact` and `block`.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import subprocess

import fetch
import parsers

HERE = pathlib.Path(__file__).parent

# The names of languages in ctags that differ.
CTAGS = {"Shell": "Sh", "Objective-C": "ObjectiveC"}

# The languages that ctags does not know.
UNKNOWN = {"Swift"}

# The kinds of ctags that are declarations with a body: no fields, variables and imports.
KINDS = set(
    "function method class struct enum interface trait type union typedef module namespace package subroutine "
    "singletonMethod implementation def object procedure constructor macro getter setter generator protocol signature "
    "table view trigger func talias methodSpec annotation alias delegate property record".split()
)

# The most files of a package, declarations of it and lines of a file that are compared: a sample.
FILES, DECLARATIONS, LINES = 60, 1000, 8


class Reader:
    """The program that reads paths."""

    def __init__(self, program, root):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root)

    def ask(self, request):
        self.process.stdin.write(request + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait()


# The number of declarations that a list has at most.
LISTED = 100


def ctags(language, root, files):
    """The declarations of ctags by file, as name, kind and line."""
    command = ["ctags", "--options=NONE", f"--language-force={CTAGS.get(language, language)}", "--sort=no", "-x"]
    command += ["--_xformat=%F\t%n\t%N\t%K", "-L", "-", "-f", "-"]
    output = subprocess.run(command, input="\n".join(files).encode(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True, cwd=root)
    tags = collections.defaultdict(list)
    for row in output.stdout.decode(errors="replace").splitlines():
        fields = row.split("\t")
        if len(fields) != 4:
            continue
        file, line, name, kind = fields
        invented = "__anon" in name or name.startswith(("anonymous", "Anonymous"))
        if kind in KINDS and not invented:
            tags[file].append((name, kind, int(line)))
    return tags


def last(name):
    """The last part of a name that is a path, without the quotes around it."""
    return re.split(r"[.:\\]", name)[-1].strip("`'\"[]") or name


def names(name):
    """The forms in which the outline may have a name of a parser."""
    if name.startswith("extension "):
        return {("impl", last(name.split(" ", 1)[1]))}
    return {name, last(name)}


def ranges(answer):
    """The lines that an answer shows, or those of each declaration that it lists."""
    if "list" in answer:
        lines = answer["list"][1:]
        found = [re.match(r":(?:(\d+)(?:-(\d+))?|sym)\b", line) for line in lines]
        return [(int(one[1]), int(one[2] or one[1])) for one in found if one and one[1]]
    if answer.get("first") is None:
        return []
    return [(answer["first"], answer["last"])]


class Row:
    def __init__(self):
        self.counts = collections.Counter()
        self.shown = collections.defaultdict(list)

    def miss(self, kind, text):
        self.counts[kind] += 1
        self.shown[kind].append(text)

    def add(self, other):
        self.counts += other.counts


def package(reader, language, root, files, row):
    tags = {} if language in UNKNOWN else ctags(language, root, files)
    chance = random.Random(54)
    left = DECLARATIONS
    parser = parsers.parser(language)
    for file in files:
        path = pathlib.Path(root) / file
        content = path.read_bytes()
        items = reader.ask(f"items {file}")
        by_line = collections.defaultdict(set)
        for name, line, _, _ in items:
            by_line[line].add(last(name))
            # The block of the members of a type is called `impl Trait for Type`.
            by_line[line].update(("impl", word) for word in re.findall(r"\w+", name))
        row.counts["files"] += 1
        for name, kind, line in tags.get(file, []):
            row.counts["tags"] += 1
            wanted = name
            own = last(name)
            if kind == "implementation" and language == "Rust":
                wanted, own = f"impl {name}", ("impl", name)
            # Some parsers of ctags report the line where they recognised a declaration.
            near = [line + step for step in (0, -1, 1, -2, 2)]
            line = next((one for one in near if own in by_line[one]), None)
            if line is None:
                row.miss("ctags only", f"{kind} {name} {root}/{file}:{near[0]}")
                continue
            if left == 0:
                continue
            left -= 1
            row.counts["both"] += 1
            answer = reader.ask(f"read {file}:sym:{wanted}")
            if "list" in answer and any("only the first" in note for note in answer["notes"]):
                row.counts["found"] += 1
                row.counts["more"] += 1
            elif any(first <= line <= end for first, end in ranges(answer)):
                row.counts["found"] += 1
            else:
                row.miss("not found", f"{kind} {name} {root}/{file}:{line} {json.dumps(answer)[:160]}")
        declared = parser and parser(content)
        if declared is None:
            continue
        known = [one for one in declared if names(one.name) & by_line[one.line]]
        row.counts["parser only"] += len(declared) - len(known)
        for one in declared:
            if one not in known:
                row.shown["parser only"].append(f"{one.name} {root}/{file}:{one.line}")
        for one in chance.sample(known, min(len(known), 40)):
            found = ranges(reader.ask(f"read {file}:sym:{one.name}"))
            if len(found) >= LISTED:
                continue
            row.counts["parsed"] += 1
            if (one.first, one.last) in found:
                row.counts["exact"] += 1
            else:
                near = [each for each in found if each[0] <= one.line <= each[1]]
                row.miss("not exact", f"{one.name} {root}/{file}:{one.line} {one.first}-{one.last}, not {near}")
        inside = sorted({line for one in known for line in range(one.first, one.last + 1)})
        for line in chance.sample(inside, min(len(inside), LINES)):
            around = [one for one in known if one.first <= line <= one.last]
            best = min(around, key=lambda one: (one.last - one.first, -one.first))
            # Another declaration of the parser that the outline lacks may be smaller.
            found = ranges(reader.ask(f"read {file}:{line}:block:raw"))
            row.counts["lines"] += 1
            smaller = [
                found
                and best.first <= found[0][0] <= line <= found[0][1] <= best.last
                and any(found[0][0] <= first and end == found[0][1] for _, _, first, end in items)
            ]
            if (best.first, best.last) in found or any(smaller):
                row.counts["block"] += 1
            else:
                row.miss("other block", f"{root}/{file}:{line}:block {best.first}-{best.last}, not {found}")


def share(part, whole):
    return f"{100 * part / whole:7.2f}" if whole else "      -"


HEADER = f"{'language':12} {'package':26} files   tags   both   found  parsed   exact  lines   block  ctags only"


def line(language, name, counts):
    return (
        f"{language:12} {name[:26]:26} {counts['files']:5} {counts['tags']:6} {counts['both']:6} "
        f"{share(counts['found'], counts['both'])} {counts['parsed']:7} {share(counts['exact'], counts['parsed'])} "
        f"{counts['lines']:6} {share(counts['block'], counts['lines'])} {counts['ctags only']:11}"
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--read", required=True)
    parser.add_argument("--cache", default=os.environ.get("OMNIREAD_BENCH_CACHE", "/tmp/omniread-bench") + "/symbols")
    parser.add_argument("--show", type=int, default=0)
    parser.add_argument("languages", nargs="*")
    options = parser.parse_args()
    program = str(pathlib.Path(options.read).resolve())
    totals = collections.defaultdict(Row)
    print(HEADER)
    for language, registry, name, version, pattern in fetch.packages(HERE / "packages.tsv"):
        if options.languages and language not in options.languages:
            continue
        root = fetch.folder(options.cache, registry, name, version)
        files = sorted(str(path.relative_to(root)) for path in root.glob(pattern) if wanted(path))
        files = sorted(random.Random(54).sample(files, min(len(files), FILES)))
        reader, row = Reader(program, root), Row()
        package(reader, language, str(root), files, row)
        reader.close()
        print(line(language, name, row.counts), flush=True)
        for kind, shown in row.shown.items():
            for text in shown[:: max(1, len(shown) // max(1, options.show))][: options.show]:
                print(f"    {kind}: {text}")
        for total in (totals[language], totals["all"]):
            total.add(row)
    print(f"\n{HEADER}")
    for language, row in totals.items():
        print(line(language, "", row.counts))


def wanted(path):
    """Whether a file is text of a size that a person writes, with a name that may be in a path."""
    if not path.is_file() or path.stat().st_size > 600_000 or re.search(r"[:\s;]|\.min\.|\.d\.ts$", str(path)):
        return False
    return b"\0" not in path.read_bytes()[:4096]


if __name__ == "__main__":
    main()
