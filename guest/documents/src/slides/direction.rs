//! Slides whose text is written from the right.

use super::columns::Shapes;

/// Changes the sides of all shapes if most letters of their texts are written from the right, so that the
/// shapes on the right are read first.
pub fn mirrored(mut fixed: Shapes, mut placed: Shapes) -> (Shapes, Shapes) {
    // Texts in ASCII have no such letters.
    let mut texts = fixed.iter().chain(&placed);
    if texts.all(|(_, text)| text.is_ascii()) {
        return (fixed, placed);
    }
    let mut from_right = 0_usize;
    let mut all = 0_usize;
    for (_, text) in fixed.iter().chain(&placed) {
        for char in text.chars().filter(|char| char.is_alphabetic()) {
            all = all.saturating_add(1);
            from_right = from_right.saturating_add(usize::from(is_from_right(char)));
        }
    }
    if from_right > all / 2 {
        let areas = fixed.iter_mut().chain(&mut placed);
        for area in areas.filter_map(|(area, _)| area.as_mut()) {
            let right = area.left.saturating_add(area.width.max(0));
            area.left = right.saturating_neg();
        }
    }
    (fixed, placed)
}

/// Returns whether a letter is one of a script that is written from the right, such as Hebrew and Arabic.
fn is_from_right(char: char) -> bool {
    matches!(
        char,
        '\u{590}'..='\u{8ff}'
            | '\u{fb1d}'..='\u{fdff}'
            | '\u{fe70}'..='\u{feff}'
            | '\u{10800}'..='\u{10fff}'
            | '\u{1e800}'..='\u{1efff}'
    )
}

#[cfg(test)]
mod tests {
    use super::super::area::Area;
    use super::super::order::sorted;

    fn shape(left: i64, text: &str) -> (Option<Area>, String) {
        let area = Area {
            left,
            top: 0,
            width: 900_000,
            height: 900_000,
        };
        (Some(area), text.to_owned())
    }

    #[test]
    fn shapes_with_text_from_the_right_are_read_from_the_right() {
        let left = shape(0, "שמאל");
        let right = shape(2_000_000, "ימין, PDF");
        assert_eq!(sorted(vec![left, right]), ["ימין, PDF", "שמאל"]);
        let latin = [shape(0, "left"), shape(2_000_000, "right, מ")];
        assert_eq!(sorted(latin.to_vec()), ["left", "right, מ"]);
    }
}
