//! The dialect `comma`: one JSON object with exact text and the SHA-256 of the bytes on disk.

use super::arguments::{self, Count, PathString, argument_failure};
use super::capabilities::{Capability, Sentence};
use super::format::{DialectFormat, Tool};
use super::json::{TEXT, json, json_around};
use super::layout::Layout;
use super::notices;
use super::onward;
use super::repeat::Repeated;
use super::reply::{Block, Rendered};
use super::web::Web;
use crate::answer::{Answer, Body, Database, Listing, Made, Text};
use crate::escapes::escape_invisible;
use crate::failure::{BinaryFile, Failure, Message, Reason};
use crate::limits;
use crate::pages::Charset;
use crate::path::{Lines, is_absolute};
use crate::request::{HashPolicy, Request, Style};
use crate::window::{Capacity, Page};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use omniread_options::Options;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;

pub struct Comma;

const DESCRIPTION: &[Sentence] = &[
    Sentence::Always(
        "Reads a text file of the workspace. `path` is relative to the workspace. \
         Pass `startLine` and `endLine` (from 1, both included) to read a part. \
         The result is JSON: `data` with the exact `content`, the `sha256` of the file, its size, its number of lines, and the lines of the content. \
         Keep the `sha256` of a file that you change. \
         `content` has at most `maxBytes` bytes (default 256 KiB); `truncated` is true if it was cut there. \
         `sourceEncoding` names the encoding of a file that is not UTF-8; `lossy` is true if bytes could not be decoded: do not write such content back. \
         `a.rs:sym:f` is a declaration, heading or key. `x.zip:` lists an archive, `x.zip:a.txt` reads a member, `page.html:` is Markdown.",
    ),
    Sentence::With(
        Capability::Databases,
        "SQLite: `app.db:users`, `app.db?q=SELECT …`.",
    ),
    Sentence::With(
        Capability::Documents,
        "`report.docx:` and `a.pdf:page:2` are Markdown, as are office documents, e-books and mails, also `book.xlsx:Sales?where=Total>9`.",
    ),
    Sentence::Always(
        "A binary file is the error `binary_file`; call again with `allowBinary` to get `contentBase64`.",
    ),
];

const SCHEMA: &str = r#"{"type":"object","properties":{"path":{"type":"string","description":"The path of the file to read, relative to the workspace"},"startLine":{"type":"integer","minimum":1,"description":"The first line to read, counted from 1"},"endLine":{"type":"integer","minimum":1,"description":"The last line to read, included. A number after the end of the file means the last line"},"maxBytes":{"type":"integer","minimum":1,"description":"The maximum number of bytes of the content (default 262144, maximum 8388608)"},"allowBinary":{"type":"boolean","description":"Read a binary file, as base64 (default false)"}},"required":["path"],"additionalProperties":false}"#;

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Call {
    path: PathString,
    start_line: Option<Count<1>>,
    end_line: Option<Count<1>>,
    max_bytes: Option<Count<1>>,
    allow_binary: Option<bool>,
}

impl DialectFormat for Comma {
    fn tool(&self) -> Tool {
        Tool {
            name: "read_file",
            title: None,
            description: DESCRIPTION,
            schema: SCHEMA,
        }
    }

    fn style(&self, _: &Options) -> Style {
        Style {
            listings: false,
            open_lines: u64::MAX,
            line_chars: None,
            capacity: Capacity::Bytes(limits::CONTENT_BYTES),
            exact: true,
            hash: HashPolicy::Always,
            nul_is_binary: true,
            ..Style::PAGED
        }
    }

