//! Texts reduced to their letters and digits, for comparisons.

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
