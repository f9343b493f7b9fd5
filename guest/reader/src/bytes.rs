//! A file or member by what its bytes are: text, a picture or document, or none
//! of these.

use crate::answer::{Answer, Body, Subject};
use crate::encoding::{self, Encoding};
use crate::failure::Failure;
use crate::pages::Input;
use crate::path::Selector;
use crate::request::{Hashed, Request};
use crate::world::Source;
use crate::{digest, readers, sources, units};

/// Reads bytes by what they are; `packed` tells that they are no text.
pub fn read(
    source: &mut dyn Source,
    packed: bool,
    subject: Subject,
    selector: Selector,
    request: &Request,
) -> Result<Answer, Failure> {
    let size = subject.bytes();
    let mut input =
        Input::new(source, size).map_err(|error| sources::failure(error, &request.path))?;
    let mut notes = Vec::new();
    if let (Some(compression), Some(stat)) = (subject.compression, subject.stat) {
        let size = units::bytes(stat.size);
        let place = if subject.members.is_empty() {
            "on disk"
        } else {
            "in the archive"
        };
        notes.push(format!("{compression} data, {size} {place}"));
    }
    let body = body(&mut input, packed, &subject, selector, request, &mut notes);
    if matches!(&body, Body::Binary(binary) if !binary.holds) && sources::is_named_so(&subject.path)
    {
        let note = "it is called like a SQLite database, and is none, or an encrypted one";
        notes.push(note.to_owned());
    }
    // That of a text is told with its page.
    if matches!(body, Body::Media(_) | Body::Binary(_)) {
        notes.extend(input.damage());
    }
    let refused = match &body {
        Body::Media(media) => media.data.is_err(),
        Body::Binary(binary) => binary.bytes.is_none(),
        Body::Text(_) | Body::Listing(_) | Body::Database(_) => false,
    };
    let mut digest = match request.style.hashed {
        Hashed::Never => None,
        Hashed::Shown(limit) if refused || size.is_some_and(|size| size > limit) => None,
        Hashed::Shown(_) | Hashed::Always => digest::digest(&mut input),
    };
    let changed = changed(&subject, input.source());
    if changed.is_some() && !input.complete() {
        // Of a file that is read in parts it may be the hash of other bytes
        // than those that are shown.
        digest = None;
    }
    notes.extend(changed);
    Ok(Answer {
        subject,
        body,
        digest,
        notes,
    })
}

fn body(
    input: &mut Input<'_>,
    packed: bool,
    subject: &Subject,
    selector: Selector,
    request: &Request,
    notes: &mut Vec<String>,
) -> Body {
    let style = &request.style;
    let size = subject.bytes();
    let encoding = encoding::detect(input, size).filter(|_| !packed || selector.raw);
    let binary = encoding.is_none() || (style.nul_is_binary && encoding::has_nul(input));
    // Who asks for the exact text of a file gets it, as UTF-8 if need be, unless
    // all text is exact.
    if !selector.raw || style.exact {
        if let Some(passing) = &style.passing {
            match readers::media::read(input, size, binary, passing) {
                Ok(Some(media)) => {
                    if selector != Selector::NONE {
                        notes.push(format!(
                            "`:{selector}` was left out: a {} has no lines",
                            media.format.long_name
                        ));
                    }
                    return Body::Media(media);
                }
                Ok(None) => {}
                Err(damage) => notes.push(damage),
            }
        }
        if binary || (style.passing.is_some() && readers::media::is_document(input)) {
            return Body::Binary(readers::binary::read(input, encoding, style.binary_bytes));
        }
    }
    let editable = subject.editable();
    let window = style.window(
        selector,
        if editable {
            style.editable
        } else {
            style.plain
        },
    );
    Body::Text(readers::text::read(
        input,
        encoding.unwrap_or(Encoding::UTF8),
        &window,
        style.tagged && editable && !window.selector.raw,
    ))
}

/// Whether a file changed while it was read.
fn changed(subject: &Subject, source: &mut dyn Source) -> Option<String> {
    let (before, after) = (subject.stat?, source.stat()?);
    match (
        after.size.checked_sub(before.size),
        after.modified == before.modified,
    ) {
        (Some(0), true) => None,
        (Some(grown), _) if grown > 0 => {
            Some(format!("the file grew by {grown} bytes while it was read"))
        }
        _ => Some("the file changed while it was read".to_owned()),
    }
}
