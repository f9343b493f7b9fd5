//! Fills a page: selects the lines of a window, applies the limits, and computes the next path.

use super::cursor::Cursor;
use super::decode::Charset;
use super::input::Input;
use super::left::left;
use super::line::{Cut, Room, Written};
use super::runs::{Run, Spot, runs, signed};
use super::tail;
use super::tokens::{LineKind, PageTokens};
use crate::escapes::EscapeCounts;
use crate::limits;
use crate::path::{Lines, Range, Selector, Start};
use crate::units;
use crate::window::{Capacity, Limit, Line, Page, Total, Window};
use crate::world::Bytes;

/// The byte order mark as a character.
const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Fills a page with the lines that a window requests. `text_start` is the byte offset at which the
/// text starts: 0, or the offset after a byte order mark.
pub fn fill(input: &mut Input<'_>, coding: Charset, text_start: u64, window: &Window) -> Page {
    fill_at(input, coding, text_start, 1, window)
}

/// Fills a page with the lines that a window requests, from a text whose first line has the number
/// `line`.
pub fn fill_from(input: &mut Input<'_>, coding: Charset, line: i64, window: &Window) -> Page {
    fill_at(input, coding, 0, line, window)
}

fn fill_at(
    input: &mut Input<'_>,
    coding: Charset,
    text_start: u64,
    line: i64,
    window: &Window,
) -> Page {
    let mut filler = Filler {
        coding,
        window,
        mark: text_start > 0,
        tokens: window.tokens.map(PageTokens::new),
        page: Page {
            part: window.selector.part.clone(),
            ..Page::empty()
        },
    };
    if let Lines::Tail { count, column } = window.selector.lines {
        filler.tail(input, text_start, count, column);
    } else {
        let unit = coding.unit();
        let mut cursor = match line {
            1 => Cursor::at_start(input, unit, text_start),
            line => Cursor::new(input, unit, text_start, line),
        };
        filler.show(&mut cursor, &runs(window));
    }
    if let Some(damage) = input.damage() {
        // The text after the damage is unknown.
        if let Total::Exact(lines) = filler.page.total {
            filler.page.total = Total::AtLeast(lines);
        }
        filler.page.final_newline = None;
        filler.page.damage = Some(damage);
    }
    filler.page
}

/// Fills a page from generated text, such as a listing.
pub fn fill_text(text: String, window: &Window) -> Page {
    let mut source = Bytes::new(text.into_bytes());
    match Input::new(&mut source, None) {
        Ok(mut input) => fill(&mut input, Charset::Utf8, 0, window),
        // Reading from memory does not fail.
        Err(_) => Page::empty(),
    }
}

struct Filler<'w> {
    coding: Charset,
    window: &'w Window,
    /// Whether the text starts with a byte order mark.
    mark: bool,
    /// The tokens of the lines on the page. `None` if they are not limited.
    tokens: Option<PageTokens>,
    page: Page,
}

