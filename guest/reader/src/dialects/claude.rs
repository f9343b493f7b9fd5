//! The dialect `claude`: text as `cat -n` writes it, in pages of 2000 lines.

use super::arguments::{self, Count, PathString, argument_failure};
use super::capabilities::{Capability, Sentence};
use super::describe;
use super::extent::Extent;
use super::format::{DialectFormat, Tool};
use super::head;
use super::layout::{Layout, Lines};
use super::notices;
use super::onward;
use super::pages;
use super::reply::{Block, Rendered};
use super::unshown;
use crate::answer::{Answer, Body, Database, Listing, Media, Text};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Message, Reason};
use crate::limits;
use crate::path::Lines as Wanted;
use crate::request::{
    FigurePolicy, ImageLimits, ImageMode, MediaPolicy, Notebooks, Request, Style,
};
use crate::subject::Step;
use crate::units::{self, thousands};
use crate::window::{Numbering, Page, Total};
use omniread_options::Options;
use serde::{Deserialize, Serialize};

pub struct Claude;

const DESCRIPTION: &[Sentence] = &[
    Sentence::Always(
        "Reads a file, or lists a directory. `file_path` is absolute or relative to the workspace.\n\
         By default it returns up to 2000 lines from the beginning, numbered from 1 as by cat -n. \
         Pass `offset` (the first line, counted from 1) and `limit` (how many lines) to read a part. \
         Lines longer than 2000 characters are truncated. A partial result ends with the total number of lines and the offset to continue with.\n\
         `a.rs:sym:f` is a declaration, heading or key. Archives are listed; `x.zip:a.txt` reads a member.",
    ),
    Sentence::With(
        Capability::Images,
        "Images, also SVG, are returned as images.",
    ),
    Sentence::Always(
        "Notebooks are returned as cells with outputs; `a.ipynb:cell:3` is one cell, counted from 0. `page.html:` is Markdown.",
    ),
    Sentence::With(
        Capability::Databases,
        "SQLite: `app.db` lists tables, `app.db:users` describes a table, `app.db:users?where=age>30` selects rows, `app.db?q=SELECT …`. CSV rows: `x.csv:`.",
    ),
    Sentence::With(
        Capability::Documents,
        "PDF, office documents and e-books are Markdown, also `a.pdf:page:2`, `mail.eml:`, `book.xlsx:Sales?where=Total>9`.",
    ),
    Sentence::With(Capability::Web, "`https://…` is read as text."),
];

const SCHEMA: &str = r#"{"type":"object","properties":{"file_path":{"type":"string","description":"The path of the file to read"},"offset":{"type":"integer","minimum":1,"description":"The line to start reading from, counted from 1"},"limit":{"type":"integer","minimum":1,"description":"The number of lines to read (default 2000)"}},"required":["file_path"],"additionalProperties":false}"#;

const CURRENT_SCHEMA: &str = r#"{"type":"object","properties":{"file_path":{"type":"string","description":"The path of the file to read"},"offset":{"type":"integer","minimum":1,"description":"The line to start reading from, counted from 1"},"limit":{"type":"integer","minimum":1,"description":"The number of lines to read (default 2000)"},"pages":{"type":"string","description":"For PDF files: the pages to read, such as 3 or 1-5; at most 20 a call"},"allow_large":{"type":"boolean","description":"Read a large file whole, and not only its first page"}},"required":["file_path"],"additionalProperties":false}"#;

const CUT: &str = "... (truncated)";

const LINES: Lines = Lines {
    numbering: Numbering::Tab,
    gap: None,
    cut: |_, _, _, out| out.push_str(CUT),
};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    file_path: PathString,
    offset: Option<Count<1>>,
    limit: Option<Count<1>>,
    pages: Option<String>,
    allow_large: Option<bool>,
}

impl DialectFormat for Claude {
    fn tool(&self) -> Tool {
        Tool {
            name: "Read",
            title: None,
            description: DESCRIPTION,
            schema: SCHEMA,
        }
    }

    fn current_tool(&self) -> Tool {
        Tool {
            schema: CURRENT_SCHEMA,
            ..self.tool()
        }
    }

    fn style(&self, options: &Options) -> Style {
        Style {
            numbering_editable: Numbering::Tab,
            numbering_plain: Numbering::Tab,
            cut_cost: CUT.len() as u64,
            media: Some(MediaPolicy {
                images: ImageMode::Resize(ImageLimits::of(options)),
                drawings: true,
                attachment_bytes: None,
                inline: true,
                figures: FigurePolicy::Pages,
            }),
            notebooks: Notebooks::Outputs,
            ..Style::PAGED
        }
    }

