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

/// The form of a text. `before` is the text before it in its line, and empty if white space precedes it.
/// `after` is the character after it.
pub fn form(text: &str, level: Level, before: &str, after: Option<char>) -> Form {
    if text.is_empty() {
        return Form::Joined(String::new());
    }
    let line = before;
    let before = line.chars().next_back();
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
    if level == Level::Raised && text.bytes().all(|byte| byte.is_ascii_digit()) && is_long(line) {
        return Form::Tagged;
    }
    let digits = text.trim_start_matches(['+', '-', '−', '–']);
    let is_single = !digits.is_empty() && digits.chars().all(char::is_alphanumeric);
    let is_long = text.chars().count() > 1;
    let continues =
        after.is_some_and(|after| after.is_alphanumeric() && (is_long || after.is_ascii_digit()));
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

/// Whether a raised text ends an ordinal number, in English or a Romance language. A single letter may
/// be the mark of a note.
fn is_ordinal(text: &str) -> bool {
    ["st", "nd", "rd", "th", "er", "re", "ème", "º", "ª"].contains(&text)
}

/// Whether a line ends in a number that is seldom raised to a power: it has more than one digit and is not
/// 10. Digits after it may be the mark of a note.
fn is_long(line: &str) -> bool {
    let is_part = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',');
    let number = line
        .len()
        .saturating_sub(line.trim_end_matches(is_part).len());
    number > 1 && !(number == 2 && line.ends_with("10"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn form_depends_on_the_text_before_and_after() {
        let marked = |text: &str| Form::Marked(text.to_owned());
        let joined = |text: &str| Form::Joined(text.to_owned());
        for (text, level, before, after, expected) in [
            ("4", Level::Raised, "10", None, marked("^4")),
            ("-12", Level::Raised, "1.5·10", Some(' '), marked("^-12")),
            ("12", Level::Raised, "10", Some('m'), marked("^(12)")),
            ("2", Level::Raised, "x", Some('3'), marked("^(2)")),
            ("10", Level::Raised, "by 2", None, marked("^10")),
            ("n+1", Level::Raised, "x", None, marked("^(n+1)")),
            ("2", Level::Lowered, "H", Some('O'), marked("_2")),
            ("i", Level::Lowered, "(a)", None, marked("_i")),
            ("th", Level::Raised, "19", None, joined("th")),
            ("th", Level::Raised, "x", None, marked("^th")),
            ("TM", Level::Raised, "x", None, joined("™")),
            // These may be marks of notes.
            ("a", Level::Raised, "12.3", None, marked("^a")),
            ("3", Level::Raised, "2,500", None, Form::Tagged),
            ("1", Level::Raised, "in 1990", None, Form::Tagged),
            ("2", Level::Raised, "", None, Form::Tagged),
            ("see below", Level::Raised, "x", None, Form::Tagged),
        ] {
            assert_eq!(form(text, level, before, after), expected, "{text}");
        }
    }
}
