//! What a cell puts out, as lines and images.

use super::draft::Draft;
use super::json::{self, Fields, Lists};
use super::pretty::pretty;
use super::{excerpt, shown_name, terminal};
use crate::converted::{Attached, Broken, EmbeddedImage, ImageData};
use crate::limits;
use crate::markup;
use crate::path::UnitKind;
use crate::units;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// MIME types of images, the ones that models take first.
const IMAGES: [&str; 8] = [
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/bmp",
    "image/tiff",
    SVG,
    "image/svg",
];

const SVG: &str = "image/svg+xml";

/// Fields of an output before version 4, and the MIME types of their values.
const OLD: [(&str, &str); 9] = [
    ("text", "text/plain"),
    ("png", "image/png"),
    ("jpeg", "image/jpeg"),
    ("svg", SVG),
    ("html", "text/html"),
    ("latex", "text/latex"),
    ("json", "application/json"),
    ("javascript", "application/javascript"),
    ("pdf", "application/pdf"),
];

/// The outputs of a cell.
pub struct Outputs<'d> {
    draft: &'d mut Draft,
    cell: u64,
    whole: bool,
    lists: Lists,
    open: bool,
}

impl<'d> Outputs<'d> {
    /// Of a cell, behind its source. `whole` asks for long ones as a whole.
    pub fn new(draft: &'d mut Draft, cell: u64, whole: bool, lists: Lists) -> Self {
        Self {
            draft,
            cell,
            whole,
            lists,
            open: false,
        }
    }

    /// Writes an output.
    ///
    /// # Errors
    /// If there is too much text.
    pub fn write(&mut self, output: &RawValue) -> Result<(), Broken> {
        let fields = Fields::of(output).unwrap_or_default();
        let lists = self.lists;
        let text = |name| {
            let value = fields.get(name);
            value.map(|value| lists.text(value)).unwrap_or_default()
        };
        let kind = text("output_type");
        match &*kind {
            "stream" => {
                let text = text("text");
                let text = terminal::shown(&text);
                let name = fields.get("name").or_else(|| fields.get("stream"));
                if !text.trim().is_empty() && name.is_some_and(|name| json::text(name) == "stderr")
                {
                    self.text("stderr:", limits::EXCERPT_LINES);
                }
                self.text(&text, limits::EXCERPT_LINES);
            }
            "display_data" | "execute_result" | "pyout" => self.bundle(&Bundle::of(&fields, lists)),
            "error" | "pyerr" => self.error(&fields),
            "" => self.text("[Unknown output type]", limits::EXCERPT_LINES),
            kind => {
                let words = format!("[Unknown output type] ({})", shown_name(kind));
                self.text(&words, limits::EXCERPT_LINES);
            }
        }
        self.draft.room()
    }

    /// Writes lines, if there are any. `head` is how many of the first ones are
    /// shown of many.
    fn text(&mut self, text: &str, head: usize) {
        let shown = if self.whole {
            text.strip_suffix('\n').unwrap_or(text)
        } else {
            text.trim_end()
        };
        if text.is_empty() || (shown.is_empty() && !self.whole) {
            return;
        }
        self.open();
        if self.whole {
            self.draft.lines(shown);
        } else {
            excerpt::write(shown, head, self.cell, self.draft);
        }
    }

    fn open(&mut self) {
        if !self.open {
            self.draft.lines("\n**Output:**");
            self.open = true;
        }
    }

    fn error(&mut self, fields: &Fields<'_>) {
        let mut message = "Error".to_owned();
        // It was called `etype` at first.
        let name = fields.get("ename").or_else(|| fields.get("etype"));
        for value in [name, fields.get("evalue")].into_iter().flatten() {
            let text = self.lists.text(value);
            if !text.is_empty() {
                message.push_str(": ");
                message.push_str(&text);
            }
        }
        let message = terminal::shown(&message);
        self.text(&message, limits::EXCERPT_LINES);
        let Some(traceback) = fields.get("traceback") else {
            return;
        };
        let mut frames = String::new();
        let listed = json::each(traceback, |frame| {
            frames.push_str(&json::text(frame));
            frames.push('\n');
        });
        if listed {
            frames.pop();
        } else {
            frames.push_str(&self.lists.text(traceback));
        }
        let frames = terminal::shown(&frames);
        // One without frames says it again.
        if message.strip_prefix("Error: ") != Some(frames.trim_end()) {
            // Its end is where the error happened.
            self.text(&frames, 0);
        }
    }

    /// Writes the one of several forms of a value that tells the most.
    fn bundle(&mut self, bundle: &Bundle<'_>) {
        if let Some((mime, image)) = bundle.image(self.cell) {
            if let Some(text) = bundle.beside() {
                self.text(&text, limits::EXCERPT_LINES);
            }
            self.open();
            let size = units::bytes(image.data.size());
            self.draft.lines(&format!("[Image output: {mime}, {size}]"));
            return self.draft.attach(Attached::Image(image));
        }
        let text = bundle.text().unwrap_or_else(|| bundle.data());
        self.text(&text, limits::EXCERPT_LINES);
    }
}

/// Files that belong to a cell, by name.
///
/// # Errors
/// If there are too many.
pub fn files(files: &RawValue) -> Result<Fields<'_>, Broken> {
    match Fields::of(files) {
        None if files.get().starts_with('{') => Err(super::too_many()),
        fields => Ok(fields.unwrap_or_default()),
    }
}

