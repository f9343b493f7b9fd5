//! Names of fonts.

/// The starts of the names of fonts whose characters all have the same width.
const FIXED: [&str; 23] = [
    "andale mono",
    "anonymous pro",
    "cascadia",
    "cmu typewriter",
    "computer modern typewriter",
    "consolas",
    "courier",
    "cousine",
    "fira code",
    "fixedsys",
    "hack",
    "inconsolata",
    "iosevka",
    "letter gothic",
    "lucida console",
    "lucida sans typewriter",
    "lucida typewriter",
    "menlo",
    "monaco",
    "orator",
    "prestige elite",
    "source code",
    "terminal",
];

/// Returns whether all characters of a font have the same width, by its name. Programs have no other way
/// to mark code in a document without styles. The word "typewriter" is no sign: most such fonts have letters
/// of several widths.
pub fn is_fixed(name: &str) -> bool {
    let name = name.to_lowercase();
    let is_word = |word: &str| matches!(word, "mono" | "monospace" | "monospaced");
    let mut words = name.split(|char: char| !char.is_alphanumeric());
    let starts = |font: &str| {
        let rest = name.strip_prefix(font);
        rest.is_some_and(|rest| match font {
            // Other fonts have names that begin so.
            "hack" | "orator" => !rest.starts_with(char::is_alphabetic),
            "terminal" => rest.is_empty(),
            _ => !rest.contains("variable width"),
        })
    };
    FIXED.into_iter().any(starts) || words.any(is_word)
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
            "Lucida Typewriter",
            "Letter Gothic Std",
            "CMU Typewriter Text",
            "CourierNewPSMT",
            "Monospaced",
            "Hack-Regular",
            "Terminal",
        ] {
            assert!(is_fixed(name), "{name}");
        }
        for name in [
            "Arial",
            "",
            "Monotype Corsiva",
            "Lucida Sans",
            "American Typewriter",
            "ITC American Typewriter Std Medium",
            "Typewriter",
            "Adler Typewriter Condensed",
            "CMU Typewriter Text Variable Width",
            "Terminal Dosis",
            "Hackney",
        ] {
            assert!(!is_fixed(name), "{name}");
        }
    }
}
