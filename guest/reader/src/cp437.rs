//! Code page 437, the code page of the IBM PC: names in archives of DOS programs, and drawings.

/// The characters of the bytes from 128 on, from the table CP437.TXT of the Unicode consortium.
static UPPER: [char; 128] = [
    'Ç', 'ü', 'é', 'â', 'ä', 'à', 'å', 'ç', 'ê', 'ë', 'è', 'ï', 'î', 'ì', 'Ä', 'Å', 'É', 'æ', 'Æ',
    'ô', 'ö', 'ò', 'û', 'ù', 'ÿ', 'Ö', 'Ü', '¢', '£', '¥', '₧', 'ƒ', 'á', 'í', 'ó', 'ú', 'ñ', 'Ñ',
    'ª', 'º', '¿', '⌐', '¬', '½', '¼', '¡', '«', '»', '░', '▒', '▓', '│', '┤', '╡', '╢', '╖', '╕',
    '╣', '║', '╗', '╝', '╜', '╛', '┐', '└', '┴', '┬', '├', '─', '┼', '╞', '╟', '╚', '╔', '╩', '╦',
    '╠', '═', '╬', '╧', '╨', '╤', '╥', '╙', '╘', '╒', '╓', '╫', '╪', '┘', '┌', '█', '▄', '▌', '▐',
    '▀', 'α', 'ß', 'Γ', 'π', 'Σ', 'σ', 'µ', 'τ', 'Φ', 'Θ', 'Ω', 'δ', '∞', 'φ', 'ε', '∩', '≡', '±',
    '≥', '≤', '⌠', '⌡', '÷', '≈', '°', '∙', '·', '√', 'ⁿ', '²', '■', '\u{a0}',
];

/// Decodes a byte. The bytes below 128 are ASCII.
pub fn decode(byte: u8) -> char {
    match byte.checked_sub(128) {
        Some(upper) => UPPER
            .get(usize::from(upper))
            .copied()
            .unwrap_or(char::REPLACEMENT_CHARACTER),
        None => char::from(byte),
    }
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

    #[test]
    fn code_page_437_has_all_its_characters() {
        let upper: String = (128..=255).map(decode).collect();
        assert_eq!(upper.chars().count(), 128);
        assert!(upper.starts_with("Çüé") && upper.ends_with("²■\u{a0}"));
        assert_eq!((decode(b'a'), decode(0xe1)), ('a', 'ß'));
    }
}
