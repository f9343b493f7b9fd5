//! Answers with rows of tables: the limits of a page, and the answer from the result of a read.

use super::Context;
use super::bytes::{changed, compressed, digest_of};
use super::unnumbered;
use crate::answer::{self, Answer, Body};
use crate::digest::DigestError;
use crate::failure::Failure;
use crate::limits;
use crate::pages::{Input, fill_text};
use crate::path::rows::Selection;
use crate::path::{Part, Selector, Suffix, View};
use crate::request::Request;
use crate::sqlite::Shown;
use crate::subject::Subject;
use crate::tables::TableContext;
use crate::world::World;

/// The table of a request.
pub struct Requested<'r> {
    /// The content that contains the table.
    pub subject: Subject,
    /// The text of the path after the content.
    pub rest: Option<&'r Suffix>,
    /// The path of the table, to which a selection of rows is appended.
    pub path: String,
    /// The name of the table. `None` if a statement names the tables.
    pub name: Option<String>,
}

/// Reads rows with the function `run`, and makes an answer of them.
///
/// # Errors
/// Fails if `run` fails.
pub fn read(
    table: Requested<'_>,
    input: &mut Input<'_>,
    context: &mut Context<'_>,
    run: impl FnOnce(&mut Input<'_>, &TableContext<'_>, &mut dyn World) -> Result<Shown, Failure>,
) -> Result<Answer, Failure> {
    let Context { request, world, .. } = context;
    let mut window = unnumbered(request, Selector::NONE);
    window.open_lines = limits::REPLY_LINES;
    window.max_lines = limits::REPLY_LINES;
    window.line_chars = None;
    // The rows of the page are chosen within the budget.
    window.tokens = None;
    let rows = request.style.open_lines.min(limits::MAX_QUERY_ROWS);
    let room = window.max_bytes(rows).min(limits::REPLY_BYTES);
    let subject = table.subject;
    let name = table.name.clone().unwrap_or_else(|| "data".to_owned());
    let of_table = TableContext {
        subject: &subject,
        rest: table.rest,
        base: table.path,
        name,
        rows,
        room: usize::try_from(room).unwrap_or(usize::MAX),
        tokens: request.style.tokens,
        table_width: request.style.table_width,
        is_call: request.is_call,
    };
    let shown = run(input, &of_table, *world)?;
    let mut notes: Vec<String> = compressed(&subject).into_iter().collect();
    notes.extend(shown.notes);
    notes.extend(input.damage());
    let mut digest = digest_of(input, &subject, false, request, *world);
    let changed = changed(&subject, input.source());
    if changed.is_some() && !input.complete() {
        // The parts that were read may be from different versions of the file.
        digest = digest.map(|_| Err(DigestError::Changed));
    }
    notes.extend(changed);
    let body = answer::Database {
        page: fill_text(shown.text, &window),
        is_text: true,
        part: shown.form,
        table: table.name,
        columns: shown.columns,
        rows: shown.rows,
        total: shown.total,
        next: shown.next,
        limit: shown.limit,
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

#[cfg(test)]
mod tests;
