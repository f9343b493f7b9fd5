//! Detection of the delimiter of CSV.

use super::sample::sample_widths;
use super::scan::Style;
use super::style::common_width;

/// The candidates. If two of them divide all records alike, the first one is chosen: a comma within
/// values is more usual than the others.
const CANDIDATES: [u8; 4] = [b'\t', b';', b'|', b','];

/// The delimiter that the first line declares, as in `sep=;`, which Excel reads and writes. Also
/// returns the length of that line in bytes.
pub fn declared(text: &[u8]) -> Option<(u8, usize)> {
    let after = text.strip_prefix(b"sep=").or(text.strip_prefix(b"SEP="))?;
    let (delimiter, rest) = after.split_first()?;
    let rest = rest.strip_prefix(b"\r").unwrap_or(rest);
    let rest = rest.strip_prefix(b"\n")?;
    let valid = delimiter.is_ascii() && !matches!(delimiter, b'\r' | b'\n' | b'"');
    valid.then(|| (*delimiter, text.len().saturating_sub(rest.len())))
}

/// The delimiter that divides the first records most consistently into several values. A comma if
/// none does. `whole` states whether `text` is the whole text, and `tabs` whether its name is that
/// of a file with tabs.
pub fn detect(text: &[u8], whole: bool, tabs: bool) -> u8 {
    let mut best = (0, if tabs { b'\t' } else { b',' });
    for delimiter in CANDIDATES {
        let widths = sample_widths(text, Style::of(delimiter), whole);
        let Some((share, agrees)) = consistency(&widths) else {
            continue;
        };
        // In thousandths. The first record is usually a header, which has all columns.
        let mut score = share.saturating_mul(10);
        if agrees {
            score = score.saturating_add(1000);
        }
        if tabs && delimiter == b'\t' {
            score = score.saturating_add(5000);
        }
        if score > best.0 {
            best = (score, delimiter);
        }
    }
    best.1
}

/// The share in thousandths of the records that have the most frequent number of values, and
/// whether the first record has it too. `None` if the most frequent number is 1.
fn consistency(widths: &[usize]) -> Option<(usize, bool)> {
    let (width, most) = common_width(widths);
    let share = most.saturating_mul(1000).checked_div(widths.len())?;
    (width > 1).then(|| (share, widths.first() == Some(&width)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn delimiter_divides_all_records_alike() {
        for (text, expected) in [
            ("a,b\n1,2\n", b','),
            ("a;b\n1,5;2,5\n2,5;3,5\n", b';'),
            ("a\tb\n1,x\t2\n1\t2,y\n", b'\t'),
            ("a|b\n1|2\n", b'|'),
            ("name,text\nx,\"a;b\"\ny,\"c;d;e\"\nz,f\n", b','),
            ("id,tags\n1,a;b\n2,c;d\n3,e;f\n", b','),
            ("a,b,c\n1,2,3\n1,2\n1,2,3\n", b','),
            ("name\nAnn\nBen\n", b','),
            ("\"a,b\";c\n\"d,e\";f\n", b';'),
            ("", b','),
        ] {
            let found = detect(text.as_bytes(), true, false);
            assert_eq!(char::from(found), char::from(expected), "{text}");
        }
        assert_eq!(detect(b"a,b\n1,2\n", true, true), b',');
        assert_eq!(detect(b"a,b\tc,d\n1,2\t3,4\n", true, true), b'\t');
        assert_eq!(detect(b"name\n", true, true), b'\t');
    }

    #[test]
    fn declared_delimiter_is_that_of_the_first_line() {
        assert_eq!(declared(b"sep=;\r\na;b"), Some((b';', 7)));
        assert_eq!(declared(b"sep=\t\na"), Some((b'\t', 6)));
        for text in ["sep;b", "sep=;", "sep=\n", "a"] {
            assert_eq!(declared(text.as_bytes()), None, "{text}");
        }
    }
}
