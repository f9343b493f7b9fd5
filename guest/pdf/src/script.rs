//! Properties of characters: the direction in which they are read, marks, spaces between words, hyphens
//! and bullets.
//!
//! The ranges are those of scripts that PDF files use. They follow `UnicodeData.txt` and the classes of
//! UAX #9.

/// Whether a character is read from the right. Digits and the signs in numbers are not.
pub fn is_rtl(it: char) -> bool {
    // Most letters are before all of them.
    it >= '\u{590}'
        && matches!(u32::from(it), 0x590..=0x65F | 0x66D..=0x6EF | 0x6FA..=0x8FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFE | 0x1_0800..=0x1_0FFF | 0x1_E800..=0x1_EFFF)
}

/// Whether it is a letter of Arabic, Syriac or Thaana, and not of another script from the right (class AL).
pub fn is_arabic(it: char) -> bool {
    is_rtl(it)
        && matches!(u32::from(it), 0x600..=0x7BF | 0x860..=0x8FF | 0xFB50..=0xFDFF | 0xFE70..=0xFEFE)
}

/// Whether it is a European or a Persian digit (class EN).
pub fn is_digit(it: char) -> bool {
    it.is_ascii_digit() || matches!(u32::from(it), 0x6F0..=0x6F9)
}

/// Whether it is an Arabic digit, or a separator of Arabic numbers (class AN).
pub fn is_arabic_digit(it: char) -> bool {
    matches!(u32::from(it), 0x660..=0x669 | 0x66B..=0x66C)
}

/// Whether it is a sign that joins the digits of a number (class CS).
pub fn is_separator(it: char) -> bool {
    matches!(it, '.' | ',' | ':' | '/')
}

/// Whether it is a sign that joins European digits (class ES).
pub fn is_sign(it: char) -> bool {
    matches!(it, '-' | '+' | '\u{2212}')
}

/// Whether it is a sign before or after European digits (class ET).
pub fn is_terminator(it: char) -> bool {
    matches!(
        it,
        '#' | '$' | '%' | '°' | '±' | '£' | '¥' | '¢' | '\u{66a}' | '‰' | '\u{20a0}'..='\u{20cf}'
    )
}

/// Whether it is a character of Chinese or Japanese, or fullwidth punctuation. It is as wide as high,
/// and there are no spaces between words.
pub fn is_wide(it: char) -> bool {
    // Most letters are before all of them.
    it >= '\u{2e80}'
        && matches!(u32::from(it), 0x2E80..=0x2FDF | 0x3001..=0x312F | 0x31A0..=0x9FFF | 0xF900..=0xFAFF | 0xFE30..=0xFE4F | 0xFF01..=0xFF60 | 0xFFE0..=0xFFE6 | 0x2_0000..=0x3_FFFF)
}

/// Whether it belongs to a script without spaces between words: a wide character, halfwidth Japanese,
/// Thai, Lao, Burmese or Khmer.
pub fn is_unspaced(it: char) -> bool {
    matches!(u32::from(it), 0xE00..=0xEFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0xFF61..=0xFF9F)
        || is_wide(it)
}

/// Whether it is a combining mark of a common script.
pub fn is_mark(it: char) -> bool {
    // Most letters are before all marks.
    it >= '\u{300}'
        && matches!(u32::from(it), 0x300..=0x36F | 0x483..=0x487 | 0x591..=0x5BD | 0x5BF | 0x5C1..=0x5C2 | 0x5C4..=0x5C5 | 0x5C7 | 0x610..=0x61A | 0x64B..=0x65F | 0x670 | 0x6D6..=0x6DC | 0x6DF..=0x6E4 | 0x6E7..=0x6E8 | 0x6EA..=0x6ED | 0x8D3..=0x8E1 | 0x8E3..=0x903 | 0x93A..=0x94F | 0x951..=0x957 | 0x962..=0x963 | 0x980..=0x983 | 0x9BC..=0x9CD | 0xA01..=0xA03 | 0xA3C..=0xA51 | 0xE31 | 0xE34..=0xE3A | 0xE47..=0xE4E | 0xEB1 | 0xEB4..=0xEBC | 0xEC8..=0xECD | 0x17B4..=0x17D3 | 0x1AB0..=0x1AFF | 0x1DC0..=0x1DFF | 0x20D0..=0x20FF | 0xFE20..=0xFE2F)
}

