#!/usr/bin/env python3
"""Compares reads in Ray Data with `omniread batch`, and with markitdown in Ray Data.

    pip install 'ray[data]' pyarrow 'markitdown[docx,pptx,xlsx,pdf]'
    python packages/python/benches/engines.py target/release/omniread

The first part reads small texts with two workers of Ray, and with two threads of `omniread batch`. The rate is that of the
rows which a longer list has more than a shorter one, so that the start of workers does not count; it is printed too. It
fails if the rate of Ray is below 80 % of the other.

The second part reads 10,000 files of nine formats, copies of those in `examples`, with omniread and with markitdown, both by
`map_batches` with two workers and to Parquet. It prints the time and the cost of a million such files, with the arithmetic.
`--price` is that of an hour of a core, `--files` the number of files, and `--part` runs one part only.
"""

from __future__ import annotations

import argparse
import logging
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
from typing import Any, Callable

import ray
import ray.data

from omniread.ray import Reads, write_parquet

EXAMPLES = pathlib.Path(__file__).parents[3] / "examples"
NAMES = [
    "ages.ipynb", "deck.pptx", "letter.docx", "manual.html", "manual.pdf", "news.xml", "novel.epub", "orders.csv", "sales.xlsx",
]  # fmt: skip
CORES = 2
# The bar of the rate of Ray, compared with `omniread batch`.
LEAST = 0.8


def timed(run: Callable[[], object]) -> float:
    began = time.perf_counter()
    run()
    return time.perf_counter() - began


def small_texts(directory: pathlib.Path, turns: int, program: str) -> bool:
    """Compares the rates of small texts."""
    root = directory / "small"
    names: list[str] = []
    for number in range(10_000):
        file = root / str(number % 100) / f"{number}.txt"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"one {number}\ntwo\nthree\n")
        names.append(f"{number % 100}/{number}.txt")

    def paths(times: int) -> list[str]:
        return [f"{name}:1-{last}" for last in range(1, times + 1) for name in names]

    def batch(times: int) -> None:
        command = [program, "--root", str(root), "batch", "--quiet", "--jobs", str(CORES), "--output"]
        output = directory / "rows.jsonl"
        output.unlink(missing_ok=True)
        listed = "\n".join(paths(times))
        subprocess.run([*command, str(output)], input=listed, text=True, check=True)

    def with_ray(times: int) -> None:
        output = directory / "small-rows"
        shutil.rmtree(output, ignore_errors=True)
        summary = write_parquet(paths(times), output, Reads(str(root)), workers=CORES)
        assert (summary.rows, summary.failed) == (len(names) * times, 0)

    short, long = 2, 12
    more = (long - short) * len(names)
    shares: list[float] = []
    for _ in range(turns):
        rates: list[float] = []
        for run in (batch, with_ray):
            least, most = timed(lambda: run(short)), timed(lambda: run(long))
            rates.append(more / (most - least))
            name = "omniread batch" if run is batch else "Ray"
            start = least - short * len(names) / rates[-1]
            print(f"{name:15} {rates[-1]:8.0f} rows/s, {long * len(names)} rows in {most:.1f} s, start {start:.1f} s")
        shares.append(rates[1] / rates[0])
    share = sorted(shares)[len(shares) // 2]
    print(f"Ray has {share:.0%} of the rate of `omniread batch` (median of {turns}; at least {LEAST:.0%} are wanted)")
    return share >= LEAST


class MarkItDown:
    """A worker with markitdown."""

    def __init__(self, root: str) -> None:
        from markitdown import MarkItDown as Converter

        logging.disable(logging.ERROR)
        self.root = pathlib.Path(root)
        self.converter = Converter(enable_plugins=False)

    def __call__(self, batch: Any) -> dict[str, list[Any]]:
        names = batch["path"].to_pylist()
        rows: dict[str, list[Any]] = {"path": names, "text": [], "error": []}
        for name in names:
            text = error = None
            try:
                text = self.converter.convert(str(self.root / name)).text_content
            except Exception as failed:
                error = repr(failed)
            rows["text"].append(text)
            rows["error"].append(error)
        return rows


def formats(directory: pathlib.Path, files: int, price: float) -> None:
    """Prints the time and the cost of a million files."""
    root = directory / "formats"
    root.mkdir()
    names: list[str] = []
    for number in range(files):
        source = EXAMPLES / NAMES[number % len(NAMES)]
        names.append(f"{number}-{source.name}")
        shutil.copy(source, root / names[-1])

    def omniread() -> int:
        output = directory / "formats-rows"
        return write_parquet(names, output, Reads(str(root)), workers=CORES, share_paths=250).failed

    def markitdown() -> int:
        output = directory / "markitdown-rows"
        dataset = ray.data.from_items([{"path": name} for name in names], override_num_blocks=max(1, files // 250))
        strategy = ray.data.ActorPoolStrategy(size=CORES)
        rows = dataset.map_batches(
            MarkItDown, fn_constructor_args=[str(root)], batch_size=250, batch_format="pyarrow", compute=strategy, num_cpus=1
        )
        rows.write_parquet(str(output))
        errors: Any = ray.data.read_parquet(str(output)).filter(lambda row: row["error"] is not None)
        return int(errors.count())

    print(f"{files} files of {len(NAMES)} formats, {CORES} cores, ${price} for an hour of a core")
    for run in (omniread, markitdown):
        failed: list[int] = []
        seconds = timed(lambda: failed.append(run()))
        million = seconds / files * 1e6
        hours = million * CORES / 3600
        print(
            f"{run.__name__:10} {seconds:7.1f} s, not read: {failed[0]}; 10^6 files: {seconds:.1f} s / {files} x 10^6 = "
            f"{million:.0f} s; x {CORES} cores / 3600 = {hours:.2f} hours of a core; x ${price} = ${hours * price:.2f}"
        )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("program")
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--price", type=float, default=0.04)
    parser.add_argument("--part", choices=["small", "formats"])
    given = parser.parse_args()
    ray.init(num_cpus=CORES, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    is_fast = True
    with tempfile.TemporaryDirectory() as directory:
        if given.part != "formats":
            is_fast = small_texts(pathlib.Path(directory), given.turns, str(pathlib.Path(given.program).absolute()))
        if given.part != "small":
            formats(pathlib.Path(directory), given.files, given.price)
    return int(not is_fast)


if __name__ == "__main__":
    sys.exit(main())
