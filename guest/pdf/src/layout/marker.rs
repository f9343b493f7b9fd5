//! Markers of list items: bullets and numbers.

use crate::script;

/// A marker at the start of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Marker {
    /// A bullet.
    Bullet,
    /// A check box, and whether it is checked.
    Check(bool),
    /// A number: its text, its value, and its kind.
    Number(String, u32, Kind),
}

/// The kind of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `1.`
    Digits,
    /// `a.`
    Lower,
    /// `A.`
    Upper,
    /// `iv.`
    Roman,
}

/// Whether a word is a bullet and nothing else.
pub fn is_strong_bullet(word: &str) -> bool {
    !word.is_empty() && word.chars().all(script::is_strong_bullet)
}

/// Reads the marker of a word.
pub fn marker(word: &str) -> Option<Marker> {
    if script::is_bullet(word) {
        return Some(Marker::Bullet);
    }
    match word {
        "☐" | "\u{f0a8}" => return Some(Marker::Check(false)),
        "☑" | "☒" | "\u{f0fe}" | "\u{f0fd}" => return Some(Marker::Check(true)),
        _ => {}
    }
    let inner = word.strip_prefix('(').unwrap_or(word);
    let inner = inner.strip_suffix(['.', ')'])?;
    if inner.is_empty() || inner.len() > 4 || (word.starts_with('(') && word.ends_with('.')) {
        return None;
    }
    let text = if word.starts_with('(') {
        format!("{inner})")
    } else {
        word.to_owned()
    };
    if inner.bytes().all(|it| it.is_ascii_digit()) {
        let value = inner.parse().ok().filter(|_| inner.len() <= 3)?;
        return Some(Marker::Number(text, value, Kind::Digits));
    }
    let mut chars = inner.chars();
    if let (Some(one), None) = (chars.next(), chars.next())
        && one.is_ascii_alphabetic()
    {
        let value = u32::from(one.to_ascii_lowercase()).saturating_sub(96);
        let kind = if one.is_ascii_lowercase() {
            Kind::Lower
        } else {
            Kind::Upper
        };
        return Some(Marker::Number(text, value, kind));
    }
    let value = roman(inner)?;
    Some(Marker::Number(text, value, Kind::Roman))
}

/// Small numbers in Roman digits.
const NUMBERS: [&str; 20] = [
    "i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x", "xi", "xii", "xiii", "xiv", "xv",
    "xvi", "xvii", "xviii", "xix", "xx",
];

/// The value of a small number in Roman digits.
pub fn roman(text: &str) -> Option<u32> {
    let lower = text.to_ascii_lowercase();
    if lower != text && text.to_ascii_uppercase() != text {
        return None;
    }
    let at = NUMBERS.iter().position(|it| *it == lower)?;
    u32::try_from(at).ok().map(|it| it.saturating_add(1))
}

/// The number of a page, and whether it is in digits. Roman numbers are of the pages before the others.
pub fn page(text: &str) -> Option<(bool, u32)> {
    if text.bytes().all(|it| it.is_ascii_digit()) && text.len() <= 4 {
        return text.parse().ok().map(|it| (true, it));
    }
    let lower = text.chars().all(char::is_lowercase);
    roman(text).filter(|_| lower).map(|it| (false, it))
}

/// The depth of the number of a heading: 1 for `3` and `3.`, 2 for `3.1`. 0 if there is none.
pub fn numbering(text: &str) -> usize {
    let Some((word, rest)) = text.split_once(' ') else {
        return 0;
    };
    if rest.trim().is_empty() {
        return 0;
    }
    section_depth(word)
}

/// The depth of the number of a heading that a word is. 0 if it is another word.
pub fn section_depth(word: &str) -> usize {
    let word = word.strip_suffix('.').unwrap_or(word);
    if word.len() > 12 {
        return 0;
    }
    let mut depth: usize = 0;
    for part in word.split('.') {
        let digits =
            !part.is_empty() && part.len() <= 3 && part.bytes().all(|it| it.is_ascii_digit());
        let letter =
            depth == 0 && part.len() == 1 && part.bytes().all(|it| it.is_ascii_uppercase());
        if !(digits || letter && word.contains('.')) {
            return 0;
        }
        depth = depth.saturating_add(1);
    }
    depth
}
