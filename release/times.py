#!/usr/bin/env python3
"""Prints the least time of processes that read one file each, for one program or several that are compared.

release/times.py PROGRAM... [--runs N]

The files are those of `examples`, and those that `.ci/instructions` writes.
"""

import argparse
import importlib.machinery
import importlib.util
import os
import pathlib
import tempfile
import time

from facts import PROJECT

READS = {
    "text": "12B.txt",
    "row of SQLite": "a.db:users:4242",
    "image": "a.png",
    "docx": "letter.docx",
    "PDF": "manual.pdf",
    "page of PDF as image": "manual.pdf:page:1:img",
}


def create(directory):
    """Writes the files that are read."""
    loader = importlib.machinery.SourceFileLoader("instructions", str(PROJECT / ".ci/instructions"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("instructions", loader))
    loader.exec_module(module)
    module.create(directory)


def milliseconds(program, path, directory):
    """The time of one process."""
    null = os.open(os.devnull, os.O_RDWR)
    actions = [(os.POSIX_SPAWN_DUP2, null, descriptor) for descriptor in range(3)]
    began = time.perf_counter()
    process = os.posix_spawn(program, [program, path], {"HOME": directory}, file_actions=actions)
    _, status = os.waitpid(process, 0)
    ended = time.perf_counter()
    os.close(null)
    if status:
        raise SystemExit(f"{program} {path} failed")
    return (ended - began) * 1000


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="+", type=pathlib.Path)
    parser.add_argument("--runs", type=int, default=40, help="processes for each read (default: 40)")
    arguments = parser.parse_args()
    programs = [str(program.resolve()) for program in arguments.program]
    with tempfile.TemporaryDirectory() as directory:
        create(pathlib.Path(directory))
        os.chdir(directory)
        for name, path in READS.items():
            # The programs take turns, so that other work on the machine disturbs them equally.
            turns = [[milliseconds(program, path, directory) for program in programs] for _ in range(arguments.runs)]
            least = [f"{min(times):8.1f} ms" for times in zip(*turns)]
            print("".join(least), "", name, flush=True)


if __name__ == "__main__":
    main()
