//! The body of a web address, read as a page: HTML, feeds and JSON are converted, and a page with
//! little text is completed by other forms of it.

use super::beside::{self, Beside};
use super::{converted, document};
use crate::answer::Text;
use crate::convert::json;
use crate::converted::{Conversion, Converted, Unit};
use crate::encoding::Encoding;
use crate::failure::Failure;
use crate::limits;
use crate::pages::Input;
use crate::path::{Part, Selector, ends_in};
use crate::request::{Notebooks, Request};
use crate::sniff::{Container, Detected, Document, Kind};
use crate::sources;
use crate::subject::Subject;
use crate::units::with_article;
use crate::web::{Facts, Method, mime};
use crate::world::World;

/// What a reply states about how a page was read.
#[derive(Debug, Default)]
pub struct Web {
    /// How the text was made. `None` for bytes that are read like those of a file.
    pub method: Option<Method>,
    /// What was tried.
    pub notes: Vec<String>,
    /// The id of the artifact with the whole text, if the reply shows only a part.
    pub artifact: Option<String>,
}

/// Reads a page of the text of a body. `None` if the body is read like the bytes of a file.
///
/// # Errors
/// Fails if the page cannot be shown.
#[expect(
    clippy::too_many_arguments,
    reason = "what a read of bytes consists of"
)]
pub fn read(
    input: &mut Input<'_>,
    detected: Detected,
    subject: &Subject,
    selector: &Selector,
    request: &Request,
    world: &mut dyn World,
    web: &mut Web,
    notes: &mut Vec<String>,
) -> Result<Option<Text>, Failure> {
    let (Some(facts), Some(encoding)) = (subject.page(), detected.encoding) else {
        return Ok(None);
    };
    if selector.part != Part::Whole || selector.raw {
        return Ok(None);
    }
    let found = match detected.kind {
        Kind::Text | Kind::Document(Document::Html | Document::Feed) if is_source(facts) => None,
        Kind::Document(document @ (Document::Html | Document::Feed)) => Some(document),
        Kind::Text | Kind::Drawing(_) => sources::of_text(input, encoding, subject.hints()),
        Kind::Document(_) | Kind::Container(_) | Kind::Image(_) | Kind::Other => return Ok(None),
    };
    if found != Some(Document::Feed)
        && may_be_json(input, subject)
        && let Some(text) = json_text(
            input, encoding, subject, selector, request, world, web, notes,
        )?
    {
        return Ok(Some(text));
    }
    let (method, document) = match found {
        Some(Document::Html) => (Method::Html, Document::Html),
        Some(Document::Feed) => (Method::Feed, Document::Feed),
        Some(Document::Engine(format)) => {
            web.method.get_or_insert(Method::Markit);
            let document = Document::Engine(format);
            return document::read(
                document,
                None,
                input,
                Some(encoding),
                subject,
                selector,
                request,
                world,
                notes,
            );
        }
        Some(_) | None => return Ok(None),
    };
    let converted = document::convert(
        document,
        input,
        Some(encoding),
        subject,
        selector,
        Notebooks::Sources,
    );
    let (mut converted, encoding) = match converted {
        Ok(converted) => converted,
        Err(why) => {
            notes.push(format!("{why}; it is shown as plain text"));
            return Ok(None);
        }
    };
    web.method.get_or_insert(method);
    if !facts.failed
        && let Some(links) = converted.links.take()
        && let Some(beside) =
            beside::find(&links, subject, selector, request, world, &mut web.notes)
    {
        web.method = Some(beside.method);
        complete(&mut converted, &beside);
    }
    shown(
        converted, encoding, subject, selector, request, world, web, notes,
    )
    .map(Some)
}

