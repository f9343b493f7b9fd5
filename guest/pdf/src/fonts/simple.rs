//! Fonts with codes of one byte (ISO 32000-2, 9.6): Type 1, TrueType and Type 3.
//!
//! The library reads encodings, widths and font programs. It is not asked where the file itself says
//! the character and the width of each code.

use super::code::{Code, normal};
use super::tex;
use super::to_unicode::ToUnicode;
use crate::decode;
use crate::limits;
use crate::page::Text;
use hayro_font::hayro_cmap::BfString;
use hayro_font::{
    CMapResolverFn, Font, FontCache, FontGlyph, FontQuery, FontResolverFn, GlyphId, StandardFont,
};
use hayro_syntax::object::{Array, Dict, Object, Stream};
use std::rc::Rc;
use std::sync::Arc;

/// A font with codes of one byte.
pub struct Simple {
    pub codes: Vec<Code>,
    pub mono: bool,
    pub em: f32,
    /// Whether the widths of a bitmap font are those of a heavy one.
    pub bold: bool,
}

/// Loads a font.
pub fn load(
    dict: &Dict<'_>,
    descriptor: &Dict<'_>,
    subtype: &[u8],
    map: &ToUnicode,
    name: &str,
) -> Simple {
    let is_type3 = subtype == b"Type3";
    let scale = if is_type3 {
        matrix(dict)[0].abs() * 1000.0
    } else {
        1.0
    };
    let own = widths(dict);
    let mut encoding: Option<tex::Encoding> = None;
    let mut program: Option<Option<Font<'_>>> = None;
    let mut names: Option<Vec<Option<String>>> = None;
    let mut codes = Vec::with_capacity(256);
    let has_widths = own.iter().any(Option::is_some);
    for code in 0..=255_u8 {
        let index = u32::from(code);
        let width = own.get(usize::from(code)).copied().flatten();
        let mapped = map
            .get(index)
            .filter(|text| !matches!(text, Text::Unmapped));
        let used = width.is_some() || !has_widths;
        let (text, advance) = match (mapped, width) {
            (Some(text), Some(width)) => (text, width * scale),
            // The code is not used: programs write widths only for the codes that are.
            (None, _) if !used => (Text::Unmapped, missing_width(descriptor)),
            (mapped, width) => {
                let font = program.get_or_insert_with(|| read(dict, descriptor));
                let text = mapped.unwrap_or_else(|| {
                    let known = font.as_ref().and_then(|font| character(font, index));
                    known.unwrap_or_else(|| {
                        let names = names.get_or_insert_with(|| differences(dict));
                        let name = names.get(usize::from(code)).and_then(Option::as_deref);
                        let tex = is_type3
                            .then(|| *encoding.get_or_insert_with(|| tex_encoding(names, &own)));
                        tex::by_name(name, code, tex)
                    })
                });
                let advance = match width {
                    Some(width) => width * scale,
                    None => font.as_ref().map_or(500.0, |font| advance(font, index)),
                };
                (text, advance)
            }
        };
        codes.push(Code {
            text: normal(text, name),
            advance: if advance.is_finite() { advance } else { 0.0 },
            word_space: code == 32,
        });
    }
    let mono = !is_type3 && is_mono(&own);
    let letters = own.get(usize::from(b'a')..=usize::from(b'z'));
    Simple {
        mono,
        bold: is_type3 && letters.is_some_and(tex::is_bold),
        em: if is_type3 { em(dict, &codes) } else { 1.0 },
        codes,
    }
}

/// The codes of Helvetica.
pub fn standard() -> Vec<Code> {
    let (fonts, maps) = resolvers();
    let font = FontCache::new().standard_font(StandardFont::Helvetica, &fonts);
    let code = |code: u8| {
        let known = font
            .as_ref()
            .and_then(|font| character(font, u32::from(code)));
        let advance = font
            .as_ref()
            .map_or(500.0, |font| advance(font, u32::from(code)));
        Code {
            text: normal(known.unwrap_or(Text::Unmapped), ""),
            advance,
            word_space: code == 32,
        }
    };
    drop(maps);
    (0..=255).map(code).collect()
}

/// The advance of a code.
#[expect(clippy::cast_possible_truncation, reason = "widths are small")]
fn advance(font: &Font<'_>, code: u32) -> f32 {
    font.code_advance(code).x as f32
}

fn resolvers() -> (FontResolverFn, CMapResolverFn) {
    let fonts: FontResolverFn = Arc::new(|query| match query {
        FontQuery::Standard(font) => Some(font.get_font_data()),
        FontQuery::Fallback(query) => Some(query.pick_standard_font().get_font_data()),
    });
    let maps: CMapResolverFn = Arc::new(hayro_cmap::load_embedded);
    (fonts, maps)
}

