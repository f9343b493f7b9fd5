//! The code of a format → sections of tokens.

use crate::limits;
use std::iter::Peekable;
use std::str::Chars;

/// A part of a section.
#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    /// Characters that are displayed as they are.
    Literal(String),
    /// The place of a digit: `0`, `#` or `?`.
    Digit(char),
    /// The point between integers and decimals.
    Point,
    /// A comma. After the sections are read, it is a comma of a number without digits.
    Comma,
    /// A percent sign.
    Percent,
    /// `E+` (`true`) or `E-`. The places of the digits follow.
    Exponent(bool),
    /// A fraction.
    Fraction(Denominator),
    /// The text of the cell.
    Text,
    /// The number in the format General.
    General,
    /// A part of a date.
    Date(Part),
}

/// The denominator of a fraction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Denominator {
    /// This number.
    Fixed(u32),
    /// A number up to this.
    UpTo(u32),
}

/// A part of a date, with the number of its letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// The year.
    Year(usize),
    /// The year of the Buddhist calendar.
    BuddhistYear(usize),
    /// The month, or the minute until the whole section is read.
    Month(usize),
    /// The day, or its name.
    Day(usize),
    /// The hour.
    Hour(usize),
    /// The minute.
    Minute(usize),
    /// The second.
    Second(usize),
    /// The digits of the fraction of a second.
    Fraction(usize),
    /// All hours, including those of days.
    Hours(usize),
    /// All minutes.
    Minutes(usize),
    /// All seconds.
    Seconds(usize),
    /// `AM/PM`, or `A/P` if `true`.
    HalfDay(bool),
    /// The era of the Japanese calendar, which is not displayed.
    Era,
}

/// What a section displays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number, or a constant text.
    Number,
    /// A date, a time or both.
    Date,
    /// The text of the cell.
    Text,
}

/// The numbers for which a section is used.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Condition {
    less: bool,
    equal: bool,
    greater: bool,
    number: f64,
}

impl Condition {
    /// Reads a condition, such as `>=100`.
    fn parse(text: &str) -> Option<Self> {
        let operator = text.find(|char| !matches!(char, '<' | '=' | '>'))?;
        let (operator, number) = text.split_at(operator);
        if !matches!(operator, "<" | "<=" | "=" | ">=" | ">" | "<>") {
            return None;
        }
        let number: f64 = number.trim().parse().ok()?;
        number.is_finite().then_some(Self {
            less: operator.contains('<'),
            equal: operator.contains('='),
            greater: operator.contains('>'),
            number,
        })
    }

    /// Returns whether the number is one of those.
    pub fn holds(self, number: f64) -> bool {
        (self.less && number < self.number)
            || (self.greater && number > self.number)
            || (self.equal && number.total_cmp(&self.number).is_eq())
    }

    /// Returns whether all those numbers are negative. They are displayed without a minus.
    pub fn is_negative(self) -> bool {
        !self.greater && (self.number < 0.0 || (self.number == 0.0 && !self.equal))
    }
}

/// A section of a code.
#[derive(Clone, Debug, PartialEq)]
pub struct Section {
    /// The numbers for which it is used.
    pub condition: Option<Condition>,
    /// What it displays.
    pub kind: Kind,
    /// Its parts.
    pub tokens: Vec<Token>,
    /// The arrangement of a number.
    pub layout: Layout,
}

/// How a number is arranged in a section.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The number of places before the point, without the numerator of a fraction.
    pub integers: usize,
    /// The number of places after the point.
    pub decimals: usize,
    /// The number of places of the exponent.
    pub exponent: usize,
    /// Whether thousands are separated.
    pub grouped: bool,
    /// The power of 10 by which the number is multiplied.
    pub shift: i32,
}

impl Section {
    /// Returns whether it is only `General`.
    pub fn is_plain_general(&self) -> bool {
        self.condition.is_none() && matches!(self.tokens[..], [Token::General])
    }
}

/// Reads the sections of a code.
pub fn sections(code: &str) -> Vec<Section> {
    let mut list = Vec::new();
    let mut reader = Reader {
        chars: code.chars().peekable(),
        section: Partial::default(),
    };
    while list.len() < 8 {
        let more = reader.section();
        list.push(std::mem::take(&mut reader.section).finish());
        if !more {
            break;
        }
    }
    list
}

/// A section that is being read.
#[derive(Default)]
struct Partial {
    condition: Option<Condition>,
    tokens: Vec<Token>,
}

struct Reader<'c> {
    chars: Peekable<Chars<'c>>,
    section: Partial,
}

