//! Hints that name what a path can select in a file of a kind. Each hint has paths that read, and no
//! selectors of other kinds of files.

use super::Content;
use super::outline::whole;
use super::readers::{Reader, readers};
use super::shown_conflicts;
use super::unit_paths::unit_path;
use crate::encoding::{self, Encoding};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::Input;
use crate::path::{Lines, Part, Range, Selector, Start, Suffix, View, ends_in};
use crate::request::{BarePath, ImageMode, Style};
use crate::sniff::{self, Detected, Document, Kind, MAIL_NAMES, TableFormat};
use crate::sources;
use crate::subject::Subject;
use memchr::memmem;
use omniread_document as document;
use omniread_markup::feed;
use omniread_outline::data::Scanned;
use omniread_outline::{self as outline, Item};

/// The last line of the example of a range.
const LAST: u64 = 50;

/// Adds a hint to the failure of a suffix that is not a selector of a file.
pub fn with_hint(
    failure: Failure,
    content: &mut Content,
    subject: &Subject,
    rest: &Suffix,
    style: &Style,
) -> Failure {
    let is_suffix = matches!(failure.reason, Reason::NotFound(_) | Reason::Unsupported(_));
    if failure.hint.is_some() || !is_suffix {
        return failure;
    }
    let size = subject.bytes();
    let Ok(mut input) = Input::new(&mut *content.source, size) else {
        return failure;
    };
    let detected = sniff::sniff(&mut input, size, content.container, subject.hints());
    let has_lines = detected.encoding.is_some() && !is_unopened(subject, style);
    if let Some(meant) = meant(rest).filter(|_| has_lines) {
        let path = escape_invisible(&subject.with_selector(&meant));
        return failure.hint(format!("use `{path}`"));
    }
    let name = rest.unescaped();
    if has_lines && let Some(hint) = place_hint(&name, &input, detected, subject) {
        return failure.hint(hint);
    }
    if let Some(hint) = shown_conflicts::hint(&name, subject).filter(|_| has_lines) {
        return failure.hint(hint);
    }
    let offers = of(detected, &input, subject, style);
    let offers = offers.map_or_else(String::new, |offers| format!("; {offers}"));
    let rest = match rest.as_str() {
        query if query.starts_with('?') => query.to_owned(),
        rest => format!(":{rest}"),
    };
    failure.hint(format!(
        "`{rest}` is not a selector of `{}`{offers}",
        subject.shown()
    ))
}

/// Whether the bare path of content is read, as far as its kind shows: some dialects refuse the bytes
/// of a file that is not text.
pub fn reads_itself(
    detected: &Detected,
    input: &Input<'_>,
    subject: &Subject,
    style: &Style,
) -> bool {
    let nul = || encoding::has_nul(input);
    let shows_bytes = style.shows_binary || style.binary_bytes.is_some();
    // The bare path of a compressed file reads the compressed bytes in some dialects.
    if subject.compression.is_some() && style.bare_path() != BarePath::All {
        return shows_bytes;
    }
    match readers(detected, nul, &Selector::NONE, style).first() {
        None | Some(Reader::Text | Reader::Document(_)) => true,
        Some(Reader::Binary) => shows_bytes,
        Some(Reader::Attachment(limit)) => subject.bytes().is_none_or(|size| size <= *limit),
        Some(Reader::Image(format, _)) => match style.media.map(|media| media.images) {
            Some(ImageMode::Passthrough { mimes, .. }) => mimes.contains(&format.media.mime),
            _ => true,
        },
    }
}

/// The hint to leave out the selector of a path, if the bare path is read. Otherwise, how to read the
/// bytes. `None` if nothing reads them.
pub fn itself(
    detected: &Detected,
    input: &Input<'_>,
    subject: &Subject,
    selector: &Selector,
    style: &Style,
) -> Option<String> {
    if reads_itself(detected, input, subject, style) {
        return Some(format!("leave out `:{selector}` to read the file itself"));
    }
    as_text(subject, style)
}

