//! Code page 437, the code page of the IBM PC: names in archives of DOS programs, and drawings.

use oem_cp::code_table::DECODING_TABLE_CP437;

/// Decodes a byte. The bytes below 128 are ASCII.
pub fn decode(byte: u8) -> char {
    let upper = usize::from(byte).checked_sub(128);
    let upper = upper.and_then(|place| DECODING_TABLE_CP437.get(place));
    upper.copied().unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_have_the_characters_of_dos() {
        let decoded: String = b"a\x80\xb3\xe1\xff"
            .iter()
            .map(|byte| decode(*byte))
            .collect();
        assert_eq!(decoded, "aÇ│ß\u{a0}");
    }
}
