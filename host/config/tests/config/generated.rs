//! The generated files in `docs/reference`. `BLESS=1` writes them.

use omniread_config::{Layer, Source, reference, schema};
use std::fs;
use std::path::Path;

fn check(name: &str, text: &str) {
    // The directory at the time of the compilation may be that of another clone with the same target directory.
    let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap();
    let path = Path::new(&package).join("../../docs/reference").join(name);
    if std::env::var_os("BLESS").is_some() {
        fs::write(path, text).unwrap();
        return;
    }
    let written = fs::read_to_string(path).unwrap_or_default();
    assert!(
        written == text,
        "{name} is out of date; run `BLESS=1 cargo test --release --package omniread-config`"
    );
}

#[test]
fn reference_is_up_to_date() {
    check("configuration.md", &reference());
}

#[test]
fn schema_is_up_to_date() {
    check("omniread.schema.json", &schema());
}

#[test]
fn example_of_the_reference_is_valid() {
    let page = reference();
    let example = page
        .split("```toml\n")
        .nth(1)
        .unwrap()
        .split("```")
        .next()
        .unwrap();
    let source = Source::user(Path::new("config.toml"), Some("/home/u".into()));
    let layer = Layer::parse(example, &source).unwrap();
    assert!(layer.get("options.limit").is_some());
}
