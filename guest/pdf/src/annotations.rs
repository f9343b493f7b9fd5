//! Annotations of a page: appearances, form fields, links and comments.

use crate::array;
use crate::file::File;
use crate::limits;
use crate::names;
use crate::page::{Link, Rect, Target};
use crate::strings;
use hayro_syntax::object::{Array, Dict, Name, Object, Stream, String as PdfString};
use omniread_document::model::{Block, Inline, Style};
use std::collections::BTreeMap;
use std::rc::Rc;

/// The flags of annotations that are not shown: hidden, and not on screens.
const HIDDEN: i32 = 1 << 1 | 1 << 5;

/// What an annotation draws.
pub enum Drawn<'a> {
    /// The content of its appearance.
    Appearance(Stream<'a>),
    /// The value of a form field, whose appearance is missing or does not tell the value.
    Value(String),
    /// The appearance of a form field, and the value that it may not show as a whole.
    Field(Stream<'a>, String),
    /// A check box or radio button, and whether it is on.
    Check(bool),
}

/// Whether an annotation is a form field that is shown, and whether its value is a text or a choice.
pub fn field(annotation: &Dict<'_>) -> (bool, bool) {
    let subtype = annotation.get::<Name<'_>>("Subtype");
    let is_field = subtype.is_some_and(|subtype| subtype.as_ref() == b"Widget")
        && annotation.get::<i32>("F").unwrap_or_default() & HIDDEN == 0;
    let has_text = match inherited(annotation, "FT") {
        Some(Object::Name(kind)) => matches!(kind.as_ref(), b"Tx" | b"Ch"),
        _ => false,
    };
    (is_field, is_field && has_text)
}

/// What an annotation draws that has text of its own: a form field, a text box or a stamp. `None` if it
/// shows nothing.
pub fn drawn<'a>(annotation: &Dict<'a>) -> Option<Drawn<'a>> {
    let subtype = annotation.get::<Name<'_>>("Subtype")?;
    if annotation.get::<i32>("F").unwrap_or_default() & HIDDEN != 0 {
        return None;
    }
    let is_field = match subtype.as_ref() {
        b"Widget" => true,
        b"FreeText" | b"Stamp" => false,
        _ => return None,
    };
    let inherited = |key: &str| inherited(annotation, key);
    if is_field
        && let Some(Object::Name(kind)) = inherited("FT")
        && kind.as_ref() == b"Btn"
    {
        let flags = field_flags(annotation);
        // Bit 17 is a push button, which has no value.
        if flags & (1 << 16) == 0 {
            let state = annotation.get::<Name<'_>>("AS");
            let on = state.is_some_and(|state| state.as_ref() != b"Off");
            return Some(Drawn::Check(on));
        }
    }
    if is_field && let Some(value) = whole_value(annotation) {
        return match appearance(annotation) {
            Some(stream) => Some(Drawn::Field(stream, value)),
            None => (!value.is_empty()).then_some(Drawn::Value(value)),
        };
    }
    if let Some(stream) = appearance(annotation) {
        return Some(Drawn::Appearance(stream));
    }
    let value = if is_field {
        value(&inherited("V")?)
    } else {
        contents(annotation)
    };
    Some(Drawn::Value(value))
        .filter(|drawn| matches!(drawn, Drawn::Value(value) if !value.is_empty()))
}

/// The value of a field whose appearance does not tell it: a choice, which draws all options, or a text of
/// several lines, which may be cut. `None` for other fields, and where only the appearance may have it. Empty
/// if nothing is chosen.
fn whole_value(annotation: &Dict<'_>) -> Option<String> {
    let Some(Object::Name(kind)) = inherited(annotation, "FT") else {
        return None;
    };
    let flags = field_flags(annotation);
    let own = inherited(annotation, "V");
    match kind.as_ref() {
        // Bit 13 is a field with several lines, bit 14 a password.
        b"Tx" if flags & (1 << 12) != 0 && flags & (1 << 13) == 0 => {
            own.map(|own| value(&own)).filter(|own| !own.is_empty())
        }
        b"Ch" => {
            let options = options(annotation);
            let chosen = match own {
                Some(Object::Array(list)) => list
                    .iter::<PdfString<'_>>()
                    .take(limits::FIELD_OPTIONS)
                    .map(|text| strings::text(text.as_bytes()))
                    .collect(),
                Some(own) => vec![value(&own)],
                None => Vec::new(),
            };
            let shown: Vec<String> = chosen
                .into_iter()
                .filter(|one| !one.is_empty())
                .map(|one| options.get(&one).cloned().unwrap_or(one))
                .collect();
            // Bit 18 is a box that shows one option, which viewers may have drawn without a value.
            if shown.is_empty() && flags & (1 << 17) != 0 {
                return None;
            }
            let shown = shown.join(", ");
            Some(crate::text::start(&shown, limits::ACTUAL_TEXT_BYTES).to_owned())
        }
        _ => None,
    }
}

