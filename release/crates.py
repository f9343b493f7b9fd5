#!/usr/bin/env python3
"""Writes the crates that a release publishes into a workspace of their own: DIRECTORY.

The crate `omniread-code` of this project compiles the guests. The published crate of this name contains what it compiled,
in four crates for each target, because a crate has at most 10 MB. All other public crates are copied. `omniread-component`
contains the components, for hosts that compile them themselves.

A package with `publish = false` is not copied. A line of a manifest that ends with `# not published` is left out.

The crate of the command line gets the profile `release` of this project, which an installation uses: cargo takes the profile
of the package that it installs. Optimised alike, the dependencies take twice as long to compile.
"""

import argparse
import json
import lzma
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tomllib

import metadata
import outputs
from facts import PROJECT, architecture_of, host_target, run

# The largest crate that crates.io accepts, in bytes.
LARGEST_CRATE = 10 << 20
# The largest size of the compressed components in bytes.
LARGEST_COMPONENT = 9_000_000
# The crates with the code of a target: the end of the name, and the files.
PARTS = {
    "reader": ["reader", "sqlite"],
    "images": ["images"],
    "limited": ["reader-unreserved"],
    "documents": ["documents", "pdf"],
}
ENGINES = ["sqlite", "images", "documents", "pdf"]
# The engines that the feature `documents` adds.
DOCUMENTS = ["documents", "pdf"]
# The components in `omniread-component`.
COMPONENTS = ["reader", "sqlite", "images", "documents", "pdf", "standalone", "offline"]
# The form of a target in `cfg`, by parts of its triple.
SYSTEMS = {"linux": "linux", "apple": "macos", "windows": "windows"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", type=pathlib.Path, help="the directory to write")
    parser.add_argument("--target", action="append", help="a target with code of its own (repeatable; default: this machine)")
    parser.add_argument("--native", action="store_true",
                        help="take the code of the last build, which may need the processor of this machine; for tests, not for a release")
    arguments = parser.parse_args()
    out = arguments.directory.resolve()
    outputs.replace(out, "release-crates")
    manifest = tomllib.loads((PROJECT / "Cargo.toml").read_text())
    version = manifest["workspace"]["package"]["version"]
    targets = [None] if arguments.native else arguments.target or [host_target()]
    # The compiler of wasmtime is built once for all targets.
    others = not arguments.native and any(architecture_of(target) != architecture_of(host_target()) for target in targets)
    crates = []
    places = {}
    for target in targets:
        name, found = target_crates(out, target, others)
        places[name] = found
        crates += found["crates"]
    crates.append(component_crate(out, places))
    crates.append(code_crate(out, places, version))
    crates += copied_crates(out, manifest)
    write_workspace(out, crates, version)
    add_profile(out, manifest["profile"]["release"])
    metadata.check([crate / "Cargo.toml" for crate in crates], manifest["workspace"]["package"])
    print(f"{len(crates)} crates in {out}")


def built(target, others):
    """The directories with what the build scripts of the components and of the code wrote, by package. Without a target,
    the code of the last build of the program, which may need the processor of this machine. With `others`, the compiler
    has the architectures of other machines as well."""
    command = ["cargo", "build", "--release", "--locked", "--message-format", "json"]
    environment = dict(os.environ)
    if target:
        command += ["--package", "omniread-code", "--target", target]
        if others:
            command += ["--features", "other-architectures"]
        environment["OMNIREAD_PORTABLE"] = "1"
    else:
        command += ["--bin", "omniread"]
    run = subprocess.run(command, cwd=PROJECT, env=environment, stdout=subprocess.PIPE, text=True, check=True)
    found = {}
    for line in run.stdout.splitlines():
        message = json.loads(line)
        if message["reason"] == "build-script-executed":
            found[re.sub(r"[#@].*", "", message["package_id"].rsplit("/", 1)[-1])] = pathlib.Path(message["out_dir"])
    return found


def compressed(data):
    """The data as `.lzma`. The filter of xz for machine code would save 4 %, and needs another crate."""
    filters = [{"id": lzma.FILTER_LZMA1, "preset": 9, "dict_size": 1 << 24, "lc": 4, "lp": 0, "pb": 0}]
    return lzma.compress(data, lzma.FORMAT_ALONE, filters=filters)


def target_crates(out, target, others):
    """Compiles the code for a target, and writes its crates. Returns the name of the target and what is known of it."""
    directories = built(target, others)
    target = target or host_target()
    system = next((value for part, value in SYSTEMS.items() if part in target), None)
    if system is None:
        sys.exit(f"{target}: the system of this target is not in SYSTEMS of {sys.argv[0]}")
    architecture = architecture_of(target)
    name = f"{architecture}-{system}"
    if (out / "code" / f"{name}-reader").exists():
        sys.exit(f"{target}: the code for {name} is that of another target in the list: name one of them")
    files = {}
    code = directories["code"]
    mapped = offsets(code)
    for file in code.glob("*.cwasm*"):
        files[file.name.split(".")[0]] = file.read_bytes()
    crates = []
    for part, members in PARTS.items():
        directory = out / "code" / f"{name}-{part}"
        (directory / "data").mkdir(parents=True)
        items = []
        for member in members:
            data = files[member]
            if member == "reader-unreserved":
                # It stays compressed as in the program, because few processes need it.
                (directory / "data" / f"{member}.deflate").write_bytes(data)
                items.append(item(member, "data"))
                continue
            (directory / "data" / f"{member}.cwasm.lzma").write_bytes(compressed(data))
            items.append(item(member, "OUT_DIR"))
            items.append(f"/// The position of the second form of {constant(member)}.\n"
                         f"pub const {constant(member)}_MAPPED: usize = {mapped[member]};\n")
        package = f"omniread-code-{name}-{part}".replace("_", "-")
        write_crate(directory, package, f"Machine code of omniread for {architecture} {system}: {', '.join(members)}",
                    "[build-dependencies]\n# Decompresses the code.\n"
                    'lzma-rust2 = { version = "0.23", default-features = false, features = ["std"] }\n',
                    CODE_LIB.format(architecture=architecture, system=system, items="\n".join(items)), CODE_BUILD)
        size = sum(file.stat().st_size for file in (directory / "data").iterdir())
        print(f"{package}: {size:,} bytes", flush=True)
        if size > LARGEST_CRATE:
            sys.exit(f"{package} is larger than the {LARGEST_CRATE:,} bytes that crates.io accepts: divide it in PARTS")
        crates.append(directory)
    generated = (code / "items.rs").read_text()
    constants = re.search(r"pub const READER_MEMORY: usize = [^;]+;", generated).group()
    direct = re.search(r"pub const DIRECT: [^;]+;", generated).group()
    found = {"crates": crates, "architecture": architecture, "system": system, "constants": f"{constants}\n{direct}"}
    return name, found | {"components": directories["components"]}


def offsets(code):
    """The positions of the second forms, as the generated items have them."""
    items = (code / "items.rs").read_text()
    places = re.findall(r'/([a-z]+)\.cwasm"\)\)\)\.0\), mapped: (\d+) << 12', items)
    return {name: int(pages) << 12 for name, pages in places}


def part_of(member):
    """The crate that has a file."""
    return next(part for part, members in PARTS.items() if member in members)


def constant(member):
    return member.upper().replace("-", "_")


def item(member, place):
    if place == "data":
        return (f"/// The compressed code `{member}`.\n"
                f'pub static {constant(member)}: &[u8] = include_bytes!("../data/{member}.deflate");\n')
    return (f"/// The code `{member}`, aligned to the largest page size.\n"
            f"pub static {constant(member)}: &[u8] =\n"
            f'    &Aligned(*include_bytes!(concat!(env!("OUT_DIR"), "/{member}.cwasm"))).0;\n')


CODE_LIB = """//! Machine code of [omniread](https://docs.rs/omniread) for {architecture} {system}. It is used by the crate `omniread-code`.

#[cfg_attr(target_os = "linux", repr(C, align(65536)))]
#[cfg_attr(not(target_os = "linux"), repr(C, align(16)))]
#[allow(dead_code)]
struct Aligned<T>(T);

{items}"""

CODE_BUILD = """//! Decompresses the code.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    println!("cargo::rerun-if-changed=data");
    let out = PathBuf::from(env::var("OUT_DIR")?);
    for entry in fs::read_dir("data")? {
        let file = entry?.path();
        if file.to_string_lossy().ends_with(".cwasm.lzma") {
            let compressed = fs::read(&file)?;
            let mut data = lzma_rust2::LzmaReader::new_mem_limit(&compressed[..], u32::MAX, None)?;
            let name = file.file_stem().ok_or("a file without a name")?;
            std::io::copy(&mut data, &mut fs::File::create(out.join(name))?)?;
        }
    }
    Ok(())
}
"""

COMPONENT_LIB = """//! The compiled components of [omniread](https://docs.rs/omniread), for hosts that compile them themselves.
//!
//! | component | contents |
//! |---|---|
//! | `reader` | exports `omniread:read/read`; imports `omniread:parts` and WASI |
//! | `sqlite`, `images`, `documents`, `pdf` | the engines that the reader imports |
//! | `standalone` | implements the other imports of the reader with WASI |
//! | `offline` | implements `wasi:http` without a network |

/// The names of the components, and their bytes, compressed as `.lzma`.
pub static COMPONENTS: &[(&str, &[u8])] = &[
{rows}];

/// The bytes of a component, compressed as `.lzma`.
pub fn component(name: &str) -> Option<&'static [u8]> {{
    let mut components = COMPONENTS.iter();
    components.find_map(|(found, bytes)| (*found == name).then_some(*bytes))
}}
"""


def component_crate(out, places):
    """Writes the crate with the components, which are the same for all targets."""
    built_components = next(iter(places.values()))["components"]
    directory = out / "component"
    (directory / "data").mkdir(parents=True)
    rows, size = "", 0
    for name in COMPONENTS:
        data = compressed((built_components / f"{name}.wasm").read_bytes())
        size += len(data)
        (directory / "data" / f"{name}.wasm.lzma").write_bytes(data)
        rows += f'    ("{name}", include_bytes!("../data/{name}.wasm.lzma")),\n'
    print(f"omniread-component: {size:,} bytes", flush=True)
    if size > LARGEST_COMPONENT:
        sys.exit(f"the components have {size:,} bytes, over {LARGEST_COMPONENT:,}")
    write_crate(directory, "omniread-component", "The compiled WebAssembly components of omniread", "",
                COMPONENT_LIB.format(rows=rows), None)
    return directory


def uncompressed(source):
    """The source without the forms of compressed code, and without the conditions of the plain one."""
    source = re.sub(r'(?m)^#\[cfg\((all\()?feature = "compressed.*\n.*\n', "", source)
    source = re.sub(r'(?m)^#\[cfg\(not\((any\()?feature = "compressed.*\n', "", source)
    if 'feature = "compressed' in source:
        sys.exit("host/code has another condition for compressed code: change `uncompressed` in release/crates.py")
    return source


def code_crate(out, places, version):
    """Writes the crate that chooses the code for a target."""
    directory = out / "code" / "code"
    dependencies, modules = "", ""
    for name, place in places.items():
        condition = f'all(target_arch = "{place["architecture"]}", target_os = "{place["system"]}")'
        prefix = f"omniread-code-{name}".replace("_", "-")
        dependencies += f"[target.'cfg({condition})'.dependencies]\n"
        for part in PARTS:
            optional = ", optional = true" if part == "documents" else ""
            dependencies += f'{prefix}-{part} = {{ path = "../{name}-{part}", version = "={version}"{optional} }}\n'
        dependencies += "\n"
        crate = prefix.replace("-", "_")
        rows = ""
        for engine in ENGINES:
            item = f"{crate}_{part_of(engine)}::{constant(engine)}"
            code = f'("{engine}", Code {{ forms: Forms({item}), mapped: {item}_MAPPED }}),'
            if engine in DOCUMENTS:
                rows += f'        #[cfg(not(feature = "documents"))]\n        ("{engine}", Code {{ forms: Forms(&[]), mapped: 0 }}),\n'
                rows += '        #[cfg(feature = "documents")]\n'
            rows += f"        {code}\n"
        reader = f"{crate}_{part_of('reader')}::READER"
        unreserved = f"{crate}_{part_of('reader-unreserved')}::READER_UNRESERVED"
        modules += f"""#[cfg({condition})]
mod items {{
    use crate::plain::{{Forms, Rare}};
    use crate::Code;
    {place["constants"].replace(chr(10), chr(10) + "    ")}
    pub static READER: Code = Code {{ forms: Forms({reader}), mapped: {reader}_MAPPED }};
    pub static ENGINES: [(&str, Code); {len(ENGINES)}] = [
{rows}    ];
    pub static READER_UNRESERVED: Rare = Rare({unreserved});
}}

"""
    known = ", ".join(f'all(target_arch = "{place["architecture"]}", target_os = "{place["system"]}")'
                      for place in places.values())
    modules += f"""#[cfg(not(any({known})))]
compile_error!("no machine code of omniread is published for this target: build omniread in a clone of its repository");

#[cfg(any({known}))]
use items::READER_UNRESERVED;
#[cfg(any({known}))]
pub use items::{{DIRECT, ENGINES, READER, READER_MEMORY}};
"""
    source = (PROJECT / "host/code/src/lib.rs").read_text()
    # The published code is compressed by its crates, and not in the program.
    source = uncompressed(source).replace("use plain::{Forms, Rare};", "use plain::Forms;")
    start, end = source.index("include!(concat!"), source.index("#[cfg(test)]")
    items_end = source.index("\n", start) + 1
    source = source[:start] + modules + source[items_end:end].rstrip() + "\n"
    features = ['default = ["documents"]']
    optional = [f'"dep:omniread-code-{name}-documents"'.replace("_", "-") for name in places]
    features.append(f"documents = [{', '.join(optional)}]")
    write_crate(directory, "omniread-code", "The machine code of the reader and the engines of omniread",
                "[features]\n" + "\n".join(features) + "\n\n[dependencies]\n"
                "# Decompresses the code of the reader for processes with little address space.\n"
                'miniz_oxide = { version = "0.8", default-features = false, features = ["with-alloc"] }\n\n' + dependencies,
                source, None)
    plain = (PROJECT / "host/code/src/plain.rs").read_text()
    start, end = plain.index("/// Bytes that are aligned"), plain.index("/// The code of a component")
    (directory / "src/plain.rs").write_text(uncompressed(plain[:start] + plain[end:]))
    return directory


def write_crate(directory, package, description, rest, lib, build):
    (directory / "src").mkdir(parents=True, exist_ok=True)
    inherited = "".join(f"{key}.workspace = true\n" for key in
                        ["version", "edition", "rust-version", "license", "repository", "keywords"])
    (directory / "Cargo.toml").write_text(
        f'[package]\nname = "{package}"\n{inherited}documentation = "https://docs.rs/{package}"\n'
        f'description = "{description}"\n\n{rest}')
    (directory / "src/lib.rs").write_text(lib)
    if build:
        (directory / "build.rs").write_text(build)


def copied_crates(out, manifest):
    """Copies the public packages."""
    copied = []
    for file in metadata.public():
        source = file.parent
        member = source.relative_to(PROJECT).as_posix()
        directory = out / member
        nested = [other for other in manifest["workspace"]["members"] if other.startswith(f"{member}/")]
        def left_out(folder, names):
            return [name for name in names if f"{pathlib.Path(folder, name).relative_to(PROJECT)}" in nested + [f"{member}/tests"]]
        shutil.copytree(source, directory, ignore=left_out)
        text = (directory / "Cargo.toml").read_text()
        text = re.sub(r"(?m)^.*# not published\n", "", text)
        text = re.sub(r'(?m)^(wasmtime[a-z-]* = \{ version = ")', r"\1=", text)
        (directory / "Cargo.toml").write_text(text)
        copied.append(directory)
    # The guide and the interfaces are parts of the library.
    guide = out / "host/src/guide.rs"
    text = guide.read_text()
    if text.count("../../docs/guide/") != 1:
        sys.exit("host/src/guide.rs names the directory of the guide in another way")
    guide.write_text(text.replace("../../docs/guide/", "../guide/"))
    shutil.copytree(PROJECT / "docs/guide", out / "host/guide")
    bindings = out / "host/src/bindings.rs"
    text = bindings.read_text()
    if '["../wit/read", "../wit/parts"]' not in text:
        sys.exit("host/src/bindings.rs names the directory of the interfaces in another way")
    bindings.write_text(text.replace('"../wit/', '"wit/'))
    shutil.copytree(PROJECT / "wit", out / "host/wit")
    for file in ["README.md", "LICENSE-MIT", "LICENSE-APACHE"]:
        shutil.copy(PROJECT / file, out / file)
    return copied


def write_workspace(out, crates, version):
    lines = ["[workspace]", 'resolver = "3"', "members = ["]
    lines += [f'    "{crate.relative_to(out)}",' for crate in crates]
    lines += ["]", ""]
    text = (PROJECT / "Cargo.toml").read_text()
    start, end = text.index("[workspace.package]"), text.index("[profile.release]")
    names = {tomllib.loads((crate / "Cargo.toml").read_text())["package"]["name"]: crate for crate in crates}
    for line in text[start:end].splitlines():
        name = line.split(" = ")[0]
        if name.startswith("omniread"):
            if name not in names:
                continue
            path = names[name].relative_to(out)
            line = re.sub(r'path = "[^"]*"', f'path = "{path}", version = "={version}"', line)
        # The compiled code belongs to one version of wasmtime.
        line = re.sub(r'^(wasmtime[a-z-]* = \{ version = ")', r"\1=", line)
        lines.append(line)
    lints = re.findall(r"(?ms)^\[workspace\.lints\..*?(?=^#|^\[(?!workspace\.lints))", text)
    lines += "\n".join(lints).splitlines()
    (out / "Cargo.toml").write_text("\n".join(lines) + "\n")
    for crate in crates:
        for licence in ["LICENSE-MIT", "LICENSE-APACHE"]:
            shutil.copy(PROJECT / licence, crate / licence)
    shutil.copy(PROJECT / "Cargo.lock", out / "Cargo.lock")


def add_profile(out, settings):
    """Writes the profile of an installation into the manifest of the command line, and into that of the workspace, where
    cargo reads it while the crates are in one. It has the packages that an installation compiles: cargo warns about others."""
    command = ["cargo", "metadata", "--format-version", "1", "--manifest-path", out / "Cargo.toml"]
    metadata_of = json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True, encoding="utf-8").stdout)
    installed = [(one["name"], one["version"]) for one in closure(metadata_of, "omniread-cli")]
    text = "\n" + profile(settings, installed)
    for file in [out / "Cargo.toml", out / "host/cli/Cargo.toml"]:
        with file.open("a", encoding="utf-8") as manifest:
            manifest.write(text)


