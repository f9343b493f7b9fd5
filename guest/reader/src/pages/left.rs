//! What a page leaves over of a request.

use crate::path::{Lines, Range, Selector, Start};
use crate::window::{Page, Window};

/// Asks for all that was asked for and is not on a page: what follows in lines
/// that were cut, and what comes after the last line. Whoever follows it to its
/// end gets every byte once.
///
/// Lines that are counted from the end are the exception: there is no selector
/// for one of them alone, so those after the first cut one are shown again.
pub fn left(page: &Page, window: &Window) -> Option<Selector> {
    let asked = &window.selector;
    let selector = |lines| Some(Selector { lines, ..*asked });
    let mut cuts = page
        .cuts()
        .filter(|(line, _)| is_asked(&asked.lines, line.number))
        .peekable();
    let Some((first, column)) = cuts.peek().copied() else {
        return page.rest.clone();
    };
    if first.number < 0 {
        return Some(page.rest_of(first, column));
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
        && goes_to_the_end(&asked.lines, &after, last)
    {
        // Alone, what follows in a line is followed by all lines after it.
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

/// What follows in a line from a column on.
fn one_line(line: u64, column: u64) -> Range {
    Range {
        start: Start { line, column },
        end: Some(line),
        by_column: true,
    }
}

/// Whether a line was asked for, and is not only there as context.
fn is_asked(asked: &Lines, line: i64) -> bool {
    let Ok(line) = u64::try_from(line) else {
        return true;
    };
    let inside =
        |range: &Range| range.start.line <= line && range.end.is_none_or(|end| line <= end);
    match asked {
        Lines::One(range) => inside(range),
        Lines::List(ranges) => ranges.iter().any(inside),
        Lines::All | Lines::Tail { .. } => true,
    }
}

/// The ranges that come after the last line of a page whose lines are counted
/// from the start.
fn after(page: &Page) -> Vec<Range> {
    match page.rest.as_ref().map(|rest| &rest.lines) {
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

/// Whether all lines of the text after the last one of the page were asked for,
/// and are left.
fn goes_to_the_end(asked: &Lines, after: &[Range], last: u64) -> bool {
    let next = Start {
        line: last.saturating_add(1),
        column: 1,
    };
    // An open range that starts later does not ask for the next line.
    let asks_on = |range: &Range| range.end.is_none() && range.start.line <= next.line;
    let open = match asked {
        Lines::All => true,
        Lines::One(range) => asks_on(range),
        Lines::List(ranges) => ranges.last().is_some_and(asks_on),
        Lines::Tail { .. } => false,
    };
    open && match after {
        [] => true,
        [only] => only.start == next,
        _ => false,
    }
}