/// The hint with the path that reads any bytes as text. `None` in a dialect in which all text is exact,
/// because it ignores `:raw`.
fn as_text(subject: &Subject, style: &Style) -> Option<String> {
    let raw = Selector {
        raw: true,
        ..Selector::NONE
    };
    let path = escape_invisible(&subject.with_selector(&raw));
    (!style.exact).then(|| format!("read its bytes as text with `{path}`"))
}

/// Whether a path without the name of content, such as `a.gz:1-50`, reads the compressed bytes.
pub fn is_unopened(subject: &Subject, style: &Style) -> bool {
    subject.compression.is_some() && style.nul_is_binary
}

/// What a path can select in content of a kind, as the end of a hint. `None` if no path reads it.
pub fn of(
    detected: Detected,
    input: &Input<'_>,
    subject: &Subject,
    style: &Style,
) -> Option<String> {
    let path = |selector: Selector| escape_invisible(&subject.with_selector(&selector));
    let lines = |lines: Lines| Selector {
        // Dialects that pass a document on read lines of its text only in this form.
        part: match detected.kind {
            Kind::Document(document) if style.nul_is_binary && !document.is_text() => {
                Part::Converted(View::Main)
            }
            _ => Part::Whole,
        },
        lines,
        raw: false,
    };
    let range = path(lines(Lines::One(Range::lines(1, Some(LAST)))));
    let raw = path(Selector {
        raw: true,
        ..Selector::NONE
    });
    let converted = path(Selector::of(Part::Converted(View::Main)));
    if is_unopened(subject, style) {
        return Some(format!("read the decompressed content with `{converted}`"));
    }
    Some(match detected.kind {
        Kind::Text | Kind::Drawing(_) => {
            let form = detected
                .encoding
                .and_then(|encoding| form(input, encoding, subject));
            let drawn = matches!(detected.kind, Kind::Drawing(_)) && style.media.is_some();
            let other = match form.and_then(Form::notice) {
                Some(form) => format!(", {form} with `{converted}`"),
                None if drawn => {
                    format!(", the image with `{}`", path(Selector::of(Part::Image)))
                }
                None => String::new(),
            };
            format!("read lines with `{range}`, exact text with `{raw}`{other}")
        }
        Kind::Document(document) => match document.units() {
            Some(kind) => {
                let unit = unit_path(kind, kind.first(), subject);
                format!("read a {} with `{unit}`, lines with `{range}`", kind.word())
            }
            None => format!("read its text with `{converted}`, lines with `{range}`"),
        },
        // If all text is exact, `:raw` changes nothing.
        Kind::Other if !style.exact => return as_text(subject, style),
        Kind::Image(_) | Kind::Container(_) | Kind::Other
            if reads_itself(&detected, input, subject, style) =>
        {
            let whole = escape_invisible(&subject.whole());
            format!("use `{whole}`")
        }
        Kind::Image(_) | Kind::Container(_) | Kind::Other => return as_text(subject, style),
    })
}

/// Another form of a text: what its path with a colon reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// The rows of a table.
    Rows,
    /// The converted form of a document.
    Of(Document),
}

impl Form {
    /// The form as a part of a sentence. `None` if the text is as readable as the form.
    pub fn notice(self) -> Option<&'static str> {
        match self {
            Self::Rows => Some("its rows as a table"),
            Self::Of(Document::Html) => Some("the page as Markdown"),
            Self::Of(Document::Feed) => Some("the feed as Markdown"),
            Self::Of(Document::Engine(document::Format::Mbox)) => Some("the list of its mails"),
            Self::Of(Document::Engine(document::Format::Eml)) => Some("the mail as text"),
            Self::Of(Document::Xml | Document::Svg) => None,
            Self::Of(_) => Some("the document as Markdown"),
        }
    }
}

/// Whether a text may have another form, by its first bytes and its name. Most texts have none, and
/// their format is not detected for a notice.
pub fn may_have_form(head: &[u8], subject: &Subject) -> bool {
    const JSON_FEED: &[u8] = b"jsonfeed.org/version";
    let hints = subject.hints();
    let head = encoding::without_mark(head);
    match head.iter().find(|byte| !byte.is_ascii_whitespace()) {
        Some(b'<') => true,
        Some(b'{') => {
            let start = head.get(..limits::JSON_FEED_BYTES).unwrap_or(head);
            memmem::find(start, JSON_FEED).is_some() || TableFormat::of(hints).is_some()
        }
        _ => {
            TableFormat::of(hints).is_some()
                // A program writes records or a mail with the name of a workbook.
                || Document::of_name(hints.name).is_some()
                || ends_in(hints.name, MAIL_NAMES)
                || ends_in(hints.name, &["mbox", "mbx"])
                || hints.mime == Some("message/rfc822")
        }
    }
}

