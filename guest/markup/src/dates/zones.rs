//! The names of months and time zones in dates.

/// Names of months: English, Greek and Hungarian, which feed readers know, and other languages of
/// Europe. A name also matches words that start with it.
#[rustfmt::skip]
const MONTHS: &[(&str, u32)] = &[
    ("jan", 1), ("feb", 2), ("mar", 3), ("apr", 4), ("may", 5), ("jun", 6),
    ("jul", 7), ("aug", 8), ("sep", 9), ("oct", 10), ("nov", 11), ("dec", 12),
    ("ιαν", 1), ("φεβ", 2), ("μάρ", 3), ("μαρ", 3), ("μάώ", 3), ("μαώ", 3), ("απρ", 4), ("μάι", 5), ("μαϊ", 5),
    ("μαι", 5), ("μάϊ", 5), ("ιούν", 6), ("ιουν", 6), ("ιον", 6), ("ιούλ", 7), ("ιουλ", 7), ("ιολ", 7),
    ("αύγ", 8), ("αυγ", 8), ("σεπ", 9), ("οκτ", 10), ("νοέ", 11), ("νοε", 11), ("δεκ", 12),
    ("már", 3), ("ápr", 4), ("maj", 5), ("máj", 5), ("jún", 6), ("júl", 7), ("szep", 9), ("okt", 10),
    ("mär", 3), ("mai", 5), ("dez", 12), ("fév", 2), ("avr", 4), ("juin", 6), ("juil", 7), ("aoû", 8), ("déc", 12),
    ("ene", 1), ("abr", 4), ("ago", 8), ("dic", 12), ("gen", 1), ("mag", 5), ("giu", 6), ("lug", 7), ("set", 9),
    ("ott", 10), ("fev", 2), ("mei", 5), ("out", 10),
];

/// Weekdays that start like a month.
const WEEKDAYS: &[&str] = &["martes", "mardi", "mar.", "marți", "maandag"];

/// The month with a name in lower case.
pub fn month(word: &str) -> Option<u32> {
    if WEEKDAYS.contains(&word) {
        return None;
    }
    MONTHS
        .iter()
        .find(|(name, _)| word.starts_with(name))
        .map(|&(_, month)| month)
}

/// Time zones with their minutes east of UTC. Ambiguous names have the meaning of RFC 2822.
#[rustfmt::skip]
const ZONES: &[(&str, i32)] = &[
    ("z", 0), ("ut", 0), ("utc", 0), ("gmt", 0), ("wet", 0),
    ("est", -300), ("edt", -240), ("cst", -360), ("cdt", -300), ("mst", -420), ("mdt", -360),
    ("pst", -480), ("pdt", -420), ("akst", -540), ("akdt", -480), ("hst", -600), ("ast", -240), ("adt", -180),
    ("et", -300), ("ct", -360), ("mt", -420), ("pt", -480), ("nst", -210), ("ndt", -150), ("brt", -180),
    ("bst", 60), ("west", 60), ("cet", 60), ("met", 60), ("mez", 60), ("cest", 120), ("mest", 120), ("mesz", 120),
    ("eet", 120), ("eest", 180), ("msk", 180), ("msd", 240), ("ist", 330), ("sgt", 480), ("hkt", 480),
    ("awst", 480), ("kst", 540), ("jst", 540), ("aest", 600), ("aedt", 660), ("nzst", 720), ("nzdt", 780),
];

/// Zones whose names have several meanings, or of which the name does not give the offset.
const UNCLEAR_ZONES: &[&str] = &["ast", "bst", "cst", "ct", "et", "ist", "mt", "pt"];

/// Words of dates other than the names of months and zones. The names of weekdays are English.
#[rustfmt::skip]
const WORDS: &[&str] = &[
    "am", "pm", "at", "of", "st", "nd", "rd", "th", "t",
    "mon", "tue", "tues", "wed", "thu", "thur", "thurs", "fri", "sat", "sun",
    "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
];

/// Whether a word in lower case has one meaning in a date. Names of months are not among these
/// words.
pub fn is_clear(word: &str) -> bool {
    WORDS.contains(&word)
        || (ZONES.iter().any(|(zone, _)| *zone == word) && !UNCLEAR_ZONES.contains(&word))
}

/// The offset that the text after a time gives, in minutes east of UTC.
pub fn offset(text: &str) -> Option<i32> {
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '+' | '-' | ':')));
    words.find_map(|word| {
        let letters = word
            .find(|c: char| !c.is_alphabetic())
            .unwrap_or(word.len());
        let (name, number) = word.split_at_checked(letters)?;
        let named = ZONES
            .iter()
            .find(|(zone, _)| *zone == name)
            .map(|&(_, offset)| offset);
        // `GMT+2` is two hours east in dates of feeds.
        (name.is_empty() || named == Some(0))
            .then(|| numeric(number))
            .flatten()
            .or(named)
    })
}

/// The offset of `+hhmm`, `+hh:mm`, `+hh` or `+h`.
fn numeric(text: &str) -> Option<i32> {
    let sign = match text.chars().next()? {
        '+' => 1,
        '-' => -1,
        _ => return None,
    };
    let digits = text.get(1..)?;
    let (hours, minutes) = match digits.split_once(':') {
        Some(pair) => pair,
        None if digits.len() == 4 => digits.split_at_checked(2)?,
        None => (digits, "0"),
    };
    let hours: i32 = hours
        .parse()
        .ok()
        .filter(|hours| (0..=15).contains(hours))?;
    let minutes: i32 = minutes
        .parse()
        .ok()
        .filter(|minutes| (0..60).contains(minutes))?;
    hours
        .checked_mul(60)?
        .checked_add(minutes)?
        .checked_mul(sign)
}

/// A date in which the marks of East Asian dates are those of other dates.
pub fn ascii_marks(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '年' | '년' | '월' | '月' => {
                out.push('-');
                while chars.next_if_eq(&' ').is_some() {}
            }
            '日' | '일' | '秒' | '초' => out.push(' '),
            '時' | '时' | '시' | '點' | '点' | '分' | '분' => {
                out.push(':');
                while chars.next_if_eq(&' ').is_some() {}
            }
            '오' | '午' | '上' | '下' => match (c, chars.peek()) {
                ('오', Some('전')) | ('上', Some('午')) | ('午', Some('前')) => {
                    chars.next();
                    out.push_str(" am ");
                }
                ('오', Some('후')) | ('下', Some('午')) | ('午', Some('後' | '后')) => {
                    chars.next();
                    out.push_str(" pm ");
                }
                _ => out.push(c),
            },
            _ => out.push(c),
        }
    }
    // `01時31分` leaves a colon at the end.
    out.trim_end_matches([':', ' ']).replace(": ", " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_parsed() {
        for (text, expected) in [
            ("est", Some(-300)),
            ("+0200", Some(120)),
            ("-03:30", Some(-210)),
            ("gmt+2", Some(120)),
            ("etc/gmt", Some(0)),
            ("pm cest", Some(120)),
            ("+99", None),
            ("foo", None),
        ] {
            assert_eq!(offset(text), expected, "{text}");
        }
    }
}
