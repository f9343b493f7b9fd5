//! Texts of cells: numbers and other values, and texts that go on in the next line.

/// The greatest number of letters of a value that is not a number, such as a date.
const LETTERS: usize = 4;

/// Characters of numbers that are not digits: separators, signs, currencies, and marks of notes.
fn is_part(it: char) -> bool {
    matches!(
        it,
        '.' | ','
            | '\''
            | '’'
            | '%'
            | '‰'
            | '+'
            | '-'
            | '–'
            | '−'
            | '('
            | ')'
            | '$'
            | '€'
            | '£'
            | '¥'
            | '*'
            | '†'
            | '‡'
            | '°'
            | '±'
            | '<'
            | '>'
            | '~'
    ) || it.is_whitespace()
}

/// Whether a text is a number. Digits after white space are a group of three, as those of a telephone are not.
pub fn is_number(text: &str) -> bool {
    let digits = |it: &&str| it.contains(char::is_numeric);
    let mut parts = text.split_whitespace().filter(digits);
    let Some(first) = parts.next() else {
        return false;
    };
    let mut before = first;
    text.chars().all(|it| it.is_numeric() || is_part(it))
        && parts.all(|it| is_grouped(std::mem::replace(&mut before, it), it) || is_enclosed(it))
}

/// Whether a text says that there is no value.
pub fn is_absent(text: &str) -> bool {
    !text.chars().any(char::is_alphanumeric)
        || matches!(
            text,
            "n/a" | "N/A" | "n.a." | "NA" | "x" | "X" | "ns" | "n.s."
        )
}

/// Whether a text is a number, or a value such as a date: it has not more letters than digits.
pub fn is_value(text: &str) -> bool {
    let digits = text.chars().filter(|it| it.is_numeric()).count();
    let letters = text.chars().filter(|it| it.is_alphabetic()).count();
    digits > 0 && letters <= digits.min(LETTERS)
}

/// Whether a text is in parentheses, such as an error below a number.
pub fn is_enclosed(text: &str) -> bool {
    text.starts_with(['(', '[', '<', '{']) && text.ends_with([')', ']', '>', '}', '*'])
}

/// Whether a text goes on in the next line, as far as its characters show. Texts that all start in lower case show nothing.
pub fn goes_on(text: &str, next: &str) -> bool {
    let is_lower = |it: &str| it.chars().next().is_some_and(char::is_lowercase);
    text.ends_with(['-', '\u{ad}', '‐', ',', '/', '&', '(']) || is_lower(next) && !is_lower(text)
}

/// Whether the words at both sides of a gap may be the groups of one number, such as `1 234 567`.
pub fn is_grouped(left: &str, right: &str) -> bool {
    let left = left.trim_start_matches(['-', '−', '–', '+', '(']);
    let right = right.trim_end_matches(['%', ')', '*']);
    let group = right.split([',', '.']).next().unwrap_or_default();
    let digits = |text: &str| text.chars().all(char::is_numeric);
    digits(left) && digits(group) && (1..=3).contains(&left.len()) && group.len() == 3
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_with_few_letters_are_values() {
        for text in [
            "12",
            "1,087,948",
            "17.4%",
            "(0.03)",
            "-5",
            "$ 3.50",
            "1 234 567",
            "9 (2)",
        ] {
            assert!(is_number(text), "{text}");
        }
        for text in ["Apr-2015", "12/31/04", "Q3", "+43 1 555 12"] {
            assert!(!is_number(text), "{text}");
        }
        assert!(is_value("Apr-2015") && is_value("12/31/04"));
        assert!(!is_value("May 5") && !is_value("Section 12") && !is_value("—"));
        assert!(is_absent("—") && !is_absent("0"));
    }

    #[test]
    fn digits_in_groups_are_one_number() {
        assert!(is_grouped("1", "234") && is_grouped("12", "345,50"));
        assert!(!is_grouped("75.2", "121") && !is_grouped("1,087", "1,022"));
    }
}
