#!/usr/bin/env python3
"""Compares a warm read of the package with the call of the library in Rust.

    cargo build --release --package omniread-python --example warm
    python packages/python/benches/warm.py target/release/examples/warm

Both processes read in turns, so that the load of the machine is that of both. It prints the minimum and the median of
all turns in microseconds, and fails if the minimum of the package is more than 15 microseconds above that of Rust.
"""

from __future__ import annotations

import pathlib
import subprocess
import sys
import tempfile
import time

import omniread

TURNS = 10
READS = 400
# The bar of the difference, in microseconds.
MOST = 15.0


def turn(session: omniread.Session, path: str, with_text: bool) -> list[int]:
    times: list[int] = []
    for _ in range(READS):
        start = time.perf_counter_ns()
        reply = session.read(path)
        if with_text:
            str(reply)
        times.append(time.perf_counter_ns() - start)
        del reply
    return sorted(times)


def main(program: str) -> int:
    with tempfile.TemporaryDirectory() as directory:
        text = "".join(f"line {number} of a text\n" for number in range(1, 2001))
        pathlib.Path(directory, "notes.txt").write_text(text)
        path = "notes.txt:100-140"
        command = [program, directory, path, str(READS)]
        found: dict[str, list[tuple[int, int]]] = {"Rust": [], "Python": [], "Python with the text": []}
        with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as rust:
            assert rust.stdin is not None and rust.stdout is not None
            with omniread.Reader(directory) as reader, reader.session() as session:
                for _ in range(TURNS):
                    rust.stdin.write("\n")
                    rust.stdin.flush()
                    least, median = map(int, rust.stdout.readline().split())
                    found["Rust"].append((least, median))
                    for name, with_text in (("Python", False), ("Python with the text", True)):
                        times = turn(session, path, with_text)
                        found[name].append((times[0], times[READS // 2]))
    least = {name: min(times)[0] / 1000 for name, times in found.items()}
    for name, times in found.items():
        print(f"{name:20} minimum {least[name]:7.1f} us, median {min(median for _, median in times) / 1000:7.1f} us")
    difference = least["Python"] - least["Rust"]
    print(f"difference of the minimum: {difference:.1f} us")
    return int(difference > MOST)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