impl Reader<'_> {
    /// Reads a section. Returns whether another one follows.
    fn section(&mut self) -> bool {
        while let Some(char) = self.chars.next() {
            match char {
                ';' => return true,
                '"' => {
                    for char in self.chars.by_ref().take_while(|char| *char != '"') {
                        self.section.literal(char);
                    }
                }
                '\\' => {
                    if let Some(char) = self.chars.next() {
                        self.section.literal(char);
                    }
                }
                // A space of the width of the next character, and a character that fills the cell.
                '_' => {
                    self.chars.next();
                    self.section.literal(' ');
                }
                '*' => {
                    self.chars.next();
                }
                '[' => {
                    let inner: String = self.chars.by_ref().take_while(|it| *it != ']').collect();
                    self.brackets(&inner);
                }
                '0' | '#' | '?' => self.section.tokens.push(Token::Digit(char)),
                '.' => self.point(),
                ',' => self.section.tokens.push(Token::Comma),
                '%' => self.section.tokens.push(Token::Percent),
                '@' => self.section.tokens.push(Token::Text),
                '/' => self.slash(),
                'E' | 'e' if matches!(self.chars.peek(), Some('+' | '-')) => {
                    let plus = self.chars.next() == Some('+');
                    self.section.tokens.push(Token::Exponent(plus));
                }
                'G' | 'g' if self.follows("eneral") => self.section.tokens.push(Token::General),
                'S' if self.follows("tandard") => self.section.tokens.push(Token::General),
                'A' | 'a' if self.follows("m/pm") => self.date(Part::HalfDay(false)),
                'A' | 'a' if self.follows("/p") => self.date(Part::HalfDay(true)),
                '上' if self.follows("午/下午") => self.date(Part::HalfDay(false)),
                'y' | 'Y' | 'm' | 'M' | 'd' | 'D' | 'h' | 'H' | 's' | 'S' | 'e' | 'E' | 'b'
                | 'B' | 'g' | 'G' => self.letters(char.to_ascii_lowercase()),
                other => self.section.literal(other),
            }
        }
        false
    }

    /// Reads the text if it follows, in any case.
    fn follows(&mut self, text: &str) -> bool {
        let mut ahead = self.chars.clone();
        let same = text.chars().all(|wanted| {
            let next = ahead.next();
            next.is_some_and(|it| it.to_ascii_lowercase() == wanted)
        });
        if same {
            self.chars = ahead;
        }
        same
    }

    /// Counts how often a character follows, in any case, and reads these.
    fn repeated(&mut self, wanted: char) -> usize {
        let mut count = 0_usize;
        while self
            .chars
            .next_if(|it| it.to_ascii_lowercase() == wanted)
            .is_some()
        {
            count = count.saturating_add(1);
        }
        count
    }

    fn date(&mut self, part: Part) {
        self.section.tokens.push(Token::Date(part));
    }

    /// Reads the letters of a part of a date.
    fn letters(&mut self, letter: char) {
        // `b1` and `b2` choose a calendar.
        if letter == 'b' && self.chars.next_if(|it| matches!(it, '1' | '2')).is_some() {
            return;
        }
        let count = self.repeated(letter).saturating_add(1);
        self.date(match letter {
            'y' => Part::Year(count),
            'e' => Part::Year(4),
            'b' => Part::BuddhistYear(count),
            'm' => Part::Month(count),
            'd' => Part::Day(count),
            'h' => Part::Hour(count),
            's' => Part::Second(count),
            _ => Part::Era,
        });
    }

    /// Reads a point of a number, or the fraction of a second.
    fn point(&mut self) {
        let last = self.section.last_date();
        if matches!(last, Some(Part::Second(_) | Part::Seconds(_)))
            && matches!(self.section.tokens.last(), Some(Token::Date(_)))
        {
            let count = self.repeated('0');
            if count > 0 {
                self.date(Part::Fraction(count));
                return;
            }
        }
        self.section.tokens.push(Token::Point);
    }

    /// Reads the denominator of a fraction.
    fn slash(&mut self) {
        if !matches!(self.section.tokens.last(), Some(Token::Digit(_))) {
            self.section.literal('/');
            return;
        }
        while self.chars.next_if(|it| *it == ' ').is_some() {}
        let mut places = 0_u32;
        let mut fixed = 0_u32;
        while let Some(char) = self.chars.next_if(|it| matches!(it, '0'..='9' | '?' | '#')) {
            places = places.saturating_add(1);
            let digit = char.to_digit(10).unwrap_or(0);
            fixed = fixed.saturating_mul(10).saturating_add(digit);
        }
        if places == 0 {
            self.section.literal('/');
            return;
        }
        // The numerator is a part of the fraction.
        while matches!(self.section.tokens.last(), Some(Token::Digit(_))) {
            self.section.tokens.pop();
        }
        let denominator = match fixed {
            0 => Denominator::UpTo(10_u32.pow(places.min(6)).saturating_sub(1)),
            fixed => Denominator::Fixed(fixed.min(limits::FORMAT_DENOMINATOR)),
        };
        self.section.tokens.push(Token::Fraction(denominator));
    }

    /// Reads the content of brackets: a duration, a condition, a currency, a colour or a language.
    fn brackets(&mut self, inner: &str) {
        if let Some(currency) = inner.strip_prefix('$') {
            let symbol = currency.split('-').next().unwrap_or_default();
            for char in symbol.chars() {
                self.section.literal(char);
            }
            return;
        }
        let lower = inner.to_ascii_lowercase();
        let is_all = |letter: char| !lower.is_empty() && lower.chars().all(|it| it == letter);
        if is_all('h') {
            self.date(Part::Hours(lower.len()));
        } else if is_all('m') {
            self.date(Part::Minutes(lower.len()));
        } else if is_all('s') {
            self.date(Part::Seconds(lower.len()));
        } else if let Some(condition) = Condition::parse(inner) {
            self.section.condition = Some(condition);
        }
    }
}

