//! Levels of messages, and their names.

/// What a line reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Neither a warning nor an error.
    Other,
    /// A warning.
    Warning,
    /// An error, or worse.
    Error,
}

const OTHERS: [&[u8]; 24] = [
    b"info",
    b"debug",
    b"trace",
    b"notice",
    b"verbose",
    b"information",
    b"informational",
    b"inf",
    b"dbg",
    b"trc",
    b"vrb",
    b"fine",
    b"finer",
    b"finest",
    b"config",
    b"log",
    b"hint",
    b"detail",
    b"statement",
    b"debug1",
    b"debug2",
    b"debug3",
    b"success",
    b"note",
];

// The search for suspects knows the starts of these names, and its tests read both lists.
pub(crate) const WARNINGS: [&[u8]; 4] = [b"warn", b"warning", b"wrn", b"warnung"];

pub(crate) const ERRORS: [&[u8]; 15] = [
    b"error",
    b"err",
    b"fatal",
    b"critical",
    b"crit",
    b"severe",
    b"panic",
    b"alert",
    b"emerg",
    b"emergency",
    b"ftl",
    b"crt",
    b"dpanic",
    b"fail",
    b"failure",
];

/// The length in bytes of the longest name of a level.
pub const LONGEST: usize = 13;

/// The level with this name, in any case.
pub fn by_name(name: &[u8]) -> Option<Level> {
    if !(3..=LONGEST).contains(&name.len()) {
        return None;
    }
    let is = |known: &&[u8]| known.eq_ignore_ascii_case(name);
    if OTHERS.iter().any(is) {
        Some(Level::Other)
    } else if WARNINGS.iter().any(is) {
        Some(Level::Warning)
    } else {
        ERRORS.iter().any(is).then_some(Level::Error)
    }
}

/// The level with this letter, as Android, glog and klog write it.
pub fn by_letter(letter: u8) -> Option<Level> {
    match letter {
        b'V' | b'D' | b'I' | b'T' | b'N' => Some(Level::Other),
        b'W' => Some(Level::Warning),
        b'E' | b'F' | b'C' | b'A' => Some(Level::Error),
        _ => None,
    }
}

/// The level of a priority of syslog and journald.
pub fn by_priority(priority: u64) -> Level {
    match priority & 7 {
        0..=3 => Level::Error,
        4 => Level::Warning,
        _ => Level::Other,
    }
}

/// The level with this number in lines of JSON: pino and bunyan count from 10 to 60.
pub fn by_number(number: u64) -> Option<Level> {
    match number {
        10 | 20 | 30 => Some(Level::Other),
        40 => Some(Level::Warning),
        50 | 60 => Some(Level::Error),
        _ => None,
    }
}
