//! Values as users write them: sizes such as `500000`, `64K`, `1.5M` and `2GiB`, and switches.

/// The units, and the number of bits by which a size in each is shifted. All of them count 1024
/// bytes, as the sizes in replies do.
const UNITS: [(&str, u32); 5] = [("", 0), ("k", 10), ("m", 20), ("g", 30), ("t", 40)];

/// Parses a switch: `on` or `off`, also as `true`, `yes` or `1` and their opposites, in upper or lower
/// case. `None` if the text is not a switch.
pub fn parse_switch(text: &str) -> Option<bool> {
    match text.to_ascii_lowercase().as_str() {
        "on" | "true" | "yes" | "1" => Some(true),
        "off" | "false" | "no" | "0" => Some(false),
        _ => None,
    }
}

/// Parses a size: a number, and `K`, `M`, `G` or `T`, which may be followed by `B`, `iB` or `i`. Upper
/// and lower case are the same. Returns the size in bytes, or `None` if the text is not a size. A
/// part of a byte is dropped.
pub fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim().to_ascii_lowercase();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.');
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let unit = unit.trim_start();
    let unit = unit.strip_suffix('b').unwrap_or(unit);
    // `KiB`, but not `iB`.
    let short = unit.strip_suffix('i').filter(|short| !short.is_empty());
    let unit = short.unwrap_or(unit);
    let (_, shift) = UNITS.into_iter().find(|(name, _)| *name == unit)?;
    let (whole, part) = match number.split_once('.') {
        // A byte has no parts.
        Some((_, part)) if shift == 0 || part.is_empty() => return None,
        Some((whole, part)) => (whole, part),
        None => (number, ""),
    };
    let whole: u64 = whole.parse().ok()?;
    let whole = whole.checked_mul(1 << shift)?;
    whole.checked_add(fraction(part, shift)?)
}

/// A part of a unit in bytes: `5` is half of it. Digits after the eighteenth change no byte of the
/// units above.
fn fraction(digits: &str, shift: u32) -> Option<u64> {
    if !digits.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let digits = digits.get(..18).unwrap_or(digits);
    let scale = 10_u128.pow(u32::try_from(digits.len()).ok()?);
    let number: u128 = if digits.is_empty() {
        0
    } else {
        digits.parse().ok()?
    };
    u64::try_from((number << shift) / scale).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_parsed_with_their_units() {
        for (text, bytes) in [
            ("0", 0),
            ("500000", 500_000),
            ("12b", 12),
            ("1K", 1 << 10),
            ("1k", 1 << 10),
            ("64KB", 64 << 10),
            ("64KiB", 64 << 10),
            ("64 kib", 64 << 10),
            ("64Ki", 64 << 10),
            ("1M", 1 << 20),
            ("1.5M", 3 << 19),
            ("0.5k", 512),
            (" 2G ", 2 << 30),
            ("1TB", 1 << 40),
            ("1.0000000000000000000001K", 1 << 10),
            ("18446744073709551615", u64::MAX),
        ] {
            assert_eq!(parse_size(text), Some(bytes), "{text}");
        }
    }

    #[test]
    fn texts_that_are_not_sizes_are_refused() {
        for text in [
            "",
            " ",
            "K",
            "B",
            "iB",
            "1iB",
            "1 i",
            "-1",
            "+1",
            "1e3",
            "1.5",
            "1.",
            "1.K",
            ".5M",
            "1.2.3K",
            "1KK",
            "1Kb/s",
            "1X",
            "0x10",
            "1,5M",
            "1_000",
            "99999999T",
            "18446744073709551616",
            "١K",
            "1Ｋ",
        ] {
            assert_eq!(parse_size(text), None, "{text}");
        }
    }
}
