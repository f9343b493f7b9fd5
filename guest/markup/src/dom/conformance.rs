//! The tests of tree construction of the html5lib project, which other parsers run too.
//!
//! The environment variable `OMNIREAD_TEST_HTML5LIB` names the directory with the files `*.dat`; they
//! are in the source distribution of the Python package html5lib. Without it, nothing is tested.
//!
//! Names of elements that are not in [`Tag`], attributes, comments, document types and processing
//! instructions are not compared: the tree does not have them. [`skipped`] lists the tests that are left
//! out.

use super::{Document, Id, Tag, parse, parse_fragment};
use std::fmt::Write as _;
use std::path::Path;

/// The number of tests that pass.
const PASSED: usize = 1506;

/// The reason to leave out a test.
fn skipped(data: &str, rest: &str) -> Option<&'static str> {
    let has = |names: &[&str]| names.iter().any(|name| data.contains(name));
    let select = data.find("<select").and_then(|at| data.get(at..));
    if rest.contains("\n#document-fragment\n") && !is_fragment_of_body(rest) {
        return Some("fragments in other elements than the body");
    }
    if rest.contains("\n#script-on\n") {
        return Some("pages whose scripts run");
    }
    if has(&["<frameset"]) && has(&["<noframes"]) {
        return Some("text for browsers without frames, which is read as markup");
    }
    let others = ["<svg", "<math", "<plaintext", "<menuitem", "<keygen", "<b>"];
    if select.is_some_and(|select| others.iter().any(|name| select.contains(name))) {
        return Some("markup in `<select>`, which the standard allows since 2025");
    }
    None
}

/// Whether a test parses a fragment of a body, or of an element with the same rules.
fn is_fragment_of_body(rest: &str) -> bool {
    ["body", "div"]
        .iter()
        .any(|name| rest.contains(&format!("\n#document-fragment\n{name}\n")))
}

/// An element or a text, with its depth.
type Line = (usize, String);

/// The line of an element.
fn element(depth: usize, tag: Option<Tag>) -> Line {
    let name = tag.map_or("", Tag::name);
    (depth, format!("<{name}>"))
}

/// Adds a text, which continues the one before it.
fn push_text(lines: &mut Vec<Line>, depth: usize, text: &str) {
    match lines.last_mut() {
        Some((last, line)) if *last == depth && line.starts_with('"') => line.push_str(text),
        _ => lines.push((depth, format!("\"{text}"))),
    }
}

/// The nodes in an element of a tree.
fn lines(document: &Document) -> Vec<Line> {
    let mut lines = Vec::new();
    for id in document.subtree(Id::ROOT).skip(1) {
        let depth = document.ancestors(id).count().saturating_sub(1);
        match document.text(id) {
            Some(text) => push_text(&mut lines, depth, text),
            None => lines.push(element(depth, document.tag(id))),
        }
    }
    lines
}

/// The nodes that a test expects.
fn expected(tree: &str) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    // The depth of the content of templates, which has a line of its own.
    let mut contents: Vec<usize> = Vec::new();
    for node in format!("\n{tree}").split("\n| ").skip(1) {
        let content = node.trim_start_matches(' ');
        let depth = node.len().saturating_sub(content.len()) / 2;
        contents.retain(|outer| *outer < depth);
        let outer = depth.saturating_sub(contents.len());
        if let Some(text) = content.strip_prefix('"') {
            let text = text.trim_end_matches('\n');
            push_text(&mut lines, outer, text.strip_suffix('"').unwrap_or(text));
        } else if content.trim_end() == "content" {
            contents.push(depth);
        } else if let Some(name) = content.strip_prefix('<')
            && !name.starts_with(['!', '?'])
            && let Some(name) = name.trim_end().strip_suffix('>')
        {
            let name = name.rsplit(' ').next().unwrap_or_default();
            let tag = Tag::of(name.to_ascii_lowercase().as_bytes());
            lines.push(element(outer, tag));
        }
    }
    lines
}

#[test]
fn trees_are_those_of_the_standard() {
    let Some(directory) = std::env::var_os("OMNIREAD_TEST_HTML5LIB") else {
        return;
    };
    let mut files: Vec<_> = std::fs::read_dir(Path::new(&directory))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "dat"))
        .collect();
    files.sort();
    let mut passed = 0;
    let mut failed = String::new();
    for file in files {
        let tests = format!(
            "\n{}",
            String::from_utf8_lossy(&std::fs::read(&file).unwrap())
        );
        for test in tests.split("\n#data\n").skip(1) {
            let test = format!("\n{test}");
            let (data, rest) = test.split_once("\n#errors").unwrap();
            let data = data.get(1..).unwrap_or_default();
            if skipped(data, rest).is_some() {
                continue;
            }
            let (_, tree) = rest.split_once("\n#document\n").unwrap();
            let document = if is_fragment_of_body(rest) {
                parse_fragment(data)
            } else {
                parse(data)
            };
            let (found, expected) = (lines(&document), expected(tree));
            if found == expected {
                passed += 1;
            } else {
                let _ = writeln!(
                    failed,
                    "{}\n{data}\n{found:?}\n{expected:?}",
                    file.display()
                );
            }
        }
    }
    assert!(failed.is_empty(), "{passed} passed:\n{failed}");
    assert_eq!(passed, PASSED);
}
