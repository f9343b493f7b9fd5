//! Bytes of a line: letters, digits, control sequences.

/// The byte at `at`. NUL after the end of the line.
pub fn at(line: &[u8], at: usize) -> u8 {
    line.get(at).copied().unwrap_or(0)
}

/// The part of a line from `start` on. Empty after its end.
pub fn from(line: &[u8], start: usize) -> &[u8] {
    line.get(start..).unwrap_or_default()
}

/// The first `count` bytes of a line, or all if it has fewer.
pub fn first(line: &[u8], count: usize) -> &[u8] {
    line.get(..count).unwrap_or(line)
}

/// Whether a byte is part of a word: a letter, a digit, `_`, or a byte of a character outside ASCII.
pub fn is_word(byte: u8) -> bool {
    WORD.get(usize::from(byte)).copied().unwrap_or(false)
}

/// For each byte whether it is part of a word. A lookup takes less time than four comparisons.
#[allow(
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    clippy::cast_lossless,
    reason = "it is computed by the compiler"
)]
static WORD: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0u8;
    loop {
        table[byte as usize] = byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80;
        if byte == u8::MAX {
            break table;
        }
        byte += 1;
    }
};

/// Whether the bytes from `start` on are `word` in any case.
pub fn has(line: &[u8], start: usize, word: &[u8]) -> bool {
    let end = start.saturating_add(word.len());
    line.get(start..end)
        .is_some_and(|found| found.eq_ignore_ascii_case(word))
}

/// The number of bytes from `start` on for which `is` holds.
pub fn run(line: &[u8], start: usize, is: impl Fn(u8) -> bool) -> usize {
    from(line, start)
        .iter()
        .take_while(|byte| is(**byte))
        .count()
}

/// The offset after the spaces from `start` on.
pub fn after_spaces(line: &[u8], start: usize) -> usize {
    start.saturating_add(run(line, start, |byte| byte == b' ' || byte == b'\t'))
}

/// Copies a line without the sequences that set colours on a terminal, such as `ESC [31m`.
pub fn without_colours(line: &[u8], out: &mut Vec<u8>) {
    out.clear();
    let mut rest = line;
    while let Some(at) = memchr::memchr(0x1b, rest) {
        out.extend_from_slice(first(rest, at));
        let mut end = at.saturating_add(1);
        if self::at(rest, end) == b'[' {
            end = end.saturating_add(1);
            end = end.saturating_add(run(rest, end, |byte| (0x20..0x40).contains(&byte)));
            end = end.saturating_add(1);
        }
        rest = from(rest, end);
    }
    out.extend_from_slice(rest);
}
