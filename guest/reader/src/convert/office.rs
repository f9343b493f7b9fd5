//! Documents of office programs: the answers of the document engine as converted text.

use crate::answer::DocumentFacts;
use crate::converted::{Conversion, Converted, Figures, Title, Unit, Units};
use crate::escapes::escape_invisible;
use crate::limits;
use crate::path::cells::format_range;
use crate::path::{Picture, Selector, UnitKind};
use crate::sniff;
use crate::world::{Document, DocumentError, DocumentFailure};
use memchr::memmem;
use omniread_document as document;
use omniread_document::workbook;

/// The metadata of a document that is kept.
const METADATA: [&str; 8] = [
    "title",
    "author",
    "created",
    "modified",
    "subject",
    "keywords",
    "language",
    "description",
];

/// The part of an image in the Markdown of the engine that precedes its destination.
const DESTINATION: &str = "](";

/// Converts an open document. `format` is its detected format, and `path` the path of a picture in
/// it, without the selector of the picture.
///
/// # Errors
/// Fails if the document is one text, and the engine cannot convert it.
pub fn convert(
    mut document: Box<dyn Document>,
    format: sniff::Document,
    path: &str,
) -> Result<Converted, DocumentError> {
    let facts = facts(&*document, format);
    let notes = document.notes().iter().map(|it| without_brackets(it));
    let notes = notes.collect();
    let mark = mark(path);
    let kind = UnitKind::of(document.facts().units);
    let mut figures: Option<Box<dyn Figures>> = None;
    let text = match kind {
        Some(kind) => Conversion::Units(Box::new(Office {
            kind,
            open: Open { document, mark },
            hidden: false,
            alone: None,
        })),
        // A document without units has one text.
        None => {
            let unit = whole(&mut *document, &mark)?;
            if memmem::find(unit.text.as_bytes(), mark.as_bytes()).is_some() {
                figures = Some(Box::new(Open { document, mark }));
            }
            Conversion::Whole(unit)
        }
    };
    Ok(Converted {
        facts,
        editable: false,
        numbered: false,
        outline: None,
        contents: true,
        notes,
        text,
        figures,
        links: None,
    })
}

/// The bytes of a picture of a document. `side` is the maximum length in pixels of the longer side of
/// an image of a page. `None` if there is no such picture.
///
/// # Errors
/// Fails if the engine exceeds a limit or crashes.
pub fn picture(
    document: &mut dyn Document,
    picture: Picture,
    side: u32,
) -> Result<Option<Vec<u8>>, DocumentError> {
    match picture {
        Picture::Image(number) => document.image(number),
        Picture::Page(number) => document.page_image(number.saturating_sub(1), side),
    }
}

/// The text for a document that cannot be read: the reason, the format and the size in bytes.
/// `is_call` is true for a tool call of a model.
pub fn unreadable(
    error: &DocumentError,
    format: sniff::Document,
    size: Option<u64>,
    is_call: bool,
) -> Converted {
    let (extension, name) = (format.extension().unwrap_or_default(), format.name());
    let mut reason = escape_invisible(&error.text(is_call));
    if matches!(error, DocumentError::Exhausted(limit) if limit == "bytes") {
        let most = crate::units::bytes(limits::CONVERTED_DOCUMENT_BYTES);
        reason = format!("it has more than {most}");
        if matches!(
            format.engine(),
            Some(document::Format::Eml | document::Format::Mbox | document::Format::Rtf)
        ) {
            reason.push_str("; append `:raw` to read it as text");
        }
    }
    let size = size.map_or_else(String::new, |size| {
        format!(", {}", crate::units::bytes(size))
    });
    Converted {
        facts: DocumentFacts {
            format: name.into(),
            units: None,
            metadata: Vec::new(),
            headed: false,
        },
        editable: false,
        numbered: false,
        outline: None,
        contents: false,
        notes: Vec::new(),
        text: Conversion::Whole(Unit {
            text: format!("[Cannot read .{extension} file: {reason}]\n{name}{size}"),
            ..Unit::default()
        }),
        figures: None,
        links: None,
    }
}

