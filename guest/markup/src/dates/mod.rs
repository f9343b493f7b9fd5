//! Dates in the spellings that pages and feeds have, as RFC 3339.

mod zones;

use crate::limits;
use omniread_document::date::days_of_month;
use std::ops::Range;

/// A date of which a part may be unknown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Date {
    year: u32,
    month: Option<u32>,
    day: Option<u32>,
    /// Hour, minute and, if known, second.
    time: Option<(u32, u32, Option<u32>)>,
    /// Minutes east of UTC.
    zone: Option<i32>,
}

/// A part of the text of a date.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Part<'a> {
    /// Digits: the value and their number.
    Number(u32, usize),
    /// Letters, in lower case.
    Word(&'a str),
    /// Another character that is not white space.
    Mark(char),
}

/// A date as RFC 3339, with its offset. A date that cannot be parsed stays as it is, on one line.
pub fn normalized(text: &str) -> String {
    parse(text).map_or_else(
        || {
            let words: Vec<&str> = text.split_whitespace().collect();
            words.join(" ").chars().take(100).collect()
        },
        |date| date.to_string(),
    )
}

/// A date as RFC 3339, if the text is clearly a date: all words in it are known, the order of day
/// and month is certain, and the zone has one meaning.
pub(crate) fn clear(text: &str) -> Option<String> {
    let text = text.replace('@', " ").to_lowercase();
    let text = text.replace("a.m.", "am").replace("p.m.", "pm");
    let text = zones::ascii_marks(&text);
    let date = parse(&text)?;
    let mut months = 0_usize;
    let known = text
        .split(|c: char| !c.is_alphabetic())
        .filter(|word| !word.is_empty())
        .all(|word| {
            let is_month = zones::month(word).is_some();
            months = months.saturating_add(usize::from(is_month));
            is_month || zones::is_clear(word)
        });
    (known && months <= 1).then(|| date.to_string())
}

/// Whether a text has the digits of a year, perhaps with those of a month and a day.
fn has_year(text: &str) -> bool {
    text.split(|c: char| !c.is_ascii_digit())
        .any(|number| matches!(number.len(), 4 | 8))
}

/// The first date with a day in a text with other words, and its bytes.
pub(crate) fn find(text: &str) -> Option<(Range<usize>, String)> {
    let starts = text.char_indices().filter(|(at, c)| {
        let before = text.get(..*at).unwrap_or_default();
        !c.is_whitespace() && !before.ends_with(|c: char| !c.is_whitespace())
    });
    let words: Vec<Range<usize>> = starts
        .take(limits::DATE_WORDS)
        .map(|(start, _)| {
            let rest = text.get(start..).unwrap_or_default();
            let length = rest.find(char::is_whitespace).unwrap_or(rest.len());
            start..start.saturating_add(length)
        })
        .collect();
    for (at, first) in words.iter().enumerate() {
        let last = words.iter().skip(at).take(limits::LONGEST_DATE);
        let last: Vec<&Range<usize>> = last.collect();
        for last in last.iter().rev() {
            let part = text.get(first.start..last.end).unwrap_or_default();
            if !has_year(part) {
                // The shorter parts have no year either.
                break;
            }
            let part = part.trim_end_matches([',', '.', '-', '|', ' ']);
            if let Some(found) = clear(part).filter(|found| found.len() >= "2004-01-05".len()) {
                return Some((first.start..first.start.saturating_add(part.len()), found));
            }
        }
    }
    None
}

impl std::fmt::Display for Date {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:04}", self.year)?;
        let Some(month) = self.month else {
            return Ok(());
        };
        write!(f, "-{month:02}")?;
        let Some(day) = self.day else { return Ok(()) };
        write!(f, "-{day:02}")?;
        let Some((hour, minute, second)) = self.time else {
            return Ok(());
        };
        // RFC 3339 has seconds.
        write!(
            f,
            "T{hour:02}:{minute:02}:{:02}",
            second.unwrap_or_default()
        )?;
        match self.zone {
            None => Ok(()),
            Some(0) => f.write_str("Z"),
            Some(zone) => {
                let minutes = zone.unsigned_abs();
                let sign = if zone < 0 { '-' } else { '+' };
                let (hours, minutes) = (minutes.wrapping_div(60), minutes.wrapping_rem(60));
                write!(f, "{sign}{hours:02}:{minutes:02}")
            }
        }
    }
}

fn parse(text: &str) -> Option<Date> {
    let text = text.trim();
    if text.len() > limits::PARSED_DATE {
        return None;
    }
    let text = zones::ascii_marks(&text.to_lowercase());
    let parts = parts(&text);
    let (time, parts) = take_time(&parts)?;
    let date = compact(&parts).or_else(|| loose(&parts))?;
    let date = Date {
        time: time
            .or(date.time)
            .map(|clock| shifted_to_24_hours(clock, &text)),
        zone: date.zone.or_else(|| zones::offset(&parts_of_zone(&text))),
        ..date
    };
    is_valid(&date).then_some(date)
}

