//! Reads the bytes of a file or member: detects their kind, and makes an answer of what the readers
//! return.

use super::reading::{Reading, Web};
use super::{Content, Context, kept, line_marks, shown_conflicts};
use crate::answer::{Answer, Body};
use crate::digest::{self, DigestError};
use crate::failure::Failure;
use crate::pages::Input;
use crate::path::Selector;
use crate::request::{HashPolicy, Request};
use crate::rooted_path::failure;
use crate::sniff;
use crate::subject::Subject;
use crate::units;
use crate::world::{Source, World};

/// Reads the bytes of a file or member.
///
/// # Errors
/// Fails if the bytes cannot be read, or if the selector (such as `:50-80`) does not apply to them.
pub fn read(
    content: &mut Content,
    subject: Subject,
    selector: Selector,
    context: &mut Context<'_>,
) -> Result<Answer, Failure> {
    let Context {
        request,
        world,
        walk,
    } = context;
    let (request, world) = (*request, &mut **world);
    let size = subject.bytes();
    let mut input =
        Input::new(&mut *content.source, size).map_err(|error| failure(error, &request.path))?;
    let place = line_marks::load(&mut input, world);
    let mut notes = Vec::new();
    notes.extend(compressed(&subject));
    let detected = sniff::sniff(&mut input, size, content.container, subject.hints());
    let mut reading = Reading {
        detected,
        opened: content.opened.take(),
        walk: *walk,
        subject: &subject,
        selector,
        request,
        world,
        notes: &mut notes,
        web: Web::default(),
        artifact: None,
        shows_conflicts: None,
        lists_symbols: false,
        is_unconverted: false,
    };
    let body = reading.body(&mut input)?;
    let web = reading.web;
    let mut artifact = reading.artifact;
    // Nobody resolves the conflicts of other content, such as an example in a page of the web.
    let on_page = matches!(&body, Body::Text(text) if text.conflicts > 0) && subject.editable();
    if let Some(are_any) = reading.shows_conflicts.or(on_page.then_some(true)) {
        shown_conflicts::note(&subject, &input, are_any, world);
    }
    if matches!(&body, Body::Binary(binary) if !binary.is_container)
        && sniff::is_named_database(&subject.path)
    {
        let note =
            "the name is that of a SQLite database, but the file is not one, or is encrypted";
        notes.push(note.to_owned());
    }
    if matches!(body, Body::Binary(_))
        && let Some(volume) = sniff::Volume::of(subject.inner_name())
        && volume.fits(input.head())
    {
        notes.push(volume.note());
    }
    // A page of text reports its damage itself. A page of converted text cannot.
    let converted = matches!(&body, Body::Text(text) if text.facts.is_some());
    if converted || matches!(body, Body::Media(_) | Body::Binary(_)) {
        notes.extend(input.damage());
    }
    let withheld = match &body {
        Body::Media(media) => media.payload.is_err(),
        Body::Binary(binary) => binary.bytes.is_none(),
        Body::Text(_) | Body::Listing(_) | Body::Archive(_) | Body::Database(_) => false,
    };
    let mut digest = digest_of(&mut input, &subject, withheld, request, world);
    let changed = changed(&subject, input.source());
    if let Some(place) = place.filter(|_| changed.is_none()) {
        line_marks::keep(&mut input, &place, world);
    }
    if changed.is_some() && !input.complete() {
        // The parts that were read may be from different versions of the file.
        digest = digest.map(|_| Err(DigestError::Changed));
    }
    notes.extend(changed);
    let mut subject = subject;
    if request.style.unpaged_schemes && subject.is_unpaged() && is_cut(&body) {
        artifact = kept::whole(&mut input, &subject, world);
    }
    notes.extend(artifact.as_deref().map(kept::note));
    subject.artifact = artifact;
    if let Some(facts) = &mut subject.web {
        if is_cut(&body) && !(world.lasting() && facts.is_kept) {
            let note = "no copy is kept: another command requests the lines after these again";
            facts.notes.push(note.to_owned());
        }
        facts.method = web.method;
        facts.notes.extend(web.notes);
    }
    Ok(Answer {
        subject,
        body,
        digest,
        notes,
    })
}

/// Whether lines of a text follow the page.
fn is_cut(body: &Body) -> bool {
    matches!(body, Body::Text(text) if text.page.following.is_some())
}

/// The hash of the bytes of a file or member, if the dialect requests it. `withheld` states whether
/// the reply does not show the content.
pub fn digest_of(
    input: &mut Input<'_>,
    subject: &Subject,
    withheld: bool,
    request: &Request,
    world: &mut dyn World,
) -> Option<Result<digest::Digest, DigestError>> {
    let size = subject.bytes();
    match request.style.hash {
        HashPolicy::Never => None,
        HashPolicy::Shown(limit) if withheld || size.is_some_and(|size| size > limit) => None,
        // Only the session needs this hash, so an error is not reported.
        HashPolicy::Shown(_) => digest::digest(input, size, world).ok().map(Ok),
        HashPolicy::Always if subject.compression.is_some() => Some(Err(DigestError::Compressed)),
        HashPolicy::Always => Some(digest::digest(input, size, world)),
    }
}

/// The note with the compression format and the compressed size of a file or member. `None` if it
/// is not compressed, or if its size is not known.
pub fn compressed(subject: &Subject) -> Option<String> {
    let (compression, size) = (subject.compression?, units::bytes(subject.info.size?));
    let place = if subject.inner_path.is_empty() {
        "on disk"
    } else {
        "in the archive"
    };
    Some(format!("{compression} data, {size} {place}"))
}

/// The note that the file changed while it was read. `None` if its size and its time are unchanged,
/// or if its size is not known. A source may have no time of its own, such as that of a resource.
pub fn changed(subject: &Subject, source: &mut dyn Source) -> Option<String> {
    let (before, after) = (&subject.info, source.info());
    let times = before.modified.zip(after.modified);
    match (
        after.size?.checked_sub(before.size?),
        times.is_none_or(|(before, after)| before == after),
    ) {
        (Some(0), true) => None,
        (Some(grown), _) if grown > 0 => {
            Some(format!("the file grew by {grown} bytes while it was read"))
        }
        _ => Some("the file changed while it was read".to_owned()),
    }
}
