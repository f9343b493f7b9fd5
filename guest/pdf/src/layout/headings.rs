//! Headings: by size, weight, position and the outline.

use super::breaks;
use super::code;
use super::hanging;
use super::lines::Line;
use super::margins::{self, Margins};
use super::marker;
use super::parts::{Class, Kind, Part};
use super::place::Place;
use super::scene::Scene;
use super::sizes;
use super::steps;
use super::text;
use super::words::Word;
use crate::extremes::Extremes as _;
use crate::script;

/// The maximum number of lines of a heading.
const LINES: usize = 4;

/// The size from which a large line is a heading without a gap above it.
const CLEARLY_LARGE: f32 = 1.15;

/// The size below which a large line that is indented may be the title of a box. Headings of the document are
/// larger.
const BOX_TITLE: f32 = 1.2;

/// The size from which a line is a heading even if it looks like other text: it has many characters, wide gaps as
/// between cells, or the size of much other text. No text of paragraphs is so large.
const VERY_LARGE: f32 = 1.4;

/// The size of a title relative to the names of its authors at least.
const AUTHOR: f32 = 1.2;

/// The size from which even a sentence is a heading. An introduction is smaller.
const HUGE: f32 = 1.5;

/// The size below which heavy text is no heading, relative to running text: captions and notes are smaller than
/// it.
const SMALL: f32 = 0.94;

/// The number of characters below which a small line may be a title, and that of the lines below it.
const SMALL_TITLE: usize = 30;
const SMALL_TEXT: usize = 36;

/// The number of characters above which no line is a heading: two lines of a page.
const MOST_CHARACTERS: usize = 200;

/// The number of characters from which a slanted line is a sentence: a full line of a book has about as many.
const SLANTED_CHARACTERS: usize = 80;

/// The number of characters above which a large line is long, if nothing else shows that it is a heading.
const LONG_CHARACTERS: usize = 60;

/// The number of characters above which a line that ends with a full stop is a sentence. Shorter ones are
/// abbreviations and numbers.
const SENTENCE_CHARACTERS: usize = 30;

/// The number of characters below which a line with a colon is a label, such as `A:`.
const LABEL_CHARACTERS: usize = 4;

/// The number of characters from which a line may be an entry of the outline. Shorter ones recur by chance.
const LISTED_CHARACTERS: usize = 3;

/// The maximum number of words of a date.
const DATE_WORDS: usize = 5;

/// The distance from the margin above which a line is indented, in font sizes. A space is a quarter to a third.
const INDENT: f32 = 0.4;

/// The distance from the text above which a line is outside of it, or the text is indented below the line, in
/// font sizes. Signs that hang in the margin are narrower.
const OUTSIDE: f32 = 0.8;

/// The distance of the middle of a line from the middle of the column in which it is centred, in font sizes, twice.
const CENTRED: f32 = 2.0;

/// The distance of lines up to which a line that is heavy, or that has the look of a heading, may continue the
/// heading, in font sizes. The usual distance is 1.2, and larger sizes have less.
const WRAPPED_STEP: f32 = 1.45;
const HEADING_STEP: f32 = 1.55;

/// The distance of lines of a large title up to which they belong together, in font sizes.
const TITLE_STEP: f32 = 1.4;

/// The distance of the label of a chapter from its title, in font sizes.
const CHAPTER_STEP: f32 = 3.5;

/// The width of the next word, in font sizes, that is compared with the room at the end of a line at most. A cell
/// of a line may be many words.
const FIRST_WIDTH: f32 = 8.0;

/// The room beside the next word that a line needs at its end to have the word, in font sizes: a space.
const SPACE: f32 = 0.3;

