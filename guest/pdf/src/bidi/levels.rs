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
    /// It has a letter that is read from the left (L).
    Left,
    /// It has a letter that is read from the right (R).
    Right,
    /// It has an Arabic letter (AL).
    Arabic,
    /// It has a European digit, and no letter (EN).
    Digit,
    /// It has an Arabic digit, and no letter (AN).
    ArabicDigit,
    /// A sign that joins digits (CS).
    Separator,
    /// A sign that joins European digits (ES).
    Sign,
    /// A sign before or after European digits (ET).
    Terminator,
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

    /// The class of a text: that of its first letter, or of its first digit, or of its first sign.
    pub fn of_text(text: &str) -> Self {
        let mut found = Self::Neutral;
        for character in text.chars() {
            let own = Self::of_character(character);
            if own.is_letter() {
                return own;
            }
            if own.is_digit() && !found.is_digit() || found == Self::Neutral {
                found = own;
            }
        }
        found
    }

    /// The class of a character.
    pub fn of_character(character: char) -> Self {
        if script::is_rtl(character) {
            if script::is_arabic(character) {
                Self::Arabic
            } else {
                Self::Right
            }
        } else if script::is_digit(character) {
            Self::Digit
        } else if character.is_alphabetic() {
            Self::Left
        } else if script::is_arabic_digit(character) {
            Self::ArabicDigit
        } else if script::is_separator(character) {
            Self::Separator
        } else if script::is_sign(character) {
            Self::Sign
        } else if script::is_terminator(character) {
            Self::Terminator
        } else {
            Self::Neutral
        }
    }

    fn is_letter(self) -> bool {
        self == Self::Left || self.is_right()
    }

    /// Whether it is read from the right.
    pub fn is_right(self) -> bool {
        matches!(self, Self::Right | Self::Arabic)
    }

    fn is_digit(self) -> bool {
        matches!(self, Self::Digit | Self::ArabicDigit)
    }
}

