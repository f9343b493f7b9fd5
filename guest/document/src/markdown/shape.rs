//! How a text is written: whether it needs escapes or other spaces.

use super::spaces::{is_invisible, is_unusual_space};

/// How a text is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// As it is: it needs no escapes, and its only white space is single spaces.
    Plain,
    /// It has other white space or characters that may have to be escaped.
    Special,
    /// It has invisible characters or spaces that are not written.
    Unusual,
}

/// For each byte, some of these bits: 1 for a space, 2 for other white space and for bytes that may have to
/// be escaped, 4 for the first byte of characters that may be invisible or unusual spaces.
pub static CLASSES: [u8; 256] = classes();

#[expect(
    clippy::indexing_slicing,
    reason = "it is evaluated when this is compiled"
)]
const fn classes() -> [u8; 256] {
    let mut classes = [0; 256];
    let mut special: &[u8] = b"\\*_`<&[]~\t\n\r\x0b\x0c";
    while let [byte, rest @ ..] = special {
        classes[*byte as usize] = 2;
        special = rest;
    }
    classes[b' ' as usize] = 1;
    classes[0xc2] = 4;
    classes[0xe2] = 4;
    classes[0xef] = 4;
    classes
}

/// The number of bytes that are looked at together.
const BLOCK: usize = 32;

/// Whether no byte of a block has a class, and no two spaces follow each other. `next` is the block from its second
/// byte on. The loop has no branches and a fixed length, so that it is compiled to vector instructions. Bytes that
/// are not ASCII count as if they had a class.
fn is_quiet(block: &[u8; BLOCK], next: &[u8; BLOCK]) -> bool {
    let mut found = 0_u8;
    for (byte, next) in block.iter().zip(next) {
        let (byte, next) = (*byte, *next);
        let is = |sign: u8| u8::from(byte == sign);
        let is_space = u8::from(byte.wrapping_sub(b'\t') < 5);
        let is_bracket = u8::from(byte.wrapping_sub(b'[') < 6);
        let is_sign = is(b'*') | is(b'<') | is(b'&') | is(b'~');
        let are_spaces = is(b' ') & u8::from(next == b' ');
        found |= is_space | is_bracket | is_sign | are_spaces | (byte & 0x80);
    }
    found == 0
}

/// Returns how a text is written.
pub fn shape(text: &str) -> Shape {
    let mut found = 0;
    let mut rest = text.as_bytes();
    while let Some((block, after)) = rest.split_first_chunk::<BLOCK>() {
        // With the next byte, which may be the second of two spaces.
        let with_next = rest.get(..=BLOCK).unwrap_or(rest);
        let next = with_next.last_chunk::<BLOCK>().unwrap_or(block);
        if !is_quiet(block, next) {
            found |= classes_of(with_next);
        }
        rest = after;
    }
    found |= classes_of(rest);
    if found & 4 != 0 && text.contains(|c| is_invisible(c) || is_unusual_space(c)) {
        Shape::Unusual
    } else if found & 2 != 0 {
        Shape::Special
    } else {
        Shape::Plain
    }
}

/// The classes of all bytes. Two spaces have the class of other white space.
fn classes_of(bytes: &[u8]) -> u8 {
    let mut before = 0;
    let mut found = 0;
    for byte in bytes {
        let class = CLASSES.get(usize::from(*byte)).copied().unwrap_or(2);
        found |= class | ((class & before) << 1);
        before = class & 1;
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shape_of_long_text_is_that_of_its_bytes() {
        for length in 0..=2 * BLOCK {
            let plain = "a ".repeat(BLOCK + 1);
            let plain = plain.get(..length).unwrap();
            assert_eq!(shape(plain), Shape::Plain, "{plain:?}");
            for (sign, expected) in [
                ("*", Shape::Special),
                ("  ", Shape::Special),
                ("\n", Shape::Special),
                ("\u{a0}", Shape::Unusual),
                ("é", Shape::Plain),
                ("^", Shape::Plain),
                ("-", Shape::Plain),
            ] {
                let text = format!("{}{sign}.", "x".repeat(length));
                assert_eq!(shape(&text), expected, "{text:?}");
            }
        }
    }

    #[test]
    fn every_byte_with_a_class_is_seen_in_a_block() {
        let letters = [b'a'; BLOCK];
        assert!(is_quiet(&letters, &letters));
        for byte in 0..=u8::MAX {
            let has_class = !matches!(CLASSES[usize::from(byte)], 0 | 1);
            let mut block = letters;
            block[BLOCK - 1] = byte;
            assert!(!has_class || !is_quiet(&block, &letters), "{byte}");
        }
        let mut spaces = letters;
        spaces[3] = b' ';
        assert!(is_quiet(&spaces, &letters));
        assert!(!is_quiet(&spaces, &spaces));
    }
}
