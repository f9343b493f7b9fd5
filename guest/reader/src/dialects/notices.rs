//! Sentences that every dialect says alike.

use crate::answer::{Answer, Binary, Body, Ending, Inside, Text};
use crate::digest::Unhashed;
use crate::failure::{Failure, Message, NotText, Reason};
use crate::limits;
use crate::path::{Lines, Part, UnitRange};
use crate::units;
use crate::visible::visible;
use crate::window::{Line, Page, Total, runs};
use std::fmt::{self, Write as _};

/// The facts worth a sentence, each for a bracketed line of its own.
pub fn notes(answer: &Answer) -> Vec<Message> {
    let mut notes = answer.notes.clone();
    if let Body::Text(text) = &answer.body {
        notes.extend(encoding(text));
        notes.extend(marks(text));
    }
    if let Some(damage) = answer.page().and_then(|page| page.damage.clone()) {
        notes.push(damage);
    }
    if let Some(Err(Unhashed::Time)) = answer.digest {
        notes.extend(unhashed(answer));
    }
    notes.into_iter().map(Message::from).collect()
}

/// Why there is no hash where one was asked for.
pub fn unhashed(answer: &Answer) -> Option<String> {
    let why = match answer.digest.as_ref()? {
        Ok(_) => return None,
        Err(Unhashed::Time) => {
            let size = answer.size().map(units::bytes).unwrap_or_default();
            format!("hashing {size} takes longer than this read may")
        }
        Err(Unhashed::Compressed) => {
            "the content is decompressed, and has other bytes than the file".to_owned()
        }
        Err(Unhashed::Unread) => "the bytes cannot all be read a second time".to_owned(),
        Err(Unhashed::Changed) => "the file changed while it was read".to_owned(),
    };
    Some(format!("no SHA-256: {why}"))
}

/// Notes, each as a bracketed line.
pub fn bracketed(notes: &[Message]) -> impl Iterator<Item = String> {
    notes.iter().map(|note| format!("[{note}]"))
}

/// The limit that an attachment exceeds.
pub const ATTACHMENT_LIMIT: &str = "attachment-size";

/// The failure of a file that is not text, with what it is and what was noted
/// of it as a hint.
pub fn not_text(answer: &Answer, format: &str, message: impl Into<Message>) -> Failure {
    let mut hint = format!("its format: {format}");
    for note in &answer.notes {
        hint.push_str("; ");
        hint.push_str(note);
    }
    let mut inside = None;
    if let Body::Binary(Binary { holds: true, .. }) = answer.body {
        let root = visible(&answer.subject.inside(""));
        let _ = write!(hint, "; `{root}` looks inside");
        inside = Some(format!("look inside with `{root}`"));
    }
    let not_text = NotText {
        format: format.to_owned(),
        size: answer.size(),
        sha256: answer.sha256().map(str::to_owned),
        inside,
    };
    Failure::new(Reason::Binary(not_text), message).hint(hint)
}

/// The failure of the bare path of an archive, with what it holds and how that
/// is read.
pub fn archive(answer: &Answer, inside: &Inside) -> Failure {
    let typed = &answer.subject.typed;
    let entries = match (inside.entries, inside.first.len() as u64) {
        (0, _) => "it is empty".to_owned(),
        (all, shown) => {
            let first: Vec<String> = inside.first.iter().map(|e| format!("`{e}`")).collect();
            let first = first.join(", ");
            match all.checked_sub(shown) {
                None | Some(0) => format!("it holds {first}"),
                Some(more) => format!("it holds {first} and {more} more"),
            }
        }
    };
    let root = visible(&answer.subject.inside(""));
    let mut next = format!("list it with `{root}`");
    if let Some(member) = &inside.member {
        let member = visible(&answer.subject.inside(member));
        next = format!("read a member with its path, such as `{member}`, or {next}");
    }
    let not_text = NotText {
        format: inside.format.to_owned(),
        size: answer.size(),
        sha256: answer.sha256().map(str::to_owned),
        inside: Some(next.clone()),
    };
    let what = units::with_article(inside.format);
    Failure::new(
        Reason::Binary(not_text),
        format!("`{typed}` is {what}, not a text file; {entries}"),
    )
    .hint(next)
}

