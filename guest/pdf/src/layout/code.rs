//! Code: which lines are code, and their text.

use super::draft::Found;
use super::lines::Line;
use super::number;
use super::parts::{Kind, Part};
use super::place::Place;
use super::scene::Scene;
use super::words::Word;
use crate::extremes::Extremes as _;

/// The distance of lines up to which a paragraph goes on after a line of inline code, in font sizes. The usual one
/// is 1.2.
const PARAGRAPH_STEP: f32 = 1.45;

/// The distance of the starts of these lines, in font sizes.
const SAME_START: f32 = 0.3;

/// The distance of lines up to which they are of one listing, in font sizes: two empty lines.
pub const LISTING_STEP: f32 = 4.0;

/// The size of a line beside a name below which it is other text, relative to the size of the name.
const SMALLER: f32 = 0.9;

/// The number of characters from which a line of code is no name. Editors wrap code there.
const NAME_CHARACTERS: usize = 80;

/// The size from which a line of code is a name, relative to running text. Code is smaller than the text around it,
/// so that heavy code may be smaller as well.
const NAME: f32 = 1.15;
const HEAVY_NAME: f32 = 0.8;

/// The distance of lines in points if there is only one.
const STEP: f32 = 12.0;

/// The maximum number of line breaks between two lines.
const BREAKS: f32 = 4.0;

/// The width of a character in font sizes if it is not known. Most fonts for code have this width.
const ADVANCE: f32 = 0.6;

/// Whether a line is code and not a paragraph that has a line of inline code.
pub fn is_code(scene: &Scene<'_>, place: &Place<'_>, fresh: bool, open: Option<&Part>) -> bool {
    let (line, after) = (place.line, place.after());
    if !line.mono || is_name(scene, place, fresh) {
        return false;
    }
    if open.is_some_and(|it| matches!(it.kind, Kind::Code)) {
        return true;
    }
    if fresh {
        // A paragraph that starts with a line of inline code goes on at once.
        let goes_on = after.is_some_and(|it| {
            !it.mono
                && it.y - line.y < PARAGRAPH_STEP * line.size
                && (it.x0 - line.x0).abs() < SAME_START * line.size
        });
        return !goes_on;
    }
    after.is_some_and(|it| it.mono)
}

/// Whether lines of code look like a table, because they have columns.
pub fn is_listing(words: &[Word], found: &Found, line: &Line, open: Option<&Part>) -> bool {
    let last = open
        .filter(|it| matches!(it.kind, Kind::Code))
        .and_then(|it| it.lines.last());
    let goes_on = last.is_some_and(|it| line.y - it.y < LISTING_STEP * line.size);
    let all = || {
        found
            .rows
            .iter()
            .flatten()
            .flat_map(|it| it.lines.iter().flatten())
    };
    line.mono && goes_on && all().filter_map(|it| words.get(*it)).all(|it| it.face.mono)
}

/// Whether a line of code is a heading, such as the name of a package: it is larger than the text, or it
/// is heavy and has no code beside it.
pub fn is_name(scene: &Scene<'_>, place: &Place<'_>, fresh: bool) -> bool {
    let line = place.line;
    let alone = |it: Option<&Line>| it.is_none_or(|it| !it.mono || it.size < SMALLER * line.size);
    line.mono
        && fresh
        && line.chars < NAME_CHARACTERS
        && alone(place.before)
        && alone(place.after())
        && (line.size > NAME * scene.body || line.bold && line.size > HEAVY_NAME * scene.body)
}

/// The text of lines of code.
pub fn text(words: &[Word], lines: &[Line]) -> String {
    let left = lines.iter().map(|it| it.x0).fold(f32::MAX, f32::lesser);
    let mut steps: Vec<f32> = lines
        .windows(2)
        .filter_map(|it| match it {
            [a, b] => Some(b.y - a.y),
            _ => None,
        })
        .filter(|it| *it > 0.0)
        .collect();
    steps.sort_by(f32::total_cmp);
    let least = steps.get(steps.len() / 4).copied().unwrap_or(STEP);
    let mut out = String::new();
    let mut last: Option<f32> = None;
    for line in lines {
        if let Some(y) = last {
            let step = (line.y - y) / least;
            let count = if step > 0.0 {
                step.round().clamp(1.0, BREAKS)
            } else {
                1.0
            };
            out.extend(std::iter::repeat_n('\n', number::count(count)));
        }
        let (width, chars) = line
            .words
            .iter()
            .filter_map(|it| words.get(*it))
            .fold((0.0, 0.0), |sum: (f32, f32), it| {
                (sum.0 + it.x1 - it.x0, sum.1 + number::float(it.chars))
            });
        let advance = if chars > 0.0 && width > 0.0 {
            width / chars
        } else {
            ADVANCE * line.size
        };
        out.push_str(&super::text::code_line(words, line, left, advance));
        last = Some(line.y);
    }
    out
}