fn parts(text: &str) -> Vec<Part<'_>> {
    let mut parts = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        let same = |c: char| c.is_ascii_digit() == first.is_ascii_digit() && c.is_alphanumeric();
        let end = if first.is_alphanumeric() {
            rest.find(|c: char| !same(c)).unwrap_or(rest.len())
        } else {
            first.len_utf8()
        };
        let (part, after) = rest.split_at_checked(end).unwrap_or((rest, ""));
        parts.push(match part.parse() {
            Ok(number) if first.is_ascii_digit() => Part::Number(number, part.len()),
            _ if first.is_alphabetic() => Part::Word(part),
            _ => Part::Mark(first),
        });
        rest = after.trim_start();
    }
    parts
}

type Clock = (u32, u32, Option<u32>);

/// Finds `H:MM`, `H:MM:SS` and `H:MM:SS.fff`. Returns it and the parts before it. `None` if the text
/// has more than one time.
fn take_time<'a>(parts: &[Part<'a>]) -> Option<(Option<Clock>, Vec<Part<'a>>)> {
    let colon = parts.windows(3).position(|window| {
        matches!(
            window,
            [
                Part::Number(_, 1..=2),
                Part::Mark(':'),
                Part::Number(_, 1..=2)
            ]
        )
    });
    let Some(start) = colon else {
        return Some((None, parts.to_vec()));
    };
    let (before, clock) = parts.split_at_checked(start)?;
    let (time, after) = match clock {
        [
            Part::Number(h, _),
            _,
            Part::Number(m, _),
            Part::Mark(':'),
            Part::Number(s, 1..=2),
            after @ ..,
        ] => ((*h, *m, Some(*s)), after),
        [Part::Number(h, _), _, Part::Number(m, _), after @ ..] => ((*h, *m, None), after),
        _ => return None,
    };
    let after = match after {
        [Part::Mark('.' | ','), Part::Number(..), after @ ..] => after,
        _ => after,
    };
    // A year may follow the time: `Sun Jan 4 16:29:06 PST 2004`.
    let year = after
        .iter()
        .find(|part| matches!(part, Part::Number(1000.., 4)));
    let offset = after
        .iter()
        .position(|part| matches!(part, Part::Mark('+' | '-')));
    let year_at = after
        .iter()
        .position(|part| matches!(part, Part::Number(1000.., 4)));
    let is_offset =
        matches!((offset, year_at), (Some(sign), Some(year)) if sign.saturating_add(1) == year);
    let mut date = before.to_vec();
    // `6:45 PM, Feb 16, 2018`
    let is_first = !before.iter().any(|part| matches!(part, Part::Number(..)));
    match year {
        Some(_) if is_first && !is_offset && offset.is_none() => date.extend(after),
        Some(year) if !is_offset => date.push(*year),
        // `+0200 2004`
        _ => date.extend(
            after
                .iter()
                .skip(offset.map_or(0, |at| at.saturating_add(2)))
                .find(|part| is_offset && matches!(part, Part::Number(1000.., 4))),
        ),
    }
    Some((Some(time), date))
}

/// The text after the time, or after the `T` of a compact date.
fn parts_of_zone(text: &str) -> String {
    let after = text
        .find(':')
        .and_then(|start| text.get(start..))
        .unwrap_or_default();
    let after =
        after.trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, ':' | '.' | ','));
    after.trim().to_owned()
}

fn shifted_to_24_hours((hour, minute, second): Clock, text: &str) -> Clock {
    let has = |marker: &str| {
        text.split(|c: char| !c.is_alphabetic())
            .any(|word| word == marker)
    };
    let hour = match hour {
        1..=11 if has("pm") => hour.saturating_add(12),
        12 if has("am") => 0,
        _ => hour,
    };
    (hour, minute, second)
}

