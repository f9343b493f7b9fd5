//! One line of a log: its form, its level, and its message.

use crate::ascii::{after_spaces, at, first, from, has, is_word, run};
use crate::json::json;
use crate::level::{self, Level};
use crate::limits;
use crate::stamp::{begins_message, date_time, stamp};
use crate::words;

/// How a line of a log begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// A time stamp.
    Stamp,
    /// A level: `[INFO] …`, `error: …`.
    Level,
    /// A line of JSON.
    Json,
    /// A request that a web server answered.
    Access,
    /// A field of an entry that journald exported.
    Field,
}

/// What a line says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parsed {
    /// How the line begins. `None` if it is no entry of a log.
    pub form: Option<Form>,
    /// What the line reports.
    pub level: Level,
    /// The offset of the message, after the time stamp.
    pub message: usize,
}

/// Parses a line without its line ending.
pub fn parse(line: &[u8]) -> Parsed {
    let line = first(line, limits::LINE_BYTES);
    match begin(line) {
        Begin::Parsed(parsed) => parsed,
        Begin::Rest(mut rest) => {
            rest.name(line);
            rest.parsed(line)
        }
    }
}

/// The form of a line without its line ending, as [`parse`] returns it.
pub fn form(line: &[u8]) -> Option<Form> {
    let line = first(line, limits::LINE_BYTES);
    match begin(line) {
        Begin::Parsed(parsed) => parsed.form,
        // A level does not change it.
        Begin::Rest(rest) if rest.parsed.form.is_some() && !rest.is_weak => rest.parsed.form,
        Begin::Rest(mut rest) => {
            rest.name(line);
            rest.parsed.form
        }
    }
}

/// What the start of a line says.
enum Begin {
    /// The form and the level.
    Parsed(Parsed),
    /// The rest of the line decides on the level.
    Rest(Rest),
}

/// A line whose message begins at `start`, after its time stamp.
struct Rest {
    parsed: Parsed,
    start: usize,
    /// A level that the start of the line states, and its offset.
    level: Option<(usize, Level)>,
    /// Whether the time stamp is one that other texts begin with too.
    is_weak: bool,
}

/// Parses the start of a line.
fn begin(line: &[u8]) -> Begin {
    let mut parsed = Parsed {
        form: None,
        level: Level::Other,
        message: 0,
    };
    let mut level: Option<(usize, Level)> = None;
    let mut start = 0usize;
    let mut is_weak = false;
    if at(line, 0) == b'<'
        && let Some((end, priority)) = priority(line)
    {
        parsed.form = Some(Form::Stamp);
        start = end;
        level = Some((0, priority)).filter(|(_, level)| *level > Level::Other);
    }
    if let Some(stamp) = stamp(from(line, start)) {
        let end = start.saturating_add(stamp.end);
        if begins_message(line, end) {
            parsed.form = Some(Form::Stamp);
            is_weak = stamp.is_weak;
            level = level.or(stamp.level.map(|level| (0, level)));
            parsed.message = end;
            start = end;
        }
    } else if parsed.form.is_none()
        && let Some(status) = access(line)
    {
        return Begin::Parsed(Parsed {
            form: Some(Form::Access),
            level: if status == b'5' {
                Level::Error
            } else {
                Level::Other
            },
            message: 0,
        });
    }
    // The container runtime of Kubernetes: `stdout F …`
    if parsed.form.is_some() && (has(line, start, b" stdout ") || has(line, start, b" stderr ")) {
        start = after_spaces(line, start.saturating_add(8));
        start = after_spaces(line, start.saturating_add(run(line, start, is_word)));
    }
    let begin = after_spaces(line, start);
    if at(line, begin) == b'{'
        && let Some(json) = json(from(line, begin))
    {
        if json.is_entry {
            parsed.form = Some(parsed.form.unwrap_or(Form::Json));
        }
        if let Some(level) = json.level {
            parsed.level = level;
            return Begin::Parsed(parsed);
        }
        if let Some(message) = json.message {
            start = begin.saturating_add(message);
            parsed.message = start;
            if let Some(stamp) = stamp(from(line, start)) {
                start = start.saturating_add(stamp.end);
            }
        }
    }
    if parsed.form.is_none() {
        if let Some(field) = field(line) {
            parsed.form = Some(Form::Field);
            parsed.level = field;
            return Begin::Parsed(parsed);
        }
        level = letter(line).map(|level| (0, level));
        parsed.form = level.map(|_| Form::Level);
    }
    Begin::Rest(Rest {
        parsed,
        start,
        level,
        is_weak,
    })
}

