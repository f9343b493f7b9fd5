//! Lists of contents: lines that end with page numbers at one place.
//!
//! ```text
//! 1   Introduction                    1
//!     1.1   Aims and means . . . . .  2
//!     1.2   A long title that goes on
//!           in the next line . . . .  4
//! 2   Results                         9
//! ```
//!
//! The numbers of the pages never decrease. A table of sorted numbers has no leader dots, and no numbers of sections.

use super::leaders;
use super::lines::Line;
use super::marker;
use super::sizes;
use super::words::{Rise, Word};

/// The least numbers of entries: of a list with leader dots, and of another one.
const DOTTED: usize = 2;
const PLAIN: usize = 3;

/// The maximum number of cells of an entry without leader dots: the number of the section, the title, and the page.
const CELLS: usize = 3;

/// The difference of the right ends of page numbers in font sizes. Lists of contents hang in the margin by less.
const SAME_END: f32 = 0.3;

/// The distance of the lines of one list in font sizes: there is white around chapters.
const STEP: f32 = 4.0;

/// The maximum number of lines of an entry before the one that ends with the page number.
const WRAPPED: usize = 2;

/// A line that ends with the number of a page.
#[derive(Clone, Copy, Debug)]
struct Entry {
    /// The number, and whether it is in digits. Roman numbers are of the pages before the others.
    page: (bool, u32),
    /// Whether it has leader dots.
    dots: bool,
    /// The depth of the number of the section, and its first part.
    depth: usize,
    first: Option<u32>,
}

/// Marks the lines of lists of contents. `None` if no line is an entry.
pub fn marked(words: &[Word], lines: &[Line], body: f32) -> Option<Vec<Line>> {
    let entries: Vec<Option<Entry>> = lines.iter().map(|it| entry(words, it)).collect();
    let mut out: Option<Vec<Line>> = None;
    let mut index = 0;
    while index < lines.len() {
        let list = list(words, lines, &entries, index);
        let end = list.last().map_or(index, |it| it.saturating_add(1));
        let before = index.checked_sub(1).and_then(|it| lines.get(it));
        if is_contents(&entries, &list, before, body) {
            let own = out.get_or_insert_with(|| lines.to_vec());
            for line in own.iter_mut().take(end).skip(index) {
                line.entry = true;
            }
        }
        index = end.max(index.saturating_add(1));
    }
    out
}

/// The entries of a list that starts with a line, by their indices. The lines between them belong to the entry after
/// them.
fn list(words: &[Word], lines: &[Line], entries: &[Option<Entry>], start: usize) -> Vec<usize> {
    let mut out: Vec<usize> = Vec::new();
    let mut wrapped: Option<&Line> = None;
    let mut index = start;
    while let Some(line) = lines.get(index) {
        let above = index.checked_sub(1).and_then(|it| lines.get(it));
        let last = out.last().and_then(|it| lines.get(*it));
        if index > start && above.is_some_and(|it| !is_near(it, line)) {
            break;
        }
        match entries.get(index).copied().flatten() {
            Some(entry) => {
                let before = out
                    .last()
                    .and_then(|it| entries.get(*it).copied().flatten());
                let goes_on = before.is_none_or(|it| it.page <= entry.page)
                    && last.is_none_or(|it| (it.x1 - line.x1).abs() < SAME_END * line.size)
                    // A long title has its number before its first line.
                    && wrapped.is_none_or(|it| {
                        entry.depth == 0 && it.x1 < line.x1 && it.bold == line.bold
                    });
                if !goes_on {
                    break;
                }
                out.push(index);
                wrapped = None;
            }
            None => {
                let first = out.last().map_or(start, |it| it.saturating_add(1));
                let many = index.saturating_sub(first) >= WRAPPED;
                if many
                    || line.rtl
                    || line.cells.len() >= CELLS
                    || numbered(words, line) == 0 && wrapped.is_none()
                {
                    break;
                }
                wrapped = Some(line);
            }
        }
        index = index.saturating_add(1);
    }
    out
}

/// Whether a line may be of the list of the line above it.
fn is_near(above: &Line, line: &Line) -> bool {
    let step = line.y - above.y;
    step > 0.0 && step < STEP * line.size
}

/// Whether lines are a list of contents. `before` is the line before it.
fn is_contents(
    entries: &[Option<Entry>],
    list: &[usize],
    before: Option<&Line>,
    body: f32,
) -> bool {
    let own = || {
        list.iter()
            .filter_map(|it| entries.get(*it).copied().flatten())
    };
    if own().any(|it| it.dots) {
        return list.len() >= DOTTED;
    }
    let numbered = own().filter(|it| it.depth > 0).count();
    if list.len() < PLAIN || numbered.saturating_mul(2) < list.len() {
        return false;
    }
    let titled =
        before.is_some_and(|it| it.cells.len() == 1 && (it.bold || it.size > sizes::LARGE * body));
    let chapters: Vec<u32> = own().filter_map(|it| it.first).collect();
    let follow = chapters
        .windows(2)
        .all(|it| matches!(it, [a, b] if b == a || *b == a.saturating_add(1)));
    let deeper = own().any(|it| it.depth > 1);
    follow && (titled || deeper)
}

/// The entry of a line.
fn entry(words: &[Word], line: &Line) -> Option<Entry> {
    let (last, title) = line.words.split_last()?;
    let last = words.get(*last)?;
    if line.rtl || line.mono || last.rise != Rise::None {
        return None;
    }
    let page = marker::page(last.text.trim_start_matches(['.', ' ']))?;
    let title: Vec<&Word> = title.iter().filter_map(|it| words.get(*it)).collect();
    let glued = leaders::is_dots(&last.text);
    let dots = leaders::is_leader(words, line)
        || glued
        || title.last().is_some_and(|it| leaders::is_dots(&it.text));
    let own = line.cells.last()?;
    let apart = own.start.saturating_add(1) == line.words.len() && line.cells.len() > 1;
    if !dots && (!apart || line.cells.len() > CELLS) {
        return None;
    }
    // The title is in the line above.
    if dots && title.iter().all(|it| leaders::is_dots(&it.text)) {
        return Some(Entry {
            page,
            dots,
            depth: 0,
            first: None,
        });
    }
    // The last word before the page is of the title.
    let text = title.iter().rfind(|it| !leaders::is_dots(&it.text))?;
    let named = title.iter().any(|it| it.text.contains(char::is_alphabetic));
    let values = !dots && line.cells.len() == CELLS && !text.text.contains(char::is_alphabetic);
    if !named || values {
        return None;
    }
    let number = title.first().map_or("", |it| it.text.as_str());
    Some(Entry {
        page,
        dots,
        depth: numbered(words, line),
        first: number.split('.').next().and_then(|it| it.parse().ok()),
    })
}

/// The depth of the number of the section of a line.
fn numbered(words: &[Word], line: &Line) -> usize {
    let first = line.words.first().and_then(|it| words.get(*it));
    first.map_or(0, |it| {
        let letter = it.text.len() == 1 && it.text.bytes().all(|it| it.is_ascii_uppercase());
        let depth = marker::section_depth(&it.text);
        depth.max(usize::from(letter))
    })
}
