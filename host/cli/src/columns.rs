//! The width of text in columns of a terminal.

use unicode_width::{UnicodeWidthChar as _, UnicodeWidthStr as _};

/// The maximum number of characters that are taken as one. Combining characters may follow each
/// other without end, and each of them is measured with all before it.
const CLUSTER_CHARS: usize = 32;

/// The number of columns of a text. Wide characters have two, combining characters none.
pub fn width(text: &str) -> usize {
    if text.is_ascii() {
        text.len()
    } else {
        text.width()
    }
}

/// The longest start of a text that has at most `columns` columns. It does not end in the middle of
/// characters that are drawn as one, such as a letter with an accent or the parts of an emoji.
pub fn start(text: &str, columns: usize) -> &str {
    if text.is_ascii() {
        return text.get(..columns).unwrap_or(text);
    }
    let (mut end, mut left) = (0, columns);
    while let Some(cluster) = cluster(&text[end..]) {
        let Some(rest) = left.checked_sub(cluster.width()) else {
            break;
        };
        left = rest;
        end += cluster.len();
    }
    &text[..end]
}

/// The first characters of a text that are drawn as one. `None` if the text is empty.
fn cluster(text: &str) -> Option<&str> {
    let first = text.chars().next()?;
    let mut end = first.len_utf8();
    let mut width = first.width().unwrap_or(0);
    let mut last = first;
    for c in text[end..].chars().take(CLUSTER_CHARS) {
        let longer = &text[..end + c.len_utf8()];
        // A character that makes the text no wider is drawn in the columns of those before it.
        // A selector of the form of an emoji and the second letter of a flag may widen them.
        let flag = is_flag_letter(last) && is_flag_letter(c) && end == last.len_utf8();
        if width == 0 || (longer.width() > width && c != '\u{fe0f}' && !flag) {
            break;
        }
        width = longer.width();
        end = longer.len();
        last = c;
    }
    Some(&text[..end])
}

/// Whether a character is one of the letters of which two are a flag.
fn is_flag_letter(c: char) -> bool {
    ('\u{1f1e6}'..='\u{1f1ff}').contains(&c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn width_counts_wide_characters_twice_and_combining_ones_not() {
        for (text, expected) in [
            ("", 0),
            ("plain", 5),
            ("é", 1),
            ("e\u{301}", 1),
            ("漢字", 4),
            ("한글", 4),
            ("😀", 2),
            ("👩\u{200d}🔬", 2),
            ("👍🏽", 2),
            ("ｆｕｌｌ", 8),
            ("…", 1),
        ] {
            assert_eq!(width(text), expected, "{text}");
        }
    }

    #[test]
    fn start_ends_between_characters_that_are_drawn_as_one() {
        for (text, columns, expected) in [
            ("plain", 3, "pla"),
            ("plain", 9, "plain"),
            ("漢字", 3, "漢"),
            ("漢字", 1, ""),
            ("e\u{301}a", 1, "e\u{301}"),
            ("a👩\u{200d}🔬b", 3, "a👩\u{200d}🔬"),
            ("a👩\u{200d}🔬b", 2, "a"),
            ("👍🏽x", 2, "👍🏽"),
            ("🇩🇪🇫🇷", 2, "🇩🇪"),
            ("🇩🇪🇫🇷", 3, "🇩🇪"),
        ] {
            assert_eq!(start(text, columns), expected, "{text} {columns}");
        }
    }

    #[test]
    fn combining_characters_without_end_are_measured_in_linear_time() {
        let text = format!("a{}", "\u{301}".repeat(200_000));
        assert_eq!(start(&text, 3), text);
    }
}
