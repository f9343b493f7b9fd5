//! How grave a record of a log is.

/// How grave a record is: a place in [`LEVELS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// Levels from the gravest, as they are called here. Requests are told by the
/// first digit of their status.
const LEVELS: [&str; COUNT] = [
    "FATAL", "ERROR", "5xx", "WARN", "4xx", "NOTICE", "INFO", "3xx", "2xx", "1xx", "DEBUG", "TRACE",
];

/// How many levels there are.
pub const COUNT: usize = 12;

/// Bytes of a record in which its level stands.
const NEAR: usize = 120;

/// Letters of the longest name of a level.
const LONGEST: usize = 11;

impl Level {
    /// What it is called.
    pub fn name(self) -> &'static str {
        LEVELS.get(self.at()).copied().unwrap_or_default()
    }

    /// Its place, the gravest first.
    pub fn at(self) -> usize {
        usize::from(self.0)
    }

    /// The level of this place.
    pub fn of(at: usize) -> Self {
        Self(u8::try_from(at).unwrap_or(u8::MAX))
    }

    /// Whether something went wrong.
    pub fn is_error(self) -> bool {
        self.0 <= 2
    }
}

fn of_name(name: &str) -> Option<Level> {
    LEVELS.iter().position(|own| *own == name).map(Level::of)
}

/// The level that logs call so, in any case.
pub fn named(word: &str) -> Option<Level> {
    let mut letters = [0u8; LONGEST];
    for (upper, letter) in letters.iter_mut().zip(word.bytes()) {
        *upper = letter.to_ascii_uppercase();
    }
    of_name(match letters.get(..word.len())? {
        b"FATAL" | b"CRITICAL" | b"CRIT" | b"EMERG" | b"EMERGENCY" | b"ALERT" | b"PANIC" => "FATAL",
        b"ERROR" | b"ERR" | b"SEVERE" => "ERROR",
        b"WARN" | b"WARNING" => "WARN",
        b"NOTICE" => "NOTICE",
        b"INFO" | b"INFORMATION" | b"CONFIG" => "INFO",
        b"DEBUG" | b"FINE" | b"DBG" => "DEBUG",
        b"TRACE" | b"VERBOSE" | b"FINER" | b"FINEST" => "TRACE",
        _ => return None,
    })
}

/// The level of a letter, as glog and logcat write it.
pub fn of_letter(letter: u8) -> Option<Level> {
    of_name(match letter {
        b'F' => "FATAL",
        b'E' => "ERROR",
        b'W' => "WARN",
        b'I' => "INFO",
        b'D' => "DEBUG",
        b'V' => "TRACE",
        _ => return None,
    })
}

/// The level behind the numbers of a record of logcat.
pub fn of_logcat(rest: &str) -> Option<Level> {
    let mut words = rest.split_ascii_whitespace().take(4);
    let word = words.find(|word| !word.bytes().all(|byte| byte.is_ascii_digit()))?;
    match word.as_bytes() {
        [letter] | [letter, b'/', ..] => of_letter(*letter),
        _ => None,
    }
}

/// The level of a request, by its status behind what was asked for.
pub fn of_status(rest: &str) -> Option<Level> {
    let (_, behind) = rest.strip_prefix('"')?.split_once("\" ")?;
    of_name(match behind.as_bytes() {
        [b'1', b'0'..=b'9', b'0'..=b'9', ..] => "1xx",
        [b'2', b'0'..=b'9', b'0'..=b'9', ..] => "2xx",
        [b'3', b'0'..=b'9', b'0'..=b'9', ..] => "3xx",
        [b'4', b'0'..=b'9', b'0'..=b'9', ..] => "4xx",
        [b'5', b'0'..=b'9', b'0'..=b'9', ..] => "5xx",
        _ => return None,
    })
}

/// The first level near the start of a record: a word in capitals, or one that
/// stands apart.
pub fn find(rest: &str) -> Option<Level> {
    let near = rest.get(..rest.floor_char_boundary(NEAR))?;
    let mut at = 0usize;
    let part = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'_';
    while let Some(found) = near
        .as_bytes()
        .get(at..)?
        .iter()
        .position(u8::is_ascii_alphabetic)
    {
        let from = at.saturating_add(found);
        let word = near.as_bytes().get(from..)?;
        let length = word
            .iter()
            .position(|byte| !part(byte))
            .unwrap_or(word.len());
        at = from.saturating_add(length.max(1));
        let word = near.get(from..at)?;
        if let Some(level) = named(word) {
            let before = from
                .checked_sub(1)
                .and_then(|before| near.as_bytes().get(before));
            let behind = near.as_bytes().get(at);
            let inner = matches!(before, Some(b'/' | b'.' | b'-' | b'_' | b'0'..=b'9'))
                || matches!(behind, Some(b'/' | b'.' | b'-' | b'('));
            let apart = matches!(before, Some(b'[' | b'<' | b'|' | b'='))
                || matches!(behind, Some(b':' | b']' | b'>' | b'|'));
            let capitals = word.bytes().all(|byte| byte.is_ascii_uppercase());
            if !inner && (capitals || apart) {
                return Some(level);
            }
        }
    }
    None
}

/// The level that a line begins with, and where its words begin.
pub fn first(line: &str) -> Option<(Level, usize)> {
    let bytes = line.as_bytes();
    if let [letter, b'/', next, ..] = bytes
        && next.is_ascii_alphanumeric()
        && line.get(..line.floor_char_boundary(60))?.contains("): ")
    {
        return Some((of_letter(*letter)?, 2));
    }
    let open = usize::from(matches!(bytes.first()?, b'[' | b'<' | b'('));
    let word = bytes.get(open..)?;
    let length = word
        .iter()
        .take(12)
        .position(|byte| !byte.is_ascii_alphabetic())?;
    let word = line.get(open..open.saturating_add(length))?;
    let level = named(word)?;
    let behind = bytes.get(open.saturating_add(length)..)?;
    let capitals = word.bytes().all(|byte| byte.is_ascii_uppercase());
    let apart = match behind {
        [b']' | b'>' | b')', b' ' | b'\t' | b':' | b'[', ..] => open == 1,
        [b':', ..] => open == 0,
        [b' ' | b'\t' | b'|', ..] => open == 0 && capitals,
        _ => false,
    };
    let from = open.saturating_add(length).saturating_add(1);
    apart.then_some((level, from))
}