/// ISO 8601 without separators, with a day of the year, or in a truncation: `20040105`, `2004-005`,
/// `2004-01`, `2004`, `20040105T101500Z`.
fn compact(parts: &[Part<'_>]) -> Option<Date> {
    // The `T` between date and time, and the `Z` after it, are not a part of the date.
    let (parts, rest) = match parts
        .iter()
        .position(|part| matches!(part, Part::Word("t")))
    {
        Some(at) => (parts.get(..at)?, parts.get(at.checked_add(1)?..)?),
        None => (parts, [].as_slice()),
    };
    let minus = Part::Mark('-');
    let mut date = match *parts {
        [Part::Number(year, 4)] => full(year, None, None),
        [Part::Number(number, 8)] => {
            let (year, rest) = (number.wrapping_div(10_000), number.wrapping_rem(10_000));
            full(
                year,
                Some(rest.wrapping_div(100)),
                Some(rest.wrapping_rem(100)),
            )
        }
        [Part::Number(number, 6)] => {
            let (year, rest) = (number.wrapping_div(10_000), number.wrapping_rem(10_000));
            full(
                century(year, 2),
                Some(rest.wrapping_div(100)),
                Some(rest.wrapping_rem(100)),
            )
        }
        [Part::Number(number, 7)] => ordinal(number.wrapping_div(1000), number.wrapping_rem(1000))?,
        [Part::Number(year, 4), mark, Part::Number(day, 3)] if mark == minus => ordinal(year, day)?,
        [Part::Number(year, 4), mark, Part::Number(month, 1..=2)] if mark == minus => {
            full(year, Some(month), None)
        }
        _ => return None,
    };
    if let [Part::Number(time, digits @ (2 | 4 | 6)), after @ ..] = rest {
        date.day?;
        let time = time.wrapping_mul(
            [10_000, 100, 1]
                .get(digits.wrapping_div(2).wrapping_sub(1))
                .copied()?,
        );
        let (hour, rest) = (time.wrapping_div(10_000), time.wrapping_rem(10_000));
        date.time = Some((hour, rest.wrapping_div(100), Some(rest.wrapping_rem(100))));
        let zone: String = after
            .iter()
            .map(|part| match part {
                Part::Number(number, digits) => format!("{number:0digits$}"),
                Part::Word(word) => (*word).to_owned(),
                Part::Mark(mark) => mark.to_string(),
            })
            .collect();
        date.zone = zones::offset(&zone);
    }
    Some(date)
}

fn full(year: u32, month: Option<u32>, day: Option<u32>) -> Date {
    Date {
        year,
        month,
        day,
        ..Date::default()
    }
}

/// A date by the day of its year.
fn ordinal(year: u32, mut day: u32) -> Option<Date> {
    for month in 1..=12 {
        let length = days_of_month(year, month);
        if day <= length {
            return Some(full(year, Some(month), Some(day)));
        }
        day = day.saturating_sub(length);
    }
    None
}

/// The year of a number with two digits, as RFC 2822 and POSIX read it.
fn century(year: u32, digits: usize) -> u32 {
    match year {
        0..=68 if digits <= 2 => year.saturating_add(2000),
        69..=99 if digits <= 2 => year.saturating_add(1900),
        // RFC 2822 §4.3: years of 2000 that were counted from 1900.
        100..=199 if digits == 3 => year.saturating_add(1900),
        _ => year,
    }
}

/// A date with separators or with the name of a month.
fn loose(parts: &[Part<'_>]) -> Option<Date> {
    let mut words = 0usize;
    let mut month = None;
    let mut numbers = Vec::new();
    let mut separator = None;
    for part in parts {
        match *part {
            Part::Word(word) => match zones::month(word) {
                Some(found) if month.is_none() => month = Some((found, numbers.len())),
                // Weekdays in all languages, the `T` before the time, `th`, `of`.
                _ => words = words.saturating_add(1),
            },
            Part::Number(number, digits) => numbers.push((number, digits)),
            // A mark before the numbers is a part of the weekday.
            Part::Mark(mark @ ('-' | '/' | '.')) => {
                separator = separator.or(Some(mark).filter(|_| !numbers.is_empty()));
            }
            Part::Mark(',' | '(' | ')' | '\'') => {}
            Part::Mark(_) => return None,
        }
    }
    if words > 3 {
        return None;
    }
    let year = |(number, digits)| century(number, digits);
    Some(match (month, numbers.as_slice()) {
        // 2004-july-13, 2004 Jul 13
        (Some((month, 1)), [first @ (_, 4), day]) => full(year(*first), Some(month), Some(day.0)),
        // 13 Jul 2004, Jul 13 2004
        (Some((month, _)), [day, last]) => full(year(*last), Some(month), Some(day.0)),
        (Some((month, _)), [last @ (_, 4)]) => full(year(*last), Some(month), None),
        (None, [first @ (_, 4), month, day]) => full(year(*first), Some(month.0), Some(day.0)),
        (None, [day, month, last @ (_, 4)]) => match separator {
            // Points are in dates with the day first.
            Some('.') => full(year(*last), Some(month.0), Some(day.0)),
            _ if is_either(day.0, month.0) => return None,
            _ if month.0 > 12 => full(year(*last), Some(day.0), Some(month.0)),
            _ => full(year(*last), Some(month.0), Some(day.0)),
        },
        (None, [first @ (_, 2), month, day]) if separator == Some('-') => {
            // `05-06-07` has six meanings.
            if first.0 <= 12 && is_either(month.0, day.0) {
                return None;
            }
            full(year(*first), Some(month.0), Some(day.0))
        }
        (None, [first @ (_, 4), month]) => full(year(*first), Some(month.0), None),
        _ => return None,
    })
}

/// Whether each of two different numbers may be a month, so that their order is not certain.
fn is_either(one: u32, other: u32) -> bool {
    one <= 12 && other <= 12 && one != other
}

fn is_valid(date: &Date) -> bool {
    let month = date.month.unwrap_or(1);
    let (hour, minute, second) = date.time.unwrap_or_default();
    (1000..=9999).contains(&date.year)
        && (1..=12).contains(&month)
        && (1..=days_of_month(date.year, month)).contains(&date.day.unwrap_or(1))
        && (date.time.is_none() || date.day.is_some())
        && hour <= 24
        && minute < 60
        && second.unwrap_or_default() <= 60
}

#[cfg(test)]
mod tests;
