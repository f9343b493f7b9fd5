//! A file or member by what its bytes are: text, a picture or document, or none
//! of these.

use crate::answer::{Answer, Body, Media, Subject, Text, Withheld};
use crate::digest::{self, Unhashed};
use crate::encoding::{self, Encoding};
use crate::failure::{Failure, Reason};
use crate::pages::{Input, visible};
use crate::path::{Part, Selector};
use crate::request::{Hashed, Pictures, Request};
use crate::world::{Source, World};
use crate::{notebooks, outlines, readers, sources, units};

/// Reads bytes by what they are; `packed` tells that they are no text.
pub fn read(
    source: &mut dyn Source,
    packed: bool,
    subject: Subject,
    selector: Selector,
    request: &Request,
    world: &mut dyn World,
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
    let mut asked = Asked {
        subject: &subject,
        selector,
        request,
        world,
        notes: &mut notes,
    };
    let body = asked.body(&mut input, packed)?;
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

/// What is asked of bytes.
struct Asked<'a> {
    subject: &'a Subject,
    selector: Selector,
    request: &'a Request,
    world: &'a mut dyn World,
    notes: &'a mut Vec<String>,
}

impl Asked<'_> {
    fn body(&mut self, input: &mut Input<'_>, packed: bool) -> Result<Body, Failure> {
        let style = &self.request.style;
        let size = self.subject.bytes();
        let encoding = encoding::detect(input, size, readers::is_known)
            .filter(|_| !packed || self.selector.raw);
        let binary = encoding.is_none() || (style.nul_is_binary && encoding::has_nul(input));
        if notebooks::wanted(self.subject, &self.selector, style.notebooks)
            && let Some(text) = notebooks::read(
                input,
                encoding,
                self.subject,
                &self.selector,
                self.request,
                self.world,
                self.notes,
            )?
        {
            return Ok(Body::Text(text));
        }
        // Who asks for the exact text of a file gets it, as UTF-8 if need be,
        // unless all text is exact.
        if !self.selector.raw || style.exact {
            let written = encoding.filter(|_| !binary && !packed);
            if let Some(media) = self.media(input, written)? {
                return Ok(Body::Media(media));
            }
            let document = style.passing.is_some() && readers::document::is_document(input);
            if binary || document {
                return Ok(Body::Binary(readers::binary::read(
                    input,
                    encoding,
                    style.binary_bytes,
                )));
            }
        }
        let editable = self.subject.editable();
        let mut window = style.window(
            self.selector.clone(),
            if editable {
                style.editable
            } else {
                style.plain
            },
        );
        let encoding = encoding.unwrap_or(Encoding::UTF8);
        let tagged = style.tagged && editable && !window.selector.raw;
        if style.enclosing {
            outlines::enclose(input, encoding, self.subject, &mut window);
        }
        let outlined = self
            .request
            .wants_outline(&self.selector)
            .then(|| outlines::read(input, encoding, self.subject, &mut window))
            .flatten();
        Ok(Body::Text(match outlined {
            Some((page, outline)) => Text {
                outline: Some(outline),
                ..readers::text::of_page(input, encoding, window, tagged, page)
            },
            None => readers::text::read(input, encoding, &window, tagged),
        }))
    }

    /// A picture or document, if it is one and such are handed out. `written` is
    /// the encoding of a file that is text.
    ///
    /// # Errors
    /// If the picture was asked for and there is none.
    fn media(
        &mut self,
        input: &mut Input<'_>,
        written: Option<Encoding>,
    ) -> Result<Option<Media>, Failure> {
        let asked = self.selector.part == Part::Picture;
        let Some(passing) = self.request.style.passing else {
            return if asked {
                Err(self.no_picture("is not shown as a picture: this agent takes none"))
            } else {
                Ok(None)
            };
        };
        let size = self.subject.bytes();
        if let Some(limit) = passing.document_bytes
            && !asked
            && readers::document::is_document(input)
        {
            let media = readers::document::read(input, size, limit);
            self.without_lines(&media);
            return Ok(Some(media));
        }
        let name = self.subject.shown();
        let stored = readers::picture::of(input.head(), written.is_none(), &name);
        let drawn = asked || (passing.drawings && !self.selector.asks_for_lines());
        let text = written.filter(|_| drawn && stored.is_none());
        let head = |encoding: Encoding| encoding.decoded(input.head(), false);
        let drawing = text.and_then(|encoding| readers::picture::of_text(&head(encoding)));
        let Some(kind) = stored.or(drawing) else {
            return if asked {
                Err(self.no_picture("is no picture"))
            } else {
                Ok(None)
            };
        };
        let pictures = match passing.pictures {
            // Who asks for a picture gets one.
            Pictures::Untouched { mimes, others, .. }
                if asked && !mimes.contains(&kind.format.mime) =>
            {
                Pictures::Fitted(others)
            }
            pictures => pictures,
        };
        match readers::picture::read(input, size, text, kind, pictures, self.world, self.notes) {
            // What is text anyway is shown as that.
            Ok(media) if text.is_some() && !asked && media.given.is_err() => {
                if let Err(Withheld::Undecoded(why)) = &media.given {
                    let name = media.format.long_name;
                    self.notes
                        .push(format!("{name} as text, for as a picture {why}"));
                }
                Ok(None)
            }
            Ok(media) => {
                self.without_lines(&media);
                Ok(Some(media))
            }
            Err(why) if asked => Err(self.no_picture(&format!("is no picture: {why}"))),
            Err(why) => {
                self.notes.push(why);
                Ok(None)
            }
        }
    }

    /// Says that lines were asked for of what has none.
    fn without_lines(&mut self, media: &Media) {
        if self.selector.asks_for_lines() {
            self.notes.push(format!(
                "`:{}` was left out: {}s have no lines",
                self.selector, media.format.long_name
            ));
        }
    }

    fn no_picture(&self, why: &str) -> Failure {
        Failure::new(
            Reason::Selector(self.selector.to_string()),
            format!("`{}` {why}", visible(&self.subject.typed)),
        )
        .hint("leave out `:img` to read it as it is")
    }
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
