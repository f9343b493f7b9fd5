//! The outputs of a cell as lines and images.

use super::draft::Draft;
use super::errors::too_many;
use super::json::{self, Fields, LineJoin, Raw};
use super::names::shown_name;
use super::{excerpt, terminal};
use crate::convert::pretty::pretty;
use crate::converted::{Attached, ConversionError, EmbeddedImage, ImageData};
use crate::limits;
use crate::path::UnitKind;
use crate::units;
use omniread_markup::html;
use std::borrow::Cow;

/// MIME types of images, in the order of preference.
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

/// The fields of an output in notebook formats before version 4, each with the MIME type of its
/// value.
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

/// Writes the outputs of a cell.
pub struct Outputs<'d> {
    draft: &'d mut Draft,
    cell: u64,
    whole: bool,
    line_join: LineJoin,
    open: bool,
}

impl<'d> Outputs<'d> {
    /// Creates a writer that appends the outputs of the cell with the number `cell` to `draft`.
    /// `whole` states whether long outputs are written in full.
    pub fn new(draft: &'d mut Draft, cell: u64, whole: bool, line_join: LineJoin) -> Self {
        Self {
            draft,
            cell,
            whole,
            line_join,
            open: false,
        }
    }

    /// Writes one output.
    ///
    /// # Errors
    /// Fails if the converted notebook then has too much text or too many images.
    pub fn write(&mut self, output: Raw<'_>) -> Result<(), ConversionError> {
        let fields = Fields::of(output).unwrap_or_default();
        let line_join = self.line_join;
        let text = |name| {
            let value = fields.get(name);
            value.map(|value| line_join.text(value)).unwrap_or_default()
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
            "display_data" | "execute_result" | "pyout" => {
                self.bundle(&Bundle::of(&fields, line_join));
            }
            "error" | "pyerr" => self.error(&fields),
            "" => self.text("[Unknown output type]", limits::EXCERPT_LINES),
            kind => {
                let note = format!("[Unknown output type] ({})", shown_name(kind));
                self.text(&note, limits::EXCERPT_LINES);
            }
        }
        self.draft.room()
    }

    /// Writes a text of an output, unless it is empty. If only its first and last lines are shown,
    /// `head` is the maximum number of its first lines.
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
        // `etype` is the name of the field in the first versions.
        let name = fields.get("ename").or_else(|| fields.get("etype"));
        for value in [name, fields.get("evalue")].into_iter().flatten() {
            let text = self.line_join.text(value);
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
            frames.push_str(&self.line_join.text(traceback));
        }
        let frames = terminal::shown(&frames);
        // A traceback without frames repeats the message.
        if message.strip_prefix("Error: ") != Some(frames.trim_end()) {
            // The last lines of a traceback are the most useful.
            self.text(&frames, 0);
        }
    }

    /// Writes the most informative of the representations of a value.
    fn bundle(&mut self, bundle: &Bundle<'_>) {
        if let Some((mime, image)) = bundle.image(self.cell) {
            if let Some(text) = bundle.description() {
                self.text(&text, limits::EXCERPT_LINES);
            }
            self.open();
            let size = units::bytes(image.data.size());
            self.draft.lines(&format!("[Image output: {mime}, {size}]"));
            self.draft.attach(Attached::Image(image));
            return self.unshown(bundle, 0);
        }
        let mut notes = Vec::new();
        let (form, text) = match bundle.text(&mut notes) {
            Some((form, text)) => (form, text),
            None => (Form::Sizes, bundle.data()),
        };
        self.text(&text, limits::EXCERPT_LINES);
        let shown = match form {
            Form::Json => 1,
            Form::Text | Form::Sizes => 0,
        };
        if form != Form::Sizes {
            self.unshown(bundle, shown);
        }
        let cell = self.cell;
        let notes = notes
            .iter()
            .map(|note| format!("output of cell:{cell}: {note}"));
        self.draft.notes.extend(notes);
    }

    /// Names the JSON of an output after the first `shown` of its values, such as the values of a chart.
    fn unshown(&mut self, bundle: &Bundle<'_>, shown: usize) {
        for (mime, value) in bundle.structures().skip(shown) {
            let size = units::bytes(value.get().len() as u64);
            let name = shown_name(mime);
            let line = format!("[Not shown: {name}, {size}; read :raw to see it]");
            self.draft.lines(&line);
        }
    }
}