/// Lets the library read a font, unless its numbers or sizes are out of range.
fn read<'a>(dict: &Dict<'a>, descriptor: &Dict<'a>) -> Option<Font<'a>> {
    let in_range = |key: &str| {
        dict.get::<i64>(key)
            .is_none_or(|value| (0..=255).contains(&value))
    };
    if !in_range("FirstChar")
        || dict
            .get::<Array<'_>>("Widths")
            .is_some_and(|it| it.data().len() > 1 << 16)
    {
        return None;
    }
    for key in ["FontFile", "FontFile2", "FontFile3"] {
        if let Some(stream) = descriptor.get::<Stream<'_>>(key)
            && !is_small(&stream)
        {
            return None;
        }
    }
    if let Some(stream) = dict.get::<Stream<'_>>("ToUnicode")
        && !is_small(&stream)
    {
        return None;
    }
    let (fonts, maps) = resolvers();
    FontCache::new().font(dict, &fonts, &maps)
}

/// Whether the library can decompress the stream within the limit.
fn is_small(stream: &Stream<'_>) -> bool {
    // Deflate makes data up to 1032 times as long.
    let length = stream.raw_data().len();
    let filters = stream.filters().len();
    if filters <= 1 && length.saturating_mul(1032) <= limits::STREAM_BYTES {
        return true;
    }
    decode::data(stream, limits::STREAM_BYTES).is_some_and(|(_, cut)| !cut)
}

fn character(font: &Font<'_>, code: u32) -> Option<Text> {
    let text = match font.glyph(GlyphId::NOTDEF, code) {
        FontGlyph::Outline(glyph) => glyph.as_unicode(),
        FontGlyph::Type3(glyph) => glyph.as_unicode(),
    };
    match text? {
        BfString::Char('\0' | '\u{fffd}') => None,
        BfString::Char(one) => Some(Text::One(one)),
        BfString::String(many) => Some(Text::Many(Rc::from(many))),
    }
}

/// The widths of the codes, as far as the font dictionary has them.
fn widths(dict: &Dict<'_>) -> [Option<f32>; 256] {
    let mut out = [None; 256];
    let Some(array) = dict.get::<Array<'_>>("Widths") else {
        return out;
    };
    let first = dict
        .get::<i64>("FirstChar")
        .and_then(|first| usize::try_from(first).ok());
    let Some(places) = first.and_then(|first| out.get_mut(first..)) else {
        return out;
    };
    for (place, width) in places.iter_mut().zip(array.iter::<f32>()) {
        *place = Some(width);
    }
    out
}

fn missing_width(descriptor: &Dict<'_>) -> f32 {
    descriptor.get::<f32>("MissingWidth").unwrap_or_default()
}

/// Whether all glyphs have one width.
fn is_mono(widths: &[Option<f32>; 256]) -> bool {
    let mut seen = widths.iter().flatten().filter(|width| **width > 0.0);
    let Some(first) = seen.next() else {
        return false;
    };
    let mut count = 1_usize;
    for width in seen {
        if (width - first).abs() > 1.0 {
            return false;
        }
        count = count.saturating_add(1);
    }
    count >= 12
}

/// The encoding of a bitmap font of TeX, by the codes that have glyphs: those of the names, or those with a width.
fn tex_encoding(names: &[Option<String>], widths: &[Option<f32>; 256]) -> tex::Encoding {
    let named: Vec<u8> = names
        .iter()
        .flatten()
        .filter_map(|it| tex::number(it))
        .collect();
    tex::Encoding::of(|code| {
        if named.is_empty() {
            let width = widths.get(usize::from(code)).copied().flatten();
            width.is_some_and(|it| it > 0.0)
        } else {
            named.contains(&code)
        }
    })
}

/// The names of `Differences`.
fn differences(dict: &Dict<'_>) -> Vec<Option<String>> {
    let mut names = vec![None; 256];
    let encoding = dict.get::<Dict<'_>>("Encoding");
    let Some(list) = encoding.and_then(|encoding| encoding.get::<Array<'_>>("Differences")) else {
        return names;
    };
    let mut code = 0_usize;
    for object in list.iter::<Object<'_>>().take(1000) {
        match object {
            Object::Number(number) => code = usize::try_from(number.as_i64()).unwrap_or(256),
            Object::Name(name) => {
                if let Some(place) = names.get_mut(code) {
                    *place = Some(name.as_str().to_owned());
                }
                code = code.saturating_add(1);
            }
            _ => {}
        }
    }
    names
}

fn matrix(dict: &Dict<'_>) -> [f32; 6] {
    dict.get::<[f32; 6]>("FontMatrix")
        .unwrap_or([0.001, 0.0, 0.0, 0.001, 0.0, 0.0])
}

