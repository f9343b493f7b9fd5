//! Writes an outline: its lines with their numbers, folds and gaps.

use super::layout::Lines;
use crate::answer::Outline;
use crate::path::{self, Range, Selector};
use crate::subject::Subject;
use crate::window::{Numbering, Page};
use omniread_outline::Piece;
use std::fmt::Write as _;

/// The maximum number of line ranges that the footer names as examples.
const EXAMPLES: usize = 2;

/// The minimum number of lines after its first line of a range that the footer prefers as an
/// example.
const WORTH: u32 = 3;

/// Writes the lines of an outline, each followed by its notes. `page` contains the text of these
/// lines.
pub fn write(outline: &Outline, page: &Page, lines: Lines, out: &mut String) {
    write_with(outline, page, lines, &outline.annotations, out);
}

fn write_with(
    outline: &Outline,
    page: &Page,
    lines: Lines,
    annotations: &[(usize, String)],
    out: &mut String,
) {
    let numbers = outline.pieces.len().saturating_mul(16);
    out.reserve(page.text.len().saturating_add(numbers));
    let mut index = 0usize;
    // Pieces and lines of the page are in the same order.
    let mut next = |line: u32| {
        let number = |at: usize| page.lines.get(at).map(|line| line.number);
        while number(index).is_some_and(|number| number < i64::from(line)) {
            index = index.saturating_add(1);
        }
        index
    };
    let mut annotations = annotations.iter().peekable();
    for (at, piece) in outline.pieces.iter().enumerate() {
        if at > 0 {
            out.push('\n');
        }
        match piece {
            Piece::Line(line) => {
                lines.numbering.write((*line).into(), 1, out);
                lines.text(page, next(*line), out);
            }
            Piece::Fold {
                first,
                last,
                tail,
                words,
            } => {
                let _ = match lines.numbering {
                    Numbering::None => Ok(()),
                    Numbering::Bar => write!(out, "{first}-{last}|"),
                    _ => write!(out, "{first}-{last}:"),
                };
                lines.text(page, next(*first), out);
                out.push_str(" …");
                if let Some(words) = words {
                    let _ = write!(out, " {words}");
                }
                if *tail {
                    out.push(' ');
                    out.push_str(page.line(next(*last)).trim_start());
                }
            }
            Piece::Gap { first, last, words } => {
                out.push('…');
                if let Some(words) = words {
                    let _ = write!(out, " {words} ({first}-{last})");
                }
            }
        }
        while let Some((_, note)) = annotations.next_if(|(place, _)| *place == at) {
            out.push('\n');
            out.push_str(note);
        }
    }
}

/// The lines of an outline without their numbers and notes.
pub fn plain(outline: &Outline, page: &Page) -> String {
    let lines = Lines {
        numbering: Numbering::None,
        gap: None,
        cut: |_, _, _, out| out.push('…'),
    };
    let mut out = String::new();
    write_with(outline, page, lines, &[], &mut out);
    out
}

/// The number of lines that an outline leaves out, and the number of places at which it leaves out
/// lines.
pub fn elided(outline: &Outline, page: &Page) -> (u64, usize) {
    let shown = page.lines.len() as u64;
    let spans = hidden(outline).count();
    (outline.lines.saturating_sub(shown), spans)
}

/// The ranges of lines that an outline leaves out, each as its first and last line number. The
/// range of a fold (a collapsed block) includes its first line, which is shown.
fn hidden(outline: &Outline) -> impl Iterator<Item = (u32, u32)> {
    outline.pieces.iter().filter_map(|piece| match piece {
        Piece::Line(_) => None,
        Piece::Fold { first, last, .. } | Piece::Gap { first, last, .. } => Some((*first, *last)),
    })
}

/// The notice on the lines that an outline leaves out, with a path that reads some of them. `None`
/// if no lines are left out.
pub fn footer(outline: &Outline, page: &Page, subject: &Subject) -> Option<String> {
    let (lines, _) = elided(outline, page);
    if lines == 0 {
        return None;
    }
    let long = hidden(outline).filter(|(first, last)| last.saturating_sub(*first) >= WORTH);
    let mut examples: Vec<(u32, u32)> = long.take(EXAMPLES).collect();
    if examples.is_empty() {
        examples.extend(hidden(outline).take(EXAMPLES));
    }
    let range = |(first, last): &(u32, u32)| Range::lines((*first).into(), Some((*last).into()));
    let ranges: Vec<Range> = examples.iter().map(range).collect();
    let lines = format!("{lines} line{} elided", if lines == 1 { "" } else { "s" });
    if ranges.is_empty() {
        return Some(format!("[{lines}]"));
    }
    let selector = Selector {
        lines: path::Lines::List(ranges),
        ..Selector::of(page.part.clone())
    };
    Some(format!(
        "[{lines}; re-read needed ranges, e.g. {}]",
        subject.with_selector(&selector)
    ))
}
