//! Checks of the dependencies: which crates are compiled in several versions, and which the
//! library needs.

use omniread_tests::project;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

/// The crates of which `Cargo.lock` contains several versions, each with the packages that depend
/// on a version other than the newest.
const DUPLICATES: &[(&str, &[&str])] = &[
    // resvg stays at a version that reads fonts without skrifa.
    ("base64", &["usvg"]),
    ("block-buffer", &["digest"]),
    ("cpufeatures", &["sha2"]),
    ("crypto-common", &["digest"]),
    ("digest", &["sha2"]),
    // An optional dependency of postcard, which is not compiled.
    ("embedded-io", &["postcard"]),
    // hayro depends on a newer version than the library with which it draws.
    ("fearless_simd", &["vello_common"]),
    // imara-diff, which compares lines, depends on older hash tables. They are small.
    ("foldhash", &["hashbrown"]),
    // Entropy for keys of TLS.
    ("getrandom", &["ring"]),
    ("hashbrown", &["gimli", "imara-diff"]),
    ("io-lifetimes", &["fs-set-times"]),
    // omniread uses the version of png and exr, so that the command line contains one version.
    (
        "miniz_oxide",
        &["exr", "omniread-code", "omniread-unify", "png"],
    ),
    // Of oem_cp, which needs it for tables that omniread does not use.
    ("phf", &["oem_cp"]),
    ("phf_shared", &["phf"]),
    // Of glifo.
    ("read-fonts", &["skrifa"]),
    ("sha2", &["cranelift-codegen", "wasmtime-environ"]),
    // An optional dependency of vello_cpu, which is not compiled.
    ("skrifa", &["glifo"]),
    (
        "syn",
        &[
            // Optional dependencies of rcgen, which are not compiled.
            "asn1-rs-derive",
            "asn1-rs-impl",
            "divan-macros",
            "phf_macros",
            "prettyplease",
            "pulley-macros",
            "synstructure",
            "thiserror-impl",
            "tracing-attributes",
            "wasmtime-internal-component-macro",
            "wasmtime-internal-versioned-export-macros",
            // Bindings to Windows, which are not compiled elsewhere.
            "windows-implement",
            "windows-interface",
            "wit-bindgen-rust",
            "wit-bindgen-rust-macro",
            "zerocopy-derive",
        ],
    ),
    ("synstructure", &["asn1-rs-derive"]),
    ("thiserror", &["wac-graph"]),
    ("thiserror-impl", &["thiserror"]),
    // wasmtime and wac-graph, which composes the components, depend on different versions.
    (
        "wasm-encoder",
        &["wasm-metadata", "wasmtime-environ", "wast", "wit-component"],
    ),
    ("wasm-metadata", &["wit-bindgen-rust", "wit-component"]),
    (
        "wasmparser",
        &[
            "omniread-code",
            "omniread-hostile",
            "wasm-encoder",
            "wasm-metadata",
            "wasmprinter",
            "wasmtime",
            "wasmtime-environ",
            "wasmtime-internal-cranelift",
            "wit-component",
            "wit-parser",
        ],
    ),
    // Bindings to Windows, which are not compiled elsewhere.
    (
        "windows-sys",
        &["fs-set-times", "io-extras", "ring", "winx"],
    ),
    ("windows-targets", &["windows-sys"]),
    ("windows_aarch64_gnullvm", &["windows-targets"]),
    ("windows_aarch64_msvc", &["windows-targets"]),
    ("windows_i686_gnu", &["windows-targets"]),
    ("windows_i686_gnullvm", &["windows-targets"]),
    ("windows_i686_msvc", &["windows-targets"]),
    ("windows_x86_64_gnu", &["windows-targets"]),
    ("windows_x86_64_gnullvm", &["windows-targets"]),
    ("windows_x86_64_msvc", &["windows-targets"]),
];

/// A package in `Cargo.lock`.
///
/// A dependency is written as `NAME VERSION` if the lock file contains several versions of it,
/// otherwise as `NAME`.
struct Locked<'l> {
    name: &'l str,
    version: &'l str,
    dependencies: BTreeSet<&'l str>,
}

fn locked(lock: &str) -> Vec<Locked<'_>> {
    let packages = lock.split("[[package]]").skip(1);
    packages
        .map(|package| {
            let field = |key: &str| {
                let mut values = package.lines().filter_map(|line| line.strip_prefix(key));
                values.next().unwrap().trim_matches('"')
            };
            let quoted = package.lines().filter_map(|line| line.strip_prefix(" \""));
            Locked {
                name: field("name = "),
                version: field("version = "),
                dependencies: quoted.map(|line| line.trim_end_matches("\",")).collect(),
            }
        })
        .collect()
}

/// The numeric parts of a version, to compare versions.
fn numbers(version: &str) -> Vec<u64> {
    let release = version.split(['-', '+']).next().unwrap_or_default();
    let numbers = release.split('.').map(|number| number.parse().unwrap());
    numbers.collect()
}

#[test]
fn crates_in_several_versions_are_listed() {
    let lock = std::fs::read_to_string(project().join("Cargo.lock")).unwrap();
    let packages = locked(&lock);
    let mut versions: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for package in &packages {
        versions
            .entry(package.name)
            .or_default()
            .push(package.version);
    }
    let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (name, mut versions) in versions {
        versions.sort_by_key(|version| numbers(version));
        versions.pop();
        for version in versions {
            let dependency = format!("{name} {version}");
            let dependents = packages.iter();
            let dependents =
                dependents.filter(|package| package.dependencies.contains(&*dependency));
            found
                .entry(name)
                .or_default()
                .extend(dependents.map(|package| package.name));
        }
    }
    let known = DUPLICATES
        .iter()
        .map(|(name, dependents)| (*name, dependents.iter().copied().collect()));
    let known: BTreeMap<&str, BTreeSet<&str>> = known.collect();
    assert_eq!(
        found, known,
        "use one version, or list the packages that depend on an older one"
    );
}

#[test]
fn library_has_no_command_line_crates() {
    let tree = |package: &str| {
        let output = Command::new(env!("CARGO"))
            .current_dir(project())
            .args(["tree", "--locked", "--offline", "--package", package])
            .args(["--edges", "normal", "--prefix", "none", "--format", "{p}"])
            .output()
            .unwrap();
        assert!(
            output.status.success(),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        let tree = String::from_utf8(output.stdout).unwrap();
        let names = tree.lines().filter_map(|line| line.split(' ').next());
        names.map(str::to_owned).collect::<BTreeSet<String>>()
    };
    let (program, library) = (tree("omniread-cli"), tree("omniread"));
    let of_command_line = [
        "anstream",
        "anstyle",
        "clap",
        "clap_complete",
        "clap_mangen",
        "omniread-batch",
        "omniread-config",
        "omniread-mcp",
        "omniread-service",
        "prometheus-client",
        "rmcp",
        "signal-hook",
    ];
    for name in of_command_line {
        assert!(program.contains(name), "{name}");
        assert!(!library.contains(name), "{name}");
    }
    // The compiler of wasmtime is only in the build script.
    assert!(program.contains("wasmtime") && !program.contains("cranelift-codegen"));
}