impl Rest {
    /// Finds a level in the first words, which may decide on the form.
    fn name(&mut self, line: &[u8]) {
        let Self {
            parsed,
            start,
            level,
            is_weak,
        } = self;
        let head = if level.is_none() {
            named(line, *start, parsed.form.is_some())
        } else {
            None
        };
        if let Some(found) = head {
            // `ERROR` in the middle of a line without a time stamp is a word of the message.
            let is_first = line
                .get(..found.start)
                .unwrap_or_default()
                .iter()
                .all(|byte| !is_word(*byte));
            let is_pair = at(line, run(line, 0, is_word)) == b'=';
            if parsed.form.is_none() && found.is_marked && (is_first || (is_pair && found.is_pair))
            {
                parsed.form = Some(Form::Level);
            }
            if parsed.form.is_some() || found.level > Level::Other {
                *level = Some((found.start, found.level));
            }
            // A time alone, or a number, begins an entry only if a level follows.
        } else if *is_weak && level.is_none() && !has(line, 0, b"[") {
            parsed.form = None;
        }
    }

    /// What the line says.
    fn parsed(self, line: &[u8]) -> Parsed {
        let Self {
            mut parsed,
            start,
            level,
            ..
        } = self;
        parsed.level = match level {
            Some((_, Level::Error)) => Level::Error,
            Some((at, level)) => {
                let reported = line
                    .get(..at)
                    .is_some_and(|before| words::find(before, start).is_some());
                if reported || answers_5xx(line) {
                    Level::Error
                } else {
                    level
                }
            }
            None if is_passed(line) => Level::Other,
            None => {
                let is = words::find(line, start).is_some() || answers_5xx(line) || other(line);
                if is { Level::Error } else { Level::Other }
            }
        };
        parsed
    }
}

/// The priority of syslog at the start of a line, `<34>` or `<34>1 `, and the offset after it.
fn priority(line: &[u8]) -> Option<(usize, Level)> {
    let digits = run(line, 1, |byte| byte.is_ascii_digit());
    let end = digits.saturating_add(1);
    if !(1..=3).contains(&digits) || at(line, end) != b'>' {
        return None;
    }
    let number = str::from_utf8(line.get(1..end)?)
        .ok()?
        .parse::<u64>()
        .ok()?;
    let mut end = end.saturating_add(1);
    if at(line, end) == b'1' && at(line, end.saturating_add(1)) == b' ' {
        end = end.saturating_add(2);
    }
    Some((end, level::by_priority(number)))
}

/// The first digit of the status of a request, if the line is one of an access log:
/// `10.0.0.1 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.1" 200 2326`.
fn access(line: &[u8]) -> Option<u8> {
    let head = first(line, limits::HEAD_BYTES);
    let bracket = memchr::memchr(b'[', head)?;
    let time = bracket.saturating_add(1);
    if bracket == 0 || !at(line, time).is_ascii_digit() {
        return None;
    }
    let end = date_time(line, time)?;
    if at(line, end) != b']' {
        return None;
    }
    let request = after_spaces(line, end.saturating_add(1));
    if at(line, request) != b'"' {
        return None;
    }
    let start = request.saturating_add(1);
    let close = status_after(line, start)?;
    Some(at(line, close))
}

