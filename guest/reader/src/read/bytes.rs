//! The bytes of a file or member: what they are decides which readers are tried.

use super::{attachment, binary, document, image, outline, text};
use crate::answer::{Answer, Body, Media, Text, Withheld};
use crate::digest::{self, Unhashed};
use crate::encoding::{self, Encoding};
use crate::failure::{Failure, Reason};
use crate::pages::Input;
use crate::path::{Part, Selector, UnitKind};
use crate::place::failure;
use crate::request::{Hashed, Images, Notebooks, Request, Style};
use crate::sniff::{self, Container, Document, Hints, ImageFormat, Kind, Sniffed};
use crate::subject::Subject;
use crate::units;
use crate::world::{Source, World};

/// Reads bytes, which are those of a `container` that is not looked into.
///
/// # Errors
/// If they cannot be read, or not as the selector asks.
pub fn read(
    source: &mut dyn Source,
    container: Option<Container>,
    subject: Subject,
    selector: Selector,
    request: &Request,
    world: &mut dyn World,
) -> Result<Answer, Failure> {
    let size = subject.bytes();
    let mut input = Input::new(source, size).map_err(|error| failure(error, &request.path))?;
    let mut notes = Vec::new();
    notes.extend(compressed(&subject));
    let sniffed = sniff::sniff(&mut input, size, container, hints(&subject));
    let mut reading = Reading {
        sniffed,
        subject: &subject,
        selector,
        request,
        world,
        notes: &mut notes,
    };
    let body = reading.body(&mut input)?;
    if matches!(&body, Body::Binary(binary) if !binary.holds)
        && sniff::is_named_database(&subject.path)
    {
        let note = "it is called like a SQLite database, and is none, or an encrypted one";
        notes.push(note.to_owned());
    }
    // The page of a text reports its damage. That of a converted text does not know it.
    let converted = matches!(&body, Body::Text(text) if text.facts.is_some());
    if converted || matches!(body, Body::Media(_) | Body::Binary(_)) {
        notes.extend(input.damage());
    }
    let refused = match &body {
        Body::Media(media) => media.given.is_err(),
        Body::Binary(binary) => binary.bytes.is_none(),
        Body::Text(_) | Body::Listing(_) | Body::Archive(_) | Body::Database(_) => false,
    };
    let mut digest = match request.style.hashed {
        Hashed::Never => None,
        Hashed::Shown(limit) if refused || size.is_some_and(|size| size > limit) => None,
        // It is for the session, which does without.
        Hashed::Shown(_) => digest::digest(&mut input, size, world).ok().map(Ok),
        Hashed::Always if subject.compression.is_some() => Some(Err(Unhashed::Compressed)),
        Hashed::Always => Some(digest::digest(&mut input, size, world)),
    };
    let changed = changed(&subject, input.source());
    if changed.is_some() && !input.complete() {
        // The file is read in parts.
        digest = digest.map(|_| Err(Unhashed::Changed));
    }
    notes.extend(changed);
    Ok(Answer {
        subject,
        body,
        digest,
        notes,
    })
}

/// What is known of what a subject contains.
pub(super) fn hints(subject: &Subject) -> Hints<'_> {
    Hints {
        name: subject.inner_name(),
        mime: subject.info.mime.as_deref(),
        charset: subject.info.charset.as_deref(),
    }
}

/// The note on the compression of a file.
fn compressed(subject: &Subject) -> Option<String> {
    let (compression, size) = (subject.compression?, units::bytes(subject.info.size?));
    let place = if subject.inside.is_empty() {
        "on disk"
    } else {
        "in the archive"
    };
    Some(format!("{compression} data, {size} {place}"))
}

/// A reader that may be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reader {
    /// As a document, converted to text.
    Document(Document),
    /// As an attachment, of at most so many bytes.
    Attachment(u64),
    /// As an image, stored in bytes or written in this encoding.
    Image(&'static ImageFormat, Option<Encoding>),
    /// As a file that is not text.
    Binary,
    /// As text.
    Text,
}

