//! Tables of rows in text files: CSV, TSV and JSON lines.

use super::rows::{self, Requested};
use crate::answer::Answer;
use crate::encoding::{Encoding, without_mark};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::Input;
use crate::path::rows::{RowsRequest, Selection, of_file};
use crate::path::{Part, Selector, Suffix, View};
use crate::request::Request;
use crate::rooted_path::failure;
use crate::sniff::{self, Kind, TableFormat};
use crate::sources::{self, Peeked};
use crate::subject::{Origin, Subject};
use crate::tables::{self, JsonRows, Rows, SeparatedRows};
use crate::units::with_article;
use crate::world::{Bytes, Source, World};

/// The request for rows in the rest of a path. `None` if the name of the content is not that of a
/// table, or if the rest requests its text.
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
    Ok(of_file(rest)?.map(|request| (format, request)))
}

/// The content of standard input, whose subject is set to a table if the rest of the path can request
/// rows, and its first bytes are records. It has no name that states the format.
///
/// # Errors
/// Fails if no byte can be read, or if the request is not valid.
pub fn recognised(
    source: Box<dyn Source>,
    subject: &mut Subject,
    rest: Option<&Suffix>,
    request: &Request,
) -> Result<Box<dyn Source>, Failure> {
    let is_unnamed = subject.origin == Origin::Stdin
        && subject.inner_path.is_empty()
        && subject.info.mime.is_none();
    let requests = match rest.filter(|_| is_unnamed) {
        Some(rest) => of_file(rest)?.is_some(),
        None => false,
    };
    if !requests {
        return Ok(source);
    }
    let peeked = Peeked::new(source, subject.bytes());
    let peeked = peeked.map_err(|error| failure(error, &request.path))?;
    let head = peeked.head();
    let whole = head.len() < limits::SNIFF_BYTES;
    let mut bytes = Bytes::new(head.to_vec());
    let of_head = Input::new(&mut bytes, None).ok().and_then(|mut input| {
        let hints = subject.hints();
        let detected = sniff::sniff(&mut input, None, None, hints);
        let encoding = detected.encoding.filter(|_| detected.kind == Kind::Text)?;
        // A mail and a page without a declaration are texts with another form.
        let is_other = sources::of_text(&input, encoding, hints).is_some();
        (!is_other).then_some(encoding)
    });
    if of_head.is_some_and(|encoding| tables::is_table(&encoding.decoded(head, whole), whole)) {
        subject.info.mime = Some("text/csv".to_owned());
    }
    Ok(Box::new(peeked))
}

/// The result of [`read`].
pub enum Read {
    /// Rows of the table.
    Answer(Box<Answer>),
    /// The content has the name of a table but is of this kind, so it is not read.
    Other(Kind),
}

/// Reads rows of a table.
///
/// # Errors
/// Fails if the bytes cannot be read, or if a condition or statement is not valid or exceeds a limit.
pub fn read(
    source: &mut dyn Source,
    subject: &Subject,
    format: TableFormat,
    rows_request: &RowsRequest,
    rest: Option<&Suffix>,
    request: &Request,
    world: &mut dyn World,
) -> Result<Read, Failure> {
    let size = subject.bytes();
    let mut input = Input::new(source, size).map_err(|error| failure(error, &request.path))?;
    let detected = sniff::sniff(&mut input, size, None, subject.hints());
    if !is_table(detected.kind, &input) {
        return Ok(Read::Other(detected.kind));
    }
    // A text with NULs is still a table.
    let encoding = detected.encoding.unwrap_or(Encoding::UTF8);
    let rows_request = match rows_request {
        RowsRequest::Rows(selection) => RowsRequest::Rows(with_slice(selection.clone(), request)?),
        RowsRequest::Statement(statement) => RowsRequest::Statement(statement.clone()),
    };
    let path = format!("{}:", subject.before_selector());
    let table = Requested {
        name: Some(stem(subject.inner_name()).to_owned()),
        is_only: true,
        statements: path.clone(),
        path,
        subject: subject.clone(),
    };
    let answer = rows::read(
        table,
        rest,
        &mut input,
        request,
        world,
        |input, context, world| {
            let head = without_mark(input.head());
            let is_json =
                subject.origin == Origin::Stdin && head.trim_ascii_start().starts_with(b"{");
            let mut rows: Box<dyn Rows> = match format {
                // Standard input has no name that states the format.
                TableFormat::Separated if is_json => Box::new(JsonRows::new(input, encoding)),
                TableFormat::Separated => Box::new(SeparatedRows::new(input, encoding, false)),
                TableFormat::Tabs => Box::new(SeparatedRows::new(input, encoding, true)),
                TableFormat::JsonLines => Box::new(JsonRows::new(input, encoding)),
            };
            tables::read(&mut *rows, &rows_request, context, world)
        },
    )?;
    Ok(Read::Answer(Box::new(answer)))
}

/// Whether content with the name of a table can be one: it is not in a format of its own, such as
/// an image or a workbook.
fn is_table(kind: Kind, input: &Input<'_>) -> bool {
    match kind {
        Kind::Text | Kind::Drawing(_) => true,
        Kind::Document(document) => document.is_text() && document.engine().is_none(),
        Kind::Other => !sniff::is_known(input.head()),
        Kind::Container(_) | Kind::Image(_) => false,
    }
}

/// The selector for content that has the name of a table but is of another kind.
///
/// # Errors
/// Returns [`Reason::InvalidSelector`] if the path requests some of the rows.
pub fn selector_of_other(
    kind: Kind,
    subject: &Subject,
    rows_request: &RowsRequest,
    rest: &Suffix,
) -> Result<Selector, Failure> {
    let full = Selection {
        full: true,
        ..Selection::default()
    };
    let all = [Selection::default(), full].map(RowsRequest::Rows);
    if all.contains(rows_request) {
        return Ok(match kind {
            Kind::Document(_) => Selector::of(Part::Converted(View::Main)),
            _ => Selector::NONE,
        });
    }
    let what = match kind {
        Kind::Document(document) => with_article(document.name()),
        Kind::Container(container) => with_article(&container.name()),
        Kind::Image(format) => with_article(format.media.long_name),
        Kind::Drawing(_) | Kind::Text | Kind::Other => "binary".to_owned(),
    };
    let (path, rest) = (&subject.requested, rest.as_str());
    let message = format!("`{path}` is {what}; `:{rest}` selects rows of a table");
    Err(
        Failure::new(Reason::InvalidSelector(rest.to_owned()), message).hint(format!(
            "use `{}` to read it",
            escape_invisible(&subject.whole())
        )),
    )
}

/// Adds the lines that tool arguments or an option select to the request. They select rows.
///
/// # Errors
/// Fails if the path selects rows too.
pub fn with_slice(selection: Selection, request: &Request) -> Result<Selection, Failure> {
    let part = Part::Converted(View::Main);
    let selector = request.selector(Selector {
        lines: selection.lines.clone(),
        ..Selector::of(part)
    })?;
    Ok(Selection {
        lines: selector.lines,
        ..selection
    })
}

/// The name of a file without directories and extension.
fn stem(name: &str) -> &str {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}