/// The offset of a status of three digits after a quote.
fn status_after(line: &[u8], start: usize) -> Option<usize> {
    let mut place = start;
    while let Some(quote) = memchr::memchr(b'"', from(line, place)) {
        place = place.saturating_add(quote).saturating_add(1);
        let status = after_spaces(line, place);
        let is = run(line, status, |byte| byte.is_ascii_digit()) == 3;
        if is && status > place {
            return Some(status);
        }
    }
    None
}

/// Whether a message states that a request was answered with a status from 500 on.
fn answers_5xx(line: &[u8]) -> bool {
    let Some(mut quote) = memchr::memchr(b'"', line) else {
        return false;
    };
    // `"GET / HTTP/1.1" 500`
    while let Some(next) = memchr::memchr(b'"', from(line, quote.saturating_add(1))) {
        quote = quote.saturating_add(1).saturating_add(next);
        let is = [9, 7].iter().any(|back| {
            quote
                .checked_sub(*back)
                .is_some_and(|start| has(line, start, b" HTTP/"))
        });
        if is && at(line, quote.saturating_add(2)) == b'5' {
            return true;
        }
    }
    false
}

/// The level of a field of an entry of journald.
pub fn field(line: &[u8]) -> Option<Level> {
    if !(at(line, 0) == b'_' || at(line, 0).is_ascii_uppercase()) {
        return None;
    }
    let name = run(line, 0, |byte| {
        byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_'
    });
    if name < 2 || at(line, name) != b'=' {
        return None;
    }
    let priority = has(line, 0, b"PRIORITY=")
        .then(|| at(line, 9))
        .filter(u8::is_ascii_digit);
    Some(priority.map_or(Level::Other, |digit| {
        level::by_priority(u64::from(digit.saturating_sub(b'0')))
    }))
}

/// The level of a line that begins with a letter: `E/Tag: …` of Android, `E: …` of apt, `E   …` of pytest.
fn letter(line: &[u8]) -> Option<Level> {
    match (at(line, 0), at(line, 1)) {
        (b'V' | b'D' | b'I' | b'W' | b'E' | b'F', b'/')
            if is_word(at(line, 2)) && memchr::memchr(b':', line).is_some() =>
        {
            level::by_letter(at(line, 0))
        }
        (b'E' | b'W', b':') if at(line, 2) == b' ' => level::by_letter(at(line, 0)),
        (b'E', b' ') if has(line, 1, b"   ") && at(line, 4) != b' ' => Some(Level::Error),
        _ => None,
    }
}

/// Lines that report an error without a word for it.
fn other(line: &[u8]) -> bool {
    // TeX.
    line.starts_with(b"! ") || line == b"Killed"
}

/// Whether a line states that a check passed, whatever its name is: `test errors_are_shown ... ok`.
fn is_passed(line: &[u8]) -> bool {
    let line = line.trim_ascii_end();
    let ends: [&[u8]; 5] = [b"... ok", b"... yes", b"... no", b" PASSED", b"... ignored"];
    ends.iter().any(|end| line.ends_with(end)) || line.starts_with(b"checking ")
}

/// A level in the first words of a line.
struct Found {
    start: usize,
    level: Level,
    /// Whether a sign shows that it is a level: `[info]`, `error:`, `level=info`. Or it is in capitals.
    is_marked: bool,
    /// Whether it is the value of a key.
    is_pair: bool,
}

