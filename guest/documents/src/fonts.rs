//! Names of fonts.

/// The starts of the names of fonts whose characters all have the same width.
const FIXED: [&str; 15] = [
    "andale mono",
    "anonymous pro",
    "cascadia",
    "consolas",
    "courier",
    "cousine",
    "fira code",
    "hack",
    "inconsolata",
    "letter gothic",
    "lucida console",
    "menlo",
    "monaco",
    "source code",
    "terminal",
];

/// Returns whether all characters of a font have the same width, by its name. Programs have no other way
/// to mark code in a document without styles.
pub fn is_fixed(name: &str) -> bool {
    let name = name.to_lowercase();
    let mut words = name.split(|char: char| !char.is_alphanumeric());
    FIXED.iter().any(|font| name.starts_with(font))
        || words.any(|word| matches!(word, "mono" | "typewriter"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fonts_of_one_width_are_known_by_their_names() {
        for name in [
            "Courier New",
            "CONSOLAS",
            "DejaVu Sans Mono",
            "Lucida Sans Typewriter",
            "JetBrains Mono",
        ] {
            assert!(is_fixed(name), "{name}");
        }
        for name in ["Arial", "", "Monotype Corsiva", "Lucida Sans"] {
            assert!(!is_fixed(name), "{name}");
        }
    }
}
