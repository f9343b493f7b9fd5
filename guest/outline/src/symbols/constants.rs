//! Constants and variables at the outermost level of a file, in languages whose outlines do not have them:
//! `export const name = {…}`, `NAME = …`.

use crate::grammar::Kind;
use crate::language::Language;
use crate::lexer::Lexer;
use crate::symbol::{Matches, Symbol};
use crate::token;

/// A constant that is being read.
#[derive(Clone, Copy)]
struct Open {
    word: &'static str,
    start: usize,
    first: u32,
    line: u32,
    head: u32,
}

/// Finds the constants with a name. A constant ends before the next line that is not indented.
pub fn find(text: &str, language: &'static Language, query: &str) -> Matches {
    let mut matches = Matches::default();
    let Some(constant) = language.constant else {
        return matches;
    };
    // A query may have the word for the constant before its name.
    let (wanted, query) = match query.rsplit_once(' ') {
        Some((word, name)) => (Some(word.trim_end()), name),
        None => (None, query),
    };
    let named = |line: &str| {
        let (word, name) = constant(line)?;
        (name == query && wanted.is_none_or(|wanted| wanted == word)).then_some(word)
    };
    // Most texts have no such line, so that they need no tokens.
    if query.is_empty() || !text.lines().any(|line| named(line).is_some()) {
        return matches;
    }
    let mut lexer = Lexer::new(text, language);
    let mut open: Option<Open> = None;
    let mut depth = 0u32;
    // The end and the line of the previous token.
    let mut before = (0usize, 1u32);
    while let Some(token) = lexer.next() {
        if token.indent == Some(0) && depth == 0 && !closes(&token) {
            if let Some(open) = open.take() {
                add(&mut matches, query, open, before);
            }
            let line = text.get(token.start..).and_then(|rest| rest.lines().next());
            if let Some(word) = line.and_then(named) {
                let comment = lexer.comments.last();
                let comment = comment.filter(|run| run.last.saturating_add(1) == token.line);
                open = Some(Open {
                    word,
                    start: token.start,
                    first: comment.map_or(token.line, |run| run.first),
                    line: token.line,
                    head: token.line,
                });
            }
        }
        before = (token.end, token.last);
        match token.kind {
            token::Kind::Punct(b'(' | b'[' | b'{') => depth = depth.saturating_add(1),
            token::Kind::Punct(b')' | b']' | b'}') => depth = depth.saturating_sub(1),
            token::Kind::Punct(b';') if depth == 0 => {
                if let Some(open) = open.take() {
                    add(&mut matches, query, open, before);
                }
            }
            _ => {}
        }
    }
    if let Some(open) = open {
        add(&mut matches, query, open, before);
    }
    matches
}

/// Whether a token ends brackets.
fn closes(token: &token::Token) -> bool {
    matches!(token.kind, token::Kind::Punct(b')' | b']' | b'}'))
}

fn add(matches: &mut Matches, query: &str, open: Open, (end, last): (usize, u32)) {
    matches.add(|| {
        Some(Symbol {
            name: query.to_owned(),
            quoted: None,
            kind: Kind::Value,
            word: open.word,
            first: open.first,
            sign: open.line,
            line: open.line,
            head: open.head,
            last,
            bytes: (open.start, end),
            unsure_from: None,
        })
    });
}
