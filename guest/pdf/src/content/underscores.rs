//! Underscores that are drawn as short lines.
//!
//! The fonts of old TeX have no underscore. It draws a line of 0.3 em on the baseline, between two glyphs
//! of a name such as `max_size`.

use crate::page::{Direction, Glyph, PageContent, Rule, Text};

/// The lengths of an underscore, in em.
const LENGTH: std::ops::RangeInclusive<f32> = 0.2..=0.7;

/// The largest distance of an underscore from the glyphs beside it, in em.
const GAP: f32 = 0.2;

/// How far above and below the baseline an underscore is, in em.
const ABOVE: f32 = 0.1;
/// See [`ABOVE`].
const BELOW: f32 = 0.25;

/// The largest thickness of an underscore, in em.
const THICK: f32 = 0.1;

/// Makes glyphs of the short lines that are between two glyphs of a line.
pub fn insert(page: &mut PageContent) {
    let mut rules: Vec<(usize, Rule)> = page
        .rules
        .iter()
        .enumerate()
        .filter(|(_, rule)| rule.horizontal)
        .map(|(place, rule)| (place, *rule))
        .collect();
    if rules.is_empty() {
        return;
    }
    rules.sort_by(|a, b| a.1.start.total_cmp(&b.1.start));
    // The place of the glyph before each underscore, and the line.
    let mut found: Vec<(usize, usize, Rule)> = Vec::new();
    for (place, pair) in page.glyphs.windows(2).enumerate() {
        if let [before, after] = pair
            && let Some((line, rule)) = between(before, after, &rules)
        {
            found.push((place, line, rule));
        }
    }
    if found.is_empty() {
        return;
    }
    let mut at = found.iter().peekable();
    let mut glyphs = Vec::with_capacity(page.glyphs.len().saturating_add(found.len()));
    for (place, glyph) in std::mem::take(&mut page.glyphs).into_iter().enumerate() {
        let underscore = at.next_if(|it| it.0 == place).map(|(_, _, rule)| Glyph {
            text: Text::One('_'),
            x0: rule.start,
            x1: rule.end,
            ..glyph.clone()
        });
        glyphs.push(glyph);
        glyphs.extend(underscore);
    }
    page.glyphs = glyphs;
    let moved = |place: usize| place.saturating_add(found.partition_point(|it| it.0 < place));
    for drawn in &mut page.drawn {
        (drawn.start, drawn.end) = (moved(drawn.start), moved(drawn.end));
    }
    for image in &mut page.images {
        image.after = moved(image.after);
    }
    let mut lines: Vec<usize> = found.iter().map(|it| it.1).collect();
    lines.sort_unstable();
    let mut place = 0_usize;
    page.rules.retain(|_| {
        let is_glyph = lines.binary_search(&place).is_ok();
        place = place.saturating_add(1);
        !is_glyph
    });
}

/// The line that fills the space between two glyphs. `rules` are in the order of their starts.
fn between(before: &Glyph, after: &Glyph, rules: &[(usize, Rule)]) -> Option<(usize, Rule)> {
    let size = before.size;
    let space = after.x0 - before.x1;
    let same_line = before.direction == Direction::Right
        && after.direction == Direction::Right
        && (before.y - after.y).abs() < 0.05 * size
        && !before.text.is_blank()
        && !after.text.is_blank();
    if !same_line || space < LENGTH.start() * size || space > (LENGTH.end() + 2.0 * GAP) * size {
        return None;
    }
    let first = rules.partition_point(|(_, rule)| rule.start < before.x1 - GAP * size);
    rules
        .get(first..)?
        .iter()
        .take_while(|(_, rule)| rule.start < before.x1 + GAP * size)
        .take(64)
        .find(|(_, rule)| {
            let beside = (after.x0 - rule.end).abs() <= GAP * size;
            let height = (before.y - ABOVE * size)..=(before.y + BELOW * size);
            beside
                && LENGTH.contains(&((rule.end - rule.start) / size))
                && height.contains(&rule.at)
                && rule.thickness <= THICK * size
        })
        .copied()
}

#[cfg(test)]
mod tests {
    use crate::content::{Show, content};
    use crate::file::File;
    use crate::testing::pages;

    fn shown(lines: &str) -> (String, usize) {
        let content_of_page = format!(
            "BT /F1 10 Tf 50 700 Td (max) Tj ET BT /F1 10 Tf 73 700 Td (size) Tj ET {lines}"
        );
        let file = File::open(pages(&[&content_of_page], "", "", &[]), None).unwrap();
        let page = content(&file, 0, Show::Visible);
        let mut text = String::new();
        for glyph in &page.glyphs {
            glyph.text.push_to(&mut text);
        }
        (text, page.rules.len())
    }

    #[test]
    fn short_lines_are_underscores() {
        // The word ends at about 69.
        assert_eq!(shown("69.5 699.8 3 0.4 re f"), ("max_size".to_owned(), 0));
        // Above the line, thick, long, and elsewhere.
        for line in [
            "69.5 705 3 0.4 re f",
            "69.5 699 3 1.5 re f",
            "50 699.8 40 0.4 re f",
            "89.5 699.8 3 0.4 re f",
        ] {
            assert_eq!(shown(line).0, "maxsize", "{line}");
        }
    }
}
