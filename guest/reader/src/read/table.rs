//! Tables of rows in text files: CSV, TSV and JSON lines.

use super::bytes::{changed, compressed, digest_of};
use super::unnumbered;
use crate::answer::{self, Answer, Body};
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::limits;
use crate::pages::{Input, fill_text};
use crate::path::rows::{self, RowsRequest, Selection};
use crate::path::{Lines, Part, Selector, Suffix, View};
use crate::request::Request;
use crate::rooted_path::failure;
use crate::sniff::{self, TableFormat};
use crate::subject::Subject;
use crate::tables::{self, JsonRows, Place, Rows, SeparatedRows};
use crate::world::{Source, World};

/// The request for rows in the rest of a path. `None` if the content is not a table, or if the rest
/// requests its text.
///
/// # Errors
/// Fails if the request is not valid.
pub fn requested(
    subject: &Subject,
    rest: Option<&Suffix>,
) -> Result<Option<(TableFormat, RowsRequest)>, Failure> {
    let (Some(rest), Some(format)) = (rest, TableFormat::of(subject.hints())) else {
        return Ok(None);
    };
    Ok(rows::of_file(rest)?.map(|request| (format, request)))
}

/// Reads rows of a table.
///
/// # Errors
/// Fails if the bytes cannot be read, or if a condition or statement is not valid or exceeds a limit.
pub fn read(
    source: &mut dyn Source,
    subject: Subject,
    format: TableFormat,
    rows_request: RowsRequest,
    rest: Option<&Suffix>,
    request: &Request,
    world: &mut dyn World,
) -> Result<Answer, Failure> {
    let size = subject.bytes();
    let mut input = Input::new(source, size).map_err(|error| failure(error, &request.path))?;
    let detected = sniff::sniff(&mut input, size, None, subject.hints());
    // A text with NULs is still a table.
    let encoding = detected.encoding.unwrap_or(Encoding::UTF8);
    let rows_request = with_slice(rows_request, request)?;
    let mut window = unnumbered(request, Selector::NONE);
    window.open_lines = limits::REPLY_LINES;
    window.max_lines = limits::REPLY_LINES;
    window.line_chars = None;
    let rows = request.style.open_lines.min(limits::MAX_QUERY_ROWS);
    let room = window.max_bytes(rows).min(limits::REPLY_BYTES);
    let place = Place {
        subject: &subject,
        rest,
        base: format!("{}:", subject.before_selector()),
        name: stem(subject.inner_name()).to_owned(),
        rows,
        room: usize::try_from(room).unwrap_or(usize::MAX),
    };
    let mut table: Box<dyn Rows> = match format {
        TableFormat::Separated => Box::new(SeparatedRows::new(&mut input, encoding, false)),
        TableFormat::Tabs => Box::new(SeparatedRows::new(&mut input, encoding, true)),
        TableFormat::JsonLines => Box::new(JsonRows::new(&mut input, encoding)),
    };
    let shown = tables::read(&mut *table, &rows_request, &place, world)?;
    drop(table);
    let mut notes: Vec<String> = compressed(&subject).into_iter().collect();
    notes.extend(shown.notes);
    notes.extend(input.damage());
    let mut digest = digest_of(&mut input, size, &subject, false, request, world);
    let changed = changed(&subject, input.source());
    if changed.is_some() && !input.complete() {
        digest = digest.map(|_| Err(crate::digest::DigestError::Changed));
    }
    notes.extend(changed);
    let body = answer::Database {
        page: fill_text(shown.text, &window),
        is_text: true,
        part: shown.form,
        table: Some(place.name),
        columns: shown.columns,
        rows: shown.rows,
        total: shown.total,
        next: shown.next,
    };
    Ok(Answer {
        subject,
        body: Body::Database(body),
        digest,
        notes,
    })
}

/// Adds the lines that tool arguments or an option select to the request. They select rows.
///
/// # Errors
/// Fails if the path selects rows too.
pub fn with_slice(rows: RowsRequest, request: &Request) -> Result<RowsRequest, Failure> {
    let RowsRequest::Rows(selection) = rows else {
        return Ok(rows);
    };
    let part = Part::Converted(View::Main);
    let selector = request.selector(Selector {
        lines: selection.lines.clone(),
        ..Selector::of(part)
    })?;
    let mut selection = Selection {
        lines: selector.lines,
        ..selection
    };
    if selection.parameters.order.is_some() && matches!(selection.lines, Lines::Tail { .. }) {
        selection.lines = Lines::All;
    }
    Ok(RowsRequest::Rows(selection))
}

/// The name of a file without directories and extension.
fn stem(name: &str) -> &str {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}
