//! Numbered steps of instructions, which may look like headings.

use super::lines::Line;
use super::margins;
use super::marker;
use super::parts::{Kind, Part};
use super::place::Place;
use super::scene::Scene;
use super::sizes;
use super::words::Word;

/// The maximum number of lines of a step.
const LINES: usize = 4;

/// The size from which a sentence is a heading, relative to running text.
const HUGE: f32 = 1.5;

/// The distance of the starts of the steps of one list in font sizes.
const INDENT: f32 = 0.4;

/// The number of words after its number from which a numbered line with a full stop is a sentence. Some headings have
/// a full stop.
const STEP_WORDS: usize = 3;

/// Whether a line is a numbered step: a sentence, or one of several steps without text between them.
pub fn is_step(scene: &Scene<'_>, place: &Place<'_>, content: &str, open: Option<&Part>) -> bool {
    let Place { line, .. } = *place;
    let Some(value) = number_of(scene.words, line) else {
        return false;
    };
    let sentence = content.ends_with(['.', '。']) && content.split(' ').nth(STEP_WORDS).is_some();
    if sentence && line.size < HUGE * scene.body {
        return true;
    }
    let same =
        |it: &Line| it.bold == line.bold && (it.size - line.size).abs() < sizes::SAME * line.size;
    let below =
        (margins::start(line) - INDENT * line.size)..(margins::start(line) + INDENT * line.size);
    // A step may need several lines.
    let after = place
        .lines
        .iter()
        .skip(1)
        .take(LINES)
        .take_while(|it| same(it));
    let next = after
        .map(|it| (number_of(scene.words, it), margins::start(it)))
        .find(|it| it.0.is_some());
    let is_next = next.is_some_and(|it| it.0 == value.checked_add(1) && below.contains(&it.1));
    let last = open.and_then(|it| match &it.kind {
        Kind::Item {
            marker: marker::Marker::Number(_, last, marker::Kind::Digits),
            ..
        } => Some((*last, it.lines.first()?)),
        _ => None,
    });
    is_next
        || last.is_some_and(|it| {
            it.0.checked_add(1) == Some(value)
                && same(it.1)
                && below.contains(&margins::start(it.1))
        })
}

/// Whether a line has the look of the numbered step before it.
pub fn is_of_step(part: &Part, line: &Line) -> bool {
    let numbered = matches!(
        &part.kind,
        Kind::Item {
            marker: marker::Marker::Number(..),
            ..
        }
    );
    numbered
        && part
            .lines
            .iter()
            .all(|it| it.bold == line.bold && (it.size - line.size).abs() < sizes::SAME * line.size)
}

/// The number of an item with which a line starts, if text follows it.
fn number_of(words: &[Word], line: &Line) -> Option<u32> {
    let mut all = line.words.iter().filter_map(|it| words.get(*it));
    let (first, _) = (all.next()?, all.next()?);
    match marker::marker(&first.text)? {
        marker::Marker::Number(_, value, marker::Kind::Digits) => Some(value),
        _ => None,
    }
}
