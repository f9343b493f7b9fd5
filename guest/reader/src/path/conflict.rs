//! Selectors of merge conflicts in a text.
//!
//! | form | selects |
//! |---|---|
//! | `conflicts` | the list of all conflicts |
//! | `conflict:2` | the lines of a conflict, by number from 1 |
//! | `conflict:2/ours`, `/theirs`, `/base` | the text of its first side, its last side or its base |
//! | `conflict:2/side/3`, `conflict:2/base/2` | the text of a side or base, by number from 1 |
//!
//! `conflict://2` is another spelling of `conflict:2`. Lines of the list or of a side may follow.

use super::lines::{mistake, number};
use crate::failure::Failure;
use omniread_conflicts::Part as Side;
use std::fmt;

/// What a selector selects of the merge conflicts in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Conflict {
    /// The list of all conflicts.
    All,
    /// The lines of the conflict with this number.
    Block(u64),
    /// The text of a side or of the base of the conflict with this number.
    Side(u64, Side),
}

/// The word that selects the list of all conflicts.
const LIST: &str = "conflicts";

/// The word before the number of a conflict.
const ONE: &str = "conflict:";

/// The word before the number of a side.
const SIDE: &str = "side/";

/// The word before the number of a base.
const BASE: &str = "base/";

/// Splits a selector of conflicts into what it selects and the text after the next colon. `None` for any
/// other text.
///
/// # Errors
/// Fails if a number is 0 or too large, or if the conflict has no such part.
pub fn parse_conflict(text: &str) -> Result<Option<(Conflict, Option<&str>)>, Failure> {
    if let Some(rest) = after_word(text, LIST) {
        return Ok(match rest.strip_prefix(':') {
            Some(rest) => Some((Conflict::All, Some(rest))),
            None if rest.is_empty() => Some((Conflict::All, None)),
            None => None,
        });
    }
    let Some(rest) = after_word(text, ONE) else {
        return Ok(None);
    };
    let (part, lines) = match rest.strip_prefix("//").unwrap_or(rest).split_once(':') {
        Some((part, lines)) => (part, Some(lines)),
        None => (rest.strip_prefix("//").unwrap_or(rest), None),
    };
    let (digits, side) = match part.split_once('/') {
        Some((digits, side)) => (digits, Some(side)),
        None => (part, None),
    };
    let Some(block) = number(digits) else {
        return Ok(None);
    };
    if block == 0 {
        let message = "Conflict selector 0 is invalid; conflicts are 1-indexed.";
        return Err(mistake(text, message.to_owned()));
    }
    let Some(side) = side else {
        return Ok(Some((Conflict::Block(block), lines)));
    };
    let Some(side) = parse_side(side) else {
        let message = format!(
            "Conflict selector {part} is invalid; a conflict has /ours, /theirs and /base."
        );
        return Err(mistake(text, message));
    };
    Ok(Some((Conflict::Side(block, side), lines)))
}

/// Whether a text is the spelling of a conflict as an address: `conflict://2`.
pub fn is_conflict_address(text: &str) -> bool {
    after_word(text, ONE).is_some_and(|rest| rest.starts_with("//"))
}

fn parse_side(text: &str) -> Option<Side> {
    let is = |word: &str| text.eq_ignore_ascii_case(word);
    if is("ours") {
        return Some(Side::Ours);
    }
    if is("theirs") {
        return Some(Side::Theirs);
    }
    if is("base") {
        return Some(Side::Base);
    }
    let side = after_word(text, SIDE).map(|text| (text, Side::Side as fn(u64) -> Side));
    let base = || after_word(text, BASE).map(|text| (text, Side::BaseNumber as fn(u64) -> Side));
    let (digits, part) = side.or_else(base)?;
    let number = number(digits)?;
    (number > 0).then(|| part(number))
}

/// The text after a word in upper or lower case.
fn after_word<'t>(text: &'t str, word: &str) -> Option<&'t str> {
    let (start, rest) = text.split_at_checked(word.len())?;
    start.eq_ignore_ascii_case(word).then_some(rest)
}

impl Conflict {
    /// The number of the conflict. `None` for the list.
    pub fn number(self) -> Option<u64> {
        match self {
            Self::All => None,
            Self::Block(number) | Self::Side(number, _) => Some(number),
        }
    }

    /// Whether lines of it can be selected. The lines of a conflict are lines of the file.
    pub fn has_lines(self) -> bool {
        !matches!(self, Self::Block(_))
    }
}

impl fmt::Display for Conflict {
    /// Writes the selector: `conflicts` or `conflict:2/ours`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::All => f.write_str(LIST),
            Self::Block(number) => write!(f, "{ONE}{number}"),
            Self::Side(number, side) => match side {
                Side::Ours => write!(f, "{ONE}{number}/ours"),
                Side::Theirs => write!(f, "{ONE}{number}/theirs"),
                Side::Base => write!(f, "{ONE}{number}/base"),
                Side::Side(side) => write!(f, "{ONE}{number}/{SIDE}{side}"),
                Side::BaseNumber(base) => write!(f, "{ONE}{number}/{BASE}{base}"),
            },
        }
    }
}