/// Returns the look of a heading if a line is one.
pub fn class(
    scene: &Scene<'_>,
    place: &Place<'_>,
    fresh: bool,
    open: Option<&Part>,
) -> Option<Class> {
    let line = place.line;
    if line.term || place.before.is_some_and(|it| it.term) {
        return None;
    }
    // A heading may be at the side of all text.
    let text = scene.document.has_text_at(line);
    let bold = line.bold || !text && is_mixed(scene.words, line);
    // Several wide gaps are between the cells of a row, or in a large heading that is justified.
    let row = line.cells.len() > 2 && line.size < VERY_LARGE * scene.body;
    let name = code::is_name(scene, place, fresh);
    if line.mono && !name || line.chars == 0 || line.chars > MOST_CHARACTERS || row {
        return None;
    }
    // A size in which much text is written is no size of headings.
    let common =
        !bold && line.size < VERY_LARGE * scene.body && scene.document.is_common(line.size);
    let large = line.size > sizes::LARGE * scene.body && !common;
    let slanted = line.italic && scene.document.slanted_headings && line.chars < SLANTED_CHARACTERS;
    if line.italic && !large && !bold {
        scene.ask(|it| it.slanted = true);
    }
    let words = || line.words.iter().filter_map(|it| scene.words.get(*it));
    let may_list = fresh && line.chars >= LISTED_CHARACTERS && scene.document.may_list(words());
    if !large && !bold && !slanted && !may_list {
        return None;
    }
    let content = text::plain(scene.words, &[&line.words]);
    let listed = may_list
        && scene
            .document
            .outline
            .contains_key(&text::squeezed(&content));
    if !large && !bold && !slanted && !listed {
        return None;
    }
    if !content.contains(char::is_alphabetic) {
        return None;
    }
    let class = Class {
        size: line.size,
        bold,
        italic: line.italic && !bold,
        depth: marker::numbering(&content),
    };
    if listed {
        return Some(class);
    }
    let goes_on = !fresh && open.is_some_and(|it| steps::is_of_step(it, line));
    if goes_on || steps::is_step(scene, place, &content, open) {
        return None;
    }
    if large {
        // The authors below a title, where headings are heavy.
        let author = !bold
            && class.depth == 0
            && line.size < VERY_LARGE * scene.body
            && is_author(scene, place, open);
        return (!author && is_large_heading(scene, place, &content, &class, fresh))
            .then_some(class);
    }
    // Bold text of the usual size: a line of its own at the margin.
    let small = line.size < SMALL * scene.body && !is_small_title(scene, place, &content);
    if small && !name || !fresh {
        return None;
    }
    if is_label(scene, place, &content, &class) {
        return None;
    }
    let depth = depth_at(scene, place, &content, &class)?;
    is_apart(scene, place, &content, &class).then_some(Class { depth, ..class })
}

/// Whether a line in a larger size is a heading.
fn is_large_heading(
    scene: &Scene<'_>,
    place: &Place<'_>,
    content: &str,
    class: &Class,
    fresh: bool,
) -> bool {
    let Place { line, margins, .. } = *place;
    // The items of a list in a larger size.
    let first = line.words.first().and_then(|it| scene.words.get(*it));
    if first.is_some_and(|it| script::is_bullet(&it.text)) && line.words.len() > 1 {
        return false;
    }
    let plain = !class.bold && class.depth == 0;
    // A sentence in a larger size, such as an introduction.
    let sentence = content.ends_with(['.', '。']) && line.chars > SENTENCE_CHARACTERS;
    if sentence && plain && line.size < HUGE * scene.body {
        return false;
    }
    if line.chars > LONG_CHARACTERS && plain && line.size < VERY_LARGE * scene.body {
        return false;
    }
    // The date below a title is as large as the names of the authors.
    if !class.bold
        && line.size < VERY_LARGE * scene.body
        && is_centred(line, margins)
        && is_date(content)
    {
        return false;
    }
    // The title of a box inside of the text.
    let inner = margins::start(line) > margins.usual + INDENT * line.size;
    let boxed = inner
        && scene.document.has_text_at(line)
        && line.size < BOX_TITLE * scene.body
        && class.depth == 0;
    if boxed && !is_centred(line, margins) {
        return false;
    }
    line.size > CLEARLY_LARGE * scene.body || class.bold || fresh
}

/// Whether a line that is not heavy is below the title of the document, while headings are heavy. No look of a heading
/// is known in the sample from which they come.
fn is_author(scene: &Scene<'_>, place: &Place<'_>, open: Option<&Part>) -> bool {
    if !open.is_some_and(|it| is_title(it, place.line)) {
        return false;
    }
    scene.ask(|it| it.heavy = true);
    scene.document.has_heavy_headings()
}

/// Whether a part is a title that is not heavy, and a line is centred below it in a smaller size.
pub fn is_title(part: &Part, line: &Line) -> bool {
    let (Kind::Heading(class), Some(last)) = (&part.kind, part.lines.last()) else {
        return false;
    };
    let middle = line.x0 + line.x1 - last.x0 - last.x1;
    !class.bold && class.size > AUTHOR * line.size && middle.abs() < CENTRED * line.size
}

