//! The command that runs all tests is the same in the documents, in CI and in the Justfile.

#![allow(missing_docs, reason = "a test")]

use std::fs;
use std::path::Path;

fn source(path: &str) -> String {
    // The directory at the time of the compilation may be that of another clone with the same target directory.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap();
    let project = Path::new(&package).join("../..");
    fs::read_to_string(project.join(path)).unwrap()
}

#[test]
fn every_document_names_the_command_that_runs_all_tests() {
    let alias = "test-all = \"run --quiet --release --package omniread-test-runner --\"";
    assert!(source(".cargo/config.toml").contains(alias));
    for (path, line) in [
        ("README.md", "\ncargo test-all\n"),
        ("CONTRIBUTING.md", "\ncargo test-all "),
        ("Justfile", "\n    cargo test-all {{ARGS}}\n"),
    ] {
        assert!(source(path).contains(line), "{path}");
    }
    // The last line of CI is the sum of the results.
    let ci = source(".ci/run");
    let last = ci.lines().last().unwrap();
    assert!(last.starts_with("cargo test-all"), "{last}");
}

/// The directories in a list of the manifest of the workspace.
fn listed(manifest: &str, list: &str) -> Vec<String> {
    let after = manifest.split(&format!("\n{list} = [")).nth(1).unwrap();
    let entries = after.split(']').next().unwrap().split('"');
    entries.skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn packages_for_other_languages_are_built_only_on_request() {
    let manifest = source("Cargo.toml");
    let (packages, others): (Vec<_>, Vec<_>) = listed(&manifest, "members")
        .into_iter()
        .partition(|member| member.starts_with("packages/"));
    assert_eq!(packages, ["packages/node", "packages/python"]);
    assert_eq!(listed(&manifest, "default-members"), others);
    // The sentence of the README is the command of the runner.
    let command = "cargo test --release --workspace --exclude omniread-node --exclude omniread-python --no-fail-fast";
    for path in [
        "README.md",
        ".cargo/config.toml",
        "tests/runner/src/main.rs",
    ] {
        assert!(source(path).contains(command), "{path}");
    }
}
