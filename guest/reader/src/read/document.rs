//! Documents: converts the bytes of a file to text, and shows pages of that text.

use super::reading::Reading;
use super::{converted, unit_paths};
use crate::answer::Text;
use crate::convert::markup;
use crate::convert::notebook::{self, Heading, View};
use crate::converted::{ConversionError, Converted};
use crate::encoding::{self, Encoding};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::{Charset, Input};
use crate::path::{self, Part, Selector, UnitKind, UnitRange};
use crate::request::Notebooks;
use crate::sniff::{self, Document};
use crate::sources;
use crate::subject::{Origin, Subject};
use crate::units::{self, with_article};
use omniread_markup::charset::declared_charset;
use std::borrow::Cow;

/// What is wanted of a document that is converted to text.
pub struct Wanted<'w> {
    pub subject: &'w Subject,
    pub selector: &'w Selector,
    pub notebooks: Notebooks,
}

impl Reading<'_> {
    /// Reads a page of the text to which a document in a text format is converted. If the document
    /// cannot be converted, adds a note and returns `None`, and the caller shows it as plain text.
    ///
    /// # Errors
    /// Returns [`Reason::InvalidSelector`] if the path requests units, such as notebook cells, and the
    /// document does not have them or cannot be converted. So does a request for a section of a web
    /// page that does not exist.
    pub fn text_document(
        &mut self,
        document: Document,
        input: &mut Input<'_>,
    ) -> Result<Option<Text>, Failure> {
        let (subject, encoding) = (self.subject, self.detected.encoding);
        let notebooks = self.request.style.notebooks;
        let convert = |selector: &Selector, input: &mut Input<'_>| {
            let wanted = Wanted {
                subject,
                selector,
                notebooks,
            };
            convert(document, input, encoding, &wanted)
        };
        let mut selector = match self.selector.part {
            // The declaration is searched for in the converted text.
            Part::Symbol(_) => Selector::of(self.form_part()),
            _ => self.selector.clone(),
        };
        let mut result = convert(&selector, input);
        if let Err(ConversionError::NoSection(_)) = result
            && let Some(longer) = with_longer_id(&selector)
            && let found @ Ok(_) = convert(&longer, input)
        {
            (selector, result) = (longer, found);
        }
        let (converted, encoding) = match result {
            Ok(converted) => converted,
            Err(ConversionError::NoSection(others)) => {
                return Err(no_section(subject, &selector, &others, true));
            }
            Err(why) if matches!(selector.part, Part::Units(_)) => {
                return Err(unreadable(subject, &selector, &why, input.damage()));
            }
            Err(why) => {
                self.notes.push(format!("{why}; it is shown as plain text"));
                return Ok(None);
            }
        };
        if matches!(self.selector.part, Part::Symbol(_)) {
            selector = self.selector.clone();
        }
        converted::read(converted, encoding, &selector, self).map(Some)
    }
}

/// Returns the selector for a section whose id ends with the selected lines: in `#fn:1`, the `1` may
/// be a line or a part of the id. `None` if the selector selects no section, or no lines.
fn with_longer_id(selector: &Selector) -> Option<Selector> {
    let id = selector.section().filter(|_| selector.selects_lines())?;
    let part = Part::Whole;
    let lines = Selector {
        part,
        ..selector.clone()
    };
    let id = format!("{id}:{lines}");
    Some(Selector::of(Part::Converted(path::View::Section(id))))
}

/// The tag (a short hash for edit tools) of the text to which a document is converted for editing.
/// `None` if edits of the text cannot be applied to the document, or if the text is too long.
///
/// # Errors
/// Fails if the document cannot be converted.
pub fn tag(
    document: Document,
    input: &mut Input<'_>,
    encoding: Option<Encoding>,
    subject: &Subject,
) -> Result<Option<String>, ConversionError> {
    let wanted = Wanted {
        subject,
        selector: &Selector::NONE,
        notebooks: Notebooks::Sources,
    };
    let (converted, _) = convert(document, input, encoding, &wanted)?;
    Ok(converted::tag(&converted))
}

/// The format and the encoding of markup that is reported as binary because of NULs, which browsers
/// ignore. `None` if the file is not such markup.
pub fn markup_with_nul(input: &Input<'_>, subject: &Subject) -> Option<(Document, Encoding)> {
    let hints = subject.hints();
    let encoding = encoding::of_markup_with_nul(input, hints.charset, sniff::is_known)?;
    Some((sources::of_text(input, encoding, hints)?, encoding))
}

