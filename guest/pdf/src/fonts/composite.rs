//! Composite fonts (ISO 32000-2, 9.7): codes of one to four bytes, widths by character identifier.

use super::code::{Code, bytes, normal};
use super::glyph_map;
use super::to_unicode::ToUnicode;
use crate::page::Text;
use hayro_cmap::{BfString, CMap, CMapName, CidFamily, WritingMode, load_embedded};
use hayro_syntax::object::{Array, Dict, Name, Object, Stream, String as PdfString};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A composite font.
#[derive(Debug)]
pub struct Composite {
    encoding: CMap,
    vertical: bool,
    map: ToUnicode,
    /// Maps character identifiers to characters, for the collections of Adobe.
    collection: Option<CMap>,
    /// First and last identifier, and the width, sorted by the first.
    widths: Vec<(u32, u32, f32)>,
    default: f32,
    /// First and last identifier, and the advance downwards.
    heights: Vec<(u32, u32, f32)>,
    default_height: f32,
    /// Whether the codes are Unicode themselves.
    unicode: Option<Unicode>,
    /// The name of the font.
    name: String,
    /// The characters of glyphs, if nothing else says them.
    glyphs: BTreeMap<u16, char>,
    /// The glyphs of character identifiers. Empty if they are the same.
    places: Vec<u16>,
    /// Whether the glyphs have the order of the fonts of Windows.
    windows: bool,
}

/// How codes are Unicode.
#[derive(Clone, Copy, Debug)]
enum Unicode {
    Utf16,
}

