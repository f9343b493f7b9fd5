//! Notices and failures that all dialects share.

use super::extent::Extent;
use crate::answer::{
    Answer, ArchiveSummary, Binary, Body, LineEnding, Text, UNKNOWN_FORMAT, UNREAD_DATABASE,
};
use crate::digest::DigestError;
use crate::escapes::escape_invisible;
use crate::failure::{BinaryFile, Failure, Message, OperatorHint, Reason};
use crate::path::{Range, UnitRange};
use crate::request::{Request, SliceOrigin};
use crate::sniff::Document;
use crate::units;
use crate::window::{Line, Page, Total, runs};
use std::fmt::Write as _;

/// The notes on an answer, each for a line of its own in brackets.
pub fn notes(answer: &Answer) -> Vec<Message> {
    let mut notes = answer.notes.clone();
    if let Body::Text(text) = &answer.body {
        notes.extend(encoding(text));
        notes.extend(marks(text));
    }
    if let Some(damage) = answer.page().and_then(|page| page.damage.clone()) {
        notes.push(damage);
    }
    if let Some(Err(DigestError::Time)) = answer.digest {
        notes.extend(unhashed(answer));
    }
    notes.into_iter().map(Message::from).collect()
}

/// The notice that a text is a list about the content, for dialects in which it looks like the content. `None` if it is
/// not.
pub fn list(text: &Text) -> Option<String> {
    let made = text.made.filter(|made| made.word() == "list")?;
    Some(format!("[a {}, not the text of the file]", made.name()))
}

/// The reason why a requested hash is missing. `None` if it is not missing or was not requested.
pub fn unhashed(answer: &Answer) -> Option<String> {
    let why = match answer.digest.as_ref()? {
        Ok(_) => return None,
        Err(DigestError::Time) => {
            let size = answer.size().map(units::bytes).unwrap_or_default();
            format!("hashing {size} would take most of the time that is left")
        }
        Err(DigestError::Compressed) => {
            "the content is decompressed, so it differs from the bytes on disk".to_owned()
        }
        Err(DigestError::Remote) => "only parts of the file were read".to_owned(),
        Err(DigestError::Unread) => "the bytes cannot be read a second time".to_owned(),
        Err(DigestError::Changed) => "the file changed while it was read".to_owned(),
    };
    Some(format!("no SHA-256: {why}"))
}

/// Formats notes as lines in brackets.
pub fn bracketed(notes: &[Message]) -> impl Iterator<Item = String> {
    notes.iter().map(|note| format!("[{note}]"))
}

/// The name, in failures, of the limit on the size of an attachment, such as a PDF file.
pub const ATTACHMENT_LIMIT: &str = "attachment-size";

/// The failure for a file that is not text. The hint contains the format of the file and the notes
/// on it.
pub fn not_text(answer: &Answer, format: &str, message: impl Into<Message>) -> Failure {
    let mut hint = if format == UNKNOWN_FORMAT {
        "the content has no known format".to_owned()
    } else {
        format!("the format, detected from the content, is {format}")
    };
    for note in &answer.notes {
        hint.push_str("; ");
        hint.push_str(note);
    }
    let unread = answer.notes.iter();
    let mut inside = unread
        .map(ToString::to_string)
        .find(|note| note.starts_with(UNREAD_DATABASE));
    if inside.is_none()
        && let Body::Binary(Binary {
            is_container: true, ..
        }) = answer.body
    {
        let root = escape_invisible(&answer.subject.member_path(""));
        // The bytes of a document are those of an archive. Only the name is examined here.
        let is_document = Document::of_name(answer.subject.inner_name());
        let how = match is_document.filter(|document| document.is_zip()) {
            Some(document) => format!("read it as {} with `{root}`", document.name()),
            None => format!("list its contents with `{root}`"),
        };
        let _ = write!(hint, "; {how}");
        inside = Some(how);
    }
    let not_text = BinaryFile {
        format: format.to_owned(),
        size: answer.size(),
        sha256: answer.sha256().map(str::to_owned),
        how_to_read_inside: inside,
    };
    Failure::new(Reason::Binary(not_text), message).hint(hint)
}

/// The failure of a file that is not text, as `gateway` and `gemini` word it.
pub fn cannot_read_binary(answer: &Answer, format: &str) -> Failure {
    let path = &answer.subject.requested;
    not_text(answer, format, format!("Cannot read binary file: {path}"))
}