/// Whether a short text has a year, such as `May 2024` or `12 de mayo de 2024`.
fn is_date(content: &str) -> bool {
    let mut words = content
        .split([' ', ',', '.', '/', '-'])
        .filter(|it| !it.is_empty());
    let is_year = |it: &str| {
        it.len() == 4
            && (it.starts_with("19") || it.starts_with("20"))
            && it.bytes().all(|it| it.is_ascii_digit())
    };
    words.clone().count() <= DATE_WORDS && words.any(is_year)
}

/// Whether a line in the size of the text belongs to the text that follows it: a term, a caption, the start of a
/// sentence, an item or the label of a list.
fn is_label(scene: &Scene<'_>, place: &Place<'_>, content: &str, class: &Class) -> bool {
    let line = place.line;
    let text = scene.document.has_text_at(line);
    let plain = class.depth == 0;
    // A term with its definition is where other text starts.
    if text && plain && hanging::is_term(scene.words, place.lines, place.margins) {
        return true;
    }
    if class.italic && (is_caption(content) || content.ends_with([')', '"', '”'])) {
        return true;
    }
    if content.ends_with(['.', ',', ';']) && plain && text
        || content.ends_with(':') && line.chars < LABEL_CHARACTERS
    {
        return true;
    }
    if is_marked(scene, line) && plain {
        return true;
    }
    // A label of the list that follows it.
    let list = place.after().is_some_and(|it| is_marked(scene, it));
    content.ends_with(':') && plain && list
}

/// The depth of a heading in the size of the text, by its place at the margins. `None` if no heading is at this
/// place.
fn depth_at(scene: &Scene<'_>, place: &Place<'_>, content: &str, class: &Class) -> Option<usize> {
    let Place { line, margins, .. } = *place;
    let text = scene.document.has_text_at(line);
    let centred = is_centred(line, margins);
    if text && !centred {
        scene.ask(|it| it.side = true);
        if scene.document.side_headings {
            return None;
        }
    }
    let start = margins::start(line);
    let indented = start > margins.start + INDENT * line.size;
    // A heading may be between the margin and the text.
    // Terms of a list of options start with other characters.
    let outdented = outside(line, margins)
        && class.bold
        && (!content.starts_with('-') || !text && content.split(' ').nth(2).is_some())
        && (!text || !content.starts_with(|it: char| it.is_lowercase() || !it.is_alphanumeric()));
    if indented && !centred && !outdented {
        return None;
    }
    let below_other = start > scene.document.left + INDENT * line.size;
    let inner = (indented || below_other) && outdented && class.depth == 0;
    Some(if inner { 2 } else { class.depth })
}

/// Whether a line in the size of the text is apart from the lines around it.
fn is_apart(scene: &Scene<'_>, place: &Place<'_>, content: &str, class: &Class) -> bool {
    let Place { line, margins, .. } = *place;
    let apart =
        |a: &Line, b: &Line| b.y - a.y > breaks::APART * margins.pitch(a.size.greater(b.size));
    let above = place
        .before
        .is_none_or(|it| apart(it, line) || it.size > sizes::LARGE * scene.body);
    let below = place.after().is_none_or(|it| {
        apart(line, it)
            || margins::start(it) > margins::start(line) + OUTSIDE * line.size
            || (class.bold && !it.bold)
            || (class.italic && !it.italic && !margins.is_full(line))
    });
    let term = class.bold
        && scene.document.has_text_at(line)
        && margins.usual > margins::start(line) + OUTSIDE * line.size
        && content.starts_with('-');
    above && below && !term
}

/// Whether a line is the title of text in a small size, such as `Abstract`: one that is centred above a paragraph in its
/// size.
fn is_small_title(scene: &Scene<'_>, place: &Place<'_>, content: &str) -> bool {
    let Place { line, margins, .. } = *place;
    let is_text = |it: &Line| {
        !it.bold
            && it.cells.len() == 1
            && it.chars >= SMALL_TEXT
            && (it.size - line.size).abs() < sizes::SAME * line.size
    };
    line.bold
        && line.cells.len() == 1
        && line.chars < SMALL_TITLE
        && is_centred(line, margins)
        && !content.contains(|it: char| it.is_ascii_digit() || matches!(it, '.' | ':' | ','))
        && place
            .lines
            .iter()
            .skip(1)
            .take(2)
            .filter(|it| is_text(it))
            .count()
            == 2
        && scene.document.has_text_at(line)
}

