"""Tests of the public crates."""

import pathlib
import tempfile
import tomllib
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


class Profile(unittest.TestCase):
    def test_profile_has_the_settings_of_the_packages_of_an_installation(self):
        settings = {"opt-level": 3, "lto": False, "build-override": {"opt-level": 1},
                    "package": {"tokio": {"opt-level": 1}, "sha2@0.10": {"opt-level": 0}, "sha2@0.1": {"opt-level": 0},
                                "exr": {"opt-level": "s"}}}
        written = tomllib.loads(crates.profile(settings, [("tokio", "1.54.1"), ("sha2", "0.11.0"), ("sha2", "0.10.9")]))
        # The settings of a package that is not installed would print a warning.
        del settings["package"]["exr"], settings["package"]["sha2@0.1"]
        self.assertEqual(written, {"profile": {"release": settings}})

    def test_packages_of_an_installation_are_those_without_tests(self):
        def need(name, *kinds):
            return {"pkg": name, "dep_kinds": [{"kind": kind} for kind in kinds]}
        graph = {"packages": [{"id": name, "name": name} for name in "abcdef"],
                 "resolve": {"nodes": [{"id": "a", "deps": [need("b", None), need("c", "dev"), need("d", "dev", "build")]},
                                       {"id": "b", "deps": [need("e", None)]}, {"id": "c", "deps": [need("f", None)]},
                                       *({"id": name, "deps": []} for name in "def")]}}
        self.assertEqual({one["name"] for one in crates.closure(graph, "a")}, set("abde"))


if __name__ == "__main__":
    unittest.main()
