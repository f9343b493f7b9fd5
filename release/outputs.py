"""Directories that the programs of a release write, and replace when they run again."""

import shutil

from facts import ReleaseError

# The start of the name of the file that marks such a directory. The rest is the program: none replaces what another wrote.
MARKER = ".written-by-"


def replace(directory, program):
    """Makes a directory that this program of a release fills. What it wrote there before is removed.

    Raises ReleaseError if the directory has other files.
    """
    marker = directory / f"{MARKER}{program}"
    if directory.exists():
        if not directory.is_dir() or (any(directory.iterdir()) and not marker.is_file()):
            raise ReleaseError(f"{directory} has files that this program did not write: name a new directory")
        shutil.rmtree(directory)
    directory.mkdir(parents=True)
    marker.touch()


def is_marker(path):
    """Whether a file only marks its directory."""
    return path.name.startswith(MARKER)
