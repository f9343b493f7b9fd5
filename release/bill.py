"""The packages whose code is in the program: its own and those of the components in it."""

import json
import pathlib
import re
from dataclasses import dataclass, field

from license_expression import AND, OR, get_spdx_licensing

from facts import PROJECT, ReleaseError, output_of

# The licences that a package in the program may have. All are permissive.
PERMITTED = {"0BSD", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "BSD-2-Clause", "BSD-3-Clause", "BSL-1.0",
             "CC0-1.0", "IJG", "ISC", "MIT", "MIT-0", "Unicode-3.0", "Unlicense", "Zlib", "blessing", "bzip2-1.0.6"}
GUESTS = "wasm32-wasip2"
HOST = "omniread-cli"
# The feature with which `release/build` builds the program.
FEATURE = "omniread-cli/compressed-engines"
# Reading the list of licences takes a third of a second.
LICENSING = get_spdx_licensing()


@dataclass
class Package:
    """A package in the program."""

    name: str
    version: str
    # An SPDX expression.
    licence: str
    # `cargo`, or `generic` for code that is not a crate.
    kind: str
    authors: str = ""
    repository: str = ""
    checksum: str = ""
    # The directory of its source.
    directory: pathlib.Path | None = None
    # The keys of the packages that it calls.
    needs: list = field(default_factory=list)

    @property
    def key(self):
        return f"{self.kind}/{self.name}@{self.version}"


def guests():
    """The packages of the components, as the build script lists them."""
    found = []
    for file in ["guest/components/build.rs", "guest/components/src/engines.rs"]:
        text = (PROJECT / file).read_text(encoding="utf-8")
        table = re.search(r"const (?:GUESTS|ENGINES): &\[\(&str, &str\)\] = &\[(.*?)\];", text, re.S)
        if table is None:
            raise ReleaseError(f"{file} lists the components in another way: change release/bill.py")
        found += re.findall(r'\("[\w-]+", "([\w-]+)"\)', table.group(1))
    return found


def compiled(target, roots, features=()):
    """The names and versions of the crates that are linked into packages. Macros and build scripts are not."""
    command = ["cargo", "tree", "--locked", "--edges", "normal,no-proc-macro", "--target", target, "--prefix", "none",
               "--format", "{p}"]
    for root in roots:
        command += ["--package", root]
    if features:
        command += ["--features", ",".join(features)]
    return set(re.findall(r"(?m)^([\w-]+) v(\S+)", output_of(command)))


def packages(target, host=HOST, host_features=()):
    """The packages in the program for a target, by name and version, or those in another crate that contains the
    components, such as that of the wheel.

    Raises ReleaseError if the licence of one is not permitted.
    """
    features = [f"omniread-{engine}-component/engine" for engine in ["documents", "pdf"]]
    if host == HOST:
        host_features = (*host_features, FEATURE)
    crates = compiled(target, [host], host_features) | compiled(GUESTS, guests(), features)
    metadata = json.loads(output_of(["cargo", "metadata", "--locked", "--format-version", "1", "--features", FEATURE,
                                     "--filter-platform", target, "--filter-platform", GUESTS]))
    lock = (PROJECT / "Cargo.lock").read_text(encoding="utf-8")
    checksums = dict(((name, version), digest) for name, version, digest in re.findall(
        r'name = "(.+)"\nversion = "(.+)"\nsource = .+\nchecksum = "(.+)"', lock))
    described = {package["id"]: package for package in metadata["packages"]
                 if (package["name"], package["version"]) in crates}
    found = {}
    for identity, package in described.items():
        name, version = package["name"], package["version"]
        found[identity] = Package(
            name, version, (package["license"] or "").replace(" / ", "/").replace("/", " OR "), "cargo",
            ", ".join(package["authors"]), package["repository"] or "", checksums.get((name, version), ""),
            pathlib.Path(package["manifest_path"]).parent)
    missing = crates - {(package.name, package.version) for package in found.values()}
    if missing:
        raise ReleaseError(f"cargo does not describe {sorted(missing)}: run `cargo metadata`")
    for node in metadata["resolve"]["nodes"]:
        if node["id"] in found:
            found[node["id"]].needs = sorted(found[other].key for other in node["dependencies"] if other in found)
    listed = list(found.values())
    listed += others(listed, target)
    for package in listed:
        check(package)
    return sorted(listed, key=lambda package: (package.name, package.version))


def others(crates, target):
    """Code in the program that is not a crate: SQLite, the standard library of Rust, and libraries of C."""
    found = []
    for package in crates:
        header = package.directory / "sqlite3/sqlite3.h"
        if header.is_file():
            version = re.search(r'define SQLITE_VERSION +"(.+?)"', header.read_text(encoding="utf-8")).group(1)
            found.append(Package("sqlite", version, "blessing", "generic", "D. Richard Hipp", "https://sqlite.org"))
            package.needs.append(found[-1].key)
    rust = re.search(r"rustc (\S+)", output_of(["rustc", "--version"])).group(1)
    found.append(Package("rust-std", rust, "MIT OR Apache-2.0", "generic", "The Rust Project contributors",
                         "https://github.com/rust-lang/rust"))
    # The compiler contains them: their version is that of the compiler.
    libraries = {"wasi-libc": "https://github.com/WebAssembly/wasi-libc"}
    if target.endswith("musl"):
        libraries["musl"] = "https://musl.libc.org"
    for name, address in libraries.items():
        found.append(Package(name, f"rust-{rust}", "MIT", "generic", f"The {name} contributors", address))
    return found


def check(package):
    """Raises ReleaseError if a package may not be distributed with the others."""
    try:
        parsed = LICENSING.parse(package.licence, validate=True)
    except Exception as error:
        raise ReleaseError(f"{package.name} {package.version} has the licence {package.licence!r}, which is no SPDX "
                           f"expression: {error}") from error
    if parsed is None or not permitted(parsed):
        raise ReleaseError(f"{package.name} {package.version} has the licence {package.licence!r}, which is not permitted: "
                           "replace the package, or add the licence to PERMITTED in release/bill.py")


def permitted(expression):
    """Whether one of the alternatives, and all parts of it, are permitted."""
    if isinstance(expression, OR):
        return any(permitted(part) for part in expression.args)
    if isinstance(expression, AND):
        return all(permitted(part) for part in expression.args)
    return str(expression) in PERMITTED