    fn request_for_arguments(
        &self,
        arguments: &str,
        options: &Options,
    ) -> Result<Request, Failure> {
        let call: Call = arguments::parse(arguments)?;
        let mut path = call.file_path.0;
        if let Some(text) = &call.pages {
            if path.contains('?') {
                let is = "cannot be used with a path that has a query";
                return Err(argument_failure("pages", is).hint("leave `pages` out"));
            }
            path.push_str(&pages::selector(text)?);
        }
        let mut request = self.request_for_path(&path, options);
        if call.allow_large == Some(true) {
            request.remove_page_sizes();
        }
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
        let mut image = None;
        match &answer.body {
            Body::Text(text) => text_parts(request, answer, text, &mut layout),
            Body::Listing(Listing { page, .. }) | Body::Database(Database { page, .. }) => {
                if page.lines.is_empty() {
                    layout.body = nothing_shown(page, &Extent::Listing);
                } else {
                    let numbering = Numbering::None;
                    Lines { numbering, ..LINES }.write(page, &mut layout.body);
                }
                layout.notices.extend(notices::cuts(answer, page));
                layout
                    .notices
                    .extend(notices::skipped(page, &Extent::Listing));
                layout.notices.extend(partial(request, answer, page));
            }
            Body::Media(media) => {
                if answer
                    .size()
                    .is_some_and(|size| size > limits::REFUSED_BYTES)
                {
                    return Err(too_large(answer));
                }
                layout.body = described(answer, media);
                image = media.payload.as_ref().ok().map(describe::block);
            }
            Body::Archive(inside) => return Err(notices::archive(answer, inside)),
            Body::Binary(binary) => {
                let message = "Binary files cannot be read as text";
                return Err(notices::not_text(answer, &binary.format, message));
            }
        }
        let mut blocks: Vec<Block> = image.into_iter().collect();
        blocks.extend(layout.blocks("\n\n", "\n\n"));
        Ok(Rendered::new(blocks, &Output::of(request, answer)))
    }

    fn failure(&self, failure: &Failure, _: &str) -> Rendered<String> {
        let rendered = match &failure.reason {
            // The message of the original tool. The call contains the path.
            Reason::NotFound(_) => Failure {
                message: "File does not exist".into(),
                ..failure.clone()
            },
            _ => failure.clone(),
        };
        let output = Output {
            success: false,
            content_type: match &failure.reason {
                Reason::Binary(_) => "binary",
                Reason::Limit { name, .. } if name == describe::LIMIT => "image",
                _ => "text",
            },
            line_count: 0,
            truncated: false,
            metadata: None,
            error: Some(&rendered.message),
        };
        Rendered::new(rendered.to_string(), &output)
    }
}

fn text_parts(request: &Request, answer: &Answer, text: &Text, layout: &mut Layout) {
    let page = &text.page;
    let extent = Extent::of(&text.window.selector.part);
    layout.exact = text.window.selector.raw;
    if layout.exact {
        layout.body.clone_from(&page.text);
        if page.lines.is_empty() {
            layout.notices.push(nothing_shown(page, &extent));
        }
    } else if page.lines.is_empty() {
        layout.body = nothing_shown(page, &extent);
    } else {
        if text.window.selector.lines != Wanted::All {
            let name = base_name(answer);
            let lines = notices::ranges(page);
            layout
                .head
                .push(format!("Reading lines {lines} of {name}:"));
        }
        let numbering = text.window.numbering;
        layout.lines(Lines { numbering, ..LINES }, page, &text.annotations);
        unshown::append(answer, &mut layout.body);
        layout.notices.extend(notices::cuts(answer, page));
        layout.notices.extend(notices::skipped(page, &extent));
    }
    layout.head.extend(head::of(answer, text));
    layout.notices.extend(notices::list(text));
    layout.notices.extend(partial(request, answer, page));
}

/// The notice for a page that shows no lines: the file is empty, or the request starts after its
/// end.
fn nothing_shown(page: &Page, extent: &Extent) -> String {
    let total = page.total.count();
    match page.skipped.first() {
        // An `offset` would be relative to the whole document.
        Some(_) if total > 0 && matches!(extent, Extent::Units(_)) => {
            notices::past_end(page, extent).unwrap_or_default()
        }
        Some(range) if total > 0 => format!(
            "[Line {} is beyond {}. Use offset=1 to read from the start, or offset={total} to read the last line.]",
            range.start.line,
            notices::end(page, extent)
        ),
        _ => notices::empty(extent).to_owned(),
    }
}