/// Whether it is a mark on a letter of a script from the right.
pub fn is_rtl_mark(it: char) -> bool {
    is_rtl(it) && is_mark(it)
}

/// Whether a character has no ink and no meaning in running text.
pub fn is_ignorable(it: char) -> bool {
    matches!(u32::from(it), 0x0..=0x1F | 0x7F..=0x9F | 0x200B | 0x200E | 0x200F | 0x202A..=0x202E | 0x2060..=0x2064 | 0x2066..=0x2069 | 0xFEFF)
}

/// The character that looks like the mirror image.
pub fn mirrored(it: char) -> char {
    match it {
        '(' => ')',
        ')' => '(',
        '[' => ']',
        ']' => '[',
        '{' => '}',
        '}' => '{',
        '<' => '>',
        '>' => '<',
        '«' => '»',
        '»' => '«',
        '‹' => '›',
        '›' => '‹',
        _ => it,
    }
}

/// Whether it ends a line where a word is divided.
pub fn is_hyphen(it: char) -> bool {
    matches!(it, '-' | '\u{ad}' | '\u{2010}')
}

/// Whether it is a bullet and nothing else.
pub fn is_strong_bullet(it: char) -> bool {
    matches!(
        it,
        '•' | '◦' | '▪' | '●' | '‣' | '➢' | '►' | '❖' | '\u{f0b7}' | '\u{f0a7}' | '\u{f0d8}'
    )
}

/// Whether a text is a bullet.
pub fn is_bullet(text: &str) -> bool {
    let mut chars = text.chars();
    let (Some(one), None) = (chars.next(), chars.next()) else {
        return false;
    };
    matches!(
        one,
        '•' | '◦'
            | '▪'
            | '▫'
            | '●'
            | '○'
            | '■'
            | '□'
            | '‣'
            | '⁃'
            | '·'
            | '∙'
            | '∗'
            | '–'
            | '—'
            | '-'
            | '−'
            | '*'
            | '➢'
            | '➤'
            | '►'
            | '▶'
            | '▸'
            | '❖'
            | '✓'
            | '✔'
            | '◆'
            | '◇'
            | '⮚'
            | '\u{f0b7}'
            | '\u{f0a7}'
            | '\u{f0d8}'
            | '\u{f0fc}'
            | '\u{f076}'
            | '\u{f02d}'
            | '\u{f06f}'
            | '\u{f0be}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_have_no_direction() {
        for digit in ['7', '\u{667}', '\u{66b}', '\u{6f7}'] {
            assert!((is_digit(digit) || is_arabic_digit(digit)) && !is_rtl(digit));
        }
        assert!(is_arabic('\u{6cc}') && is_arabic('\u{fefb}') && !is_arabic('א'));
        assert!(is_rtl('א') && is_rtl('\u{6cc}') && is_rtl('\u{fefb}'));
    }

    #[test]
    fn marks_of_the_right_are_marks() {
        assert!(is_rtl_mark('\u{5b0}') && is_rtl_mark('\u{64b}') && is_rtl_mark('\u{8f0}'));
        assert!(!is_rtl_mark('\u{301}') && is_mark('\u{301}'));
    }

    #[test]
    fn mirrored_twice_is_the_same() {
        for it in ['(', ']', '{', '>', '«', '›', 'a'] {
            assert_eq!(mirrored(mirrored(it)), it);
        }
    }

    #[test]
    fn wide_characters_are_unspaced() {
        for it in ['漢', 'カ', '。', '（'] {
            assert!(is_wide(it) && is_unspaced(it));
        }
        for it in ['ก', '\u{ff76}'] {
            assert!(!is_wide(it) && is_unspaced(it));
        }
    }
}
