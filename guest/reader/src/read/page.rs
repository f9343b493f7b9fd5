//! The body of a web address, read as a page: HTML, feeds and JSON are converted, and a page with
//! little text is completed by other forms of it.

use super::beside::{self, Beside};
use super::document::Wanted;
use super::reading::Reading;
use super::{binary, converted, document};
use crate::answer::{Body, Text};
use crate::convert::json;
use crate::converted::{Conversion, Converted, Unit};
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::limits;
use crate::pages::Input;
use crate::path::{Part, Selector, ends_in};
use crate::request::Notebooks;
use crate::sniff::{Container, Document, Kind};
use crate::sources;
use crate::units::with_article;
use crate::web::{Facts, Method};

const MARKDOWN: &str = "text/markdown";

impl Reading<'_> {
    /// Reads the body of a web address as a page. `None` if it is read like the bytes of a file.
    ///
    /// # Errors
    /// Fails if the page cannot be shown.
    pub fn page(&mut self, input: &mut Input<'_>) -> Result<Option<Body>, Failure> {
        let Some(facts) = self.subject.page() else {
            return Ok(None);
        };
        self.web.method = self.method(facts);
        let mislabelled = self.mislabelled();
        self.web.notes.extend(mislabelled);
        if self.selector.raw && self.detected.encoding.is_none() {
            let bytes = self.request.style.binary_bytes;
            let format = binary::Format::of(input.head(), None, self.subject.inner_name());
            return Ok(Some(Body::Binary(binary::read(input, &format, bytes))));
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
        let found = self.page_text(input)?;
        Ok(found.map(Body::Text))
    }

    /// Reads a page of the text of a body. `None` if the body is read like the bytes of a file.
    fn page_text(&mut self, input: &mut Input<'_>) -> Result<Option<Text>, Failure> {
        let (Some(facts), Some(encoding)) = (self.subject.page(), self.detected.encoding) else {
            return Ok(None);
        };
        let is_symbol = matches!(self.selector.part, Part::Symbol(_));
        if !is_symbol && (self.selector.part != Part::Whole || self.selector.raw) {
            return Ok(None);
        }
        let found = match self.detected.kind {
            Kind::Text | Kind::Document(Document::Html | Document::Feed) if self.is_source() => {
                None
            }
            Kind::Document(document @ (Document::Html | Document::Feed)) => Some(document),
            Kind::Text | Kind::Drawing(_) => {
                sources::of_text(input, encoding, self.subject.hints())
            }
            Kind::Document(_) | Kind::Container(_) | Kind::Image(_) | Kind::Other => {
                return Ok(None);
            }
        };
        if found != Some(Document::Feed)
            && self.may_be_json(input)
            && let Some(text) = self.json_text(input, encoding)?
        {
            return Ok(Some(text));
        }
        let (method, document) = match found {
            Some(Document::Html) => (Method::Html, Document::Html),
            Some(Document::Feed) => (Method::Feed, Document::Feed),
            Some(Document::Engine(format)) => {
                self.web.method.get_or_insert(Method::Markit);
                return self.document(Document::Engine(format), input);
            }
            Some(_) | None => return Ok(None),
        };
        let of_form = Selector::NONE;
        let wanted = Wanted {
            subject: self.subject,
            selector: if is_symbol { &of_form } else { &self.selector },
            notebooks: Notebooks::Sources,
        };
        let converted = document::convert(document, input, Some(encoding), &wanted);
        let (mut converted, encoding) = match converted {
            Ok(converted) => converted,
            Err(why) => {
                self.notes.push(format!("{why}; it is shown as plain text"));
                return Ok(None);
            }
        };
        self.web.method.get_or_insert(method);
        if !facts.failed
            && let Some(links) = converted.links.take()
            && let Some(beside) = beside::find(&links, self)
        {
            self.web.method = Some(beside.method);
            complete(&mut converted, &beside);
        }
        let selector = self.selector.clone();
        converted::read(converted, encoding, &selector, self).map(Some)
    }

    /// Whether a body may be JSON, by its label, its name and its first character.
    fn may_be_json(&self, input: &Input<'_>) -> bool {
        let mime = self.mime();
        if matches!(mime, "application/json" | "text/json") || mime.ends_with("+json") {
            return true;
        }
        let name = self.subject.inner_name();
        let named = ends_in(name, &["json", "geojson", "webmanifest"]);
        let unlabelled = matches!(mime, "" | "application/octet-stream" | "text/html");
        let mut head = input.head().iter();
        let start = head.find(|byte| !byte.is_ascii_whitespace());
        (named || unlabelled) && matches!(start, Some(b'{' | b'['))
    }

    /// Reads JSON as indented lines. `None` if the body is not JSON.
    fn json_text(
        &mut self,
        input: &mut Input<'_>,
        encoding: Encoding,
    ) -> Result<Option<Text>, Failure> {
        // JSON lines are text too.
        let Ok(bytes) = document::bytes(Document::Notebook, input, limits::CONVERTED_MARKUP_BYTES)
        else {
            self.web.method.get_or_insert(Method::Json);
            return Ok(None);
        };
        let Some(converted) = json::convert(&document::decoded(bytes, encoding)) else {
            return Ok(None);
        };
        self.web.method = self.web.method.or(Some(Method::Json));
        let selector = self.selector.clone();
        converted::read(converted, encoding, &selector, self).map(Some)
    }

    /// How the body is read, if the response or the selector decides it.
    fn method(&self, facts: &Facts) -> Option<Method> {
        if facts.method.is_some() {
            return facts.method;
        }
        if facts.failed {
            return Some(Method::Failed);
        }
        let mime = self.mime();
        let kind = self.detected.kind;
        let is_html = matches!(kind, Kind::Document(Document::Html)) || mime == "text/html";
        let is_symbol = matches!(self.selector.part, Part::Symbol(_));
        if self.selector.raw && !is_symbol {
            return Some(if is_html {
                Method::RawHtml
            } else {
                Method::Raw
            });
        }
        match kind {
            Kind::Text if mime == MARKDOWN && !is_markdown_name(&facts.name) => {
                Some(Method::ContentNegotiation)
            }
            Kind::Document(document)
                if document != Document::Html && document != Document::Feed =>
            {
                Some(Method::Markit)
            }
            Kind::Image(_) => Some(Method::Image),
            _ if matches!(self.selector.part, Part::Converted(_)) && is_html => Some(Method::Html),
            _ => None,
        }
    }

    /// The note on a content type that the bytes refute. `None` if it is right, or too general.
    fn mislabelled(&self) -> Option<String> {
        let mime = self.mime();
        let says_text = mime.starts_with("text/") || mime == "application/json";
        let what = match self.detected.kind {
            Kind::Image(format) if says_text => format.media.long_name.to_owned(),
            Kind::Container(container @ (Container::Archive(_) | Container::Database))
                if says_text =>
            {
                container.name()
            }
            Kind::Document(document) if says_text && !document.is_text() => {
                document.name().to_owned()
            }
            Kind::Text if mime.starts_with("image/") && mime != "image/svg+xml" => {
                "text".to_owned()
            }
            _ => return None,
        };
        let what = if what == "text" {
            what
        } else {
            with_article(&what)
        };
        Some(format!("the server says `{mime}`, but the body is {what}"))
    }

    /// Whether the server states that the body is text to be shown as it is, also if it has markup.
    fn is_source(&self) -> bool {
        matches!(self.mime(), MARKDOWN | "text/plain")
    }

    /// The MIME type that the server reports. Empty if it reports none.
    fn mime(&self) -> &str {
        self.subject.info.mime.as_deref().unwrap_or_default()
    }
}

fn is_markdown_name(name: &str) -> bool {
    ends_in(name, &["md", "markdown", "mdx"])
}

/// Replaces the text of a page by another form of it, or adds the other form.
fn complete(converted: &mut Converted, beside: &Beside) {
    let mut text = match &mut converted.text {
        Conversion::Whole(unit) if !beside.replaces => std::mem::take(&mut unit.text),
        Conversion::Whole(_) | Conversion::Units(_) => String::new(),
    };
    if !text.is_empty() {
        text.push_str("\n\n---\n\n");
    }
    text.push_str(&beside.text);
    converted.text = Conversion::Whole(Unit {
        text,
        ..Unit::default()
    });
}