impl Composite {
    /// Reads a font.
    pub fn new(
        dict: &Dict<'_>,
        descendant: &Dict<'_>,
        descriptor: &Dict<'_>,
        map: ToUnicode,
        name: &str,
    ) -> Self {
        let encoding = encoding(dict).unwrap_or_else(CMap::identity_h);
        let vertical = encoding.metadata().writing_mode == Some(WritingMode::Vertical);
        let family = encoding
            .metadata()
            .character_collection
            .as_ref()
            .map(|collection| collection.family.clone())
            .filter(|family| *family != CidFamily::AdobeIdentity)
            .or_else(|| family(descendant));
        let collection = family
            .filter(|_| map.is_empty())
            .and_then(|family| family.ucs2_cmap())
            .and_then(|name| CMap::parse(load_embedded(name)?, load_embedded));
        let unicode = dict.get::<Name<'_>>("Encoding").and_then(|name| {
            let name = name.as_str().to_owned();
            (name.starts_with("Uni") && (name.contains("UCS2") || name.contains("UTF16")))
                .then_some(Unicode::Utf16)
        });
        let unknown = map.is_empty() && collection.is_none() && unicode.is_none();
        let stream = descriptor.get::<Stream<'_>>("FontFile2");
        let glyphs = stream.filter(|_| unknown).and_then(|stream| bytes(&stream));
        let glyphs = glyphs.map_or_else(BTreeMap::new, |font| glyph_map::read(&font));
        let places = descendant
            .get::<Stream<'_>>("CIDToGIDMap")
            .filter(|_| !glyphs.is_empty());
        let places = places
            .and_then(|stream| bytes(&stream))
            .map_or_else(Vec::new, |bytes| {
                bytes
                    .as_chunks::<2>()
                    .0
                    .iter()
                    .map(|pair| u16::from_be_bytes(*pair))
                    .collect()
            });
        let windows = unknown && glyphs.is_empty() && is_windows(name);
        let pair = descendant.get::<Array<'_>>("DW2");
        let default_height = pair
            .and_then(|pair| pair.iter::<f32>().nth(1))
            .unwrap_or(-1000.0);
        Self {
            encoding,
            vertical,
            map,
            collection,
            widths: ranges(descendant, "W", 1),
            default: descendant.get::<f32>("DW").unwrap_or(1000.0),
            heights: ranges(descendant, "W2", 3),
            default_height,
            unicode,
            name: name.to_owned(),
            glyphs,
            places,
            windows,
        }
    }

    /// The number of entries of its maps and widths, which are in memory.
    pub fn entries(&self) -> usize {
        self.map
            .entries()
            .saturating_add(self.widths.len())
            .saturating_add(self.heights.len())
            .saturating_add(self.glyphs.len())
            .saturating_add(self.places.len() / 8)
    }

    /// Whether it writes downwards.
    pub fn is_vertical(&self) -> bool {
        self.vertical
    }

    /// Whether all widths are equal. Fonts of Chinese, where they are a whole square, are not meant.
    pub fn is_mono(&self) -> bool {
        let narrow = |width: f32| (400.0..=700.0).contains(&width);
        let mut widths = self
            .widths
            .iter()
            .map(|range| range.2)
            .filter(|width| *width > 0.0);
        match widths.next() {
            Some(first) => {
                narrow(first)
                    && self.widths.len() > 2
                    && widths.all(|width| (width - first).abs() < 1.0)
            }
            None => narrow(self.default),
        }
    }

    /// Reads a code: its value and its length in bytes.
    pub fn read(&self, bytes: &[u8]) -> (u32, usize) {
        let mut code = 0_u32;
        for (place, &byte) in bytes.iter().take(4).enumerate() {
            code = (code << 8) | u32::from(byte);
            let length = place.saturating_add(1);
            let width = u8::try_from(length).unwrap_or_default();
            if self.encoding.lookup_cid_code(code, width).is_some() {
                return (code, length);
            }
        }
        // An unknown code is as long as most codes of the font.
        let pair = bytes.len() >= 2 && self.encoding.lookup_cid_code(0x3042, 2).is_some();
        (0, if pair { 2 } else { 1 })
    }

    /// What a code shows.
    pub fn code(&self, code: u32, length: usize) -> Code {
        let width = u8::try_from(length).unwrap_or_default();
        let cid = self
            .encoding
            .lookup_cid_code(code, width)
            .unwrap_or_default();
        let advance = if self.vertical {
            find(&self.heights, cid).unwrap_or(self.default_height)
        } else {
            find(&self.widths, cid).unwrap_or(self.default)
        };
        Code {
            text: normal(self.text(code, cid), &self.name),
            advance,
            word_space: length == 1 && code == 32,
        }
    }

    fn text(&self, code: u32, cid: u32) -> Text {
        if let Some(text) = self.map.get(code) {
            return text;
        }
        if let Some(collection) = &self.collection
            && let Some(text) = collection.lookup_bf_string(cid)
        {
            return match text {
                BfString::Char(one) => Text::One(one),
                BfString::String(many) => Text::Many(Rc::from(many)),
            };
        }
        if let Some(Unicode::Utf16) = self.unicode
            && let Some(one) = character(code)
        {
            return Text::One(one);
        }
        if !self.glyphs.is_empty() {
            let place = usize::try_from(cid).ok();
            let glyph = match place.and_then(|place| self.places.get(place)) {
                Some(glyph) => Some(*glyph),
                None => u16::try_from(cid).ok(),
            };
            if let Some(one) = glyph.and_then(|glyph| self.glyphs.get(&glyph)) {
                return Text::One(*one);
            }
        }
        if self.windows && (3..=97).contains(&cid) {
            // The glyphs from 3 are the characters from the space.
            return char::from_u32(cid.saturating_add(29)).map_or(Text::Unmapped, Text::One);
        }
        Text::Unmapped
    }
}

/// Whether a font is one of those whose glyphs have the order of ASCII from the third one on.
fn is_windows(name: &str) -> bool {
    let lower = name.to_ascii_lowercase().replace(' ', "");
    [
        "arial",
        "helvetica",
        "timesnewroman",
        "couriernew",
        "verdana",
        "tahoma",
        "georgia",
        "trebuchet",
        "comicsans",
    ]
    .iter()
    .any(|family| lower.starts_with(family))
}

fn character(code: u32) -> Option<char> {
    if code <= 0xffff {
        return char::from_u32(code).filter(|it| *it != '\0');
    }
    let units = [
        u16::try_from(code >> 16).ok()?,
        u16::try_from(code & 0xffff).ok()?,
    ];
    char::decode_utf16(units).next()?.ok()
}

fn encoding(dict: &Dict<'_>) -> Option<CMap> {
    match dict.get::<Object<'_>>("Encoding")? {
        Object::Name(name) => match CMapName::from_bytes(&name) {
            CMapName::IdentityH => Some(CMap::identity_h()),
            CMapName::IdentityV => Some(CMap::identity_v()),
            name => CMap::parse(load_embedded(name)?, load_embedded),
        },
        Object::Stream(stream) => CMap::parse(&bytes(&stream)?, load_embedded),
        _ => None,
    }
}

