//! The markers of list items, and the labels of footnotes.

use super::breaks;
use super::limits;
use super::lines::Line;
use super::margins;
use super::marker::{self, Marker};
use super::notes;
use super::parts::{Kind, Part};
use super::scene::Scene;
use super::words::{Rise, Word, space_between};

/// The width of the white after a marker, in font sizes, below which it belongs to the word after it.
const NO_GAP: f32 = 0.12;

/// As [`NO_GAP`], where the file has no space.
const SMALL_GAP: f32 = 0.3;

/// The distance of the markers of one list in font sizes.
const SAME_PLACE: f32 = 0.5;

/// The difference of the widths of numbers in font sizes, which may be at the right side of their column.
const NUMBERS: f32 = 0.7;

/// The maximum number of parts that are searched for the item before. Inner lists are between them.
const ITEMS: usize = 60;

/// The distance by which the first item after a paragraph is indented, in font sizes.
const INDENT: f32 = 0.6;

/// The size from which a line is no note, relative to running text: after a raised number, and after another one,
/// which recurs in text.
const NOTE: f32 = 0.97;
const PLAIN_NOTE: f32 = 0.93;

/// Reads the marker of an item, which is the first of the lines.
pub fn item(
    scene: &Scene<'_>,
    lines: &[Line],
    fresh: bool,
    open: Option<&Part>,
    done: &[Part],
) -> Option<Kind> {
    let (line, after) = lines.split_first()?;
    let position = usize::from(line.rtl);
    let mut words = line.words.iter().filter_map(|it| scene.words.get(*it));
    let mut back = line
        .words
        .iter()
        .rev()
        .filter_map(|it| scene.words.get(*it));
    let (first, second) = if position == 0 {
        (words.next()?, words.next()?)
    } else {
        (back.next()?, back.next()?)
    };
    if first.rise != Rise::None || second.rise == Rise::Super {
        return None;
    }
    // Programs draw the bullets of the second level as the letter o of a font for code.
    let letter = first.text == "o" && first.face.mono && !second.face.mono;
    let found = if letter {
        Marker::Bullet
    } else {
        marker::marker(&first.text)?
    };
    let gap = if position == 0 {
        second.x0 - first.x1
    } else {
        first.x0 - second.x1
    };
    let strong = marker::is_strong_bullet(&first.text);
    let near =
        gap < NO_GAP * line.size || !space_between(first, second) && gap < SMALL_GAP * line.size;
    if near && !strong {
        return None;
    }
    let (x, text_x) = if position == 0 {
        (first.x0, second.x0)
    } else {
        (-first.x1, -second.x1)
    };
    let last = open.or(done.last());
    let same = last.and_then(|it| match &it.kind {
        Kind::Item { marker, x, .. } => Some((marker, *x)),
        _ => None,
    });
    let near = SAME_PLACE * line.size;
    let dash = matches!(first.text.as_str(), "-" | "–" | "—" | "−" | "*" | "·");
    let ok = match &found {
        Marker::Check(_) => true,
        Marker::Bullet if !dash => true,
        Marker::Bullet => {
            let beside = same.is_some_and(|it| *it.0 == Marker::Bullet && (it.1 - x).abs() < near);
            fresh || beside
        }
        Marker::Number(_, value, kind) => {
            // The item before in the same list. Inner lists are between them.
            let list = open.into_iter().chain(done.iter().rev()).take(ITEMS);
            // The text below a heavy step is at the margin.
            let mut list = list.take_while(|it| {
                matches!(it.kind, Kind::Item { .. } | Kind::More | Kind::Code)
                    || line.bold && matches!(it.kind, Kind::Paragraph)
            });
            let is_step = |it: &Part| it.lines.first().is_some_and(|it| it.bold) || !line.bold;
            let next = list.any(|it| match &it.kind {
                Kind::Item {
                    marker: Marker::Number(_, last, own),
                    x: at,
                    ..
                } if is_step(it) => {
                    last.saturating_add(1) == *value
                        && own == kind
                        && (at - x).abs() < near + NUMBERS * line.size
                }
                _ => false,
            });
            let letter = matches!(kind, marker::Kind::Upper | marker::Kind::Lower);
            // A list inside of an item, whose second number follows, or a list after a paragraph that
            // announces it.
            let first_of_list = *value == 1
                && if same.is_some() {
                    after
                        .first()
                        .is_some_and(|it| follows(scene.words, it, 2, *kind))
                } else {
                    open.is_some_and(|it| announces(scene.words, it, line))
                        && after.iter().take(limits::ITEM_LINES).any(|it| {
                            follows(scene.words, it, 2, *kind)
                                && (margins::start(it) - margins::start(line)).abs() < near
                        })
                };
            next || first_of_list
                || (fresh && (!letter || *value == 1 || first.text.ends_with(')')))
        }
    };
    ok.then_some(Kind::Item {
        marker: found,
        x,
        text_x,
    })
}

/// Whether a line starts with a number of a kind.
fn follows(words: &[Word], line: &Line, value: u32, kind: marker::Kind) -> bool {
    let first = line.words.first().and_then(|it| words.get(*it));
    let found = first.and_then(|it| marker::marker(&it.text));
    matches!(found, Some(Marker::Number(_, own, like)) if own == value && like == kind)
}

/// Whether a list may start with a line after a paragraph without a gap: the line is indented, or the
/// paragraph ends with a colon.
fn announces(words: &[Word], part: &Part, line: &Line) -> bool {
    let Some(last) = part.lines.last() else {
        return false;
    };
    let colon = breaks::last_word(words, last).is_some_and(|it| it.text.ends_with([':', '：']));
    colon || margins::start(line) > margins::start(last) + INDENT * line.size
}

/// The label of a footnote that starts with a line.
pub fn note(scene: &Scene<'_>, line: &Line, fresh: bool) -> Option<String> {
    let mut words = line.words.iter().filter_map(|it| scene.words.get(*it));
    let first = words.next()?;
    words.next()?;
    let sign = |text: &str| matches!(text, "*" | "†" | "‡" | "§" | "¶");
    let number =
        |text: &str| text.len() <= notes::LABEL && text.bytes().all(|it| it.is_ascii_digit());
    let text = first.text.as_str();
    if !(number(text) || sign(text)) || line.size > NOTE * scene.body {
        return None;
    }
    if first.rise == Rise::Super {
        return Some(text.to_owned());
    }
    (fresh && line.size < PLAIN_NOTE * scene.body && scene.labels.contains(text))
        .then(|| text.to_owned())
}
