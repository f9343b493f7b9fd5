//! Checks the interfaces that the components of omniread export.
//!
//! ```text
//! omniread-wit-check PROJECT DIST            compares
//! omniread-wit-check PROJECT DIST --record   also keeps the WIT as that of a released version
//! ```
//!
//! 1. Each component in DIST can be used as its world in `wit/` says, as `wasm-tools component targets` checks it.
//! 2. A component with the world of today can be used as that of each released version of the same series, which are in
//!    `wit/released/`. `wasm-tools component semver-check` checks the same for worlds with imports; here the order of both
//!    worlds is the other one, because these worlds only export.

use semver::{BuildMetadata, Version};
use std::error::Error;
use std::path::Path;
use std::process::ExitCode;
use std::{env, fs};
use wit_component::{
    ComponentEncoder, DecodedWasm, StringEncoding, decode, dummy_module, embed_component_metadata,
    semver_check, targets,
};
use wit_parser::{ManglingAndAbi, PackageId, Resolve, WorldId};

/// The directories of packages, and the world of each.
const WORLDS: [(&str, &str); 2] = [("read", "reading"), ("text", "text")];

/// The components, and the directory of the package with their world.
const COMPONENTS: [(&str, &str); 4] = [
    ("omniread.wasm", "read"),
    ("omniread-full.wasm", "read"),
    ("omniread-net.wasm", "read"),
    ("omniread-text.wasm", "text"),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let result = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [project, dist] => check(Path::new(project), Path::new(dist)),
        [project, dist, "--record"] => {
            check(Path::new(project), Path::new(dist)).and_then(|()| record(Path::new(project)))
        }
        _ => Err("usage: omniread-wit-check PROJECT DIST [--record]".into()),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

fn check(project: &Path, dist: &Path) -> Result<(), Box<dyn Error>> {
    let wit = project.join("wit");
    for (file, package) in COMPONENTS {
        let bytes = fs::read(dist.join(file))
            .map_err(|error| format!("cannot read `{}`: {error}", dist.join(file).display()))?;
        component(&bytes, &wit.join(package), world_of(package))
            .map_err(|error| format!("{file} has not the world in wit/{package}: {error:?}"))?;
        println!("{file}: exports the world in wit/{package}");
    }
    let mut compared = 0;
    for released in versions(&wit)? {
        for (package, world) in WORLDS {
            let old = wit
                .join("released")
                .join(released.to_string())
                .join(package);
            let is_same_series = package_version(&wit.join(package))
                .is_ok_and(|today| series(&today) == series(&released));
            if !old.is_dir() || !is_same_series {
                continue;
            }
            upgrade(&old, &wit.join(package), world).map_err(|error| {
                format!(
                    "wit/{package} breaks callers of version {released}: {error:?}\nhint: undo the change, or raise the \
                     version of the packages"
                )
            })?;
            println!("wit/{package}: compatible with version {released}");
            compared += 1;
        }
    }
    if compared == 0 {
        println!("no version of this series was released: nothing to compare with");
    }
    Ok(())
}

/// Keeps the WIT of today as that of a released version.
fn record(project: &Path) -> Result<(), Box<dyn Error>> {
    let wit = project.join("wit");
    for (package, _) in WORLDS {
        let version = package_version(&wit.join(package))?.to_string();
        let to = wit.join("released").join(&version).join(package);
        fs::create_dir_all(&to)?;
        for entry in fs::read_dir(wit.join(package))? {
            let entry = entry?;
            fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
        println!("wit/released/{version}/{package}: written");
    }
    Ok(())
}

/// The released versions whose WIT is recorded.
fn versions(wit: &Path) -> Result<Vec<Version>, Box<dyn Error>> {
    let directory = wit.join("released");
    if !directory.is_dir() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for entry in fs::read_dir(directory)? {
        let name = entry?.file_name();
        let name = name.to_string_lossy();
        let version = name.parse();
        found.push(
            version.map_err(|error| format!("wit/released/{name} is not a version: {error}"))?,
        );
    }
    found.sort();
    Ok(found)
}

/// The part of a version whose change may break callers.
fn series(version: &Version) -> (u64, u64) {
    let minor = if version.major == 0 { version.minor } else { 0 };
    (version.major, minor)
}

fn world_of(package: &str) -> &'static str {
    WORLDS
        .iter()
        .find(|(name, _)| *name == package)
        .map_or("", |(_, world)| *world)
}

/// Loads the package in a directory.
fn load(directory: &Path) -> Result<(Resolve, PackageId), Box<dyn Error>> {
    let mut resolve = Resolve::default();
    let (package, _) = resolve.push_dir(directory)?;
    Ok((resolve, package))
}

fn package_version(directory: &Path) -> Result<Version, Box<dyn Error>> {
    let (resolve, package) = load(directory)?;
    let version = resolve.packages[package].name.version.clone();
    Ok(version.ok_or_else(|| format!("{} has no version", directory.display()))?)
}

/// Checks that a component can be used as a world says. Its imports are those of WASI, which a host has.
fn component(bytes: &[u8], package: &Path, world: &str) -> Result<(), Box<dyn Error>> {
    let DecodedWasm::Component(mut resolve, actual) = decode(bytes)? else {
        return Err("it is not a component".into());
    };
    resolve.worlds[actual].imports.clear();
    let exports = without_code(&resolve, actual)?;
    let (stated, package) = load(package)?;
    let expected = stated.select_world(&[package], Some(world))?;
    Ok(targets(&stated, expected, &exports)?)
}

/// A component with a world and without code.
fn without_code(resolve: &Resolve, world: WorldId) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut module = dummy_module(resolve, world, ManglingAndAbi::Standard32);
    embed_component_metadata(&mut module, resolve, world, StringEncoding::UTF8)?;
    Ok(ComponentEncoder::default().module(&module)?.encode()?)
}

