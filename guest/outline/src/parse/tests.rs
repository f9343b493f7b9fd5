//! Declarations in small texts of each language, including damaged texts.

mod braces;
mod broken;
mod cpp;
mod functions;
mod heads;
mod hostile;
mod more;
mod operators;
mod particular;
mod scripts;
mod words;

use crate::grammar::Kind;
use crate::language::Language;
use crate::languages::{ALL, by_contents, by_first_line, by_name};
use crate::{Parsed, parse};

fn language(name: &str) -> &'static Language {
    ALL.iter()
        .find(|language| language.name == name)
        .expect("there is such a language")
}

/// The lines, kind and name of each declaration, formatted as `1-3 F name`.
fn found(parsed: &Parsed) -> Vec<String> {
    let item = |item: &crate::Item| {
        let kind = match item.kind {
            Kind::Function => 'F',
            Kind::Type => 'T',
            Kind::Module => 'M',
            Kind::Value => 'V',
            Kind::Section => 'S',
        };
        format!("{}-{} {kind} {}", item.line, item.last, item.name)
    };
    parsed.items.iter().map(item).collect()
}

/// The text without a line feed at its start.
fn text(text: &str) -> &str {
    text.strip_prefix('\n').unwrap_or(text)
}

/// Asserts that `source`, a text without damage in the language `name`, contains exactly the
/// declarations `expected`.
fn check(name: &str, source: &str, expected: &[&str]) {
    let parsed = parse(text(source), language(name));
    assert_eq!(found(&parsed), expected);
    assert_eq!(parsed.unbalanced_at, None);
}

/// Asserts that `source`, a damaged text in the language `name`, contains exactly the declarations
/// `expected`, and that brackets do not match from the line `lost` on.
fn damaged(name: &str, source: &str, lost: u32, expected: &[&str]) {
    let parsed = parse(text(source), language(name));
    assert_eq!(found(&parsed), expected);
    assert_eq!(parsed.unbalanced_at.unwrap_or(0), lost);
}

#[test]
fn languages_by_name() {
    let name = |path: &str| by_name(path).map(|language| language.name);
    assert_eq!(name("a/b.RS"), Some("Rust"));
    assert_eq!(name("a/Rakefile"), Some("Ruby"));
    assert_eq!(name("a.d.ts"), Some("TypeScript"));
    assert_eq!(name("a/b"), None);
}

#[test]
fn languages_by_first_line() {
    let name = |line: &str| by_first_line(line).map(|language| language.name);
    assert_eq!(name("#!/usr/bin/env -S python3.11 -u"), Some("Python"));
    assert_eq!(name("#!/bin/sh"), Some("Shell"));
    assert_eq!(name("/* -*- mode: c++; tab-width: 2 -*- */"), Some("C++"));
    assert_eq!(name("# -*- ruby -*-"), Some("Ruby"));
    assert_eq!(name("# vim: set ft=perl sw=2:"), Some("Perl"));
    assert_eq!(name("#!/usr/bin/unknown"), None);
}

#[test]
fn languages_by_contents() {
    let name = |path: &str, text: &str| by_contents(path, text).map(|language| language.name);
    assert_eq!(name("a.m", "function x = f(y)\n"), None);
    assert_eq!(name("a.m", "#import <A/A.h>\n"), Some("Objective-C"));
    assert_eq!(name("a.h", "@interface A\n@end\n"), Some("Objective-C"));
    assert_eq!(name("a.h", "int a(void);\n"), Some("C++"));
    assert_eq!(name("a.ts", "<?xml version=\"1.0\"?>\n"), None);
    assert_eq!(name("run", "#!/bin/bash\n"), Some("Shell"));
    assert_eq!(name("a.js", "/**\n * @flow\n */\n"), Some("TSX"));
    assert_eq!(name("a.js", "/** No types. */\n"), Some("JavaScript"));
}

#[test]
fn signature_and_documentation_lines_are_recorded() {
    let source = "/// Says.\n#[inline]\nfn one(\n    a: u8,\n) {\n    fn two() {}\n}\n";
    let parsed = parse(source, language("Rust"));
    let [one, two] = parsed.items.as_slice() else {
        panic!("two are found");
    };
    assert_eq!(
        (one.first, one.sign, one.line, one.head, one.last),
        (2, 3, 3, 5, 7)
    );
    assert_eq!(
        (one.doc, one.parent, one.local),
        (Some((1, 1)), None, false)
    );
    assert_eq!((two.parent, two.local), (Some(0), true));
}
