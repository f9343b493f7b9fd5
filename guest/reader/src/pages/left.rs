//! The part of a request that is not on a page.

use crate::path::{Lines, Range, Selector, Start};
use crate::window::{Page, Window};

/// The selector for the part of a request that is not on a page: the rest of cut lines, and the
/// lines after the page. A caller that follows these selectors to the end reads every byte once.
///
/// There is one exception, because no selector requests a single line that is counted from the end.
/// If such a line is cut, the selector requests all lines from this one on, so that the lines after
/// it are shown again.
pub fn left(page: &Page, window: &Window) -> Option<Selector> {
    let requested = &window.selector;
    let selector = |lines| {
        Some(Selector {
            part: requested.part.clone(),
            lines,
            raw: requested.raw,
        })
    };
    let mut cuts = page
        .cuts()
        .filter(|(line, _)| is_requested(&requested.lines, line.number))
        .peekable();
    let Some((first, column)) = cuts.peek().copied() else {
        return page.following.clone();
    };
    if first.number < 0 {
        return Some(page.line_remainder(first, column));
    }
    let mut left: Vec<Range> = cuts
        .map(|(line, column)| {
            let line = line.number.unsigned_abs();
            one_line(line, column)
        })
        .collect();
    let after = after(page);
    let last = page
        .lines
        .last()
        .map_or(0, |line| line.number.unsigned_abs());
    if let [only] = left.as_mut_slice()
        && only.start.line == last
        && goes_to_the_end(&requested.lines, &after, last)
    {
        // Only the last line is cut, and all lines after it are left: one open range.
        only.end = None;
        return selector(Lines::One(*only));
    }
    for range in after {
        let Range { start, end, .. } = range;
        if start.column == 1 {
            left.push(Range::lines(start.line, end));
        } else if end.is_some() {
            left.push(Range {
                by_column: true,
                ..range
            });
        } else {
            left.push(one_line(start.line, start.column));
            left.push(Range::lines(start.line.saturating_add(1), None));
        }
    }
    selector(match left.as_slice() {
        [only] => Lines::One(*only),
        _ => Lines::List(left),
    })
}

/// The range that starts at the column `column` of the line `line` and ends at the end of this
/// line.
fn one_line(line: u64, column: u64) -> Range {
    Range {
        start: Start { line, column },
        end: Some(line),
        by_column: true,
    }
}

/// Whether `requested` includes the line `line`. Context lines around the requested ranges are not
/// included.
fn is_requested(requested: &Lines, line: i64) -> bool {
    let Ok(line) = u64::try_from(line) else {
        return true;
    };
    let inside =
        |range: &Range| range.start.line <= line && range.end.is_none_or(|end| line <= end);
    match requested {
        Lines::One(range) => inside(range),
        Lines::List(ranges) => ranges.iter().any(inside),
        Lines::All | Lines::Tail { .. } => true,
    }
}

/// The requested ranges that are not shown because the page ended before them. Their line numbers
/// are counted from the start of the text.
fn after(page: &Page) -> Vec<Range> {
    match page.following.as_ref().map(|rest| &rest.lines) {
        None | Some(Lines::All) => Vec::new(),
        Some(Lines::One(range)) => vec![*range],
        Some(Lines::List(ranges)) => ranges.clone(),
        Some(Lines::Tail { count, column }) => {
            let total = page.total.count();
            let line = total.saturating_sub(*count).saturating_add(1);
            let column = *column;
            vec![Range {
                start: Start { line, column },
                end: Some(total),
                by_column: column > 1,
            }]
        }
    }
}

/// Whether all lines of the text after the line `last` were requested. `last` is the last line of
/// the page, and `after` contains the requested ranges that follow it.
fn goes_to_the_end(requested: &Lines, after: &[Range], last: u64) -> bool {
    let next = Start {
        line: last.saturating_add(1),
        column: 1,
    };
    // An open range that starts later does not include the next line.
    let includes_next = |range: &Range| range.end.is_none() && range.start.line <= next.line;
    let open = match requested {
        Lines::All => true,
        Lines::One(range) => includes_next(range),
        Lines::List(ranges) => ranges.last().is_some_and(includes_next),
        Lines::Tail { .. } => false,
    };
    open && match after {
        [] => true,
        [only] => only.start == next,
        _ => false,
    }
}