/// The readers that are tried for what was found, in this order: each but the
/// last may turn out not to apply. `nul` tells whether there is a NUL in the first
/// bytes, by which some dialects take even UTF-16 for binary.
fn readers(
    sniffed: &Sniffed,
    nul: impl FnOnce() -> bool,
    selector: &Selector,
    style: &Style,
) -> Vec<Reader> {
    let Sniffed { kind, encoding } = *sniffed;
    let binary = encoding.is_none() || (style.nul_is_binary && nul());
    let asked = selector.part == Part::Image;
    let mut readers = Vec::new();
    let document = match (selector.part, kind) {
        (Part::Units(range), Kind::Document(document)) => {
            Some(document).filter(|document| document.units() == Some(range.kind))
        }
        (Part::Units(range), _) => Document::of_units(range.kind),
        (Part::Whole, Kind::Document(document)) if !selector.raw => {
            Some(document).filter(|document| converts(*document, style))
        }
        (Part::Whole | Part::Image, _) => None,
    };
    readers.extend(document.map(Reader::Document));
    // Who asks for the exact text of a file gets it, as UTF-8 if need be, unless
    // all text is exact.
    if selector.raw && !style.exact {
        readers.push(Reader::Text);
        return readers;
    }
    if let Some(passing) = style.passing {
        let drawn = asked || (passing.drawings && !selector.asks_for_lines());
        readers.extend(match kind {
            Kind::Pdf if !asked => passing.attachment_bytes.map(Reader::Attachment),
            Kind::Image(format) => Some(Reader::Image(format, None)),
            Kind::Drawing(format) if drawn && !binary => Some(Reader::Image(format, encoding)),
            _ => None,
        });
    }
    // A PDF document may look like text.
    readers.push(
        if binary || (style.passing.is_some() && kind == Kind::Pdf) {
            Reader::Binary
        } else {
            Reader::Text
        },
    );
    readers
}

/// Whether a document is converted where neither a part of it nor its exact text is
/// asked for.
fn converts(document: Document, style: &Style) -> bool {
    match document {
        Document::Notebook => style.notebooks != Notebooks::Json,
    }
}

/// A read of bytes.
struct Reading<'a> {
    sniffed: Sniffed,
    subject: &'a Subject,
    selector: Selector,
    request: &'a Request,
    world: &'a mut dyn World,
    notes: &'a mut Vec<String>,
}

