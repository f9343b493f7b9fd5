//! Reads the bytes of a file or member: detects their kind and tries the readers for it.

use super::page::{self, Web};
use super::readers::{Reader, converts, readers};
use super::{attachment, binary, document, figure, image, outline, text};
use crate::answer::{Answer, Body, Media, NotShown, Text};
use crate::digest::{self, DigestError};
use crate::encoding::{self, Encoding};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::Input;
use crate::path::{Part, Selector, UnitKind, View};
use crate::request::{HashPolicy, ImageLimits, ImageMode, Request};
use crate::rooted_path::failure;
use crate::sniff::{self, Container, Detected, Document, ImageFormat, Kind};
use crate::sources::{self, OpenDocument};
use crate::subject::Subject;
use crate::units::{self, with_article};
use crate::world::{Source, World};

/// Reads the bytes of a file or member. `container` is the format of an archive, compressed file or
/// database that was detected but not opened.
///
/// # Errors
/// Fails if the bytes cannot be read, or if the selector (such as `:50-80`) does not apply to them.
pub fn read(
    source: &mut dyn Source,
    container: Option<Container>,
    subject: Subject,
    selector: Selector,
    request: &Request,
    world: &mut dyn World,
) -> Result<Answer, Failure> {
    read_opened(source, container, None, subject, selector, request, world)
}

