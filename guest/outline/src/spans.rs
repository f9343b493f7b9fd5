//! Lengths of runs of spaces or letters, measured eight bytes at a time.

/// A 64-bit integer in which every byte is 1.
const ONES: u64 = 0x0101_0101_0101_0101;

/// A 64-bit integer in which only the highest bit of every byte is set.
const HIGH: u64 = ONES << 7;

/// The number of spaces at the start of a text.
#[inline]
pub fn spaces(text: &[u8]) -> usize {
    let spaces = run(text, |bytes| bytes ^ ONES.wrapping_mul(0x20));
    let rest = text.get(spaces..).unwrap_or_default();
    let more = rest.iter().take_while(|byte| **byte == b' ').count();
    spaces.saturating_add(more)
}

/// The number of spaces and tabs at the start of a text.
#[inline]
pub fn blanks(text: &[u8]) -> usize {
    let spaces = spaces(text);
    let rest = text.get(spaces..).unwrap_or_default();
    if rest.first() != Some(&b'\t') {
        return spaces;
    }
    let others = rest.iter().position(|byte| !matches!(byte, b' ' | b'\t'));
    spaces.saturating_add(others.unwrap_or(rest.len()))
}

/// The number of ASCII letters, digits and `_` at the start of a text. Only whole groups of eight
/// bytes are examined, so up to seven bytes at the end of the text are not counted.
#[inline]
pub fn letters(text: &[u8]) -> usize {
    run(text, |bytes| {
        let low = bytes & !HIGH;
        let lower = low | ONES.wrapping_mul(0x20);
        let letter = least(lower, b'a') & !least(lower, b'z' + 1);
        let digit = least(low, b'0') & !least(low, b'9' + 1);
        let underscore = !least(low ^ ONES.wrapping_mul(u64::from(b'_')), 1);
        let inner = (letter | digit | underscore) & !bytes;
        !inner & HIGH
    })
}

/// Returns `bytes` with the highest bit of each byte set if the byte is at least `least`, and clear
/// otherwise. All bytes must be below 128. The other bits are undefined.
fn least(bytes: u64, least: u8) -> u64 {
    bytes.wrapping_add(ONES.wrapping_mul(u64::from(128u8.wrapping_sub(least))))
}

/// The number of bytes at the start of a text before the first one for which `others` sets a bit.
/// `others` examines eight bytes at a time. Up to seven bytes at the end of the text are not
/// counted.
#[inline]
fn run(text: &[u8], others: impl Fn(u64) -> u64) -> usize {
    let mut length = 0usize;
    while let Some(bytes) = text.get(length..).and_then(<[u8]>::first_chunk) {
        let found = others(u64::from_le_bytes(*bytes));
        if found != 0 {
            return length.wrapping_add((found.trailing_zeros() / 8) as usize);
        }
        length = length.wrapping_add(8);
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_end_with_the_first_other_byte() {
        for length in 0..20 {
            for other in 0..=u8::MAX {
                let mut text = [b'b'; 32];
                text[length] = other;
                let inner = other == b'_' || other.is_ascii_alphanumeric();
                assert_eq!(letters(&text), if inner { 32 } else { length }, "{other}");
                let mut text = [b' '; 32];
                text[length] = other;
                let space = if other == b' ' { 32 } else { length };
                assert_eq!(spaces(&text), space, "{other}");
                let blank = if other == b'\t' { 32 } else { space };
                assert_eq!(blanks(&text), blank, "{other}");
            }
        }
        assert_eq!(spaces(b"   "), 3);
        assert_eq!(blanks(b" \t "), 3);
        assert_eq!(letters(b"name"), 0);
    }
}