/// Where lines that were cut go on, for the dialects whose mark does not tell.
pub fn cuts(answer: &Answer, page: &Page) -> Option<String> {
    // What the page as a whole goes on with is said with its lines.
    let cut: Vec<&Line> = page.cuts().map(|(line, _)| line).collect();
    let (first, column) = page.cuts().next()?;
    let path = answer.subject.with(&page.rest_of(first, column));
    let lines = self::lines(&cut);
    Some(if cut.len() == 1 {
        format!("[line {lines} is cut; read on with the path {path} alone]")
    } else {
        format!("[lines {lines} are cut; read on in each with a path alone, such as {path}]")
    })
}

/// The path that goes on where a page ended, if no number of a line tells it:
/// inside a line, or in exact text.
pub fn continuation(answer: &Answer, page: &Page) -> Option<String> {
    let rest = page.rest.as_ref()?;
    let inside = match &rest.lines {
        Lines::One(range) => range.start.column > 1,
        Lines::Tail { .. } => true,
        Lines::All | Lines::List(_) => false,
    };
    (inside || rest.raw).then(|| answer.subject.with(rest))
}

/// What the lines of a page belong to, as notices name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// The listing of a directory or database.
    Listing,
    /// A file.
    File,
    /// Units of a document: `cell:4`.
    Units(UnitRange),
}

impl Extent {
    /// What the lines of a text belong to, by the part that was asked for.
    pub fn of(part: Part) -> Self {
        match part {
            Part::Units(range) => Self::Units(range),
            Part::Whole | Part::Image => Self::File,
        }
    }
}

impl fmt::Display for Extent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listing => f.write_str("listing"),
            Self::File => f.write_str("file"),
            Self::Units(range) => range.fmt(f),
        }
    }
}

/// The notice on a line after the end, with the selectors of lines that there are.
pub fn beyond(page: &Page, extent: Extent) -> Option<String> {
    let first = page.skipped.first()?.start.line;
    let (end, total) = (end(page, extent), page.total.count());
    let units = match extent {
        Extent::Units(range) => format!("{range}:"),
        Extent::Listing | Extent::File => String::new(),
    };
    Some(format!(
        "[Line {first} is beyond {end}. Use :{units}1 to read from the start, or :{units}{total} to read the last line.]"
    ))
}

/// Where a text ends, or stops to be readable.
pub fn end(page: &Page, extent: Extent) -> String {
    let total = page.total.count();
    match page.damage {
        Some(_) => format!("what can be read of the {extent} ({total} lines)"),
        None => format!("end of {extent} ({total} lines total)"),
    }
}

/// What was asked for and is not there, where something else is shown.
pub fn skipped(page: &Page, extent: Extent) -> impl Iterator<Item = String> + '_ {
    let ranges = page.skipped.iter().filter(|_| !page.lines.is_empty());
    let ranges = ranges.map(move |range| {
        let end = end(page, extent);
        format!("[Range {range} is beyond {end}; skipped]")
    });
    let column = match page.lines.as_slice() {
        [line] if line.column > 1 && page.text.trim_end_matches(['\r', '\n']).is_empty() => {
            Some(format!(
                "[Column {} is beyond the end of line {}]",
                line.column, line.number
            ))
        }
        _ => None,
    };
    column.into_iter().chain(ranges)
}

/// The failure of a call that the host had to end.
///
/// `stdin` says whether standard input was read.
pub fn ended(reason: Reason, path: &str, stdin: bool) -> Failure {
    let what = if path.is_empty() {
        "the read".to_owned()
    } else {
        format!("`{path}`")
    };
    let (message, hint) = match &reason {
        Reason::Limit { name, value, ran } if name == "time" => {
            let took = format!("{what} took longer than the {value} ms it may");
            match ran {
                // It waited for most of the time.
                Some(ran) if *ran < value / 2 && stdin => (
                    format!("{took}: standard input did not end"),
                    "allow more time, or save the input to a file first",
                ),
                Some(ran) if *ran < value / 2 => (
                    format!(
                        "{took}, and ran for {ran} ms of them: the machine is busy, or a disk does not answer"
                    ),
                    "try again later, or allow more time",
                ),
                _ => (took, "ask for fewer lines, or from the start of the file"),
            }
        }
        Reason::Limit { value, .. } => (
            format!("{what} needs more than the {value} bytes of memory it may have"),
            "ask for fewer lines",
        ),
        Reason::Cancelled(_) => (format!("cancelled: {what}"), ""),
        Reason::Path(_) => (format!("the path {what} is not UTF-8"), ""),
        Reason::Internal(cause) => (format!("the reader failed on {what}: {cause}"), ""),
        _ => (format!("the host ended the read of {what}"), ""),
    };
    let failure = Failure::new(reason, message);
    if hint.is_empty() {
        failure
    } else {
        failure.hint(hint)
    }
}

