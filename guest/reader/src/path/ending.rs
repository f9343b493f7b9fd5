//! File name extensions.

/// Whether `name` ends with a dot and one of the extensions `endings`, ignoring case.
pub fn ends_in(name: &str, endings: &[&str]) -> bool {
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    ending.is_some_and(|ending| {
        endings
            .iter()
            .any(|known| known.eq_ignore_ascii_case(ending))
    })
}
