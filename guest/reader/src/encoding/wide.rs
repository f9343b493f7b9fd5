//! UTF-16 and UTF-32 without a byte order mark, told by their zeros.

use super::Encoding;
use crate::pages::Coding;

/// UTF-32 or UTF-16 without a mark: everything in the head decodes to
/// characters that stand in texts, ASCII ones among them. Of the byte orders
/// in which it does, the one with more of these.
pub fn by_zeros(head: &[u8]) -> Option<Encoding> {
    // Lists whose items end in a NUL decode to Chinese.
    let zeros = memchr::memchr_iter(0, head).count();
    let narrow = match std::str::from_utf8(head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    if narrow && zeros.saturating_mul(3) < head.len() {
        return None;
    }
    let wide = [false, true].map(|big| {
        let chars = head.chunks_exact(4).map(|unit| unit32(unit, big));
        (
            ascii(chars, !head.len().is_multiple_of(4)),
            Coding::Utf32(big),
        )
    });
    let half = [
        (false, encoding_rs::UTF_16LE),
        (true, encoding_rs::UTF_16BE),
    ]
    .map(|(big, encoding)| {
        let units = head.chunks_exact(2).map(|unit| unit16(unit, big));
        // A half of a pair alone is damage, or the end of the head.
        let chars = char::decode_utf16(units).map(|c| Some(c.unwrap_or(ODD)));
        (
            ascii(chars, !head.len().is_multiple_of(2)),
            Coding::Web(encoding),
        )
    });
    let best = |codings: [(Option<u32>, Coding); 2]| {
        let (count, coding) = codings.into_iter().max_by_key(|(count, _)| *count)?;
        count.map(|_| Encoding::of(coding))
    };
    best(wide).or_else(|| best(half))
}

fn unit16(bytes: &[u8], big: bool) -> u16 {
    let unit = bytes.try_into().unwrap_or_default();
    if big {
        u16::from_be_bytes(unit)
    } else {
        u16::from_le_bytes(unit)
    }
}

fn unit32(bytes: &[u8], big: bool) -> Option<char> {
    let unit = bytes.try_into().unwrap_or_default();
    char::from_u32(if big {
        u32::from_be_bytes(unit)
    } else {
        u32::from_le_bytes(unit)
    })
}

/// The ASCII characters among these, if all of them could be a text. Binary
/// formats full of small numbers decode as well, but hold controls or
/// unassigned characters, or no blanks and line ends at all.
fn ascii(chars: impl Iterator<Item = Option<char>>, torn: bool) -> Option<u32> {
    let (mut count, mut ascii, mut odd, mut asian) = (0u32, 0u32, u32::from(torn), 0u32);
    for c in chars {
        match c? {
            '\t' | '\n' | '\r' | '\u{c}' | ' '..='~' => ascii = ascii.saturating_add(1),
            // What terminals are told, other separators, and symbols of a
            // single vendor.
            '\u{7}' | '\u{8}' | '\u{b}' | '\u{1b}' | '\u{85}' | '\u{e000}'..='\u{f8ff}' => {
                odd = odd.saturating_add(1);
            }
            '\u{3000}'..='\u{9fff}'
            | '\u{ac00}'..='\u{d7a3}'
            | '\u{ff00}'..='\u{ffef}'
            | '\u{1f300}'..='\u{2ffff}' => {
                asian = asian.saturating_add(1);
            }
            c if c.is_control() => return None,
            '\u{fdd0}'..='\u{fdef}' | '\u{fff0}'..='\u{ffff}' => return None,
            c if u32::from(c) > 0x3_ffff => return None,
            _ => {}
        }
        count = count.saturating_add(1);
    }
    // A text has one ASCII character in a hundred at least, its blanks and
    // line ends, unless it is a long line in an Asian script.
    let script = ascii.saturating_add(asian).saturating_mul(10) >= count.saturating_mul(9);
    let text = script || ascii.saturating_mul(100) >= count;
    (ascii > 0 && text && odd.saturating_mul(4) <= ascii.saturating_add(asian)).then_some(ascii)
}

/// Stands for what means nothing.
const ODD: char = '\u{e000}';