/// The other form of a text. `None` if it has none.
pub fn form(input: &Input<'_>, encoding: Encoding, subject: &Subject) -> Option<Form> {
    if TableFormat::of_content(subject.hints(), input.head()).is_some() {
        return Some(Form::Rows);
    }
    let document = sources::of_text(input, encoding, subject.hints())?;
    is_converted(document, input, encoding, subject).then_some(Form::Of(document))
}

/// The number of bytes in which the first character of a feed is searched for.
const FEED_START: usize = 64;

/// Whether a text in the format of a document is converted, as far as its size and its syntax show.
fn is_converted(
    document: Document,
    input: &Input<'_>,
    encoding: Encoding,
    subject: &Subject,
) -> bool {
    let most = match document.engine() {
        Some(_) => limits::CONVERTED_DOCUMENT_BYTES,
        None => limits::CONVERTED_MARKUP_BYTES,
    };
    let size = subject.bytes().unwrap_or(input.head().len() as u64);
    if size > most {
        return false;
    }
    // A JSON feed is converted only if it is valid JSON. Damaged XML is converted too.
    let head = input.head();
    let start = encoding.decoded(head.get(..FEED_START).unwrap_or(head), false);
    let is_json = document == Document::Feed && start.trim_ascii_start().starts_with(b"{");
    if !is_json {
        return true;
    }
    let text = input.complete().then(|| encoding.decoded(head, true));
    text.is_some_and(|text| feed::convert(&String::from_utf8_lossy(&text), None).is_some())
}

/// The selector that a text close to one means: with other dashes, spaces, the word `lines` or a comma
/// at its end. `None` if it means none.
fn meant(rest: &Suffix) -> Option<Selector> {
    let text = rest.as_str().trim();
    let text = text.trim_end_matches([',', ';', '.']);
    let lower = text.to_ascii_lowercase();
    let after = ["lines", "line"]
        .iter()
        .find_map(|word| lower.strip_prefix(word))
        .unwrap_or(&lower);
    let plain: String = after
        .chars()
        .filter(|c| !c.is_whitespace() && !matches!(c, '(' | ')'))
        .map(|c| match c {
            '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
            '=' => ':',
            c => c,
        })
        .collect();
    let plain = plain.trim_start_matches(':');
    let selector = Selector::parse(plain).ok().flatten()?;
    (selector.part == Part::Whole).then_some(selector)
}

/// The hint with the path of the lines of the declaration, heading or key that a text names. `None` if
/// the content has none, or several.
pub fn place_hint(
    name: &str,
    input: &Input<'_>,
    detected: Detected,
    subject: &Subject,
) -> Option<String> {
    let name = name.trim_start_matches('#');
    let place = place_of(name, input, detected, subject)?;
    let path = escape_invisible(&subject.with_selector(&place));
    Some(format!("read `{}` with `{path}`", escape_invisible(name)))
}

/// The lines of the declaration, heading or key that a text names: `users`, `users[3].name`,
/// `Outer.inner`. `None` if the content has none, or several.
fn place_of(
    name: &str,
    input: &Input<'_>,
    detected: Detected,
    subject: &Subject,
) -> Option<Selector> {
    let encoding = detected.encoding.filter(|_| detected.kind == Kind::Text)?;
    let (text, _) = whole(input, encoding)?;
    let keys = keys(name);
    if keys.is_empty() {
        return None;
    }
    if let Some((start, end)) = outline::data::json_value(&text, &keys) {
        return Some(selector_of(&text, start, end));
    }
    let Scanned::Items(parsed) = outline::scan(&text, subject.inner_name())? else {
        return None;
    };
    let mut found = parsed
        .items
        .iter()
        .filter(|item| is_at(item, &keys, &parsed.items));
    let (Some(item), None) = (found.next(), found.next()) else {
        return None;
    };
    let first = item
        .doc
        .map_or(item.first, |(first, _)| first.min(item.first));
    let range = Range::lines(first.into(), Some(item.last.max(first).into()));
    Some(Selector {
        lines: Lines::One(range),
        ..Selector::NONE
    })
}

