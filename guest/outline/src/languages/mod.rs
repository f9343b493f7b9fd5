//! Language detection, and one table for each language in the modules below.

mod c;
mod csharp;
mod dart;
mod functional;
mod go;
mod java;
mod kotlin;
mod lua;
mod markup;
mod objc;
mod perl;
mod php;
mod python;
mod ruby;
mod rust;
mod scala;
mod schema;
mod script;
mod shell;
mod sql;
mod swift;
mod zig;

use crate::language::Language;
use crate::limits;
use memchr::memmem;

/// All languages. The first one takes precedence if several have the same extension.
pub const ALL: &[&Language] = &[
    &c::C,
    &c::CPP,
    &csharp::CSHARP,
    &dart::DART,
    &go::GO,
    &java::JAVA,
    &kotlin::KOTLIN,
    &lua::LUA,
    &php::PHP,
    &python::PYTHON,
    &ruby::RUBY,
    &rust::RUST,
    &scala::SCALA,
    &script::JAVASCRIPT,
    &script::TYPESCRIPT,
    &script::TSX,
    &shell::SHELL,
    &sql::SQL,
    &swift::SWIFT,
    &zig::ZIG,
    &functional::CLOJURE,
    &functional::ELIXIR,
    &functional::HASKELL,
    &functional::JULIA,
    &functional::OCAML,
    &functional::R,
    &markup::HTML,
    &markup::SVELTE,
    &markup::VUE,
    &objc::OBJECTIVE_C,
    &perl::PERL,
    &schema::CSS,
    &schema::GRAPHQL,
    &schema::HCL,
    &schema::PROTOBUF,
];

/// Detects the language from a file name: the whole name, then the extension.
pub fn by_name(name: &str) -> Option<&'static Language> {
    let base = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let whole = ALL
        .iter()
        .find(|language| language.names.contains(&base))
        .copied();
    whole.or_else(|| {
        let (_, ending) = base.rsplit_once('.')?;
        let is = |one: &&str| one.eq_ignore_ascii_case(ending);
        ALL.iter()
            .find(|language| language.extensions.iter().any(&is))
            .copied()
    })
}

/// Detects the language from the file name and the content, because some extensions are ambiguous.
/// A name without a known extension is detected from the first line.
pub fn by_contents(name: &str, text: &str) -> Option<&'static Language> {
    let language = by_name(name).or_else(|| by_first_line(text.lines().next()?))?;
    let start = text.get(..limits::LANGUAGE_BYTES).unwrap_or(text);
    let has = |signs: &[&str]| {
        let mut signs = signs.iter();
        signs.any(|sign| memmem::find(start.as_bytes(), sign.as_bytes()).is_some())
    };
    let objective = || {
        has(&[
            "@interface",
            "@implementation",
            "@protocol",
            "#import",
            "@end",
            "@class",
        ])
    };
    let ending = name.rsplit('.').next().unwrap_or_default();
    match ending.to_ascii_lowercase().as_str() {
        "m" => Some(language).filter(|_| objective() || has(&["#include", "@autoreleasepool"])),
        "h" if objective() => named("Objective-C"),
        // Flow annotations have the syntax of TypeScript types.
        "js" | "jsx" | "mjs"
            if text
                .lines()
                .take(limits::FLOW_LINES)
                .any(|line| line.contains("@flow")) =>
        {
            named("TSX")
        }
        // Qt translations are XML.
        "ts" => Some(language).filter(|_| !start.trim_start().starts_with("<?xml")),
        _ => Some(language),
    }
}

/// The language with this name, ignoring case.
pub fn named(name: &str) -> Option<&'static Language> {
    ALL.iter()
        .find(|language| language.name.eq_ignore_ascii_case(name))
        .copied()
}

/// Detects the language from the first line: the shebang (`#!/usr/bin/env python3`) or an editor
/// mode line (`-*- mode: ruby -*-`, `vim: ft=sh`).
pub fn by_first_line(first_line: &str) -> Option<&'static Language> {
    interpreted(first_line).or_else(|| moded(first_line))
}

fn interpreted(line: &str) -> Option<&'static Language> {
    let mut words = line.strip_prefix("#!")?.split_whitespace();
    let base = |word: &str| word.rsplit('/').next().unwrap_or_default().to_owned();
    let mut program = base(words.next()?);
    if program == "env" {
        // `env -S node --flag`, `env NAME=value python`
        program = base(words.find(|word| !word.starts_with('-') && !word.contains('='))?);
    }
    let plain = program.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | '-'));
    ALL.iter()
        .find(|language| {
            let is = |one: &&str| *one == program || *one == plain;
            language.interpreters.iter().any(is)
        })
        .copied()
}

fn moded(line: &str) -> Option<&'static Language> {
    let emacs = line
        .split_once("-*-")
        .and_then(|(_, rest)| rest.split_once("-*-"));
    let mode = if let Some((mode, _)) = emacs {
        let named = mode.split(';').find_map(|part| {
            let (key, value) = part.split_once(':')?;
            key.trim().eq_ignore_ascii_case("mode").then_some(value)
        });
        named
            .or(Some(mode).filter(|mode| !mode.contains(':')))?
            .trim()
    } else {
        let (_, rest) = line.split_once("vim:").or_else(|| line.split_once("vi:"))?;
        let value = |key| rest.split_once(key).map(|(_, value)| value);
        let value = value("filetype=")
            .or_else(|| value("ft="))
            .or_else(|| value("syntax="))?;
        value.split([':', ' ', '\t']).next()?
    };
    by_mode(mode.trim_end_matches("-mode"))
}

/// The language that an editor mode or notebook kernel names.
pub fn by_mode(mode: &str) -> Option<&'static Language> {
    let alias = match mode.to_ascii_lowercase().as_str() {
        "sh" | "shell-script" | "bash" | "zsh" => "Shell",
        "cpp" | "c++" => "C++",
        "js" | "js2" | "javascript" => "JavaScript",
        "cperl" => "Perl",
        "objc" => "Objective-C",
        "cs" | "csharp" => "C#",
        "tuareg" | "caml" => "OCaml",
        _ => mode,
    };
    named(alias)
}
