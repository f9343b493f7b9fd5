//! Headings: by size, weight, position and the outline.

use super::breaks::{self, Margins};
use super::code;
use super::hanging;
use super::lines::Line;
use super::marker;
use super::parts::{Class, Kind, Part};
use super::scene::Scene;
use super::text;
use super::words::Word;
use crate::script;

/// The maximum number of lines of a heading.
const LINES: usize = 4;

/// Returns the look of a heading if the first of the lines is one.
pub fn class(
    scene: &Scene<'_>,
    margins: &Margins,
    before: Option<&Line>,
    lines: &[Line],
    fresh: bool,
) -> Option<Class> {
    let (line, rest) = lines.split_first()?;
    let after = rest.first();
    if line.term || before.is_some_and(|it| it.term) {
        return None;
    }
    // A heading may be at the side of all text.
    let text = scene.document.has_text_at(line);
    let bold = line.bold || !text && is_mixed(scene.words, line);
    // Several wide gaps are between the cells of a row, or in a large heading that is justified.
    let row = line.cells.len() > 2 && line.size < 1.4 * scene.body;
    let name = code::is_name(scene, before, line, after, fresh);
    if line.mono && !name || line.chars == 0 || line.chars > 200 || row {
        return None;
    }
    // A size in which much text is written is no size of headings.
    let common = !bold && line.size < 1.4 * scene.body && scene.document.is_common(line.size);
    let large = line.size > 1.08 * scene.body && !common;
    let slanted = line.italic && scene.document.slanted_headings && line.chars < 80;
    if !large && !bold && !slanted && scene.document.outline.is_empty() {
        return None;
    }
    let content = text::plain(scene.words, &[&line.words]);
    let listed = fresh
        && !scene.document.outline.is_empty()
        && line.chars >= 3
        && scene
            .document
            .outline
            .contains_key(&text::squeezed(&content));
    if !large && !bold && !slanted && !listed {
        return None;
    }
    let letters = content.chars().filter(|it| it.is_alphabetic()).count();
    if letters == 0 {
        return None;
    }
    let mut class = Class {
        size: line.size,
        bold,
        italic: line.italic && !bold,
        depth: marker::numbering(&content),
    };
    if listed {
        return Some(class);
    }
    if large {
        // The items of a list in a larger size.
        let first = line.words.first().and_then(|it| scene.words.get(*it));
        if first.is_some_and(|it| script::is_bullet(&it.text)) && line.words.len() > 1 {
            return None;
        }
        // A sentence in a larger size, such as an introduction.
        let sentence = content.ends_with(['.', '。']) && line.chars > 30 && class.depth == 0;
        if sentence && !bold && line.size < 1.5 * scene.body {
            return None;
        }
        if line.chars > 60 && !bold && line.size < 1.4 * scene.body && class.depth == 0 {
            return None;
        }
        // The title of a box inside of the text.
        let inner = breaks::start(line) > margins.usual + 0.4 * line.size;
        let boxed = inner && text && line.size < 1.2 * scene.body && class.depth == 0;
        if boxed && !is_centred(line, margins) {
            return None;
        }
        return (line.size > 1.15 * scene.body || bold || fresh).then_some(class);
    }
    // Bold text of the usual size: a line of its own at the margin.
    if line.size < 0.94 * scene.body && !name || !fresh {
        return None;
    }
    // A term with its definition is where other text starts.
    if text && class.depth == 0 && hanging::is_term(scene.words, lines, margins) {
        return None;
    }
    if class.italic && (is_caption(&content) || content.ends_with([')', '"', '”'])) {
        return None;
    }
    if content.ends_with(['.', ',', ';']) && class.depth == 0 && text
        || content.ends_with(':') && line.chars < 4
    {
        return None;
    }
    if is_marked(scene, line) && class.depth == 0 {
        return None;
    }
    // A label of the list that follows it.
    let list = after.is_some_and(|it| is_marked(scene, it));
    if content.ends_with(':') && class.depth == 0 && list {
        return None;
    }
    let centred = is_centred(line, margins);
    if text && scene.document.side_headings && !centred {
        return None;
    }
    let indented = breaks::start(line) > margins.start + 0.4 * line.size;
    // A heading may be between the margin and the text.
    // Terms of a list of options start with other characters.
    let outdented = outside(line, margins)
        && bold
        && (!content.starts_with('-') || !text && content.split(' ').nth(2).is_some())
        && (!text || !content.starts_with(|it: char| it.is_lowercase() || !it.is_alphanumeric()));
    if indented && !centred && !outdented {
        return None;
    }
    let below_other = breaks::start(line) > scene.document.left + 0.4 * line.size;
    if (indented || below_other) && outdented && class.depth == 0 {
        class.depth = 2;
    }
    let apart = |a: &Line, b: &Line| b.y - a.y > 1.12 * margins.pitch * a.size.max(b.size);
    let above = before.is_none_or(|it| apart(it, line) || it.size > 1.08 * scene.body);
    let below = after.is_none_or(|it| {
        apart(line, it)
            || breaks::start(it) > breaks::start(line) + 0.8 * line.size
            || (bold && !it.bold)
            || (class.italic && !it.italic && !margins.is_full(line))
    });
    let term = bold
        && text
        && margins.usual > breaks::start(line) + 0.8 * line.size
        && content.starts_with('-');
    (above && below && !term).then_some(class)
}

