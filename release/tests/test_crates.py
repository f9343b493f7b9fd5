"""Tests of the public crates."""

import pathlib
import tempfile
import unittest

import crates
import metadata
from facts import ReleaseError, manifest


class Metadata(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.work = pathlib.Path(temporary.name)
        self.inherited = manifest()["workspace"]["package"]

    def test_each_public_crate_has_what_its_page_shows(self):
        files = metadata.public()
        names = {file.parent.name for file in files}
        self.assertEqual({"host", "cli", "tokens"} - names, set())
        self.assertEqual({"tests", "node", "python", "code"} & names, set())
        metadata.check(files, self.inherited)

    def test_each_crate_with_code_has_what_its_page_shows(self):
        crates.write_crate(self.work, "omniread-code-a", "Code", "", "", None)
        metadata.check([self.work / "Cargo.toml"], self.inherited)

    def test_crate_without_keywords_or_with_another_page_is_refused(self):
        file = self.work / "Cargo.toml"
        file.write_text('[package]\nname = "a"\ndescription = "A"\nlicense = "MIT"\nrepository.workspace = true\n'
                        'documentation = "https://docs.rs/b"\n')
        with self.assertRaises(ReleaseError) as caught:
            metadata.check([file], self.inherited)
        self.assertIn("a: it has no keywords\n", str(caught.exception))
        self.assertIn("a: its documentation is https://docs.rs/b, and docs.rs has it at https://docs.rs/a", str(caught.exception))
        package = {"name": "a", "keywords": ["one", "a word"]}
        self.assertIn("crates.io does not accept the keywords one, a word", metadata.wrong(package, {}))
        self.assertIn("it has no repository", metadata.wrong({"name": "a", "repository": {"workspace": True}}, {}))


if __name__ == "__main__":
    unittest.main()