/// The first level in the first words of a line.
fn named(line: &[u8], start: usize, is_stamped: bool) -> Option<Found> {
    let head = first(line, limits::HEAD_BYTES.saturating_add(start));
    let mut place = start;
    for n in 0..limits::HEAD_WORDS {
        place = place.saturating_add(run(head, place, |byte| !is_word(byte)));
        let length = run(head, place, is_word);
        if length == 0 {
            return None;
        }
        let word = head
            .get(place..place.saturating_add(length))
            .unwrap_or_default();
        let end = place.saturating_add(length);
        let (next, then) = (at(head, end), at(head, end.saturating_add(1)));
        let previous = place.checked_sub(1).map_or(0, |before| at(head, before));
        if next == b'=' && is_key(word) {
            let value = end.saturating_add(1);
            let value = value.saturating_add(usize::from(at(head, value) == b'"'));
            let length = run(head, value, is_word);
            let word = head
                .get(value..value.saturating_add(length))
                .unwrap_or_default();
            if let Some(level) = level::by_name(word) {
                return Some(Found {
                    start: place,
                    level,
                    is_marked: true,
                    is_pair: true,
                });
            }
        }
        if length == 2 || length > level::LONGEST {
            place = end;
            continue;
        }
        let is_capital = word
            .iter()
            .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
        // `[info]`, `[core:error]`
        let bracketed = (matches!(previous, b'[' | b'<' | b'(' | b'|')
            && matches!(next, b']' | b'>' | b')' | b'|' | b':'))
            || (previous == b':' && next == b']');
        let piped = next == b'|' || (next == b' ' && then == b'|');
        let opens =
            next == b':' && (then == b' ' || then == 0 || is_capital) || next == b'[' && n == 0;
        let is_first = n == 0 && is_stamped;
        let of_npm = n == 1 && has(line, start, b"npm ");
        let is_part = matches!(previous, b'/' | b'-' | b'.' | b'\\' | b'@' | b'$')
            || matches!(next, b'-' | b'/' | b'=' | b'(');
        if (is_capital || bracketed || opens || piped || is_first || of_npm)
            && !is_part
            && let Some(level) = level::by_name(word)
        {
            let counts =
                level > Level::Other && (is_zero_before(line, place) || is_zero_after(line, end));
            let is_marked = is_capital || bracketed || opens || piped || of_npm;
            // `note:` and `hint:` continue what a compiler reports.
            let continues = level == Level::Other && !is_capital && !is_stamped && !bracketed;
            if !counts && !continues {
                return Some(Found {
                    start: place,
                    level,
                    is_marked,
                    is_pair: false,
                });
            }
        }
        // `01-02 03:04:05.678  1234  5678 E Tag: …`
        if length == 1
            && n == 2
            && is_stamped
            && previous == b' '
            && next == b' '
            && at(head, start) == b' '
            && let Some(level) = level::by_letter(at(word, 0))
            && run(head, after_spaces(head, start), |byte| {
                byte.is_ascii_digit()
            }) > 0
        {
            return Some(Found {
                start: place,
                level,
                is_marked: true,
                is_pair: false,
            });
        }
        place = end;
    }
    None
}

fn is_key(word: &[u8]) -> bool {
    let keys: [&[u8]; 6] = [
        b"level",
        b"lvl",
        b"severity",
        b"loglevel",
        b"levelname",
        b"l",
    ];
    keys.iter().any(|key| key.eq_ignore_ascii_case(word))
}

fn is_zero_before(line: &[u8], start: usize) -> bool {
    let before = line.get(..start).unwrap_or_default().trim_ascii_end();
    let is = |end: &[u8]| before.ends_with(end);
    let negated = is(b"NO") || is(b"no") || is(b"No");
    let zero = is(b"0")
        && !before
            .get(..before.len().saturating_sub(1))
            .unwrap_or_default()
            .last()
            .is_some_and(u8::is_ascii_alphanumeric);
    (negated && before.len() == 2) || (zero && !is(b":0") && !is(b".0")) || is(b" NO") || is(b" no")
}

/// Whether a zero follows: `ERROR: 0`.
fn is_zero_after(line: &[u8], end: usize) -> bool {
    if !matches!(at(line, end), b':' | b'=') {
        return false;
    }
    let value = after_spaces(line, end.saturating_add(1));
    at(line, value) == b'0' && !is_word(at(line, value.saturating_add(1)))
}
