//! Charsets: bytes → text.

use crate::codepage::CodePage;
use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use omniread_document::base64;

/// Decodes a text. `label` is the declared charset, which may be empty, unknown or wrong. A text
/// without a known charset is UTF-8 if it is valid UTF-8, and Windows-1252 otherwise.
pub fn decode(bytes: &[u8], label: &str) -> String {
    let label = label.trim().trim_matches(['"', '\'']);
    // RFC 2231, 5: a language may follow.
    let label = label.split('*').next().unwrap_or_default();
    if label.eq_ignore_ascii_case("utf-7") || label.eq_ignore_ascii_case("unicode-1-1-utf-7") {
        return utf7(bytes);
    }
    let named = Encoding::for_label(label.as_bytes()).map(CodePage::Web);
    let encoding = match named.or_else(|| alias(label)) {
        // US-ASCII is a label of Windows-1252. Such texts are often UTF-8.
        Some(CodePage::Web(found)) if found != WINDOWS_1252 || is_exact(label) => found,
        Some(page @ CodePage::Dos(_)) => return page.decoded(bytes),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => return text.trim_start_matches('\u{feff}').to_owned(),
            Err(_) => WINDOWS_1252,
        },
    };
    let (text, _, damaged) = encoding.decode(bytes);
    // A declared charset that does not fit loses against valid UTF-8.
    if damaged
        && encoding != UTF_8
        && let Ok(text) = std::str::from_utf8(bytes)
    {
        return text.to_owned();
    }
    text.into_owned()
}

/// Decodes the value of a header field, which should be ASCII. `fallback` is the charset of a value that
/// is not UTF-8: programs that write such fields use the charset of the text. It may be empty.
pub fn decode_field(bytes: &[u8], fallback: &str) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => decode(text.as_bytes(), ""),
        Err(_) => decode(bytes, fallback),
    }
}

/// Whether a label means Windows-1252 or ISO 8859-1 and not ASCII.
fn is_exact(label: &str) -> bool {
    let label = label.to_ascii_lowercase();
    !label.contains("ascii") && label != "ansi_x3.4-1968" && label != "iso-ir-100"
}

/// Charsets with names that the WHATWG standard does not have.
fn alias(label: &str) -> Option<CodePage> {
    let label = label.to_ascii_lowercase();
    let digits = label.trim_start_matches(|char: char| !char.is_ascii_digit());
    if ["cp", "windows", "ms", "ansi", "ibm", "x-cp"]
        .iter()
        .any(|start| label.starts_with(start))
        && let Ok(page) = digits.parse()
    {
        return CodePage::numbered(page);
    }
    let known = match label.as_str() {
        "utf8" | "utf_8" | "utf-8-sig" | "unicode-utf-8" => "utf-8",
        "gb18030-0" | "gb_18030" | "gb2312-80" => "gb18030",
        "big5hkscs" | "big5-hkscs:2004" => "big5",
        "ks_c_5601" | "ksc5601.1987" | "x-windows-949" => "euc-kr",
        "iso8859_1" | "latin-1" | "8859_1" => "iso-8859-1",
        "iso8859_15" | "latin-9" | "latin9" => "iso-8859-15",
        "sjis" | "shift-jis" | "x-ms-cp932" => "shift_jis",
        "iso-2022-jp-1" | "iso-2022-jp-2" | "iso-2022-jp-3" | "iso-2022-jp-ms" => "iso-2022-jp",
        _ => return None,
    };
    Encoding::for_label(known.as_bytes()).map(CodePage::Web)
}

/// Decodes UTF-7 (RFC 2152). Damage is shown as it is.
fn utf7(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(plus) = memchr::memchr(b'+', rest) {
        let (before, after) = rest.split_at_checked(plus).unwrap_or((rest, &[]));
        out.push_str(&String::from_utf8_lossy(before));
        let after = after.get(1..).unwrap_or_default();
        let is_base64 = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/');
        let length = after.iter().take_while(|byte| is_base64(byte)).count();
        let (code, tail) = after.split_at_checked(length).unwrap_or((after, &[]));
        let closed = tail.first() == Some(&b'-');
        if code.is_empty() {
            out.push('+');
        } else {
            let wide = base64::decode(code);
            let (text, _) = encoding_rs::UTF_16BE.decode_without_bom_handling(&wide);
            out.push_str(&text);
        }
        rest = if closed {
            tail.get(1..).unwrap_or_default()
        } else {
            tail
        };
    }
    out.push_str(&String::from_utf8_lossy(rest));
    out
}

/// Decodes HTML. `label` is the charset in the header of the part, which may be empty.
pub fn decode_html(bytes: &[u8], label: &str) -> String {
    let declared = || omniread_markup::charset::declared_charset(bytes).unwrap_or_default();
    let label = if label.is_empty() {
        declared()
    } else {
        label.to_owned()
    };
    decode(bytes, &label)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declared_charset_is_used() {
        assert_eq!(decode(b"caf\xe9", "iso-8859-1"), "café");
        assert_eq!(decode(b"\xcf\xf0\xe8", "CP1251"), "При");
        assert_eq!(decode(b"\xcf\xf0\xe8", "windows-1251"), "При");
        assert_eq!(decode(b"x \x84 y", "cp437"), "x ä y");
        assert_eq!(decode(b"\xa5", "IBM852"), "ą");
        assert_eq!(decode(b"\x1b$B4A;z\x1b(B", "iso-2022-jp"), "漢字");
    }

    #[test]
    fn wrong_charset_loses_against_utf8() {
        assert_eq!(decode("é".as_bytes(), "us-ascii"), "é");
        assert_eq!(decode("é".as_bytes(), ""), "é");
        assert_eq!(decode("漢".as_bytes(), "shift_jis-x"), "漢");
        assert_eq!(decode(b"\xe9", "nothing"), "é");
    }

    #[test]
    fn utf7_is_decoded() {
        assert_eq!(decode(b"Hi Mom -+Jjo--!", "utf-7"), "Hi Mom -☺-!");
        assert_eq!(decode(b"1 +- 1 +", "UTF-7"), "1 + 1 +");
    }
}