/// Reads a page of the converted text. If the page does not show all of it, the host may store the text
/// as an artifact.
#[expect(
    clippy::too_many_arguments,
    reason = "what a read of bytes consists of"
)]
fn shown(
    converted: Converted,
    encoding: Encoding,
    subject: &Subject,
    selector: &Selector,
    request: &Request,
    world: &mut dyn World,
    web: &mut Web,
    notes: &mut Vec<String>,
) -> Result<Text, Failure> {
    let whole = match &converted.text {
        Conversion::Whole(unit) if world.stores_artifacts() => Some(unit.text.clone()),
        Conversion::Whole(_) | Conversion::Units(_) => None,
    };
    let text = converted::read(
        converted, encoding, subject, selector, request, world, notes,
    )?;
    if let Some(whole) = whole.filter(|_| text.page.following.is_some()) {
        web.artifact = world.store_artifact(&subject.resolved, &whole);
    }
    Ok(text)
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

/// Whether a body may be JSON, by its label, its name and its first character.
fn may_be_json(input: &Input<'_>, subject: &Subject) -> bool {
    let mime = subject.info.mime.as_deref().unwrap_or_default();
    if matches!(mime, "application/json" | "text/json") || mime.ends_with("+json") {
        return true;
    }
    let named = ends_in(subject.inner_name(), &["json", "geojson", "webmanifest"]);
    let unlabelled = matches!(mime, "" | "application/octet-stream" | "text/html");
    let mut head = input.head().iter();
    let start = head.find(|byte| !byte.is_ascii_whitespace());
    (named || unlabelled) && matches!(start, Some(b'{' | b'['))
}

/// Reads JSON as indented lines. `None` if the body is not JSON.
#[expect(
    clippy::too_many_arguments,
    reason = "what a read of bytes consists of"
)]
fn json_text(
    input: &mut Input<'_>,
    encoding: Encoding,
    subject: &Subject,
    selector: &Selector,
    request: &Request,
    world: &mut dyn World,
    web: &mut Web,
    notes: &mut Vec<String>,
) -> Result<Option<Text>, Failure> {
    // JSON lines are text too.
    let Ok(bytes) = document::bytes(Document::Notebook, input, limits::CONVERTED_MARKUP_BYTES)
    else {
        web.method = Some(Method::Json);
        return Ok(None);
    };
    let Some(converted) = json::convert(&document::decoded(bytes, encoding)) else {
        return Ok(None);
    };
    web.method = web.method.or(Some(Method::Json));
    shown(
        converted, encoding, subject, selector, request, world, web, notes,
    )
    .map(Some)
}

/// How the body is read, if the response or the selector decides it.
pub fn method(detected: Detected, selector: &Selector, facts: &Facts) -> Option<Method> {
    if facts.failed {
        return Some(Method::Failed);
    }
    let mime = facts.content_type.as_deref().and_then(mime);
    let mime = mime.as_deref().unwrap_or_default();
    let is_html = matches!(detected.kind, Kind::Document(Document::Html)) || mime == "text/html";
    if selector.raw {
        return Some(if is_html {
            Method::RawHtml
        } else {
            Method::Raw
        });
    }
    match detected.kind {
        Kind::Text if mime == MARKDOWN && !is_markdown_name(&facts.name) => {
            Some(Method::ContentNegotiation)
        }
        Kind::Document(document) if document != Document::Html && document != Document::Feed => {
            Some(Method::Markit)
        }
        Kind::Image(_) => Some(Method::Image),
        _ if matches!(selector.part, Part::Converted(_)) && is_html => Some(Method::Html),
        _ => None,
    }
}

const MARKDOWN: &str = "text/markdown";

fn is_markdown_name(name: &str) -> bool {
    ends_in(name, &["md", "markdown", "mdx"])
}

/// Whether the server states that the body is text to be shown as it is, also if it has markup.
fn is_source(facts: &Facts) -> bool {
    let mime = facts.content_type.as_deref().and_then(mime);
    matches!(mime.as_deref(), Some(MARKDOWN | "text/plain"))
}

/// The note on a content type that the bytes refute. `None` if it is right, or too general.
pub fn mislabelled(detected: Detected, facts: &Facts) -> Option<String> {
    let mime = facts.content_type.as_deref().and_then(mime)?;
    let says_text = mime.starts_with("text/") || mime == "application/json";
    let what = match detected.kind {
        Kind::Image(format) if says_text => format.media.long_name.to_owned(),
        Kind::Container(container @ (Container::Archive(_) | Container::Database)) if says_text => {
            container.name()
        }
        Kind::Document(document) if says_text && !document.is_text() => document.name().to_owned(),
        Kind::Text if mime.starts_with("image/") && mime != "image/svg+xml" => "text".to_owned(),
        _ => return None,
    };
    let what = if what == "text" {
        what
    } else {
        with_article(&what)
    };
    Some(format!("the server says `{mime}`, but the body is {what}"))
}
