#!/usr/bin/env python3
"""Compares the replies of a program for another target with those of the program of this machine: of a text, a member of an
archive, tables, a database, images, documents, a page of a PDF, a request over MCP, and errors.

A program for another architecture runs in qemu-user. One that needs glibc finds it in `/usr/ARCHITECTURE-linux-gnu`, or in the
directory in QEMU_LD_PREFIX.
"""

import argparse
import json
import os
import pathlib
import platform
import shutil
import struct
import subprocess
import tarfile
import tempfile

from facts import PROJECT, ReleaseError, architecture_of, run

READS = [
    ["LICENSE-MIT:1-3"],
    ["lib.rs"],
    ["docs.tar.gz"],
    ["docs.tar.gz:docs/security.md:1-4"],
    ["examples/orders.csv:1-3"],
    ["examples/sales.xlsx"],
    ["examples/app.db"],
    ["examples/app.db?q=select count(*) from users"],
    ["--json", "examples/chart.svg"],
    ["--json", "picture.bmp"],
    ["examples/letter.docx"],
    ["examples/deck.pptx"],
    ["examples/novel.epub"],
    ["examples/manual.pdf"],
    ["--json", "examples/manual.pdf:page:1"],
]
ERRORS = [
    ["missing.rs"],
    ["docs.tar.gz:missing.md"],
    ["examples/app.db?q=select nothing"],
]

# The messages of a client that reads a member of an archive.
MESSAGES = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in [
    {"id": 1, "method": "initialize", "params": {"protocolVersion": "2025-06-18", "capabilities": {},
                                                 "clientInfo": {"name": "replies", "version": "1"}}},
    {"method": "notifications/initialized"},
    {"id": 2, "method": "tools/call", "params": {"name": "read", "arguments": {"path": "docs.tar.gz:docs/security.md:1-3"}}},
])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--target", required=True, help="the target of the program")
    parser.add_argument("program", type=pathlib.Path, help="the program to check")
    parser.add_argument("reference", type=pathlib.Path, help="the program of this machine")
    arguments = parser.parse_args()
    for program in [arguments.program, arguments.reference]:
        if not program.is_file():
            raise ReleaseError(f"there is no program {program}: build it with `cargo build --release`")
    commands = [[*emulator(arguments.target), arguments.program.resolve()], [arguments.reference.resolve()]]
    with tempfile.TemporaryDirectory(prefix="omniread-replies-") as temporary:
        files = pathlib.Path(temporary)
        write_files(files)
        reads = [(read, "", 0) for read in READS] + [(["mcp"], MESSAGES, 0)] + [(read, "", 1) for read in ERRORS]
        for read, text, status in reads:
            found, wanted = (reply([*command, *read], text, files) for command in commands)
            name = f"`omniread {' '.join(read)}`"
            if wanted["status"] != status:
                raise ReleaseError(f"{name} ended with another status than {status} on this machine:\n{wanted}")
            if found != wanted:
                raise ReleaseError(f"{name} has another reply for {arguments.target}:\n{found}\nOn this machine:\n{wanted}")
    print(f"{arguments.target}: {len(reads)} replies are those of this machine's program")


def emulator(target):
    """The command that runs a program of the target."""
    architecture = architecture_of(target)
    if architecture == platform.machine():
        return []
    name = f"qemu-{architecture}"
    if shutil.which(name) is None:
        raise ReleaseError(f"{name} runs programs for {target}, and is not installed: `apt-get install qemu-user libc6-arm64-cross`")
    return [name, "-L", os.environ.get("QEMU_LD_PREFIX", f"/usr/{architecture}-linux-gnu")]


def write_files(directory):
    """The files that the reads name: those of the project, an archive and a picture."""
    shutil.copy(PROJECT / "LICENSE-MIT", directory)
    shutil.copy(PROJECT / "host/src/lib.rs", directory)
    shutil.copytree(PROJECT / "examples", directory / "examples")
    with tarfile.open(directory / "docs.tar.gz", "w:gz") as archive:
        archive.add(PROJECT / "docs/security.md", "docs/security.md")
    width, height = 64, 48
    pixels = b"".join(bytes((4 * x, 5 * y, 128)) for y in range(height) for x in range(width))
    header = struct.pack("<2sIII IiiHHIIiiII", b"BM", 54 + len(pixels), 0, 54, 40, width, height, 1, 24, 0, len(pixels), 0, 0, 0, 0)
    (directory / "picture.bmp").write_bytes(header + pixels)


def reply(command, text, directory):
    """What a program prints, and its status."""
    run = subprocess.run(command, cwd=directory, input=text, capture_output=True, text=True, timeout=600)
    return {"status": run.returncode, "output": run.stdout, "errors": run.stderr}


if __name__ == "__main__":
    run(main)