    fn request_for_arguments(
        &self,
        arguments: &str,
        options: &Options,
    ) -> Result<Request, Failure> {
        let call: Call = arguments::parse(arguments)?;
        let path = call.path.0;
        if is_absolute(&path) && !options.absolute {
            return Err(Failure::new(
                Reason::OutsideRoots(path.clone()),
                format!("`{path}` is an absolute path"),
            ));
        }
        let mut request = self.request_for_path(&path, options);
        let first = call.start_line.map_or(1, |Count(line)| line);
        let last = call.end_line.map(|Count(line)| line);
        if let Some(last) = last.filter(|last| *last < first) {
            return Err(argument_failure(
                "startLine",
                &format!("is {first}, which is after `endLine` {last}"),
            ));
        }
        match (call.start_line, call.end_line) {
            (Some(_), _) => request.lines("startLine", first, last),
            (None, Some(_)) => request.lines("endLine", first, last),
            (None, None) => {}
        }
        let bytes = call
            .max_bytes
            .map_or(limits::CONTENT_BYTES, |Count(bytes)| bytes)
            .min(limits::REPLY_BYTES);
        request.style.capacity = Capacity::Bytes(bytes);
        request.style.binary_bytes = call.allow_binary.filter(|allow| *allow).map(|_| bytes);
        Ok(request)
    }

    fn wraps_in_json(&self) -> bool {
        true
    }

    fn reply(
        &self,
        request: &Request,
        answer: &Answer,
        notes: &[Message],
        _: &Options,
    ) -> Result<Rendered<Vec<Block>>, Failure> {
        let payload;
        let mut data = Data {
            path: &answer.subject.requested,
            content: None,
            content_base64: None,
            encoding: "utf-8",
            origin: Origin::default(),
            sha256: answer.sha256(),
            note: notices::unhashed(answer),
            notes: Vec::new(),
            web: answer.subject.web.as_deref().map(Web::of),
            converted_from: None,
            size_bytes: answer.size(),
            line_count: 0,
            start_line: 0,
            end_line: 0,
            truncated: false,
            next_start_line: None,
            next_path: None,
        };
        match &answer.body {
            Body::Text(text) => {
                let page = &text.page;
                let total = page.total.count();
                if let Some(damage) = &page.damage {
                    let path = &answer.subject.requested;
                    let message = format!("cannot read `{path}`: {damage}");
                    return Err(Failure::new(Reason::Io(damage.clone()), message));
                }
                let requested = match &text.window.selector.lines {
                    Lines::One(range) => range.start.line,
                    Lines::List(ranges) if ranges.len() > 1 => return Err(several(answer)),
                    Lines::List(ranges) => ranges.first().map_or(1, |range| range.start.line),
                    Lines::All | Lines::Tail { .. } => 1,
                };
                let number = |line: &crate::window::Line| line.number.unsigned_abs();
                data.content = Some(TEXT);
                data.origin = Origin::of(text);
                data.converted_from = text.facts.as_ref().map(|facts| &*facts.format);
                if let Some(made) = text.made {
                    data.is_made(made);
                }
                if text.facts.is_some() {
                    // Those of the answer come first. Fields state what the others state.
                    let of_answer = notes.iter().take(answer.notes.len());
                    data.notes = of_answer.map(|note| &**note).collect();
                }
                payload = Cow::Borrowed(page.text.as_str());
                data.line_count = total;
                data.start_line = page.lines.first().map_or(requested, number);
                data.end_line = page.lines.last().map_or(total, number);
                data.set_rest(request, answer, page);
            }
            Body::Binary(binary) => match &binary.bytes {
                Some(_) if request.slice.is_some() => {
                    let name = request
                        .slice
                        .as_ref()
                        .map_or("", |slice| slice.origin.name());
                    return Err(argument_failure(
                        name,
                        "selects lines of a file that is not text",
                    ));
                }
                Some(bytes) => {
                    data.encoding = "base64";
                    data.content_base64 = Some(TEXT);
                    payload = Cow::Owned(STANDARD.encode(bytes));
                    data.truncated = data.size_bytes.is_some_and(|all| all > bytes.len() as u64);
                }
                None => return Err(not_text(answer, &binary.format)),
            },
            // The content is not the text of a file, so it may contain notices.
            Body::Database(Database { page, .. }) | Body::Listing(Listing { page, .. }) => {
                let number = |line: &crate::window::Line| line.number.unsigned_abs();
                data.content = Some(TEXT);
                let layout = Layout {
                    body: page.plain(),
                    notices: notices::bracketed(notes).collect(),
                    ..Layout::default()
                };
                payload = Cow::Owned(layout.text("\n", "\n\n"));
                data.line_count = page.total.count();
                data.start_line = page.lines.first().map_or(1, number);
                data.end_line = page.lines.last().map_or(data.line_count, number);
                data.set_rest(request, answer, page);
            }
            Body::Archive(inside) => return Err(notices::archive(answer, inside)),
            Body::Media(media) => return Err(not_text(answer, media.format.long_name)),
        }
        let text = json_around(&Outcome::read(&data), &payload);
        data.content = None;
        data.content_base64 = None;
        Ok(Rendered::new(
            vec![Block::Text(text)],
            &Outcome::read(&data),
        ))
    }

