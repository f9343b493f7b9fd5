//! File name extensions.

/// Whether `name` ends with a dot and one of the extensions `endings`, ignoring case.
pub fn ends_in(name: &str, endings: &[&str]) -> bool {
    // A search for a character in a text is made for long texts. This function is called often.
    let dot = name.bytes().rposition(|byte| byte == b'.');
    let ending = dot.and_then(|dot| name.get(dot.saturating_add(1)..));
    ending.is_some_and(|ending| {
        endings
            .iter()
            .any(|known| known.eq_ignore_ascii_case(ending))
    })
}
