//! Ranges of lines as other programs write them.

/// The lines of `-n` in the form of this program, if they have a form of other programs, such as
/// `10:20`.
pub fn of_other_form(text: &str) -> Option<String> {
    lines(text).filter(|_| text.contains(':'))
}

/// A value that is a number.
pub fn number(text: &str) -> Option<String> {
    let is_number = !text.is_empty() && text.len() < 16 && text.bytes().all(|c| c.is_ascii_digit());
    is_number.then(|| text.to_owned())
}

/// Lines or units as other programs write them, such as `10:20`, `10,20`, `:20` or `10:`, in the form
/// of a selector.
pub fn lines(text: &str) -> Option<String> {
    let at = text.find(|c: char| !c.is_ascii_digit());
    let (first, rest) = text.split_at(at.unwrap_or(text.len()));
    if rest.is_empty() {
        return number(first);
    }
    let separators = ["..", ":", "-", ","];
    let last = separators
        .iter()
        .find_map(|separator| rest.strip_prefix(separator))?;
    let first = if first.is_empty() {
        "1"
    } else {
        &number(first)?
    };
    match last {
        "" => Some(format!("{first}-")),
        last => Some(format!("{first}-{}", number(last)?)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_of_other_programs_are_converted() {
        for (text, expected) in [
            ("10:20", Some("10-20")),
            (":20", Some("1-20")),
            ("10:", Some("10-")),
            ("10-20", None),
            ("10", None),
            ("x:y", None),
        ] {
            assert_eq!(of_other_form(text).as_deref(), expected, "{text}");
        }
    }
}
