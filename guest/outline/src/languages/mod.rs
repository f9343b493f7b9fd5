//! Language detection, and one table for each language in the modules below.

mod c;
mod clojure;
mod csharp;
mod css;
mod dart;
mod elixir;
mod go;
mod graphql;
mod haskell;
mod hcl;
mod html;
mod java;
mod julia;
mod kotlin;
mod lua;
mod objc;
mod ocaml;
mod perl;
mod php;
mod protobuf;
mod python;
mod r;
mod ruby;
mod rust;
mod scala;
mod script;
mod shell;
mod sql;
mod svelte;
mod swift;
mod vue;
mod zig;

use crate::language::{Language, Sign};

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
    &clojure::CLOJURE,
    &elixir::ELIXIR,
    &haskell::HASKELL,
    &julia::JULIA,
    &ocaml::OCAML,
    &r::R,
    &html::HTML,
    &svelte::SVELTE,
    &vue::VUE,
    &objc::OBJECTIVE_C,
    &perl::PERL,
    &css::CSS,
    &graphql::GRAPHQL,
    &hcl::HCL,
    &protobuf::PROTOBUF,
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
    let ending = name.rsplit('.').next().unwrap_or_default();
    let fits = |sign: &&Sign| sign.extension.eq_ignore_ascii_case(ending);
    let claims = |language: &&&Language| {
        let mut claimed = language.claimed.iter().filter(&fits);
        claimed.any(|sign| (sign.holds)(text))
    };
    if let Some(other) = ALL.iter().find(claims) {
        return Some(other);
    }
    let mut doubtful = language.doubtful.iter().filter(&fits);
    doubtful.all(|sign| (sign.holds)(text)).then_some(language)
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
    let is = |one: &&str| one.eq_ignore_ascii_case(mode);
    let other = ALL.iter().find(|language| language.modes.iter().any(is));
    other.copied().or_else(|| named(mode))
}