/// The encoding and the line endings, unless they are UTF-8 and LF.
fn encoding(text: &Text) -> Option<String> {
    let mut parts = Vec::new();
    let encoding = text.encoding;
    let name = encoding.coding.name();
    if name != "utf-8" || encoding.mark > 0 {
        let guessed = if encoding.guessed { " (guessed)" } else { "" };
        let mark = if encoding.mark > 0 {
            " with byte order mark"
        } else {
            ""
        };
        parts.push(format!("encoding {name}{guessed}{mark}"));
    }
    match text.ending {
        Ending::None | Ending::Lf => {}
        Ending::CrLf => parts.push("CRLF line endings".to_owned()),
        Ending::Mixed => parts.push("mixed LF and CRLF line endings".to_owned()),
        Ending::Cr => parts.push("CR line endings, shown as one line".to_owned()),
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// What was made visible, or replaced.
fn marks(text: &Text) -> Option<String> {
    let marks = text.page.marks;
    let count = |number: u64, one: &str, many: &str| {
        let name = if number == 1 { one } else { many };
        (number > 0).then(|| format!("{number} {name}"))
    };
    let parts: Vec<String> = [
        count(marks.invalid, "undecodable byte", "undecodable bytes"),
        count(marks.control, "control character", "control characters"),
        count(marks.hidden, "hidden character", "hidden characters"),
        count(
            marks.bidi,
            "bidirectional control",
            "bidirectional controls",
        ),
    ]
    .into_iter()
    .flatten()
    .collect();
    if parts.is_empty() {
        return None;
    }
    let how = if text.window.selector.raw {
        "replaced by U+FFFD"
    } else {
        "made visible"
    };
    Some(format!("{} {how}", parts.join(", ")))
}

/// Runs of lines: `1-300`, `5-16, 960-973`, `12`.
pub fn spans(page: &Page) -> String {
    spelled(&page.spans())
}

/// The same of some lines.
pub fn lines(lines: &[&Line]) -> String {
    spelled(&runs(lines.iter().copied()))
}

fn spelled(spans: &[(i64, i64)]) -> String {
    let spans = spans.iter().map(|(first, last)| {
        if first == last {
            first.to_string()
        } else if *first < 0 {
            format!("{first} to {last}")
        } else {
            format!("{first}-{last}")
        }
    });
    spans.collect::<Vec<_>>().join(", ")
}

/// Runs of lines, each with both its ends: `12-12`, `5-16, 960-973`.
pub fn ranges(page: &Page) -> String {
    let spans = page.spans();
    let ranges = spans.iter().map(|(first, last)| format!("{first}-{last}"));
    ranges.collect::<Vec<_>>().join(", ")
}

/// How many lines there are: `5123`, `at least 5123 (10.0GB)`.
pub fn total(page: &Page, size: Option<u64>) -> String {
    match (page.total, size) {
        (Total::Exact(total), _) => total.to_string(),
        (Total::AtLeast(least), None) => format!("at least {least}"),
        (Total::AtLeast(least), Some(size)) => {
            format!("at least {least} ({})", units::bytes(size))
        }
    }
}

/// What a file that is not text is, in one bracketed line, and its first
/// bytes.
pub fn binary(answer: &Answer, binary: &Binary) -> String {
    let raw = if binary.raw {
        "; use :raw to read it as text"
    } else {
        ""
    };
    if let Some(member) = answer.subject.last_step() {
        let size = units::bytes(answer.bytes().unwrap_or(0));
        return format!(
            "[Cannot read binary archive entry '{}' ({size})]\n\n[{}]\n{}\n[the first {} bytes at most{raw}]",
            visible(member),
            binary.format,
            binary.hex,
            limits::HEX_BYTES
        );
    }
    let size = answer.bytes();
    let size = size.map_or_else(String::new, |size| format!(", {}", units::bytes(size)));
    format!(
        "[Cannot read binary file '{}': {}{size}]\n\n{}\n[the first {} bytes at most{raw}]",
        visible(&answer.subject.shown()),
        binary.format,
        binary.hex,
        limits::HEX_BYTES
    )
}
