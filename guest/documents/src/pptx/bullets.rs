//! Bullets and numbers in the properties of paragraphs and in list styles.

use crate::slides::numbering::{Bullet, Scheme};
use crate::xml::Element;

/// The number of levels of a text.
const LEVELS: usize = 9;

/// Reads the properties of a paragraph. `None` if they have no bullet.
pub fn bullet(properties: Element) -> Option<Bullet> {
    properties.children().find_map(|child| {
        Some(match child.name() {
            "buNone" => Bullet::None,
            "buChar" | "buBlip" => Bullet::Sign,
            "buAutoNum" => Bullet::Number(scheme(child)),
            _ => return None,
        })
    })
}

/// Reads the element `buAutoNum`.
fn scheme(element: Element) -> Scheme {
    let kind = element.attr("type").unwrap_or("arabicPeriod");
    let start = element.attr("startAt").and_then(|it| it.parse().ok());
    Scheme::named(kind, start.unwrap_or(1))
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
                *level = bullet(child);
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
