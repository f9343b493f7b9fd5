"""Tests of the packages of a program that is built already: `OMNIREAD_RELEASE_PROGRAM`."""

import hashlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import tempfile
import unittest

import archives
import changelog
import debian
import image
from facts import DOCUMENTS, NOTICES, PROJECT, ReleaseError, host_target, manifest, stem, version

PROGRAM = os.environ["OMNIREAD_RELEASE_PROGRAM"]
RELEASE = PROJECT / "release"
TIME = 1_700_000_000


def package(out, *arguments, program=PROGRAM):
    command = [sys.executable, RELEASE / "package.py", "--dry-run", "--level", "1", "--target", host_target(),
               "--program", program, "--out", out, *arguments]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, "SOURCE_DATE_EPOCH": str(TIME)})


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.work = pathlib.Path(temporary.name)
        cls.out = cls.work / "artifacts"
        cls.packed = package(cls.out)
        assert cls.packed.returncode == 0, cls.packed.stderr
        command = [sys.executable, RELEASE / "finish.py", "--dry-run", cls.out]
        cls.finished = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "SOURCE_DATE_EPOCH": str(TIME)})
        assert cls.finished.returncode == 0, cls.finished.stderr
        (cls.work / "a.txt").write_text("one\ntwo\n")

    def reads(self, *command):
        output = subprocess.run([*command, "a.txt"], cwd=self.work, capture_output=True, text=True, check=True).stdout
        self.assertIn("2:two", output)

    def test_archive_has_the_program_and_its_documents(self):
        root = self.work / "unpacked"
        with tarfile.open(self.out / f"{stem(host_target())}.tar.gz") as archive:
            members = archive.getmembers()
            archive.extractall(root, filter="data")
        self.assertEqual({(member.uid, member.gid, member.mtime) for member in members}, {(0, 0, TIME)})
        files = {member.name.removeprefix(f"{stem(host_target())}/") for member in members if member.isfile()}
        completions = {"completions/omniread.bash", "completions/_omniread", "completions/omniread.fish", "completions/_omniread.ps1"}
        self.assertEqual(files, {*DOCUMENTS, NOTICES, "omniread", "man/omniread.1", *completions})
        files = root / stem(host_target())
        self.reads(files / "omniread")
        self.assertIn(".TH omniread", (files / "man/omniread.1").read_text())
        subprocess.run(["bash", "-n", files / "completions/omniread.bash"], check=True)

    def test_binstall_finds_the_archive_and_the_program_in_it(self):
        package = manifest("host/cli/Cargo.toml")["package"]
        facts = package["metadata"]["binstall"]
        values = {"repo": manifest()["workspace"]["package"]["repository"], "version": version(), "target": host_target(),
                  "bin": "omniread", "binary-ext": ""}
        def filled(text):
            for name, value in values.items():
                text = text.replace(f"{{ {name} }}", value)
            return text
        address = filled(facts["pkg-url"])
        self.assertNotIn("{", address)
        archive = self.out / address.rsplit("/", 1)[1]
        with tarfile.open(archive) as files:
            self.assertTrue(files.getmember(filled(facts["bin-dir"])).isfile())
        self.assertIn(address, (self.out / "omniread.rb").read_text())

    def test_debian_package_has_the_program_and_its_dependencies(self):
        if shutil.which("dpkg-deb") is None or not host_target().endswith("linux-gnu"):
            self.skipTest("the target has no Debian package")
        file = next(self.out.glob("*.deb"))
        field = lambda name: subprocess.run(["dpkg-deb", "--field", file, name], capture_output=True, text=True, check=True).stdout.strip()
        self.assertEqual(field("Version"), f"{version()}-1")
        self.assertRegex(field("Depends"), r"^libc6 \(>= 2\.\d+\)(, libgcc-s1)?$")
        root = self.work / "installed"
        subprocess.run(["dpkg-deb", "--extract", file, root], check=True)
        self.reads(root / "usr/bin/omniread")
        subprocess.run(["dpkg-deb", "--control", file, root / "DEBIAN"], check=True)
        subprocess.run(["md5sum", "--quiet", "--check", "DEBIAN/md5sums"], cwd=root, check=True)
        if shutil.which("lintian"):
            subprocess.run(["lintian", "--allow-root", "--fail-on", "error,warning", file], check=True, stderr=subprocess.DEVNULL)

    def test_image_runs_without_a_system_and_without_rights(self):
        file = self.out / f"omniread-{version()}.oci.tar"
        if not file.is_file():
            self.assertIn("skipped: the image needs buildah", self.finished.stdout)
            self.skipTest("buildah is not installed")
        layout, root = self.work / "layout", self.work / "image"
        with tarfile.open(file) as archive:
            archive.extractall(layout, filter="data")
        blob = lambda digest: layout / "blobs/sha256" / digest.split(":")[1]
        index = json.loads((layout / "index.json").read_text())["manifests"][0]
        image = json.loads(blob(json.loads(blob(index["digest"]).read_text())["manifests"][0]["digest"]).read_text())
        config = json.loads(blob(image["config"]["digest"]).read_text())
        self.assertEqual(config["config"]["Entrypoint"], ["/usr/bin/omniread"])
        self.assertEqual(config["config"]["User"], "65532:65532")
        self.assertEqual(config["config"]["Labels"]["org.opencontainers.image.version"], version())
        self.assertEqual(config["created"], "2023-11-14T22:13:20Z")
        for layer in image["layers"]:
            with tarfile.open(blob(layer["digest"])) as archive:
                archive.extractall(root, filter="data")
        self.assertTrue((root / "etc/ssl/certs/ca-certificates.crt").is_file())
        if os.geteuid() != 0:
            self.skipTest("a change of the root directory needs root")
        self.work.chmod(0o755)
        shutil.copy(self.work / "a.txt", root / "work")
        self.reads("chroot", "--userspec=65532:65532", root, "/usr/bin/omniread", "--root", "/work")

    def test_checksums_and_notes_are_those_of_the_release(self):
        subprocess.run(["sha256sum", "--quiet", "--check", "SHA256SUMS"], cwd=self.out, check=True)
        listed = {line.split("  ")[1] for line in (self.out / "SHA256SUMS").read_text().splitlines()}
        self.assertIn(f"{stem(host_target())}.cdx.json", listed)
        self.assertIn("gh attestation verify", (self.out / "notes.md").read_text())
        digest = hashlib.sha256(pathlib.Path(PROGRAM).read_bytes()).hexdigest()
        bill = json.loads((self.out / f"{stem(host_target())}.cdx.json").read_text())
        self.assertEqual(bill["metadata"]["component"]["hashes"], [{"alg": "SHA-256", "content": digest}])

    def test_release_needs_all_targets(self):
        run = subprocess.run([sys.executable, RELEASE / "finish.py", self.out], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertRegex(run.stderr, r"^finish\.py: (CHANGELOG\.md has no section|the formula for Homebrew needs)")

    def test_sizes_are_printed(self):
        self.assertRegex(self.packed.stdout, r"(?m)^ *[\d,]+  omniread \(at most [\d,]+")
        self.assertIn("SHA256SUMS", [file.name for file in self.out.iterdir()])


class Refused(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.work = pathlib.Path(temporary.name)

    def test_program_of_another_version_is_refused(self):
        other = self.work / "other"
        other.write_text("#!/bin/sh\necho omniread 9.9.9\n")
        other.chmod(0o755)
        run = package(self.work / "out", program=other)
        self.assertEqual(run.returncode, 1)
        self.assertIn("package.py: the program is `omniread 9.9.9`, and the version is", run.stderr)

    def test_directory_with_other_files_is_not_replaced(self):
        (self.work / "mine.txt").write_text("mine")
        run = package(self.work)
        self.assertEqual(run.returncode, 1)
        self.assertIn("has files that this program did not write", run.stderr)
        self.assertEqual((self.work / "mine.txt").read_text(), "mine")

    def test_missing_program_and_unknown_argument_have_the_usage(self):
        for arguments, part in [(["--program", self.work / "missing"], "there is no program"), (["--fast"], "unknown argument --fast"),
                                (["--target"], "--target needs a value")]:
            run = subprocess.run([RELEASE / "build", *arguments], capture_output=True, text=True)
            self.assertEqual(run.returncode, 2, run.stderr)
            self.assertIn(part, run.stderr)
            self.assertIn("release/build [--dry-run]", run.stderr)


    def test_release_without_a_section_of_the_change_log_is_refused_before_the_build(self):
        if version() in changelog.sections((PROJECT / "CHANGELOG.md").read_text(encoding="utf-8")):
            self.skipTest("the change log has the section")
        run = subprocess.run([RELEASE / "build", "--out", self.work / "out"], capture_output=True, text=True)
        self.assertEqual(run.returncode, 1)
        self.assertIn(f"changelog.py: CHANGELOG.md has no section {version()}: rename `## Unreleased`", run.stderr)
        self.assertFalse((self.work / "out").exists())


class SameBytes(unittest.TestCase):
    """Files with other times, rights, owners and an order of creation of their own give the same packages."""

    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.work = pathlib.Path(temporary.name)
        names = ["CHANGELOG.md", "README.md", NOTICES, "man/omniread.1", "completions/omniread.bash", "completions/_omniread",
                 "completions/omniread.fish"]
        for place, order, umask in [("one", names, 0o022), ("two", names[::-1], 0o077)]:
            before = os.umask(umask)
            for name in order:
                path = self.work / place / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(f"{name}\n" * 1000)
            os.umask(before)
            shutil.copy(shutil.which("true"), self.work / place / "omniread")
            if place == "two":
                os.utime(self.work / place / "README.md", (1, 1))

    def same(self, write):
        files = [write(self.work / place, self.work / f"{place}.out") for place in ["one", "two"]]
        self.assertEqual(files[0].read_bytes(), files[1].read_bytes())

    def test_archives(self):
        for pack in [archives.write_tar, archives.write_zip, lambda root, file, time, _: archives.write_plain_tar(root, file, time)]:
            def write(root, file):
                pack(root, file, TIME, 6)
                return file
            self.same(write)

    def test_debian_packages(self):
        if shutil.which("dpkg-deb") is None:
            self.skipTest("dpkg-deb is not installed")
        def write(root, file):
            out = file.with_suffix(".deb-of")
            out.mkdir()
            return debian.write(root, out, "x86_64-unknown-linux-gnu", version(), TIME, 6)
        self.same(write)

    def test_images_for_two_architectures(self):
        if shutil.which("buildah") is None:
            self.skipTest("buildah is not installed")
        for name in DOCUMENTS:
            for place in ["one", "two"]:
                (self.work / place / name).write_text(name)
        def write(root, out):
            out.mkdir()
            for cpu in image.ARCHITECTURES:
                target = f"{cpu}-unknown-linux-musl"
                with tempfile.TemporaryDirectory() as directory:
                    shutil.copytree(root, pathlib.Path(directory) / stem(target))
                    archives.write_tar(pathlib.Path(directory), out / f"{stem(target)}.tar.gz", TIME, 1)
            return image.write(out, version(), TIME)
        self.same(write)

    def test_image_without_an_architecture_is_refused(self):
        with self.assertRaisesRegex(ReleaseError, "needs .*x86_64-unknown-linux-musl.tar.gz, .*aarch64-unknown-linux-musl.tar.gz: build"):
            image.chosen(self.work, False)


if __name__ == "__main__":
    unittest.main()
