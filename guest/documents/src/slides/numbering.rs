//! Bullets and numbers of paragraphs, as slides show them.

use crate::limits;
use crate::numerals;

/// A scheme of numbers, such as `alphaLcParenR` from 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    /// The name of the format of the digits in WordprocessingML.
    format: &'static str,
    before: &'static str,
    after: &'static str,
    start: usize,
}

/// The starts of the names of schemes (ECMA-376 part 1, 20.1.10.61), and the formats of their digits.
const SCHEMES: [(&str, &str); 16] = [
    ("alphaLc", "lowerLetter"),
    ("alphaUc", "upperLetter"),
    ("romanLc", "lowerRoman"),
    ("romanUc", "upperRoman"),
    ("arabic1", "arabicAlpha"),
    ("arabic2", "arabicAbjad"),
    ("arabicDb", "decimalFullWidth"),
    ("hebrew2", "hebrew2"),
    ("thaiAlpha", "thaiLetters"),
    ("thaiNum", "thaiNumbers"),
    ("hindiAlpha1", "hindiVowels"),
    ("hindiAlpha", "hindiConsonants"),
    ("hindiNum", "hindiNumbers"),
    ("circleNumDb", "decimalEnclosedCircle"),
    ("circleNumWd", "decimalEnclosedCircle"),
    ("ea1", "chineseCounting"),
];

impl Scheme {
    /// Returns the scheme with a name, such as `alphaLcParenR`, and its first number.
    pub fn named(kind: &str, start: usize) -> Self {
        let mut schemes = SCHEMES.iter();
        let scheme = schemes.find(|(start, _)| kind.starts_with(start));
        let (before, after) = if kind.ends_with("ParenBoth") {
            ("(", ")")
        } else if kind.ends_with("ParenR") {
            ("", ")")
        } else if kind.ends_with("Minus") {
            ("", "-")
        } else if kind.ends_with("Plain") {
            ("", "")
        } else {
            ("", ".")
        };
        Self {
            format: scheme.map_or("decimal", |(_, format)| format),
            before,
            after,
            start,
        }
    }

    /// Writes the number after `count` items.
    fn number(self, count: usize) -> String {
        let value = self.start.saturating_add(count);
        let digits = numerals::number(value, self.format);
        format!("{}{digits}{}", self.before, self.after)
    }
}

/// The sign before a paragraph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bullet {
    /// No sign.
    None,
    /// A character or an image.
    Sign,
    /// A number.
    Number(Scheme),
}

/// Counts the numbered paragraphs of a text.
#[derive(Default)]
pub struct Counter {
    /// The scheme and the number of items of each level.
    counts: Vec<Option<(Scheme, usize)>>,
}

impl Counter {
    /// Counts a paragraph. Returns its sign, which is empty for a bullet. `None` if it has no sign.
    pub fn next(&mut self, level: usize, bullet: Bullet) -> Option<String> {
        let level = level.min(limits::LIST_DEPTH);
        self.counts.truncate(level.saturating_add(1));
        self.counts.resize(level.saturating_add(1), None);
        let slot = self.counts.last_mut()?;
        match bullet {
            Bullet::None => {
                *slot = None;
                None
            }
            Bullet::Sign => {
                *slot = None;
                Some(String::new())
            }
            Bullet::Number(scheme) => {
                let count = match slot {
                    Some((own, count)) if *own == scheme => *count,
                    _ => 0,
                };
                *slot = Some((scheme, count.saturating_add(1)));
                Some(scheme.number(count))
            }
        }
    }
}
