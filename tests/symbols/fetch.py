"""Downloads the packages of `packages.tsv` with the clients of their registries. No code of a package is run.

`apt-get source` needs a `deb-src` line in the sources of apt, such as `Types: deb deb-src` in
`/etc/apt/sources.list.d/debian.sources`.
"""

import os
import pathlib
import shutil
import subprocess
import tarfile
import tempfile
import zipfile


def packages(table):
    """The language, the folder and the pattern of each package."""
    for row in pathlib.Path(table).read_text().splitlines()[1:]:
        language, registry, name, version, pattern = row.split("\t")
        yield language, registry, name, version, pattern


def folder(cache, registry, name, version):
    """The folder with the files of a package, which is downloaded if it is not there."""
    place = pathlib.Path(cache) / registry / f"{name.replace('/', '__')}-{version}"
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=place.parent) as work:
            FETCH[registry](name, version, work)
            archives = sorted(pathlib.Path(work).iterdir())
            # Debian divides some sources into several archives. One has the upstream code.
            archive = next((one for one in archives if ".orig.tar." in one.name), archives[0])
            target = pathlib.Path(work) / "unpacked"
            unpack(archive, target)
            shutil.move(target, place)
    below = list(place.iterdir())
    return below[0] if len(below) == 1 and below[0].is_dir() else place


def run(*arguments, **more):
    return subprocess.run(arguments, check=True, stdout=subprocess.PIPE, text=True, **more).stdout


def crates(name, version, work):
    home = pathlib.Path(work) / "home"
    environment = {**os.environ, "CARGO_HOME": str(home)}
    settings = pathlib.Path(os.environ.get("CARGO_HOME", pathlib.Path.home() / ".cargo")) / "config.toml"
    more = ["--config", str(settings)] if settings.exists() else []
    run("cargo", *more, "info", "--quiet", "--registry", "crates-io", f"{name}@{version}", env=environment, cwd=work)
    archive = next(home.glob(f"registry/cache/*/{name}-{version}.crate"))
    shutil.move(archive, pathlib.Path(work) / archive.name)
    shutil.rmtree(home)


def npm(name, version, work):
    run("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", work, f"{name}@{version}", cwd=work)


def pypi(name, version, work):
    run("python3", "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest", work, f"{name}=={version}")


def debian(name, version, work):
    described = run("apt-cache", "showsrc", "--only-source", name)
    versions = [line.split()[1] for line in described.splitlines() if line.startswith("Version: ")]
    full = next(one for one in versions if one.split(":")[-1].rsplit("-", 1)[0] == version)
    run("apt-get", "source", "-qq", "--download-only", "--tar-only", f"{name}={full}", cwd=work)


def deb(name, version, work):
    """A package with scripts in place of the sources."""
    run("apt-get", "download", "-qq", name, cwd=work)
    archive = next(pathlib.Path(work).glob("*.deb"))
    run("dpkg-deb", "--extract", str(archive), str(pathlib.Path(work) / "unpacked"))


FETCH = {"crates": crates, "npm": npm, "pypi": pypi, "debian": debian, "deb": deb}


def unpack(archive, target):
    if target.exists():
        return
    if zipfile.is_zipfile(archive):
        with zipfile.ZipFile(archive) as members:
            members.extractall(target)
    else:
        with tarfile.open(archive) as members:
            members.extractall(target, filter="data")
