//! Bullets and numbers of paragraphs, as slides show them.

use crate::limits;
use crate::roman::roman;
use crate::xml::Element;

/// The number of levels of a text.
const LEVELS: usize = 9;

/// The largest number in Roman digits. Larger ones are decimal.
const ROMAN: usize = 3999;

/// The digits of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Digits {
    Arabic,
    Letters,
    Roman,
}

/// A scheme of numbers, such as `alphaLcParenR` from 3.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scheme {
    digits: Digits,
    uppercase: bool,
    before: &'static str,
    after: &'static str,
    start: usize,
}

impl Scheme {
    /// Reads the element `buAutoNum`.
    fn read(element: Element) -> Self {
        let kind = element.attr("type").unwrap_or("arabicPeriod");
        let start = element.attr("startAt").and_then(|it| it.parse().ok());
        Self::named(kind, start.unwrap_or(1))
    }

    /// Returns the scheme with a name, such as `alphaLcParenR`, and its first number.
    pub fn named(kind: &str, start: usize) -> Self {
        let digits = if kind.starts_with("alpha") {
            Digits::Letters
        } else if kind.starts_with("roman") {
            Digits::Roman
        } else {
            Digits::Arabic
        };
        let (before, after) = if kind.ends_with("ParenBoth") {
            ("(", ")")
        } else if kind.ends_with("ParenR") {
            ("", ")")
        } else {
            ("", ".")
        };
        Self {
            digits,
            uppercase: kind.contains("Uc"),
            before,
            after,
            start,
        }
    }

    /// Writes the number after `count` items.
    fn number(self, count: usize) -> String {
        let value = self.start.saturating_add(count);
        let mut digits = match self.digits {
            Digits::Arabic => value.to_string(),
            Digits::Letters => letters(value),
            Digits::Roman => roman(value, ROMAN),
        };
        if self.uppercase {
            digits.make_ascii_uppercase();
        }
        format!("{}{digits}{}", self.before, self.after)
    }
}

/// Writes `a` to `z`, then `aa` to `zz`.
fn letters(value: usize) -> String {
    let zero = value.saturating_sub(1);
    let letter = u8::try_from(zero % 26).unwrap_or_default();
    let letter = char::from(b'a'.saturating_add(letter));
    let count = (zero / 26).saturating_add(1).min(32);
    std::iter::repeat_n(letter, count).collect()
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

impl Bullet {
    /// Reads the properties of a paragraph. `None` if they have no bullet.
    pub fn read(properties: Element) -> Option<Self> {
        properties.children().find_map(|child| {
            Some(match child.name() {
                "buNone" => Self::None,
                "buChar" | "buBlip" => Self::Sign,
                "buAutoNum" => Self::Number(Scheme::read(child)),
                _ => return None,
            })
        })
    }
}

/// The bullets of each level of a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Levels([Option<Bullet>; LEVELS]);

impl Levels {
    /// Reads a list style: the elements `lvl1pPr` to `lvl9pPr`.
    pub fn read(style: Option<Element>) -> Self {
        let mut levels = Self::default();
        for child in style.iter().flat_map(Element::children) {
            let number = child.name().strip_prefix("lvl");
            let number = number.and_then(|it| it.strip_suffix("pPr"));
            let number = number.and_then(|it| it.parse::<usize>().ok());
            let level = number.and_then(|it| levels.0.get_mut(it.checked_sub(1)?));
            if let Some(level) = level {
                *level = Bullet::read(child);
            }
        }
        levels
    }

    /// Returns these levels, with the bullets of the other where they have none.
    #[must_use]
    pub fn or(self, other: Self) -> Self {
        let mut merged = self;
        for (own, other) in merged.0.iter_mut().zip(other.0) {
            *own = own.or(other);
        }
        merged
    }

    /// Returns the bullet of a level.
    pub fn get(&self, level: usize) -> Bullet {
        let found = self.0.get(level).copied().flatten();
        found.unwrap_or(Bullet::None)
    }
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
