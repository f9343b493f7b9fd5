//! Dates, and names of persons.

use super::text::tidy;
use crate::dates;

/// A date, as it is in the source. `None` if the text has no year, or the year of a template.
pub fn date(text: &str) -> Option<String> {
    if text.len() > crate::limits::DATE {
        return None;
    }
    let mut year = false;
    for number in text.split(|character: char| !character.is_ascii_digit()) {
        year |= match number.len() {
            4 | 8 => number
                .get(..4)
                .is_some_and(|year| ("1900".."2100").contains(&year)),
            _ => false,
        };
    }
    year.then(|| tidy(text))?
}

/// A date as RFC 3339, or as it is if it is not clear.
pub fn normalized(date: String) -> String {
    // `Updated: Feb 17, 2018`
    let label = date.split_once(": ");
    let is_label = |label: &str| label.chars().all(char::is_alphabetic);
    let value = label.map_or(
        date.as_str(),
        |(label, value)| {
            if is_label(label) { value } else { &date }
        },
    );
    dates::clear(value).unwrap_or(date)
}

/// The name in a byline, without `By` and without other facts after it. `None` if the text is
/// not a name.
pub fn person(text: &str) -> Option<String> {
    let text = tidy(text).filter(|text| text.len() <= crate::limits::META_CONTENT)?;
    let mut name = text.as_str();
    for prefix in [
        "by:",
        "by ",
        "written by ",
        "posted by ",
        "door ",
        "par ",
        "por ",
        "von ",
    ] {
        // `Von Miller` is a name.
        let same_case = matches!(prefix, "door " | "par " | "por " | "von ");
        if let Some(start) = name.get(..prefix.len())
            && start.eq_ignore_ascii_case(prefix)
            && (start == prefix || !same_case)
        {
            name = name.get(prefix.len()..).unwrap_or_default().trim();
        }
    }
    // A label precedes the name, or a date follows it.
    let name = name.rsplit_once(": ").map_or(name, |(_, name)| name);
    let end = name
        .find(['|', '•', '·', '(', '\u{2022}'])
        .unwrap_or(name.len());
    let name = name
        .get(..end)?
        .trim()
        .trim_end_matches([',', '-', '–', '@']);
    let words = name.split(' ').count();
    let is_name = !name.is_empty()
        && words <= crate::limits::NAME_WORDS
        && name.len() <= crate::limits::NAME
        && !name.contains("://")
        && name.bytes().filter(u8::is_ascii_digit).count() < 3
        && name.chars().any(char::is_alphabetic);
    is_name.then(|| name.to_owned())
}
