//! Chooses the lines of a view of a log within the limits of a page, and fills the page.

use super::parts::{Last, Parts};
use super::stretch::{Stretch, append, fitting};
use crate::answer::{Log, Mark, Searched};
use crate::encoding::Encoding;
use crate::limits;
use crate::pages::{Input, fill};
use crate::window::{Capacity, Limit, Page, Total, Window};
use crate::world::Bytes;
use omniread_document::order;
use omniread_logs::{Message, Report};

/// Fills a page with the lines of a view. `window` has the limits of the page. `first` and `last` were found in the
/// parts. `None` if the first lines do not fit.
pub fn read(
    input: &mut Input<'_>,
    encoding: Encoding,
    parts: Parts,
    (first, last): (&Report, Option<&Report>),
    window: &Window,
) -> Option<(Page, Log)> {
    let head = fill(
        input,
        encoding.charset,
        encoding.bom_len,
        &part(window, 20, window.open_lines / 10),
    );
    if head.following_is_inside_line || head.following.is_none() {
        return None;
    }
    let mut view = View {
        log: Log {
            first: head.lines.len() as u64,
            last: 0,
            errors: first.errors,
            warnings: first.warnings,
            marks: Vec::new(),
            hidden: 0,
            first_hidden: None,
            searched: match (last, parts.is_whole) {
                (Some(last), _) => Searched::Ends {
                    first: first.lines,
                    last: last.lines,
                    between: parts.left,
                },
                (None, true) => Searched::All,
                (None, false) => Searched::Start { lines: first.lines },
            },
        },
        page: head,
    };
    view.page.limit = Some(Limit::Lines);
    let most = messages(window);
    let of_tail = part(window, 25, window.open_lines / 5);
    // The text cannot be borrowed while lines are read.
    let last_lines = match &parts.last {
        Some(part) => fitting(part.text(), last.map_or(0, |last| last.lines), &of_tail),
        None if parts.is_whole => {
            let text = parts.first(input);
            let kept = text.len().saturating_sub(limits::LOG_TAIL_BYTES);
            let lines = first.lines.saturating_sub(view.log.first);
            fitting(text.get(kept..).unwrap_or_default(), lines, &of_tail)
        }
        None => 0,
    };
    let mut start = Stretch::of_start(input, encoding, first);
    if let (Some(Last { bytes, .. }), Some(report)) = (parts.last, last) {
        let half = part(window, 15, window.open_lines);
        let after = start.end();
        view.errors(&mut start, after, most / 2, &half);
        let mut bytes = Bytes::new(bytes);
        let mut input = Input::new(&mut bytes, None).ok()?;
        let mut end = Stretch::of_end(&mut input, encoding, report);
        let (tail, from) = end.tail(last_lines, &of_tail);
        view.errors(&mut end, from, most / 2, &half);
        view.tail(tail);
        view.log.errors = first.errors.saturating_add(report.errors);
        view.log.warnings = first.warnings.saturating_add(report.warnings);
        view.page.total = Total::AtLeast(first.lines.saturating_add(report.lines));
    } else {
        let is_whole = parts.is_whole;
        let (tail, from) = if is_whole {
            start.tail(last_lines, &of_tail)
        } else {
            (Page::empty(), start.end())
        };
        view.errors(&mut start, from, most, &part(window, 30, window.open_lines));
        view.tail(tail);
        view.page.total = if is_whole {
            Total::Exact(first.lines)
        } else {
            Total::AtLeast(first.lines)
        };
    }
    if let Some(damage) = input.damage() {
        // The text after the damage is unknown.
        view.page.total = Total::AtLeast(view.page.total.count());
        view.page.final_newline = None;
        view.page.damage = Some(damage);
    }
    Some((view.page, view.log))
}

/// A window for a part of the page: this share of its bytes and tokens, and this number of lines.
fn part(window: &Window, percent: u64, lines: u64) -> Window {
    let share = |of: u64| of.saturating_mul(percent) / 100;
    Window {
        capacity: Capacity::Lines(share(window.max_bytes(window.open_lines))),
        tokens: window.tokens.map(share),
        open_lines: lines.max(1),
        ..window.clone()
    }
}

/// The maximum number of messages that are shown. Their notes, and the marks of the lines between them, fit into a fifth
/// of the tokens.
fn messages(window: &Window) -> usize {
    let by_tokens = window
        .tokens
        .map_or(u64::MAX, |tokens| tokens / 5 / limits::LOG_MARK_TOKENS);
    let most = (window.open_lines / 5).min(by_tokens);
    usize::try_from(most).unwrap_or(usize::MAX)
}

/// The view, as far as it is filled.
struct View {
    page: Page,
    log: Log,
}

impl View {
    /// Adds the lines of a stretch that report errors and are before the line `end`, from which on all are shown.
    fn errors(&mut self, stretch: &mut Stretch<'_, '_>, end: u64, most: usize, window: &Window) {
        let report = stretch.report;
        // The first lines are on the page already.
        let begin = if stretch.is_start() {
            self.log.first
        } else {
            0
        };
        let is_between = |line: &u64| *line > begin && *line < end;
        let (between, shown): (Vec<&Message>, Vec<&Message>) = report
            .messages
            .iter()
            .partition(|message| is_between(&message.first));
        let chosen = chosen(&between, most);
        let lines = chosen
            .iter()
            .flat_map(|message| [Some(message.first), message.cause]);
        let mut lines: Vec<u64> = lines.flatten().filter(is_between).collect();
        order::by(&mut lines, u64::cmp);
        lines.dedup();
        let page = stretch.lines(&lines, window);
        let fits = |line: u64| {
            let number = stretch.number(line);
            page.lines.iter().any(|shown| shown.number == number)
        };
        let mut marked: Vec<&Message> = chosen
            .into_iter()
            .filter(|message| fits(message.first))
            .collect();
        let hidden = between
            .iter()
            .filter(|message| !marked.iter().any(|shown| shown.first == message.first));
        for message in hidden {
            self.hide(stretch.number(message.first), message.count);
        }
        if let Some(first) = report.first_other {
            self.hide(stretch.number(first), report.others);
        }
        marked.extend(shown.into_iter().take(most));
        order::by(&mut marked, |a, b| a.first.cmp(&b.first));
        let marks = marked
            .into_iter()
            .filter(|message| message.count > 1 || message.follow > 0);
        self.log.marks.extend(marks.map(|message| Mark {
            line: stretch.number(message.first),
            count: message.count,
            last: stretch.number(message.last),
            follow: message.follow,
        }));
        append(&mut self.page, page);
    }

    fn hide(&mut self, line: i64, count: u64) {
        self.log.hidden = self.log.hidden.saturating_add(count);
        // Lines after the ones that were not searched have negative numbers.
        let key = |line: i64| (line < 0, line);
        if self
            .log
            .first_hidden
            .is_none_or(|first| key(line) < key(first))
        {
            self.log.first_hidden = Some(line);
        }
    }

    /// Adds the last lines.
    fn tail(&mut self, tail: Page) {
        self.log.last = tail.lines.len() as u64;
        self.page.final_newline = tail.final_newline;
        append(&mut self.page, tail);
    }
}

/// Chooses `most` messages: two thirds from the start and one from the end.
fn chosen<'m>(messages: &[&'m Message], most: usize) -> Vec<&'m Message> {
    let last = if messages.len() > most { most / 3 } else { 0 };
    let first = most.saturating_sub(last).min(messages.len());
    let end = messages.len().saturating_sub(last);
    let first = messages.get(..first).unwrap_or_default();
    let last = messages.get(end..).unwrap_or_default();
    first.iter().chain(last).copied().collect()
}
