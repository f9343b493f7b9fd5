//! Formulas as LaTeX.
//!
//! ```text
//! mathml    MathML → LaTeX
//! symbols   characters → commands
//! ```

pub mod mathml;
pub mod symbols;

use crate::limits;

/// Adds a piece after a text. A command and a letter need a space between them.
pub fn join(out: &mut String, piece: &str) {
    let letters = out.bytes().rev().take(limits::COMMAND_BYTES);
    let letters = letters.take_while(u8::is_ascii_alphabetic).count();
    let start = out.len().saturating_sub(letters);
    let ends = letters > 0 && out.get(..start).is_some_and(|text| text.ends_with('\\'));
    if ends && piece.starts_with(|char: char| char.is_alphanumeric()) {
        out.push(' ');
    }
    out.push_str(piece);
}

/// Whether a text is one command without arguments, such as `\alpha`.
pub fn is_command(text: &str) -> bool {
    text.strip_prefix('\\')
        .is_some_and(|name| !name.is_empty() && name.bytes().all(|it| it.is_ascii_alphabetic()))
}

/// Returns whether a character is white space or an invisible operator.
pub fn is_invisible(char: char) -> bool {
    char.is_whitespace() || ('\u{2061}'..='\u{2064}').contains(&char)
}

/// Returns the base of a script as a group if it has several characters.
pub fn grouped(text: String) -> String {
    let is_delimited = text.starts_with("\\left") && text.matches("\\left").count() == 1;
    if text.chars().nth(1).is_none() || is_command(&text) || is_delimited {
        return if text.is_empty() {
            "{}".to_owned()
        } else {
            text
        };
    }
    format!("{{{text}}}")
}
