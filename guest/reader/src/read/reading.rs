//! A read of bytes whose kind was detected: its state, and the readers in the order in which they are
//! tried.

use super::content::Walk;
use super::image_budget::Left;
use super::log::Viewed;
use super::readers::{Reader, converts, readers};
use super::unit_paths::same_units;
use super::{attachment, binary, conflict_scan, figure, image, log, offers, outline, rest, text};
use crate::answer::{Binary, Body, Media, NotShown, Text};
use crate::encoding::{self, Encoding};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::Input;
use crate::path::{Part, Selector, UnitRange, View};
use crate::request::{ImageLimits, ImageMode, Request};
use crate::sniff::{Detected, Document, ImageFormat, Kind};
use crate::sources::{self, OpenDocument};
use crate::subject::{Origin, Subject};
use crate::units::with_article;
use crate::web::Method;
use crate::world::World;
use omniread_document as document;

/// The state of a read of bytes.
pub struct Reading<'a> {
    pub detected: Detected,
    /// The document, if the engine has opened it already.
    pub opened: Option<OpenDocument>,
    pub subject: &'a Subject,
    pub selector: Selector,
    pub request: &'a Request,
    pub walk: Walk,
    pub world: &'a mut dyn World,
    pub notes: &'a mut Vec<String>,
    pub web: Web,
    /// The id of the artifact with the whole text, if the reply shows only a part.
    pub artifact: Option<String>,
    /// Whether the reply shows conflicts, if the path selects them.
    pub shows_conflicts: Option<bool>,
    /// Whether the reply lists several declarations of one name.
    pub lists_symbols: bool,
    /// Whether the path requests the converted form, which the content does not have.
    pub is_unconverted: bool,
}

/// What a reply states about how a page was read.
#[derive(Debug, Default)]
pub struct Web {
    /// How the text was made. `None` for bytes that are read like those of a file.
    pub method: Option<Method>,
    /// What was tried.
    pub notes: Vec<String>,
}

