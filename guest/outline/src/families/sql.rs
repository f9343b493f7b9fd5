//! SQL: `create … table name`.

use crate::grammar::{Kind, Scope};
use crate::language::{Declaration, Family, Statement};
use crate::token::{self};

/// Words that may be between `create` and the kind of the created object, such as `table`.
const BETWEEN: &[&str] = &[
    "or",
    "replace",
    "alter",
    "temp",
    "temporary",
    "unique",
    "materialized",
    "global",
    "local",
    "unlogged",
    "external",
    "virtual",
    "foreign",
    "constraint",
    "aggregate",
    "editionable",
    "noneditionable",
    "recursive",
    "transient",
    "clustered",
    "nonclustered",
    "bitmap",
    "fulltext",
    "spatial",
    "force",
    "noforce",
    "public",
    "secure",
    "trusted",
    "procedural",
    "default",
];

impl Statement<'_> {
    /// The object that a statement creates: `create or replace function schema.name(`.
    pub fn sql(&self, from: usize) -> Option<Declaration> {
        let is = |at: usize, word: &str| {
            self.word(at)
                .is_some_and(|one| one.eq_ignore_ascii_case(word))
        };
        // A template or a label may come before `create`.
        let limit = if is(from, "with") {
            self.tokens.len()
        } else {
            from.saturating_add(8)
        };
        let mut at = (from..limit)
            .find(|at| is(*at, "create"))?
            .saturating_add(1);
        loop {
            let word = self.word(at)?;
            if BETWEEN.iter().any(|one| one.eq_ignore_ascii_case(word)) {
                at = at.saturating_add(1);
            } else if is(at, "definer") {
                // `definer = user@host`
                at = self.position(at, |token| {
                    let word = self.words(token.start, token.end);
                    ["function", "procedure", "trigger", "view", "event"]
                        .iter()
                        .any(|one| one.eq_ignore_ascii_case(word))
                })?;
            } else {
                break;
            }
        }
        let kind = match self.word(at)?.to_ascii_lowercase().as_str() {
            "function" | "procedure" | "proc" | "trigger" | "event" | "macro" => Kind::Function,
            "table" | "view" | "type" | "domain" | "index" | "class" => Kind::Type,
            "schema" | "package" | "database" | "extension" => Kind::Module,
            "sequence" | "synonym" | "role" | "user" | "policy" | "rule" | "operator"
            | "publication" => Kind::Value,
            _ => return None,
        };
        let index = is(at, "index");
        at = at.saturating_add(1);
        while ["body", "concurrently", "if", "not", "exists"]
            .iter()
            .any(|word| is(at, word))
        {
            at = at.saturating_add(1);
        }
        // An index may have no name.
        if index && is(at, "on") {
            return None;
        }
        let mut name = self.get(at)?;
        while self.is(at.saturating_add(1), b'.') {
            at = at.saturating_add(2);
            name = self.get(at)?;
        }
        matches!(
            name.kind,
            token::Kind::Word | token::Kind::Text | token::Kind::Group(b'[')
        )
        .then_some(Declaration {
            kind,
            name: Some(name.place()),
            holds: Scope::Entries,
            head: None,
        })
    }
}

/// The family of SQL.
pub const SQL: Family = Family {
    call: |statement, at| statement.sql(at),
    ..Family::OTHER
};
