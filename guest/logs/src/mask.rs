//! A message without its numbers, by which messages are compared.

use crate::limits;

/// Writes a message with `0` for each number, hexadecimal number and id. The result has at most
/// [`limits::KEY_BYTES`].
pub fn mask(message: &[u8], out: &mut Vec<u8>) {
    out.clear();
    let mut words = message.chunk_by(|a, b| a.is_ascii_alphanumeric() && b.is_ascii_alphanumeric());
    while out.len() < limits::KEY_BYTES
        && let Some(word) = words.next()
    {
        let has_digit = word.iter().any(u8::is_ascii_digit);
        let is_hex = word.len() >= 4 && word.iter().all(u8::is_ascii_hexdigit);
        if !has_digit {
            out.extend_from_slice(word);
        } else if is_hex || word.starts_with(b"0x") {
            out.push(b'0');
        } else {
            // `v8` and `15ms` keep their letters.
            for run in word.chunk_by(|a, b| a.is_ascii_digit() == b.is_ascii_digit()) {
                match run.first() {
                    Some(first) if first.is_ascii_digit() => out.push(b'0'),
                    _ => out.extend_from_slice(run),
                }
            }
        }
    }
    out.truncate(limits::KEY_BYTES);
}

/// The hash of a message: FNV-1a.
pub fn hash(key: &[u8]) -> u64 {
    key.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