/// Whether a line is in the middle of its column.
fn is_centred(line: &Line, margins: &Margins) -> bool {
    let middle = line.x0 + line.x1 - margins.start.abs() - margins.end.abs();
    middle.abs() < 2.0 * line.size && !margins.is_full(line)
}

/// Whether a line starts at the side of the text.
fn outside(line: &Line, margins: &Margins) -> bool {
    breaks::start(line) < margins.usual - 0.8 * line.size
}

/// Whether a line starts with heavy text, and is heavy or slanted as a whole.
fn is_mixed(words: &[Word], line: &Line) -> bool {
    let mut all = line.words.iter().filter_map(|it| words.get(*it));
    let first = line.words.first().and_then(|it| words.get(*it));
    first.is_some_and(|it| it.face.bold) && all.all(|it| it.face.bold || it.face.italic)
}

/// Whether a text is the caption of a figure or a table.
fn is_caption(text: &str) -> bool {
    let first = text
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_lowercase();
    first.starts_with("fig") || first.starts_with("tab") || first.starts_with("abb")
}

/// Whether a line starts with the marker of an item.
fn is_marked(scene: &Scene<'_>, line: &Line) -> bool {
    let first = line.words.first().and_then(|it| scene.words.get(*it));
    first.is_some_and(|it| marker::marker(&it.text).is_some())
}

/// Whether a line that may be no heading of its own continues the heading before it: a heavy line that starts
/// below the heading, or below its text after a number.
pub fn wraps(scene: &Scene<'_>, part: &Part, line: &Line, margins: &Margins) -> bool {
    let (Kind::Heading(own), [first, ..]) = (&part.kind, part.lines.as_slice()) else {
        return false;
    };
    let Some(last) = part.lines.last().filter(|_| part.lines.len() < LINES) else {
        return false;
    };
    let heavy = own.bold && line.bold && (own.size - line.size).abs() < 0.04 * own.size;
    let close = line.y - last.y < 1.45 * line.size;
    if !heavy || !close || line.cells.len() > 1 || is_marked(scene, line) {
        return false;
    }
    let near = |x: f32| (x - breaks::start(line)).abs() < 0.4 * line.size;
    let hangs = is_marked(scene, first) && {
        let word = first.words.get(1).and_then(|it| scene.words.get(*it));
        word.is_some_and(|it| near(it.x0))
    };
    let word = line.words.first().and_then(|it| scene.words.get(*it));
    let full =
        word.is_some_and(|it| margins.end - breaks::end(last) < it.x1 - it.x0 + 0.3 * it.size);
    (hangs || near(breaks::start(last))) && (full || goes_on(scene.words, last, line))
}

/// Whether a sentence goes on in the next line, which starts with a small letter.
fn goes_on(words: &[Word], last: &Line, line: &Line) -> bool {
    let first = line.words.first().and_then(|it| words.get(*it));
    let end = breaks::last_word(words, last);
    first.is_some_and(|it| it.text.starts_with(char::is_lowercase))
        && end.is_some_and(|it| !it.text.ends_with(['.', '!', '?', ':', ';']))
}

/// Whether a line continues the heading before it.
pub fn continues(
    scene: &Scene<'_>,
    part: &Part,
    class: &Class,
    line: &Line,
    fresh: bool,
    margins: &Margins,
) -> bool {
    let Kind::Heading(own) = &part.kind else {
        return false;
    };
    let Some(last) = part.lines.last() else {
        return false;
    };
    let same = (own.size - class.size).abs() < 0.04 * own.size && own.bold == class.bold;
    let close = line.y - last.y < 1.55 * line.size;
    // The first line is full: its next word had no room.
    let room = margins.end - breaks::end(last);
    let first_width = line
        .cells
        .first()
        .map_or(0.0, |it| (it.x1 - it.x0).min(8.0 * line.size));
    let wrapped = room < first_width + line.size || !fresh || goes_on(scene.words, last, line);
    // Lines of a large title that are close belong together.
    let title = own.size > 1.5 * scene.body && line.y - last.y < 1.4 * line.size;
    same && close && (wrapped || title) && class.depth == 0 && part.lines.len() < LINES
}
