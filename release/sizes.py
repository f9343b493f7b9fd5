#!/usr/bin/env python3
"""Prints the sizes of artifacts, and fails if one is larger than `release/sizes.toml` says."""

import argparse
import fnmatch
import os
import pathlib

from facts import PROJECT, ReleaseError, manifest, run


def bar(name, table):
    """The first row of the table for an artifact."""
    for row in table:
        if any(fnmatch.fnmatch(name, pattern) for pattern in row["name"].split(", ")):
            return row
    raise ReleaseError(f"release/sizes.toml has no row for {name}: add one, with the reason")


def check(sizes, project=PROJECT):
    """Prints the size of each artifact: a list of names and bytes.

    Raises ReleaseError if one is larger than it may be. With the variable OMNIREAD_TEST_SIZES, the program is that of
    `cargo build --release`, whose code is not compressed.
    """
    key = "most_of_tests" if "OMNIREAD_TEST_SIZES" in os.environ else "most"
    table = manifest("release/sizes.toml", project)["artifact"]
    above = []
    for name, size in sorted(sizes):
        row = bar(name, table)
        most = row.get(key, row["most"])
        note = f"at most {most:,}"
        if size > row.get("wanted", size):
            note += f"; wanted: {row['wanted']:,}"
        print(f"{size:>12,}  {name} ({note})")
        if size > most:
            above.append(f"{name} has {size:,} bytes, and may have {most:,}: make it smaller, "
                         f"or state in release/sizes.toml why it may be larger")
    if above:
        raise ReleaseError("\n  ".join(["artifacts are too large", *above]))


def files(paths):
    """The names and sizes of files, and of those in directories. Each path has at least one.

    Raises ReleaseError if a path has none: a check of nothing would pass.
    """
    found = []
    for path in paths:
        inside = [path] if path.is_file() else sorted(file for file in path.glob("*") if file.is_file())
        if not inside:
            raise ReleaseError(f"{path} has no artifacts: build them first")
        found += [(file.name, file.stat().st_size) for file in inside if not file.name.startswith(".")]
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=pathlib.Path, nargs="+", help="an artifact, or a directory of artifacts")
    check(files(parser.parse_args().path))


if __name__ == "__main__":
    run(main)
