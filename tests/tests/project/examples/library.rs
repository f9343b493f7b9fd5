//! The library as a program uses it that depends on it.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use image::ImageFormat;
use omniread::{Block, Failure, Reader, Reason, Session};
use omniread_tests::image::{drawing, encoded};
use omniread_tests::{Workspace, project};
use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

/// The names of the features in `host/Cargo.toml`.
fn features() -> BTreeSet<String> {
    let manifest = std::fs::read_to_string(project().join("host/Cargo.toml")).unwrap();
    let (_, rest) = manifest.split_once("\n[features]\n").unwrap();
    let section = rest.split("\n[").next().unwrap();
    let names = section.lines().filter_map(|line| line.split_once(" = ["));
    let names = names.map(|(name, _)| name.to_owned());
    names.filter(|name| name != "default").collect()
}

/// The names of the features that are on by default.
fn usual() -> BTreeSet<String> {
    &features() - &BTreeSet::from(["mcp-client".to_owned()])
}

/// The names in the first column of the table of features in a text.
fn table(text: &str, prefix: &str) -> BTreeSet<String> {
    let lines = text.lines().filter_map(|line| line.strip_prefix(prefix));
    let mut rows = lines.skip_while(|line| !line.starts_with("| feature |"));
    let rows = rows
        .by_ref()
        .take_while(|line| line.starts_with('|'))
        .skip(2);
    let name = |row: &str| row.split('`').nth(1).unwrap().to_owned();
    rows.map(name).collect()
}

#[test]
fn tables_of_features_name_every_feature() {
    let source = |name: &str| std::fs::read_to_string(project().join(name)).unwrap();
    assert!(features().contains("documents"), "{:?}", features());
    assert_eq!(table(&source("docs/embedding/rust.md"), ""), features());
    assert_eq!(table(&source("host/src/lib.rs"), "//! "), features());
}

/// The lines with the dependency in the `toml` blocks and in the text of a document.
fn dependencies(document: &str) -> Vec<String> {
    let text = std::fs::read_to_string(project().join(document)).unwrap();
    let starts = text.match_indices("omniread = { path");
    let lines = starts.map(|(at, _)| text[at..].split(['\n', '`']).next().unwrap());
    lines.map(str::to_owned).collect()
}

/// A new project depends on the library with the line of a document, and has the features that
/// `expected` lists.
fn assert_features(line: &str, expected: &BTreeSet<String>) {
    let workspace = Workspace::new();
    let manifest = format!(
        "[package]\nname = \"app\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n{line}\n"
    );
    let lock = std::fs::read(project().join("Cargo.lock")).unwrap();
    workspace
        .file("Cargo.toml", manifest)
        .file("Cargo.lock", lock)
        .file("src/main.rs", "fn main() {}\n")
        .link("omniread", project());
    let output = Command::new(env!("CARGO"))
        .current_dir(workspace.path())
        .args(["tree", "--offline", "--depth", "1", "--edges", "normal"])
        .args(["--prefix", "none", "--format", "{p}\t{f}"])
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{line}: {errors}");
    let tree = String::from_utf8(output.stdout).unwrap();
    let library = tree.lines().find(|line| line.starts_with("omniread v"));
    let (_, enabled) = library.unwrap().split_once('\t').unwrap();
    let enabled = enabled.split(',').map(str::to_owned);
    let enabled: BTreeSet<String> = enabled.filter(|name| name != "default").collect();
    assert_eq!(&enabled, expected, "{line}");
}

/// The line of the README has the default features, with which all tests run: thus it reads
/// documents, and web addresses that are granted.
#[cfg(unix)]
#[test]
fn dependency_line_of_the_readme_has_the_usual_features() {
    let lines = dependencies("README.md");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert_features(&lines[0], &usual());
}

/// The page on Rust has the line of the README, and one without the network.
#[cfg(unix)]
#[test]
fn dependency_lines_of_the_page_on_rust_read_documents() {
    let lines = dependencies("docs/embedding/rust.md");
    let [all, library] = lines.as_slice() else {
        panic!("{lines:?}");
    };
    assert_eq!(all, &dependencies("README.md")[0]);
    let expected = &usual() - &BTreeSet::from(["net".to_owned()]);
    assert_features(library, &expected);
}

fn session(workspace: &Workspace) -> Session {
    workspace.session()
}

