//! Dates, times and durations.

use super::code::{Part, Section, Token};
use omniread_document::date::Day;

/// The day with the number 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Epoch {
    /// 1899-12-30 for days since March 1900, with Excel's 29 February 1900 before.
    #[default]
    Y1900,
    /// 1904-01-01.
    Y1904,
}

/// The number of the day 10000-01-01, which no format displays.
const END: f64 = 2_958_466.0;

/// The number of days from 1899-12-30 to 1904-01-01.
const DAYS_1904: f64 = 1462.0;

/// The number of days from 1899-12-30 to 1970-01-01.
const DAYS_TO_1970: i64 = 25_569;

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

const DAYS: [&str; 7] = [
    "Sunday",
    "Monday",
    "Tuesday",
    "Wednesday",
    "Thursday",
    "Friday",
    "Saturday",
];

/// A date and a time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Moment {
    year: i64,
    month: i64,
    day: i64,
    /// From Sunday.
    weekday: i64,
    hour: i64,
    minute: i64,
    second: i64,
    /// The fraction of a second in units of the last digit.
    fraction: i64,
    /// All seconds since the day 0.
    seconds: i64,
}

/// What a section displays of a date.
#[derive(Clone, Copy, Debug, Default)]
struct Parts {
    date: bool,
    time: bool,
    duration: bool,
    /// The digits of the fraction of a second.
    digits: usize,
}

/// Returns the value in the form of ISO 8601 and the displayed text. `None` if the number is not a
/// date: it is negative or after the year 9999.
pub fn value(number: f64, section: &Section, epoch: Epoch) -> Option<(String, String)> {
    let parts = parts(section);
    let serial = match epoch {
        Epoch::Y1904 if parts.date => number + DAYS_1904,
        Epoch::Y1900 | Epoch::Y1904 => number,
    };
    if !(0.0..END).contains(&serial) || number < 0.0 {
        return None;
    }
    // A date without its day is not a date.
    if parts.date && !parts.time && serial < 1.0 {
        return None;
    }
    let moment = Moment::new(serial, parts.digits)?;
    let mut shown = String::new();
    let is_half_day = |token: &Token| matches!(token, Token::Date(Part::HalfDay(_)));
    let half_day = section.tokens.iter().any(is_half_day);
    for token in &section.tokens {
        match token {
            Token::Literal(text) => shown.push_str(text),
            Token::Date(part) => moment.push(&mut shown, *part, half_day),
            _ => {}
        }
    }
    Some((iso(&moment, parts, serial), shown.trim().to_owned()))
}

fn parts(section: &Section) -> Parts {
    let mut parts = Parts::default();
    for token in &section.tokens {
        let Token::Date(part) = token else {
            continue;
        };
        match part {
            Part::Year(_) | Part::BuddhistYear(_) | Part::Month(_) | Part::Day(_) => {
                parts.date = true;
            }
            Part::Hours(_) | Part::Minutes(_) | Part::Seconds(_) => {
                parts.time = true;
                parts.duration = true;
            }
            Part::Hour(_) | Part::Minute(_) | Part::Second(_) | Part::HalfDay(_) => {
                parts.time = true;
            }
            Part::Fraction(digits) => parts.digits = parts.digits.max((*digits).min(3)),
            Part::Era => {}
        }
    }
    parts
}

/// Writes the value in the form of ISO 8601. A date has its time even if the format hides it.
fn iso(moment: &Moment, parts: Parts, serial: f64) -> String {
    let has_time = moment.hour != 0
        || moment.minute != 0
        || moment.second != 0
        || moment.fraction != 0
        || parts.time;
    let has_date = !parts.duration && serial >= 1.0;
    let mut out = String::new();
    if has_date {
        out.push_str(&format!(
            "{:04}-{:02}-{:02}",
            moment.year, moment.month, moment.day
        ));
        if !has_time {
            return out;
        }
        out.push(' ');
    }
    let hour = if parts.duration {
        moment.seconds.div_euclid(3600)
    } else {
        moment.hour
    };
    let (minute, second) = (moment.minute, moment.second);
    out.push_str(&format!("{hour:02}:{minute:02}:{second:02}"));
    if moment.fraction != 0 {
        let (fraction, width) = (moment.fraction, parts.digits);
        out.push_str(&format!(".{fraction:0width$}"));
    }
    out
}

