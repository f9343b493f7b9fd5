"""Tests of the versions, the change log, the sizes and the formula, which need no program."""

import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import unittest.mock

import changelog
import formula
import image
import sizes
import versions
from facts import PROJECT, ReleaseError, manifest, stem, version

RELEASE = PROJECT / "release"


class Copy(unittest.TestCase):
    """A test with a copy of the files of the project that name versions."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.project = pathlib.Path(temporary.name)
        members = [f"{member}/Cargo.toml" for member in manifest()["workspace"]["members"]]
        others = [path.relative_to(PROJECT) for path in [*PROJECT.glob("packages/*/pyproject.toml"),
                                                         *PROJECT.glob("packages/*/package.json")]]
        for name in ["Cargo.toml", "Cargo.lock", "CHANGELOG.md", *members, *others]:
            (self.project / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(PROJECT / name, self.project / name)

    def edit(self, name, old, new):
        path = self.project / name
        text = path.read_text(encoding="utf-8")
        self.assertIn(old, text)
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def refused(self, *parts):
        with self.assertRaises(ReleaseError) as caught:
            versions.checked(self.project)
        for part in parts:
            self.assertIn(part, str(caught.exception))


class Versions(Copy):
    def test_project_has_one_version(self):
        self.assertEqual(versions.checked(), version())
        self.assertEqual(versions.checked(self.project, f"v{version()}"), version())

    def test_tag_of_another_version_is_refused(self):
        with self.assertRaisesRegex(ReleaseError, "the tag is v9.9.9 and the version is"):
            versions.checked(self.project, "v9.9.9")

    def test_crate_with_a_version_of_its_own_is_refused(self):
        self.edit("host/mcp/Cargo.toml", "version.workspace = true", 'version = "9.9.9"')
        self.refused("host/mcp/Cargo.toml: write `version.workspace = true`")

    def test_lock_file_of_another_version_is_refused(self):
        self.edit("Cargo.lock", f'name = "omniread-mcp"\nversion = "{version()}"', 'name = "omniread-mcp"\nversion = "9.9.9"')
        self.refused("Cargo.lock has omniread-mcp 9.9.9", "cargo update --workspace")

    def test_python_package_of_another_version_is_refused(self):
        self.edit("packages/python/pyproject.toml", 'dynamic = ["version"]', 'version = "9.9.9"')
        self.refused("packages/python/pyproject.toml has the version 9.9.9")

    def test_npm_package_of_another_version_is_refused(self):
        self.npm({"version": "9.9.9"})
        self.refused("packages/node/package.json has the version 9.9.9")

    def test_npm_package_that_needs_code_of_another_version_is_refused(self):
        self.npm({"version": version(), "optionalDependencies": {"@omniread/linux-x64-gnu": "9.9.9", "other": "1.0.0"}})
        self.refused("depends on @omniread/linux-x64-gnu 9.9.9")

    def test_private_npm_package_has_no_version(self):
        self.npm({"private": True})
        self.assertEqual(versions.checked(self.project), version())

    def npm(self, package):
        path = self.project / "packages/node/package.json"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps({"name": "omniread", **package}))

    def test_program_names_all_differences_without_a_traceback(self):
        self.edit("Cargo.toml", f'version = "{version()}"', 'version = "9.9.9"')
        run = subprocess.run([sys.executable, RELEASE / "versions.py", "--project", self.project], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertTrue(run.stderr.startswith("versions.py: the packages have different versions\n"), run.stderr)
        self.assertNotIn("Traceback", run.stderr)


class Changelog(Copy):
    def section(self, text, *arguments, **options):
        (self.project / "CHANGELOG.md").write_text(text, encoding="utf-8")
        return changelog.section(*arguments, self.project, **options)

    def test_section_ends_at_the_next_version(self):
        text = "# Changelog\n\n## Unreleased\n\n* c\n\n## 0.2.0 - 2026-12-01\n\n### Fixed\n\n* b\n\n## 0.1.0\n\n* a\n"
        self.assertEqual(self.section(text, "0.2.0"), "### Fixed\n\n* b")
        self.assertEqual(self.section(text, "0.1.0"), "* a")

    def test_missing_section_is_refused_with_the_next_step(self):
        with self.assertRaisesRegex(ReleaseError, "has no section 0.3.0: rename `## Unreleased` to `## 0.3.0`"):
            self.section("# Changelog\n\n## Unreleased\n\n* c\n", "0.3.0")
        with self.assertRaisesRegex(ReleaseError, "has no section 0.3.0: add `## 0.3.0`"):
            self.section("# Changelog\n", "0.3.0", unreleased=True)

    def test_dry_run_takes_the_section_of_the_next_release(self):
        self.assertEqual(self.section("# Changelog\n\n## Unreleased\n\n* c\n", "0.3.0", unreleased=True), "* c")

    def test_empty_and_repeated_sections_are_refused(self):
        with self.assertRaisesRegex(ReleaseError, "is empty"):
            self.section("# Changelog\n\n## 0.3.0\n\n## 0.2.0\n\n* b\n", "0.3.0")
        with self.assertRaisesRegex(ReleaseError, "two sections 0.3.0"):
            self.section("## 0.3.0\n\n* a\n\n## 0.3.0\n\n* b\n", "0.3.0")

    def test_section_of_the_project_is_there(self):
        self.assertIn("###", changelog.section(version(), unreleased=True))


class Sizes(unittest.TestCase):
    def test_artifact_above_its_bar_is_refused(self):
        with self.assertRaisesRegex(ReleaseError, r"omniread has 999,000,000 bytes, and may have \d+,000,000"):
            sizes.check([("omniread", 999_000_000), ("omniread.rb", 1)])

    def test_each_row_has_a_reason_and_a_goal_below_its_bar(self):
        # The sizes of the portable components when their rows were written.
        sizes.check([("omniread.wasm", 17_410_938), ("omniread-full.wasm", 26_013_448), ("omniread-net.wasm", 25_928_635)])
        for row in manifest("release/sizes.toml")["artifact"]:
            self.assertGreater(len(row["reason"]), 20, row)
            self.assertLess(row.get("wanted", 0), row["most"], row)

    def test_files_and_directories_of_artifacts_are_checked(self):
        with tempfile.TemporaryDirectory() as temporary:
            work = pathlib.Path(temporary)
            def check(*paths):
                return subprocess.run([RELEASE / "sizes.py", *paths], capture_output=True, text=True)
            wheel = work / "omniread-0.1.0-cp310-abi3-manylinux_2_28_x86_64.whl"
            wheel.write_bytes(b"1234")
            (work / ".hidden").touch()
            run = check(work, wheel)
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertEqual(run.stdout.count(f"           4  {wheel.name} (at most "), 2)
            (work / "more").mkdir()
            run = check(wheel, work / "more")
            self.assertEqual((run.returncode, run.stderr), (1, f"sizes.py: {work}/more has no artifacts: build them first\n"))
            package = work / "omniread-linux-x64-gnu-0.1.0.tgz"
            with package.open("wb") as file:
                file.truncate(999_000_000)
            run = check(work)
            self.assertEqual(run.returncode, 1)
            self.assertIn(f"{package.name} has 999,000,000 bytes, and may have", run.stderr)

    def test_program_of_a_release_has_a_lower_bar_than_that_of_tests(self):
        with unittest.mock.patch.dict(os.environ):
            os.environ.pop("OMNIREAD_TEST_SIZES", None)
            with self.assertRaisesRegex(ReleaseError, "omniread has 88,000,000 bytes, and may have 4[0-9],[0-9]00,000"):
                sizes.check([("omniread", 88_000_000)])
            os.environ["OMNIREAD_TEST_SIZES"] = "1"
            sizes.check([("omniread", 88_000_000)])

    def test_artifact_without_a_row_is_refused(self):
        with self.assertRaisesRegex(ReleaseError, "has no row for x.y"):
            sizes.bar("x.y", [{"name": "*.z"}])


class Workflow(unittest.TestCase):
    def test_workflow_builds_every_target_that_formula_and_image_need(self):
        text = (PROJECT / ".github/workflows/release.yml").read_text(encoding="utf-8")
        built = set(re.findall(r"- \{ target: ([\w-]+), runner: [\w.-]+ \}", text))
        needed = {*formula.TARGETS.values(), *(f"{cpu}-unknown-linux-musl" for cpu in image.ARCHITECTURES)}
        self.assertEqual(needed - built, set())
        self.assertEqual(len(built), 8)

    def test_workflow_checks_all_packages_before_it_publishes(self):
        text = (PROJECT / ".github/workflows/release.yml").read_text(encoding="utf-8")
        collect, publish = text.index("\n  collect:"), text.index("\n  publish:")
        self.assertIn("release/sizes.py wheels npm crates", text[collect:publish])
        self.assertIn("needs: collect", text[publish:])
        crates = text[text.index("\n  crates:"):collect]
        self.assertIn("release/check-api crates", crates)
        # That of macOS and Windows is not built by `.ci/python`, which adds the licences.
        self.assertIn("release/notices.py --package omniread-python --features compressed packages/python/THIRD-PARTY-NOTICES.txt", text)


class Formula(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.directory = pathlib.Path(temporary.name)

    def test_missing_archive_is_refused(self):
        (self.directory / f"{stem('x86_64-apple-darwin')}.tar.gz").write_bytes(b"1")
        with self.assertRaisesRegex(ReleaseError, "needs .*aarch64-apple-darwin.tar.gz.*: build them"):
            formula.text(version(), self.directory)

    def test_dry_run_without_any_archive_has_no_formula(self):
        self.assertIsNone(formula.text(version(), self.directory, partial=True))

    def test_formula_has_the_address_and_the_checksum_of_each_archive(self):
        for target in formula.TARGETS.values():
            (self.directory / f"{stem(target)}.tar.gz").write_bytes(target.encode())
        text = formula.text(version(), self.directory)
        for target in formula.TARGETS.values():
            self.assertIn(f"/v{version()}/{stem(target)}.tar.gz\"\n      sha256 \"{hashlib.sha256(target.encode()).hexdigest()}", text)
        if shutil.which("ruby"):
            subprocess.run(["ruby", "-c"], input=text, text=True, check=True, stdout=subprocess.DEVNULL)


if __name__ == "__main__":
    unittest.main()