/// The failure for a path that names an archive but no member in it. The message names some entries
/// of the archive, and the hint states how to read them.
pub fn archive(answer: &Answer, inside: &ArchiveSummary) -> Failure {
    let requested = &answer.subject.requested;
    let entries = match (inside.entries, inside.first.len() as u64) {
        (0, _) => "it is empty".to_owned(),
        (all, shown) => {
            let first: Vec<String> = inside.first.iter().map(|e| format!("`{e}`")).collect();
            let first = first.join(", ");
            match all.checked_sub(shown) {
                None | Some(0) => format!("it contains {first}"),
                Some(more) => format!("it contains {first} and {more} more"),
            }
        }
    };
    let root = escape_invisible(&answer.subject.member_path(""));
    let mut next = format!("list the archive with `{root}`");
    if let Some(member) = &inside.member {
        let member = escape_invisible(&answer.subject.member_path(member));
        next = format!("read a member with its path, such as `{member}`, or {next}");
    }
    let not_text = BinaryFile {
        format: inside.format.to_owned(),
        size: answer.size(),
        sha256: answer.sha256().map(str::to_owned),
        how_to_read_inside: Some(next.clone()),
    };
    let what = units::with_article(inside.format);
    Failure::new(
        Reason::Binary(not_text),
        format!("`{requested}` is {what}, not a text file; {entries}"),
    )
    .hint(next)
}

/// The notice on lines that are cut, with a path that reads the rest of the first of them. Dialects
/// use it if their mark at the end of a cut line does not contain this path.
pub fn cuts(answer: &Answer, page: &Page) -> Option<String> {
    // The line in which the page continues has a notice of its own.
    let cut: Vec<&Line> = page.cuts().map(|(line, _)| line).collect();
    let (first, column) = page.cuts().next()?;
    let path = answer
        .subject
        .with_selector(&page.line_remainder(first, column));
    let lines = self::lines(&cut);
    Some(if cut.len() == 1 {
        format!("[line {lines} is cut; read the rest with the path {path} and no other arguments]")
    } else {
        format!(
            "[lines {lines} are cut; read the rest of each with a path and no other arguments, such as {path}]"
        )
    })
}

/// The notice that a requested line is after the end of the text, with selectors of existing lines.
/// `None` if no requested range starts after the end.
pub fn past_end(page: &Page, extent: &Extent) -> Option<String> {
    let first = page.skipped.first()?.start.line;
    let (end, total) = (end(page, extent), page.total.count());
    if total == 0 {
        // An agent asks for the first line of a file that it does not know.
        return (first > 1).then(|| format!("[Line {first} is beyond {end}.]"));
    }
    let (start, last) = (extent.selector_at(1), extent.selector_at(total));
    let missing = match page.skipped.as_slice() {
        [_] => format!("Line {first} is"),
        ranges => format!("Ranges {} are", listed(ranges)),
    };
    Some(format!(
        "[{missing} beyond {end}. Use :{start} to read from the start, or :{last} to read the last line.]"
    ))
}

/// Ranges of lines, as the path requests them.
fn listed(ranges: &[Range]) -> String {
    let ranges: Vec<String> = ranges.iter().map(ToString::to_string).collect();
    ranges.join(", ")
}

/// The notice that the request starts after the last line of the text, for dialects with the
/// argument `offset`, counted from 0. `None` if it does not.
pub fn offset_past_end(request: &Request, page: &Page, extent: &Extent) -> Option<String> {
    let range = page.skipped.first().filter(|_| page.lines.is_empty())?;
    let first = range.start.line;
    let requested = match &request.slice {
        Some(slice) if slice.origin == SliceOrigin::Argument("offset") => {
            format!("offset {}", first.saturating_sub(1))
        }
        _ if page.skipped.len() > 1 => format!("each of the lines {}", listed(&page.skipped)),
        _ => format!("line {first}"),
    };
    let has = match page.total.count() {
        0 if first == 1 => return None,
        0 => "is empty".to_owned(),
        1 => "has 1 line".to_owned(),
        total => format!("has {total} lines"),
    };
    let the = match extent {
        Extent::Listing | Extent::File | Extent::Conflict(_) | Extent::Converted(_) => "the ",
        Extent::Units(_) | Extent::Symbol(_) => "",
    };
    Some(format!(
        "[{requested} is past the end: {the}{extent} {has}]"
    ))
}

