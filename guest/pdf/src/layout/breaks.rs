//! Where paragraphs end: by the gap between lines, the indentation, and lines that are not full.

use super::lines::Line;
use super::order;
use super::parts::{Kind, Part};
use super::words::{Rise, Word, space_between};

/// The margins and the distance of lines of a region.
#[derive(Clone, Copy, Debug, Default)]
pub struct Margins {
    /// The start of most lines: `x0`, or `-x1` for text from the right.
    pub start: f32,
    /// The start of most of the text.
    pub usual: f32,
    /// The end of full lines.
    pub end: f32,
    /// The usual distance of lines, relative to the size.
    pub pitch: f32,
    /// Whether full lines end at one position.
    pub justified: bool,
}

/// The start of a line in the direction of reading.
pub fn start(line: &Line) -> f32 {
    if line.rtl { -line.x1 } else { line.x0 }
}

/// The end of a line in the direction of reading.
pub fn end(line: &Line) -> f32 {
    if line.rtl { -line.x0 } else { line.x1 }
}

impl Margins {
    /// The margins of the lines of a region.
    pub fn of(lines: &[&Line]) -> Self {
        let mut starts: Vec<f32> = lines.iter().map(|it| start(it)).collect();
        starts.sort_by(f32::total_cmp);
        let least = starts.first().copied().unwrap_or_default();
        let ends = lines.iter().map(|it| end(it)).fold(f32::MIN, f32::max);
        let size = lines.iter().map(|it| it.size).fold(0.0, f32::max);
        let at_end = lines
            .iter()
            .filter(|it| (ends - end(it)).abs() < 0.15 * size)
            .count();
        let mut steps: Vec<f32> = lines
            .windows(2)
            .filter_map(|pair| match pair {
                [a, b] if (a.size - b.size).abs() < 0.04 * a.size => Some((b.y - a.y) / a.size),
                _ => None,
            })
            .filter(|it| (0.8..3.0).contains(it))
            .collect();
        steps.sort_by(f32::total_cmp);
        // Lines of one paragraph are closer than paragraphs.
        let pitch = steps.get(steps.len() / 4).copied().unwrap_or(1.25);
        Self {
            start: least,
            usual: usual(lines).unwrap_or(least),
            end: ends,
            pitch: pitch.clamp(0.9, 2.2),
            justified: at_end >= 3 && at_end.saturating_mul(3) > lines.len(),
        }
    }

    /// Whether a line reaches the end of the column.
    pub fn is_full(&self, line: &Line) -> bool {
        let slack = if self.justified { 1.0 } else { 6.0 };
        self.end - end(line) < slack * line.size
    }

    /// Whether a line is indented.
    pub fn is_indented(&self, line: &Line) -> bool {
        start(line) > self.start + 0.6 * line.size
    }
}

/// The start of most of the text.
fn usual(lines: &[&Line]) -> Option<f32> {
    let mut starts: Vec<(f32, usize)> = lines.iter().map(|it| (start(it), it.chars)).collect();
    starts.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut best: Option<(f32, usize)> = None;
    let mut current: Option<(f32, usize)> = None;
    for (at, chars) in starts {
        current = match current {
            Some((first, sum)) if at - first < 2.0 => Some((first, sum.saturating_add(chars))),
            _ => Some((at, chars)),
        };
        if current.map_or(0, |it| it.1) > best.map_or(0, |it| it.1) {
            best = current;
        }
    }
    best.map(|it| it.0)
}

/// Whether a line starts a new paragraph.
pub fn starts(
    open: &[Line],
    item: bool,
    before: &Line,
    line: &Line,
    after: Option<&Line>,
    margins: &Margins,
    words: &[Word],
) -> bool {
    let size = before.size.max(line.size);
    let gap = line.y - before.y;
    let mut pitch = margins.pitch * size;
    // The paragraph's own distance of lines.
    if let [.., a, b] = open {
        let own = b.y - a.y;
        if own > 0.8 * size && own < 1.3 * pitch {
            pitch = own;
        }
    }
    if gap > 1.22 * pitch + 0.5 || gap < -0.5 * size {
        return true;
    }
    // A line of a paragraph may be mostly inline code in a smaller size.
    let shares = has_size(words, line, before.size) || has_size(words, before, line.size);
    if (before.size - line.size).abs() > 0.12 * size && !shares {
        return true;
    }
    if before.mono != line.mono && (before.mono && open.len() > 1) {
        return true;
    }
    let indent = (start(line) - start(before)) / size;
    let centred = (line.x0 + line.x1 - before.x0 - before.x1).abs() < 0.6 * size
        && indent.abs() > 0.4
        && (before.size - line.size).abs() < 0.04 * size
        && !margins.is_full(before);
    if centred {
        return false;
    }
    let unfilled = fits(before, line, margins, words, open);
    if indent > 0.4 {
        if open.len() >= 2 {
            return true;
        }
        let hangs = after.is_some_and(|it| {
            (start(it) - start(line)).abs() < 0.3 * size && it.y - line.y < 1.22 * pitch + 0.5
        });
        return !(item || hangs) || unfilled;
    }
    if indent < -0.4 {
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
            !it.face.mono && it.rise == Rise::None && (it.size - size).abs() < 0.04 * size
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
        let own = open.iter().map(end).fold(f32::MIN, f32::max);
        limit = limit.min(own);
    }
    let mut width = first.x1 - first.x0;
    // A glued word goes on.
    for pair in order.windows(2).take(6) {
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
    let slack = if margins.justified { 0.7 } else { 1.2 };
    if room < width + slack * size {
        return false;
    }
    let last = last_word(words, before);
    let lower = first.text.chars().next().is_some_and(char::is_lowercase);
    let goes_on = lower && !last.is_some_and(|it| it.text.ends_with(['.', '!', '?', ':', ';']))
        || last.is_some_and(|it| is_open(&it.text));
    // Much room shows the end of a paragraph even then, in text that is justified.
    !goes_on || (margins.justified && room > width + 6.0 * size)
}

/// Whether a sentence goes on after a word: a comma, an article or a conjunction.
pub fn is_open(text: &str) -> bool {
    text.ends_with(',')
        || matches!(
            text,
            "a" | "an"
                | "and"
                | "der"
                | "die"
                | "et"
                | "for"
                | "of"
                | "or"
                | "the"
                | "to"
                | "und"
                | "with"
        )
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
    (start(line) - text_x).abs() < 0.5 * line.size
}
