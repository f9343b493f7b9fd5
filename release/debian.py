"""The package for Debian and Ubuntu."""

import email.utils
import hashlib
import os
import re
import shutil
import subprocess
import textwrap

from archives import compressed, tree
from facts import NOTICES, PROJECT, ReleaseError, architecture_of, manifest, output_of

ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
FORMATS = ("It reads text, directories, archives, SQLite databases, images, notebooks, PDF, office documents, mails and web "
           "pages. Every parser runs in a WebAssembly sandbox.")
MAINTAINER = "The omniread authors <omniread@users.noreply.github.com>"
# The revision of the package for one version of the program.
REVISION = 1
# What lintian reports, and why it stays: a fixed address makes the start faster, as host/cli/build.rs says. A table
# names a font, by which lintian detects FreeType, which is not in the program. The package closes no bug of Debian.
OVERRIDES = ["hardening-no-pie", "embedded-library", "initial-upload-closes-no-bugs"]
LIBRARIES = {"libc.so.6": "libc6", "libm.so.6": "libc6", "libpthread.so.0": "libc6", "libdl.so.2": "libc6",
             "librt.so.1": "libc6", "ld-linux-x86-64.so.2": "libc6", "ld-linux-aarch64.so.1": "libc6",
             "libgcc_s.so.1": "libgcc-s1"}


def dependencies(program):
    """The packages with the libraries that a program needs, and the version of glibc that it was linked for."""
    facts = output_of(["readelf", "--wide", "--dynamic", "--version-info", program], env={**os.environ, "LC_ALL": "C"})
    packages = set()
    for library in re.findall(r"\(NEEDED\).*\[(.+)\]", facts):
        if library not in LIBRARIES:
            raise ReleaseError(f"the program needs {library}: add its package to LIBRARIES in release/debian.py, or link it statically")
        packages.add(LIBRARIES[library])
    versions = [tuple(map(int, found.split("."))) for found in re.findall(r"Name: GLIBC_([0-9.]+)", facts)]
    newest = ".".join(map(str, max(versions, default=(0,))))
    return sorted(f"libc6 (>= {newest})" if package == "libc6" else package for package in packages)


def control(version, architecture, depends, size):
    """The facts of the package."""
    package = manifest()["workspace"]["package"]
    summary, details = "sandboxed read tool for agents", package["description"]
    lines = ["Package: omniread", f"Version: {version}-{REVISION}", f"Architecture: {architecture}",
             f"Maintainer: {MAINTAINER}", f"Installed-Size: {size}"]
    if depends:
        lines.append(f"Depends: {', '.join(depends)}")
    lines += ["Recommends: ca-certificates", "Section: utils", "Priority: optional", f"Homepage: {package['repository']}",
              f"Description: {summary}", *textwrap.wrap(f"{details}.", 78, initial_indent=" ", subsequent_indent=" "), " .",
              *textwrap.wrap(FORMATS, 78, initial_indent=" ", subsequent_indent=" ")]
    return "\n".join(lines) + "\n"


def copyright_file():
    """https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/"""
    mit = (PROJECT / "LICENSE-MIT").read_text(encoding="utf-8")
    owner = re.search(r"(?m)^Copyright \(c\) (.+)$", mit).group(1)
    text = mit[mit.index("Permission is"):].strip()
    indented = "\n".join(f" {line}" if line.strip() else " ." for line in text.splitlines())
    return (f"Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\n"
            f"Upstream-Name: omniread\nSource: {manifest()['workspace']['package']['repository']}\n"
            f"Comment: The licences of the libraries in the program are in\n /usr/share/doc/omniread/{NOTICES}.gz.\n\n"
            f"Files: *\nCopyright: {owner}\nLicense: Expat or Apache-2.0\n\n"
            f"License: Expat\n{indented}\n\n"
            "License: Apache-2.0\n On Debian systems, the text is in /usr/share/common-licenses/Apache-2.0.\n")


def write(stage, out, target, version, epoch, level):
    """Builds the package from the files of an archive. Returns its file."""
    architecture = ARCHITECTURES.get(architecture_of(target))
    if architecture is None:
        raise ReleaseError(f"{target}: Debian's name of this architecture is not in ARCHITECTURES of release/debian.py")
    root = out / "deb"
    shutil.rmtree(root, ignore_errors=True)
    doc = "usr/share/doc/omniread"
    changes = (f"omniread ({version}-{REVISION}) unstable; urgency=medium\n\n  * Release {version}: see changelog.gz.\n\n"
               f" -- {MAINTAINER}  {email.utils.formatdate(epoch)}\n")
    # Policy 12.3 and 12.7: documents are compressed with the highest level.
    packed = {"usr/share/man/man1/omniread.1.gz": (stage / "man/omniread.1").read_bytes(),
              f"{doc}/changelog.gz": (stage / "CHANGELOG.md").read_bytes(),
              f"{doc}/changelog.Debian.gz": changes.encode(),
              f"{doc}/{NOTICES}.gz": (stage / NOTICES).read_bytes()}
    files = {name: compressed(data, 9) for name, data in packed.items()}
    files[f"{doc}/copyright"] = copyright_file().encode()
    files[f"{doc}/README.md"] = (stage / "README.md").read_bytes()
    files["usr/share/lintian/overrides/omniread"] = "".join(f"omniread: {tag}\n" for tag in OVERRIDES).encode()
    files["usr/share/bash-completion/completions/omniread"] = (stage / "completions/omniread.bash").read_bytes()
    files["usr/share/zsh/vendor-completions/_omniread"] = (stage / "completions/_omniread").read_bytes()
    files["usr/share/fish/vendor_completions.d/omniread.fish"] = (stage / "completions/omniread.fish").read_bytes()
    for name, data in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    (root / "usr/bin").mkdir()
    shutil.copy(stage / "omniread", root / "usr/bin/omniread")
    sums, size = "", 0
    for name, path, mode in list(tree(root)):
        path.chmod(mode)
        if path.is_file():
            sums += f"{hashlib.md5(path.read_bytes(), usedforsecurity=False).hexdigest()}  {name}\n"
            size += -(-path.stat().st_size // 1024)
    (root / "DEBIAN").mkdir()
    depends = dependencies(root / "usr/bin/omniread")
    (root / "DEBIAN/control").write_text(control(version, architecture, depends, size))
    (root / "DEBIAN/md5sums").write_text(sums)
    root.chmod(0o755)
    file = out / f"omniread_{version}-{REVISION}_{architecture}.deb"
    # Old versions of dpkg read only gzip and xz. One thread: the bytes depend on their number.
    subprocess.run(["dpkg-deb", "--root-owner-group", "-Zxz", f"-z{level}", "--threads-max=1", "--build", root, file],
                   env={**os.environ, "SOURCE_DATE_EPOCH": str(epoch)}, check=True, stdout=subprocess.DEVNULL)
    shutil.rmtree(root)
    return file