/// The notice for a text without lines.
pub fn empty(extent: &Extent) -> &'static str {
    match extent {
        Extent::Converted(_) => "[the converted text is empty]",
        Extent::Conflict(_) => "[the side is empty]",
        Extent::Listing | Extent::File | Extent::Symbol(_) | Extent::Units(_) => "[empty file]",
    }
}

/// Names the end of a text and its number of lines. If the source is damaged, this is the end of
/// its readable part.
pub fn end(page: &Page, extent: &Extent) -> String {
    let total = page.total.count();
    match page.damage {
        Some(_) => format!("what can be read of the {extent} ({total} lines)"),
        None => format!("end of {extent} ({total} lines total)"),
    }
}

/// Whether a page ends with the last line of the text, and shows all of it.
pub fn shows_end(page: &Page) -> bool {
    let Some(last) = page.lines.last().filter(|last| last.cut.is_none()) else {
        return false;
    };
    page.following.is_none()
        && match page.total {
            Total::Exact(total) => u64::try_from(last.number).is_ok_and(|last| last == total),
            Total::AtLeast(_) => last.number == -1,
        }
}

/// The notice that a page, which starts after the first line of the text, ends with the last one. `None` if it does
/// not. A page without notices on lines shows the whole text.
///
/// `of_units` is the range of units of a document that the page shows, and the number of all units. Lines are counted
/// from the first unit of the range.
pub fn reached_end(
    page: &Page,
    extent: &Extent,
    of_units: Option<(UnitRange, u64)>,
) -> Option<String> {
    let Total::Exact(total) = page.total else {
        return None;
    };
    // These are lists of parts of a file, or such a part.
    if matches!(extent, Extent::Conflict(_) | Extent::Symbol(_)) {
        return None;
    }
    let first = page.lines.first().filter(|_| shows_end(page))?;
    let later_units = of_units.filter(|(range, count)| {
        let within = range.within(*count);
        range.last.is_none() && within.is_some_and(|(first, end)| first > 0 && end == *count)
    });
    if let Some((range, count)) = later_units {
        let kind = range.kind;
        let last = UnitRange::last_of(kind, count);
        return Some(format!("[end of file: {}:{last} is the last]", kind.word()));
    }
    let is_later = first.number > 1 || first.column > 1;
    let s = if total == 1 { "" } else { "s" };
    is_later.then(|| format!("[end of {extent} ({total} line{s} total)]"))
}

/// The notices on requested lines and columns that do not exist. They are returned only for a page
/// that shows other lines.
pub fn skipped<'a>(page: &'a Page, extent: &'a Extent) -> impl Iterator<Item = String> + 'a {
    let ranges = page.skipped.iter().filter(|_| !page.lines.is_empty());
    let ranges = ranges.map(move |range| {
        let end = end(page, extent);
        format!("[Range {range} is beyond {end}; skipped]")
    });
    let column = match page.lines.as_slice() {
        [line] if is_beyond_line(page) => {
            let columns = line.length.map_or(String::new(), |columns| {
                let s = if columns == 1 { "" } else { "s" };
                format!(", which has {columns} column{s}")
            });
            Some(format!(
                "[Column {} is beyond the end of line {}{columns}]",
                line.column, line.number
            ))
        }
        _ => None,
    };
    column.into_iter().chain(ranges)
}

/// Whether a page shows no text, because the requested column is after the end of the line.
pub fn is_beyond_line(page: &Page) -> bool {
    let from_column = matches!(page.lines.as_slice(), [line] if line.column > 1);
    from_column && page.text.trim_end_matches(['\r', '\n']).is_empty()
}

