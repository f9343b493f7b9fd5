//! The envelopes of mails in mailboxes: the line before each mail, which starts with `From ` (RFC 4155).
//!
//! The reader detects a mailbox by its first envelope, and the document engine finds its mails by all of
//! them.

/// The maximum number of bytes of an envelope that are examined. Addresses have up to 254 bytes.
pub const ENVELOPE_BYTES: usize = 320;

/// Whether the rest of a line after `From ` is an address and a date as `asctime` writes it:
/// `a@b Thu Jan  1 00:00:00 1970` (RFC 4155, appendix A). A time zone may be before or after the
/// year. A mail after
/// such a line is one even without a header.
pub fn is_standard(envelope: &[u8]) -> bool {
    const DAYS: [&[u8]; 7] = [b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun"];
    const MONTHS: [&[u8]; 12] = [
        b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov",
        b"Dec",
    ];
    if envelope.len() > ENVELOPE_BYTES {
        return false;
    }
    let mut words = envelope
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty());
    // The address has one word, or some in archives that hide it: `ann at example.com`.
    if !words.by_ref().skip(1).any(|word| DAYS.contains(&word)) {
        return false;
    }
    let is_date = words.next().is_some_and(|word| MONTHS.contains(&word))
        && words.next().is_some_and(is_day)
        && words.next().is_some_and(is_time);
    is_date
        && match [words.next(), words.next(), words.next()] {
            [Some(year), None, _] => is_year(year),
            [Some(one), Some(other), None] => {
                (is_year(one) && is_zone(other)) || (is_zone(one) && is_year(other))
            }
            _ => false,
        }
}

/// Whether a word is a day of a month.
fn is_day(word: &[u8]) -> bool {
    word.len() <= 2 && number(word).is_some_and(|day| (1..=31).contains(&day))
}

/// Whether a word is a time: `hh:mm` or `hh:mm:ss`.
fn is_time(word: &[u8]) -> bool {
    let mut parts = word.split(|byte| *byte == b':');
    let is_part = |part: &[u8]| part.len() == 2 && number(part).is_some_and(|it| it <= 60);
    matches!(word.len(), 5 | 8) && parts.all(is_part)
}

/// Whether a word is a year of four digits.
fn is_year(word: &[u8]) -> bool {
    word.len() == 4 && number(word).is_some()
}

/// Whether a word is a time zone, such as `+0100` or `EST`.
fn is_zone(word: &[u8]) -> bool {
    match word {
        [b'+' | b'-', digits @ ..] => is_year(digits),
        _ => word.len() <= 5 && word.iter().all(u8::is_ascii_uppercase),
    }
}

/// Reads a number of up to four digits.
fn number(word: &[u8]) -> Option<u16> {
    let is_number = (1..=4).contains(&word.len()) && word.iter().all(u8::is_ascii_digit);
    let digits = std::str::from_utf8(word).ok().filter(|_| is_number)?;
    digits.parse().ok()
}
