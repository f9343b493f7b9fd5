"""Tests of the comparison of the API with that of the last released version."""

import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

import outputs
from facts import PROJECT

CHECK = PROJECT / "release/check-api"
WORKSPACE = """[workspace]
resolver = "3"
members = ["tokens"]

[workspace.package]
version = "{version}"
edition = "2024"
rust-version = "1.95"
license = "MIT OR Apache-2.0"
repository = "https://github.com/omniread/omniread"
keywords = ["agents"]

[workspace.lints.rust]
[workspace.lints.clippy]
"""


class Api(unittest.TestCase):
    """The crate `omniread-tokens` as a workspace of its own."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.work = pathlib.Path(temporary.name)
        self.workspace, self.released = self.work / "workspace", self.work / "released"
        shutil.copytree(PROJECT / "guest/tokens", self.workspace / "tokens")
        self.source = self.workspace / "tokens/src/lib.rs"
        (self.workspace / f"{outputs.MARKER}release-crates").touch()
        self.version("0.1.0")

    def version(self, version):
        (self.workspace / "Cargo.toml").write_text(WORKSPACE.format(version=version))

    def check(self, *arguments, code=0, **environment):
        command = [sys.executable, CHECK, self.workspace, "--released", self.released, *arguments]
        target = {"CARGO_TARGET_DIR": str(self.work / "target")}
        run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **target, **environment})
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        self.assertNotIn("Traceback", run.stderr)
        return run.stdout + run.stderr

    def record_with_another_function(self):
        text = self.source.read_text()
        self.source.write_text(f"{text}\n/// Removed later.\npub fn removed() {{}}\n")
        self.check("--record")
        self.source.write_text(text)

    def test_first_version_has_nothing_to_compare_with(self):
        self.assertIn("no version was released: there is no API to compare with", self.check())
        self.assertFalse(self.released.exists())

    def test_version_as_it_was_recorded_needs_no_comparison(self):
        self.check("--record")
        self.assertIn("the crates are those of version 0.1.0", self.check(PATH="/nowhere"))

    def test_record_has_the_same_bytes_and_no_compiled_code(self):
        data = self.workspace / "tokens/data"
        data.mkdir()
        (data / "reader.cwasm.lzma").write_bytes(os.urandom(1 << 20))
        self.check("--record")
        record = self.released / "0.1.0.tar.xz"
        before = record.read_bytes()
        (data / "reader.cwasm.lzma").write_bytes(os.urandom(1 << 20))
        self.check("--record")
        self.assertEqual(record.read_bytes(), before)
        with tarfile.open(record) as archive:
            self.assertFalse([name for name in archive.getnames() if outputs.is_marker(pathlib.Path(name))])
            self.assertLess(archive.getmember("tokens/data/reader.cwasm.lzma").size, 100)

    def test_missing_tool_and_missing_crate_have_the_next_step(self):
        self.record_with_another_function()
        self.assertIn("run `cargo install --locked cargo-semver-checks@", self.check(code=1, PATH="/nowhere"))
        shutil.rmtree(self.workspace / "tokens")
        self.assertIn("has the crates omniread-tokens, which are not in", self.check(code=1))

    def test_workspace_and_record_with_a_wrong_name_are_refused(self):
        self.released.mkdir()
        (self.released / "first.tar.xz").touch()
        self.assertIn("is not named by a version", self.check(code=1))
        (self.workspace / "Cargo.toml").unlink()
        self.assertIn("has no crates: run `release/check-crates`", self.check(code=1))

    def test_last_version_before_this_one_is_compared(self):
        self.check("--record")
        for version in ["0.9.0", "0.10.0-rc.1", "0.10.0-rc.2", "0.10.0-rc.10", "0.10.0-rc.x-1", "0.10.0-rd", "0.11.0"]:
            shutil.copy(self.released / "0.1.0.tar.xz", self.released / f"{version}.tar.xz")
        self.version("0.10.0")
        self.source.write_text("//! Another library.\n")
        self.assertIn("cargo-semver-checks is not installed", self.check(code=1, PATH="/nowhere"))
        for name in ["0.1.0", "0.9.0", "0.10.0-rc.1", "0.10.0-rc.2", "0.11.0"]:
            (self.released / f"{name}.tar.xz").write_bytes(b"damaged")
        self.assertIn("cargo-semver-checks is not installed", self.check(code=1, PATH="/nowhere"))

    @unittest.skipIf(shutil.which("cargo-semver-checks") is None, "cargo-semver-checks is not installed")
    def test_removed_function_is_refused_until_the_version_is_raised(self):
        self.record_with_another_function()
        self.assertIn("the API is not compatible with that of version 0.1.0", self.check(code=1))
        self.version("0.1.1")
        self.assertIn("function_missing", self.check(code=1))
        self.version("0.2.0")
        self.assertIn("compatible with version 0.1.0: omniread-tokens", self.check())


if __name__ == "__main__":
    unittest.main()