impl Filler<'_> {
    /// Fills the page with the last `count` lines, from the column `column` of the first of them.
    /// Searches from the end if the source is seekable, otherwise reads the whole source.
    fn tail(&mut self, input: &mut Input<'_>, text_start: u64, count: u64, column: u64) {
        let unit = self.coding.unit();
        let run = |first: i64, last: i64| Run {
            first,
            column,
            last: Some(last),
            uncut: column > 1,
        };
        if !input.seekable() {
            let kept = tail::drain(input, unit, text_start);
            let start = signed(kept.lines_before).saturating_add(1);
            let mut bytes = Bytes::new(kept.bytes);
            let Ok(mut end) = Input::new(&mut bytes, None) else {
                return;
            };
            let total = Cursor::new(&mut end, unit, 0, start).count_to_end();
            let first = total.saturating_sub(count).saturating_add(1);
            if first <= kept.lines_before {
                let left = Range::lines(first, Some(kept.lines_before));
                self.page.damage = Some(format!(
                    "only the last {} of a stream are kept; :{left} is not available",
                    units::bytes(limits::TAIL_BYTES as u64)
                ));
            }
            let first = first.max(kept.lines_before.saturating_add(1));
            let mut cursor = Cursor::new(&mut end, unit, 0, start);
            return self.show(&mut cursor, &[run(signed(first), signed(total))]);
        }
        let exact = self.window.exact_total;
        let remote = input.remote();
        let counts = |size| !remote && (exact || size <= limits::COUNTED_TAIL_BYTES);
        if !input.complete()
            && let Some(size) = input.source().info().size
            && !counts(size)
            && let Some(tail) = tail::find(input, unit, text_start, size, count)
            && tail.offset > text_start
        {
            let first = signed(tail.lines).saturating_neg();
            let mut cursor = Cursor::new(input, unit, tail.offset, first);
            return self.show(&mut cursor, &[run(first, -1)]);
        }
        let total = Cursor::at_start(input, unit, text_start).count_to_end();
        let first = total.saturating_sub(count).saturating_add(1);
        let mut cursor = Cursor::at_start(input, unit, text_start);
        self.show(&mut cursor, &[run(signed(first), signed(total))]);
    }

    fn show(&mut self, cursor: &mut Cursor<'_, '_>, runs: &[Run]) {
        let from_start = cursor.line > 0;
        // A text that consists of a byte order mark has no line that could show it.
        let from_first = runs.first().is_some_and(|run| run.first == 1);
        if self.mark && self.window.selector.raw && from_first && cursor.at_end() {
            if self.window.max_bytes(1) >= BYTE_ORDER_MARK.len() as u64 {
                self.page.text.push_str(BYTE_ORDER_MARK);
            } else {
                self.stop(Limit::Bytes(self.window.max_bytes(1)), runs, Spot::START);
            }
        }
        self.show_runs(cursor, runs);
        self.drop_bare_context();
        if let [
            Line {
                number,
                cut: Some(column),
                ..
            },
        ] = *self.page.lines
            && let Some(index) = runs
                .iter()
                .position(|run| run.last.is_none_or(|last| number <= last))
        {
            self.page.following = self.rest(
                runs,
                Spot {
                    index,
                    line: number,
                    column,
                },
            );
        }
        let exact = self.window.exact_total && !cursor.input.remote();
        if exact || cursor.input.complete() {
            cursor.count_to_end();
        }
        let inside = cursor.is_inside();
        if !inside && cursor.at_end() {
            self.page.final_newline =
                (!self.page.lines.is_empty()).then_some(!cursor.lacks_line_ending);
        }
        self.page.total = match (from_start, !inside && cursor.at_end()) {
            (true, true) => Total::Exact(cursor.lines_passed()),
            (true, false) => Total::AtLeast(u64::try_from(cursor.line).unwrap_or(0)),
            (false, _) => Total::AtLeast(runs.first().map_or(0, |run| run.first.unsigned_abs())),
        };
        if let Lines::One(Range {
            by_column: true,
            end: None,
            ..
        }) = self.window.selector.lines
            && self.page.following.is_none()
            && let Some(line) = self.page.lines.last()
        {
            let next = line.number.saturating_add(1);
            let more = match self.page.total {
                Total::Exact(total) => next <= signed(total),
                Total::AtLeast(_) => !cursor.at_end(),
            };
            if more {
                let next = Range::lines(u64::try_from(next).unwrap_or(1), None);
                self.page.following = Some(Selector {
                    part: self.window.selector.part.clone(),
                    lines: Lines::One(next),
                    raw: self.window.selector.raw,
                });
            }
        }
        self.page.following_is_inside_line = self.page.following_starts_inside_line();
        self.page.remaining = left(&self.page, self.window);
    }

    fn show_runs(&mut self, cursor: &mut Cursor<'_, '_>, runs: &[Run]) {
        let window = self.window;
        let lines = runs.iter().fold(0u64, |sum, run| {
            sum.saturating_add(run.lines(window.open_lines))
        });
        let max_bytes = window.max_bytes(lines);
        let mut room = max_bytes;
        let mut cuts = 0usize;
        // Reserves memory once: no more than the page and the source can fill.
        let most = usize::try_from(max_bytes).unwrap_or(usize::MAX);
        let head = cursor.input.head().len();
        self.page.text.reserve(most.min(head));
        for (index, run) in runs.iter().enumerate() {
            if !cursor.seek_line(run.first) {
                self.skip(index);
                return;
            }
            let mut in_run = 0u64;
            while run.last.is_none_or(|last| cursor.line <= last) {
                let column = if in_run == 0 { run.column } else { 1 };
                let number = cursor.line;
                let at = |column| Spot {
                    index,
                    line: number,
                    column,
                };
                let open_end = run.last.is_none() && in_run >= window.open_lines;
                let full = self.page.lines.len() as u64 >= window.max_lines;
                if open_end || full || cuts >= limits::CUT_LINES {
                    if !cursor.at_end() {
                        self.stop(Limit::Lines, runs, at(column));
                    }
                    return;
                }
                let uncut = window.selector.raw || (in_run == 0 && run.uncut);
                match self.show_line(cursor, column, uncut, room) {
                    Shown::Line(used) => room = room.saturating_sub(used),
                    Shown::Cut(used) => {
                        room = room.saturating_sub(used);
                        cuts = cuts.saturating_add(1);
                    }
                    Shown::CutByBytes(next) => {
                        return self.stop(Limit::Bytes(max_bytes), runs, at(next));
                    }
                    Shown::CutByTokens(next) => {
                        return self.stop(self.token_limit(), runs, at(next));
                    }
                    Shown::Nothing => {
                        return self.stop(Limit::Bytes(max_bytes), runs, at(column));
                    }
                    Shown::NothingByTokens => {
                        return self.stop(self.token_limit(), runs, at(column));
                    }
                }
                in_run = in_run.saturating_add(1);
                // Does not search for the end of the last line: that line may be very long.
                if run.last == Some(number) {
                    break;
                }
                if cursor.at_end() {
                    self.skip(index.saturating_add(1));
                    return;
                }
            }
        }
    }

    /// Writes the line at the cursor onto the page, if the line fits or is the first one of the
    /// page.
    fn show_line(
        &mut self,
        cursor: &mut Cursor<'_, '_>,
        column: u64,
        uncut: bool,
        bytes: u64,
    ) -> Shown {
        let raw = self.window.selector.raw;
        let strict = matches!(self.window.capacity, Capacity::Bytes(_));
        let number = cursor.line;
        let cost = self.window.line_overhead(number);
        let (start, marks) = (self.page.text.len(), self.page.escapes);
        let mut bytes_left = bytes.saturating_sub(cost);
        if raw && self.mark && (number, column) == (1, 1) {
            if strict && bytes_left < BYTE_ORDER_MARK.len() as u64 {
                self.push_line(
                    number,
                    column,
                    start,
                    Written {
                        cut: Some(Cut::Bytes(column)),
                        length: None,
                    },
                );
                return Shown::CutByBytes(column);
            }
            self.page.text.push_str(BYTE_ORDER_MARK);
            bytes_left = bytes_left.saturating_sub(BYTE_ORDER_MARK.len() as u64);
        }
        let mut before = String::new();
        if self.tokens.is_some() {
            self.window.numbering.write(number, column, &mut before);
        }
        // Only the first line is cut at the budget. Another one that does not fit is left for the next page.
        let tokens = self.tokens.as_ref().filter(|_| self.page.lines.is_empty());
        let tokens = tokens.map(|tokens| {
            let mark = self.page.text.get(start..).unwrap_or_default();
            tokens.left(if raw { mark } else { &before }, raw)
        });
        let room = Room {
            skip: column.saturating_sub(1),
            chars: self.window.line_chars.filter(|_| !uncut),
            bytes: bytes_left,
            tokens,
            raw,
            strict,
        };
        let written = cursor.write_line(self.coding, &mut self.page, room);
        let cut = written.cut;
        if strict && self.page.text.get(start..) == Some(BYTE_ORDER_MARK) && cut.is_some() {
            // No selector means the text after the byte order mark, so the mark is removed too.
            self.page.text.truncate(start);
        }
        let used = self.page.text.len().saturating_sub(start) as u64;
        let used = used.saturating_add(cost);
        let (fits, used) = match cut {
            Some(Cut::Bytes(_)) => (strict && used > cost, used),
            Some(Cut::Chars(_)) => {
                let used = used.saturating_add(self.window.cut_mark_bytes);
                (used <= bytes, used)
            }
            None | Some(Cut::Tokens(_)) => (used <= bytes, used),
        };
        let is_first = self.page.lines.is_empty();
        let text = self.page.text.get(start..).unwrap_or_default();
        let kind = LineKind {
            raw,
            cut: cut.is_some(),
            must: is_first,
        };
        let tokens = self.tokens.as_mut().filter(|_| fits || is_first);
        let over = tokens.is_some_and(|tokens| !tokens.add((&before, text), kind));
        if (over || !fits) && !is_first {
            self.page.text.truncate(start);
            self.page.escapes = marks;
            return if over {
                Shown::NothingByTokens
            } else {
                Shown::Nothing
            };
        }
        self.push_line(number, column, start, written);
        match cut {
            Some(Cut::Bytes(next)) => Shown::CutByBytes(next),
            Some(Cut::Tokens(next)) => Shown::CutByTokens(next),
            Some(Cut::Chars(_)) => Shown::Cut(used),
            None => Shown::Line(used),
        }
    }

    fn token_limit(&self) -> Limit {
        Limit::Tokens(self.window.tokens.unwrap_or(u64::MAX))
    }

    fn push_line(&mut self, number: i64, column: u64, start: usize, written: Written) {
        self.page.lines.push(Line {
            number,
            column,
            start,
            cut: written.cut.map(Cut::column),
            length: written.length,
        });
    }

    /// Records that the runs from `index` on start after the end of the text.
    fn skip(&mut self, index: usize) {
        match &self.window.selector.lines {
            Lines::One(range) if index == 0 => self.page.skipped.push(*range),
            Lines::List(ranges) => self.page.skipped.extend(ranges.iter().skip(index)),
            _ => {}
        }
    }

    fn stop(&mut self, limit: Limit, runs: &[Run], spot: Spot) {
        self.page.following = self.rest(runs, spot);
        if self.page.following.is_some() {
            self.page.limit = Some(limit);
        }
    }

    /// The selector for the part of the request from a spot on. `None` if only context lines are left.
    fn rest(&self, runs: &[Run], spot: Spot) -> Option<Selector> {
        let Spot {
            index,
            line,
            column,
        } = spot;
        let requested = &self.window.selector;
        let selector = |lines| {
            Some(Selector {
                part: requested.part.clone(),
                lines,
                raw: requested.raw,
            })
        };
        let run = runs.get(index)?;
        if let Lines::Tail { .. } = requested.lines {
            let last = run.last?;
            let count = u64::try_from(last.saturating_sub(line))
                .ok()?
                .saturating_add(1);
            return selector(Lines::Tail { count, column });
        }
        let end = match &requested.lines {
            Lines::One(range) => range.end,
            Lines::List(ranges) => ranges.get(index)?.end,
            Lines::All | Lines::Tail { .. } => None,
        };
        let line = u64::try_from(line).ok()?;
        if end.is_some_and(|end| line > end) {
            return None;
        }
        let mut range = Range {
            start: Start { line, column },
            end,
            by_column: column > 1,
        };
        let Lines::List(ranges) = &requested.lines else {
            // A single range would get context lines, which are on this page already. A range
            // with a column has none.
            range.by_column |= end.is_some() && self.window.context && !requested.raw;
            return selector(Lines::One(range));
        };
        let mut left = vec![range];
        left.extend(ranges.iter().skip(index.saturating_add(1)));
        if let [only] = left.as_mut_slice() {
            only.by_column |= end.is_some() && self.window.context && !requested.raw;
            return selector(Lines::One(*only));
        }
        selector(Lines::List(left))
    }

    /// Removes all lines from the page if they are only context lines, because the requested range
    /// starts after the end of the text.
    fn drop_bare_context(&mut self) {
        if let Some(requested) = self.window.context_range()
            && self.page.limit.is_none()
            && self
                .page
                .lines
                .last()
                .is_some_and(|line| line.number < signed(requested.start.line))
        {
            self.page.text.clear();
            self.page.lines.clear();
            self.page.escapes = EscapeCounts::default();
            self.page.skipped = vec![requested];
        }
    }
}

