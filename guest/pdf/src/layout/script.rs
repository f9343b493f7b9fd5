//! Properties of characters that layout needs.

/// Whether a character is read from the right.
pub fn is_rtl(it: char) -> bool {
    matches!(u32::from(it), 0x590..=0x8FF | 0xFB1D..=0xFDFF | 0xFE70..=0xFEFC | 0x1_0800..=0x1_0FFF | 0x1_E800..=0x1_EFFF)
        && !is_rtl_digit(it)
}

/// Digits of Arabic scripts. They are read from the left.
fn is_rtl_digit(it: char) -> bool {
    matches!(u32::from(it), 0x660..=0x669 | 0x6F0..=0x6F9)
}

/// Whether a character keeps the direction from the left inside text from the right.
pub fn is_left_to_right(it: char) -> bool {
    (it.is_alphanumeric() && !is_rtl(it)) || is_rtl_digit(it)
}

/// Whether it is a character of Chinese or Japanese, or fullwidth punctuation: there are no spaces
/// between words.
pub fn is_wide(it: char) -> bool {
    matches!(u32::from(it), 0x2E80..=0x2FDF | 0x3001..=0x312F | 0x31A0..=0x9FFF | 0xF900..=0xFAFF | 0xFE30..=0xFE4F | 0xFF01..=0xFF60 | 0xFFE0..=0xFFE6 | 0x2_0000..=0x3_FFFF)
}

/// Whether it is a letter of a script without spaces between words, which is not wide: Thai, Lao,
/// Burmese, Khmer.
pub fn is_unspaced(it: char) -> bool {
    matches!(u32::from(it), 0xE00..=0xEFF | 0x1000..=0x109F | 0x1780..=0x17FF)
}

/// Whether it is a combining mark of a common script.
pub fn is_mark(it: char) -> bool {
    // Most letters are before all marks.
    it >= '\u{300}'
        && matches!(u32::from(it), 0x300..=0x36F | 0x591..=0x5BD | 0x5BF | 0x5C1..=0x5C2 | 0x5C4..=0x5C5 | 0x610..=0x61A | 0x64B..=0x65F | 0x670 | 0x6D6..=0x6DC | 0x900..=0x903 | 0x93A..=0x94F | 0x951..=0x957 | 0x962..=0x963 | 0x980..=0x983 | 0x9BC..=0x9CD | 0xA01..=0xA03 | 0xA3C..=0xA51 | 0xE31 | 0xE34..=0xE3A | 0xE47..=0xE4E | 0xEB1 | 0xEB4..=0xEBC | 0xEC8..=0xECD | 0x17B4..=0x17D3 | 0x20D0..=0x20FF | 0xFE20..=0xFE2F)
}

/// Whether it is a mark on a letter of a script from the right.
pub fn is_rtl_mark(it: char) -> bool {
    is_rtl(it) && is_mark(it)
}

/// Whether a character has no ink and no meaning in running text.
pub fn is_ignorable(it: char) -> bool {
    matches!(u32::from(it), 0x0..=0x1F | 0x7F..=0x9F | 0x200B | 0x200E | 0x200F | 0x202A..=0x202E | 0x2060..=0x2064 | 0x2066..=0x2069 | 0xFEFF)
}

/// Whether a character is a ligature or a form for presentation that text does not use.
pub fn is_presentation(it: char) -> bool {
    matches!(u32::from(it), 0xFB00..=0xFB06)
}

/// Writes ligatures as their letters.
pub fn without_presentation(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for it in text.chars() {
        match it {
            '\u{fb00}' => out.push_str("ff"),
            '\u{fb01}' => out.push_str("fi"),
            '\u{fb02}' => out.push_str("fl"),
            '\u{fb03}' => out.push_str("ffi"),
            '\u{fb04}' => out.push_str("ffl"),
            '\u{fb05}' | '\u{fb06}' => out.push_str("st"),
            _ => out.push(it),
        }
    }
    out
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
