//! One line of JSON, as programs log it.

use crate::ascii::{after_spaces, at, from, has, run};
use crate::level::{self, Level};
use crate::limits;
use memchr::memchr2;

/// What the keys of a line of JSON say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Json {
    /// The level that a key states.
    pub level: Option<Level>,
    /// Whether the line has a time and a message, or a level.
    pub is_entry: bool,
    /// The offset of the message, if no key states a level.
    pub message: Option<usize>,
}

const LEVELS: [&[u8]; 9] = [
    b"level",
    b"severity",
    b"lvl",
    b"levelname",
    b"log.level",
    b"loglevel",
    b"log_level",
    b"level_name",
    b"priority",
];
const TIMES: [&[u8]; 10] = [
    b"time",
    b"ts",
    b"timestamp",
    b"@timestamp",
    b"asctime",
    b"@t",
    b"datetime",
    b"t",
    b"timeMillis",
    b"created",
];
const MESSAGES: [&[u8]; 6] = [b"msg", b"message", b"log", b"event", b"@m", b"@mt"];

/// Reads the keys of a line that begins with `{`. Returns `None` if it has no keys.
pub fn json(line: &[u8]) -> Option<Json> {
    let mut found = Json::default();
    let (mut has_level, mut has_time, mut has_message) = (false, false, false);
    let mut place = after_spaces(line, 1);
    let mut keys = 0usize;
    for _ in 0..limits::JSON_STRINGS {
        // The next string.
        let Some(skipped) = memchr::memchr(b'"', from(line, place)) else {
            break;
        };
        let start = place.saturating_add(skipped).saturating_add(1);
        let end = string_end(line, start);
        let text = line.get(start..end).unwrap_or_default();
        place = end.saturating_add(1);
        let value = after_spaces(line, place);
        if at(line, value) != b':' {
            continue;
        }
        let value = after_spaces(line, value.saturating_add(1));
        keys = keys.saturating_add(1);
        let is = |known: &&[u8]| known.eq_ignore_ascii_case(text);
        // `{"t":{"$date":…},"s":"E"` is MongoDB.
        let is_letter = text == b"s" && has_time && has(line, 0, b"{\"t\":{\"$date\"");
        if LEVELS.iter().any(is) || text == b"@l" || is_letter {
            let level = value_level(line, value);
            has_level |= level.is_some();
            found.level = found.level.or(level);
        } else if TIMES.iter().any(is) {
            has_time = true;
        } else if MESSAGES.iter().any(is) {
            has_message = true;
            if at(line, value) == b'"' {
                found.message.get_or_insert(value.saturating_add(1));
            }
        }
        // A string is skipped with its content.
        place = match at(line, value) {
            b'"' => string_end(line, value.saturating_add(1)).saturating_add(1),
            _ => value,
        };
    }
    found.is_entry = has_level || (has_time && has_message);
    (keys > 0).then_some(found)
}

fn string_end(line: &[u8], start: usize) -> usize {
    let mut place = start;
    while let Some(skipped) = memchr2(b'"', b'\\', from(line, place)) {
        place = place.saturating_add(skipped);
        if at(line, place) == b'"' {
            return place;
        }
        place = place.saturating_add(2);
    }
    line.len()
}

fn value_level(line: &[u8], value: usize) -> Option<Level> {
    if at(line, value) == b'"' {
        let start = value.saturating_add(1);
        let end = string_end(line, start);
        // The end of a long line is cut off, and with it perhaps that of a string.
        let is_whole = at(line, end) == b'"';
        let name = line.get(start..end).filter(|_| is_whole)?;
        return match name {
            [letter] if letter.is_ascii_digit() => {
                Some(level::by_priority(u64::from(letter.saturating_sub(b'0'))))
            }
            [letter] => level::by_letter(*letter),
            _ => level::by_name(name),
        };
    }
    let digits = run(line, value, |byte| byte.is_ascii_digit());
    let number = line.get(value..value.saturating_add(digits))?;
    let number = str::from_utf8(number).ok()?.parse::<u64>().ok()?;
    level::by_number(number)
}
