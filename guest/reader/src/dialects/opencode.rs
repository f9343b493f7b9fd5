//! The dialect `opencode`: numbered text between tags that state the path and the type, with the end of a file.

use super::arguments::{self, Count, PathString};
use super::capabilities::{Capability, Sentence};
use super::describe;
use super::extent::Extent;
use super::format::{DialectFormat, Tool};
use super::head;
use super::layout::{Layout, Lines};
use super::notices;
use super::onward;
use super::reply::{Block, Failed, Rendered};
use super::unshown;
use crate::answer::{Answer, Body, Database, Listing, Media, NotShown, Text};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Message, Reason};
use crate::limits;
use crate::request::{ImageLimits, ListingForm, MediaPolicy, Request, SliceOrigin, Style};
use crate::units;
use crate::window::{Capacity, Limit, Line, Numbering, Page, Total};
use omniread_options::Options;
use serde::{Deserialize, Serialize};
use std::fmt::Write as _;

pub struct OpenCode;

const DESCRIPTION: &[Sentence] = &[
    Sentence::Always(
        "Reads a file, or lists a directory. `filePath` is absolute or relative to the project. \
         Each line of text has its number, as in `12: text`, counted from 1. \
         A call returns at most 2000 lines and 50 KB; pass `offset` (the first line) and `limit` (how many lines) to read more. \
         A reply that reaches the end of the file says so. Lines longer than 2000 characters are cut. \
         `a.rs:sym:f` is a declaration, heading or key, `a.rs:9:block` the one around a line. `x.zip:` lists an archive, `x.zip:a.txt` reads a member.",
    ),
    Sentence::With(
        Capability::Images,
        "PNG, JPEG, GIF and WebP images are attached, and PDF files too.",
    ),
    Sentence::Always(
        "Notebooks are JSON; `a.ipynb:cell:3` is a cell with its outputs. `page.html:` is its Markdown. CSV rows: `x.csv:`.",
    ),
    Sentence::With(
        Capability::Databases,
        "SQLite: `app.db:` lists tables, `app.db?q=SELECT …` runs a query.",
    ),
    Sentence::With(
        Capability::Documents,
        "`report.docx:` and `a.pdf:page:2` are Markdown, as are other office documents, e-books and mails, also `book.xlsx:Sales?where=Total>9`.",
    ),
    Sentence::With(Capability::Web, "`https://…` is read as text."),
];

const SCHEMA: &str = r#"{"type":"object","properties":{"filePath":{"type":"string","description":"The path of the file or directory to read"},"offset":{"type":"integer","minimum":1,"description":"The line or entry to start from, counted from 1"},"limit":{"type":"integer","minimum":1,"description":"The maximum number of lines or entries (default 2000)"}},"required":["filePath"],"additionalProperties":false}"#;

/// The mark of a line that is cut at the limit of the original tool.
const CUT: &str = "... (line truncated to 2000 chars)";

/// Writes the mark of a line that is cut before the column `next`.
fn cut(_: &Page, line: &Line, next: u64, out: &mut String) {
    let shown = next.saturating_sub(line.column);
    let _ = write!(out, "... (line truncated to {shown} chars)");
}

/// The maximum number of similar names in the message for a path that does not exist.
const SIMILAR: usize = 3;

