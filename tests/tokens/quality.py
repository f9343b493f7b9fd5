"""Compares the estimates of `omniread-tokens` with the counts of two tokenizers.

    cargo build --release --package omniread-tokens --example estimate
    quality.py --npm DIR --estimate target/release/examples/estimate [--half fit|check|all] DIR...

Prints a table: for each kind of file, the share of files whose estimate is within 10 % of the count of each
tokenizer and of both; the share of files for which one number can be within 10 % of both at all; the median
error, and the error that 95 % of the files do not exceed, of the mean of both counts. `replies` are texts of
the other kinds with line numbers. `other scripts` are files of all kinds of which more than a quarter of the
bytes are outside ASCII, and `short` ones those of fewer than 50 tokens. `texts.py` says what must be installed; without it, a message says so.
"""

import argparse
import collections
import pathlib
import random
import statistics
import subprocess
import tempfile

import texts


# One token more or less is an error of more than 2 % in a text of fewer tokens.
SHORT = 50


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--npm", required=True)
    parser.add_argument("--estimate", required=True)
    parser.add_argument("--half", default="check")
    parser.add_argument("directories", nargs="+")
    options = parser.parse_args()
    tokenizers = texts.tokenizers(options.npm)
    chance = random.Random(54)
    samples = []
    for kind, _, text in texts.texts(options.directories, options.half):
        high = sum(byte >= 0x80 for byte in text.encode())
        samples.append((kind, text))
        if 4 * high > len(text.encode()):
            samples.append(("other scripts", text))
        if chance.random() < 0.2:
            samples.append(("replies", texts.reply(text, chance)))
    counts = [
        [len(tokens) for tokens in tokenizer.encode_ordinary_batch([text for _, text in samples])]
        for tokenizer in tokenizers
    ]
    rows = collections.defaultdict(list)
    for (kind, _), estimate, *both in zip(samples, estimates(options.estimate, samples), *counts):
        rows[kind].append((estimate, *both))
        # A text counts once for all kinds.
        if kind != "other scripts":
            rows["**all**"].append((estimate, *both))
            if max(both) < SHORT:
                rows["short"].append((estimate, *both))
    names = " | ".join(tokenizer.name for tokenizer in tokenizers)
    print(f"| kind | files | {names} | both | possible | median error | 95 % within |")
    print("|---|---:|---:|---:|---:|---:|---:|---:|")
    for kind in sorted(rows, key=lambda kind: (kind == "**all**", kind)):
        print(line(kind, rows[kind]))


def estimates(program, samples):
    with tempfile.TemporaryDirectory() as directory:
        paths = [pathlib.Path(directory) / str(number) for number in range(len(samples))]
        for path, (_, text) in zip(paths, samples):
            path.write_bytes(text.encode())
        names = "\n".join(map(str, paths))
        result = subprocess.run([program], input=names, stdout=subprocess.PIPE, check=True, text=True)
    return [int(line.split("\t")[0]) for line in result.stdout.splitlines()]


def line(kind, rows):
    near = [[abs(estimate - count) <= count / 10 for count in counts] for estimate, *counts in rows]
    shares = [*zip(*near), [all(pair) for pair in near]]
    # A number `n` with 0.9 x <= n <= 1.1 x for both counts x.
    shares.append([0.9 * max(counts) <= 1.1 * min(counts) for _, *counts in rows])
    errors = [estimate / statistics.mean(counts) - 1 for estimate, *counts in rows]
    within = sorted(map(abs, errors))[int(0.95 * (len(errors) - 1))]
    percent = " | ".join(f"{sum(share) / len(share):.1%}" for share in shares)
    return f"| {kind} | {len(rows)} | {percent} | {statistics.median(errors):+.1%} | {within:.1%} |"


main()