impl Partial {
    fn literal(&mut self, char: char) {
        if let Some(Token::Literal(text)) = self.tokens.last_mut() {
            text.push(char);
        } else {
            self.tokens.push(Token::Literal(char.to_string()));
        }
    }

    /// Returns the last part of a date.
    fn last_date(&self) -> Option<Part> {
        self.tokens.iter().rev().find_map(|token| match token {
            Token::Date(part) => Some(*part),
            _ => None,
        })
    }

    fn finish(mut self) -> Section {
        let has = |wanted: fn(&Token) -> bool| self.tokens.iter().any(wanted);
        let is_date = has(|it| matches!(it, Token::Date(part) if *part != Part::Era));
        let is_number = has(|it| matches!(it, Token::Digit(_) | Token::Fraction(_)));
        let is_text = has(|it| matches!(it, Token::Text));
        let kind = if is_date {
            self.find_minutes();
            Kind::Date
        } else if is_text && !is_number {
            Kind::Text
        } else {
            Kind::Number
        };
        let layout = if kind == Kind::Number {
            self.arrange()
        } else {
            Layout::default()
        };
        if kind == Kind::Date {
            for token in &mut self.tokens {
                let char = match token {
                    Token::Comma => ',',
                    Token::Point => '.',
                    Token::Percent => '%',
                    Token::Digit('0') => '0',
                    _ => continue,
                };
                *token = Token::Literal(char.to_string());
            }
        }
        Section {
            condition: self.condition,
            kind,
            tokens: self.tokens,
            layout,
        }
    }

    /// The letters `m` and `mm` are minutes after hours and before seconds.
    fn find_minutes(&mut self) {
        let mut after_hours = false;
        let mut candidate: Option<usize> = None;
        let mut minutes = Vec::new();
        for (index, token) in self.tokens.iter().enumerate() {
            let Token::Date(part) = token else {
                continue;
            };
            match part {
                Part::Hour(_) | Part::Hours(_) => {
                    after_hours = true;
                    candidate = None;
                }
                Part::Month(1 | 2) => {
                    if after_hours {
                        minutes.push(index);
                    }
                    candidate = Some(index);
                    after_hours = false;
                }
                Part::Second(_) | Part::Seconds(_) => {
                    minutes.extend(candidate.take());
                    after_hours = false;
                }
                Part::HalfDay(_) | Part::Era => {}
                _ => {
                    after_hours = false;
                    candidate = None;
                }
            }
        }
        for index in minutes {
            if let Some(Token::Date(part)) = self.tokens.get_mut(index)
                && let Part::Month(count) = *part
            {
                *part = Part::Minute(count);
            }
        }
    }

    /// Counts the places of a number, and removes the commas that are not displayed.
    fn arrange(&mut self) -> Layout {
        let mut layout = Layout::default();
        let mut kept = Vec::with_capacity(self.tokens.len());
        let mut after_point = false;
        let mut in_exponent = false;
        let mut places = 0_usize;
        let tokens = std::mem::take(&mut self.tokens);
        let mut tokens = tokens.into_iter().peekable();
        while let Some(token) = tokens.next() {
            match token {
                Token::Digit(_) => {
                    places = places.saturating_add(1);
                    let count = if in_exponent {
                        &mut layout.exponent
                    } else if after_point {
                        &mut layout.decimals
                    } else {
                        &mut layout.integers
                    };
                    *count = count.saturating_add(1);
                    kept.push(token);
                }
                Token::Point if !after_point && !in_exponent => {
                    after_point = true;
                    kept.push(token);
                }
                Token::Point => kept.push(Token::Literal(".".to_owned())),
                Token::Comma if places == 0 => kept.push(Token::Literal(",".to_owned())),
                Token::Comma => {
                    // Commas between digits separate thousands. Those after the digits divide by 1000.
                    let mut count = 1_i32;
                    while tokens.next_if(|it| matches!(it, Token::Comma)).is_some() {
                        count = count.saturating_add(1);
                    }
                    if matches!(tokens.peek(), Some(Token::Digit(_))) && !after_point {
                        layout.grouped = true;
                    } else {
                        layout.shift = layout.shift.saturating_sub(count.saturating_mul(3));
                    }
                }
                Token::Percent => {
                    layout.shift = layout.shift.saturating_add(2);
                    kept.push(token);
                }
                Token::Exponent(plus) => {
                    if places == 0 || in_exponent {
                        let sign = if plus { "E+" } else { "E-" };
                        kept.push(Token::Literal(sign.to_owned()));
                    } else {
                        in_exponent = true;
                        kept.push(token);
                    }
                }
                other => kept.push(other),
            }
        }
        self.tokens = kept;
        layout
    }
}
