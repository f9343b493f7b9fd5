"""Tests of the checks of other targets, without their compilers."""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

from facts import PROJECT, architecture_of, host_target

CHECK = PROJECT / "release/check-targets"
REPLIES = PROJECT / "release/replies.py"
PROGRAM = os.environ.get("OMNIREAD_RELEASE_PROGRAM")


def output_of(command, **environment):
    run = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})
    return run.returncode, run.stdout + run.stderr


class Targets(unittest.TestCase):
    def test_unknown_arguments_and_targets_have_the_usage(self):
        for argument, message in [("--all", "unknown argument --all"), ("x86_64-solaris", "x86_64-solaris is not a target of Rust")]:
            status, output = output_of([CHECK, argument])
            self.assertEqual(status, 2, output)
            self.assertIn(message, output)
            self.assertIn("release/check-targets [--run] [TARGET]...\n", output)


class Replies(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)

    def compare(self, program, reference, target=None, **environment):
        return output_of([sys.executable, REPLIES, "--target", target or host_target(), program, reference], **environment)

    @unittest.skipIf(PROGRAM is None, "OMNIREAD_RELEASE_PROGRAM is not set")
    def test_same_program_has_the_same_replies(self):
        status, output = self.compare(PROGRAM, PROGRAM)
        self.assertEqual(status, 0, output)
        self.assertIn("19 replies are those of this machine's program", output)

    @unittest.skipIf(PROGRAM is None, "OMNIREAD_RELEASE_PROGRAM is not set")
    def test_read_with_another_reply_is_named(self):
        other = self.directory / "other"
        other.write_text(f'#!/bin/sh\ncase "$*" in *picture.bmp*) echo other ;; *) exec {PROGRAM} "$@" ;; esac\n')
        other.chmod(0o755)
        status, output = self.compare(other, PROGRAM)
        self.assertEqual(status, 1, output)
        self.assertIn(f"replies.py: `omniread --json picture.bmp` has another reply for {host_target()}", output)
        # A reference that cannot read compares nothing.
        status, output = self.compare("/bin/false", "/bin/false")
        self.assertEqual(status, 1, output)
        self.assertIn("`omniread LICENSE-MIT:1-3` ended with another status than 0 on this machine", output)

    def test_missing_program_and_emulator_have_the_next_step(self):
        status, output = self.compare(self.directory / "none", sys.executable)
        self.assertEqual(status, 1, output)
        self.assertIn("none: build it with `cargo build --release`", output)
        other = next(name for name in ["aarch64", "x86_64"] if name != architecture_of(host_target()))
        path = self.directory / "path"
        path.mkdir()
        (path / "rustc").symlink_to(shutil.which("rustc"))
        status, output = self.compare(sys.executable, sys.executable, f"{other}-unknown-linux-musl", PATH=str(path))
        self.assertEqual(status, 1, output)
        self.assertIn(f"qemu-{other} runs programs for {other}-unknown-linux-musl, and is not installed: `apt-get install qemu-user", output)
        self.assertNotIn("Traceback", output)


if __name__ == "__main__":
    unittest.main()
