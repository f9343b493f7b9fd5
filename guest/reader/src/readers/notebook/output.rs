//! What a cell puts out, as lines and pictures.

use super::draft::Draft;
use super::json::{self, Fields};
use super::pretty::pretty;
use super::{AsideWhat, Picture, PictureData, excerpt, html, terminal};
use crate::limits;
use crate::pages::visible;
use crate::units;
use serde_json::value::RawValue;
use std::borrow::Cow;

/// MIME types of pictures, the ones that models take first.
const PICTURES: [&str; 8] = [
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
    open: bool,
}

impl<'d> Outputs<'d> {
    /// Of a cell, behind its source. `whole` asks for long ones as a whole.
    pub fn new(draft: &'d mut Draft, cell: u64, whole: bool) -> Self {
        Self {
            draft,
            cell,
            whole,
            open: false,
        }
    }

    /// Writes an output.
    pub fn write(&mut self, output: &RawValue) {
        let fields = Fields::of(output).unwrap_or_default();
        let text = |name| fields.get(name).map(json::text).unwrap_or_default();
        match &*text("output_type") {
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
            "display_data" | "execute_result" | "pyout" => self.bundle(&Bundle::of(&fields)),
            "error" | "pyerr" => self.error(&fields),
            _ => self.text("[Unknown output type]", limits::EXCERPT_LINES),
        }
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
        for name in ["ename", "evalue"] {
            let text = fields.get(name).map(json::text).unwrap_or_default();
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
        let frames: Vec<Cow<'_, str>> = match json::items(traceback) {
            Some(frames) => frames.into_iter().map(json::text).collect(),
            None => vec![json::text(traceback)],
        };
        let frames = frames.join("\n");
        let frames = terminal::shown(&frames);
        // One without frames says it again.
        if message.strip_prefix("Error: ") != Some(frames.trim_end()) {
            // Its end is where the error happened.
            self.text(&frames, 0);
        }
    }

    /// Writes the one of several forms of a value that tells the most.
    fn bundle(&mut self, bundle: &Bundle<'_>) {
        if let Some(picture) = bundle.picture(self.cell) {
            self.open();
            return self.draft.aside(AsideWhat::Picture(picture));
        }
        let text = bundle.text().unwrap_or_else(|| bundle.data());
        self.text(&text, limits::EXCERPT_LINES);
    }
}

/// The pictures among files that belong to a cell, behind its source; of the
/// others only what they are.
pub fn attachments(files: &RawValue, cell: u64, draft: &mut Draft) {
    for (name, forms) in Fields::of(files).unwrap_or_default().0 {
        let forms = Fields::of(forms).unwrap_or_default().0;
        let bundle = Bundle { forms, old: false };
        let what = bundle.picture(cell).map_or_else(
            || {
                AsideWhat::Words(format!(
                    "[Attachment {}: {}]",
                    visible(&name),
                    bundle.sizes()
                ))
            },
            AsideWhat::Picture,
        );
        draft.aside(what);
    }
}

/// A value in several forms, by MIME type.
struct Bundle<'j> {
    forms: Vec<(Cow<'j, str>, &'j RawValue)>,
    /// It is of a version before 4, where all forms are text.
    old: bool,
}

impl<'j> Bundle<'j> {
    fn of(fields: &Fields<'j>) -> Self {
        if let Some(data) = fields.get("data") {
            let forms = Fields::of(data).unwrap_or_default().0;
            return Self { forms, old: false };
        }
        let form = |(field, mime): (&str, &'static str)| Some((mime.into(), fields.get(field)?));
        Self {
            forms: OLD.into_iter().filter_map(form).collect(),
            old: true,
        }
    }

    fn get(&self, mime: &str) -> Option<&'j RawValue> {
        let (_, value) = self.forms.iter().rev().find(|(form, _)| form == mime)?;
        Some(*value).filter(|value| !matches!(value.get(), "null" | "\"\"" | "[]"))
    }

    fn picture(&self, cell: u64) -> Option<Picture> {
        PICTURES.iter().find_map(|mime| {
            let data = json::text(self.get(mime)?).into_owned();
            let svg = mime.starts_with("image/svg");
            Some(Picture {
                mime: (if svg { SVG } else { mime }).to_owned(),
                cell,
                data: if svg {
                    PictureData::Svg(data)
                } else {
                    PictureData::Base64(data)
                },
            })
        })
    }

    fn text(&self) -> Option<Cow<'j, str>> {
        let page = self.get("text/html").map(json::text);
        let table = page.as_deref().filter(|html| html::has_table(html));
        if let Some((text, 1..)) = table.map(html::text) {
            return Some(text.into());
        }
        for mime in ["text/markdown", "text/latex"] {
            if let Some(value) = self.get(mime) {
                return Some(json::text(value));
            }
        }
        // The key is there, so this output is an empty text.
        let plain = self
            .forms
            .iter()
            .rev()
            .find(|(mime, _)| mime == "text/plain");
        let plain = plain.map(|(_, value)| match json::text(value) {
            Cow::Borrowed(text) => terminal::shown(text),
            Cow::Owned(text) => terminal::shown(&text).into_owned().into(),
        });
        plain
            .clone()
            .filter(|plain| !plain.is_empty() && !stands_for_more(plain))
            .or_else(|| self.json())
            .or_else(|| {
                let (text, _) = html::text(page.as_deref()?);
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
            json::text(value)
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
        Some(json::text(value))
    }

    /// What stands for forms that cannot be shown.
    fn data(&self) -> Cow<'j, str> {
        if self.forms.is_empty() {
            return "[Output data]".into();
        }
        format!("[Output data: {}]", self.sizes()).into()
    }

    /// All forms with their sizes.
    fn sizes(&self) -> String {
        let forms = self.forms.iter().map(|(mime, value)| {
            let size = json::text(value).len() as u64;
            format!("{}, {}", visible(mime), units::bytes(size))
        });
        forms.collect::<Vec<_>>().join("; ")
    }
}

/// Whether a text only names the object of which there is another form.
fn stands_for_more(plain: &str) -> bool {
    let plain = plain.trim_end();
    plain.starts_with("<IPython.core.display.") && plain.ends_with('>') && !plain.contains('\n')
}