fn facts(document: &dyn Document, format: sniff::Document) -> DocumentFacts {
    let facts = document.facts();
    let known = |(name, value): &(String, String)| {
        let name = METADATA.into_iter().find(|known| known == name)?;
        let value = super::shortened(value, limits::METADATA_CHARS).into_owned();
        (!value.is_empty()).then_some((name, value))
    };
    let format_is_mail = matches!(
        format.engine(),
        Some(document::Format::Eml | document::Format::Msg)
    );
    let format = match facts.format.as_str() {
        "" => format.name().into(),
        name => name.to_owned().into(),
    };
    DocumentFacts {
        format,
        units: None,
        metadata: facts.metadata.iter().filter_map(known).collect(),
        // The text of a mail starts with its header.
        headed: !format_is_mail,
    }
}

/// The text of all units of a document.
fn whole(document: &mut dyn Document, mark: &str) -> Result<Unit, DocumentError> {
    let mut all = Unit::default();
    for index in 0..document.facts().list.len() as u64 {
        let unit = unit(document.unit(index)?, mark);
        if index == 0 {
            all = unit;
            continue;
        }
        all.text.push_str("\n\n");
        all.text.push_str(&unit.text);
        all.notes.extend(unit.notes);
    }
    Ok(all)
}

fn unit(unit: document::Unit, mark: &str) -> Unit {
    Unit {
        text: with_paths(unit.text, mark),
        attachments: Vec::new(),
        notes: unit.notes.iter().map(|it| without_brackets(it)).collect(),
    }
}

/// A note of an engine without brackets. A reply shows each note in brackets, and an engine quotes text
/// of the document, which must not end one note and start another.
fn without_brackets(note: &str) -> String {
    note.replace('[', "(").replace(']', ")")
}

/// An open document. `mark` is the part of a reference to a picture before its selector.
struct Open {
    document: Box<dyn Document>,
    mark: String,
}

impl Figures for Open {
    fn mark(&self) -> &str {
        &self.mark
    }

