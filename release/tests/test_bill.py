"""Tests of the packages in the program, their licences and the bill of materials."""

import json
import unittest

import bill
import notices
import sbom
from facts import ReleaseError, host_target, version

TIME = 1_700_000_000


class Bill(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.target = host_target()
        cls.packages = bill.packages(cls.target)
        cls.names = {package.name for package in cls.packages}

    def test_packages_of_the_program_and_of_its_components_are_listed(self):
        expected = {"omniread", "wasmtime", "rustls", "ring", "omniread-reader", "resvg", "hayro-font", "sqlite",
                    "zstd-sys", "rust-std", "wasi-libc"}
        self.assertEqual(expected - self.names, set())
        # The host and a component have SQLite in versions of their own.
        self.assertEqual(len([package for package in self.packages if package.name == "sqlite"]), 2)

    def test_macros_build_scripts_and_tests_are_not_listed(self):
        self.assertEqual(self.names & {"clap_derive", "serde_derive", "cc", "wac-graph", "omniread-tests", "proptest"}, set())

    def test_licence_that_is_not_permitted_is_refused(self):
        for licence in ["GPL-3.0-only", "MIT AND MPL-2.0", ""]:
            with self.assertRaisesRegex(ReleaseError, "which is not permitted"):
                bill.check(bill.Package("a", "1.0.0", licence, "cargo"))
        with self.assertRaisesRegex(ReleaseError, "no SPDX expression"):
            bill.check(bill.Package("a", "1.0.0", "see LICENSE", "cargo"))
        bill.check(bill.Package("a", "1.0.0", "GPL-3.0-only OR (MIT AND Apache-2.0 WITH LLVM-exception)", "cargo"))

    def test_each_package_has_a_licence_text(self):
        texts = notices.texts(self.packages)
        self.assertEqual([package.key for package in self.packages if not texts[package.key]], [])
        fonts = next(package for package in self.packages if package.name == "hayro-font")
        self.assertTrue(any("PDFium" in text or "Foxit" in text for text in texts[fonts.key]))

    def test_package_without_text_and_without_a_known_licence_is_refused(self):
        with self.assertRaisesRegex(ReleaseError, "has no licence text"):
            notices.standard(bill.Package("a", "1.0.0", "BSL-1.0", "cargo"))

    def test_notices_have_every_package_once_and_no_path_of_this_machine(self):
        text = notices.notices(self.packages)
        for package in self.packages:
            self.assertEqual(text.count(f"\n{package.name} {package.version}: "), 1, package)
        self.assertNotIn("/.cargo/", text)
        # Zstandard is also under the GPL. Its other licence is chosen.
        self.assertNotIn("GNU GENERAL PUBLIC LICENSE\n", text)
        self.assertEqual(text, notices.notices(list(self.packages)))

    def test_bill_follows_the_schema_and_has_the_same_bytes(self):
        texts = [sbom.bill(self.packages, version(), self.target, TIME, "0" * 64) for _ in range(2)]
        self.assertEqual(texts[0], texts[1])
        document = json.loads(texts[0])
        self.assertEqual(document["metadata"]["timestamp"], "2023-11-14T22:13:20+00:00")
        self.assertEqual(len(document["components"]), len(self.packages))
        edges = {node["ref"]: node.get("dependsOn", []) for node in document["dependencies"]}
        wasm = next(ref for ref in edges if ref.startswith("cargo/sqlite-wasm-rs@"))
        self.assertTrue(any(ref.startswith("generic/sqlite@") for ref in edges[wasm]))


if __name__ == "__main__":
    unittest.main()
