//! Detection of the meaning of quotes, from the first records.

use super::scan::{Samples, Style, width};
use crate::limits;

/// The meaning of quotes that fits the start of a text best.
///
/// * In a text with tabs, quotes are characters if all lines have the same width only then.
/// * A backslash escapes a quote if more records have the same width then.
/// * Values are in single quotes if those of the first record are, and all records have its width.
pub fn detect(text: &[u8], delimiter: u8, whole: bool) -> Style {
    let double = Style::of(delimiter);
    let has = |bytes: &[u8]| memchr::memmem::find(text, bytes).is_some();
    if !has(b"\"") {
        let single = Style {
            quote: Some(b'\''),
            ..double
        };
        return if is_in_single_quotes(text, single, whole) {
            single
        } else {
            double
        };
    }
    let (misfits, is_plain) = misfits(text, double, whole);
    if delimiter == b'\t' && !is_plain && is_even(text, double.literal(), whole) {
        return double.literal();
    }
    let escaped = Style {
        backslash: true,
        ..double
    };
    if has(b"\\\"") && self::misfits(text, escaped, whole).0 < misfits {
        return escaped;
    }
    double
}

/// The number of records that are broken or have another width than most, and whether every record
/// is a line that is not broken and has the same width.
fn misfits(text: &[u8], style: Style, whole: bool) -> (usize, bool) {
    let mut widths = Vec::new();
    let mut broken = 0usize;
    let mut lines = true;
    let mut samples = Samples::new(text, style, whole);
    for record in samples.by_ref().take(limits::TABLE_SAMPLE_RECORDS) {
        broken = broken.saturating_add(usize::from(record.is_broken));
        lines &= memchr::memchr(b'\n', record.text).is_none();
        widths.push(width(record.text, record.style));
    }
    // A value that is open at the end of the sample contains the rest of it.
    if widths.len() < limits::TABLE_SAMPLE_RECORDS
        && let Some(rest) = samples.rest()
    {
        lines &= memchr::memchr(b'\n', rest.text).is_none();
    }
    let (common, share) = common_width(&widths);
    let off = widths.len().saturating_sub(share);
    let even = common > 0 && off == 0;
    (broken.saturating_add(off), broken == 0 && lines && even)
}

/// Whether several records have the same number of values, and more than one.
fn is_even(text: &[u8], style: Style, whole: bool) -> bool {
    let samples = Samples::new(text, style, whole).take(limits::TABLE_SAMPLE_RECORDS);
    let widths: Vec<usize> = samples
        .map(|record| width(record.text, record.style))
        .collect();
    let (common, share) = common_width(&widths);
    common > 1 && share > 1 && share == widths.len()
}

fn is_in_single_quotes(text: &[u8], style: Style, whole: bool) -> bool {
    let Some(first) = Samples::new(text, style, whole).next() else {
        return false;
    };
    // Each value of the first record begins and ends with a quote, and contains no delimiter.
    let mut parts = first.text.split(|byte| *byte == style.delimiter);
    let all = parts.all(|part| {
        let part = part.trim_ascii();
        part.len() > 1 && part.first() == Some(&b'\'') && part.last() == Some(&b'\'')
    });
    all && width(first.text, style) > 1 && misfits(text, style, whole).0 == 0
}

/// The most frequent width, the larger one of two, and the number of records that have it.
pub fn common_width(widths: &[usize]) -> (usize, usize) {
    let mut sorted = widths.to_vec();
    sorted.sort_unstable();
    let runs = sorted.chunk_by(|a, b| a == b);
    let best = runs.max_by_key(|run| run.len());
    best.map_or((0, 0), |run| (run.first().copied().unwrap_or(0), run.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_have_the_meaning_that_fits_the_records() {
        let of = |text: &str, delimiter| {
            let style = detect(text.as_bytes(), delimiter, true);
            (style.quote.map(char::from), style.backslash)
        };
        for (text, delimiter, expected) in [
            ("a,b\n\"1,2\",3\n", b',', (Some('"'), false)),
            ("a,b\n1,\"x \\\"y, z\\\"\"\n", b',', (Some('"'), true)),
            ("a,b\n1,\"c:\\dir\\\"\n2,x\n", b',', (Some('"'), false)),
            ("a\tb\n\"x\t1\ny\t2\nz\"\t3\n", b'\t', (None, false)),
            ("a\tb\n\"x\"\t1\n\"y\"\t2\n", b'\t', (Some('"'), false)),
            ("a\tb\n\"x\ny\"\t1\n", b'\t', (Some('"'), false)),
            ("'a';'b'\n'x;y';'O''N'\n", b';', (Some('\''), false)),
            ("'a','b'\n'x,y\n", b',', (Some('"'), false)),
            ("it's,b\n'x',y\n", b',', (Some('"'), false)),
        ] {
            assert_eq!(of(text, delimiter), expected, "{text}");
        }
    }
}
