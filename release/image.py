"""The container image: the program, certificates and licences, and no system. `buildah` builds it without a service."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tarfile
import tempfile

from archives import EXECUTABLE, PLAIN, write_plain_tar
from facts import DOCUMENTS, NOTICES, PROJECT, ReleaseError, host_target, output_of, stem

# The names that registries have for architectures.
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
CERTIFICATES = pathlib.Path("/etc/ssl/certs/ca-certificates.crt")
# A user without rights. The number is that of other images without a system.
PASSWD = "nonroot:x:65532:65532:nonroot:/:/sbin/nologin\n"


def libraries(program):
    """The loader and the libraries of a program that is not linked statically."""
    linked = subprocess.run(["ldd", program], capture_output=True, text=True, env={**os.environ, "LC_ALL": "C"}, check=False)
    if "not found" in linked.stdout:
        raise ReleaseError(f"libraries of {program} are missing on this machine: {linked.stdout}")
    return [pathlib.Path(path) for path in re.findall(r"(/\S+) \(0x", linked.stdout)]


def write_root(root, archive):
    """Writes the files of an image from those of an archive."""
    folder = archive.name.removesuffix(".tar.gz")
    doc = root / "usr/share/doc/omniread"
    for directory in [root / "usr/bin", root / "etc/ssl/certs", root / "work", doc]:
        directory.mkdir(parents=True)
    with tarfile.open(archive) as files:
        for name, place in {"omniread": root / "usr/bin", **dict.fromkeys([*DOCUMENTS, NOTICES], doc)}.items():
            with files.extractfile(f"{folder}/{name}") as content:
                (place / name).write_bytes(content.read())
    (root / "etc/passwd").write_text(PASSWD)
    if not CERTIFICATES.is_file():
        raise ReleaseError(f"{CERTIFICATES} is missing: install the package ca-certificates")
    shutil.copy(CERTIFICATES, root / "etc/ssl/certs")
    program = root / "usr/bin/omniread"
    if not folder.endswith("musl"):
        for library in libraries(program):
            place = root / library.relative_to("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(library.resolve(), place)
            place.chmod(EXECUTABLE)
    for path in root.rglob("*"):
        path.chmod(EXECUTABLE if path.is_dir() or path == program or path.stat().st_mode & 0o100 else PLAIN)


def chosen(directory, partial):
    """The archives of an image by architecture. With `partial`, that of this machine is enough, with its libraries."""
    wanted = {name: directory / f"{stem(f'{cpu}-unknown-linux-musl')}.tar.gz" for cpu, name in ARCHITECTURES.items()}
    found = {name: archive for name, archive in wanted.items() if archive.is_file()}
    if len(found) == len(wanted) or (partial and found):
        return found
    native = directory / f"{stem(host_target())}.tar.gz"
    if partial and native.is_file():
        return {ARCHITECTURES[host_target().split("-")[0]]: native}
    missing = [archive.name for archive in wanted.values() if not archive.is_file()]
    raise ReleaseError(f"the image needs {', '.join(missing)}: build them with `release/build --target`")


def write(directory, version, epoch, partial=False):
    """Builds the image from the archives in a directory. Returns its file, an OCI archive.

    Raises ReleaseError if an archive is missing.
    """
    if shutil.which("buildah") is None:
        raise ReleaseError("the image needs buildah: install it with `apt-get install buildah`")
    archives = chosen(directory, partial)
    file = directory / f"omniread-{version}.oci.tar"
    with tempfile.TemporaryDirectory(prefix="omniread-image-") as temporary:
        work = pathlib.Path(temporary)
        buildah = ["buildah", "--root", work / "storage", "--runroot", work / "run", "--storage-driver", "vfs"]
        for architecture, archive in archives.items():
            write_root(work / f"root-{architecture}", archive)
            output_of([*buildah, "build", "--quiet", "--isolation", "chroot", "--format", "oci", "--layers=false",
                       "--timestamp", str(epoch), "--platform", f"linux/{architecture}", "--build-arg", f"VERSION={version}",
                       "--build-arg", f"ROOT=root-{architecture}", "--manifest", "omniread",
                       "--file", PROJECT / "release/Containerfile", work])
        output_of([*buildah, "manifest", "push", "--quiet", "--all", "omniread", f"oci:{work / 'layout'}:{version}"])
        check(work / "layout", len(archives))
        write_plain_tar(work / "layout", file, epoch)
    return file


def check(layout, wanted):
    """Raises ReleaseError if a layout has not as many images as architectures."""
    index = json.loads((layout / "index.json").read_text())["manifests"][0]
    images = json.loads((layout / "blobs/sha256" / index["digest"].split(":")[1]).read_text()).get("manifests", [])
    if len(images) != wanted:
        raise ReleaseError(f"the image has {len(images)} architectures, not {wanted}: the version of buildah may be too old")
