//! The `cmap` table of TrueType fonts, from glyphs back to characters (OpenType, cmap).
//!
//! It is needed only for composite fonts without a map of codes to characters.

use std::collections::BTreeMap;

/// The maximum number of glyphs of a font.
const GLYPHS: usize = 65_536;

/// Reads the characters of the glyphs of a font. Empty if it has no such table.
pub fn read(font: &[u8]) -> BTreeMap<u16, char> {
    let mut out = BTreeMap::new();
    if let Some(table) = table(font, *b"cmap")
        && let Some(map) = subtable(table)
    {
        match short(map, 0) {
            Some(4) => segments(map, &mut out),
            Some(12) => groups(map, &mut out),
            _ => {}
        }
    }
    out
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    let pair = bytes.get(at..at.checked_add(2)?)?;
    Some(u16::from_be_bytes(pair.try_into().ok()?))
}

fn long(bytes: &[u8], at: usize) -> Option<u32> {
    let four = bytes.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(four.try_into().ok()?))
}

fn place(number: u32) -> Option<usize> {
    usize::try_from(number).ok()
}

fn table(font: &[u8], name: [u8; 4]) -> Option<&[u8]> {
    let count = usize::from(short(font, 4)?);
    let records = font.get(12..)?.chunks_exact(16).take(count);
    for record in records {
        if record.starts_with(&name) {
            let start = place(long(record, 8)?)?;
            let end = start.checked_add(place(long(record, 12)?)?)?;
            return font.get(start..end.min(font.len()));
        }
    }
    None
}

/// The subtable for Unicode.
fn subtable(table: &[u8]) -> Option<&[u8]> {
    let count = usize::from(short(table, 2)?);
    let mut best: Option<(u8, &[u8])> = None;
    for record in table.get(4..)?.chunks_exact(8).take(count) {
        let rank = match (short(record, 0)?, short(record, 2)?) {
            (3, 10) | (0, 4 | 6) => 4,
            (3, 1) => 3,
            (0, _) => 2,
            _ => continue,
        };
        if let Some(map) = table.get(place(long(record, 4)?)?..)
            && best.is_none_or(|best| best.0 < rank)
            && matches!(short(map, 0), Some(4 | 12))
        {
            best = Some((rank, map));
        }
    }
    best.map(|best| best.1)
}

/// Adds a pair. The first character of a glyph is kept, but a usual space is better than others.
fn add(glyph: u16, character: u32, out: &mut BTreeMap<u16, char>) {
    if glyph != 0
        && out.len() < GLYPHS
        && let Some(character) = char::from_u32(character)
        && !matches!(character, '\0'..='\u{1f}' | '\u{ad}')
    {
        out.entry(glyph).or_insert(character);
    }
}

/// Format 4: segments of the first 65 536 characters.
fn segments(map: &[u8], out: &mut BTreeMap<u16, char>) {
    let Some(double) = short(map, 6).map(usize::from) else {
        return;
    };
    let mut rest = 2 * GLYPHS;
    for at in (0..double).step_by(2) {
        let part = |index: usize| {
            // The end codes, a pad, the start codes, the deltas and the offsets.
            let pad = if index == 0 { 14_usize } else { 16 };
            let start = double
                .saturating_mul(index)
                .saturating_add(pad)
                .saturating_add(at);
            short(map, start).map(|value| (value, start))
        };
        let (Some((end, _)), Some((start, _)), Some((delta, _)), Some((offset, offset_at))) =
            (part(0), part(1), part(2), part(3))
        else {
            return;
        };
        for code in start..=end {
            let Some(less) = rest.checked_sub(1) else {
                return;
            };
            rest = less;
            let glyph = if offset == 0 {
                code.wrapping_add(delta)
            } else {
                let index = usize::from(code.wrapping_sub(start)).saturating_mul(2);
                let at = offset_at
                    .saturating_add(usize::from(offset))
                    .saturating_add(index);
                match short(map, at) {
                    Some(0) | None => continue,
                    Some(glyph) => glyph.wrapping_add(delta),
                }
            };
            if code != 0xffff {
                add(glyph, u32::from(code), out);
            }
        }
    }
}

/// Format 12: groups of all characters.
fn groups(map: &[u8], out: &mut BTreeMap<u16, char>) {
    let count = long(map, 12).and_then(place).unwrap_or_default();
    let mut rest = 2 * GLYPHS;
    for group in map
        .get(16..)
        .unwrap_or_default()
        .chunks_exact(12)
        .take(count)
    {
        let (Some(start), Some(end), Some(glyph)) =
            (long(group, 0), long(group, 4), long(group, 8))
        else {
            return;
        };
        for code in start..=end {
            let Some(less) = rest.checked_sub(1) else {
                return;
            };
            rest = less;
            let Ok(glyph) = u16::try_from(glyph.saturating_add(code.saturating_sub(start))) else {
                break;
            };
            add(glyph, code, out);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A font with one table.
    fn font(map: &[u8]) -> Vec<u8> {
        let mut out = vec![0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0];
        out.extend_from_slice(b"cmap\0\0\0\0\0\0\0\x1c");
        let table: Vec<u8> = [&[0, 0, 0, 1, 0, 3, 0, 1, 0, 0, 0, 12][..], map].concat();
        out.extend_from_slice(&u32::try_from(table.len()).unwrap().to_be_bytes());
        out.extend_from_slice(&table);
        out
    }

    #[test]
    fn glyphs_of_segments_and_groups() {
        let numbers = |values: &[u16]| {
            values
                .iter()
                .flat_map(|it| it.to_be_bytes())
                .collect::<Vec<u8>>()
        };
        // Two segments: A to C are the glyphs from 5, and the end.
        let map = numbers(&[
            4,
            32,
            0,
            4,
            4,
            1,
            0,
            0x43,
            0xffff,
            0,
            0x41,
            0xffff,
            5_u16.wrapping_sub(0x41),
            1,
            0,
            0,
        ]);
        let glyphs = read(&font(&map));
        assert_eq!(glyphs.get(&5), Some(&'A'));
        assert_eq!(glyphs.get(&7), Some(&'C'));
        assert_eq!(glyphs.len(), 3);
        let map = numbers(&[12, 0, 0, 28, 0, 0, 0, 1, 1, 0xf600, 1, 0xf601, 0, 9]);
        assert_eq!(read(&font(&map)).get(&10), Some(&'\u{1f601}'));
    }

    #[test]
    fn false_numbers_end() {
        let numbers = |values: &[u16]| {
            values
                .iter()
                .flat_map(|it| it.to_be_bytes())
                .collect::<Vec<u8>>()
        };
        let map = numbers(&[
            12, 0, 0, 28, 0, 0, 0xffff, 0xffff, 0, 0, 0xffff, 0xffff, 0, 0,
        ]);
        assert!(read(&font(&map)).len() <= GLYPHS);
        let whole = font(&numbers(&[4, 32, 0, 0xfffe, 4, 1, 0, 0xffff]));
        for end in 0..whole.len() {
            read(&whole[..end]);
        }
    }
}
