//! Records of logs that are objects of JSON, or keys and values.

use super::levels::{self, Level};
use memchr::memmem;

/// Bytes of a line in which a stamp begins.
pub const PREFIX: usize = 200;

/// The start of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start<'t> {
    /// When it was written, as it says.
    pub stamp: Option<&'t str>,
    /// What follows, or what it says.
    pub rest: &'t str,
    /// How grave it is.
    pub level: Option<Level>,
}

/// Keys of stamps, and of what is said, in records of keys and values.
const TIMES: [&str; 6] = ["time", "timestamp", "@timestamp", "ts", "t", "date"];
const LEVELS: [&str; 5] = ["level", "lvl", "severity", "levelname", "log.level"];
const MESSAGES: [&str; 4] = ["msg", "message", "event", "error"];

/// The value of one of these keys, in quotes or not.
fn field<'t>(line: &'t str, keys: &[&str], json: bool) -> Option<&'t str> {
    let near = line.get(..line.floor_char_boundary(PREFIX.saturating_mul(4)))?;
    keys.iter().find_map(|key| {
        let mut found = memmem::find_iter(near.as_bytes(), key.as_bytes());
        found.find_map(|at| {
            let before = at.checked_sub(1).and_then(|at| near.as_bytes().get(at));
            let behind = line.get(at.saturating_add(key.len())..)?;
            let value = if json {
                (before == Some(&b'"'))
                    .then_some(behind)?
                    .strip_prefix('"')?
                    .trim_start()
                    .strip_prefix(':')?
                    .trim_start()
            } else {
                before
                    .is_none_or(|byte| *byte == b' ')
                    .then_some(behind)?
                    .strip_prefix('=')?
            };
            match value.strip_prefix('"') {
                Some(value) => value.split('"').next(),
                None => value.split([' ', ',', '}']).next(),
            }
        })
    })
}

/// A record that is an object of JSON.
pub fn json(line: &str) -> Option<Start<'_>> {
    let stamp = field(line, &TIMES, true);
    let level = field(line, &LEVELS, true).and_then(levels::named);
    let message = field(line, &MESSAGES, true);
    // Objects of other things have dates too.
    let told = (stamp.is_some() && message.is_some()) || level.is_some();
    let rest = message.unwrap_or(line);
    told.then_some(Start { stamp, rest, level })
}

/// A record of `key=value`.
pub fn logfmt(line: &str) -> Option<Start<'_>> {
    let (key, _) = line.get(..line.floor_char_boundary(20))?.split_once('=')?;
    if !TIMES.contains(&key) && !LEVELS.contains(&key) {
        return None;
    }
    Some(Start {
        stamp: field(line, &TIMES, false),
        rest: field(line, &MESSAGES, false).unwrap_or(line),
        level: field(line, &LEVELS, false).and_then(levels::named),
    })
}