    fn picture(&mut self, picture: Picture) -> Result<Vec<u8>, String> {
        match self::picture(&mut *self.document, picture, limits::PAGE_IMAGE_SIDE) {
            Ok(Some(image)) => Ok(image),
            Ok(None) => Err("it cannot be read".to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

/// A document whose units are converted when they are shown.
struct Office {
    kind: UnitKind,
    open: Open,
    /// Whether text is included that other programs do not show.
    hidden: bool,
    /// Why units are converted without reading others: the error of the first one that was not.
    alone: Option<String>,
}

impl Office {
    /// Converts a unit. If that ends the engine, which may be due to another unit, this one and all that
    /// follow are converted without reading others.
    fn converted(&mut self, place: u64) -> Result<document::Unit, DocumentError> {
        let mut converted = self.convert(place);
        if self.kind == UnitKind::Page
            && self.alone.is_none()
            && let Err(error @ (DocumentError::Exhausted(_) | DocumentError::Failed(_))) =
                &converted
        {
            self.alone = Some(error.to_string());
            self.open.document.set_alone(true);
            converted = self.convert(place);
        }
        if let (Ok(unit), Some(error)) = (&mut converted, &self.alone) {
            unit.notes.push(format!(
                "Its headings and running heads are less certain, because another page cannot be read: {error}."
            ));
        }
        converted
    }

    fn convert(&mut self, place: u64) -> Result<document::Unit, DocumentError> {
        if self.hidden {
            self.open.document.unit_with_hidden(place)
        } else {
            self.open.document.unit(place)
        }
    }
}

impl Units for Office {
    fn kind(&self) -> UnitKind {
        self.kind
    }

    fn count(&self) -> u64 {
        self.open.document.facts().list.len() as u64
    }

    fn title(&mut self, place: u64) -> Title {
        let index = usize::try_from(place).unwrap_or(usize::MAX);
        let unit = self.open.document.facts().list.get(index).cloned();
        let mut title = unit.map_or_else(Title::default, |unit| Title {
            name: unit.name,
            hidden: unit.hidden,
            selector: None,
        });
        if self.kind == UnitKind::Page {
            let number = self.kind.first().saturating_add(place).to_string();
            if title.name == number || !is_label(&title.name) {
                title.name.clear();
            }
        }
        if self.kind == UnitKind::Sheet {
            let facts = match self.open.document.sheet(place) {
                Ok(facts) => sheet(&facts),
                Err(error) => error.to_string(),
            };
            if is_plain(&title.name) {
                title.selector = Some(std::mem::replace(&mut title.name, facts));
            } else {
                title.name = format!("{}: {facts}", title.name);
            }
        }
        title
    }

    fn outline(&mut self) -> Vec<(u8, String, u64)> {
        let entries = self.open.document.outline().iter();
        entries
            .filter_map(|entry| Some((entry.level, entry.title.clone(), entry.unit? as u64)))
            .collect()
    }

    fn unit(&mut self, place: u64) -> Unit {
        let number = self.kind.first().saturating_add(place);
        let word = self.kind.word();
        let mut unit = match self.converted(place) {
            Ok(text) => unit(text, &self.open.mark),
            Err(error) => Unit {
                text: format!("[Cannot read {word}:{number}: {error}]"),
                ..Unit::default()
            },
        };
        // Chapters and sheets have headings, but slides, mails and pages may have none, or the same.
        if matches!(self.kind, UnitKind::Slide | UnitKind::Mail | UnitKind::Page) {
            let label = match self.kind {
                UnitKind::Page => self.title(place).name,
                _ => String::new(),
            };
            let label = match label.as_str() {
                "" => String::new(),
                label => format!(" ({label})"),
            };
            let comment = format!("<!-- {word} {number}{label} -->");
            if unit.text.trim().is_empty() {
                // Of many empty pages, no more than the comments are shown.
                unit.text = comment;
                return unit;
            }
            unit.text = format!("{comment}\n\n{}", unit.text);
        }
        // An empty line separates it from the next one.
        if place.saturating_add(1) < self.count() {
            unit.text.push('\n');
        }
        unit
    }

    fn show_hidden(&mut self) {
        self.hidden = true;
    }

    fn figures(self: Box<Self>) -> Option<Box<dyn Figures>> {
        Some(Box::new(self.open))
    }
}

/// Whether the label of a page, such as `iii` or `A-1`, can be in a comment of Markdown: one short line
/// that cannot end the comment.
fn is_label(label: &str) -> bool {
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '.' | ',' | '-' | '/' | '_');
    label.chars().count() <= limits::LABEL_CHARS
        && label.chars().all(is_plain)
        && !label.contains("--")
        && label.trim() == label
}

/// Whether the name of a sheet reads the sheet if it is appended to the path of the workbook. Other
/// names are syntax of paths, or those of folders of the package.
fn is_plain(name: &str) -> bool {
    let is_syntax = |c: char| matches!(c, ':' | '?' | '/' | '\\') || c.is_control();
    let folder = ["", ".", "..", "xl", "_rels", "docProps", "customXml"];
    !folder.contains(&name) && !name.contains(is_syntax) && escape_invisible(name) == name
}

/// The facts about a sheet in one line: the used range, the number of rows, tables and charts.
fn sheet(facts: &workbook::SheetFacts) -> String {
    let Some(used) = facts.used else {
        return "(no cells)".to_owned();
    };
    let rows = crate::units::thousands(u64::from(facts.rows));
    let many = if facts.rows == 1 { "" } else { "s" };
    let mut text = format!("{}, {rows} row{many}", format_range(used));
    let listed = |text: &mut String, word: &str, names: Vec<String>| {
        if names.is_empty() {
            return;
        }
        let many = if names.len() == 1 { "" } else { "s" };
        let more = names.len().saturating_sub(limits::LISTED_RANGES);
        let first: Vec<&str> = names
            .iter()
            .take(limits::LISTED_RANGES)
            .map(String::as_str)
            .collect();
        text.push_str(&format!("; {word}{many}: {}", first.join(", ")));
        if more > 0 {
            text.push_str(&format!(" and {more} more"));
        }
    };
    let tables = facts.tables.iter();
    let tables = tables.map(|table| format!("{} {}", table.name, format_range(table.range)));
    listed(&mut text, "table", tables.collect());
    let charts = facts.charts.iter().map(|title| match title.trim() {
        "" => "(without title)".to_owned(),
        title => title.to_owned(),
    });
    listed(&mut text, "chart", charts.collect());
    text
}

/// The part of a reference to a picture in Markdown that precedes the selector of the picture. A path
/// with spaces or parentheses is in angle brackets, whose end [`with_paths`] adds.
fn mark(path: &str) -> String {
    let path = escape_invisible(path);
    let plain = |c: char| !c.is_whitespace() && !matches!(c, '(' | ')' | '<' | '>');
    if path.chars().all(plain) {
        return format!("]({path}");
    }
    format!("](<{}", path.replace('<', "\\<").replace('>', "\\>"))
}

/// Replaces the destination of each image, such as `image:3` or `page:3:img`, by the path that reads
/// it.
fn with_paths(text: String, mark: &str) -> String {
    let is_destination = |at: usize| {
        let rest = text.get(at.saturating_add(DESTINATION.len())..);
        rest.is_some_and(|rest| rest.starts_with("image:") || rest.starts_with("page:"))
    };
    if !memmem::find_iter(text.as_bytes(), DESTINATION).any(is_destination) {
        return text;
    }
    let end = if mark.starts_with("](<") { ">" } else { "" };
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once(DESTINATION) {
        out.push_str(before);
        match after.split_once(')') {
            Some((selector, _)) if is_picture(selector) => {
                out.push_str(&format!("{mark}{selector}{end}"));
                rest = after.get(selector.len()..).unwrap_or_default();
            }
            _ => {
                out.push_str(DESTINATION);
                rest = after;
            }
        }
    }
    out.push_str(rest);
    out
}

/// Whether a text is the selector of a picture, as the engines write it.
fn is_picture(text: &str) -> bool {
    let is_short = text.len() <= limits::PICTURE_BYTES;
    let picture = is_short.then(|| Selector::picture_of(text)).flatten();
    picture.is_some_and(|picture| picture.to_string() == text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::memory::MemoryDocument;

    use omniread_document as document;

    /// The texts and notes of the units of a document of which reading the unit `broken`, with others or
    /// alone, ends the engine.
    fn units_beside(broken: usize, kind: document::UnitKind) -> Vec<(String, Vec<String>)> {
        let text = |place: usize| document::Unit {
            text: format!("text {place}"),
            notes: Vec::new(),
            edges: [0, 0],
        };
        let ended = || Err(DocumentError::Exhausted("time".to_owned()));
        let alone = |place: usize| {
            if place == broken {
                ended()
            } else {
                Ok(text(place))
            }
        };
        let document = MemoryDocument {
            facts: document::Facts {
                units: Some(kind),
                list: vec![document::UnitFacts::default(); 3],
                ..document::Facts::default()
            },
            units: (0..3).map(|_| ended()).collect(),
            alone_units: (0..3).map(alone).collect(),
            ..MemoryDocument::default()
        };
        let format = sniff::Document::Engine(document::Format::Pdf);
        let converted = convert(Box::new(document), format, "a.pdf:").unwrap();
        let Conversion::Units(mut units) = converted.text else {
            panic!("no units");
        };
        let unit = |place: u64| {
            let unit = units.unit(place);
            (unit.text, unit.notes)
        };
        (0..3).map(unit).collect()
    }

    #[test]
    fn page_that_ends_the_engine_costs_no_other_page() {
        for broken in 0..3 {
            let units = units_beside(broken, document::UnitKind::Page);
            for (place, (text, notes)) in units.iter().enumerate() {
                let number = place + 1;
                if place == broken {
                    let why = format!("[Cannot read page:{number}: it exceeds the limit `time`]");
                    assert!(text.contains(&why), "{text}");
                } else {
                    assert!(text.contains(&format!("text {place}")), "{text}");
                    assert!(
                        notes[0]
                            .ends_with("another page cannot be read: it exceeds the limit `time`.")
                    );
                }
            }
        }
        // Slides do not read each other.
        let units = units_beside(0, document::UnitKind::Slide);
        assert!(units[1].0.contains("[Cannot read slide:2: "), "{units:?}");
    }

    #[test]
    fn image_gets_the_path_that_reads_it() {
        let text =
            "![a](image:1) [![b](image:12)](x) ](image:x) ](image:3 ![](page:4:img) ](page:4)";
        assert_eq!(
            with_paths(text.to_owned(), &mark("l.docx:")),
            "![a](l.docx:image:1) [![b](l.docx:image:12)](x) ](image:x) ](image:3 ![](l.docx:page:4:img) ](page:4)"
        );
        assert_eq!(
            with_paths("![a](image:1)".to_owned(), &mark("my (1).docx:")),
            "![a](<my (1).docx:image:1>)"
        );
    }
}
