//! File name extensions.

/// The extension of a name, without the dot. `None` if the name has no dot.
pub fn ending(name: &str) -> Option<&str> {
    // A search for a character in a text is made for long texts. This function is called often.
    let dot = name.bytes().rposition(|byte| byte == b'.')?;
    name.get(dot.saturating_add(1)..)
}

/// Whether an extension is one of `endings`, ignoring case.
pub fn is_one_of(ending: &str, endings: &[&str]) -> bool {
    endings
        .iter()
        .any(|known| known.eq_ignore_ascii_case(ending))
}

/// Whether `name` ends with a dot and one of the extensions `endings`, ignoring case.
pub fn ends_in(name: &str, endings: &[&str]) -> bool {
    ending(name).is_some_and(|ending| is_one_of(ending, endings))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extension_is_what_follows_the_last_dot() {
        for (name, extension) in [
            ("a.txt", Some("txt")),
            ("a.tar.gz", Some("gz")),
            (".é", Some("é")),
            ("a.", Some("")),
            ("a", None),
            ("", None),
        ] {
            assert_eq!(ending(name), extension, "{name}");
            assert_eq!(name.rsplit_once('.').map(|(_, it)| it), extension);
        }
        assert!(ends_in("A.TXT", &["md", "txt"]) && !ends_in("txt", &["txt"]));
    }
}