/// As [`read`], of a document that the engine may have opened already.
///
/// # Errors
/// As [`read`].
pub fn read_opened(
    source: &mut dyn Source,
    container: Option<Container>,
    opened: Option<OpenDocument>,
    subject: Subject,
    selector: Selector,
    request: &Request,
    world: &mut dyn World,
) -> Result<Answer, Failure> {
    let size = subject.bytes();
    let mut input = Input::new(source, size).map_err(|error| failure(error, &request.path))?;
    let mut notes = Vec::new();
    notes.extend(compressed(&subject));
    let detected = sniff::sniff(&mut input, size, container, subject.hints());
    let mut opened = opened;
    if let (&Part::Figure(picture), Kind::Document(document)) = (&selector.part, detected.kind)
        && let Some(format) = document.engine()
    {
        let found = figure::find(
            picture, document, format, opened, &mut input, &subject, &selector, request, world,
        )?;
        match found {
            Ok(mut found) => {
                let (subject, selector) = (found.subject, found.selector);
                return read(&mut found.bytes, None, subject, selector, request, world);
            }
            Err(error) => opened = Some(Err(error)),
        }
    }
    let mut reading = Reading {
        detected,
        opened,
        subject: &subject,
        selector,
        request,
        world,
        notes: &mut notes,
        web: Web::default(),
    };
    let body = reading.body(&mut input)?;
    let web = reading.web;
    if matches!(&body, Body::Binary(binary) if !binary.is_container)
        && sniff::is_named_database(&subject.path)
    {
        let note =
            "the name is that of a SQLite database, but the file is not one, or is encrypted";
        notes.push(note.to_owned());
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
    let mut digest = digest_of(&mut input, size, &subject, withheld, request, world);
    let changed = changed(&subject, input.source());
    if changed.is_some() && !input.complete() {
        // The parts that were read may be from different versions of the file.
        digest = digest.map(|_| Err(DigestError::Changed));
    }
    notes.extend(changed);
    let mut subject = subject;
    if let Some(facts) = &mut subject.web {
        let cut = match &body {
            Body::Text(text) => text.page.following.is_some(),
            _ => false,
        };
        if cut && !(world.lasting() && facts.is_kept) {
            let note = "no copy is kept: another command requests the lines after these again";
            facts.notes.push(note.to_owned());
        }
        facts.method = web.method;
        facts.artifact = web.artifact;
        facts.notes.extend(web.notes);
    }
    Ok(Answer {
        subject,
        body,
        digest,
        notes,
    })
}

/// The hash of the bytes of a file or member, if the dialect requests it. `withheld` states whether
/// the reply does not show the content.
pub fn digest_of(
    input: &mut Input<'_>,
    size: Option<u64>,
    subject: &Subject,
    withheld: bool,
    request: &Request,
    world: &mut dyn World,
) -> Option<Result<digest::Digest, DigestError>> {
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

/// The state of a read of bytes.
struct Reading<'a> {
    detected: Detected,
    /// The document, if the engine has opened it already.
    opened: Option<OpenDocument>,
    subject: &'a Subject,
    selector: Selector,
    request: &'a Request,
    world: &'a mut dyn World,
    notes: &'a mut Vec<String>,
    web: Web,
}

impl Reading<'_> {
    fn body(&mut self, input: &mut Input<'_>) -> Result<Body, Failure> {
        let style = &self.request.style;
        // The bytes of these are not text, even if an encoding was detected.
        let packed = match self.detected.kind {
            Kind::Container(_) => !self.selector.raw,
            Kind::Document(document) => !document.is_text(),
            _ => false,
        };
        self.detected.encoding = self.detected.encoding.filter(|_| !packed);
        if let Some(body) = self.page(input)? {
            return Ok(body);
        }
        if let Some(text) = self.converted(input)? {
            return Ok(Body::Text(text));
        }
        let nul = || encoding::has_nul(input);
        let readers = readers(&self.detected, nul, &self.selector, style);
        self.check(&readers)?;
        for reader in readers {
            let body = match reader {
                Reader::Document(document) => self.document(document, input)?.map(Body::Text),
                Reader::Attachment(limit) => {
                    let media = attachment::read(input, self.subject.bytes(), limit);
                    Some(Body::Media(self.without_lines(media)))
                }
                Reader::Image(format, text_encoding) => {
                    self.image(input, format, text_encoding)?.map(Body::Media)
                }
                Reader::Binary => {
                    let (encoding, bytes) = (self.detected.encoding, style.binary_bytes);
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

    /// Reads the body of a web address as a page. `None` if it is read like the bytes of a file.
    fn page(&mut self, input: &mut Input<'_>) -> Result<Option<Body>, Failure> {
        let Some(facts) = self.subject.page() else {
            return Ok(None);
        };
        self.web.method = page::method(self.detected, &self.selector, facts);
        self.web
            .notes
            .extend(page::mislabelled(self.detected, facts));
        if self.selector.raw && self.detected.encoding.is_none() {
            let bytes = self.request.style.binary_bytes;
            return Ok(Some(Body::Binary(binary::read(input, None, bytes))));
        }
        // A section that does not exist is only an error if the path selects it after a colon.
        let section = self.selector.section().filter(|_| facts.fragment.is_some());
        if let Some(id) = section.map(str::to_owned) {
            match self.converted(input) {
                Ok(Some(text)) => {
                    self.web
                        .notes
                        .push(format!("only the section `#{id}` is shown"));
                    return Ok(Some(Body::Text(text)));
                }
                Ok(None) => return Ok(None),
                Err(_) => {
                    let note = format!("the page has no section `#{id}`, so all of it is shown");
                    self.web.notes.push(note);
                    self.selector.part = Part::Whole;
                }
            }
        }
        let (request, selector) = (self.request, &self.selector);
        let found = page::read(
            input,
            self.detected,
            self.subject,
            selector,
            request,
            self.world,
            &mut self.web,
            self.notes,
        )?;
        Ok(found.map(Body::Text))
    }

    /// Reads the converted form of the content, if the path requests it. If the content is too
    /// large or damaged, returns `None`, and the caller shows the content itself. `a.gz:` requests
    /// the decompressed content if it has no converted form.
    ///
    /// # Errors
    /// Returns [`Reason::InvalidSelector`] if the content has no converted form, or not the
    /// requested part of it.
    fn converted(&mut self, input: &mut Input<'_>) -> Result<Option<Text>, Failure> {
        let view = match &self.selector.part {
            Part::Converted(view) => view,
            // The bare path of a mailbox is its text.
            Part::Units(range) if range.kind == UnitKind::Mail => &View::Main,
            _ => return Ok(None),
        };
        let document = match (self.detected.kind, self.detected.encoding) {
            (Kind::Document(document), _) => Some(document),
            (Kind::Text | Kind::Drawing(_), Some(encoding)) => {
                sources::of_text(input, encoding, self.subject.hints())
            }
            (Kind::Other, None) => {
                let found = document::markup_with_nul(input, self.subject);
                found.map(|(document, encoding)| {
                    self.detected.encoding = Some(encoding);
                    document
                })
            }
            _ => None,
        };
        let text = match document {
            Some(document) if document == Document::Html || *view == View::Main => {
                self.document(document, input)?
            }
            Some(document) => return Err(self.only_html(document)),
            None if matches!(self.selector.part, Part::Units(_)) => return Ok(None),
            None if self.subject.compression.is_none()
                || self.selector != Selector::of(Part::Converted(View::Main)) =>
            {
                return Err(self.no_converted_form());
            }
            None => None,
        };
        if text.is_none() {
            self.selector.part = Part::Whole;
            if document.is_some() {
                // The document is not converted a second time.
                self.detected.kind = Kind::Text;
            }
        }
        Ok(text)
    }

    /// The failure for a part that only web pages have, such as `:full`, of another document.
    fn only_html(&self, document: Document) -> Failure {
        let (path, selector) = (&self.subject.requested, &self.selector);
        let what = with_article(document.name());
        let view = Selector::of(selector.part.clone());
        let message = format!("`{path}` is {what}; `:{view}` selects a part of an HTML page");
        let main = Selector {
            part: Part::Converted(View::Main),
            ..selector.clone()
        };
        let instead = escape_invisible(&self.subject.with_selector(&main));
        Failure::new(Reason::InvalidSelector(selector.to_string()), message)
            .hint(format!("use `{instead}`"))
    }

    /// The failure for content that has no converted form.
    fn no_converted_form(&self) -> Failure {
        let (path, selector) = (&self.subject.requested, &self.selector);
        let message = format!(
            "`{path}` has no converted form: it is not an HTML page, a feed, XML, a mail or a notebook"
        );
        let hint = if selector.selects_lines() {
            let itself = Selector {
                part: Part::Whole,
                ..selector.clone()
            };
            let itself = escape_invisible(&self.subject.with_selector(&itself));
            format!("use `{itself}` for lines of the file itself")
        } else {
            format!("leave out `:{selector}` to read the file itself")
        };
        Failure::new(Reason::InvalidSelector(selector.to_string()), message).hint(hint)
    }

    /// Adds a note if the file has the extension of a document, such as `.ipynb`, but is not one.
    /// Fails if the path requests an image or units (such as notebook cells), and no reader can
    /// show them.
    fn check(&mut self, readers: &[Reader]) -> Result<(), Failure> {
        let style = &self.request.style;
        let is_image = |reader: &Reader| matches!(reader, Reader::Image(..));
        if self.selector.part == Part::Image {
            if style.media.is_none() {
                return Err(
                    self.not_image("is not shown as an image: this agent does not accept images")
                );
            }
            if !readers.iter().any(is_image) {
                return Err(self.not_image("is not an image"));
            }
        }
        let has_units = |reader: &Reader| matches!(reader, Reader::Document(_));
        if !readers.iter().any(has_units) {
            match self.selector.part {
                Part::Units(units) => return Err(self.no_units(units.kind.word())),
                Part::Figure(_) => return Err(self.no_units("image")),
                _ => {}
            }
        }
        if let Some(document) = Document::of_name(self.subject.inner_name())
            && self.detected.kind != Kind::Document(document)
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

    /// Reads a document as text. Returns `None` if the document cannot be converted to text.
    fn document(
        &mut self,
        document: Document,
        input: &mut Input<'_>,
    ) -> Result<Option<Text>, Failure> {
        document::read(
            document,
            self.opened.take(),
            input,
            self.detected.encoding,
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
                style.numbering_editable
            } else {
                style.numbering_plain
            },
        );
        let encoding = self.detected.encoding.unwrap_or(Encoding::UTF8);
        let tagged = style.tagged && editable && !window.selector.raw;
        if style.enclosing_declarations {
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
        // If the dialect converts a document, edits apply to the converted text and not to `:raw`.
        let converted = match self.detected.kind {
            Kind::Document(document) => converts(document, style),
            _ => false,
        };
        Text {
            is_edit_text: !(converted && self.selector.raw),
            ..text
        }
    }

    /// Reads an image. Returns `None` if the content is not a valid image, or if it is an image in
    /// a text format, such as SVG, that cannot be shown as an image. The caller then tries the next
    /// reader.
    ///
    /// # Errors
    /// Fails if the selector `:img` requests an image, and the content is not a valid one.
    fn image(
        &mut self,
        input: &mut Input<'_>,
        format: &'static ImageFormat,
        text_encoding: Option<Encoding>,
    ) -> Result<Option<Media>, Failure> {
        let image_requested = self.selector.part == Part::Image;
        let Some(passing) = self.request.style.media else {
            return Ok(None);
        };
        let images = match passing.images {
            // `:img` resizes an image that the dialect would not return unchanged.
            ImageMode::Passthrough { mimes, others, .. }
                if image_requested && !mimes.contains(&format.media.mime) =>
            {
                ImageMode::Resize(others)
            }
            images => images,
        };
        let images = match images {
            ImageMode::Resize(fit) if self.subject.web.is_some() => {
                ImageMode::Resize(ImageLimits {
                    bytes: fit.bytes.min(limits::FETCHED_IMAGE_BYTES),
                    ..fit
                })
            }
            images => images,
        };
        let size = self.subject.bytes();
        match image::read(
            input,
            size,
            text_encoding,
            format,
            images,
            self.world,
            self.notes,
        ) {
            // An image in a text format that cannot be shown as an image is shown as text.
            Ok(media) if text_encoding.is_some() && !image_requested && media.payload.is_err() => {
                if let Err(NotShown::Undecoded(why)) = &media.payload {
                    let name = media.format.long_name;
                    self.notes.push(format!(
                        "shown as text: the {name} cannot be rendered: {why}"
                    ));
                }
                Ok(None)
            }
            Ok(media) => Ok(Some(self.without_lines(media))),
            Err(why) if image_requested => Err(self.not_image(&format!("is not an image: {why}"))),
            Err(why) => {
                self.notes.push(why);
                Ok(None)
            }
        }
    }

    /// Returns `media` unchanged. Adds a note if the selector requests lines, which images and
    /// attachments do not have.
    fn without_lines(&mut self, media: Media) -> Media {
        if self.selector.selects_lines() {
            let selector = &self.selector;
            self.notes.push(if media.format.image {
                let name = media.format.long_name;
                format!("`:{selector}` was ignored: {name}s have no lines")
            } else {
                let text = Selector {
                    part: Part::Converted(View::Main),
                    ..selector.clone()
                };
                let path = escape_invisible(&self.subject.with_selector(&text));
                format!(
                    "`:{selector}` was ignored, because the whole file is passed on; `{path}` reads these lines of its text"
                )
            });
        }
        media
    }

    /// The failure for a request for units that the content does not have. `word` names a unit.
    fn no_units(&self, word: &str) -> Failure {
        let selector = &self.selector;
        let typed = &self.subject.requested;
        let message = format!("`{typed}` has no {word}s for `:{selector}`");
        let reason = Reason::InvalidSelector(selector.to_string());
        Failure::new(reason, message).hint(format!("leave out `:{selector}` to read all of it"))
    }

    fn not_image(&self, why: &str) -> Failure {
        Failure::new(
            Reason::InvalidSelector(self.selector.to_string()),
            format!("`{}` {why}", self.subject.requested),
        )
        .hint("leave out `:img` to read the file itself")
    }
}

/// The note that the file changed while it was read. `None` if its size and its time are unchanged,
/// or if its size is not known.
pub fn changed(subject: &Subject, source: &mut dyn Source) -> Option<String> {
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
