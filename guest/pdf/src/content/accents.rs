//! Accents that are drawn as characters of their own over or under a letter, as the fonts of TeX with 128 characters
//! have them: `´` and `e` → `é`.

use crate::extremes::Extremes as _;
use crate::page::{Direction, Glyph, Text};
use unicode_normalization::char::compose;

/// The part of the width of an accent that is over its letter.
const OVER: f32 = 0.6;

/// The distance of the baselines of an accent and its letter in font sizes. Accents of capitals are raised.
const LEVEL: f32 = 0.45;

/// The combining character of an accent. `None` for other characters.
fn combining(accent: char) -> Option<char> {
    // Most characters are letters.
    if accent.is_ascii_alphanumeric() {
        return None;
    }
    Some(match accent {
        '`' | '\u{2cb}' => '\u{300}',
        '´' | '\u{2ca}' => '\u{301}',
        '^' | 'ˆ' => '\u{302}',
        '~' | '˜' => '\u{303}',
        '¯' | 'ˉ' => '\u{304}',
        '˘' => '\u{306}',
        '˙' => '\u{307}',
        '¨' => '\u{308}',
        '˚' | '°' => '\u{30a}',
        '˝' => '\u{30b}',
        'ˇ' => '\u{30c}',
        '¸' => '\u{327}',
        '˛' => '\u{328}',
        _ => return None,
    })
}

/// Gives letters the accents that are drawn over them, and marks the glyphs of these accents as left out.
pub fn join(glyphs: &mut [Glyph], left_out: &mut [bool]) {
    for at in 0..glyphs.len() {
        let Some((own, mark)) = glyphs.get(at).and_then(|it| match it.text {
            Text::One(one) => Some((it, combining(one)?)),
            _ => None,
        }) else {
            continue;
        };
        // Most accents precede their letter. A cedilla follows it.
        let places = [at.checked_add(1), at.checked_sub(1)];
        let found = places.into_iter().flatten().find_map(|place| {
            let base = glyphs.get(place)?;
            is_over(own, base)
                .then(|| accented(&base.text, mark))
                .flatten()
                .map(|text| (place, text))
        });
        if let Some((place, text)) = found
            && let (Some(base), Some(out)) = (glyphs.get_mut(place), left_out.get_mut(at))
        {
            base.text = Text::One(text);
            *out = true;
        }
    }
}

/// The letter of a glyph with an accent. `None` if there is no such character.
fn accented(base: &Text, mark: char) -> Option<char> {
    let Text::One(base) = base else { return None };
    compose(
        match base {
            'ı' => 'i',
            'ȷ' => 'j',
            other => *other,
        },
        mark,
    )
}

/// Whether an accent is over or under a letter.
fn is_over(accent: &Glyph, base: &Glyph) -> bool {
    if accent.direction != Direction::Right || base.direction != Direction::Right {
        return false;
    }
    let width = (accent.x1 - accent.x0).greater(0.01);
    let common = accent.x1.lesser(base.x1) - accent.x0.greater(base.x0);
    // The white at the sides of an accent may be beside a narrow letter.
    let least = OVER * width.lesser(base.x1 - base.x0);
    common > least && (accent.y - base.y).abs() < LEVEL * base.size
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::{Colour, FontId};

    fn glyph(text: char, x0: f32, x1: f32, y: f32) -> Glyph {
        Glyph {
            text: Text::One(text),
            x0,
            x1,
            y,
            y1: y,
            size: 10.0,
            direction: Direction::Right,
            font: FontId(0),
            colour: Colour::BLACK,
            invisible: false,
            heavy: false,
            artifact: false,
            mcid: None,
        }
    }

    fn joined(mut glyphs: Vec<Glyph>) -> String {
        let mut left_out = vec![false; glyphs.len()];
        join(&mut glyphs, &mut left_out);
        let mut out = String::new();
        for (glyph, _) in glyphs.iter().zip(left_out).filter(|it| !it.1) {
            glyph.text.push_to(&mut out);
        }
        out
    }

    #[test]
    fn accents_over_letters_are_one_character_with_them() {
        assert_eq!(
            joined(vec![glyph('´', 0.0, 5.0, 50.0), glyph('e', 0.3, 4.7, 50.0)]),
            "é"
        );
        assert_eq!(
            joined(vec![
                glyph('ˇ', 0.0, 5.0, 48.1),
                glyph('C', -1.0, 6.2, 50.0)
            ]),
            "Č"
        );
        assert_eq!(
            joined(vec![glyph('¨', 0.0, 5.0, 50.0), glyph('ı', 1.1, 3.9, 50.0)]),
            "ï"
        );
        assert_eq!(
            joined(vec![glyph('c', 0.0, 4.4, 50.0), glyph('¸', 0.0, 4.4, 50.0)]),
            "ç"
        );
    }

    #[test]
    fn accents_beside_letters_stay() {
        for text in [['´', 'e'], ['^', 'x'], ['~', 'a'], ['e', '´']] {
            let glyphs = vec![
                glyph(text[0], 0.0, 5.0, 50.0),
                glyph(text[1], 5.0, 9.4, 50.0),
            ];
            assert_eq!(joined(glyphs), text.iter().collect::<String>());
        }
        // There is no such letter.
        assert_eq!(
            joined(vec![glyph('¸', 0.0, 5.0, 50.0), glyph('7', 0.0, 5.0, 50.0)]),
            "¸7"
        );
        // A line above.
        assert_eq!(
            joined(vec![glyph('´', 0.0, 5.0, 38.0), glyph('e', 0.0, 5.0, 50.0)]),
            "´e"
        );
    }
}
