#!/usr/bin/env python3
"""Writes the licence texts of the packages in the program, or in the compiled part of a package for Python or Node."""

import argparse
import pathlib
import re

import bill
from facts import PROJECT, ReleaseError, host_target, output_of, run

NAME = re.compile(r"licen[cs]e|copying|copyright|notice", re.I)
# Directories whose files are not compiled.
LEFT_OUT = {"benches", "examples", "fuzz", "target", "test", "tests"}
# Files of sources and of settings, which are no texts of licences.
NO_TEXT = {".rs", ".toml", ".json", ".yml", ".yaml", ".html", ".hbs", ".py", ".sh", ".c", ".h", ".pl", ".S"}
# The other licence of Zstandard, of which one may be chosen: the GPL.
NOT_CHOSEN = {"zstd/COPYING"}
LICENCES = pathlib.Path(__file__).resolve().parent / "licences"
OTHERS = {"sqlite": "sqlite.txt", "wasi-libc": "libc.txt", "musl": "libc.txt"}
HEAD = """Licences of the packages in omniread

omniread is licensed under MIT or Apache-2.0. It also contains the packages below, each with its licence. The
texts follow, each after the list of the packages that have it.

"""


def files(directory):
    """The files with licence texts in the source of a package, also of fonts and other data."""
    found = []
    for path in sorted(directory.rglob("*")):
        inside = path.relative_to(directory)
        if (path.is_file() and NAME.search(path.name) and path.suffix not in NO_TEXT
                and inside.as_posix() not in NOT_CHOSEN
                and not LEFT_OUT & set(inside.parts[:-1])):
            found.append(path)
    return found


def text_of(path):
    """A text in which line endings and spaces at the ends do not differ."""
    text = path.read_text(encoding="utf-8", errors="replace").replace("\r\n", "\n").replace("\f", "")
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))


def standard(package):
    """The text for a crate that has none and whose repository has no other crate with one."""
    texts = pathlib.Path(output_of(["rustc", "--print", "sysroot"]).strip()) / "share/doc/rust/licenses"
    if "MIT" in package.licence.split():
        file = texts / "MIT.txt"
        if not file.is_file():
            raise ReleaseError(f"{package.name} has no licence text, and the compiler has none in {texts}: "
                               "install the toolchain with rustup")
        owner = package.authors or f"the authors of {package.name}"
        return [text_of(file).replace("<year> <copyright holders>", owner)]
    if "Apache-2.0" in package.licence.split():
        found = [text_of(PROJECT / "LICENSE-APACHE")]
        if "LLVM-exception" in package.licence:
            found.append(text_of(texts / "LLVM-exception.txt"))
        return found
    raise ReleaseError(f"{package.name} {package.version} ({package.licence}) has no licence text: add one in release/notices.py")


def texts(packages):
    """The texts of each package, by its key."""
    found, shared = {}, {}
    ours = [text_of(PROJECT / name) for name in ["LICENSE-MIT", "LICENSE-APACHE"]]
    for package in packages:
        if package.name in OTHERS:
            found[package.key] = [text_of(LICENCES / OTHERS[package.name])]
        elif package.directory is None:
            found[package.key] = standard(package) + [text_of(PROJECT / "LICENSE-APACHE")]
        elif package.directory.is_relative_to(PROJECT):
            found[package.key] = ours
        else:
            found[package.key] = [text_of(path) for path in files(package.directory)]
            if found[package.key] and package.repository:
                shared.setdefault(repository(package), found[package.key])
    for package in packages:
        if not found[package.key]:
            found[package.key] = shared.get(repository(package)) or standard(package)
    return found


def repository(package):
    """The address of a repository without the directory in it."""
    return "/".join(package.repository.removesuffix(".git").lower().split("/")[:5])


def notices(packages):
    """The file with all licence texts: the list of packages, and each text once."""
    by_text = {}
    for key, found in texts(packages).items():
        for text in found:
            by_text.setdefault(text, []).append(key.split("/", 1)[1])
    out = [HEAD]
    for package in packages:
        out.append(f"{package.name} {package.version}: {package.licence}\n")
    for text, keys in sorted(by_text.items(), key=lambda item: (-len(item[1]), item[1])):
        out.append(f"\n{'=' * 100}\n{', '.join(sorted(set(keys)))}\n{'-' * 100}\n\n{text}\n")
    return "".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=pathlib.Path, help="the file to write")
    parser.add_argument("--package", default=bill.HOST, help="the crate that contains the others (default: that of the program)")
    parser.add_argument("--features", default="", help="the features of the crate, with commas between them")
    parser.add_argument("--target", help="the target (default: this machine)")
    arguments = parser.parse_args()
    features = [feature for feature in arguments.features.split(",") if feature]
    packages = bill.packages(arguments.target or host_target(), arguments.package, features)
    arguments.file.parent.mkdir(parents=True, exist_ok=True)
    arguments.file.write_text(notices(packages), encoding="utf-8")
    print(f"{arguments.file}: {len(packages)} packages")


if __name__ == "__main__":
    run(main)