/// What the options of a choice show, by their values (ISO 32000-2, 12.7.5.4).
fn options(annotation: &Dict<'_>) -> BTreeMap<String, String> {
    let Some(Object::Array(list)) = inherited(annotation, "Opt") else {
        return BTreeMap::new();
    };
    let pairs = list
        .iter::<Object<'_>>()
        .take(limits::FIELD_OPTIONS)
        .filter_map(|option| match option {
            Object::Array(pair) => {
                let mut pair = pair
                    .iter::<PdfString<'_>>()
                    .map(|text| strings::text(text.as_bytes()));
                Some((pair.next()?, pair.next()?))
            }
            _ => None,
        });
    pairs.collect()
}

/// The value of a text field or a choice that has no appearance, and whether it has several lines. Viewers
/// draw it on their own (ISO 32000-2, 12.7.4.3).
pub fn value_without_appearance(annotation: &Dict<'_>) -> Option<(String, bool)> {
    let is_field = annotation
        .get::<Name<'_>>("Subtype")
        .is_some_and(|subtype| subtype.as_ref() == b"Widget");
    let is_hidden = annotation.get::<i32>("F").unwrap_or_default() & HIDDEN != 0;
    if !is_field || is_hidden || appearance(annotation).is_some() {
        return None;
    }
    let has_text = match inherited(annotation, "FT") {
        Some(Object::Name(kind)) => matches!(kind.as_ref(), b"Tx" | b"Ch"),
        _ => false,
    };
    let flags = field_flags(annotation);
    // Bit 14 is a password, which is not shown.
    if !has_text || flags & (1 << 13) != 0 {
        return None;
    }
    let text = value(&inherited(annotation, "V")?);
    // Bit 13 is a field with several lines.
    (!text.is_empty()).then_some((text, flags & (1 << 12) != 0))
}

/// The type of an annotation that is shown and has no appearance.
pub fn kind_without_appearance<'a>(annotation: &Dict<'a>) -> Option<Name<'a>> {
    let is_hidden = annotation.get::<i32>("F").unwrap_or_default() & HIDDEN != 0;
    let kind = annotation.get::<Name<'a>>("Subtype")?;
    (!is_hidden && appearance(annotation).is_none()).then_some(kind)
}

/// The flags of a field (ISO 32000-2, 12.7.4.1).
fn field_flags(annotation: &Dict<'_>) -> i64 {
    match inherited(annotation, "Ff") {
        Some(Object::Number(flags)) => flags.as_i64(),
        _ => 0,
    }
}

/// The size of the text of a field from its default appearance (ISO 32000-2, 12.7.4.3). `None` if the
/// viewer chooses it.
pub fn text_size(annotation: &Dict<'_>) -> Option<f32> {
    let Some(Object::String(text)) = inherited(annotation, "DA") else {
        return None;
    };
    let text = strings::text(text.as_bytes());
    let words: Vec<&str> = text.split_ascii_whitespace().collect();
    let font = words.iter().position(|word| *word == "Tf")?;
    let size = words.get(font.checked_sub(1)?)?.parse::<f32>().ok()?;
    (size > 0.5 && size < 500.0).then_some(size)
}

fn appearance<'a>(annotation: &Dict<'a>) -> Option<Stream<'a>> {
    let states = annotation.get::<Dict<'a>>("AP")?;
    match states.get::<Object<'a>>("N")? {
        Object::Stream(stream) => {
            // Programs write empty appearances for fields that they want to be drawn again.
            let empty = stream.raw_data().is_empty();
            (!empty).then_some(stream)
        }
        Object::Dict(states) => {
            let state = annotation.get::<Name<'_>>("AS")?;
            states.get::<Stream<'a>>(state.as_ref())
        }
        _ => None,
    }
}

/// A value of a field, which its parents may have.
fn inherited<'a>(annotation: &Dict<'a>, key: &str) -> Option<Object<'a>> {
    let mut at = annotation.clone();
    for _ in 0..limits::FIELD_DEPTH {
        if let Some(value) = at.get::<Object<'a>>(key) {
            return Some(value);
        }
        at = at.get::<Dict<'a>>("Parent")?;
    }
    None
}

