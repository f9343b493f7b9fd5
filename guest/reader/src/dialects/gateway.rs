//! The dialect `gateway`: numbered text in a `<file>` frame, images and PDF unchanged.

use super::arguments::{self, Count, PathString, argument_failure};
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
use crate::answer::{Annotation, Answer, Body, Database, Listing, Media, NotShown};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Message, Reason};
use crate::limits;
use crate::path::is_relative;
use crate::request::{HashPolicy, ImageLimits, MediaPolicy, Request, Style};
use crate::units;
use crate::window::{Capacity, Limit, Numbering, Page};
use omniread_options::Options;
use serde::{Deserialize, Serialize};

pub struct Gateway;

const DESCRIPTION: &[Sentence] = &[
    Sentence::Always(
        "Reads a file, or lists a directory. `filePath` is absolute. \
         Text is returned in a <file> frame, which states its lines and their total. Lines are numbered from 1. \
         A call returns at most 2000 lines and 50KB; pass `offset` (the first line, counted from 0) and `limit` to read more. \
         Lines longer than 2000 characters are truncated. `/path/a.rs:sym:f` is a declaration, heading or key.",
    ),
    Sentence::With(
        Capability::Images,
        "PNG, JPEG, GIF and WebP images of up to 5MB are returned unchanged.",
    ),
    Sentence::Always(
        "PDF documents of up to 5MB are returned unchanged; other binary files are errors. `/path/x.zip:` lists an archive, `/path/x.zip:a.txt` reads a member. \
         Notebooks are JSON; `/path/a.ipynb:cell:3` is a cell with its outputs. `/path/page.html:` is its Markdown.",
    ),
    Sentence::With(
        Capability::Databases,
        "SQLite: `/path/app.db:` lists tables, `/path/app.db?q=SELECT …` runs a query. CSV rows: `/path/x.csv:`.",
    ),
    Sentence::With(
        Capability::Documents,
        "`/path/report.docx:` and `/path/a.pdf:page:2` are Markdown, as are other office documents, e-books and mails, also `/path/book.xlsx:Sales?where=Total>9`.",
    ),
];

const SCHEMA: &str = r#"{"type":"object","properties":{"filePath":{"type":"string","description":"The absolute path of the file to read"},"offset":{"type":"integer","minimum":0,"description":"The line to start reading from, counted from 0; for text files"},"limit":{"type":"integer","minimum":1,"description":"The number of lines to read (default 2000); for text files"}},"required":["filePath"],"additionalProperties":false}"#;

const CUT: &str = " [truncated]";