/// Checks that a component with a world of `new` can be used as the world of this name in `old` says.
fn upgrade(old: &Path, new: &Path, world: &str) -> Result<(), Box<dyn Error>> {
    let (mut resolve, package) = load(new)?;
    let actual = resolve.select_world(&[package], Some(world))?;
    let expected = add(&mut resolve, load(old)?.0, world)?;
    Ok(semver_check(resolve, actual, expected)?)
}

/// Adds packages that may have the names and versions of packages that are there. Returns their world of this name.
fn add(resolve: &mut Resolve, mut other: Resolve, world: &str) -> Result<WorldId, Box<dyn Error>> {
    let build = BuildMetadata::new("expected")?;
    for (_, package) in other.packages.iter_mut() {
        if let Some(version) = &mut package.name.version {
            version.build = build.clone();
        }
    }
    other.package_names = other
        .packages
        .iter()
        .map(|(id, package)| (package.name.clone(), id))
        .collect();
    let found = other.worlds.iter().find(|(_, one)| one.name == world);
    let (found, _) = found.ok_or_else(|| format!("there is no world `{world}`"))?;
    let merged = resolve.merge(other)?;
    Ok(merged.map_world(found, Default::default())?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::PathBuf;

    const OLD: &str = "package a:b@0.1.0;
        interface types { record r { one: u32, } }
        interface read { use types.{r}; get: func(path: string) -> result<r, string>; }
        world w { export types; export read; }";

    /// A directory with a package.
    fn package(test: &str, text: &str) -> PathBuf {
        let directory =
            env::temp_dir().join(format!("omniread-wit-check-{}-{test}", std::process::id()));
        fs::create_dir_all(&directory).unwrap();
        fs::write(directory.join("world.wit"), text).unwrap();
        directory
    }

    fn is_compatible(test: &str, from: &str, to: &str) -> bool {
        let old = package(&format!("{test}-old"), OLD);
        let changed = OLD.replace(from, to);
        assert!(from == to || changed != OLD);
        let new = package(&format!("{test}-new"), &changed);
        let result = upgrade(&old, &new, "w");
        fs::remove_dir_all(old).unwrap();
        fs::remove_dir_all(new).unwrap();
        result.is_ok()
    }

    #[test]
    fn unchanged_world_is_compatible() {
        assert!(is_compatible("same", "", ""));
        assert!(is_compatible("version", "0.1.0", "0.1.1"));
    }

    #[test]
    fn further_function_is_compatible() {
        assert!(is_compatible(
            "function",
            "get: func",
            "all: func(); get: func"
        ));
    }

    #[test]
    fn further_field_is_not_compatible() {
        assert!(!is_compatible("field", "one: u32,", "one: u32, two: u32,"));
    }

    #[test]
    fn missing_function_is_not_compatible() {
        assert!(!is_compatible("renamed", "get: func", "fetch: func"));
    }

    #[test]
    fn component_must_export_its_world() {
        let directory = package("component", OLD);
        let (resolve, id) = load(&directory).unwrap();
        let world = resolve.select_world(&[id], Some("w")).unwrap();
        let bytes = without_code(&resolve, world).unwrap();
        assert!(component(&bytes, &directory, "w").is_ok());
        let larger = package(
            "larger",
            &OLD.replace("get: func", "all: func(); get: func"),
        );
        assert!(component(&bytes, &larger, "w").is_err());
        assert!(component(b"no component", &directory, "w").is_err());
        fs::remove_dir_all(directory).unwrap();
        fs::remove_dir_all(larger).unwrap();
    }

    #[test]
    fn versions_of_one_series_are_compared() {
        let series = |text: &str| series(&text.parse().unwrap());
        assert_eq!(series("0.1.0"), series("0.1.7"));
        assert_ne!(series("0.1.0"), series("0.2.0"));
        assert_eq!(series("1.1.0"), series("1.4.0"));
    }
}
