//! Letters: texts reduced to them, for comparisons, and the languages to which they belong.

/// The letters and digits of texts in lower case, one after the other.
pub fn letters<'t>(texts: impl Iterator<Item = &'t str>) -> impl Iterator<Item = char> {
    texts
        .flat_map(str::chars)
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
}

/// The letters and digits of a text in lower case. An id that was made from a heading has the same
/// ones as the heading.
pub fn normalized(text: &str) -> String {
    letters(std::iter::once(text)).collect()
}

/// Whether a character belongs to a language without spaces between words.
pub fn is_ideograph(character: char) -> bool {
    matches!(u32::from(character),
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x3040..=0x30FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}
