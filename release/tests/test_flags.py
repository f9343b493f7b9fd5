"""Tests of the flags with which the programs of a release are built."""

import os
import pathlib
import subprocess
import unittest

from facts import PROJECT

TARGET = pathlib.Path(os.environ.get("CARGO_TARGET_DIR", PROJECT / "target")) / "release-tools/sqlite"
# SQLite has a name for each part that was added or left out.
UNUSED = [b"ENABLE_FTS3", b"ENABLE_FTS5", b"ENABLE_RTREE", b"ENABLE_DBSTAT_VTAB"]


class Flags(unittest.TestCase):
    """SQLite of the host, compiled without optimisation in a directory of its own, which stays between runs."""

    def build(self):
        """The bytes of SQLite, compiled with the flags of a release."""
        script = 'project="$PWD" CARGO_TARGET_DIR="$1"; . release/flags; printf %s "$LIBSQLITE3_FLAGS"'
        flags = subprocess.run(["bash", "-ec", script, "bash", str(TARGET)], cwd=PROJECT, capture_output=True, text=True)
        self.assertEqual(flags.returncode, 0, flags.stderr)
        environment = {**os.environ, "CARGO_TARGET_DIR": str(TARGET), "LIBSQLITE3_FLAGS": flags.stdout}
        command = ["cargo", "build", "--quiet", "--locked", "--package", "omniread-store"]
        build = subprocess.run(command, cwd=PROJECT, env=environment, capture_output=True, text=True)
        self.assertEqual(build.returncode, 0, build.stderr)
        libraries = TARGET.glob("debug/build/libsqlite3-sys-*/out/libsqlite3.a")
        return max(libraries, key=lambda library: library.stat().st_mtime).read_bytes()

    def test_sqlite_of_the_host_has_no_unused_parts(self):
        library = self.build()
        self.assertIn(b"OMIT_JSON", library)
        for part in UNUSED:
            self.assertNotIn(part, library)


if __name__ == "__main__":
    unittest.main()