impl Moment {
    /// Converts a number of days. The time is rounded to `digits` digits after the second.
    #[allow(
        clippy::arithmetic_side_effects,
        clippy::cast_possible_truncation,
        reason = "the number is from 0 to 2 958 466"
    )]
    fn new(serial: f64, digits: usize) -> Option<Self> {
        if !(0.0..END).contains(&serial) {
            return None;
        }
        let scale: i64 = match digits {
            0 => 1,
            1 => 10,
            2 => 100,
            _ => 1000,
        };
        // Times are stored with 15 digits, so that 12:00 may be a little less than it.
        let mut days = serial.floor() as i64;
        let units = (serial.fract() * 86_400_000.0).round() as i64;
        let mut units = (units * scale + 500) / 1000;
        if units >= 86_400 * scale {
            units = 0;
            days += 1;
        }
        let second = units / scale;
        let mut moment = Self {
            hour: second / 3600,
            minute: second / 60 % 60,
            second: second % 60,
            fraction: units % scale,
            seconds: days * 86_400 + second,
            weekday: (days + 6) % 7,
            ..Self::default()
        };
        // Excel has a 29 February 1900, and a day 0 before 1 January.
        (moment.year, moment.month, moment.day) = match days {
            0 => (1900, 1, 0),
            60 => (1900, 2, 29),
            days => {
                let skipped = i64::from(days < 60);
                let day = Day::after_1970(days + skipped - DAYS_TO_1970)?;
                (day.year, i64::from(day.month), i64::from(day.day))
            }
        };
        Some(moment)
    }

    fn push(&self, out: &mut String, part: Part, half_day: bool) {
        let two = |out: &mut String, value: i64, count: usize| {
            if count >= 2 {
                out.push_str(&format!("{value:02}"));
            } else {
                out.push_str(&value.to_string());
            }
        };
        let name = |list: &'static [&'static str], index: i64| {
            let index = usize::try_from(index).unwrap_or(usize::MAX);
            list.get(index).copied().unwrap_or_default()
        };
        let year = |out: &mut String, year: i64, count: usize| {
            if count <= 2 {
                out.push_str(&format!("{:02}", year.rem_euclid(100)));
            } else {
                out.push_str(&format!("{year:04}"));
            }
        };
        match part {
            Part::Year(count) => year(out, self.year, count),
            Part::BuddhistYear(count) => year(out, self.year.saturating_add(543), count),
            Part::Month(count) => {
                let full = name(&MONTHS, self.month.saturating_sub(1));
                match count {
                    1 | 2 => two(out, self.month, count),
                    3 => out.push_str(full.get(..3).unwrap_or(full)),
                    5 => out.push_str(full.get(..1).unwrap_or(full)),
                    _ => out.push_str(full),
                }
            }
            Part::Day(count) => {
                let full = name(&DAYS, self.weekday);
                match count {
                    1 | 2 => two(out, self.day, count),
                    3 => out.push_str(full.get(..3).unwrap_or(full)),
                    _ => out.push_str(full),
                }
            }
            Part::Hour(count) if half_day => {
                let hour = self.hour.rem_euclid(12);
                two(out, if hour == 0 { 12 } else { hour }, count);
            }
            Part::Hour(count) => two(out, self.hour, count),
            Part::Minute(count) => two(out, self.minute, count),
            Part::Second(count) => two(out, self.second, count),
            Part::Hours(count) => padded(out, self.seconds.div_euclid(3600), count),
            Part::Minutes(count) => padded(out, self.seconds.div_euclid(60), count),
            Part::Seconds(count) => padded(out, self.seconds, count),
            Part::Fraction(count) => {
                let width = count.min(3);
                out.push_str(&format!(".{:0width$}", self.fraction));
                out.extend(std::iter::repeat_n('0', count.saturating_sub(3)));
            }
            Part::HalfDay(short) => {
                let text = match (self.hour < 12, short) {
                    (true, false) => "AM",
                    (false, false) => "PM",
                    (true, true) => "A",
                    (false, true) => "P",
                };
                out.push_str(text);
            }
            Part::Era => {}
        }
    }
}

/// Writes a number with at least `count` digits.
fn padded(out: &mut String, value: i64, count: usize) {
    let count = count.min(8);
    out.push_str(&format!("{value:0count$}"));
}