/// The failure of a call that the host stopped.
///
/// `stdin` is true if standard input was read.
pub fn host_failure(reason: Reason, path: &str, stdin: bool) -> Failure {
    let what = if path.is_empty() {
        "the read".to_owned()
    } else {
        format!("`{path}`")
    };
    let is_time = matches!(&reason, Reason::Limit { name, .. } if name == "time");
    let (message, hint) = match &reason {
        Reason::Limit {
            name,
            value,
            ran,
            elapsed,
        } if name == "time" => {
            let took = format!("{what} exceeded the timeout of {value} ms");
            let (ran, elapsed) = (ran.unwrap_or(*value), elapsed.unwrap_or(*value));
            if elapsed >= value.saturating_mul(5) && ran < *value {
                (
                    format!(
                        "{took}: in {elapsed} ms, it ran for {ran} ms; the machine is busy, or a disk does not answer"
                    ),
                    "try again later",
                )
            } else if ran.saturating_mul(2) >= *value {
                (
                    took,
                    "read fewer lines, or lines nearer to the start of the file",
                )
            } else if stdin {
                (
                    format!("{took}: standard input did not end"),
                    "save the input to a file first",
                )
            } else {
                (
                    format!("{took}, of which it ran for {ran} ms: its source does not answer"),
                    "try again later",
                )
            }
        }
        Reason::Limit { value, .. } => (
            format!("{what} exceeded the limit of {value} bytes of memory"),
            "read fewer lines",
        ),
        Reason::Cancelled(_) => (format!("{what} was cancelled"), ""),
        Reason::InvalidPath(_) => (format!("the path {what} is not UTF-8"), ""),
        Reason::Internal(cause) => (format!("the reader failed on {what}: {cause}"), ""),
        _ => (format!("the host stopped the read of {what}"), ""),
    };
    let mut failure = Failure::new(reason, message);
    if !hint.is_empty() {
        failure = failure.hint(hint);
    }
    if is_time {
        failure = failure.operator_hint(OperatorHint::MoreTime);
    }
    failure
}

/// The note on the encoding and the line endings of a text. `None` if they are UTF-8 without a byte
/// order mark and LF.
fn encoding(text: &Text) -> Option<String> {
    let mut parts = Vec::new();
    let encoding = text.encoding;
    let name = encoding.charset.name();
    if name != "utf-8" || encoding.bom_len > 0 {
        let guessed = if encoding.guessed { " (guessed)" } else { "" };
        let mark = if encoding.bom_len > 0 {
            " with byte order mark"
        } else {
            ""
        };
        parts.push(format!("encoding {name}{guessed}{mark}"));
    }
    match text.line_ending {
        LineEnding::None | LineEnding::Lf => {}
        LineEnding::CrLf => parts.push("CRLF line endings".to_owned()),
        LineEnding::Mixed => parts.push("mixed LF and CRLF line endings".to_owned()),
        LineEnding::Cr => parts.push("CR line endings, shown as one line".to_owned()),
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

/// The note on the bytes and characters that were escaped or replaced, with their numbers. `None`
/// if nothing was.
fn marks(text: &Text) -> Option<String> {
    let marks = text.page.escapes;
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

/// Formats the runs of consecutive lines on a page: `1-300`, `5-16, 960-973`, `12`.
pub fn spans(page: &Page) -> String {
    spelled(&page.spans())
}

/// Formats the runs of consecutive lines among `lines`, as [`spans`] does.
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

/// Formats the runs of consecutive lines on a page, each with its first and last line: `12-12`,
/// `5-16, 960-973`.
pub fn ranges(page: &Page) -> String {
    let spans = page.spans();
    let ranges = spans.iter().map(|(first, last)| format!("{first}-{last}"));
    ranges.collect::<Vec<_>>().join(", ")
}

/// Describes a file that is not text: its name and format in brackets, and a hex view of its first
/// bytes.
pub fn binary(answer: &Answer, binary: &Binary) -> String {
    if let Some(member) = answer.subject.last_step() {
        let size = units::bytes(answer.bytes().unwrap_or(0));
        return format!(
            "[Cannot read binary archive entry '{}' ({size})]\n\n[{}]\n{}\n{}",
            escape_invisible(member),
            binary.format,
            binary.hex,
            hex_notice(binary, answer.bytes())
        );
    }
    let size = answer.bytes();
    let size = size.map_or_else(String::new, |size| format!(", {}", units::bytes(size)));
    format!(
        "[Cannot read binary file '{}': {}{size}]\n\n{}\n{}",
        escape_invisible(&answer.subject.shown()),
        binary.format,
        binary.hex,
        hex_notice(binary, answer.bytes())
    )
}

/// The notice after the hex view of a file: how many bytes of the file it shows. `size` is the size
/// of the file in bytes, if known.
fn hex_notice(binary: &Binary, size: Option<u64>) -> String {
    let shown = binary.hex_bytes;
    let part = if size == Some(shown as u64) {
        "all"
    } else {
        "the first"
    };
    format!("[{part} {shown} bytes in hexadecimal; this is not text]")
}
