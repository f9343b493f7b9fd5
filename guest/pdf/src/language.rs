//! What words say about the text around them.

/// Whether a sentence goes on after a word: a comma, an article or a conjunction.
pub fn is_open(text: &str) -> bool {
    text.ends_with(',')
        || matches!(
            text,
            "a" | "an"
                | "and"
                | "der"
                | "die"
                | "et"
                | "for"
                | "of"
                | "or"
                | "the"
                | "to"
                | "und"
                | "with"
        )
}

/// Whether English words are written with a hyphen between them, in lower case: numbers such as
/// `thirty-one`, and prefixes such as `self-service` and `re-examine`.
pub fn keeps_hyphen(left: &str, right: &str) -> bool {
    let prefix = matches!(left, "self" | "non" | "ex" | "quasi" | "cross" | "well")
        || left == "re" && right.starts_with('e');
    prefix && right.chars().count() >= 3 || is_ten(left) && is_unit(right)
}

/// Whether a word is a multiple of ten that is before a unit.
fn is_ten(word: &str) -> bool {
    matches!(
        word,
        "twenty" | "thirty" | "forty" | "fifty" | "sixty" | "seventy" | "eighty" | "ninety"
    )
}

/// Whether a word is a unit of a number.
fn is_unit(word: &str) -> bool {
    matches!(
        word,
        "one"
            | "two"
            | "three"
            | "four"
            | "five"
            | "six"
            | "seven"
            | "eight"
            | "nine"
            | "first"
            | "second"
            | "third"
            | "fourth"
            | "fifth"
            | "sixth"
            | "seventh"
            | "eighth"
            | "ninth"
    )
}
