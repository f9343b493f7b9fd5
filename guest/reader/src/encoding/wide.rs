//! Detection of UTF-16 and UTF-32 without a byte order mark, by their zeros.
//!
//! Such a file does not state its encoding, so the evidence must be strong, and the
//! result is still a guess. Other data can be valid UTF-16 as well: 8-bit text with a
//! NUL, lists with NUL separators, and the first bytes of an image. They decode to rare
//! East Asian characters.

use super::common::is_common;
use super::detected::Encoding;
use crate::pages::Charset;
use std::iter;

/// Detects UTF-32 or UTF-16, in the byte order with more evidence. `head` contains the first bytes
/// of a file, and `complete` states whether it is the whole file. Returns `None` if the evidence is
/// weak.
pub fn by_zeros(head: &[u8], complete: bool) -> Option<Encoding> {
    let guess = |codings: [(Option<Evidence>, Charset); 2]| {
        let (evidence, coding) = codings.into_iter().max_by_key(|(evidence, _)| *evidence)?;
        evidence.map(|_| Encoding {
            charset: coding,
            guessed: true,
            ..Encoding::UTF8
        })
    };
    let wide = [false, true].map(|big| (units32(head, big, complete), Charset::Utf32(big)));
    let half = || {
        [
            (false, encoding_rs::UTF_16LE),
            (true, encoding_rs::UTF_16BE),
        ]
        .map(|(big, encoding)| (units16(head, big, complete), Charset::Web(encoding)))
    };
    guess(wide).or_else(|| guess(half()))
}

/// The evidence for a byte order: first the number of spaces and line endings, then the number of
/// characters that are typical of texts. Spaces and line endings have priority, because in the
/// other byte order their bytes are rare characters.
type Evidence = (u32, u32);

/// The evidence for UTF-32 in one byte order. `None` if it is weak, or if any 32-bit unit is not a
/// character that occurs in texts.
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
    // At least two bytes of each unit are (nearly) zero. Except for numbers, other data
    // hardly ever has this form.
    (seen.ascii > 0 && seen.is_coherent()).then_some((seen.spaces, seen.units))
}

/// The evidence for UTF-16 in one byte order. `None` if it is weak.
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
                // An unpaired surrogate.
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
        .then(|| (seen.spaces, seen.low.saturating_add(seen.common)))
}

/// The number of 16-bit or 32-bit units among which binary data almost certainly has a control
/// character: one in twenty of the numbers below 1500 is a control character.
const MANY: u32 = 500;

/// Statistics of a file that is decoded as 16-bit or 32-bit units.
#[derive(Debug, Default)]
struct Seen {
    /// Number of characters.
    units: u32,
    /// Number of ASCII characters.
    ascii: u32,
    /// Number of spaces, tabs and line endings.
    spaces: u32,
    /// Number of characters whose high byte would be a control character in 8-bit text, and one
    /// that does not occur there. They are ASCII and most alphabets.
    low: u32,
    /// Number of characters of the alphabets whose high byte would be a tab, line ending or form
    /// feed in 8-bit text.
    indic: u32,
    /// Number of letters, digits and common separators.
    written: u32,
    /// Number of East Asian characters and emoji.
    east: u32,
    /// Number of East Asian characters that are frequent in texts.
    common: u32,
    /// Number of East Asian characters whose two bytes are printable ASCII, or printable ASCII and
    /// a NUL. Kana are excluded.
    printable: u32,
    /// Number of punctuation characters and symbols of all scripts.
    neutral: u32,
    /// Number of control characters that occur in texts for terminals, such as backspace and
    /// escape.
    controls: u32,
    /// Number of characters that are rare in texts.
    odd: u32,
    /// Number of unpaired surrogates and incomplete units.
    lone: u32,
    /// Numbers of characters below U+2000, which are mostly alphabetic, by high byte.
    pages: [u32; 32],
}

impl Seen {
    /// Counts a character. Returns `None` if the character does not occur in texts. `printable`
    /// states whether each of its bytes is printable ASCII or NUL.
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
                add(&mut self.spaces, matches!(c, '\t' | '\n' | '\r' | ' '));
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
            // Rare ideographs, private symbols of vendors, and unassigned planes.
            '\u{3400}'..='\u{4dbf}' | '\u{e000}'..='\u{faff}' => add(&mut self.odd, true),
            c if code > 0x1_ffff => {
                if code > 0x3_ffff {
                    return None;
                }
                add(&mut self.odd, !c.is_alphabetic());
                add(&mut self.east, true);
            }
            c if page < 0x20 => {
                // Combining marks belong to the preceding letters.
                let mark = matches!(c, '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5c7}')
                    || (page > 8 && !c.is_whitespace());
                add(&mut self.written, page == 0 || mark || c.is_alphanumeric());
                add(&mut self.indic, matches!(page, 9 | 0xa | 0xc | 0xd) && mark);
            }
            c => add(&mut self.odd, !c.is_alphanumeric()),
        }
        Some(())
    }

    /// Rejects data with an unpaired surrogate: returns `None` if at least 64 characters were
    /// counted and fewer than half of them are alphabetic. Random data has surrogates in its first
    /// hundred bytes.
    fn mostly_low(&self) -> Option<()> {
        (self.units < 64 || share(self.low, self.units, 50)).then_some(())
    }

    /// Whether the characters can be those of one text: few of them are rare, and most belong to at
    /// most two alphabets. The alphabets are not checked if the text is divided by spaces, or if it
    /// has at least [`MANY`] characters, because as many random numbers would contain a control
    /// character.
    fn is_coherent(&self) -> bool {
        let (mut all, mut first, mut second) = (0u32, 0u32, 0u32);
        for page in self.pages {
            all = all.saturating_add(page);
            second = second.max(page.min(first));
            first = first.max(page);
        }
        let two = share(first, all, 45) && share(first.saturating_add(second), all, 75);
        // A list of languages has many alphabets, but words and lines are divided as in a
        // text.
        let divided = share(self.spaces, self.units, 5) && share(self.ascii, self.units, 20);
        (two || divided || self.units >= MANY)
            && self.odd.saturating_mul(10) <= self.units
            && self.controls.saturating_mul(4) <= self.ascii.saturating_add(self.east)
    }

    /// Whether there is strong evidence that `head` is UTF-16 text.
    fn strong(&self, head: &[u8]) -> bool {
        if self.ascii == 0 || !self.is_coherent() {
            return false;
        }
        // Damage is accepted only if nearly all other characters are alphabetic.
        if self.lone > 0 && (self.low < 50 || !share(self.low, self.units, 90)) {
            return false;
        }
        // In 8-bit text, two units of five would be control characters, which is not
        // accidental from the second one on. With box-drawing characters, one unit of
        // five is enough.
        let drawn = share(self.low, self.units, 20)
            && share(self.low.saturating_add(self.neutral), self.units, 75)
            && share(self.spaces, self.units, 5);
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
            // A list of short items with NUL separators: some items decode to rare
            // characters.
            let few = self.units < 100 || share(self.east, self.units, 25);
            return !(pairs && self.east > 0 && few);
        }
        // The only evidence for an East Asian text is its own characters: real texts
        // consist of frequent characters.
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

/// Whether `part` is at least `hundredths` percent of `whole`.
fn share(part: u32, whole: u32, hundredths: u32) -> bool {
    u64::from(part).saturating_mul(100) >= u64::from(whole).saturating_mul(hundredths.into())
}

#[cfg(test)]
mod tests;