/// Whether a line is in the middle of its column.
fn is_centred(line: &Line, margins: &Margins) -> bool {
    let middle = line.x0 + line.x1 - margins.start.abs() - margins.end.abs();
    middle.abs() < CENTRED * line.size && !margins.is_full(line)
}

/// Whether a line starts at the side of the text.
fn outside(line: &Line, margins: &Margins) -> bool {
    margins::start(line) < margins.usual - OUTSIDE * line.size
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
pub fn wraps(scene: &Scene<'_>, part: &Part, place: &Place<'_>) -> bool {
    let Place { line, margins, .. } = *place;
    let (Kind::Heading(own), [first, ..]) = (&part.kind, part.lines.as_slice()) else {
        return false;
    };
    let Some(last) = part.lines.last().filter(|_| part.lines.len() < LINES) else {
        return false;
    };
    let heavy = own.bold && line.bold && (own.size - line.size).abs() < sizes::SAME * own.size;
    let close = line.y - last.y < WRAPPED_STEP * line.size;
    if !heavy || !close || line.cells.len() > 1 || is_marked(scene, line) {
        return false;
    }
    let near = |x: f32| (x - margins::start(line)).abs() < INDENT * line.size;
    let numbered = is_marked(scene, first) || {
        let number = first.words.first().and_then(|it| scene.words.get(*it));
        number.is_some_and(|it| marker::section_depth(&it.text) > 0)
    };
    let hangs = numbered && {
        let word = first.words.get(1).and_then(|it| scene.words.get(*it));
        word.is_some_and(|it| near(it.x0))
    };
    let word = line.words.first().and_then(|it| scene.words.get(*it));
    let full =
        word.is_some_and(|it| margins.end - margins::end(last) < it.x1 - it.x0 + SPACE * it.size);
    (hangs || near(margins::start(last))) && (full || goes_on(scene.words, last, line))
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
    place: &Place<'_>,
    fresh: bool,
) -> bool {
    let Place { line, margins, .. } = *place;
    let Kind::Heading(own) = &part.kind else {
        return false;
    };
    let Some(last) = part.lines.last() else {
        return false;
    };
    let same = (own.size - class.size).abs() < sizes::SAME * own.size && own.bold == class.bold;
    let close = line.y - last.y < HEADING_STEP * line.size;
    // The first line is full: its next word had no room.
    let room = margins.end - margins::end(last);
    let first_width = line
        .cells
        .first()
        .map_or(0.0, |it| (it.x1 - it.x0).lesser(FIRST_WIDTH * line.size));
    let wrapped = room < first_width + line.size || !fresh || goes_on(scene.words, last, line);
    // Lines of a large title that are close belong together.
    let title = own.size > HUGE * scene.body && line.y - last.y < TITLE_STEP * line.size;
    same && close && (wrapped || title) && class.depth == 0 && part.lines.len() < LINES
}

/// Whether a heading is the title of the chapter whose label is the heading before it: `Chapter 1` or `Appendix A`, with
/// nothing between them.
pub fn entitles(scene: &Scene<'_>, part: &Part, class: &Class, line: &Line) -> bool {
    let (Kind::Heading(own), [label]) = (&part.kind, part.lines.as_slice()) else {
        return false;
    };
    let mut words = label.words.iter().filter_map(|it| scene.words.get(*it));
    let (Some(name), Some(number), None) = (words.next(), words.next(), words.next()) else {
        return false;
    };
    let digits = number.text.bytes().all(|it| it.is_ascii_digit());
    let letter = number.text.len() == 1 && number.text.bytes().all(|it| it.is_ascii_uppercase());
    let numbered = digits || letter || marker::roman(&number.text).is_some();
    let larger = class.size > own.size - sizes::tolerance(own.size) && class.bold == own.bold;
    let centred = (line.x0 + line.x1 - label.x0 - label.x1).abs() < CENTRED * line.size;
    let below = (margins::start(line) - margins::start(label)).abs() < INDENT * line.size;
    numbered
        && name.text.chars().all(char::is_alphabetic)
        && class.depth == 0
        && larger
        && own.size > CLEARLY_LARGE * scene.body
        && line.y - label.y < CHAPTER_STEP * line.size
        && (centred || below)
}
