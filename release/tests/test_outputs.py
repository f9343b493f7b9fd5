"""Tests of the directories that the programs of a release write."""

import pathlib
import tempfile
import unittest

import outputs
from facts import ReleaseError


class Outputs(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.work = pathlib.Path(temporary.name)

    def test_directory_of_the_same_program_is_replaced(self):
        out = self.work / "new/out"
        outputs.replace(out, "one")
        (out / "old.txt").touch()
        outputs.replace(out, "one")
        self.assertEqual([path for path in out.iterdir() if not outputs.is_marker(path)], [])

    def test_files_of_others_are_kept(self):
        out = self.work / "out"
        outputs.replace(out, "one")
        (out / "mine.txt").touch()
        with self.assertRaisesRegex(ReleaseError, "has files that this program did not write: name a new directory"):
            outputs.replace(out, "two")
        with self.assertRaisesRegex(ReleaseError, "name a new directory"):
            outputs.replace(out / "mine.txt", "one")
        self.assertTrue((out / "mine.txt").is_file())


if __name__ == "__main__":
    unittest.main()
