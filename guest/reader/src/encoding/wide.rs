//! UTF-16 and UTF-32 without a byte order mark, detected by their zeros.
//!
//! Nothing in such a file says what it is, so the evidence has to be strong and
//! the result is a guess all the same. A text of 8 bits with a NUL in it, a list
//! with NULs between its items and the first bytes of an image decode as UTF-16
//! too: to East Asian characters that nobody writes.

use super::Encoding;
use super::common::is_common;
use crate::pages::Coding;
use std::iter;

/// UTF-32 or UTF-16 without a mark, in the byte order for which there is more
/// evidence. `complete` tells whether the head is the whole file.
pub fn by_zeros(head: &[u8], complete: bool) -> Option<Encoding> {
    let guess = |codings: [(Option<Evidence>, Coding); 2]| {
        let (evidence, coding) = codings.into_iter().max_by_key(|(evidence, _)| *evidence)?;
        evidence.map(|_| Encoding {
            coding,
            guessed: true,
            ..Encoding::UTF8
        })
    };
    let wide = [false, true].map(|big| (units32(head, big, complete), Coding::Utf32(big)));
    let half = || {
        [
            (false, encoding_rs::UTF_16LE),
            (true, encoding_rs::UTF_16BE),
        ]
        .map(|(big, encoding)| (units16(head, big, complete), Coding::Web(encoding)))
    };
    guess(wide).or_else(|| guess(half()))
}

/// How much speaks for a byte order: blanks and line endings first, since those of
/// one order are rare characters in the other, then other characters of texts.
type Evidence = (u32, u32);

/// The evidence for UTF-32: all units are characters of texts.
fn units32(head: &[u8], big: bool, complete: bool) -> Option<Evidence> {
    let (units, torn) = head.as_chunks::<4>();
    if !torn.is_empty() && complete {
        return None;
    }
    let mut seen = Seen::default();
    for bytes in units {
        let unit = if big {
            u32::from_be_bytes(*bytes)
        } else {
            u32::from_le_bytes(*bytes)
        };
        seen.add(char::from_u32(unit)?, false)?;
    }
    // Two bytes of each unit are zero or nearly so: other data than numbers can
    // hardly pass for it.
    (seen.ascii > 0 && seen.is_coherent()).then_some((seen.blank, seen.units))
}

/// The evidence for UTF-16, if it is strong.
fn units16(head: &[u8], big: bool, complete: bool) -> Option<Evidence> {
    let (units, torn) = head.as_chunks::<2>();
    let mut seen = Seen::default();
    let mut high = None;
    let number = |bytes: &[u8; 2]| {
        if big {
            u16::from_be_bytes(*bytes)
        } else {
            u16::from_le_bytes(*bytes)
        }
    };
    for bytes in units {
        let unit = number(bytes);
        let mut pair = char::decode_utf16(high.into_iter().chain(iter::once(unit)));
        match (pair.next()?, unit) {
            (Ok(c), _) => {
                high = None;
                seen.add(c, bytes.iter().all(|byte| matches!(byte, 0 | b' '..=b'~')))?;
            }
            (Err(_), 0xd800..=0xdbff) => {
                seen.lone = seen.lone.saturating_add(u32::from(high.is_some()));
                high = Some(unit);
            }
            (Err(_), _) => {
                // A half that the next unit does not complete, or one alone.
                seen.lone = seen.lone.saturating_add(1);
                seen.mostly_low()?;
                if high.take().is_some() {
                    seen.add(char::from_u32(unit.into())?, false)?;
                }
            }
        }
    }
    // The head of a longer file may end inside a character.
    if complete {
        let left = u32::from(high.is_some()).saturating_add(u32::from(!torn.is_empty()));
        seen.lone = seen.lone.saturating_add(left);
    }
    seen.strong(head)
        .then(|| (seen.blank, seen.low.saturating_add(seen.common)))
}