#[test]
fn failure_displays_its_message_and_its_hint_on_request() {
    let workspace = Workspace::new();
    workspace.file("notes.txt", "a note\n");
    let failure: Failure = session(&workspace).read("note.txt").unwrap_err();
    assert!(matches!(failure.reason, Reason::NotFound(_)));
    assert_eq!(failure.to_string(), failure.message);
    assert_eq!(failure.to_string(), "Path 'note.txt' not found");
    let hint = failure.hint.as_deref().unwrap();
    assert!(hint.contains("notes.txt"), "{hint}");
    assert_eq!(
        format!("{failure:#}"),
        format!("{}\nhint: {hint}", failure.message)
    );
    // It is an error that other threads may report.
    let error: Box<dyn std::error::Error + Send + Sync> = Box::new(failure);
    assert_eq!(error.to_string(), "Path 'note.txt' not found");
    let mut options = omniread::Options::default();
    let error = options.set("limt", "5").unwrap_err();
    assert_eq!(error.to_string(), "there is no option `limt`");
    assert!(format!("{error:#}").contains("\nhint: the options are limit"));
}

#[test]
fn bytes_of_an_image_are_those_of_its_base64() {
    let workspace = Workspace::new();
    let png = encoded(drawing(120, 80), ImageFormat::Png);
    workspace.file("a.png", &png).file("a.txt", "text\n");
    let session = session(&workspace);
    let reply = session.read("a.png").unwrap();
    let images: Vec<_> = reply.images().collect();
    assert_eq!(images.len(), 1);
    let bytes = images[0].bytes().unwrap();
    assert_eq!(bytes, STANDARD.decode(&images[0].data).unwrap());
    assert_eq!(images[0].mime, "image/png");
    assert!(bytes.starts_with(b"\x89PNG"));
    assert_eq!(session.read("a.txt").unwrap().images().count(), 0);
    // An attachment has bytes too.
    let pdf = project().join("examples/manual.pdf");
    let pdf = std::fs::read(pdf).unwrap();
    workspace.file("a.pdf", &pdf);
    let path = workspace.path().join("a.pdf");
    let options = omniread::Options::default();
    let reply = session
        .read_as(&path, omniread::Dialect::Gateway, &options)
        .unwrap();
    let attached = reply.blocks.iter().find_map(|block| match block {
        Block::Attachment(attached) => Some(attached.bytes().unwrap()),
        _ => None,
    });
    assert_eq!(attached, Some(pdf));
}

#[test]
fn media_that_is_not_base64_is_an_error() {
    let mut media = omniread::Media::new("image/png", b"");
    media.data = "not base64!".to_owned();
    let error = media.bytes().unwrap_err();
    assert_eq!(error.kind(), std::io::ErrorKind::InvalidData);
}

#[test]
fn paths_of_every_common_type_are_accepted() {
    let workspace = Workspace::new();
    workspace
        .file("a.txt", "alpha\n")
        .file("secret", "a secret\n");
    let directory = workspace.path();
    let rule = String::from("secret");
    for builder in [
        Reader::builder().root(&directory).deny("secret"),
        Reader::builder().root(directory.as_path()).deny(&rule),
        Reader::builder().root(directory.clone()).deny(rule.clone()),
        Reader::builder()
            .root(directory.as_os_str())
            .deny(rule.as_str()),
        Reader::builder()
            .root(directory.display().to_string())
            .deny(Box::<str>::from("secret")),
    ] {
        let session = builder.home(&directory).build().unwrap().session();
        let file = directory.join("a.txt");
        for reply in [
            session.read("a.txt"),
            session.read(String::from("a.txt")),
            session.read(Path::new("a.txt")),
            session.read(&file),
            session.read(file.as_os_str()),
            session.read("~/a.txt"),
        ] {
            assert!(reply.unwrap().text().contains("alpha"));
        }
        assert!(matches!(
            session.read("secret").unwrap_err().reason,
            Reason::Denied(_)
        ));
        assert!(session.snapshot(&file).is_some());
        assert!(!session.stale(&file).unwrap().is_stale());
        assert!(session.current(Path::new("a.txt"), false).is_ok());
    }
}

#[cfg(unix)]
#[test]
fn path_that_is_not_utf8_is_a_failure() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let workspace = Workspace::new();
    let session = session(&workspace);
    let path = OsStr::from_bytes(b"bad\xff");
    for failure in [
        session.read(path).unwrap_err(),
        session.current(path, true).unwrap_err(),
        session.stale(path).unwrap_err(),
    ] {
        assert!(
            matches!(failure.reason, Reason::InvalidPath(_)),
            "{failure}"
        );
    }
    assert!(session.snapshot(path).is_none());
}