def closure(graph, name):
    """The packages that `cargo install` compiles for one: not those that only tests need."""
    packages = {one["id"]: one for one in graph["packages"]}
    nodes = {node["id"]: node for node in graph["resolve"]["nodes"]}
    found, rest = {}, [key for key, one in packages.items() if one["name"] == name]
    while rest:
        key = rest.pop()
        if key not in found:
            found[key] = packages[key]
            rest += [need["pkg"] for need in nodes[key]["deps"] if any(kind["kind"] != "dev" for kind in need["dep_kinds"])]
    return list(found.values())


def profile(settings, packages):
    """The profile `release` in TOML, with the settings of these packages: a list of names and versions."""
    tables = {"release": {}, "release.build-override": settings.get("build-override", {})}
    for key, value in settings.items():
        if key == "package":
            for spec, table in value.items():
                name, _, version = spec.partition("@")
                if any(name == one and f"{found}.".startswith(f"{version}." if version else "") for one, found in packages):
                    tables[f'release.package."{spec}"'] = table
        elif key != "build-override":
            tables["release"][key] = value
    return "\n".join(f"[profile.{name}]\n" + "".join(f"{key} = {json.dumps(value)}\n" for key, value in table.items())
                     for name, table in tables.items())


if __name__ == "__main__":
    run(main)
