//! Maps of codes to characters (`ToUnicode`, ISO 32000-2, 9.10.3).
//!
//! The reader accepts what programs write: empty destinations (`<0261> <>`), ranges that are out of
//! order, and destinations of one byte. Damage ends one entry, not the map.

use crate::limits;
use crate::page::Text;
use hayro_cmap::{BfString, CMap, CMapName, load_embedded};
use std::collections::BTreeMap;
use std::rc::Rc;

/// A map of codes to characters.
#[derive(Clone, Debug, Default)]
pub struct ToUnicode {
    single: BTreeMap<u32, Text>,
    /// First code, last code, and the characters of the first code, sorted by the first code.
    ranges: Vec<(u32, u32, Rc<str>)>,
    /// The predefined map on which it is based.
    base: Option<CMap>,
}

/// A token of a character map.
enum Token<'a> {
    Hex(&'a [u8]),
    Open,
    Close,
    Word(&'a [u8]),
}

impl ToUnicode {
    /// The map of codes that are Unicode.
    pub fn identity() -> Self {
        Self {
            ranges: vec![(0, 0xffff, Rc::from("\0"))],
            ..Self::default()
        }
    }

    /// Reads a map.
    pub fn parse(bytes: &[u8]) -> Self {
        let mut map = Self::default();
        let mut rest = bytes;
        let mut last: &[u8] = b"";
        while let Some(token) = next(&mut rest) {
            match token {
                Token::Word(b"usecmap") => {
                    let data = load_embedded(CMapName::from_bytes(last));
                    map.base = data.and_then(|data| CMap::parse(data, load_embedded));
                }
                Token::Word(b"beginbfchar") => map.characters(&mut rest),
                Token::Word(b"beginbfrange") => map.character_ranges(&mut rest),
                Token::Word(word) => last = word,
                _ => {}
            }
            if map.is_full() {
                break;
            }
        }
        map.ranges.sort_by_key(|range| range.0);
        map
    }

    /// Whether it has no entries.
    pub fn is_empty(&self) -> bool {
        self.single.is_empty() && self.ranges.is_empty() && self.base.is_none()
    }

    /// The characters of a code. `None` if the map does not have the code.
    pub fn get(&self, code: u32) -> Option<Text> {
        if let Some(text) = self.single.get(&code) {
            return Some(text.clone());
        }
        let end = self.ranges.partition_point(|range| range.0 <= code);
        // Ranges may overlap: the last ones are nearest.
        let near = self.ranges.get(..end)?.iter().rev().take(8);
        for (first, last, text) in near {
            if code <= *last {
                return Some(shifted(text, code.saturating_sub(*first)));
            }
        }
        match self.base.as_ref()?.lookup_bf_string(code)? {
            BfString::Char(one) => Some(Text::One(one)),
            BfString::String(many) => Some(Text::Many(Rc::from(many))),
        }
    }

    /// The number of entries.
    pub fn entries(&self) -> usize {
        self.single.len().saturating_add(self.ranges.len())
    }

    fn is_full(&self) -> bool {
        self.entries() > limits::MAP_ENTRIES
    }

    fn characters(&mut self, rest: &mut &[u8]) {
        while let Some(token) = next(rest) {
            let Token::Hex(code) = token else { return };
            let Some(Token::Hex(to)) = next(rest) else {
                return;
            };
            if self.is_full() {
                return;
            }
            if let Some(code) = number(code) {
                self.single.insert(code, text(&units(to)));
            }
        }
    }

    fn character_ranges(&mut self, rest: &mut &[u8]) {
        while let Some(token) = next(rest) {
            let Token::Hex(first) = token else { return };
            let Some(Token::Hex(last)) = next(rest) else {
                return;
            };
            let range = number(first).zip(number(last));
            match next(rest) {
                Some(Token::Hex(to)) => {
                    let to = units(to);
                    let Some((first, last)) = range else { continue };
                    if self.is_full() {
                        return;
                    }
                    match text(&to) {
                        // A map of codes to themselves starts at U+0000.
                        Text::Unmapped if first < last && to == [0] => {
                            self.ranges.push((first, last, Rc::from("\0")));
                        }
                        Text::One(one) if first < last => {
                            self.ranges.push((first, last, Rc::from(one.to_string())));
                        }
                        Text::Many(many) if first < last => self.ranges.push((first, last, many)),
                        one => {
                            self.single.insert(first, one);
                        }
                    }
                }
                Some(Token::Open) => {
                    let mut code = range.map(|range| range.0);
                    while let Some(Token::Hex(to)) = next(rest) {
                        if let (Some(at), false) = (code, self.is_full()) {
                            self.single.insert(at, text(&units(to)));
                            code = at.checked_add(1);
                        }
                    }
                }
                _ => return,
            }
        }
    }
}

/// The characters with the last one moved by some places.
fn shifted(text: &Rc<str>, places: u32) -> Text {
    let mut characters = text.chars();
    let last = characters.next_back();
    let moved = last.and_then(|last| char::from_u32((last as u32).checked_add(places)?));
    let Some(moved) = moved else {
        return Text::Unmapped;
    };
    let start = characters.as_str();
    if start.is_empty() {
        return if moved == '\0' {
            Text::Unmapped
        } else {
            Text::One(moved)
        };
    }
    if places == 0 {
        return Text::Many(Rc::clone(text));
    }
    Text::Many(Rc::from(format!("{start}{moved}")))
}

/// The characters of UTF-16 units. No units mean that the glyph has no characters of its own.
fn text(units: &[u16]) -> Text {
    let decoded = char::decode_utf16(units.iter().copied());
    let mut out = String::new();
    for character in decoded.take(limits::GLYPH_CHARACTERS) {
        match character {
            Ok('\0') => {}
            Ok(character) => out.push(character),
            Err(_) => return Text::Unmapped,
        }
    }
    let mut characters = out.chars();
    match (characters.next(), characters.next()) {
        (None, _) if units.is_empty() => Text::None,
        // Programs write U+0000 for glyphs whose character they do not know.
        (None, _) | (Some('\u{fffd}'), None) => Text::Unmapped,
        (Some(one), None) => Text::One(one),
        _ => Text::Many(Rc::from(out)),
    }
}

fn units(hex: &[u8]) -> Vec<u16> {
    let digits: Vec<u8> = hex.iter().filter_map(|&byte| digit(byte)).collect();
    // One byte is padded in front.
    let odd = digits.len() % 4;
    let (first, rest) = digits.split_at(odd);
    let value = |digits: &[u8]| {
        digits
            .iter()
            .fold(0_u16, |value, &it| (value << 4) | u16::from(it))
    };
    let mut units = Vec::new();
    if !first.is_empty() {
        units.push(value(first));
    }
    units.extend(rest.as_chunks::<4>().0.iter().map(|group| value(group)));
    units
}

fn number(hex: &[u8]) -> Option<u32> {
    let mut value = 0_u32;
    let mut count = 0_usize;
    for digit in hex.iter().filter_map(|&byte| digit(byte)) {
        value = value.checked_mul(16)?.checked_add(u32::from(digit))?;
        count = count.saturating_add(1);
    }
    (1..=8).contains(&count).then_some(value)
}

fn digit(byte: u8) -> Option<u8> {
    char::from(byte)
        .to_digit(16)
        .and_then(|digit| u8::try_from(digit).ok())
}

/// Takes the next token.
fn next<'a>(rest: &mut &'a [u8]) -> Option<Token<'a>> {
    loop {
        let (&byte, tail) = rest.split_first()?;
        match byte {
            b'%' => {
                let end = tail.iter().position(|it| matches!(it, b'\n' | b'\r'));
                *rest = tail.get(end.unwrap_or(tail.len())..).unwrap_or_default();
            }
            b'<' if tail.first() != Some(&b'<') => {
                let end = tail.iter().position(|&it| it == b'>').unwrap_or(tail.len());
                let hex = tail.get(..end).unwrap_or_default();
                *rest = tail.get(end.saturating_add(1)..).unwrap_or_default();
                return Some(Token::Hex(hex));
            }
            b'[' | b']' => {
                *rest = tail;
                return Some(if byte == b'[' {
                    Token::Open
                } else {
                    Token::Close
                });
            }
            b'(' => {
                // Names of registries. Nested parentheses do not matter here.
                let end = tail.iter().position(|&it| it == b')').unwrap_or(tail.len());
                *rest = tail.get(end.saturating_add(1)..).unwrap_or_default();
            }
            _ if byte.is_ascii_alphanumeric() => {
                let end = rest
                    .iter()
                    .position(|it| !it.is_ascii_alphanumeric() && *it != b'-');
                let (word, tail) = rest.split_at(end.unwrap_or(rest.len()));
                *rest = tail;
                return Some(Token::Word(word));
            }
            _ => *rest = tail,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(map: &ToUnicode, code: u32) -> Option<String> {
        let mut out = String::new();
        map.get(code)?.push_to(&mut out);
        Some(out)
    }

    #[test]
    fn entries_of_all_kinds() {
        let map = ToUnicode::parse(
            b"/CIDInit /ProcSet findresource begin 1 begincodespacerange <0000> <ffff> endcodespacerange\n\
            4 beginbfchar <0001> <0041> <0002> <> <0003> <D83DDE00> <0004><00660069> endbfchar\n\
            3 beginbfrange <0010> <0012> <0061> <0020> <0021> [<0078> <0079007A>] <0030> <0031> <00410042> endbfrange",
        );
        assert_eq!(shown(&map, 1).as_deref(), Some("A"));
        assert_eq!(map.get(2), Some(Text::None));
        assert_eq!(shown(&map, 3).as_deref(), Some("\u{1f600}"));
        assert_eq!(shown(&map, 4).as_deref(), Some("fi"));
        assert_eq!(shown(&map, 0x12).as_deref(), Some("c"));
        assert_eq!(shown(&map, 0x13), None);
        assert_eq!(shown(&map, 0x21).as_deref(), Some("yz"));
        assert_eq!(shown(&map, 0x31).as_deref(), Some("AC"));
    }

    #[test]
    fn damage_ends_an_entry() {
        let map = ToUnicode::parse(
            b"beginbfchar <01> <41> <zz> <42> <03> endbfchar beginbfchar <04> <0044> <05",
        );
        assert_eq!(shown(&map, 1).as_deref(), Some("A"));
        assert_eq!(shown(&map, 4).as_deref(), Some("D"));
        let same = ToUnicode::parse(
            b"/Adobe-Korea1-UCS2 usecmap beginbfrange <0000> <FFFF> <0000> endbfrange",
        );
        assert_eq!(shown(&same, 0x41).as_deref(), Some("A"));
        assert_eq!(same.get(0), Some(Text::Unmapped));
        let based = ToUnicode::parse(b"/Adobe-Korea1-UCS2 usecmap");
        assert_eq!(shown(&based, 0x60).as_deref(), Some("\u{20a9}"));
        let whole = ToUnicode::parse(b"beginbfrange <00000000> <ffffffff> <0041> endbfrange");
        assert_eq!(whole.get(u32::MAX), Some(Text::Unmapped));
        assert_eq!(shown(&whole, 1).as_deref(), Some("B"));
        let text =
            b"beginbfchar <0001> <0041> endbfchar beginbfrange <02> <09> [<41> <42>] endbfrange";
        for end in 0..text.len() {
            ToUnicode::parse(&text[..end]);
        }
    }
}
