//! Classes of elements in visual order → their order of reading (UAX #9).
//!
//! The algorithm gives a level to each element of a line in reading order, and turns runs of equal or
//! higher levels around (rule L2). The same turns lead back. So here the elements from left to right get
//! levels: the classes decide, as far as the visual order lets them.

use crate::page::Text;
use crate::script;

/// The class of an element for the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// It has a letter that is read from the left.
    Left,
    /// It has a letter that is read from the right.
    Right,
    /// It has a digit, and no letter.
    Digit,
    /// A sign that joins digits.
    Separator,
    /// Anything else, and spaces.
    Neutral,
}

impl Class {
    /// The class of a glyph.
    pub fn of(text: &Text) -> Self {
        match text {
            Text::One(one) => Self::of_character(*one),
            Text::Many(many) => Self::of_text(many),
            Text::None | Text::Unmapped => Self::Neutral,
        }
    }

    /// The class of a text: that of its first letter, or of its first digit, or of its first separator.
    pub fn of_text(text: &str) -> Self {
        let mut found = Self::Neutral;
        for character in text.chars() {
            match (Self::of_character(character), found) {
                (letter @ (Self::Left | Self::Right), _) => return letter,
                (Self::Digit, _) => found = Self::Digit,
                (Self::Separator, Self::Neutral) => found = Self::Separator,
                _ => {}
            }
        }
        found
    }

    /// The class of a character.
    pub fn of_character(character: char) -> Self {
        if script::is_rtl(character) {
            Self::Right
        } else if script::is_digit(character) {
            Self::Digit
        } else if character.is_alphabetic() {
            Self::Left
        } else if script::is_separator(character) {
            Self::Separator
        } else {
            Self::Neutral
        }
    }
}

/// Whether letters are read from the right: most of them are, or at least a third of them, because names
/// and terms in Latin letters are long. `None` if none is read from the right.
pub fn is_from_right(classes: impl IntoIterator<Item = Class>) -> Option<bool> {
    let (mut left, mut right) = (0_usize, 0_usize);
    for class in classes {
        match class {
            Class::Left => left = left.saturating_add(1),
            Class::Right => right = right.saturating_add(1),
            _ => {}
        }
    }
    (right > 0).then_some(right.saturating_mul(2) >= left)
}

/// The order of reading of elements that are given from left to right: their places, and whether each
/// is read from the right, so that its brackets are mirrored.
pub fn reading(classes: &[Class], from_right: bool) -> Vec<(usize, bool)> {
    let levels = if from_right {
        levels_from_right(classes)
    } else {
        levels_from_left(classes)
    };
    let mut order: Vec<(usize, u8)> = levels.into_iter().enumerate().collect();
    // Rule L2.
    for level in [2, 1] {
        for run in order.chunk_by_mut(|a, b| (a.1 >= level) == (b.1 >= level)) {
            if run.first().is_some_and(|it| it.1 >= level) {
                run.reverse();
            }
        }
    }
    let turned = |(place, level): (usize, u8)| (place, level % 2 == 1);
    order.into_iter().map(turned).collect()
}

/// The levels of a line that is read from the right: 2 for what is read from the left in it, or else 1.
fn levels_from_right(classes: &[Class]) -> Vec<u8> {
    let mut levels = vec![1; classes.len()];
    let mut place = 0;
    while let Some(class) = classes.get(place) {
        let end = match class {
            Class::Left => left_end(classes, place),
            Class::Digit => {
                let end = number_end(classes, place);
                // Digits directly before Latin letters belong to them.
                if classes.get(end) == Some(&Class::Left) {
                    left_end(classes, end)
                } else {
                    end
                }
            }
            _ => {
                place = place.saturating_add(1);
                continue;
            }
        };
        set(&mut levels, place, end, 2);
        place = end;
    }
    levels
}

/// The levels of a line that is read from the left: 1 for what is read from the right in it, 2 for
/// numbers inside of that, or else 0.
fn levels_from_left(classes: &[Class]) -> Vec<u8> {
    let mut levels = vec![0; classes.len()];
    let mut place = 0;
    while let Some(class) = classes.get(place) {
        if *class != Class::Right {
            place = place.saturating_add(1);
            continue;
        }
        let end = run_end(classes, place, Class::Left, |it| it == Class::Right);
        set(&mut levels, place, end, 1);
        while place < end {
            let next = if classes.get(place) == Some(&Class::Digit) {
                let next = number_end(classes, place);
                set(&mut levels, place, next, 2);
                next
            } else {
                place.saturating_add(1)
            };
            place = next;
        }
    }
    levels
}

fn set(levels: &mut [u8], start: usize, end: usize, level: u8) {
    if let Some(run) = levels.get_mut(start..end) {
        run.fill(level);
    }
}

/// The end of a run that is read from the left. It goes on to the last letter or digit before a letter
/// from the right.
fn left_end(classes: &[Class], start: usize) -> usize {
    run_end(classes, start, Class::Right, |it| {
        matches!(it, Class::Left | Class::Digit)
    })
}

/// The end of a run: after its last element with the property, before the next one of the class `stop`.
fn run_end(classes: &[Class], start: usize, stop: Class, own: impl Fn(Class) -> bool) -> usize {
    let rest = classes.get(start..).unwrap_or_default();
    let rest = rest.split(|it| *it == stop).next().unwrap_or_default();
    let last = rest.iter().rposition(|it| own(*it));
    start.saturating_add(last.map_or(1, |it| it.saturating_add(1)))
}

/// The end of a number: digits, and separators between digits.
fn number_end(classes: &[Class], start: usize) -> usize {
    let rest = classes.get(start..).unwrap_or_default();
    let rest = rest
        .split(|it| !matches!(it, Class::Digit | Class::Separator))
        .next()
        .unwrap_or_default();
    let last = rest.iter().rposition(|it| *it == Class::Digit);
    start.saturating_add(last.map_or(1, |it| it.saturating_add(1)))
}
