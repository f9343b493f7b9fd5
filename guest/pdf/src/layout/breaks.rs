//! Where paragraphs end: by the gap between lines, the indentation, and lines that are not full.

use super::lines::Line;
use super::margins::{Margins, end, start};
use super::order;
use super::parts::{Kind, Part};
use super::place::Place;
use super::scene::Scene;
use super::sizes;
use super::words::{Rise, Word, space_between};
use crate::extremes::Extremes as _;
use crate::language;

/// The distance of lines above which a paragraph starts, relative to the usual distance. The lines of a paragraph
/// differ by less: raised numbers and formulas move them a little.
pub const PARAGRAPH: f32 = 1.22;

/// Points that are added to a distance, because positions are rounded.
pub const ROUNDING: f32 = 0.5;

/// The distance of lines above which a heading is apart from the lines around it, relative to the usual distance. It
/// is less than that of paragraphs, because the look of the heading separates it too.
pub const APART: f32 = 1.12;

/// The distances between which the last two lines of a paragraph say its own distance: the least in font sizes, and
/// the greatest relative to the usual distance.
const OWN_LEAST: f32 = 0.8;
const OWN_MOST: f32 = 1.3;

/// The distance in font sizes by which a line is above the one before, so that it is in another column.
const ABOVE: f32 = 0.5;

/// The difference of sizes above which a paragraph starts, relative to the size. It is greater than that of equal
/// sizes, because code and small capitals in a paragraph are smaller.
const OTHER_SIZE: f32 = 0.12;

/// The distance of the starts of two lines of a paragraph in font sizes above which the paragraph ends, unless the
/// first line is indented or hangs.
const SHIFT: f32 = 0.4;

/// The difference of the middles of two lines, in font sizes, below which both are centred, twice.
const CENTRED: f32 = 0.6;

/// The distance of starts in font sizes below which the next line shows that a line hangs.
const HANGS: f32 = 0.3;

/// The room beside a word that shows that it would have had room on the line before, in font sizes: in text that is
/// justified, in other text, and in a sentence that goes on.
const ROOM: f32 = 0.7;
const ROOM_RAGGED: f32 = 1.2;
const MUCH_ROOM: f32 = 6.0;

/// The maximum number of words without spaces between them that are one word for [`ROOM`].
const GLUED: usize = 6;

/// The distance of the start of a line from the text of an item, in font sizes, up to which it belongs to the item.
const IN_ITEM: f32 = 0.5;

/// Whether a line starts a new paragraph. `before` is the line before it, which is of the part that is open.
pub fn starts(scene: &Scene<'_>, place: &Place<'_>, before: &Line, part: &Part) -> bool {
    let Place { line, margins, .. } = *place;
    let (words, open) = (scene.words, part.lines.as_slice());
    let item = matches!(part.kind, Kind::Item { .. });
    let size = before.size.greater(line.size);
    let gap = line.y - before.y;
    let mut pitch = margins.pitch(size);
    // The paragraph's own distance of lines.
    if let [.., a, b] = open {
        let own = b.y - a.y;
        if own > OWN_LEAST * size && own < OWN_MOST * pitch {
            pitch = own;
        }
    }
    if gap > PARAGRAPH * pitch + ROUNDING || gap < -ABOVE * size {
        return true;
    }
    // A line of a paragraph may be mostly inline code in a smaller size.
    let shares = has_size(words, line, before.size) || has_size(words, before, line.size);
    if (before.size - line.size).abs() > OTHER_SIZE * size && !shares {
        return true;
    }
    if before.mono != line.mono && (before.mono && open.len() > 1) {
        return true;
    }
    let indent = (start(line) - start(before)) / size;
    let centred = (line.x0 + line.x1 - before.x0 - before.x1).abs() < CENTRED * size
        && indent.abs() > SHIFT
        && (before.size - line.size).abs() < sizes::SAME * size
        && !margins.is_full(before);
    if centred {
        return false;
    }
    let unfilled = fits(before, line, margins, words, open);
    if indent > SHIFT {
        if open.len() >= 2 {
            return true;
        }
        let hangs = place.after().is_some_and(|it| {
            (start(it) - start(line)).abs() < HANGS * size
                && it.y - line.y < PARAGRAPH * pitch + ROUNDING
        });
        return !(item || hangs) || unfilled;
    }
    if indent < -SHIFT {
        // The first line was indented, or the marker of an item.
        if open.len() <= 1 {
            return unfilled;
        }
        return true;
    }
    unfilled
}

/// Whether a line has text of a size that is not code.
fn has_size(words: &[Word], line: &Line, size: f32) -> bool {
    let code = |it: &usize| words.get(*it).is_some_and(|it| it.face.mono);
    line.words.iter().any(code)
        && line.words.iter().filter_map(|it| words.get(*it)).any(|it| {
            !it.face.mono && it.rise == Rise::None && (it.size - size).abs() < sizes::SAME * size
        })
}

/// Whether the first word of a line would have had room at the end of the line before.
fn fits(before: &Line, line: &Line, margins: &Margins, words: &[Word], open: &[Line]) -> bool {
    let order = order::words(words, &line.words);
    let Some(first) = order.first().and_then(|it| words.get(*it)) else {
        return true;
    };
    let mut limit = margins.end;
    // A block with a narrower measure, such as a quotation.
    if open.len() >= 3 {
        let own = open.iter().map(end).fold(f32::MIN, f32::greater);
        limit = limit.lesser(own);
    }
    let mut width = first.x1 - first.x0;
    // A glued word goes on.
    for pair in order.windows(2).take(GLUED) {
        let [a, b] = pair else { break };
        let (Some(a), Some(b)) = (words.get(*a), words.get(*b)) else {
            break;
        };
        if space_between(a, b) {
            break;
        }
        width += b.x1 - b.x0;
    }
    let size = line.size;
    let room = limit - end(before);
    let slack = if margins.justified { ROOM } else { ROOM_RAGGED };
    if room < width + slack * size {
        return false;
    }
    let last = last_word(words, before);
    let lower = first.text.chars().next().is_some_and(char::is_lowercase);
    let goes_on = lower && !last.is_some_and(|it| it.text.ends_with(['.', '!', '?', ':', ';']))
        || last.is_some_and(|it| language::is_open(&it.text));
    // Much room shows the end of a paragraph even then, in text that is justified.
    !goes_on || (margins.justified && room > width + MUCH_ROOM * size)
}

/// The last word of a line in the order of reading.
pub fn last_word<'a>(words: &'a [Word], line: &Line) -> Option<&'a Word> {
    let last = if line.rtl {
        line.words.first()
    } else {
        line.words.last()
    };
    last.and_then(|it| words.get(*it))
}

/// Whether a line belongs to the item before it, as a paragraph of its own.
pub fn inside_item(part: &Part, line: &Line) -> bool {
    let text_x = match &part.kind {
        Kind::Item { text_x, .. } => *text_x,
        Kind::More => part.lines.first().map_or(f32::MAX, start),
        _ => return false,
    };
    (start(line) - text_x).abs() < IN_ITEM * line.size
}
