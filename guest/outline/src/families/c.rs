//! C and C++: `type name(parameters) {`, also outside types. Java, C# and Dart: the same in types.

mod functions;
mod macros;

use crate::grammar::Scope;
use crate::language::{Family, Quirk, Quirks, Scopes, Statement};
use crate::token::{self, Token};

/// The family of C and C++.
pub const C: Family = Family {
    quirks: Quirks::of(&[
        Quirk::BracketAnnotations,
        Quirk::Labels,
        Quirk::Macros,
        Quirk::MissingBraces,
    ]),
    silent: Scopes::NONE
        .and(Scope::Code)
        .and(Scope::Values)
        .and(Scope::Entries),
    trailing: &["typedef"],
    call: |statement, at| match statement.place {
        Scope::File | Scope::Members => {
            let name = statement.c_function(at);
            let found = name.map(|name| statement.function(name, at));
            found.or_else(|| statement.derived(at))
        }
        _ => None,
    },
    after_macro: |statement, at| statement.after_macro(at),
    more_names: Some(|statement| statement.more_names()),
    literal: Some(|statement, _| {
        let values = statement.sets_member() || statement.requires_code();
        values.then_some(Scope::Entries)
    }),
    values: |statement| {
        let initial = || statement.is_initialised().then_some(Scope::Entries);
        statement.values().or_else(initial)
    },
    is_complete: Some(|statement, next| statement.is_complete_macro(next)),
    ..Family::OTHER
};

/// The family of Java, C# and Dart.
pub const JAVA: Family = Family {
    quirks: Quirks::of(&[
        Quirk::BracketAnnotations,
        Quirk::MissingBraces,
        Quirk::SignatureAliases,
    ]),
    silent: C.silent,
    call: |statement, at| match statement.place {
        // Functions may be inside other functions.
        Scope::Code | Scope::Values if statement.language.has_quirk(Quirk::LocalFunctions) => {
            let name = statement.local_function(at)?;
            Some(statement.function(name, at))
        }
        Scope::File | Scope::Members => match statement.c_function(at) {
            Some(name) => Some(statement.function(name, at)),
            None => statement.property(at),
        },
        _ => None,
    },
    ..Family::OTHER
};

impl Statement<'_> {
    /// Whether a `{` after the statement initialises a member: `name(…) : member{…} {`.
    fn sets_member(&self) -> bool {
        let last = self.tokens.last();
        last.is_some_and(|last| last.kind == token::Kind::Word) && self.sets_members()
    }

    /// Whether a `{` after the statement begins the body of a `requires` expression of C++:
    /// `requires requires(T a) {`, `= requires {`.
    fn requires_code(&self) -> bool {
        let mut before = self.tokens.iter().rev().peekable();
        before.next_if(|last| last.kind == token::Kind::Group(b'('));
        let requires = |token: &&Token| {
            token.kind == token::Kind::Word && self.words(token.start, token.end) == "requires"
        };
        before.next().as_ref().is_some_and(requires)
            && before.next().is_some_and(|before| {
                requires(&before) || before.is(b'=') || before.kind == token::Kind::Operator
            })
    }

    /// Whether a `{` after the statement begins the values of a variable: `int a[] = {`.
    fn is_initialised(&self) -> bool {
        let last = self.tokens.last();
        last.is_none_or(|last| last.kind != token::Kind::Arrow)
            && self.tokens.iter().any(|token| token.is(b'='))
    }

    /// Whether the statement is a macro on a line of its own: `MACRO(name)`. `next` is the first
    /// token of the next line.
    fn is_complete_macro(&self, next: &Token) -> bool {
        let begins = matches!(
            next.kind,
            token::Kind::Word | token::Kind::Punct(b'~' | b'[' | b'-' | b'+' | b'@')
        );
        begins && self.is_macro(next)
    }
}
