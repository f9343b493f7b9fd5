//! Numbers of lists in Roman digits.

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

/// Writes a number in small Roman digits. 0 and numbers above `most` are decimal.
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

#[cfg(test)]
mod tests {
    use super::roman;

    #[test]
    fn numbers_are_written_up_to_the_largest() {
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
}