/// Files that belong to a cell, behind its source: each has a line, and the
/// image that it is.
///
/// # Errors
/// If there are too many.
pub fn attachments(
    attached: &RawValue,
    cell: u64,
    lists: Lists,
    draft: &mut Draft,
) -> Result<(), Broken> {
    for (name, forms) in files(attached)?.0 {
        let forms = Fields::of(forms).unwrap_or_default().0;
        let bundle = Bundle {
            forms,
            old: false,
            lists,
        };
        let name = shown_name(&name);
        if let Some((mime, image)) = bundle.image(cell) {
            let size = units::bytes(image.data.size());
            draft.lines(&format!("[Attachment {name}: {mime}, {size}]"));
            draft.attach(Attached::Image(image));
        } else {
            draft.lines(&format!("[Attachment {name}: {}]", bundle.sizes()));
        }
        draft.room()?;
    }
    Ok(())
}

/// Base64 without what an address would have before it.
fn bare(data: Cow<'_, str>) -> String {
    let behind = data.strip_prefix("data:").and_then(|rest| {
        let (kind, data) = rest.split_once(',')?;
        kind.ends_with(";base64").then_some(data)
    });
    match behind {
        Some(base64) => base64.to_owned(),
        None => data.into_owned(),
    }
}

/// A value in several forms, by MIME type.
struct Bundle<'j> {
    forms: Vec<(Cow<'j, str>, &'j RawValue)>,
    /// It is of a version before 4, where all forms are text.
    old: bool,
    lists: Lists,
}

impl<'j> Bundle<'j> {
    fn of(fields: &Fields<'j>, lists: Lists) -> Self {
        if let Some(data) = fields.get("data") {
            return Self {
                forms: Fields::of(data).unwrap_or_default().0,
                old: false,
                lists,
            };
        }
        let form = |(field, mime): (&str, &'static str)| Some((mime.into(), fields.get(field)?));
        Self {
            forms: OLD.into_iter().filter_map(form).collect(),
            old: true,
            lists,
        }
    }

    fn get(&self, mime: &str) -> Option<&'j RawValue> {
        let (_, value) = self.forms.iter().rev().find(|(form, _)| form == mime)?;
        Some(*value).filter(|value| !matches!(value.get(), "null" | "\"\"" | "[]"))
    }

    /// The image among the forms, and its MIME type.
    fn image(&self, cell: u64) -> Option<(&'static str, EmbeddedImage)> {
        IMAGES.into_iter().find_map(|mime| {
            let data = self.lists.text(self.get(mime)?);
            let (mime, data) = if mime.starts_with("image/svg") {
                (SVG, ImageData::Svg(data.into_owned()))
            } else {
                (mime, ImageData::Base64(bare(data)))
            };
            let image = EmbeddedImage {
                kind: UnitKind::Cell,
                unit: cell,
                data,
            };
            Some((mime, image))
        })
    }

    /// What an image says in words as well, unless they only name its object.
    fn beside(&self) -> Option<Cow<'j, str>> {
        let plain = terminal(self.lists.text(self.get("text/plain")?));
        let words = plain.trim();
        let name = words.starts_with('<') && words.ends_with('>') && !words.contains('\n');
        (!name && !words.is_empty()).then_some(plain)
    }

    fn text(&self) -> Option<Cow<'j, str>> {
        let page = self.get("text/html").map(|page| self.lists.text(page));
        let table = page.as_deref().filter(|html| markup::has_table(html));
        if let Some((text, 1..)) = table.map(markup::text) {
            return Some(text.into());
        }
        for mime in ["text/markdown", "text/latex"] {
            if let Some(value) = self.get(mime) {
                return Some(self.lists.text(value));
            }
        }
        // The key is there, so this output is an empty text.
        let plain = self
            .forms
            .iter()
            .rev()
            .find(|(mime, _)| mime == "text/plain");
        let plain = plain.map(|(_, value)| terminal(self.lists.text(value)));
        plain
            .clone()
            .filter(|plain| !plain.is_empty() && !stands_for_more(plain))
            .or_else(|| self.json())
            .or_else(|| {
                let (text, _) = markup::text(page.as_deref()?);
                (!text.is_empty()).then(|| text.into())
            })
            .or_else(|| self.other_text())
            .or(plain)
    }

    fn json(&self) -> Option<Cow<'j, str>> {
        let of = |wanted: &dyn Fn(&str) -> bool| {
            let (_, value) = self.forms.iter().find(|(mime, _)| wanted(mime))?;
            Some(*value)
        };
        let value = of(&|mime| mime == "application/json")
            .or_else(|| of(&|mime| mime.ends_with("+json")))?;
        let text = if self.old {
            self.lists.text(value)
        } else {
            pretty(value.get())
        };
        Some(text)
    }

    /// Text of types that are not known.
    fn other_text(&self) -> Option<Cow<'j, str>> {
        let (_, value) = self.forms.iter().find(|(mime, _)| {
            mime.starts_with("text/")
                && !matches!(&**mime, "text/html" | "text/plain" | "text/javascript")
        })?;
        Some(self.lists.text(value))
    }

    /// What stands for forms that cannot be shown.
    fn data(&self) -> Cow<'j, str> {
        if self.forms.is_empty() {
            return "[Output data]".into();
        }
        format!("[Output data] ({})", self.sizes()).into()
    }

    /// All forms with their sizes.
    fn sizes(&self) -> String {
        let forms = self.forms.iter().map(|(mime, value)| {
            let size = self.lists.text(value).len() as u64;
            format!("{}, {}", shown_name(mime), units::bytes(size))
        });
        forms.collect::<Vec<_>>().join("; ")
    }
}

/// What a terminal shows of a text.
fn terminal(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => terminal::shown(text),
        Cow::Owned(text) => terminal::shown(&text).into_owned().into(),
    }
}

/// Whether a text only names the object of which there is another form.
fn stands_for_more(plain: &str) -> bool {
    let plain = plain.trim_end();
    plain.starts_with("<IPython.core.display.") && plain.ends_with('>') && !plain.contains('\n')
}
