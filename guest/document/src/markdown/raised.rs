//! Raised and lowered text: `10^4` and `x_i`.
//!
//! Without a mark, the digits of a power would continue the number before it. Other raised text is the
//! mark of a note or the end of an ordinal number, or has HTML tags around it.

use crate::limits;

/// Where a text is relative to its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Above: `<sup>`.
    Raised,
    /// Below: `<sub>`.
    Lowered,
}

impl Level {
    /// The mark before a text.
    pub fn mark(self) -> char {
        match self {
            Self::Raised => '^',
            Self::Lowered => '_',
        }
    }

    /// The tags around a text.
    pub fn tags(self) -> (&'static str, &'static str) {
        match self {
            Self::Raised => ("<sup>", "</sup>"),
            Self::Lowered => ("<sub>", "</sub>"),
        }
    }
}

/// The form of a raised or lowered text.
#[derive(Debug, PartialEq, Eq)]
pub enum Form {
    /// Text with `^` or `_` before it.
    Marked(String),
    /// Text that continues the text before it.
    Joined(String),
    /// Text that needs HTML tags.
    Tagged,
}

/// The form of a text between two characters.
pub fn form(text: &str, level: Level, before: Option<char>, after: Option<char>) -> Form {
    if text.is_empty() {
        return Form::Joined(String::new());
    }
    if level == Level::Raised {
        let sign = match text {
            "TM" | "tm" | "™" => Some("™"),
            "SM" | "℠" => Some("℠"),
            "®" | "©" => Some(text),
            _ => None,
        };
        let ordinal = || is_ordinal(text) && before.is_some_and(|before| before.is_ascii_digit());
        if let Some(joined) = sign.or_else(|| ordinal().then_some(text)) {
            return Form::Joined(joined.to_owned());
        }
    }
    let is_part = |c: char| {
        c.is_alphanumeric() || matches!(c, '+' | '-' | '−' | '–' | '.' | ',' | '/' | '=' | '′')
    };
    if !before.is_some_and(ends_base)
        || text.chars().count() > limits::RAISED_CHARS
        || !text.chars().all(is_part)
    {
        return Form::Tagged;
    }
    let digits = text.trim_start_matches(['+', '-', '−', '–']);
    let is_single = !digits.is_empty() && digits.chars().all(char::is_alphanumeric);
    let continues = after.is_some_and(char::is_alphanumeric) && text.chars().count() > 1;
    let mark = level.mark();
    Form::Marked(if is_single && !continues {
        format!("{mark}{text}")
    } else {
        format!("{mark}({text})")
    })
}

/// Whether a character may be the end of what a raised text belongs to.
pub fn ends_base(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, ')' | ']' | '}' | '′')
}

/// Whether a raised text ends an ordinal number, in English or a Romance language.
fn is_ordinal(text: &str) -> bool {
    let ends = [
        "st", "nd", "rd", "th", "er", "re", "e", "ème", "o", "a", "º", "ª",
    ];
    ends.contains(&text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_depends_on_the_text_before_and_after() {
        let marked = |text: &str| Form::Marked(text.to_owned());
        let joined = |text: &str| Form::Joined(text.to_owned());
        for (text, level, before, after, expected) in [
            ("4", Level::Raised, Some('0'), None, marked("^4")),
            ("-12", Level::Raised, Some('0'), Some(' '), marked("^-12")),
            ("12", Level::Raised, Some('0'), Some('m'), marked("^(12)")),
            ("n+1", Level::Raised, Some('x'), None, marked("^(n+1)")),
            ("2", Level::Lowered, Some('H'), Some('O'), marked("_2")),
            ("i", Level::Lowered, Some(')'), None, marked("_i")),
            ("th", Level::Raised, Some('9'), None, joined("th")),
            ("th", Level::Raised, Some('x'), None, marked("^th")),
            ("TM", Level::Raised, Some('x'), None, joined("™")),
            ("2", Level::Raised, None, None, Form::Tagged),
            ("see below", Level::Raised, Some('x'), None, Form::Tagged),
        ] {
            assert_eq!(form(text, level, before, after), expected, "{text}");
        }
    }
}
