//! Text strings of PDF files (ISO 32000-2, 7.9.2.2): UTF-16, UTF-8 or `PDFDocEncoding`.

/// The characters of `PDFDocEncoding` from 0x18 to 0x1F, and from 0x80 to 0xA0 (ISO 32000-2, D.2).
const LOW: [char; 8] = ['˘', 'ˇ', 'ˆ', '˙', '˝', '˛', '˚', '˜'];
const HIGH: [char; 33] = [
    '•', '†', '‡', '…', '—', '–', 'ƒ', '⁄', '‹', '›', '−', '‰', '„', '“', '”', '‘', '’', '‚', '™',
    'ﬁ', 'ﬂ', 'Ł', 'Œ', 'Š', 'Ÿ', 'Ž', 'ı', 'ł', 'œ', 'š', 'ž', '\u{fffd}', '€',
];

/// Decodes a text string. Language marks (ESC to ESC) are removed.
pub fn text(bytes: &[u8]) -> String {
    if let Some(rest) = bytes.strip_prefix(&[0xfe, 0xff]) {
        return utf16(rest, u16::from_be_bytes);
    }
    if let Some(rest) = bytes.strip_prefix(&[0xff, 0xfe]) {
        return utf16(rest, u16::from_le_bytes);
    }
    if let Some(rest) = bytes.strip_prefix(&[0xef, 0xbb, 0xbf]) {
        return String::from_utf8_lossy(rest).into_owned();
    }
    bytes.iter().map(|&byte| doc_character(byte)).collect()
}

fn utf16(bytes: &[u8], unit: fn([u8; 2]) -> u16) -> String {
    let units = bytes.as_chunks::<2>().0.iter().map(|pair| unit(*pair));
    let mut escaped = false;
    let mut out = String::with_capacity(bytes.len());
    for decoded in char::decode_utf16(units) {
        let character = decoded.unwrap_or('\u{fffd}');
        if character == '\u{1b}' {
            escaped = !escaped;
        } else if !escaped {
            out.push(character);
        }
    }
    out
}

fn doc_character(byte: u8) -> char {
    let table = |table: &[char], first: u8| {
        let place = usize::from(byte.saturating_sub(first));
        table.get(place).copied().unwrap_or('\u{fffd}')
    };
    match byte {
        0x18..=0x1f => table(&LOW, 0x18),
        0x80..=0xa0 => table(&HIGH, 0x80),
        _ => char::from(byte),
    }
}

/// The text in one line without control characters, and at most `most` bytes of it.
pub fn line(text: &str, most: usize) -> String {
    let mut out = String::new();
    for word in text.split(|it: char| it.is_whitespace() || it.is_control()) {
        if word.is_empty() {
            continue;
        }
        if out.len().saturating_add(word.len()) > most {
            break;
        }
        if !out.is_empty() {
            out.push(' ');
        }
        out.push_str(word);
    }
    if out.is_empty() && !text.trim().is_empty() {
        out = text.chars().filter(|it| !it.is_control()).collect();
        let mut end = most.min(out.len());
        while !out.is_char_boundary(end) {
            end = end.saturating_sub(1);
        }
        out.truncate(end);
        out = out.trim().to_owned();
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_encoding_is_found_by_the_mark() {
        assert_eq!(text(b"\xfe\xff\x04\x1f\x04\x34"), "Пд");
        assert_eq!(text(b"\xff\xfe\x1f\x04"), "П");
        assert_eq!(text("\u{feff}é".as_bytes()), "é");
        assert_eq!(text(b"caf\xe9 \x93\x8d\xa0"), "café ﬁ“€");
        assert_eq!(text(b"\xfe\xff\x00A\x00\x1b\x00e\x00n\x00\x1b\x00B"), "AB");
        assert_eq!(text(b"\xfe\xff\x00"), "");
    }

    #[test]
    fn lines_have_no_control_characters() {
        assert_eq!(line(" a\n\u{0}b  c ", 100), "a b c");
        assert_eq!(line("one two three", 7), "one two");
        assert_eq!(line("éééé", 3), "é");
    }
}
