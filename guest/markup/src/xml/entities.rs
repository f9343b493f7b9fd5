//! Entity references. Only predefined, numeric and, in feeds, HTML's references are decoded.

use memchr::memchr;

use super::tokens::slice;
use crate::dom;
use omniread_document::limits::REFERENCE_BYTES;

/// The references that are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum References {
    /// The five predefined references, numeric ones, and the named ones of HTML.
    Html,
    /// Numeric references to visible characters that have no meaning in markup.
    Visible,
}

/// Decodes references in a text and appends it to `out`. Other references stay as written. Returns
/// whether a named reference is unknown.
pub fn decode(text: &str, references: References, out: &mut String) -> bool {
    let mut unknown = false;
    let mut rest = text;
    while let Some(at) = memchr(b'&', rest.as_bytes()) {
        out.push_str(slice(rest, 0, at));
        rest = rest.get(at..).unwrap_or_default();
        let window = rest.as_bytes().get(1..).unwrap_or_default();
        let window = window.get(..REFERENCE_BYTES).unwrap_or(window);
        let end = window
            .iter()
            .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'#')
            .unwrap_or(window.len());
        let name = slice(rest, 1, end.saturating_add(1));
        let terminated = window.get(end) == Some(&b';');
        let length = end.saturating_add(if terminated { 2 } else { 1 });
        match reference(name, terminated, references) {
            Reference::Character(c) => out.push(c),
            Reference::Text(text) => out.push_str(&text),
            Reference::Bare => out.push_str(slice(rest, 0, length)),
            Reference::Unknown => {
                unknown = true;
                out.push_str(slice(rest, 0, length));
            }
        }
        rest = rest.get(length..).unwrap_or_default();
    }
    out.push_str(rest);
    unknown
}

enum Reference {
    Character(char),
    Text(String),
    /// A bare ampersand, or a reference that stays as written on purpose.
    Bare,
    /// A named reference without a known meaning.
    Unknown,
}

fn reference(name: &str, terminated: bool, references: References) -> Reference {
    if !terminated {
        return Reference::Bare;
    }
    if let Some(number) = name.strip_prefix('#') {
        return match (numeric(number), references) {
            (Some(c), References::Html) => Reference::Character(c),
            (Some(c), References::Visible) if is_visible(c) => Reference::Character(c),
            _ => Reference::Bare,
        };
    }
    if references == References::Visible || name.is_empty() || name.contains('#') {
        return Reference::Bare;
    }
    match name {
        "amp" => Reference::Character('&'),
        "lt" => Reference::Character('<'),
        "gt" => Reference::Character('>'),
        "quot" => Reference::Character('"'),
        "apos" => Reference::Character('\''),
        // Feeds have many of this one.
        "nbsp" => Reference::Character('\u{A0}'),
        _ => named(name).map_or(Reference::Unknown, Reference::Text),
    }
}

/// The character of a numeric reference. Feeds written on Windows use the numbers 128 to 159 for
/// characters of windows-1252, and HTML's parser reads them so.
fn numeric(number: &str) -> Option<char> {
    let code = match number.strip_prefix(['x', 'X']) {
        Some(hex) => u32::from_str_radix(hex, 16),
        None => number.parse(),
    };
    match code.ok()? {
        0..=8 | 11 | 12 | 14..=31 => None,
        code @ 128..=159 => named(&format!("#{code}")).and_then(|text| text.chars().next()),
        code => char::from_u32(code),
    }
}

/// The text of a reference in HTML. Its tokenizer has the table of names.
fn named(name: &str) -> Option<String> {
    let mut text = String::new();
    dom::parse(&format!("x&{name};")).raw_text(dom::Id::ROOT, &mut text);
    let text = text.strip_prefix('x')?;
    // `&notit;` is `¬it;` in HTML. Here it is unknown.
    let known = !text.is_empty() && !text.starts_with('&') && !text.ends_with(';');
    known.then(|| text.to_owned())
}

/// Whether a character is visible, neither ASCII nor white space.
fn is_visible(c: char) -> bool {
    // These letters are invisible: Hangul fillers.
    let filler = matches!(c, '\u{115F}' | '\u{1160}' | '\u{3164}' | '\u{FFA0}');
    let symbol = matches!(c,
        '\u{A1}'..='\u{AC}' | '\u{AE}'..='\u{BF}' | '\u{D7}' | '\u{F7}'
        | '\u{2010}'..='\u{2027}' | '\u{2030}'..='\u{205E}' | '\u{20A0}'..='\u{20C0}'
        | '\u{2100}'..='\u{2BFF}' | '\u{3001}'..='\u{303F}' | '\u{1F300}'..='\u{1FAFF}');
    !c.is_ascii() && !filler && (c.is_alphanumeric() || symbol)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str, references: References) -> (String, bool) {
        let mut out = String::new();
        let unknown = decode(text, references, &mut out);
        (out, unknown)
    }

    #[test]
    fn html_references_are_decoded_once() {
        let (text, unknown) = decoded(
            "&amp;lt; &#65;&#x42; &eacute;&nbsp;&rsquo; &#150;",
            References::Html,
        );
        assert_eq!((text.as_str(), unknown), ("&lt; AB é\u{a0}’ –", false));
    }

    #[test]
    fn bare_ampersand_stays() {
        for text in [
            "a & b", "a&b=c", "a&", "&;", "&#;", "&#x;", "&#0;", "&#xD800;", "&&amp",
        ] {
            assert_eq!(decoded(text, References::Html), (text.to_owned(), false));
        }
    }

    #[test]
    fn custom_entity_stays_and_is_reported() {
        assert_eq!(
            decoded("&lol9;", References::Html),
            ("&lol9;".to_owned(), true)
        );
        assert_eq!(
            decoded("&notit;", References::Html),
            ("&notit;".to_owned(), true)
        );
    }

    #[test]
    fn visible_characters_only_are_decoded_for_xml() {
        let text = "&lt;&#60;Stra&#223;e&#8203;&#x202E;&#10;&eacute;";
        assert_eq!(
            decoded(text, References::Visible).0,
            "&lt;&#60;Straße&#8203;&#x202E;&#10;&eacute;"
        );
    }

    proptest::proptest! {
        #[test]
        fn decoded_text_is_bounded(text in "[&#x0-9a-z;é]{0,80}") {
            // The longest growth is that of `&nGt;`, three bytes more than its name in UTF-8.
            let (out, _) = decoded(&text, References::Html);
            proptest::prop_assert!(out.len() <= text.len() * 2 + 8);
        }
    }
}