/// The names of which a path to a key or declaration consists: `users`, `[3]` and `name` of
/// `users[3].name`.
fn keys(name: &str) -> Vec<&str> {
    let mut keys = Vec::new();
    // As in JSONPath, `$` is the whole value.
    let name = match name.strip_prefix('$') {
        Some(path) if path.is_empty() || path.starts_with(['.', '[']) => path,
        _ => name,
    };
    for part in name.split(['.', '/']).flat_map(|part| part.split("::")) {
        let mut rest = part;
        while let Some(at) = rest.find('[') {
            let Some((key, element)) = rest.split_at_checked(at) else {
                break;
            };
            keys.push(key);
            let end = element
                .find(']')
                .map_or(element.len(), |end| end.saturating_add(1));
            let Some((element, after)) = element.split_at_checked(end) else {
                break;
            };
            keys.push(element);
            rest = after;
        }
        keys.push(rest);
    }
    keys.retain(|key| !key.is_empty());
    keys
}

/// Whether an item and those that enclose it have these names.
fn is_at(item: &Item, keys: &[&str], items: &[Item]) -> bool {
    let mut at = Some(item);
    for key in keys.iter().rev() {
        match at {
            Some(item) if item.name == *key => {
                at = item.parent.and_then(|parent| items.get(parent));
            }
            _ => return false,
        }
    }
    true
}

/// The selector for the lines of a part of a text, or, if it starts in a long line, for the column at
/// which it starts.
fn selector_of(text: &str, start: usize, end: usize) -> Selector {
    const SHORT: usize = 1000;
    let before = text.get(..start).unwrap_or_default();
    let line = |text: &str| 1u64.saturating_add(text.matches('\n').count() as u64);
    let (first, last) = (line(before), line(text.get(..end).unwrap_or(text)));
    let begin = before.rfind('\n').map_or(0, |at| at.saturating_add(1));
    let rest = text.get(begin..).unwrap_or_default();
    let length = rest.find('\n').unwrap_or(rest.len());
    let range = if first == last && length > SHORT {
        let column = before.get(begin..).unwrap_or_default().chars().count() as u64;
        Range {
            start: Start {
                line: first,
                column: column.saturating_add(1),
            },
            end: None,
            by_column: true,
        }
    } else {
        Range::lines(first, Some(last))
    };
    Selector {
        lines: Lines::One(range),
        ..Selector::NONE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_a_path_are_names_and_elements() {
        for (path, expected) in [
            ("users", vec!["users"]),
            ("users[3].name", vec!["users", "[3]", "name"]),
            (".users[0][1]", vec!["users", "[0]", "[1]"]),
            ("[2].id", vec!["[2]", "id"]),
            ("a[0][1][0]", vec!["a", "[0]", "[1]", "[0]"]),
            ("[0][1]", vec!["[0]", "[1]"]),
            ("$.b.c", vec!["b", "c"]),
            ("$[0].c", vec!["[0]", "c"]),
            ("$name", vec!["$name"]),
            ("a[0", vec!["a", "[0"]),
            ("Outer::inner", vec!["Outer", "inner"]),
            ("", vec![]),
        ] {
            assert_eq!(keys(path), expected, "{path}");
        }
    }

    #[test]
    fn text_close_to_a_selector_means_it() {
        for (text, selector) in [
            ("10–20", Some("10-20")),
            (" 10-20", Some("10-20")),
            ("10-20,", Some("10-20")),
            ("lines 10-20", Some("10-20")),
            ("line=10", Some("10")),
            ("Lines:10-20", Some("10-20")),
            ("(10-20)", Some("10-20")),
            ("users", None),
            ("lines", None),
            ("9-3,", None),
        ] {
            let found = meant(&Suffix::of(text)).map(|selector| selector.to_string());
            assert_eq!(found.as_deref(), selector, "{text}");
        }
    }
}
