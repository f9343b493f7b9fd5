//! Rust: closures, and the type of an `impl` block.

use crate::language::{Family, Statement};
use crate::token;

/// The family of Rust.
pub const RUST: Family = Family {
    values: |statement| statement.values().filter(|_| !statement.begins_closure()),
    ..Family::PLAIN
};

impl Statement<'_> {
    /// Whether the parameters of a closure precede a block: `|a| {`.
    fn begins_closure(&self) -> bool {
        self.tokens.last().is_some_and(|last| {
            last.is(b'|')
                || (last.kind == token::Kind::Operator && self.words(last.start, last.end) == "||")
        })
    }
}

/// The type whose members a block `impl … Type<…> where … {` holds, without its path and its
/// arguments. `before` is the text before the name of a declaration, and `after` the text from it
/// on.
pub fn implemented<'t>(before: &str, after: &'t str) -> Option<&'t str> {
    if !before.trim_end().ends_with("impl") {
        return None;
    }
    let mut level = 0u32;
    let mut from = 0usize;
    let mut end = after.len();
    let mut last = ' ';
    for (at, c) in after.char_indices() {
        match c {
            '<' | '(' | '[' => level = level.saturating_add(1),
            // `Fn() -> T`
            '>' if last == '-' => {}
            '>' | ')' | ']' => {
                level = level.saturating_sub(1);
                // The parameters of the block itself end.
                if level == 0 && c == '>' && after.starts_with('<') && from == 0 {
                    from = at.saturating_add(1);
                }
            }
            '{' if level == 0 => {
                end = at;
                break;
            }
            _ if level == 0 && last.is_whitespace() => {
                let rest = after.get(at..)?;
                let word = |word: &str| {
                    rest.strip_prefix(word)
                        .is_some_and(|rest| rest.starts_with(char::is_whitespace))
                };
                if word("for") {
                    from = at.saturating_add(3);
                } else if word("where") {
                    end = at;
                    break;
                }
            }
            _ => {}
        }
        last = c;
    }
    let mut name = after.get(from..end)?.trim();
    // `&'a mut dyn Type`
    loop {
        // A tuple has no other name.
        if name.starts_with('(') && (name.contains(',') || name == "()") {
            return Some(name);
        }
        let bare = name.trim_start_matches(['&', '(', '[', '*']).trim_start();
        let bare = match bare.strip_prefix('\'') {
            Some(rest) => rest
                .trim_start_matches(|c: char| c.is_alphanumeric() || c == '_')
                .trim_start(),
            None => bare,
        };
        let bare = ["mut ", "dyn ", "const "]
            .iter()
            .find_map(|word| bare.strip_prefix(word))
            .unwrap_or(bare);
        if bare.len() == name.len() {
            break;
        }
        name = bare;
    }
    let is_path = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':' | '!');
    let path = name.split(|c: char| !is_path(c)).next()?;
    path.rsplit("::").next()
}
