//! The dialect `gateway`: numbered text in a `<file>` frame, images and
//! documents as they are.

use super::arguments::{self, Count, PathString, wrong};
use super::capabilities::{Capability, Sentence};
use super::describe;
use super::layout::{Layout, Lines};
use super::notices::{self, Extent};
use super::{Block, Failed, Form, Said, Tool};
use crate::answer::{Answer, Aside, Body, Database, Listing, Media, Withheld};
use crate::failure::{Failure, Message, Reason};
use crate::limits;
use crate::path::is_relative;
use crate::request::{Fit, Hashed, Images, Passing, Request, Style};
use crate::visible::visible;
use crate::window::{Capacity, Limit, Numbering, Page};
use omniread_options::Options;
use serde::{Deserialize, Serialize};

pub struct Gateway;

const DESCRIPTION: &[Sentence] = &[
    Sentence::Always(
        "Reads a file, or lists a directory. `filePath` is an absolute path; relative paths are not supported. \
         Text comes in a <file> frame that tells which lines it holds and how many there are, each line with its number, counted from 1. \
         At most 2000 lines and 50KB come at once: give `offset` (the line to start from, counted from 0) and `limit` to read more. \
         Lines longer than 2000 characters are truncated.",
    ),
    Sentence::With(
        Capability::Images,
        "PNG, JPEG, GIF and WebP images of up to 5MB come as they are.",
    ),
    Sentence::Always(
        "PDF documents of up to 5MB come as they are; other binary files are refused, but members of archives can be read: `/path/x.zip:` lists one, `/path/x.zip:a.txt` reads a member. \
         Notebooks are JSON; `/path/a.ipynb:cell:3` shows a cell with its outputs.",
    ),
    Sentence::With(
        Capability::Databases,
        "SQLite: `/path/app.db:` lists tables, `/path/app.db:users` describes one, `/path/app.db?q=SELECT …`.",
    ),
    Sentence::With(
        Capability::Documents,
        "`/path/report.docx:` is the text of a document.",
    ),
];

const SCHEMA: &str = r#"{"type":"object","properties":{"filePath":{"type":"string","description":"The absolute path of the file to read"},"offset":{"type":"integer","minimum":0,"description":"The line to start reading from, counted from 0; for text files"},"limit":{"type":"integer","minimum":1,"description":"The number of lines to read (default 2000); for text files"}},"required":["filePath"],"additionalProperties":false}"#;

/// The images that this agent hands to its model.
const TAKEN: &[&str] = &["image/png", "image/jpeg", "image/gif", "image/webp"];

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

impl Form for Gateway {
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
            editable: Numbering::Column,
            plain: Numbering::Column,
            cut_cost: CUT.len() as u64,
            capacity: Capacity::Lines(limits::PAGE_BYTES),
            hashed: Hashed::Shown(limits::HASHED_BYTES),
            nul_is_binary: true,
            passing: Some(Passing {
                images: Images::Untouched {
                    mimes: TAKEN,
                    bytes: limits::SENT_BYTES,
                    side: limits::IMAGE_SIDE,
                    others: Fit::of(options),
                },
                drawings: false,
                attachment_bytes: Some(limits::SENT_BYTES),
                inline: true,
            }),
            ..Style::PAGED
        }
    }

    fn by_arguments(&self, arguments: &str, options: &Options) -> Result<Request, Failure> {
        let call: Call = arguments::parse(arguments)?;
        let path = call.file_path.0;
        if is_relative(&path) {
            let is = format!("is `{path}`, which is not absolute");
            return Err(wrong("filePath", &is).hint("relative paths are not supported"));
        }
        let mut request = self.by_path(&path, options);
        request.page(
            call.offset.map(|Count(offset)| offset.saturating_add(1)),
            call.limit.map(|Count(limit)| limit),
        );
        Ok(request)
    }

    fn reply(
        &self,
        _: &Request,
        answer: &Answer,
        notes: &[Message],
        _: &Options,
    ) -> Result<Said<Vec<Block>>, Failure> {
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
                    (layout.body, images) = frame("file", answer, &text.page, &text.asides, LINES);
                    layout.notices.extend(notices::cuts(answer, &text.page));
                }
                let extent = Extent::of(text.window.selector.part);
                layout.notices.extend(notices::skipped(&text.page, extent));
                layout.notices.extend(partial(answer, &text.page));
                let mut blocks = layout.blocks("\n", "\n");
                blocks.append(&mut images);
                blocks
            }
            Body::Listing(Listing { page, .. }) | Body::Database(Database { page, .. }) => {
                let name = match &answer.body {
                    Body::Database(_) => "database",
                    _ => "directory",
                };
                let numbering = Numbering::None;
                let lines = Lines { numbering, ..LINES };
                (layout.body, _) = frame(name, answer, page, &[], lines);
                layout.notices.extend(notices::cuts(answer, page));
                layout
                    .notices
                    .extend(notices::skipped(page, Extent::Listing));
                layout.notices.extend(partial(answer, page));
                layout.blocks("\n", "\n")
            }
            Body::Media(media) => {
                let (words, block) = self::media(answer, media)?;
                layout.body = words;
                let made = describe::made(media).map(|made| format!("[{made}]"));
                layout.notices.extend(made);
                let mut blocks = layout.blocks("\n", "\n");
                blocks.extend(block);
                blocks
            }
            Body::Archive(inside) => return Err(notices::archive(answer, inside)),
            Body::Binary(binary) => return Err(not_text(answer, &binary.format)),
        };
        Ok(Said::new(blocks, &Output::of(answer)))
    }

    fn failure(&self, failure: &Failure, path: &str) -> Said<String> {
        let words = match &failure.reason {
            // The tool's own words.
            Reason::NotFound(_) => Failure {
                message: format!("File not found: {path}").into(),
                ..failure.clone()
            },
            _ => failure.clone(),
        };
        let error = &words.message;
        Said::new(words.to_string(), &Failed { error })
    }
}

