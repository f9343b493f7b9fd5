"""Writes the tables of costs of `guest/tokens/src/costs.rs`.

    fit.py --npm DIR DIR...

Fits to the texts of the half `fit` of the directories; `quality.py` checks the other half. `texts.py` says what
must be installed.

A text is split into pieces as `guest/tokens/src/text.rs` does. The cost of a piece is the number of tokens that
begin in it, as the mean of both tokenizers and of all places where the piece is. A place has the weight of one
token in the text, so that long texts do not count more than short ones.
"""

import argparse
import pathlib
import random
import re

import texts

SOURCE = pathlib.Path(__file__).parents[2] / "guest/tokens/src"

# The constants of `text.rs` and `costs.rs`.
SPREAD = 0x9E3779B97F4A7C15
UNITS = 64
THREE_BITS = 14
SIX_BITS = 13
END = b"\1"

# A part of a text, in characters: long texts of one subject teach little.
PART = 8000

# Of the squares of the costs.
REGULARISATION = 2
ITERATIONS = 60

# A piece costs at least one token, so that sums below that are as good. After each solution, the next one may
# keep such sums.
SOLUTIONS = 12

PIECE = re.compile(
    rb"[^\r\nA-Za-z0-9\x80-\xff]?(?:[A-Z]*[a-z\x80-\xff]+|[A-Z]+)|[0-9]{1,3}"
    rb"| ?[^\sA-Za-z0-9\x80-\xff]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+"
)
# Pieces whose cost is not in the tables: white space and digits.
FIXED = re.compile(rb"\s+|[0-9]+")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--npm", required=True)
    parser.add_argument("directories", nargs="+")
    options = parser.parse_args()
    pieces, costs, weights = observed(texts.tokenizers(options.npm), samples(options.directories))
    print(len(pieces), "pieces")
    table = solved(pieces, costs, weights)
    (SOURCE / "three.bin").write_bytes(table[: 1 << THREE_BITS].tobytes())
    (SOURCE / "six.bin").write_bytes(table[1 << THREE_BITS :].tobytes())


def samples(directories):
    chance = random.Random(53)
    for _, _, text in texts.texts(directories, "fit"):
        if chance.random() < 0.2:
            yield part(texts.reply(text, chance), chance)
        yield part(text, chance)


def part(text, chance):
    if len(text) <= PART:
        return text
    start = chance.randrange(len(text) - PART)
    line = text.rfind("\n", 0, start) + 1
    start = line if start - line < PART // 3 else start
    return text[start : start + PART]


def observed(tokenizers, samples):
    """The distinct pieces, with their mean costs and their weights."""
    import numpy

    lengths = []
    for tokenizer in tokenizers:
        size = [0] * (tokenizer.max_token_value + 1)
        for token in tokenizer.token_byte_values():
            size[tokenizer.encode_single_token(token)] = len(token)
        lengths.append(numpy.array(size))
    numbers, sums, counts, weights = {}, [], [], []
    for text in samples:
        data = text.encode()
        starts = numpy.zeros(len(data) + 1)
        tokens = 0
        for tokenizer, length in zip(tokenizers, lengths):
            ids = tokenizer.encode_ordinary(text)
            ends = numpy.cumsum(length[ids])
            starts[ends - length[ids]] += 1 / len(tokenizers)
            tokens += len(ids) / len(tokenizers)
        passed = numpy.cumsum(starts) - starts
        for match in PIECE.finditer(data):
            piece = match.group()
            if FIXED.fullmatch(piece):
                continue
            number = numbers.setdefault(piece, len(numbers))
            if number == len(sums):
                sums.append(0.0)
                counts.append(0)
                weights.append(0.0)
            sums[number] += passed[match.end()] - passed[match.start()]
            counts[number] += 1
            # The error of a short text is that of rounding.
            weights[number] += 1 / max(tokens, 200)
    counts = numpy.array(counts)
    weights = numpy.array(weights)
    return list(numbers), numpy.array(sums) / counts, weights * counts.sum() / weights.sum()


def solved(pieces, costs, weights):
    import numpy
    import scipy.sparse
    import scipy.sparse.linalg

    rows, columns = array(pieces)
    shape = (len(pieces), (1 << THREE_BITS) + (1 << SIX_BITS))
    matrix = scipy.sparse.csr_matrix((numpy.ones(len(rows), numpy.float32), (rows, columns)), shape)
    root = numpy.sqrt(weights)
    weighted = scipy.sparse.diags(root) @ matrix
    table = numpy.zeros(shape[1])
    # Each piece is one token without the tables.
    more = costs - 1
    for _ in range(SOLUTIONS):
        sums = matrix @ table
        goals = numpy.where(more < 0.02, numpy.minimum(more, sums), more)
        damp = REGULARISATION**0.5
        table = scipy.sparse.linalg.lsqr(
            weighted, root * goals, damp=damp, iter_lim=ITERATIONS, x0=table
        )[0]
        error = numpy.average((numpy.maximum(matrix @ table, 0) - more) ** 2, weights=weights)
        print(f"mean square of the errors of pieces: {error:.4f}")
    return numpy.clip(numpy.round(table * UNITS), -127, 127).astype(numpy.int8)


def array(pieces):
    """The pieces and the entries of the tables that they use, as in `Sum` of `text.rs`."""
    import numpy

    lengths = numpy.array([len(piece) + 1 for piece in pieces])
    data = numpy.frombuffer(b"".join(piece + END for piece in pieces), numpy.uint8).astype(numpy.uint64)
    rows = numpy.repeat(numpy.arange(len(pieces)), lengths)
    place = numpy.arange(len(data)) - numpy.repeat(numpy.cumsum(lengths) - lengths, lengths)

    def entries(count, bits):
        window = numpy.zeros(len(data), numpy.uint64)
        for back in range(count):
            earlier = numpy.zeros(len(data), numpy.uint64)
            earlier[back:] = data[: len(data) - back]
            earlier[place < back] = 0
            window |= earlier << numpy.uint64(8 * back)
        return ((window * numpy.uint64(SPREAD)) >> numpy.uint64(64 - bits)).astype(numpy.int64)

    following = numpy.append(data[1:], numpy.zeros(1, numpy.uint64))
    ends = (data >= 0x80) & ((following & numpy.uint64(0xC0)) != 0x80)
    three = entries(3, THREE_BITS)
    six = entries(6, SIX_BITS)[ends] + (1 << THREE_BITS)
    return numpy.concatenate([rows, rows[ends]]), numpy.concatenate([three, six])


main()