fn value(value: &Object<'_>) -> String {
    let text = match value {
        Object::String(text) => strings::text(text.as_bytes()),
        Object::Name(name) if name.as_ref() != b"Off" => name.as_str().to_owned(),
        Object::Stream(stream) => crate::decode::data(stream, limits::ACTUAL_TEXT_BYTES)
            .map(|(bytes, _)| strings::text(&bytes))
            .unwrap_or_default(),
        Object::Array(list) => {
            let texts = list.iter::<PdfString<'_>>().take(1000);
            let texts: Vec<String> = texts.map(|text| strings::text(text.as_bytes())).collect();
            texts.join(", ")
        }
        _ => String::new(),
    };
    crate::text::start(&text, limits::ACTUAL_TEXT_BYTES).to_owned()
}

fn contents(annotation: &Dict<'_>) -> String {
    annotation
        .get::<Object<'_>>("Contents")
        .map(|it| value(&it))
        .unwrap_or_default()
}

/// The rectangle of an annotation, in the space of the page.
pub fn rectangle(annotation: &Dict<'_>) -> Option<Rect> {
    let [x0, y0, x1, y1] = annotation.get::<[f32; 4]>("Rect")?;
    let rect = Rect::of((x0, y0), (x1, y1));
    [x0, y0, x1, y1]
        .iter()
        .all(|it| it.is_finite())
        .then_some(rect)
}

/// The target of a link. `rect` is its rectangle on the page.
pub fn link(file: &File, annotation: &Dict<'_>, rect: Rect) -> Option<Link> {
    let kind = annotation.get::<Name<'_>>("Subtype")?;
    if kind.as_ref() != b"Link" || annotation.get::<i32>("F").unwrap_or_default() & HIDDEN != 0 {
        return None;
    }
    let action = annotation
        .get::<Dict<'_>>("A")
        .or_else(|| annotation.get("PA"));
    let uri = action
        .as_ref()
        .and_then(|action| action.get::<PdfString<'_>>("URI"));
    let target = match uri {
        Some(uri) => {
            let url = strings::line(&strings::text(uri.as_bytes()), limits::URL_BYTES);
            if url.is_empty() {
                return None;
            }
            Target::Url(Rc::from(url))
        }
        None => Target::Page(names::destination_of(file, annotation)?),
    };
    Some(Link {
        rect,
        target,
        object: annotation.obj_id().map(|id| id.obj_number),
    })
}

/// The comments of a page as blocks.
pub fn comments(file: &File, index: usize) -> Vec<Block> {
    let mut blocks = Vec::new();
    let Some(page) = file.pdf().pages().get(index) else {
        return blocks;
    };
    let Some(list) = page.raw().get::<Array<'_>>("Annots") else {
        return blocks;
    };
    for annotation in array::dicts(&list).take(limits::ANNOTATIONS) {
        let kind = annotation.get::<Name<'_>>("Subtype");
        let Some(kind) = kind.as_deref() else {
            continue;
        };
        let is_comment = matches!(
            kind,
            b"Text"
                | b"Highlight"
                | b"Underline"
                | b"StrikeOut"
                | b"Squiggly"
                | b"Caret"
                | b"Ink"
                | b"Line"
                | b"Square"
                | b"Circle"
                | b"Polygon"
                | b"PolyLine"
                | b"FileAttachment"
        );
        if !is_comment || annotation.get::<i32>("F").unwrap_or_default() & HIDDEN != 0 {
            continue;
        }
        let text = contents(&annotation);
        if text.trim().is_empty() || blocks.len() >= limits::COMMENTS {
            continue;
        }
        let author = annotation
            .get::<PdfString<'_>>("T")
            .map(|it| strings::line(&strings::text(it.as_bytes()), 200));
        let who = match author.filter(|author| !author.is_empty()) {
            Some(author) => format!("Comment by {author}:"),
            None => "Comment:".to_owned(),
        };
        let mut content = vec![
            Inline::Text {
                text: who,
                style: Style::BOLD,
            },
            Inline::plain(" "),
        ];
        for (place, line) in text
            .split(['\r', '\n'])
            .filter(|line| !line.trim().is_empty())
            .enumerate()
        {
            if place > 0 {
                content.push(Inline::Break);
            }
            content.push(Inline::plain(line));
        }
        blocks.push(Block::Quote(vec![Block::Paragraph(content)]));
    }
    blocks
}