const LINES: Lines = Lines {
    numbering: Numbering::Column,
    gap: None,
    cut: |_, _, _, out| out.push_str(CUT),
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Call {
    file_path: PathString,
    offset: Option<Count<0>>,
    limit: Option<Count<1>>,
}

impl DialectFormat for Gateway {
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
            numbering_editable: Numbering::Column,
            numbering_plain: Numbering::Column,
            cut_cost: CUT.len() as u64,
            capacity: Capacity::Lines(limits::PAGE_BYTES),
            hash: HashPolicy::Shown(limits::HASHED_BYTES),
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
        let path = call.file_path.0;
        if is_relative(&path) {
            let is = format!("is `{path}`, which is not absolute");
            return Err(argument_failure("filePath", &is)
                .hint("pass the absolute path, which starts with `/`"));
        }
        let mut request = self.request_for_path(&path, options);
        request.page(
            call.offset.map(|Count(offset)| offset.saturating_add(1)),
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
                let mut images = Vec::new();
                layout.exact = text.window.selector.raw;
                if layout.exact {
                    layout.body.clone_from(&text.page.text);
                } else {
                    (layout.body, images) =
                        frame(text.word(), answer, &text.page, &text.annotations, LINES);
                    unshown::append(answer, &mut layout.body);
                    let facts = head::of(answer, text);
                    let facts = facts.iter().map(|fact| format!("[{fact}]"));
                    layout.notices.splice(..0, facts);
                    layout.notices.extend(notices::cuts(answer, &text.page));
                }
                let extent = Extent::of(&text.window.selector.part);
                layout.notices.extend(notices::skipped(&text.page, &extent));
                layout
                    .notices
                    .extend(notices::offset_past_end(request, &text.page, &extent));
                layout.notices.extend(partial(request, answer, &text.page));
                let mut blocks = layout.blocks("\n", "\n");
                blocks.append(&mut images);
                blocks
            }
            Body::Listing(Listing { page, .. }) | Body::Database(Database { page, .. }) => {
                let name = match &answer.body {
                    Body::Database(database) if database.is_text => "table",
                    Body::Database(_) => "database",
                    _ => "directory",
                };
                let numbering = Numbering::None;
                let lines = Lines { numbering, ..LINES };
                (layout.body, _) = frame(name, answer, page, &[], lines);
                layout.notices.extend(notices::cuts(answer, page));
                layout
                    .notices
                    .extend(notices::skipped(page, &Extent::Listing));
                layout.notices.extend(partial(request, answer, page));
                layout.blocks("\n", "\n")
            }
            Body::Media(media) => {
                let (description, block) = self::media(answer, media)?;
                layout.body = description;
                let reencoded = describe::reencoding_with_tokens(media)
                    .map(|reencoded| format!("[{reencoded}]"));
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
        Ok(Rendered::new(blocks, &Output::of(request, answer)))
    }

    fn failure(&self, failure: &Failure, path: &str) -> Rendered<String> {
        let rendered = match &failure.reason {
            // The message of the original tool.
            Reason::NotFound(_) => Failure {
                message: format!("File not found: {path}").into(),
                ..failure.clone()
            },
            _ => failure.clone(),
        };
        let error = &rendered.message;
        Rendered::new(rendered.to_string(), &Failed { error })
    }
}

/// Writes the lines of a page in an XML element whose attributes state which lines are shown and
/// how many lines the text has. The images between the lines are returned separately, because the
/// element is one text block.
fn frame(
    tag: &str,
    answer: &Answer,
    page: &Page,
    annotations: &[Annotation],
    lines: Lines,
) -> (String, Vec<Block>) {
    let mut images = Vec::new();
    let shown = if page.lines.is_empty() {
        "0-0".to_owned()
    } else {
        notices::ranges(page)
    };
    let mut out = format!(
        "<{tag} path=\"{}\" lines=\"{shown}\" total=\"{}\">\n",
        attribute(&escape_invisible(&answer.subject.requested)),
        page.total
    );
    if !page.lines.is_empty() {
        let mut layout = Layout {
            body: out,
            ..Layout::default()
        };
        layout.lines(lines, page, annotations);
        out = String::new();
        for (text, image) in layout.before {
            out.push_str(&text);
            out.push('\n');
            images.push(image);
        }
        out.push_str(&layout.body);
        if !layout.body.is_empty() {
            out.push('\n');
        }
    }
    out.push_str("</");
    out.push_str(tag);
    out.push('>');
    (out, images)
}

/// Escapes a text for use as the value of an XML attribute.
fn attribute(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    out
}

/// The notices on how to read the lines after the page. Empty after the last line.
fn partial(request: &Request, answer: &Answer, page: &Page) -> Vec<String> {
    let Some(last) = page.lines.last() else {
        return Vec::new();
    };
    let total = page.total;
    let shown = notices::ranges(page);
    let limit = match page.limit {
        Some(Limit::Tokens(limit)) => format!(" (limit of {limit} tokens)"),
        Some(Limit::Lines | Limit::Bytes(_)) | None => String::new(),
    };
    if let Some(path) = onward::by_path(request, answer, page) {
        let cut = if last.cut.is_some() {
            "; the last one is cut"
        } else {
            ""
        };
        let path = escape_invisible(&path);
        return vec![format!(
            "[Lines {shown} of {total}{limit}{cut}. Use the path {path} without other arguments to continue.]"
        )];
    }
    let next = format!(
        "[Lines {shown} of {total}{limit}. Use offset={} to read more.]",
        last.number
    );
    if page.limit == Some(Limit::Bytes(limits::PAGE_BYTES)) {
        // The notice of the original tool does not name the offset.
        let original = "[Output truncated at 50KB. Use offset/limit to read more.]";
        return vec![original.to_owned(), next];
    }
    let number = u64::try_from(last.number).unwrap_or(0);
    let more = number < total.count() || page.following.is_some();
    more.then_some(next).into_iter().collect()
}

/// The description of an image or attachment, and the reply block with its data. The block is
/// `None` if the image is only described.
fn media(answer: &Answer, media: &Media) -> Result<(String, Option<Block>), Failure> {
    let path = escape_invisible(&answer.subject.requested);
    let (what, limit, name) = if media.format.image {
        ("image", "Image", describe::LIMIT)
    } else {
        ("PDF", "PDF", notices::ATTACHMENT_LIMIT)
    };
    match &media.payload {
        Ok(payload) => {
            let block = if media.format.image {
                describe::block(payload)
            } else {
                Block::Attachment(describe::payload(payload))
            };
            Ok((format!("Read {what}: {path}"), Some(block)))
        }
        Err(NotShown::Bytes(value)) => Err(Failure::new(
            Reason::limit(name, *value),
            format!("{limit} file exceeds {} limit: {path}", megabytes(*value)),
        )),
        Err(NotShown::Format) => Err(notices::cannot_read_binary(answer, media.format.long_name)),
        Err(
            NotShown::Described | NotShown::Side(_) | NotShown::Undecoded(_) | NotShown::Budget(_),
        ) => {
            let summary = describe::summary(media, answer.size());
            Ok((format!("Image {path}: {summary}"), None))
        }
    }
}

/// A size limit, in whole MB if possible.
fn megabytes(bytes: u64) -> String {
    match bytes.checked_rem(1 << 20) {
        Some(0) => format!("{}MB", bytes >> 20),
        _ => units::bytes(bytes),
    }
}

/// The data of a result of this tool.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    file_path: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<Span>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    media_type: Option<&'static str>,
    size: Option<u64>,
    /// The time of the last change, in milliseconds since 1970.
    modified: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sha256: Option<&'a str>,
}

#[derive(Serialize)]
struct Span {
    start: i64,
    end: i64,
}

impl<'a> Output<'a> {
    fn of(request: &Request, answer: &'a Answer) -> Self {
        let page = answer.page();
        let number = |line: Option<&crate::window::Line>| line.map_or(0, |line| line.number);
        let modified = answer.subject.info.modified;
        Self {
            file_path: &answer.subject.requested,
            lines: page.map(|page| Span {
                start: number(page.lines.first()),
                end: number(page.lines.last()),
            }),
            total: page.map(|page| page.total.count()),
            truncated: page.is_some_and(|page| {
                !partial(request, answer, page).is_empty()
                    || page.lines.iter().any(|line| line.cut.is_some())
            }),
            media_type: match &answer.body {
                Body::Media(media) => Some(media.format.mime),
                _ => None,
            },
            size: answer.size(),
            modified: modified.map(crate::world::Time::millis),
            sha256: answer.sha256(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotes_in_names_are_escaped_in_attributes() {
        assert_eq!(
            attribute("/a \"b\" <c> & d"),
            "/a &quot;b&quot; &lt;c&gt; &amp; d"
        );
    }
}