impl Reading<'_> {
    /// Reads the bytes with the first reader for which they are valid.
    ///
    /// # Errors
    /// Fails if the bytes cannot be shown as the path requests.
    pub fn body(&mut self, input: &mut Input<'_>) -> Result<Body, Failure> {
        let style = &self.request.style;
        // The bytes of these are not text, even if an encoding was detected.
        let packed = match self.detected.kind {
            Kind::Container(_) => !self.selector.raw,
            Kind::Document(document) => !document.is_text(),
            _ => false,
        };
        self.detected.encoding = self.detected.encoding.filter(|_| !packed);
        if let Some(body) = self.conflicts(input)? {
            return Ok(body);
        }
        if let Some(body) = self.page(input)? {
            return Ok(body);
        }
        if let Some(text) = self.converted(input)? {
            return Ok(Body::Text(text));
        }
        if let Some(body) = self.symbol(input)? {
            return Ok(body);
        }
        let nul = || encoding::has_nul(input);
        let readers = readers(&self.detected, nul, &self.selector, style);
        self.check(&readers, input)?;
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
                Reader::Binary => Some(Body::Binary(self.binary(input))),
                Reader::Text => break,
            };
            if let Some(body) = body {
                return Ok(body);
            }
        }
        let mut text = self.text(input);
        if text.outline.is_none() && !self.request.wants_outline(&self.selector) {
            let encoding = self.detected.encoding.unwrap_or(Encoding::UTF8);
            text.unshown = rest::of_input(input, encoding, &text, self.subject, self.request);
        }
        let conflicts = self.conflicts_note(text.conflicts);
        self.notes.extend(conflicts);
        Ok(Body::Text(text))
    }

    /// Adds a note if the file has the extension of a document, such as `.ipynb`, but is not one.
    /// Fails if the path requests an image or units (such as notebook cells), and no reader can
    /// show them.
    fn check(&mut self, readers: &[Reader], input: &mut Input<'_>) -> Result<(), Failure> {
        let style = &self.request.style;
        let is_image = |reader: &Reader| matches!(reader, Reader::Image(..));
        if self.selector.part == Part::Image {
            if style.media.is_none() {
                return Err(self.not_image(
                    "is not shown as an image: this agent does not accept images",
                    input,
                ));
            }
            if !readers.iter().any(is_image) {
                return Err(self.no_image(input));
            }
        }
        let has_units = |reader: &Reader| matches!(reader, Reader::Document(_));
        if !readers.iter().any(has_units) {
            match self.selector.part {
                Part::Units(units) => return Err(self.no_units(units.kind.word(), input)),
                Part::Figure(_) => return Err(self.no_units("image", input)),
                _ => {}
            }
        }
        if let Some(document) = Document::of_name(self.subject.inner_name())
            && self.detected.kind != Kind::Document(document)
            && converts(document, style)
            && self.selector.part == Part::Whole
            && !self.selector.raw
            && !self.is_text_of(document, input)
        {
            let word = with_article(document.word());
            self.notes
                .push(format!("the file is named like {word}, but is not one"));
        }
        Ok(())
    }

    /// Whether the content is the text of a document whose files usually are not text, such as a workbook
    /// in XML with the name of a binary one.
    fn is_text_of(&self, document: Document, input: &Input<'_>) -> bool {
        let encoding = self.detected.encoding;
        encoding.is_some_and(|encoding| {
            sources::of_text(input, encoding, self.subject.hints()) == Some(document)
        })
    }

    /// Reads a document as text. Returns `None` if the document cannot be converted to text.
    ///
    /// # Errors
    /// Fails if the document does not have the part that the path requests.
    pub fn document(
        &mut self,
        document: Document,
        input: &mut Input<'_>,
    ) -> Result<Option<Text>, Failure> {
        let text = match document.engine() {
            Some(format) => self.office(document, format, input).map(Some),
            None => self.text_document(document, input),
        };
        text.map_err(|failure| match failure.hint {
            Some(_) => failure,
            None => self.with_itself(failure, input),
        })
    }

    /// The document, opened by the engine.
    pub fn open(&mut self, format: document::Format, input: &mut Input<'_>) -> OpenDocument {
        let opened = self.opened.take();
        opened.unwrap_or_else(|| sources::open_document(format, input, self.subject, self.world))
    }

    /// Describes a binary file. Notes name a program for a known format, and the path that reads the
    /// bytes as text, if the path selects lines or if most bytes are text.
    fn binary(&mut self, input: &mut Input<'_>) -> Binary {
        let (subject, style) = (self.subject, &self.request.style);
        let encoding = self.detected.encoding;
        let format = binary::Format::of(input.head(), encoding, subject.inner_name());
        let program = format.program();
        let is_known = program.is_some();
        self.notes.extend(program);
        let raw = Selector {
            raw: true,
            ..self.selector.clone()
        };
        let path = escape_invisible(&subject.with_selector(&raw));
        let selector = &self.selector;
        if style.exact || selector.raw || selector.part != Part::Whole {
            // These have no `:raw`, or the path names no lines.
        } else if matches!(format, binary::Format::Container(_)) {
            // Its content has a path of its own.
        } else if selector.selects_lines() {
            self.notes.push(format!(
                "the lines were not selected, because binary data has none; `{path}` reads it as text"
            ));
        } else if !is_known && encoding.is_none() && binary::is_mostly_text(input.head()) {
            self.notes.push(format!(
                "most of the data is text; `{path}` reads all of it as text"
            ));
        }
        binary::read(input, &format, style.binary_bytes)
    }

    /// Reads a page of the text.
    pub fn text(&self, input: &mut Input<'_>) -> Text {
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
        let wants_outline = self.request.wants_outline(&self.selector);
        let log = if wants_outline && self.selector.part == Part::Whole {
            log::read(input, encoding, self.subject, &mut window)
        } else {
            Viewed::None
        };
        let outlined = (wants_outline && !matches!(log, Viewed::View(..)))
            .then(|| outline::read(input, encoding, self.subject, &mut window))
            .flatten();
        let text = match (outlined, log) {
            (Some((page, outline)), _) => Text {
                outline: Some(outline),
                ..text::of_page(input, encoding, window, tagged, page)
            },
            (None, Viewed::View(page, log)) => Text {
                log: Some(log),
                ..text::of_page(input, encoding, window, tagged, page)
            },
            (None, Viewed::Page(page)) => text::of_page(input, encoding, window, tagged, page),
            (None, Viewed::None) => text::read(input, encoding, &window, tagged),
        };
        // If the dialect converts a document, edits apply to the converted text and not to `:raw`.
        let converted = match self.detected.kind {
            Kind::Document(document) => converts(document, style),
            _ => false,
        };
        let conflicts = if self.selector.raw || text.log.is_some() {
            0
        } else {
            conflict_scan::on_page(&text.page, input, encoding)
        };
        Text {
            is_edit_text: !(converted && self.selector.raw),
            conflicts,
            other_form: self.other_form(input),
            ..text
        }
    }

    /// What the path of the file with a colon reads. `None` if it is the text, or if the path selects a
    /// part of it.
    fn other_form(&self, input: &Input<'_>) -> Option<&'static str> {
        let subject = self.subject;
        let is_bare = self.selector == Selector::NONE && self.request.slice.is_none();
        if !is_bare
            || self.is_unconverted
            || !self.request.style.other_forms
            || subject.page().is_some()
            || subject.origin == Origin::Stdin
            || !offers::may_have_form(input.head(), subject)
        {
            return None;
        }
        offers::form(input, self.detected.encoding?, subject)?.notice()
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
        let wanted = image::Wanted {
            kind: format,
            text: text_encoding,
            images,
            size: self.request.style.image_size,
            left: Left::of(&self.request.style, self.world),
        };
        let read = image::read(input, size, wanted, self.world, self.notes);
        match read.map(|media| self.with_path(media)) {
            // An image in a text format that cannot be shown as an image is shown as text.
            Ok(media)
                if text_encoding.is_some()
                    && !image_requested
                    && !matches!(media.payload, Ok(_) | Err(NotShown::Budget(_))) =>
            {
                if let Err(NotShown::Undecoded(why)) = &media.payload {
                    let name = media.format.long_name;
                    self.notes.push(format!(
                        "shown as text: the {name} cannot be rendered: {why}"
                    ));
                }
                Ok(None)
            }
            Ok(media) => Ok(Some(self.without_lines(media))),
            Err(why) if image_requested => {
                Err(self.not_image(&format!("is not an image: {why}"), input))
            }
            Err(why) => {
                self.notes.push(why);
                Ok(None)
            }
        }
    }

    /// Returns `media` with the path that shows it, if it is over the budget of the session.
    fn with_path(&self, mut media: Media) -> Media {
        if let Err(NotShown::Budget(over)) = &mut media.payload {
            over.path = Some(self.request.path.clone());
        }
        media
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

    /// The failure for a request for units that the content does not have. `word` names a unit. A
    /// document with other units may have one with the same number.
    fn no_units(&mut self, word: &str, input: &mut Input<'_>) -> Failure {
        let selector = &self.selector;
        let typed = &self.subject.requested;
        let message = format!("`{typed}` has no {word}s for `:{selector}`");
        let reason = Reason::InvalidSelector(selector.to_string());
        let failure = Failure::new(reason, message);
        match self.same_unit(input) {
            Some(path) => failure.hint(format!("use `{path}`")),
            None => self.with_offers(failure, input),
        }
    }

    /// The path of the units that have the requested numbers, of a document whose units are of another
    /// kind. `None` if there is no unit with the first number.
    fn same_unit(&mut self, input: &mut Input<'_>) -> Option<String> {
        let (Part::Units(requested), Kind::Document(document)) =
            (&self.selector.part, self.detected.kind)
        else {
            return None;
        };
        let (format, kind) = (document.engine()?, document.units()?);
        let number = requested.first;
        let count = self.open(format, input).ok()?.facts().list.len() as u64;
        UnitRange::exists(kind, count, number)
            .then(|| same_units(kind, count, self.subject, &self.selector))
    }

    /// The failure for a request for an image of content that is not one. A document may have images.
    fn no_image(&mut self, input: &mut Input<'_>) -> Failure {
        let failure = self.not_image("is not an image", input);
        match self.detected.kind {
            Kind::Document(document) => {
                let Some(format) = document.engine() else {
                    return self.with_offers(failure, input);
                };
                match self.open(format, input) {
                    Ok(mut opened) => {
                        let pictures = figure::pictures(&mut *opened, self.subject, self.request);
                        failure.hint(pictures)
                    }
                    Err(_) => self.with_offers(failure, input),
                }
            }
            _ => failure,
        }
    }

    /// Adds the hint on what a path can select in the content.
    pub fn with_offers(&self, failure: Failure, input: &Input<'_>) -> Failure {
        let style = &self.request.style;
        match offers::of(self.detected, input, self.subject, style) {
            Some(offers) => failure.hint(offers),
            None => failure,
        }
    }

    /// Adds the hint to leave out the selector, if the bare path is read.
    pub fn with_itself(&self, failure: Failure, input: &Input<'_>) -> Failure {
        let (subject, style) = (self.subject, &self.request.style);
        match offers::itself(&self.detected, input, subject, &self.selector, style) {
            Some(itself) => failure.hint(itself),
            None => failure,
        }
    }

    fn not_image(&self, why: &str, input: &Input<'_>) -> Failure {
        let failure = Failure::new(
            Reason::InvalidSelector(self.selector.to_string()),
            format!("`{}` {why}", self.subject.requested),
        );
        self.with_itself(failure, input)
    }
}