/// The files that are attached to a cell, by name. `files` is the JSON object of these files.
///
/// # Errors
/// Fails if there are too many.
pub fn files(files: Raw<'_>) -> Result<Fields<'_>, ConversionError> {
    match Fields::of(files) {
        None if files.get().starts_with('{') => Err(too_many()),
        fields => Ok(fields.unwrap_or_default()),
    }
}

/// Writes one line for each file that is attached to a cell, with its name, type and size. A file
/// that is an image is also attached to the text as an image.
///
/// # Errors
/// Fails if there are too many files, or if the converted notebook exceeds a limit.
pub fn attachments(
    attached: Raw<'_>,
    cell: u64,
    line_join: LineJoin,
    draft: &mut Draft,
) -> Result<(), ConversionError> {
    for (name, forms) in files(attached)?.0 {
        let forms = Fields::of(forms).unwrap_or_default().0;
        let bundle = Bundle {
            forms,
            old: false,
            line_join,
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

/// The base64 data of an image, without the prefix of a `data:` URL if it has one.
fn bare(data: Cow<'_, str>) -> String {
    let payload = data.strip_prefix("data:").and_then(|rest| {
        let (kind, data) = rest.split_once(',')?;
        kind.ends_with(";base64").then_some(data)
    });
    match payload {
        Some(base64) => base64.to_owned(),
        None => data.into_owned(),
    }
}

/// The form in which a value is shown.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// A text that describes the value.
    Text,
    /// Its first JSON with items, if it has one.
    Json,
    /// Only the types and sizes of its data.
    Sizes,
}

/// A value in several representations, by MIME type.
struct Bundle<'j> {
    forms: Vec<(Cow<'j, str>, Raw<'j>)>,
    /// Whether the notebook format is older than version 4. In these formats, all representations
    /// are strings.
    old: bool,
    line_join: LineJoin,
}

impl<'j> Bundle<'j> {
    fn of(fields: &Fields<'j>, line_join: LineJoin) -> Self {
        if let Some(data) = fields.get("data") {
            return Self {
                forms: Fields::of(data).unwrap_or_default().0,
                old: false,
                line_join,
            };
        }
        let form = |(field, mime): (&str, &'static str)| Some((mime.into(), fields.get(field)?));
        Self {
            forms: OLD.into_iter().filter_map(form).collect(),
            old: true,
            line_join,
        }
    }

    fn get(&self, mime: &str) -> Option<Raw<'j>> {
        let (_, value) = self.forms.iter().rev().find(|(form, _)| form == mime)?;
        Some(*value).filter(|value| !matches!(value.get(), "null" | "\"\"" | "[]"))
    }

    /// The preferred image among the representations, and its MIME type. `cell` is the number of
    /// the cell.
    fn image(&self, cell: u64) -> Option<(&'static str, EmbeddedImage)> {
        IMAGES.into_iter().find_map(|mime| {
            let data = self.line_join.text(self.get(mime)?);
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

    /// The plain text that accompanies an image. `None` if it is missing, or is only the name of an
    /// object, such as `<Figure size 640x480>`.
    fn description(&self) -> Option<Cow<'j, str>> {
        let plain = terminal(self.line_join.text(self.get("text/plain")?));
        (!is_name(&plain) && !plain.trim().is_empty()).then_some(plain)
    }

    /// The most informative text, and its form. Notes on what its conversion leaves out are added to
    /// `notes`.
    fn text(&self, notes: &mut Vec<String>) -> Option<(Form, Cow<'j, str>)> {
        let as_text = |text| Some((Form::Text, text));
        let page = self.get("text/html").map(|page| self.line_join.text(page));
        let table = page.as_deref().filter(|html| html::has_table(html));
        let table = table.map(|html| html::fragment(html, None));
        if let Some(table) = table.filter(|table| table.has_table) {
            notes.extend(table.notes);
            return as_text(table.text.into());
        }
        for mime in ["text/markdown", "text/latex"] {
            if let Some(value) = self.get(mime) {
                return as_text(self.line_join.text(value));
            }
        }
        // The key exists, so this output is an empty text.
        let plain = self
            .forms
            .iter()
            .rev()
            .find(|(mime, _)| mime == "text/plain");
        let plain = plain.map(|(_, value)| terminal(self.line_join.text(*value)));
        let json = || Some((Form::Json, self.json()?));
        let told = |plain: &Cow<'_, str>| {
            let is_bare =
                is_placeholder(plain) || (is_name(plain) && self.structures().next().is_some());
            !plain.is_empty() && !is_bare
        };
        plain
            .clone()
            .filter(told)
            .and_then(as_text)
            .or_else(json)
            .or_else(|| {
                let page = html::fragment(page.as_deref()?, None);
                notes.extend(page.notes);
                as_text((!page.text.is_empty()).then(|| page.text.into())?)
            })
            .or_else(|| as_text(self.other_text()?))
            .or_else(|| as_text(plain?))
    }

    /// The JSON that is shown: the first with items, or else one without.
    fn json(&self) -> Option<Cow<'j, str>> {
        let of = |wanted: &dyn Fn(&str) -> bool| {
            let (_, value) = self.forms.iter().find(|(mime, _)| wanted(mime))?;
            Some(*value)
        };
        let with_items = self.structures().next().map(|(_, value)| value);
        let value = with_items
            .or_else(|| of(&|mime| mime == "application/json"))
            .or_else(|| of(&is_json))?;
        let text = if self.old {
            self.line_join.text(value)
        } else {
            pretty(value.get())
        };
        Some(text)
    }

    /// The representations that are JSON values with items, and their MIME types. Widgets are excluded:
    /// their value is only the name of their state.
    fn structures(&self) -> impl Iterator<Item = (&str, Raw<'j>)> {
        self.forms.iter().filter_map(move |(mime, value)| {
            let inner = value.get().get(1..).unwrap_or_default().trim_start();
            let has_items = value.get().starts_with(['[', '{']) && !inner.starts_with([']', '}']);
            let named = is_json(mime) && !mime.starts_with("application/vnd.jupyter.widget");
            (named && has_items).then_some((&**mime, *value))
        })
    }

    /// The first representation of another `text/` type than those that the caller has tried.
    /// JavaScript is excluded.
    fn other_text(&self) -> Option<Cow<'j, str>> {
        let (_, value) = self.forms.iter().find(|(mime, _)| {
            mime.starts_with("text/")
                && !matches!(&**mime, "text/html" | "text/plain" | "text/javascript")
        })?;
        Some(self.line_join.text(*value))
    }

    /// The placeholder for representations that cannot be shown.
    fn data(&self) -> Cow<'j, str> {
        if self.forms.is_empty() {
            return "[Output data]".into();
        }
        format!("[Output data] ({})", self.sizes()).into()
    }

    /// The MIME types of all representations, with their sizes.
    fn sizes(&self) -> String {
        let forms = self.forms.iter().map(|(mime, value)| {
            let size = self.line_join.text(*value).len() as u64;
            format!("{}, {}", shown_name(mime), units::bytes(size))
        });
        forms.collect::<Vec<_>>().join("; ")
    }
}

/// The text as a terminal shows it.
fn terminal(text: Cow<'_, str>) -> Cow<'_, str> {
    match text {
        Cow::Borrowed(text) => terminal::shown(text),
        Cow::Owned(text) => terminal::shown(&text).into_owned().into(),
    }
}

fn is_json(mime: &str) -> bool {
    mime == "application/json" || mime.ends_with("+json")
}

/// Whether a plain text is only the name of an object, such as `<Figure size 640x480>`.
fn is_name(plain: &str) -> bool {
    let plain = plain.trim();
    plain.starts_with('<') && plain.ends_with('>') && !plain.contains('\n')
}

/// Whether the plain text of an output is only the name of an `IPython` display object, such as
/// `<IPython.core.display.HTML object>`.
fn is_placeholder(plain: &str) -> bool {
    let plain = plain.trim_end();
    plain.starts_with("<IPython.core.display.") && plain.ends_with('>') && !plain.contains('\n')
}