/// Whether letters are read from the right: most of them are, or at least a third of them, because names
/// and terms in Latin letters are long. `None` if none is read from the right.
pub fn is_from_right(classes: impl IntoIterator<Item = Class>) -> Option<bool> {
    let (mut left, mut right) = (0_usize, 0_usize);
    for class in classes {
        if class.is_right() {
            right = right.saturating_add(1);
        } else if class == Class::Left {
            left = left.saturating_add(1);
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
    let arabic = after_arabic(classes);
    let mut levels = vec![1; classes.len()];
    let mut place = 0;
    while let Some(class) = classes.get(place) {
        let end = if *class == Class::Left {
            Some(left_end(classes, place))
        } else {
            // Digits directly before Latin letters belong to them.
            number_end(classes, &arabic, place).map(|end| {
                if classes.get(end) == Some(&Class::Left) {
                    left_end(classes, end)
                } else {
                    end
                }
            })
        };
        let next = end.unwrap_or_else(|| place.saturating_add(1));
        if end.is_some() {
            set(&mut levels, place, next, 2);
        }
        place = next;
    }
    levels
}

/// The levels of a line that is read from the left: 1 for what is read from the right in it, 2 for
/// numbers inside of that, or else 0.
fn levels_from_left(classes: &[Class]) -> Vec<u8> {
    let arabic = after_arabic(classes);
    let mut levels = vec![0; classes.len()];
    let mut place = 0;
    while let Some(class) = classes.get(place) {
        if !class.is_right() {
            place = place.saturating_add(1);
            continue;
        }
        let end = run_end(classes, place, |it| it == Class::Left, Class::is_right);
        set(&mut levels, place, end, 1);
        while place < end {
            let number = number_end(classes, &arabic, place);
            let next = number.unwrap_or_else(|| place.saturating_add(1));
            if number.is_some() {
                set(&mut levels, place, next, 2);
            }
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
    run_end(classes, start, Class::is_right, |it| {
        it == Class::Left || it.is_digit()
    })
}

/// The end of a run: after its last element with the property, before the next one that stops it.
fn run_end(
    classes: &[Class],
    start: usize,
    stop: impl Fn(Class) -> bool,
    own: impl Fn(Class) -> bool,
) -> usize {
    let rest = classes.get(start..).unwrap_or_default();
    let rest = rest.split(|it| stop(*it)).next().unwrap_or_default();
    let last = rest.iter().rposition(|it| own(*it));
    start.saturating_add(last.map_or(1, |it| it.saturating_add(1)))
}

/// For each element, whether the letter before it in text from the right, which is on its right, is
/// Arabic.
fn after_arabic(classes: &[Class]) -> Vec<bool> {
    let mut arabic = false;
    let mut out: Vec<bool> = classes
        .iter()
        .rev()
        .map(|class| {
            if class.is_letter() {
                arabic = *class == Class::Arabic;
            }
            arabic
        })
        .collect();
    out.reverse();
    out
}

/// The end of a number: digits, and single signs between digits. European digits have signs before and
/// after them, and are joined by `-` and `+` (rules W4 and W5). After an Arabic letter they have not (W2).
/// `None` if no number starts here.
fn number_end(classes: &[Class], arabic: &[bool], start: usize) -> Option<usize> {
    let at = |place: usize| classes.get(place).copied().unwrap_or(Class::Neutral);
    let arabic = |place: usize| {
        at(place) == Class::ArabicDigit || arabic.get(place).copied().unwrap_or_default()
    };
    let terminators = |start: usize| {
        let rest = classes.get(start..).unwrap_or_default();
        let count = rest.iter().take_while(|it| **it == Class::Terminator);
        start.saturating_add(count.count())
    };
    // The signs before this one have been looked at.
    let before = start.checked_sub(1).map_or(Class::Neutral, at);
    if at(start) == Class::Terminator && before == Class::Terminator {
        return None;
    }
    let first = terminators(start);
    if !at(first).is_digit() || first > start && arabic(first) {
        return None;
    }
    let arabic = arabic(first);
    let mut end = first;
    loop {
        while at(end).is_digit() {
            end = end.saturating_add(1);
        }
        let joins = match at(end) {
            Class::Separator => true,
            Class::Sign => !arabic,
            _ => false,
        };
        if !joins || !at(end.saturating_add(1)).is_digit() {
            break;
        }
        end = end.saturating_add(1);
    }
    Some(if arabic { end } else { terminators(end) })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The characters in the order of reading, without mirrors.
    fn read(visual: &str, from_right: bool) -> String {
        let characters: Vec<char> = visual.chars().collect();
        let classes: Vec<Class> = characters
            .iter()
            .map(|it| Class::of_character(*it))
            .collect();
        let order = reading(&classes, from_right);
        order.iter().map(|it| characters[it.0]).collect()
    }

    #[test]
    fn signs_of_numbers_stay_after_hebrew_letters() {
        assert_eq!(read("12.5% א", true), "א 12.5%");
        assert_eq!(read("$25-30 א", true), "א $25-30");
        assert_eq!(read("10/12/2024 א", true), "א 10/12/2024");
    }

    #[test]
    fn signs_of_numbers_are_turned_after_arabic_letters() {
        assert_eq!(read("%12.5 ب", true), "ب 12.5%");
        assert_eq!(read("2000-1990 ب", true), "ب 1990-2000");
        assert_eq!(read("10/12/2024 ب", true), "ب 10/12/2024");
        assert_eq!(
            read("\u{66a}\u{661}\u{662}\u{66b}\u{665}", true),
            "\u{661}\u{662}\u{66b}\u{665}\u{66a}"
        );
    }

    #[test]
    fn runs_of_the_other_direction_keep_their_order() {
        assert_eq!(read("ג abc 12 בא", true), "אב abc 12 ג");
        assert_eq!(read("++C 1a ב", true), "ב C 1a++");
        assert_eq!(read("a 1 בא 23 דג b", false), "a 1 גד 23 אב b");
    }

    #[test]
    fn a_third_of_the_letters_decides() {
        let of = |text: &str| is_from_right(text.chars().map(Class::of_character));
        assert_eq!(of("abcd בא"), Some(true));
        assert_eq!(of("abcde בא"), Some(false));
        assert_eq!(of("abc"), None);
    }
}
