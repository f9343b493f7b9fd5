//! Writes the view of a log: its lines with their numbers, what is known of errors, and the lines between them.

use super::layout::Lines;
use crate::answer::{Log, Mark, Searched};
use crate::path::{self, Range, Selector};
use crate::units;
use crate::window::{Line, Page, Total};
use std::fmt::Write as _;

/// Writes the lines of a view, each followed by what is known of its error, and a line for the lines that are left
/// out before the next one.
pub fn write(log: &Log, page: &Page, lines: Lines, out: &mut String) {
    out.reserve(
        page.text
            .len()
            .saturating_add(page.lines.len().saturating_mul(24)),
    );
    let mut marks = log.marks.iter().peekable();
    let mut before: Option<&Line> = None;
    for (index, line) in page.lines.iter().enumerate() {
        if let Some(before) = before {
            out.push('\n');
            if let Some(gap) = gap(before.number, line.number, log) {
                let _ = writeln!(out, "… {gap}");
            }
        }
        lines.numbering.write(line.number, line.column, out);
        lines.text(page, index, out);
        while let Some(mark) = marks.next_if(|mark| mark.line == line.number) {
            let _ = write!(out, "\n[{}]", known(mark));
        }
        before = Some(line);
    }
}

/// The lines of a view without their numbers and notes.
pub fn plain(page: &Page) -> String {
    let mut out = String::with_capacity(page.text.len().saturating_add(page.lines.len()));
    let mut before: Option<&Line> = None;
    for (index, line) in page.lines.iter().enumerate() {
        if let Some(before) = before {
            let is_next = before.number.saturating_add(1) == line.number;
            out.push_str(if is_next { "\n" } else { "\n…\n" });
        }
        out.push_str(page.line(index));
        if line.cut.is_some() {
            out.push('…');
        }
        before = Some(line);
    }
    out
}

/// Lines in words: `1 line`, `1,234 lines`.
fn lines(count: u64) -> String {
    let number = units::thousands(count);
    format!("{number} line{}", if count == 1 { "" } else { "s" })
}

/// What is left out between two lines of the page, with the selector that reads it. `None` if nothing is.
fn gap(before: i64, after: i64, log: &Log) -> Option<String> {
    let next = before.saturating_add(1);
    if (before < 0) == (after < 0) {
        let count = after.saturating_sub(next);
        let count = u64::try_from(count).ok().filter(|count| *count > 0)?;
        return Some(format!(
            "{} (:{})",
            lines(count),
            range(next, after.saturating_sub(1))
        ));
    }
    let Searched::Ends { between, first, .. } = log.searched else {
        return Some(format!("(:{})", range(next, -1)));
    };
    let between = units::bytes(between);
    let first = first.saturating_add(1);
    Some(format!(
        "(:{}; {between} from :{first} on are not searched)",
        range(next, -1)
    ))
}

/// The selector of lines. Those that are counted from the end have no selector with an end.
fn range(first: i64, last: i64) -> Selector {
    let lines = match (u64::try_from(first), u64::try_from(last)) {
        (Ok(first), Ok(last)) => path::Lines::One(Range::lines(first, Some(last))),
        (Ok(first), Err(_)) => path::Lines::One(Range::lines(first, None)),
        (Err(_), _) => path::Lines::Tail {
            count: first.unsigned_abs(),
            column: 1,
        },
    };
    Selector {
        lines,
        ..Selector::NONE
    }
}

/// What is known of a line that reports an error.
fn known(mark: &Mark) -> String {
    let mut facts = Vec::new();
    if mark.follow > 0 {
        let follow = i64::try_from(mark.follow).unwrap_or(i64::MAX);
        let last = mark.line.saturating_add(follow);
        let selector = range(mark.line.saturating_add(1), last);
        let verb = if mark.follow == 1 {
            "follows"
        } else {
            "follow"
        };
        facts.push(format!("{} {verb} it: :{selector}", lines(mark.follow)));
    }
    if mark.count > 1 {
        let times = units::thousands(mark.count);
        facts.push(format!("{times} such lines, the last is {}", mark.last));
    }
    facts.join("; ")
}

/// The notices on a view: what it shows, what was searched, and how to continue.
pub fn notices(log: &Log, page: &Page, size: Option<u64>) -> Vec<String> {
    let mut notices = Vec::new();
    if page.final_newline == Some(false) {
        notices.push("[no newline at end of file]".to_owned());
    }
    let first = if log.first == 1 {
        "line".to_owned()
    } else {
        format!("{} lines", log.first)
    };
    let last = match log.last {
        0 => String::new(),
        1 => " and the last line".to_owned(),
        last => format!(" and the last {last} lines"),
    };
    let whole = match (page.total, size) {
        (Total::Exact(total), _) => units::thousands(total),
        (Total::AtLeast(_), Some(size)) => {
            format!("a {} log (lines not counted)", units::bytes(size))
        }
        (Total::AtLeast(least), None) => format!("at least {}", units::thousands(least)),
    };
    let next = page
        .following
        .as_ref()
        .map_or(String::new(), |next| format!(". Use :{next} to continue"));
    notices.push(format!(
        "[Log: showing the first {first}{last} of {whole}, and lines that report errors{next}]"
    ));
    let mut found = format!("{} report", lines(log.errors));
    if log.errors == 1 {
        found.push('s');
    }
    found.push_str(if log.errors == 1 {
        " an error"
    } else {
        " errors"
    });
    if log.warnings > 0 {
        let _ = write!(found, ", {} a warning", units::thousands(log.warnings));
    }
    if let Some(hidden) = log.first_hidden {
        let _ = write!(
            found,
            "; {} of them have a message that is not shown, from line {hidden} on",
            units::thousands(log.hidden)
        );
    }
    match log.searched {
        Searched::All => {}
        Searched::Start { lines } => {
            let _ = write!(
                found,
                ". Only the first {} lines are searched; :-50 reads the end",
                units::thousands(lines)
            );
        }
        Searched::Ends { first, last, .. } => {
            let (first, last) = (units::thousands(first), units::thousands(last));
            let _ = write!(
                found,
                ". Searched are the first {first} lines and the last {last}, which are numbered from the end: -1 is the last"
            );
        }
    }
    notices.push(format!("[{found}]"));
    notices
}