/// The lines between tags that tell which they are and how many there are, and
/// the images among them, which follow: the frame is one text.
fn frame(
    tag: &str,
    answer: &Answer,
    page: &Page,
    asides: &[Aside],
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
        attribute(&visible(&answer.subject.typed)),
        page.total.count()
    );
    if !page.lines.is_empty() {
        let mut layout = Layout {
            body: out,
            ..Layout::default()
        };
        layout.lines(lines, page, asides);
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

/// A text as the value of an attribute.
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

/// How to go on, if there is more.
fn partial(answer: &Answer, page: &Page) -> Option<String> {
    let last = page.lines.last()?;
    let total = page.total.count();
    if let Some(path) = notices::continuation(answer, page) {
        let shown = notices::ranges(page);
        return Some(format!(
            "[Lines {shown} of {total}. Read on with the path {path} alone.]"
        ));
    }
    if page.limit == Some(Limit::Bytes(limits::PAGE_BYTES)) {
        return Some("[Output truncated at 50KB. Use offset/limit to read more.]".to_owned());
    }
    let last = u64::try_from(last.number).unwrap_or(0);
    let shown = notices::ranges(page);
    (last < total).then(|| format!("[Lines {shown} of {total}. Use offset={last} to read more.]"))
}

/// What is said of an image or attachment, and what a model gets.
fn media(answer: &Answer, media: &Media) -> Result<(String, Option<Block>), Failure> {
    let path = visible(&answer.subject.typed);
    let (what, limit, name) = if media.format.image {
        ("image", "Image", describe::LIMIT)
    } else {
        ("PDF", "PDF", notices::ATTACHMENT_LIMIT)
    };
    match &media.given {
        Ok(given) => {
            let block = if media.format.image {
                describe::block(given)
            } else {
                Block::Attachment(describe::payload(given))
            };
            Ok((format!("Read {what}: {path}"), Some(block)))
        }
        Err(Withheld::Bytes(value)) => Err(Failure::new(
            Reason::limit(name, *value),
            format!("{limit} file exceeds 5MB limit: {path}"),
        )),
        Err(Withheld::Format) => Err(not_text(answer, media.format.long_name)),
        Err(Withheld::Described | Withheld::Side(_) | Withheld::Undecoded(_)) => {
            let summary = describe::summary(media, answer.size());
            Ok((format!("Image {path}: {summary}"), None))
        }
    }
}

fn not_text(answer: &Answer, format: &str) -> Failure {
    let path = &answer.subject.typed;
    notices::not_text(answer, format, format!("Cannot read binary file: {path}"))
}

/// What the frame and the blocks tell.
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
    /// Milliseconds since 1970.
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
    fn of(answer: &'a Answer) -> Self {
        let page = answer.page();
        let number = |line: Option<&crate::window::Line>| line.map_or(0, |line| line.number);
        let modified = answer.subject.info.modified;
        Self {
            file_path: &answer.subject.typed,
            lines: page.map(|page| Span {
                start: number(page.lines.first()),
                end: number(page.lines.last()),
            }),
            total: page.map(|page| page.total.count()),
            truncated: page.is_some_and(|page| {
                partial(answer, page).is_some() || page.lines.iter().any(|line| line.cut.is_some())
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
    fn names_do_not_end_their_attribute() {
        assert_eq!(
            attribute("/a \"b\" <c> & d"),
            "/a &quot;b&quot; &lt;c&gt; &amp; d"
        );
    }
}
