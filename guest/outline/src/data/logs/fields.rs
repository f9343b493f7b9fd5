//! Log records that are JSON objects or `key=value` pairs.

use super::levels::{self, Level};
use memchr::memmem;

/// The number of bytes at the start of a line in which the timestamp of a web server record must
/// begin. Keys are searched in four times as many bytes.
pub const PREFIX: usize = 200;

/// The timestamp, the level and the message at the start of a log record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Start<'t> {
    /// The timestamp, as written.
    pub stamp: Option<&'t str>,
    /// The text after the timestamp or level. In a record with keys, the value of the message key,
    /// or the whole line if it has no such key.
    pub rest: &'t str,
    /// The severity level.
    pub level: Option<Level>,
}

/// Keys of timestamps.
const TIMES: [&str; 6] = ["time", "timestamp", "@timestamp", "ts", "t", "date"];
/// Keys of severity levels.
const LEVELS: [&str; 5] = ["level", "lvl", "severity", "levelname", "log.level"];
/// Keys of messages.
const MESSAGES: [&str; 4] = ["msg", "message", "event", "error"];

/// The value of the first key in `keys` that the line contains. Quotes around the value are
/// removed. `json` is whether the line is a JSON object.
fn field<'t>(line: &'t str, keys: &[&str], json: bool) -> Option<&'t str> {
    let near = line.get(..line.floor_char_boundary(PREFIX.saturating_mul(4)))?;
    keys.iter().find_map(|key| {
        let mut found = memmem::find_iter(near.as_bytes(), key.as_bytes());
        found.find_map(|at| {
            let before = at.checked_sub(1).and_then(|at| near.as_bytes().get(at));
            let after = line.get(at.saturating_add(key.len())..)?;
            let value = if json {
                (before == Some(&b'"'))
                    .then_some(after)?
                    .strip_prefix('"')?
                    .trim_start()
                    .strip_prefix(':')?
                    .trim_start()
            } else {
                before
                    .is_none_or(|byte| *byte == b' ')
                    .then_some(after)?
                    .strip_prefix('=')?
            };
            match value.strip_prefix('"') {
                Some(value) => value.split('"').next(),
                None => value.split([' ', ',', '}']).next(),
            }
        })
    })
}

/// Reads the start of a record that is a JSON object. Returns `None` if the object seems to be no
/// log record.
pub fn json(line: &str) -> Option<Start<'_>> {
    let stamp = field(line, &TIMES, true);
    let level = field(line, &LEVELS, true).and_then(levels::named);
    let message = field(line, &MESSAGES, true);
    // Objects that are not log records have dates too.
    let is_record = (stamp.is_some() && message.is_some()) || level.is_some();
    let rest = message.unwrap_or(line);
    is_record.then_some(Start { stamp, rest, level })
}

/// Reads the start of a record of `key=value` pairs. Returns `None` if the first key is not that of
/// a timestamp or level.
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
