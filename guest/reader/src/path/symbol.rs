//! Selectors of declarations, headings and keys: `sym:Outer.inner`, `120:block+1`.

use super::escape::is_escaped;
use super::lines::{mistake, number};
use crate::failure::Failure;
use std::fmt;

/// The word before a name.
pub const SYMBOL: &str = "sym";

/// The word after the line of a block.
const BLOCK: &str = "block";

/// A declaration, heading or key of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Symbol {
    /// All that have a name, or a path of names: `Outer.inner`.
    Named(String),
    /// The one that contains a line.
    Around {
        /// The line, counted from 1.
        line: u64,
        /// The column in characters, counted from 1. It matters in a long line only.
        column: Option<u64>,
        /// The number of steps to those around it: 0 for the innermost one.
        steps: u64,
    },
    /// The block around a line by its indentation. Arguments of a tool select it, and no path.
    Indented(Indentation),
}

/// A block of lines around a line, which ends at lines that are indented less.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Indentation {
    /// The line, counted from 1.
    pub line: u64,
    /// The number of levels of indentation of four columns by which other lines may be indented less than the
    /// line. 0 for any number.
    pub levels: u64,
    /// Whether the block includes others that are indented as its first line.
    pub siblings: bool,
    /// Whether the block includes the comments before its first line.
    pub header: bool,
    /// The maximum number of lines.
    pub limit: u64,
}

/// Parses the selector of the declaration around a line, and returns it with the text after it, a
/// selector of lines in the declaration. A column may follow the line, as a compiler prints it. Returns
/// `Ok(None)` for any other text.
///
/// # Errors
/// Returns [`Reason::InvalidSelector`] if the line is 0, or no text has such a line.
///
/// [`Reason::InvalidSelector`]: crate::failure::Reason::InvalidSelector
pub fn parse_block(text: &str) -> Result<Option<(Symbol, Option<&str>)>, Failure> {
    let Some((line, rest)) = text.split_once(':') else {
        return Ok(None);
    };
    let Some(line) = number(line.strip_prefix(['l', 'L']).unwrap_or(line)) else {
        return Ok(None);
    };
    let split = |text| match str::split_once(text, ':') {
        Some((word, rest)) => (word, Some(rest)),
        None => (text, None),
    };
    let (mut word, mut rest) = split(rest);
    let mut column = None;
    if let Some(number) = number(word)
        && let Some(after) = rest
    {
        column = Some(number);
        (word, rest) = split(after);
    }
    let (word, steps) = match word.split_once('+') {
        Some((word, steps)) => (word, number(steps)),
        None => (word, Some(0)),
    };
    let Some(steps) = steps.filter(|_| word.eq_ignore_ascii_case(BLOCK)) else {
        return Ok(None);
    };
    if line == 0 {
        let message = "Line selector 0 is invalid; lines are 1-indexed. Use :1:block.";
        return Err(mistake(text, message.to_owned()));
    }
    if line == u64::MAX {
        let message = "Line selector is invalid; no text has that many lines.";
        return Err(mistake(text, message.to_owned()));
    }
    let around = Symbol::Around {
        line,
        column,
        steps,
    };
    Ok(Some((around, rest)))
}

impl fmt::Display for Symbol {
    /// Writes the selector. The name is in escape form if its end looks like a selector of lines.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Named(name) if needs_escapes(name) => {
                write!(f, "{SYMBOL}:")?;
                for c in name.chars() {
                    if matches!(c, ':' | '\\') {
                        f.write_str("\\")?;
                    }
                    write!(f, "{c}")?;
                }
                Ok(())
            }
            Self::Named(name) => write!(f, "{SYMBOL}:{name}"),
            Self::Around {
                line,
                column,
                steps,
            } => {
                write!(f, "{line}:")?;
                if let Some(column) = column {
                    write!(f, "{column}:")?;
                }
                f.write_str(BLOCK)?;
                if *steps > 0 {
                    write!(f, "+{steps}")?;
                }
                Ok(())
            }
            Self::Indented(indentation) => write!(f, "{}:indentation", indentation.line),
        }
    }
}

/// Whether a name needs the escape form.
fn needs_escapes(name: &str) -> bool {
    // After a colon, a number, a sign or the word `raw` selects lines.
    let may_be_lines = |rest: &str| {
        rest.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '-' | 'l' | 'L'))
            || rest
                .get(..3)
                .is_some_and(|word| word.eq_ignore_ascii_case("raw"))
    };
    is_escaped(name) || name.split(':').skip(1).any(may_be_lines)
}