impl Reading<'_> {
    fn body(&mut self, input: &mut Input<'_>) -> Result<Body, Failure> {
        let style = &self.request.style;
        if matches!(self.sniffed.kind, Kind::Container(_)) && !self.selector.raw {
            // Its bytes are not text, even if they look like it.
            self.sniffed.encoding = None;
        }
        let nul = || encoding::has_nul(input);
        let readers = readers(&self.sniffed, nul, &self.selector, style);
        self.check(&readers)?;
        for reader in readers {
            let body = match reader {
                Reader::Document(document) => self.document(document, input)?.map(Body::Text),
                Reader::Attachment(limit) => {
                    let media = attachment::read(input, self.subject.bytes(), limit);
                    Some(Body::Media(self.without_lines(media)))
                }
                Reader::Image(format, written) => {
                    self.image(input, format, written)?.map(Body::Media)
                }
                Reader::Binary => {
                    let (encoding, bytes) = (self.sniffed.encoding, style.binary_bytes);
                    Some(Body::Binary(binary::read(input, encoding, bytes)))
                }
                Reader::Text => break,
            };
            if let Some(body) = body {
                return Ok(body);
            }
        }
        Ok(Body::Text(self.text(input)))
    }

    /// Checks that an image that is asked for can be shown, and notes what is
    /// named like something else.
    fn check(&mut self, readers: &[Reader]) -> Result<(), Failure> {
        let style = &self.request.style;
        let is_image = |reader: &Reader| matches!(reader, Reader::Image(..));
        if self.selector.part == Part::Image {
            if style.passing.is_none() {
                return Err(self.not_image("is not shown as an image: this agent takes none"));
            }
            if !readers.iter().any(is_image) {
                return Err(self.not_image("is not an image"));
            }
        }
        let has_units = |reader: &Reader| matches!(reader, Reader::Document(_));
        if let Part::Units(units) = self.selector.part
            && !readers.iter().any(has_units)
        {
            return Err(self.no_units(units.kind));
        }
        if let Some(document) = Document::of_name(self.subject.inner_name())
            && self.sniffed.kind != Kind::Document(document)
            && converts(document, style)
            && self.selector.part == Part::Whole
            && !self.selector.raw
        {
            let word = document.word();
            self.notes
                .push(format!("the file is named like a {word}, but is not one"));
        }
        Ok(())
    }

    /// A document; `None` if it is not one, whatever its name says.
    fn document(
        &mut self,
        document: Document,
        input: &mut Input<'_>,
    ) -> Result<Option<Text>, Failure> {
        document::read(
            document,
            input,
            self.sniffed.encoding,
            self.subject,
            &self.selector,
            self.request,
            self.world,
            self.notes,
        )
    }

    fn text(&self, input: &mut Input<'_>) -> Text {
        let style = &self.request.style;
        let editable = self.subject.editable();
        let mut window = style.window(
            self.selector.clone(),
            if editable {
                style.editable
            } else {
                style.plain
            },
        );
        let encoding = self.sniffed.encoding.unwrap_or(Encoding::UTF8);
        let tagged = style.tagged && editable && !window.selector.raw;
        if style.enclosing {
            outline::enclose(input, encoding, self.subject, &mut window);
        }
        let outlined = self
            .request
            .wants_outline(&self.selector)
            .then(|| outline::read(input, encoding, self.subject, &mut window))
            .flatten();
        let text = match outlined {
            Some((page, outline)) => Text {
                outline: Some(outline),
                ..text::of_page(input, encoding, window, tagged, page)
            },
            None => text::read(input, encoding, &window, tagged),
        };
        // Of a document that this dialect converts, that text is edited.
        let converted = match self.sniffed.kind {
            Kind::Document(document) => converts(document, style),
            _ => false,
        };
        Text {
            edited: !(converted && self.selector.raw),
            ..text
        }
    }

    /// An image, if it is one.
    ///
    /// # Errors
    /// If it was asked for and is none.
    fn image(
        &mut self,
        input: &mut Input<'_>,
        format: &'static ImageFormat,
        written: Option<Encoding>,
    ) -> Result<Option<Media>, Failure> {
        let asked = self.selector.part == Part::Image;
        let Some(passing) = self.request.style.passing else {
            return Ok(None);
        };
        let images = match passing.images {
            // Who asks for an image gets one.
            Images::Untouched { mimes, others, .. }
                if asked && !mimes.contains(&format.media.mime) =>
            {
                Images::Fitted(others)
            }
            images => images,
        };
        let size = self.subject.bytes();
        match image::read(input, size, written, format, images, self.world, self.notes) {
            // What is text anyway is shown as that.
            Ok(media) if written.is_some() && !asked && media.given.is_err() => {
                if let Err(Withheld::Undecoded(why)) = &media.given {
                    let name = media.format.long_name;
                    self.notes
                        .push(format!("{name} as text, for as an image {why}"));
                }
                Ok(None)
            }
            Ok(media) => Ok(Some(self.without_lines(media))),
            Err(why) if asked => Err(self.not_image(&format!("is not an image: {why}"))),
            Err(why) => {
                self.notes.push(why);
                Ok(None)
            }
        }
    }

    /// Notes that lines were asked for of what has none.
    fn without_lines(&mut self, media: Media) -> Media {
        if self.selector.asks_for_lines() {
            self.notes.push(format!(
                "`:{}` was left out: {}s have no lines",
                self.selector, media.format.long_name
            ));
        }
        media
    }

    /// The failure of units that what was found does not consist of.
    fn no_units(&self, kind: UnitKind) -> Failure {
        let (selector, word) = (&self.selector, kind.word());
        let typed = &self.subject.typed;
        let message = format!("`{typed}` has no {word}s that `:{selector}` could select");
        let reason = Reason::Selector(selector.to_string());
        Failure::new(reason, message).hint(format!("leave out `:{selector}` to read all of it"))
    }

    fn not_image(&self, why: &str) -> Failure {
        Failure::new(
            Reason::Selector(self.selector.to_string()),
            format!("`{}` {why}", self.subject.typed),
        )
        .hint("leave out `:img` to read it as it is")
    }
}

/// Whether a file changed while it was read.
fn changed(subject: &Subject, source: &mut dyn Source) -> Option<String> {
    let (before, after) = (&subject.info, source.info());
    match (
        after.size?.checked_sub(before.size?),
        after.modified == before.modified,
    ) {
        (Some(0), true) => None,
        (Some(grown), _) if grown > 0 => {
            Some(format!("the file grew by {grown} bytes while it was read"))
        }
        _ => Some("the file changed while it was read".to_owned()),
    }
}

#[cfg(test)]
mod tests;