/// Converts a document to text, with one match arm for each format. Also returns the encoding of
/// the document.
///
/// # Errors
/// Fails if the document cannot be converted, or does not have the requested part.
pub fn convert(
    document: Document,
    input: &mut Input<'_>,
    encoding: Option<Encoding>,
    wanted: &Wanted<'_>,
) -> Result<(Converted, Encoding), ConversionError> {
    let Wanted {
        subject,
        selector,
        notebooks,
    } = *wanted;
    let encoding = encoding.ok_or_else(|| {
        let word = with_article(document.word());
        ConversionError::Unreadable(format!("not {word}: it is not text"))
    })?;
    match document {
        Document::Notebook => {
            let bytes = bytes(document, input, limits::CONVERTED_NOTEBOOK_BYTES)?;
            let json = decoded(bytes, encoding);
            let converted = notebook::convert(&json, &view(selector, notebooks))?;
            Ok((converted, encoding))
        }
        Document::Html | Document::Feed | Document::Xml | Document::Svg => {
            let bytes = bytes(document, input, limits::CONVERTED_MARKUP_BYTES)?;
            let declared = declared_charset(&bytes);
            let served = subject.info.charset.as_deref();
            let (encoding, note) =
                encoding::of_markup(&bytes, encoding, served, declared.as_deref());
            let view = match &selector.part {
                Part::Converted(view) => view,
                _ => &path::View::Main,
            };
            let url = (subject.origin == Origin::Url && subject.inner_path.is_empty())
                .then_some(subject.resolved.as_str());
            let text = decoded(bytes, encoding);
            let mut converted = markup::convert(document, text, view, url)?;
            converted.notes.extend(note);
            Ok((converted, encoding))
        }
        Document::Engine(_) => {
            let why = "only the document engine converts it";
            Err(ConversionError::Unreadable(why.to_owned()))
        }
    }
}

/// The text of a document in a text format. Bytes that are valid UTF-8 are not copied.
pub fn decoded(bytes: Cow<'_, [u8]>, encoding: Encoding) -> Cow<'_, str> {
    if encoding.charset == Charset::Utf8 && encoding.bom_len == 0 {
        let text = match bytes {
            Cow::Borrowed(bytes) => str::from_utf8(bytes)
                .map(Cow::Borrowed)
                .map_err(|_| bytes.into()),
            Cow::Owned(bytes) => String::from_utf8(bytes)
                .map(Cow::Owned)
                .map_err(|error| Cow::Owned(error.into_bytes())),
        };
        return match text {
            Ok(text) => text,
            Err(bytes) => other(&bytes, encoding).into(),
        };
    }
    other(&bytes, encoding).into()
}

/// The text of a document that is not valid UTF-8.
fn other(bytes: &[u8], encoding: Encoding) -> String {
    String::from_utf8(encoding.decoded(bytes, true).into_owned())
        .unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}

/// The bytes of a document.
///
/// # Errors
/// Fails if there are more than `limit` bytes.
pub fn bytes<'i>(
    document: Document,
    input: &'i mut Input<'_>,
    limit: u64,
) -> Result<Cow<'i, [u8]>, ConversionError> {
    let bytes = input.first(limit.saturating_add(1));
    if bytes.len() as u64 > limit {
        let (word, limit) = (with_article(document.word()), units::bytes(limit));
        let why = format!("{word} of more than {limit} is not converted");
        return Err(ConversionError::Large(why));
    }
    Ok(bytes)
}

/// The form in which a notebook is converted to text. It depends on the selector of the path, and
/// on the `notebooks` setting of the dialect (the read tool of an agent).
fn view(selector: &Selector, notebooks: Notebooks) -> View {
    let all = UnitRange::all(UnitKind::Cell);
    match (&selector.part, notebooks) {
        (Part::Units(range), notebooks) => View::Cells {
            range: *range,
            heading: match notebooks {
                Notebooks::Outputs => Heading::Numbered,
                Notebooks::Json | Notebooks::Sources => Heading::Marker,
            },
        },
        // The text cannot be edited in these dialects, so it has the outputs.
        (Part::Converted(_), Notebooks::Json) => View::Cells {
            range: all,
            heading: Heading::Marker,
        },
        (_, Notebooks::Outputs) => View::Outputs,
        (_, Notebooks::Json | Notebooks::Sources) => View::Editable,
    }
}

/// The failure for a request for a section that a text does not have. `others` has the ids of
/// some sections. `is_page` is true if another path reads the whole page.
pub fn no_section(
    subject: &Subject,
    selector: &Selector,
    others: &[String],
    is_page: bool,
) -> Failure {
    let requested = Selector::of(selector.part.clone());
    let message = format!("`{}` has no section `{requested}`", subject.requested);
    let path = |view| {
        let selector = Selector::of(Part::Converted(view));
        escape_invisible(&subject.with_selector(&selector))
    };
    let full = path(path::View::Full);
    let sections: Vec<String> = others
        .iter()
        .map(|id| format!("`#{}`", escape_invisible(id)))
        .collect();
    let hint = if sections.is_empty() {
        format!("read the whole page with `{full}`")
    } else {
        let sections = sections.join(", ");
        let full = is_page.then(|| format!("; `{full}` is the whole page"));
        format!("it has the sections {sections}{}", full.unwrap_or_default())
    };
    Failure::new(Reason::InvalidSelector(selector.to_string()), message).hint(hint)
}

/// The failure for a request for units, such as notebook cells, if the conversion of the document
/// failed with the error `why`.
fn unreadable(
    subject: &Subject,
    selector: &Selector,
    why: &ConversionError,
    damage: Option<String>,
) -> Failure {
    match why {
        ConversionError::NoUnit(missing) => unit_paths::no_unit(subject, selector, *missing),
        ConversionError::NoSection(others) => no_section(subject, selector, others, true),
        ConversionError::Unreadable(_) | ConversionError::Large(_) => {
            let verb = match why {
                ConversionError::Unreadable(_) => " is",
                _ => ":",
            };
            let damage = damage.map_or_else(String::new, |damage| format!("; {damage}"));
            let message = format!("`{}`{verb} {why}{damage}", subject.requested);
            Failure::new(Reason::InvalidSelector(selector.to_string()), message)
        }
    }
}