    fn repeated(&self, repeated: &Repeated<'_>) -> Rendered<Vec<Block>> {
        #[derive(Serialize)]
        struct Outcome<'a> {
            ok: bool,
            data: &'a Repeated<'a>,
        }
        let outcome = Outcome {
            ok: true,
            data: repeated,
        };
        Rendered::new(vec![Block::Text(json(&outcome))], &outcome)
    }

    fn failure(&self, failure: &Failure, _: &str) -> Rendered<String> {
        let error = Error::of(failure);
        let outcome = Outcome {
            ok: false,
            data: None,
            error: Some(error),
        };
        Rendered::new(json(&outcome), &outcome)
    }
}

fn not_text(answer: &Answer, format: &str) -> Failure {
    let path = &answer.subject.requested;
    let message = if matches!(&answer.body, Body::Binary(binary) if binary.is_text) {
        format!("`{path}` contains NUL bytes, so it is treated as a binary file: {format}")
    } else {
        format!("`{path}` is a binary file: {format}")
    };
    notices::not_text(answer, format, message)
}

/// The failure for a selector with several line ranges. They are refused, because a caller that
/// writes `content` back to the file would lose the lines between the ranges.
fn several(answer: &Answer) -> Failure {
    let path = escape_invisible(&answer.subject.requested);
    Failure::new(
        Reason::InvalidSelector(path.clone()),
        format!("`{path}` has several ranges; this tool reads one range per call"),
    )
}

#[derive(Serialize)]
struct Outcome<'a> {
    ok: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<&'a Data<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<Error<'a>>,
}

impl<'a> Outcome<'a> {
    fn read(data: &'a Data<'a>) -> Self {
        Self {
            ok: true,
            data: Some(data),
            error: None,
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Data<'a> {
    path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    content: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    content_base64: Option<&'a str>,
    encoding: &'static str,
    #[serde(flatten)]
    origin: Origin,
    sha256: Option<&'a str>,
    /// The format of the document from which `content` was converted, or what `content` is: a list, for example. Such
    /// content is not that of the file.
    #[serde(skip_serializing_if = "Option::is_none")]
    converted_from: Option<&'a str>,
    /// The reason why `sha256` is null.
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    /// Notes on the content of a document.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    notes: Vec<&'a str>,
    /// The response to a request for a web address.
    #[serde(skip_serializing_if = "Option::is_none")]
    web: Option<Web<'a>>,
    size_bytes: Option<u64>,
    line_count: u64,
    start_line: u64,
    end_line: u64,
    truncated: bool,
    /// The first line that the content does not have, or not all of, if `maxBytes` cut it.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_start_line: Option<u64>,
    /// The path that reads on, without other arguments, if no line does: the content ends inside a line, or the path
    /// selects lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    next_path: Option<String>,
}

impl Data<'_> {
    /// States that the content is not that of the file: a caller that writes it back would lose the file.
    fn is_made(&mut self, made: Made) {
        self.converted_from = Some(made.name());
        self.sha256 = None;
        self.note = Some("no SHA-256: the content is not that of the file".to_owned());
    }

    /// States whether the page is cut, and what reads on after it.
    fn set_rest(&mut self, request: &Request, answer: &Answer, page: &Page) {
        // The rest of a line ends with the line, although a cut page goes on there.
        let starts_inside = page.lines.first().is_some_and(|line| line.column > 1);
        self.truncated = page.limit.is_some() || (starts_inside && page.following.is_some());
        if !self.truncated {
            return;
        }
        self.next_path = onward::by_path(request, answer, page);
        if self.next_path.is_none() {
            self.next_start_line = Some(self.end_line.saturating_add(1));
            return;
        }
        // The line that the content ends in may be read again from its start.
        let may_repeat = page.following_is_inside_line && page.lines.len() > 1;
        let from_start = page.lines.last().is_some_and(|line| line.number > 0);
        let takes_lines = !onward::selects_lines(request, answer);
        if may_repeat && from_start && takes_lines {
            self.next_start_line = Some(self.end_line);
        }
    }
}

/// The differences between the bytes on disk and `content`, which is UTF-8. If there are any, a
/// caller that writes `content` back to the file changes bytes that it did not edit.
#[derive(Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Origin {
    /// The encoding of the file, unless the text is valid UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    source_encoding: Option<String>,
    /// Whether the encoding was guessed.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    guessed: bool,
    /// Whether `content` contains U+FFFD in place of undecodable bytes.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    lossy: bool,
    /// The number of undecodable bytes in the returned part of the file, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    undecodable_bytes: Option<u64>,
}