/// Units after which data that is not text would have shown a control character:
/// one in twenty of the numbers below 1500 is one.
const MANY: u32 = 500;

/// What was seen of a file that is read as wide units.
#[derive(Debug, Default)]
struct Seen {
    /// Characters.
    units: u32,
    /// Characters of ASCII.
    ascii: u32,
    /// Those of them that are blanks and line endings.
    blank: u32,
    /// Characters whose higher byte is a control character that no text of 8
    /// bits has: ASCII, and most alphabets.
    low: u32,
    /// The same of alphabets whose higher byte is a tab or line ending.
    indic: u32,
    /// Letters, digits and what stands between them.
    written: u32,
    /// East Asian characters and emoji.
    east: u32,
    /// Those of them that make up most of real texts.
    common: u32,
    /// Those of them that are two printable characters of ASCII, or one and a
    /// NUL, other than kana.
    printable: u32,
    /// Punctuation and symbols of all scripts.
    neutral: u32,
    /// Controls of terminals.
    controls: u32,
    /// Characters that texts hardly have.
    odd: u32,
    /// Halves of a pair alone, and incomplete units.
    lone: u32,
    /// Characters of alphabets by their higher byte.
    pages: [u32; 32],
}

impl Seen {
    /// Counts a character; `None` if no text has it. `printable` tells that its
    /// bytes are printable characters of ASCII or NULs.
    fn add(&mut self, c: char, printable: bool) -> Option<()> {
        let add = |count: &mut u32, yes: bool| *count = count.saturating_add(u32::from(yes));
        let code = u32::from(c);
        let page = code >> 8;
        add(&mut self.units, true);
        if let Some(count) = usize::try_from(page)
            .ok()
            .and_then(|at| self.pages.get_mut(at))
        {
            add(count, true);
        }
        add(
            &mut self.low,
            matches!(page, 0..=8 | 0xb | 0xe..=0x1a | 0x1c..=0x1f),
        );
        match c {
            '\t' | '\n' | '\r' | '\u{c}' | ' '..='~' => {
                add(&mut self.ascii, true);
                add(&mut self.blank, matches!(c, '\t' | '\n' | '\r' | ' '));
                add(&mut self.written, true);
            }
            '\u{7}' | '\u{8}' | '\u{b}' | '\u{1b}' | '\u{85}' => add(&mut self.controls, true),
            c if c.is_control() => return None,
            '\u{fdd0}'..='\u{fdef}' | '\u{fff0}'..='\u{fff8}' | '\u{fffe}' | '\u{ffff}' => {
                return None;
            }
            '\u{2000}'..='\u{206f}'
            | '\u{20a0}'..='\u{20cf}'
            | '\u{2100}'..='\u{27bf}'
            | '\u{2900}'..='\u{2bff}'
            | '\u{fe00}'..='\u{fe4f}'
            | '\u{feff}' => add(&mut self.neutral, true),
            '\u{3041}'..='\u{30ff}' | '\u{1f000}'..='\u{1faff}' => {
                add(&mut self.east, true);
                add(&mut self.common, true);
            }
            '\u{3000}'..='\u{303f}'
            | '\u{3100}'..='\u{33ff}'
            | '\u{4e00}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}'
            | '\u{ff00}'..='\u{ffef}' => {
                add(&mut self.east, true);
                add(&mut self.common, is_common(c));
                add(&mut self.printable, printable);
            }
            // Ideographs that dictionaries have, symbols of single vendors,
            // and planes where nothing is assigned.
            '\u{3400}'..='\u{4dbf}' | '\u{e000}'..='\u{faff}' => add(&mut self.odd, true),
            c if code > 0x1_ffff => {
                if code > 0x3_ffff {
                    return None;
                }
                add(&mut self.odd, !c.is_alphabetic());
                add(&mut self.east, true);
            }
            c if page < 0x20 => {
                // Marks belong to the letters before them.
                let mark = matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}')
                    || (page > 8 && !c.is_whitespace());
                add(&mut self.written, page == 0 || mark || c.is_alphanumeric());
                add(&mut self.indic, matches!(page, 9 | 0xa | 0xc | 0xd) && mark);
            }
            c => add(&mut self.odd, !c.is_alphanumeric()),
        }
        Some(())
    }

    /// `None` for halves of pairs among characters that are not those of
    /// alphabets, after so many that this will not change: noise has them in the
    /// first hundred bytes, and is long.
    fn mostly_low(&self) -> Option<()> {
        (self.units < 64 || share(self.low, self.units, 50)).then_some(())
    }

    /// Whether the characters could be those of one text: hardly any that texts
    /// do not have, and of alphabets the one that it is in and ASCII. So many
    /// numbers as [`MANY`] would not pass for any alphabet.
    fn is_coherent(&self) -> bool {
        let (mut all, mut first, mut second) = (0u32, 0u32, 0u32);
        for page in self.pages {
            all = all.saturating_add(page);
            second = second.max(page.min(first));
            first = first.max(page);
        }
        let two = share(first, all, 45) && share(first.saturating_add(second), all, 75);
        // Or of many alphabets, as in a list of languages, where words and lines
        // are divided as they are in a text.
        let words = share(self.blank, self.units, 5) && share(self.ascii, self.units, 20);
        (two || words || self.units >= MANY)
            && self.odd.saturating_mul(10) <= self.units
            && self.controls.saturating_mul(4) <= self.ascii.saturating_add(self.east)
    }

    /// Whether this is strong evidence for a text in UTF-16, of which the bytes
    /// are `head`.
    fn strong(&self, head: &[u8]) -> bool {
        if self.ascii == 0 || !self.is_coherent() {
            return false;
        }
        // Damage passes where nearly all else is beyond doubt.
        if self.lone > 0 && (self.low < 50 || !share(self.low, self.units, 90)) {
            return false;
        }
        // Text of 8 bits would have a control character in two units of five,
        // which is no accident from the second one on; in one unit of five beside
        // rules and boxes, which are drawn with symbols.
        let drawn = share(self.low, self.units, 20)
            && share(self.low.saturating_add(self.neutral), self.units, 75)
            && share(self.blank, self.units, 5);
        let alphabet = self.low >= 2
            && (drawn || share(self.low.saturating_add(self.indic), self.units, 40))
            && share(
                self.written
                    .saturating_add(self.east)
                    .saturating_add(self.neutral),
                self.units,
                75,
            );
        let pairs = share(self.printable, self.east, 75) && !share(self.common, self.east, 30);
        if alphabet {
            // A list of short items with NULs between them: some of them look like
            // characters that nobody writes.
            let few = self.units < 100 || share(self.east, self.units, 25);
            return !(pairs && self.east > 0 && few);
        }
        // Nothing but its own characters tells of a text in an East Asian
        // script: those of a real one are the common ones.
        let bytes = head.iter().filter(|byte| **byte != 0);
        let beyond = bytes.filter(|byte| !matches!(byte, b' '..=b'~' | b'\t' | b'\n' | b'\r'));
        let beyond = u32::try_from(beyond.count()).unwrap_or(u32::MAX);
        let rest = self
            .units
            .saturating_sub(self.east)
            .saturating_sub(self.low);
        self.common >= 2
            && share(self.common, self.east, 40)
            && share(self.east, self.units, 30)
            && !share(self.printable, self.east, 75)
            && share(beyond, self.units.saturating_mul(2), 8)
            && rest.saturating_mul(5) <= self.units
            && self.odd.saturating_mul(20) <= self.units
    }
}

/// Whether a part of a whole is at least so many of a hundred.
fn share(part: u32, whole: u32, hundredths: u32) -> bool {
    u64::from(part).saturating_mul(100) >= u64::from(whole).saturating_mul(hundredths.into())
}

#[cfg(test)]
mod tests;
