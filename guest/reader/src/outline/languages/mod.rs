//! One table for each language.

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

use super::grammar::Language;
use memchr::memmem;

/// All of them; where several take the same ending, the first one does.
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

/// The language of a file of this name, by its ending or by the whole of it.
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

/// The language of a file of this name and text: some endings are those of
/// several languages.
pub fn by_contents(name: &str, text: &str) -> Option<&'static Language> {
    let language = by_name(name).or_else(|| by_first_line(text.lines().next()?))?;
    let start = text.get(..LOOKED_AT).unwrap_or(text);
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
        // Types of Flow are written as those of TypeScript are.
        "js" | "jsx" | "mjs" if text.lines().take(FLOW).any(|line| line.contains("@flow")) => {
            named("TSX")
        }
        // Translations of Qt.
        "ts" => Some(language).filter(|_| !start.trim_start().starts_with("<?xml")),
        _ => Some(language),
    }
}

/// Lines in which a script tells that it has types.
const FLOW: usize = 20;

/// Bytes at the start of a text that tell its language.
const LOOKED_AT: usize = 1 << 16;

/// The language of this name.
pub fn named(name: &str) -> Option<&'static Language> {
    ALL.iter()
        .find(|language| language.name.eq_ignore_ascii_case(name))
        .copied()
}

/// The language that the first line of a file tells: `#!/usr/bin/env python3`,
/// `-*- mode: ruby -*-`, `vim: ft=sh`.
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

/// The language that editors and kernels of notebooks call so.
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
