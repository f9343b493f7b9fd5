//! Names of macros and attributes of C. They look like types, functions and calls.

/// Whether a word is in capital letters, as the names of macros are.
pub fn is_shouted(word: &str) -> bool {
    let mut capital = false;
    for byte in word.bytes() {
        if byte.is_ascii_lowercase() {
            return false;
        }
        capital |= byte.is_ascii_uppercase();
    }
    capital
}

/// Whether a word with brackets, such as `alignas(8)`, may be in the middle of a declaration
/// without being a function.
pub fn is_attribute(word: &str) -> bool {
    matches!(
        word,
        "__attribute__"
            | "__attribute"
            | "__declspec"
            | "alignas"
            | "_Alignas"
            | "decltype"
            | "explicit"
            | "__asm__"
            | "asm"
    )
}

/// Whether a word with brackets, such as `noexcept(true)`, may follow the parameters of a function.
pub fn is_specifier(word: &str) -> bool {
    matches!(word, "noexcept" | "throw" | "requires" | "throws")
}

/// Whether a word may follow the parameters of a function.
pub fn follows_parameters(word: &str) -> bool {
    matches!(word, "const" | "volatile" | "override" | "final" | "try")
        || is_specifier(word)
        || word.starts_with("__")
        || is_shouted(word)
}
