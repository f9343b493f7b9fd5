#!/usr/bin/env python3
"""Adds what a release has once for all targets to the artifacts in a directory: image, formula, notes and checksums."""

import argparse
import hashlib
import pathlib
import shutil

import changelog
import formula
import image
import outputs
import sizes
import versions
from facts import ReleaseError, epoch, run

SUMS = "SHA256SUMS"


def notes(version, text):
    """The text of a release: the section of the change log, and how to check the files."""
    return (f"{text}\n\n### Check the files\n\n"
            f"```sh\nsha256sum --check --ignore-missing {SUMS}\n"
            f"gh attestation verify omniread-{version}-x86_64-unknown-linux-gnu.tar.gz --repo omniread/omniread\n```\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("directory", type=pathlib.Path, help="the directory with the artifacts of all targets")
    parser.add_argument("--dry-run", action="store_true", help="targets may be missing, and the section of the version in the change log")
    arguments = parser.parse_args()
    version, directory = versions.checked(), arguments.directory
    text = changelog.section(version, unreleased=arguments.dry_run)
    (directory / "notes.md").write_text(notes(version, text), encoding="utf-8")
    found = formula.text(version, directory, arguments.dry_run)
    if found is None:
        print("skipped: the formula needs an archive for macOS, or for Linux with glibc")
    else:
        (directory / "omniread.rb").write_text(found, encoding="utf-8")
    if not arguments.dry_run or shutil.which("buildah"):
        image.write(directory, version, epoch(), arguments.dry_run)
    else:
        print("skipped: the image needs buildah")
    files = sorted(file for file in directory.iterdir() if file.is_file() and file.name != SUMS and not outputs.is_marker(file))
    sums = "".join(f"{hashlib.sha256(file.read_bytes()).hexdigest()}  {file.name}\n" for file in files if file.name != "notes.md")
    (directory / SUMS).write_text(sums, encoding="utf-8")
    if not sums:
        raise ReleaseError(f"{directory} has no artifacts: run `release/build`")
    print("all artifacts:")
    sizes.check([(file.name, file.stat().st_size) for file in files])


if __name__ == "__main__":
    run(main)
