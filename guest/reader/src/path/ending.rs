//! What a file is called.

/// Whether a name ends in a dot and one of these, in any case of its letters.
pub fn ends_in(name: &str, endings: &[&str]) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| {
        endings
            .iter()
            .any(|known| known.eq_ignore_ascii_case(ending))
    })
}
