//! Numbers of lists and pages in Roman digits and in Latin letters.

/// The digits, and the combinations that are subtracted, from the largest.
const DIGITS: [(usize, &str); 13] = [
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
];

/// Writes a number in small Roman digits. `most` is the largest number that programs which show the
/// format write so. 0 and larger numbers are decimal.
pub fn roman(value: usize, most: usize) -> String {
    if !(1..=most).contains(&value) {
        return value.to_string();
    }
    let mut rest = value;
    let mut out = String::new();
    for (size, digits) in DIGITS {
        while let Some(less) = rest.checked_sub(size) {
            rest = less;
            out.push_str(digits);
        }
    }
    out
}

/// Writes a number in small letters as the columns of a sheet: `z` is followed by `aa` and `ab`. 0 is
/// decimal.
pub fn letters(value: usize) -> String {
    let mut rest = value;
    let mut text = Vec::new();
    while let Some(place) = rest.checked_sub(1) {
        text.push(letter(place % 26));
        rest = place / 26;
    }
    if text.is_empty() {
        return value.to_string();
    }
    text.into_iter().rev().collect()
}

/// Writes a number in small letters as the pages of a PDF: `z` is followed by `aa` and `bb`. 0 is
/// decimal, and so are numbers of more than `most` letters.
pub fn repeated_letters(value: usize, most: usize) -> String {
    let Some(place) = value.checked_sub(1) else {
        return value.to_string();
    };
    let count = (place / 26).saturating_add(1);
    if count > most {
        return value.to_string();
    }
    std::iter::repeat_n(letter(place % 26), count).collect()
}

/// The letter at a place below 26.
fn letter(place: usize) -> char {
    let place = u8::try_from(place).unwrap_or_default();
    char::from(b'a'.saturating_add(place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn roman_digits_are_written_up_to_the_largest() {
        for (value, expected) in [
            (0, "0"),
            (4, "iv"),
            (1994, "mcmxciv"),
            (3999, "mmmcmxcix"),
            (4000, "4000"),
        ] {
            assert_eq!(roman(value, 3999), expected);
        }
    }

    #[test]
    fn letters_follow_z() {
        for (value, counted, repeated) in [
            (0, "0", "0"),
            (1, "a", "a"),
            (26, "z", "z"),
            (27, "aa", "aa"),
            (28, "ab", "bb"),
            (703, "aaa", "703"),
        ] {
            assert_eq!(letters(value), counted);
            assert_eq!(repeated_letters(value, 20), repeated);
        }
    }
}
