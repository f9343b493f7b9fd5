//! Severity levels of log records.

/// A severity level, as an index into [`LEVELS`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

/// The names of the levels, the most severe first. The level of an HTTP request is the first digit
/// of its status.
const LEVELS: [&str; COUNT] = [
    "FATAL", "ERROR", "5xx", "WARN", "4xx", "NOTICE", "INFO", "3xx", "2xx", "1xx", "DEBUG", "TRACE",
];

/// The number of levels.
pub const COUNT: usize = 12;

/// The number of bytes at the start of a record that are searched for a level.
const NEAR: usize = 120;

/// The length in bytes of the longest level name that logs contain: `INFORMATION`.
const LONGEST: usize = 11;

impl Level {
    /// The name of the level.
    pub fn name(self) -> &'static str {
        LEVELS.get(self.at()).copied().unwrap_or_default()
    }

    /// The index of the level. The most severe level is 0.
    pub fn at(self) -> usize {
        usize::from(self.0)
    }

    /// The level with this index.
    pub fn of(at: usize) -> Self {
        Self(u8::try_from(at).unwrap_or(u8::MAX))
    }

    /// Whether records of this level are errors. The levels of errors are `FATAL`, `ERROR` and
    /// `5xx`.
    pub fn is_error(self) -> bool {
        self.0 <= 2
    }
}

fn of_name(name: &str) -> Option<Level> {
    LEVELS.iter().position(|own| *own == name).map(Level::of)
}

/// The level that a word of a log names, such as `warning`. Case is ignored. Returns `None` for
/// other words.
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

/// The level for a letter, as glog and logcat write it.
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

/// The level of a logcat record. `rest` is the text of the record from the process and thread
/// numbers on. The level follows them.
pub fn of_logcat(rest: &str) -> Option<Level> {
    let mut words = rest.split_ascii_whitespace().take(4);
    let word = words.find(|word| !word.bytes().all(|byte| byte.is_ascii_digit()))?;
    match word.as_bytes() {
        [letter] | [letter, b'/', ..] => of_letter(*letter),
        _ => None,
    }
}

/// The level of a request in the log of a web server. `rest` begins with the request line in
/// quotes, and the HTTP status follows it.
pub fn of_status(rest: &str) -> Option<Level> {
    let (_, after) = rest.strip_prefix('"')?.split_once("\" ")?;
    of_name(match after.as_bytes() {
        [b'1', b'0'..=b'9', b'0'..=b'9', ..] => "1xx",
        [b'2', b'0'..=b'9', b'0'..=b'9', ..] => "2xx",
        [b'3', b'0'..=b'9', b'0'..=b'9', ..] => "3xx",
        [b'4', b'0'..=b'9', b'0'..=b'9', ..] => "4xx",
        [b'5', b'0'..=b'9', b'0'..=b'9', ..] => "5xx",
        _ => return None,
    })
}

/// The first level that is named near the start of a record. The name must be in capitals or next
/// to a delimiter such as `[`.
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
            let after = near.as_bytes().get(at);
            let inner = matches!(before, Some(b'/' | b'.' | b'-' | b'_' | b'0'..=b'9'))
                || matches!(after, Some(b'/' | b'.' | b'-' | b'('));
            let apart = matches!(before, Some(b'[' | b'<' | b'|' | b'='))
                || matches!(after, Some(b':' | b']' | b'>' | b'|'));
            let capitals = word.bytes().all(|byte| byte.is_ascii_uppercase());
            if !inner && (capitals || apart) {
                return Some(level);
            }
        }
    }
    None
}

/// The level that is named at the start of a line, and the byte offset of the text after the name.
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
    let after = bytes.get(open.saturating_add(length)..)?;
    let capitals = word.bytes().all(|byte| byte.is_ascii_uppercase());
    let apart = match after {
        [b']' | b'>' | b')', b' ' | b'\t' | b':' | b'[', ..] => open == 1,
        [b':', ..] => open == 0,
        [b' ' | b'\t' | b'|', ..] => open == 0 && capitals,
        _ => false,
    };
    let from = open.saturating_add(length).saturating_add(1);
    apart.then_some((level, from))
}