fn family(descendant: &Dict<'_>) -> Option<CidFamily> {
    let info = descendant.get::<Dict<'_>>("CIDSystemInfo")?;
    let registry = info.get::<PdfString<'_>>("Registry")?;
    let ordering = info.get::<PdfString<'_>>("Ordering")?;
    Some(CidFamily::from_registry_ordering(
        registry.as_bytes(),
        ordering.as_bytes(),
    ))
}

/// Reads widths: `c [w1 w2 ...]` and `first last w`, each with `size` numbers of which the first is the
/// advance. The widths stay ranges, whatever numbers the file has.
fn ranges(dict: &Dict<'_>, key: &str, size: usize) -> Vec<(u32, u32, f32)> {
    let Some(array) = dict.get::<Array<'_>>(key) else {
        return Vec::new();
    };
    let mut out: Vec<(u32, u32, f32)> = Vec::new();
    let mut numbers: Vec<f32> = Vec::new();
    for object in array.iter::<Object<'_>>().take(crate::limits::MAP_ENTRIES) {
        match object {
            Object::Number(number) => numbers.push(number.as_f32()),
            Object::Array(list) => {
                let Some(first) = numbers.pop() else { continue };
                let mut cid = identifier(first);
                numbers.clear();
                let mut place = 0_usize;
                for width in list.iter::<f32>().take(crate::limits::MAP_ENTRIES) {
                    if place.is_multiple_of(size) {
                        match out.last_mut() {
                            Some(last)
                                if last.2.to_bits() == width.to_bits()
                                    && last.1.checked_add(1) == Some(cid) =>
                            {
                                last.1 = cid;
                            }
                            _ => out.push((cid, cid, width)),
                        }
                        cid = cid.saturating_add(1);
                    }
                    place = place.saturating_add(1);
                }
            }
            _ => numbers.clear(),
        }
        if numbers.len() == size.saturating_add(2) {
            if let [first, last, width, ..] = numbers.as_slice() {
                out.push((identifier(*first), identifier(*last), *width));
            }
            numbers.clear();
        }
        if out.len() > crate::limits::MAP_ENTRIES {
            break;
        }
    }
    out.sort_by_key(|range| range.0);
    out
}

/// A number of a file as an identifier.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the value is in range"
)]
fn identifier(number: f32) -> u32 {
    number.clamp(0.0, 1_000_000.0) as u32
}

fn find(ranges: &[(u32, u32, f32)], cid: u32) -> Option<f32> {
    let end = ranges.partition_point(|range| range.0 <= cid);
    let range = ranges.get(end.checked_sub(1)?)?;
    (cid <= range.1).then_some(range.2)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro_syntax::object::FromBytes;

    #[test]
    fn widths_stay_ranges() {
        let dict =
            Dict::from_bytes(b"<< /W [1 [500 500 600] 10 4294967295 700 5 [800]] >>").unwrap();
        let widths = ranges(&dict, "W", 1);
        assert_eq!(widths.len(), 4);
        assert_eq!(find(&widths, 0), None);
        assert_eq!(find(&widths, 2), Some(500.0));
        assert_eq!(find(&widths, 3), Some(600.0));
        assert_eq!(find(&widths, 5), Some(800.0));
        assert_eq!(find(&widths, 999_999), Some(700.0));
        let dict = Dict::from_bytes(b"<< /W2 [1 [-900 500 880 -800 500 880]] >>").unwrap();
        assert_eq!(find(&ranges(&dict, "W2", 3), 2), Some(-800.0));
    }

    #[test]
    fn codes_of_predefined_maps() {
        let dict = Dict::from_bytes(b"<< /Encoding /90ms-RKSJ-H >>").unwrap();
        let descendant = Dict::from_bytes(b"<< /DW 1000 >>").unwrap();
        let font = Composite::new(
            &dict,
            &descendant,
            &Dict::default(),
            ToUnicode::default(),
            "",
        );
        // "aあ" in Shift-JIS.
        let (code, length) = font.read(b"a\x82\xa0");
        assert_eq!(length, 1);
        assert_eq!(font.code(code, length).text, Text::One('a'));
        let (code, length) = font.read(b"\x82\xa0");
        assert_eq!(length, 2);
        assert_eq!(font.code(code, length).text, Text::One('あ'));
    }
}
