//! The end of a record whose text is in memory, without parsing its values.

/// A record in a text.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    /// The index of its first byte, after empty lines.
    pub start: usize,
    /// The index of the line end after it.
    pub end: usize,
    /// Whether it contains a quote that may have a meaning.
    pub has_quote: bool,
}

/// Finds the first record of a text that starts at a record. `None` if the text ends before the end
/// of the record is known. Finds the same records as `csv-core`: a carriage return ends a record too,
/// empty lines are not records, and a quote has a meaning only at the start of a value.
pub fn find(text: &[u8], delimiter: u8, quoting: bool) -> Option<Found> {
    let start = text
        .iter()
        .position(|byte| !matches!(byte, b'\n' | b'\r'))?;
    let mut has_quote = false;
    let mut at = start;
    loop {
        let rest = text.get(at..)?;
        let found = if quoting {
            memchr::memchr3(b'\n', b'\r', b'"', rest)?
        } else {
            memchr::memchr2(b'\n', b'\r', rest)?
        };
        let place = at.saturating_add(found);
        if text.get(place) != Some(&b'"') {
            return Some(Found {
                start,
                end: place,
                has_quote,
            });
        }
        has_quote = true;
        at = place.saturating_add(1);
        let before = place.checked_sub(1).and_then(|before| text.get(before));
        if place == start || before == Some(&delimiter) {
            at = after_quotes(text, at)?;
        }
    }
}

/// The index after the closing quote of a value whose text starts at `at`.
fn after_quotes(text: &[u8], at: usize) -> Option<usize> {
    let mut at = at;
    loop {
        let rest = text.get(at..)?;
        at = at
            .saturating_add(memchr::memchr(b'"', rest)?)
            .saturating_add(1);
        // Two quotes are one in the value.
        if *text.get(at)? != b'"' {
            return Some(at);
        }
        at = at.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::super::record::sample_widths;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn record_ends_at_a_line_end_outside_of_quotes() {
        let of = |text: &str| {
            let found = find(text.as_bytes(), b',', true);
            found.map(|found| (found.start, found.end, found.has_quote))
        };
        assert_eq!(of("a,b\nc"), Some((0, 3, false)));
        assert_eq!(of("\r\n\na\r\n"), Some((3, 4, false)));
        assert_eq!(of("\"a\n\"\"\n\",b\n"), Some((0, 9, true)));
        assert_eq!(of("5\" x\na"), Some((0, 4, true)));
        for text in ["", "\n", "a", "\"a\n", "\"a\""] {
            assert_eq!(of(text), None, "{text}");
        }
        let found = find(b"\"a\nb", b',', false).unwrap();
        assert_eq!(found.end, 2);
    }

    proptest! {
        #[test]
        fn records_are_those_of_the_parser(text in "[ab,\"\n\r]{0,40}") {
            let text = text.into_bytes();
            let mut rest = text.as_slice();
            let mut widths = Vec::new();
            while let Some(found) = find(rest, b',', true) {
                widths.extend(sample_widths(&rest[..=found.end], b',', false));
                rest = &rest[found.end + 1..];
            }
            widths.extend(sample_widths(rest, b',', true));
            prop_assert_eq!(widths, sample_widths(&text, b',', true));
        }
    }
}
