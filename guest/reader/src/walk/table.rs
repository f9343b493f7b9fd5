//! Tables of rows in text files: CSV, TSV and JSON lines.

use super::node::{Next, Node};
use super::way::Way;
use crate::encoding::{Encoding, without_mark};
use crate::failure::Failure;
use crate::pages::Input;
use crate::path::rows::{RowsRequest, of_file};
use crate::read::rows::{self, Requested, with_slice};
use crate::read::{Content, Context};
use crate::request::Request;
use crate::rooted_path::failure;
use crate::sniff::{self, Kind, TableFormat};
use crate::subject::Origin;
use crate::tables::{self, JsonRows, Rows, SeparatedRows};

/// Content with the name of a table, and the rows that the path requests.
pub struct Table(TableFormat, RowsRequest);

impl Node for Table {
    fn detect(content: &mut Content, way: &Way, _: &Request) -> Result<Option<Self>, Failure> {
        if content.container.is_some() {
            return Ok(None);
        }
        let requested = requested(way, &content.head)?;
        Ok(requested.map(|(format, rows)| Self(format, rows)))
    }

    fn consume(
        self,
        mut content: Content,
        way: &mut Way,
        context: &mut Context<'_>,
    ) -> Result<Next, Failure> {
        let Self(format, selected) = self;
        let (subject, request) = (way.subject.clone(), context.request);
        let size = subject.bytes();
        let mut input = Input::new(&mut *content.source, size)
            .map_err(|error| failure(error, &request.path))?;
        let detected = sniff::sniff(&mut input, size, None, subject.hints());
        if !is_table(detected.kind, &input) {
            way.not_rows = Some((detected.kind, selected));
            return Ok(Next::NotMine(content));
        }
        // A text with NULs is still a table.
        let encoding = detected.encoding.unwrap_or(Encoding::UTF8);
        let selected = match selected {
            RowsRequest::Rows(selection) => RowsRequest::Rows(with_slice(selection, request)?),
            statement @ RowsRequest::Statement(_) => statement,
        };
        let is_stdin = subject.origin == Origin::Stdin;
        let path = format!("{}:", subject.before_selector());
        let table = Requested {
            name: Some(stem(subject.inner_name()).to_owned()),
            path,
            rest: way.rest.as_ref(),
            subject,
        };
        let answer = rows::read(table, &mut input, context, |input, context, world| {
            let head = without_mark(input.head());
            let is_json = is_stdin && head.trim_ascii_start().starts_with(b"{");
            let mut rows: Box<dyn Rows> = match format {
                // Standard input has no name that states the format.
                TableFormat::Separated if is_json => Box::new(JsonRows::new(input, encoding)),
                TableFormat::Separated => Box::new(SeparatedRows::new(input, encoding, false)),
                TableFormat::Tabs => Box::new(SeparatedRows::new(input, encoding, true)),
                TableFormat::JsonLines => Box::new(JsonRows::new(input, encoding)),
            };
            tables::read(&mut *rows, &selected, context, world)
        })?;
        Ok(Next::Body(Box::new(answer)))
    }
}

/// The rows that the path requests of the content, whose name is that of a table, or of a workbook if its
/// first bytes are records. `None` for other content, or if the path requests the text.
///
/// # Errors
/// Fails if the request is not valid.
pub fn requested(way: &Way, head: &[u8]) -> Result<Option<(TableFormat, RowsRequest)>, Failure> {
    let Some(rest) = &way.rest else {
        return Ok(None);
    };
    let Some(format) = TableFormat::of_content(way.subject.hints(), head) else {
        return Ok(None);
    };
    Ok(of_file(rest)?.map(|rows| (format, rows)))
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

/// The name of a file without directories and extension.
fn stem(name: &str) -> &str {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    match name.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => name,
    }
}