const LINES: Lines = Lines {
    numbering: Numbering::Spaced,
    gap: Some("…"),
    cut,
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Call {
    file_path: PathString,
    offset: Option<Count<1>>,
    limit: Option<Count<1>>,
}

impl DialectFormat for OpenCode {
    fn tool(&self) -> Tool {
        Tool {
            name: "read",
            title: None,
            description: DESCRIPTION,
            schema: SCHEMA,
        }
    }

    fn style(&self, options: &Options) -> Style {
        Style {
            listing: ListingForm::Names,
            numbering_editable: Numbering::Spaced,
            numbering_plain: Numbering::Spaced,
            cut_cost: CUT.len() as u64,
            capacity: Capacity::Lines(limits::PAGE_BYTES),
            nul_is_binary: true,
            media: Some(MediaPolicy::passed_on(ImageLimits::of(options))),
            ..Style::PAGED
        }
    }

    fn request_for_arguments(
        &self,
        arguments: &str,
        options: &Options,
    ) -> Result<Request, Failure> {
        let call: Call = arguments::parse(arguments)?;
        let mut request = self.request_for_path(&call.file_path.0, options);
        request.page(
            call.offset.map(|Count(offset)| offset),
            call.limit.map(|Count(limit)| limit),
        );
        Ok(request)
    }

    fn reply(
        &self,
        request: &Request,
        answer: &Answer,
        notes: &[Message],
        _: &Options,
    ) -> Result<Rendered<Vec<Block>>, Failure> {
        let mut layout = Layout {
            notices: notices::bracketed(notes).collect(),
            ..Layout::default()
        };
        let blocks = match &answer.body {
            Body::Text(text) => {
                refuse_past_end(request, &text.page)?;
                let images = text_parts(request, answer, text, &mut layout);
                let mut blocks = layout.blocks("\n", "\n");
                blocks.extend(images);
                blocks
            }
            Body::Listing(Listing { page, archive, .. }) => {
                refuse_past_end(request, page)?;
                let kind = match archive {
                    Some(_) => "archive",
                    None => "directory",
                };
                let mut body = String::new();
                let lines = Lines {
                    numbering: Numbering::None,
                    ..LINES
                };
                lines.write(page, &mut body);
                body.push_str("\n\n");
                body.push_str(&entries(request, answer, page));
                layout.body = frame(answer, kind, "entries", &body);
                layout.notices.extend(notices::cuts(answer, page));
                layout.blocks("\n", "\n")
            }
            Body::Database(Database { page, is_text, .. }) => {
                let kind = if *is_text { "table" } else { "database" };
                let mut body = String::new();
                let lines = Lines {
                    numbering: Numbering::None,
                    ..LINES
                };
                lines.write(page, &mut body);
                layout.body = frame(answer, kind, "content", &body);
                layout.notices.extend(notices::cuts(answer, page));
                layout
                    .notices
                    .extend(notices::skipped(page, &Extent::Listing));
                layout.blocks("\n", "\n")
            }
            Body::Media(media) => {
                let (description, block) = self::media(answer, media)?;
                layout.body = description;
                let reencoded =
                    describe::reencoding(media).map(|reencoded| format!("[{reencoded}]"));
                layout.notices.extend(reencoded);
                let mut blocks = layout.blocks("\n", "\n");
                blocks.extend(block);
                blocks
            }
            Body::Archive(inside) => return Err(notices::archive(answer, inside)),
            Body::Binary(binary) => {
                return Err(notices::cannot_read_binary(answer, &binary.format));
            }
        };
        Ok(Rendered::new(blocks, &Output::of(answer)))
    }

    fn failure(&self, failure: &Failure, path: &str) -> Rendered<String> {
        let rendered = match &failure.reason {
            // The message of the original tool.
            Reason::NotFound(similar) => {
                let message = Message::from(format!("File not found: {path}"));
                let mut text = message.to_string();
                if !similar.is_empty() {
                    text.push_str("\n\nDid you mean one of these?");
                    for name in similar.iter().take(SIMILAR) {
                        text.push('\n');
                        text.push_str(&escape_invisible(name));
                    }
                } else if let Some(hint) = &failure.hint {
                    text.push_str("\nhint: ");
                    text.push_str(hint);
                }
                return Rendered::new(text, &Failed { error: &message });
            }
            _ => failure,
        };
        let error = &rendered.message;
        Rendered::new(rendered.to_string(), &Failed { error })
    }
}

/// Writes a text between tags, after the path and the type.
fn frame(answer: &Answer, kind: &str, tag: &str, body: &str) -> String {
    let path = escape_invisible(&answer.subject.absolute());
    format!("<path>{path}</path>\n<type>{kind}</type>\n<{tag}>\n{body}\n</{tag}>")
}

/// Fails if the argument `offset` is after the last line.
fn refuse_past_end(request: &Request, page: &Page) -> Result<(), Failure> {
    let is_offset = request
        .slice
        .as_ref()
        .is_some_and(|slice| slice.origin == SliceOrigin::Argument("offset"));
    let Some(range) = page.skipped.first().filter(|_| page.lines.is_empty()) else {
        return Ok(());
    };
    let (first, total) = (range.start.line, page.total);
    if !is_offset || (first == 1 && total.count() == 0) {
        return Ok(());
    }
    // The message of the original tool.
    let message = format!("Offset {first} is out of range for this file ({total} lines)");
    Err(Failure::new(
        Reason::InvalidArgument("offset".to_owned()),
        message,
    ))
}

/// Adds a text to the layout, and returns the images in it.
fn text_parts(request: &Request, answer: &Answer, text: &Text, layout: &mut Layout) -> Vec<Block> {
    let page = &text.page;
    let extent = Extent::of(&text.window.selector.part);
    let mut images = Vec::new();
    layout.exact = text.window.selector.raw;
    let facts = head::of(answer, text);
    let facts = facts.iter().map(|fact| format!("[{fact}]"));
    layout.notices.splice(..0, facts);
    if layout.exact {
        layout.body.clone_from(&page.text);
        layout.notices.push(end(request, answer, text));
    } else {
        let numbering = text.window.numbering;
        let mut shown = Layout::default();
        shown.lines(Lines { numbering, ..LINES }, page, &text.annotations);
        let mut body = String::new();
        for (before, image) in shown.before {
            body.push_str(&before);
            body.push('\n');
            images.push(image);
        }
        body.push_str(&shown.body);
        body.push_str("\n\n");
        body.push_str(&end(request, answer, text));
        layout.body = frame(answer, text.word(), "content", &body);
        unshown::append(answer, &mut layout.body);
        layout.notices.extend(notices::cuts(answer, page));
    }
    if page.lines.is_empty() {
        layout.notices.extend(notices::past_end(page, &extent));
    }
    layout.notices.extend(notices::skipped(page, &extent));
    images
}

/// The last line of a text: which lines it shows and how to continue, or that the file ends here.
fn end(request: &Request, answer: &Answer, text: &Text) -> String {
    let (page, word) = (&text.page, text.word());
    let total = page.total;
    let (Some(first), Some(last)) = (page.lines.first(), page.lines.last()) else {
        return match total.count() {
            0 => format!("(End of {word} - total 0 lines)"),
            _ => format!("(No lines of {total})"),
        };
    };
    let shown = if page.spans().len() > 1 {
        notices::ranges(page)
    } else {
        format!("{}-{}", first.number, last.number)
    };
    if let Some(path) = onward::by_path(request, answer, page) {
        let path = escape_invisible(&path);
        return format!(
            "(Showing lines {shown} of {total}. Use filePath={path} without other arguments to continue.)"
        );
    }
    let next = last.number.saturating_add(1);
    if let Some(Limit::Bytes(bytes)) = page.limit {
        let bytes = match bytes.checked_rem(1024) {
            Some(0) => format!("{} KB", bytes / 1024),
            _ => units::bytes(bytes),
        };
        return format!(
            "(Output capped at {bytes}. Showing lines {shown}. Use offset={next} to continue.)"
        );
    }
    let is_last = u64::try_from(last.number).is_ok_and(|last| total == Total::Exact(last));
    if is_last || (page.following.is_none() && last.number == -1) {
        return format!("(End of {word} - total {total} lines)");
    }
    format!("(Showing lines {shown} of {total}. Use offset={next} to continue.)")
}

/// The last line of a listing: how many entries there are, and how to continue.
fn entries(request: &Request, answer: &Answer, page: &Page) -> String {
    let total = page.total;
    if let Some(path) = onward::by_path(request, answer, page) {
        let (shown, path) = (page.lines.len(), escape_invisible(&path));
        return format!(
            "(Showing {shown} of {total} entries. Use filePath={path} without other arguments to continue.)"
        );
    }
    match page.lines.last() {
        Some(last) if page.following.is_some() => {
            let (shown, next) = (page.lines.len(), last.number.saturating_add(1));
            format!(
                "(Showing {shown} of {total} entries. Use 'offset' parameter to read beyond entry {next})"
            )
        }
        _ => format!("({total} entries)"),
    }
}

/// The description of an image or attachment, and the reply block with its data. The block is `None` if the image is
/// only described.
fn media(answer: &Answer, media: &Media) -> Result<(String, Option<Block>), Failure> {
    let path = escape_invisible(&answer.subject.requested);
    let (what, name) = if media.format.image {
        ("Image", describe::LIMIT)
    } else {
        ("PDF", notices::ATTACHMENT_LIMIT)
    };
    match &media.payload {
        Ok(payload) => {
            let block = if media.format.image {
                describe::block(payload)
            } else {
                Block::Attachment(describe::payload(payload))
            };
            Ok((format!("{what} read successfully"), Some(block)))
        }
        Err(NotShown::Bytes(limit)) => {
            let what = if media.format.image {
                "images"
            } else {
                "PDF files"
            };
            let size = units::bytes(*limit);
            let message = format!("`{path}` is larger than {size}, the limit for {what}");
            let failure = Failure::new(Reason::limit(name, *limit), message);
            let inside = escape_invisible(&answer.subject.member_path(""));
            Err(if media.format.image {
                failure
            } else {
                failure.hint(format!("read its text with `{inside}`"))
            })
        }
        Err(NotShown::Format) => Err(notices::cannot_read_binary(answer, media.format.long_name)),
        Err(
            NotShown::Described | NotShown::Side(_) | NotShown::Undecoded(_) | NotShown::Budget(_),
        ) => {
            let summary = describe::summary(media, answer.size());
            Ok((format!("Image {path}: {summary}"), None))
        }
    }
}

/// The data of a result of this tool.
#[derive(Serialize)]
struct Output {
    /// The path relative to the project.
    title: String,
    metadata: Metadata,
}

#[derive(Serialize)]
struct Metadata {
    /// Whether lines, entries or parts of lines are left out.
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime: Option<&'static str>,
}

impl Output {
    fn of(answer: &Answer) -> Self {
        let page = answer.page();
        let truncated = page.is_some_and(|page| {
            page.following.is_some() || page.lines.iter().any(|line| line.cut.is_some())
        });
        Self {
            title: answer.subject.name(),
            metadata: Metadata {
                truncated,
                total: page.map(|page| page.total.count()),
                mime: match &answer.body {
                    Body::Media(media) => Some(media.format.mime),
                    _ => None,
                },
            },
        }
    }
}