/// The result of writing a line onto the page.
enum Shown {
    /// The line is on the page and has this many bytes.
    Line(u64),
    /// The first characters of the line are on the page and have this many bytes.
    Cut(u64),
    /// The page is full, so only a part of the line is on the page. The number is the first column
    /// that is not shown.
    CutByBytes(u64),
    /// The same, if the page has as many tokens as it may have.
    CutByTokens(u64),
    /// The line is not on the page, because its bytes do not fit after the lines before it.
    Nothing,
    /// The line is not on the page, because its tokens do not fit after the lines before it.
    NothingByTokens,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::window::Numbering;
    use proptest::prelude::*;

    fn page(text: &str, coding: Charset, window: &Window) -> Page {
        let mut source = Bytes::new(text.as_bytes().to_vec());
        let mut input = Input::new(&mut source, None).expect("bytes in memory");
        fill(&mut input, coding, 0, window)
    }

    proptest! {
        /// Only text in UTF-8 has lines that are written as they are, without a look at each character.
        #[test]
        fn page_does_not_depend_on_the_encoding(
            lines in prop::collection::vec("[ab\t\u{1b}]{0,3}b{0,12}\r?", 0..8),
            end in prop::sample::select(&["", "\n", "\r", "x"][..]),
            line_chars in prop::option::of(0u64..14),
            tokens in prop::option::of(0u64..20),
            bytes in 0u64..80,
            raw: bool,
            cuts: bool,
        ) {
            let text = lines.join("\n") + end;
            let capacity = if cuts { Capacity::Bytes(bytes) } else { Capacity::Lines(bytes) };
            let window = Window {
                selector: Selector { raw, ..Selector::NONE },
                open_lines: 5,
                max_lines: 5,
                context: false,
                exact_total: true,
                numbering: Numbering::Colon,
                line_chars,
                cut_mark_bytes: 3,
                capacity,
                reply_bytes: 1000,
                tokens,
            };
            let plain = page(&text, Charset::Utf8, &window);
            let decoded = page(&text, Charset::Web(encoding_rs::WINDOWS_1252), &window);
            prop_assert_eq!(plain, decoded);
        }
    }
}
