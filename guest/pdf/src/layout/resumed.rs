//! Parts that go on in the next region of a page.

use super::draft::Draft;
use super::lines::Line;
use super::parts::{Kind, Part};
use super::words::Word;
use super::{order, text};
use crate::language;

/// The difference of the sizes of two parts of a paragraph, relative to the size.
const SAME: f32 = 0.1;

/// The maximum number of figures, captions and notes between the parts of a paragraph.
const FLOATS: usize = 8;

/// The maximum number of lines of a caption between the parts of a paragraph.
const CAPTION_LINES: usize = 4;

/// Adds the first part of a region, which may continue the last part of the region before.
pub fn join(words: &[Word], parts: &mut Vec<Part>, mut next: Part) {
    if let (Some(last), Kind::Table(found) | Kind::Terms(found, _)) =
        (parts.last_mut(), &mut next.kind)
        && let Kind::Table(own) = &mut last.kind
        && own.goes_on(found)
    {
        let text = |row: Option<&Vec<Draft>>| {
            let cells = row.into_iter().flatten();
            let lines: Vec<&[usize]> = cells
                .flat_map(|it| it.lines.iter().map(Vec::as_slice))
                .collect();
            text::plain(words, &lines)
        };
        let again = usize::from(text(own.rows.first()) == text(found.rows.first()));
        own.rows.extend(found.rows.drain(..).skip(again));
        return;
    }
    // A figure with its caption may be between the parts of a paragraph.
    let start = next.lines.first().and_then(|it| first_word(words, it));
    let lower = start.is_some_and(|it| it.text.chars().next().is_some_and(char::is_lowercase));
    let floats = |it: &Part| {
        matches!(it.kind, Kind::Block(_) | Kind::Note(_)) || lower && is_caption(words, it)
    };
    let skipped = parts
        .iter()
        .rev()
        .take(FLOATS)
        .take_while(|it| floats(it))
        .count();
    let at = parts.len().saturating_sub(skipped.saturating_add(1));
    let only_notes = parts
        .iter()
        .skip(at.saturating_add(1))
        .all(|it| matches!(it.kind, Kind::Note(_)));
    let Some(last) = parts.get_mut(at).filter(|_| lower || only_notes) else {
        parts.push(next);
        return;
    };
    let text = matches!(last.kind, Kind::Paragraph | Kind::Item { .. } | Kind::More);
    let continues = matches!(next.kind, Kind::Paragraph) && text && {
        let (a, b) = (last.lines.last(), next.lines.first());
        match (a, b) {
            (Some(a), Some(b)) => {
                (a.size - b.size).abs() < SAME * a.size
                    && goes_on(words, a, b, last.full, next.indented)
            }
            _ => false,
        }
    };
    if continues {
        last.lines.append(&mut next.lines);
        last.full = next.full;
        return;
    }
    if matches!(last.kind, Kind::Code) && matches!(next.kind, Kind::Code) {
        last.lines.append(&mut next.lines);
        return;
    }
    parts.push(next);
}

fn first_word<'w>(words: &'w [Word], line: &Line) -> Option<&'w Word> {
    let order = order::words(words, &line.words);
    order.first().and_then(|it| words.get(*it))
}

/// Whether a part is the caption of a figure or a table.
fn is_caption(words: &[Word], part: &Part) -> bool {
    let start = part.lines.first().and_then(|it| first_word(words, it));
    matches!(part.kind, Kind::Paragraph)
        && part.lines.len() <= CAPTION_LINES
        && start.is_some_and(|it| {
            let word = it.text.trim_end_matches(['.', ':']).to_lowercase();
            matches!(
                word.as_str(),
                "figure"
                    | "fig"
                    | "table"
                    | "tab"
                    | "abb"
                    | "abbildung"
                    | "tabelle"
                    | "figura"
                    | "图"
                    | "表"
            )
        })
}

/// Whether a paragraph goes on in the next column.
fn goes_on(words: &[Word], a: &Line, b: &Line, full: bool, indented: bool) -> bool {
    let order = order::words(words, &a.words);
    let end = order.last().and_then(|it| words.get(*it));
    let order = order::words(words, &b.words);
    let start = order.first().and_then(|it| words.get(*it));
    let (Some(end), Some(start)) = (end, start) else {
        return false;
    };
    let closed = end
        .text
        .trim_end_matches(['"', '”', '’', ')', '»'])
        .ends_with(['.', '!', '?', ':', '。', '！', '？']);
    let lower = start.text.chars().next().is_some_and(char::is_lowercase);
    (lower && !closed)
        || (full && !closed && !indented)
        || (full && lower)
        || language::is_open(&end.text)
}