/// The notice that only a part of the file is shown: the number of shown lines, and how to
/// continue. `None` if the page shows the whole file.
fn partial(request: &Request, answer: &Answer, page: &Page) -> Option<String> {
    let total = page.total.count();
    let shown = page.lines.len() as u64;
    let last = page.lines.last()?;
    let by_path = onward::by_path(request, answer, page);
    if page.total == Total::Exact(shown) && page.limit.is_none() && by_path.is_none() {
        return None;
    }
    let mut notice = format!(
        "(Showing {} of {} total lines)",
        thousands(shown),
        match page.total {
            Total::Exact(total) => thousands(total),
            Total::AtLeast(total) => format!("at least {}", thousands(total)),
        }
    );
    if let Some(path) = by_path {
        let path = escape_invisible(&path);
        notice.push_str(&format!(
            " Use the path {path} without other arguments to continue."
        ));
        return Some(notice);
    }
    let next = last.number.saturating_add(1);
    let more = page.following.is_some() && next > 1;
    if more || u64::try_from(next).is_ok_and(|next| next <= total) {
        notice.push_str(&format!(" Use offset={next} to continue."));
    } else if notices::shows_end(page) {
        let word = match &answer.body {
            Body::Text(text) => text.word(),
            _ => "file",
        };
        notice.push_str(&format!(" The {word} ends here."));
    }
    Some(notice)
}

fn too_large(answer: &Answer) -> Failure {
    let limit = limits::REFUSED_BYTES;
    Failure::new(
        Reason::limit(describe::LIMIT, limit),
        format!(
            "`{}` is larger than {}, the limit for images",
            answer.subject.requested,
            units::bytes(limit)
        ),
    )
}

/// The last component of the path, after a slash or colon, with hidden characters escaped. An image of
/// a document follows the name of the document: `report.pdf:page:1:img`.
fn base_name(answer: &Answer) -> String {
    let path = answer.subject.shown();
    let (path, figure) = match answer.subject.inner_path.last() {
        Some(Step::Figure(name)) => {
            let figure = format!(":{name}");
            (path.strip_suffix(&figure).unwrap_or(&path), figure)
        }
        _ => (path.as_str(), String::new()),
    };
    let name = path.rsplit(['/', ':']).next().unwrap_or(path);
    escape_invisible(&format!("{name}{figure}"))
}

/// Describes an image, one fact per line. If the image is not shown, the last line states why.
fn described(answer: &Answer, media: &Media) -> String {
    let mut lines = vec![
        format!("Image: {}", base_name(answer)),
        format!(
            "Size: {}",
            units::rounded(media.bytes.or(answer.size()).unwrap_or(0))
        ),
    ];
    if let Some(size) = media.size() {
        lines.push(format!("Dimensions: {} x {}", size.width, size.height));
    }
    lines.push(format!("Type: {}", media.format.name));
    lines.extend(describe::frames(media).map(|frames| format!("Shown: {frames}")));
    let why = media
        .payload
        .as_ref()
        .err()
        .and_then(describe::not_shown_reason);
    let note = why.or_else(|| describe::reencoding_with_tokens(media));
    lines.extend(note.map(|note| format!("[{note}]")));
    lines.join("\n")
}

/// The data of a result of this tool: all fields except the content of the file.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    success: bool,
    content_type: &'static str,
    line_count: usize,
    truncated: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<Metadata>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Metadata {
    size: Option<u64>,
    /// The date of the last change, in the format of JavaScript's `toJSON`.
    modified: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    encoding: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    dimensions: Option<Pixels>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cell_count: Option<u64>,
}

#[derive(Serialize)]
struct Pixels {
    width: u32,
    height: u32,
}

impl Output<'_> {
    fn of(request: &Request, answer: &Answer) -> Self {
        let page = answer.page();
        let text = match &answer.body {
            Body::Text(text) => Some(text),
            _ => None,
        };
        let media = match &answer.body {
            Body::Media(media) => Some(media),
            _ => None,
        };
        let cut = |page: &Page| page.lines.iter().any(|line| line.cut.is_some());
        Self {
            success: true,
            content_type: match (media, text.and_then(Text::cells)) {
                (Some(_), _) => "image",
                (None, Some(_)) => "notebook",
                (None, None) => "text",
            },
            line_count: page.map_or(0, |page| page.lines.len()),
            truncated: page
                .is_some_and(|page| partial(request, answer, page).is_some() || cut(page)),
            metadata: Some(Metadata {
                size: answer.size(),
                modified: answer.subject.info.modified.map(units::date),
                encoding: text.map(|text| text.encoding.charset.name()),
                mime_type: media.map(|media| media.format.mime),
                dimensions: media.and_then(Media::size).map(|size| Pixels {
                    width: size.width,
                    height: size.height,
                }),
                cell_count: text.and_then(Text::cells),
            }),
            error: None,
        }
    }
}
