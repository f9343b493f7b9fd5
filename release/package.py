#!/usr/bin/env python3
"""Packs a program: an archive with its man page, completions and licences, a Debian package, and a bill of materials.

`release/build` calls it.
"""

import argparse
import hashlib
import pathlib
import shutil
import subprocess

import archives
import bill
import changelog
import debian
import notices
import outputs
import sbom
import sizes
import versions
from facts import DOCUMENTS, NOTICES, PROJECT, ReleaseError, epoch, run, stem

# The files of completions by the names of shells, as each shell looks for them.
COMPLETIONS = {"bash": "omniread.bash", "fish": "omniread.fish", "powershell": "_omniread.ps1", "zsh": "_omniread"}


def printed(program, *arguments):
    """What a program prints. Lines end in a line feed on all systems."""
    output = subprocess.run([program, *arguments], stdout=subprocess.PIPE, check=True).stdout.replace(b"\r\n", b"\n")
    if not output.strip():
        raise ReleaseError(f"`{' '.join([str(program), *arguments])}` printed nothing: build the program again")
    return output


def stage(directory, program, text):
    """Writes the files of an archive into a directory."""
    files = {name: (PROJECT / name).read_bytes() for name in DOCUMENTS}
    files[NOTICES] = text.encode()
    files["man/omniread.1"] = printed(program, "--man")
    for shell, name in COMPLETIONS.items():
        files[f"completions/{name}"] = printed(program, "--completions", shell)
    for name, data in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
        path.chmod(archives.PLAIN)
    copy = directory / f"omniread{program.suffix}"
    shutil.copy(program, copy)
    copy.chmod(archives.EXECUTABLE)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--target", required=True, help="the target of the program")
    parser.add_argument("--program", type=pathlib.Path, required=True, help="the program")
    parser.add_argument("--out", type=pathlib.Path, required=True, help="the directory of the artifacts, which is replaced")
    parser.add_argument("--level", type=int, choices=range(1, 10), default=9, help="the level of compression")
    parser.add_argument("--dry-run", action="store_true", help="take the section Unreleased of the change log")
    arguments = parser.parse_args()
    version = versions.checked()
    changelog.section(version, unreleased=arguments.dry_run)
    program, target, out = arguments.program.resolve(), arguments.target, arguments.out.resolve()
    found = printed(program, "--version").decode().strip()
    if found != f"omniread {version}":
        raise ReleaseError(f"the program is `{found}`, and the version is {version}: build it again")
    outputs.replace(out, "release")

    packages = bill.packages(target)
    root = out / "stage"
    files = root / stem(target)
    stage(files, program, notices.notices(packages))
    time = epoch()
    if target.endswith("windows-msvc"):
        archives.write_zip(root, out / f"{stem(target)}.zip", time, arguments.level)
    else:
        archives.write_tar(root, out / f"{stem(target)}.tar.gz", time, arguments.level)
    if target.endswith("linux-gnu"):
        debian.write(files, out, target, version, time, arguments.level)
    digest = hashlib.sha256(program.read_bytes()).hexdigest()
    (out / f"{stem(target)}.cdx.json").write_text(sbom.bill(packages, version, target, time, digest), encoding="utf-8")
    shutil.rmtree(root)
    sizes.check([(f"omniread{program.suffix}", program.stat().st_size),
                 *((file.name, file.stat().st_size) for file in out.iterdir() if not outputs.is_marker(file))])


if __name__ == "__main__":
    run(main)
