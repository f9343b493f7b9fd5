#!/usr/bin/env python3
"""Prints the section of a version in CHANGELOG.md, which is the text of its release."""

import argparse
import pathlib
import re

from facts import PROJECT, ReleaseError, run, version

UNRELEASED = "Unreleased"


def sections(text):
    """The sections of a changelog by version. A heading is `## 0.2.0` or `## 0.2.0 - 2026-12-01`."""
    parts = re.split(r"(?m)^## +(.+?) *$", text)
    found = {}
    for heading, body in zip(parts[1::2], parts[2::2]):
        name = heading.split(" - ")[0].strip("[] ")
        if name in found:
            raise ReleaseError(f"CHANGELOG.md has two sections {name}: join them")
        found[name] = body.strip()
    return found


def section(wanted, project=PROJECT, unreleased=False):
    """The section of a version, or with `unreleased` that of the next release.

    Raises ReleaseError if there is no section, or an empty one.
    """
    path = project / "CHANGELOG.md"
    found = sections(path.read_text(encoding="utf-8"))
    text = found.get(wanted)
    if text is None and unreleased:
        text = found.get(UNRELEASED)
    if text is None:
        rename = f"rename `## {UNRELEASED}` to `## {wanted}`" if UNRELEASED in found else f"add `## {wanted}`"
        raise ReleaseError(f"CHANGELOG.md has no section {wanted}: {rename}")
    if not text:
        raise ReleaseError(f"the section {wanted} of CHANGELOG.md is empty: state what changed for users")
    return text


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("version", nargs="?", help="the version (default: that of Cargo.toml)")
    parser.add_argument("--unreleased", action="store_true", help="take the section Unreleased if the version has none")
    parser.add_argument("--project", type=pathlib.Path, default=PROJECT, help="the directory of the project")
    arguments = parser.parse_args()
    print(section(arguments.version or version(arguments.project), arguments.project, arguments.unreleased))


if __name__ == "__main__":
    run(main)
