//! The content itself, at which every walk ends that no other node ends.

use super::way::Way;
use crate::answer::Answer;
use crate::containers::archive::zip_part;
use crate::containers::shared::Shared;
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::path::rows::{RowsRequest, Selection};
use crate::path::{Part, Selector, Suffix, View, ends_in, is_conflict_address};
use crate::read::{self, Content, Context, offers};
use crate::sniff::{Container, Kind};
use crate::sources;
use crate::subject::Subject;
use crate::units::with_article;

/// Reads the content, of which the rest of the path selects a part.
///
/// # Errors
/// Fails if the content cannot be read, or if the rest of the path is not a selector that applies to it.
pub fn read(
    mut content: Content,
    way: &mut Way,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    if !way.is_closed()
        && content.container.is_none()
        && ends_in(way.subject.inner_name(), &["zip"])
    {
        let shared = Shared::new(content.source);
        let part = zip_part(Box::new(shared.clone()), way.subject.bytes());
        way.notes.extend(part.map(str::to_owned));
        content.source = Box::new(shared);
    }
    let (subject, request) = (way.subject.clone(), context.request);
    let rest = way.rest.as_ref();
    let mut of_path = match (way.not_rows.take(), rest) {
        (Some((kind, rows)), Some(rest)) => selector_of_other(kind, &subject, &rows, rest)?,
        _ => sources::selector(&subject, rest).map_err(|failure| match rest {
            Some(rest) => offers::with_hint(failure, &mut content, &subject, rest, &request.style),
            None => failure,
        })?,
    };
    if let Some(Container::Document(_)) = content.container
        && of_path.part == Part::Whole
        && of_path.selects_lines()
    {
        // Only the converted form has lines, also if the bare path reads the bytes.
        of_path.part = Part::Converted(View::Main);
    }
    if let (Part::Conflict(conflict), Some(rest)) = (&of_path.part, rest)
        && is_conflict_address(rest.as_str())
    {
        let typed = escape_invisible(rest.as_str());
        way.notes
            .push(format!("`:{typed}` is read as `:{conflict}`"));
    }
    let selector = request.selector(of_path)?;
    read::bytes(&mut content, subject, selector, context)
}

/// The selector for content that has the name of a table but is of another kind.
///
/// # Errors
/// Returns [`Reason::InvalidSelector`] if the path requests some of the rows.
fn selector_of_other(
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