impl Origin {
    /// Determines how the encoding of a text differs from UTF-8. A byte order mark of UTF-8 is no
    /// difference, because `content` contains it as a character.
    fn of(text: &Text) -> Self {
        let encoding = text.encoding;
        let invalid = text.page.escapes.invalid;
        let other = encoding.charset != Charset::Utf8 || invalid > 0;
        Self {
            source_encoding: other.then(|| encoding.charset.name()),
            guessed: encoding.guessed,
            lossy: invalid > 0,
            undecodable_bytes: (invalid > 0).then_some(invalid),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Error<'a> {
    kind: &'static str,
    message: &'a str,
    recoverable: bool,
    suggested_next_action: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    size_bytes: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<&'a str>,
}

impl<'a> Error<'a> {
    fn of(failure: &'a Failure) -> Self {
        let (kind, recoverable, action) = match &failure.reason {
            Reason::NotFound(_) => ("not_found", true, "check the path"),
            Reason::Directory(_) => (
                "not_found",
                true,
                "use list_directory to list the directory",
            ),
            Reason::OutsideRoots(_) | Reason::LinkOutsideRoots { .. } => (
                "outside_workspace",
                false,
                "use the path of a file in the workspace, relative to its root",
            ),
            Reason::Denied(_) | Reason::Permission(_) | Reason::Ignored { .. } => (
                "permission_denied",
                false,
                "continue without this file, or ask the user for access",
            ),
            Reason::Binary(_) => (
                "binary_file",
                true,
                "call again with allowBinary: true to receive base64",
            ),
            Reason::Limit { name, .. } if name == "max-file-size" => (
                "file_too_large",
                false,
                "continue without this file, or ask the user to raise the limit",
            ),
            Reason::InvalidArgument(_)
            | Reason::InvalidPath(_)
            | Reason::Query(_)
            | Reason::InvalidSelector(_) => (
                "invalid_arguments",
                true,
                "correct the arguments and call again",
            ),
            Reason::Limit { .. }
            | Reason::SpecialFile(_)
            | Reason::Symlink(_)
            | Reason::Cancelled(_)
            | Reason::Io(_)
            | Reason::Network(_)
            | Reason::Unsupported(_)
            | Reason::Internal(_) => ("read_failed", false, "continue without this file"),
        };
        let not_text = match &failure.reason {
            Reason::Binary(not_text) => Some(not_text),
            _ => None,
        };
        Self {
            kind,
            message: &failure.message,
            recoverable,
            suggested_next_action: match (&failure.hint, &failure.reason) {
                (
                    _,
                    Reason::Binary(BinaryFile {
                        how_to_read_inside: Some(inside),
                        ..
                    }),
                ) => {
                    format!("{inside}; or {action}")
                }
                // These hints help a model. The others are for the person who runs the reader.
                (
                    Some(hint),
                    Reason::NotFound(_)
                    | Reason::InvalidArgument(_)
                    | Reason::InvalidPath(_)
                    | Reason::InvalidSelector(_)
                    | Reason::Query(_),
                ) => {
                    format!("{action}: {hint}")
                }
                _ => action.to_owned(),
            },
            size_bytes: not_text.and_then(|file| file.size),
            sha256: not_text.and_then(|file| file.sha256.as_deref()),
        }
    }
}