/// The height of a line in font sizes. A font of Type 3 may have any coordinates. It follows from the
/// widths of the letters. Where no code is known to be a letter, it follows from the box of the font if that
/// fits the widths, because programs write boxes without a meaning.
fn em(dict: &Dict<'_>, codes: &[Code]) -> f32 {
    let mean = |letters: bool| {
        let widths: Vec<f32> = codes
            .iter()
            .filter(|code| code.advance > 0.0)
            .filter(|code| !letters || code.text.all(char::is_alphabetic))
            .map(|code| code.advance / 1000.0)
            .collect();
        #[expect(clippy::cast_precision_loss, reason = "there are at most 256")]
        let count = widths.len().max(1) as f32;
        widths.iter().sum::<f32>() / count
    };
    let (letters, all) = (mean(true), mean(false));
    let height = dict
        .get::<[f32; 4]>("FontBBox")
        .map(|it| (it[3] - it[1]).abs() * matrix(dict)[3].abs())
        .filter(|height| *height > 0.0);
    let estimate = match height {
        _ if letters > 0.0 => letters * 2.0,
        Some(height) if all <= 0.0 || (0.5 * all..=4.0 * all).contains(&height) => height,
        _ if all > 0.0 => all * 2.0,
        _ => 1.0,
    };
    if (0.6..=1.8).contains(&estimate) || !estimate.is_finite() || estimate <= 0.0 {
        return 1.0;
    }
    estimate
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro_syntax::object::FromBytes;

    fn text(simple: &Simple, code: usize) -> String {
        let mut out = String::new();
        simple.codes[code].text.push_to(&mut out);
        out
    }

    #[test]
    fn standard_fonts_have_names_and_widths() {
        let dict = Dict::from_bytes(
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier-Bold /Encoding /WinAnsiEncoding >>",
        )
        .unwrap();
        let simple = load(&dict, &Dict::default(), b"Type1", &ToUnicode::default(), "");
        assert_eq!(text(&simple, 65), "A");
        assert_eq!(text(&simple, 0xe9), "é");
        assert!((simple.codes[65].advance - 600.0).abs() < 1.0);
        assert_eq!(standard()[65].text, Text::One('A'));
    }

    #[test]
    fn names_of_bitmap_fonts_are_codes() {
        let dict = Dict::from_bytes(
            b"<< /Type /Font /Subtype /Type3 /FontMatrix [1 0 0 1 0 0] /FirstChar 11 /LastChar 66 /Widths [5 5] /CharProcs << >> /Encoding << /Differences [65 /a65 /a11] >> >>",
        )
        .unwrap();
        let simple = load(&dict, &Dict::default(), b"Type3", &ToUnicode::default(), "");
        assert_eq!(text(&simple, 11), "ff");
        let dict = Dict::from_bytes(
            b"<< /Type /Font /Subtype /Type3 /FontMatrix [1 0 0 1 0 0] /FirstChar 65 /LastChar 66 /Widths [5 5] /CharProcs << >> /Encoding << /Differences [65 /a65 /a11] >> >>",
        )
        .unwrap();
        let simple = load(&dict, &Dict::default(), b"Type3", &ToUnicode::default(), "");
        assert_eq!(text(&simple, 65), "A");
        assert_eq!(text(&simple, 66), "ff");
        assert!(simple.em > 5.0);
    }

    #[test]
    fn unknown_glyphs_of_type_3_have_a_size() {
        let em = |more: &str| {
            let font = format!(
                "<< /Type /Font /Subtype /Type3 /FontMatrix [1 0 0 -1 0 0] /FirstChar 1 /LastChar 2 /Widths [52 48] /CharProcs << >> /Encoding << /Differences [1 /.notdef /.notdef] >> {more} >>"
            );
            let dict = Dict::from_bytes(font.as_bytes()).unwrap();
            load(&dict, &Dict::default(), b"Type3", &ToUnicode::default(), "").em
        };
        // A box without a meaning.
        assert!((em("/FontBBox [0 0 1 -1]") - 100.0).abs() < 0.1);
        assert!((em("") - 100.0).abs() < 0.1);
        assert!((em("/FontBBox [0 -20 60 60]") - 80.0).abs() < 0.1);
    }

    #[test]
    fn false_numbers_are_ignored() {
        let dict = Dict::from_bytes(
            b"<< /Type /Font /Subtype /Type1 /BaseFont /Foo /FirstChar 4000000000 /LastChar 4000000001 /Widths [500 500] >>",
        )
        .unwrap();
        let simple = load(&dict, &Dict::default(), b"Type1", &ToUnicode::default(), "");
        assert_eq!(simple.codes.len(), 256);
    }
}
