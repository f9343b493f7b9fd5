"""Facts of this project that several programs of a release need."""

import os
import pathlib
import subprocess
import sys
import tomllib

PROJECT = pathlib.Path(__file__).resolve().parent.parent
# The files of the project that each package contains.
DOCUMENTS = ["CHANGELOG.md", "LICENSE-APACHE", "LICENSE-MIT", "README.md"]
NOTICES = "THIRD-PARTY-NOTICES.txt"


class ReleaseError(Exception):
    """A reason why there is no release, with the next step."""


def manifest(path="Cargo.toml", project=PROJECT):
    """A manifest of the project."""
    return tomllib.loads((project / path).read_text(encoding="utf-8"))


def version(project=PROJECT):
    """The version of the workspace."""
    return manifest(project=project)["workspace"]["package"]["version"]


def output_of(command, **options):
    """The standard output of a command, whose standard error is shown."""
    return subprocess.run(command, cwd=PROJECT, stdout=subprocess.PIPE, check=True, encoding="utf-8", **options).stdout


def host_target():
    """The target of this machine."""
    lines = output_of(["rustc", "-vV"]).splitlines()
    return next(line.split(": ")[1] for line in lines if line.startswith("host: "))


def architecture_of(target):
    """The architecture of a target, as its name has it."""
    return target.split("-")[0]


def epoch():
    """The time of all files in packages, in seconds: that of the last commit, or the variable `SOURCE_DATE_EPOCH`.
    https://reproducible-builds.org/specs/source-date-epoch/"""
    given = os.environ.get("SOURCE_DATE_EPOCH")
    if given is None:
        given = output_of(["git", "log", "-1", "--format=%ct"]).strip()
    if not given.isdigit():
        raise ReleaseError(f"SOURCE_DATE_EPOCH is {given!r}: set it to a number of seconds since 1970")
    return int(given)


def stem(target, project=PROJECT):
    """The name of an archive without its ending, and of the directory in it."""
    return f"omniread-{version(project)}-{target}"


def run(main):
    """Runs a program, and reports why there is no release without a traceback."""
    try:
        main()
    except ReleaseError as error:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {error}")
    except subprocess.CalledProcessError as error:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: `{' '.join(map(str, error.cmd))}` failed with status {error.returncode}")
