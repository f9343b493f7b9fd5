//! Patterns of LIKE: `%` is any text and `_` one character. The case of ASCII letters is ignored.

/// A pattern.
#[derive(Clone, Debug)]
pub struct Pattern(Vec<Part>);

#[derive(Clone, Debug, PartialEq)]
enum Part {
    Any,
    One,
    /// A text in lower case, and the index of the byte of it that is searched.
    Text(Vec<u8>, usize),
}

/// The maximum size of a pattern in bytes. SQLite has a limit too.
const BYTES: usize = 1000;

impl Pattern {
    /// Parses a pattern. `None` if SQLite compares its characters in another way.
    pub fn parse(text: &str) -> Option<Self> {
        let is_odd = |c: char| matches!(c, '\0' | '\u{fffd}' | '\u{fffe}' | '\u{ffff}');
        if text.len() > BYTES || text.contains(is_odd) {
            return None;
        }
        let mut parts = Vec::new();
        for c in text.chars() {
            match (c, parts.last_mut()) {
                ('%', Some(Part::Any)) => {}
                ('%', _) => parts.push(Part::Any),
                ('_', _) => parts.push(Part::One),
                (c, last) => {
                    let mut bytes = [0; 4];
                    let bytes = c.to_ascii_lowercase().encode_utf8(&mut bytes).as_bytes();
                    match last {
                        Some(Part::Text(text, _)) => text.extend_from_slice(bytes),
                        _ => parts.push(Part::Text(bytes.to_vec(), 0)),
                    }
                }
            }
        }
        for part in &mut parts {
            if let Part::Text(text, searched) = part {
                *searched = rarest(text);
            }
        }
        Some(Self(parts))
    }

    /// Whether a text matches. SQLite ends it at a NUL.
    pub fn matches(&self, text: &str) -> bool {
        let text = text.split_once('\0').map_or(text, |(before, _)| before);
        let text = text.as_bytes();
        let parts = self.0.as_slice();
        // The place of the last `%`, and the text that it does not contain yet.
        let (mut part, mut at) = (0usize, 0usize);
        let mut retry: Option<(usize, usize)> = None;
        loop {
            let rest = text.get(at..).unwrap_or_default();
            let matched = match parts.get(part) {
                None if rest.is_empty() => return true,
                None => None,
                Some(Part::Any) => {
                    retry = Some((part, at));
                    part = part.saturating_add(1);
                    continue;
                }
                Some(Part::One) => character(rest),
                Some(Part::Text(wanted, _)) => {
                    let found = rest.get(..wanted.len());
                    let equal = found.is_some_and(|found| found.eq_ignore_ascii_case(wanted));
                    equal.then_some(wanted.len())
                }
            };
            if let Some(length) = matched {
                at = at.saturating_add(length);
                part = part.saturating_add(1);
                continue;
            }
            let Some((any, from)) = retry else {
                return false;
            };
            let Some(length) = character(text.get(from..).unwrap_or_default()) else {
                return false;
            };
            at = from.saturating_add(length);
            part = any.saturating_add(1);
            // The next place at which the text after `%` may start.
            if let Some(Part::Text(wanted, searched)) = parts.get(part) {
                let rest = text.get(at..).unwrap_or_default();
                if rest.len() < wanted.len() {
                    return false;
                }
                let byte = wanted.get(*searched).copied().unwrap_or_default();
                let rest = rest.get(*searched..).unwrap_or_default();
                match memchr::memchr2(byte, byte.to_ascii_uppercase(), rest) {
                    Some(skipped) => at = at.saturating_add(skipped),
                    None => return false,
                }
            }
            retry = Some((any, at));
        }
    }
}

/// The index of the byte of a text that is rare in most texts.
fn rarest(text: &[u8]) -> usize {
    // The most frequent letters in English, and the space.
    const FREQUENT: &[u8] = b" etaoinshrdlu";
    let rank = |byte: u8| FREQUENT.iter().position(|it| *it == byte);
    let bytes = text.iter().enumerate();
    let best = bytes.max_by_key(|(_, byte)| rank(**byte).unwrap_or(usize::MAX));
    best.map_or(0, |(at, _)| at)
}

/// The size of the character at the start of a text in UTF-8, or of a byte inside of one.
fn character(text: &[u8]) -> Option<usize> {
    Some(match text.first()? {
        0..=0xbf => 1,
        0xc0..=0xdf => 2,
        0xe0..=0xef => 3,
        _ => 4,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pattern_matches_a_whole_text() {
        for (pattern, text, expected) in [
            ("", "", true),
            ("", "a", false),
            ("%", "", true),
            ("a%", "Abc", true),
            ("%C", "abc", true),
            ("%b%", "abc", true),
            ("_", "", false),
            ("_", "ä", true),
            ("__", "ä", false),
            ("Ä", "ä", false),
            ("%ab%ab", "abab", true),
            ("%ab%ab", "xabyabz", false),
            ("a_c%", "aäcd", true),
            ("%_%_", "a", false),
            ("%aab", "aaab", true),
            ("%Xä_%ö", "axäx xÄö xäéö", true),
            ("%éz%", "éé\u{169}éZé", true),
            ("%\u{c4}\u{4e2d}%", "\u{c4}\u{4e2e}\u{c4}\u{4e2d}", true),
            ("%fox", "the FOX of the box", false),
            ("a%", "a\0b", true),
            ("a", "a\0b", true),
        ] {
            let found = Pattern::parse(pattern).unwrap().matches(text);
            assert_eq!(found, expected, "{pattern} {text}");
        }
        assert!(Pattern::parse("a\u{fffd}").is_none());
    }
}
