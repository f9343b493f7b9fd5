//! The dialect `gemini`: one JSON object with text, or with an inline image.

mod call;

use super::capabilities::{Capability, Sentence};
use super::describe;
use super::extent::Extent;
use super::format::{DialectFormat, Tool};
use super::head;
use super::json::{TEXT, json_around};
use super::layout::{Layout, Lines};
use super::notices;
use super::onward;
use super::repeat::Repeated;
use super::reply::{Block, Rendered, is_exact};
use super::unshown;
use crate::answer::{Annotation, Answer, Body, Database, Listing, Media, NotShown};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Message, Reason};
use crate::limits;
use crate::request::{CallForm, FigurePolicy, ImageLimits, ImageMode, MediaPolicy, Request, Style};
use crate::units;
use crate::window::{Numbering, Page, Total};
use call::Call;
use omniread_options::Options;
use serde::Serialize;

pub struct Gemini;

const FIRST: Sentence = Sentence::Always(
    "Reads a file. `absolute_path` is the absolute path of a file in the project. \
         Text is returned without line numbers. Of a long file, a part is returned, and the first line states which lines it shows and how many there are. \
         Pass `offset` (the first line, counted from 0) and `limit` (how many lines) to read other parts, \
         or `prefer_full_read` to read a small file whole.",
);

const IMAGES: Sentence = Sentence::With(
    Capability::Images,
    "PNG, JPEG, GIF, WebP and BMP images are returned as images.",
);

const PATHS: Sentence = Sentence::Always(
    "`/path/a.rs:sym:f` is a declaration, heading or key. SVG is text, a Jupyter notebook JSON; `/path/a.ipynb:cell:3` is a cell with its outputs. `/path/x.zip:` lists an archive, `/path/x.zip:a.txt` reads a member. `/path/page.html:` is its Markdown.",
);

const DATABASES: Sentence = Sentence::With(
    Capability::Databases,
    "SQLite: `/path/app.db:users` is a table, `/path/app.db?q=…` a query. CSV: `/path/x.csv:`.",
);

const DOCUMENTS: Sentence = Sentence::With(
    Capability::Documents,
    "PDF, office documents and e-books are Markdown, also `a.pdf:page:2`, `mail.eml:`, `book.xlsx:Sales?where=Total>9`.",
);

const IGNORED: Sentence =
    Sentence::Always("Files that match the project's ignore files cannot be read.");

const DESCRIPTION: &[Sentence] = &[FIRST, IMAGES, PATHS, DATABASES, DOCUMENTS, IGNORED];

const SCHEMA: &str = r#"{"type":"object","properties":{"absolute_path":{"type":"string","description":"The absolute path of the file to read, such as /home/user/project/file.txt; relative paths are not supported"},"offset":{"type":"integer","minimum":0,"description":"For text files: the line to start reading from, counted from 0. Requires limit"},"limit":{"type":"integer","minimum":1,"description":"For text files: the maximum number of lines to read. Use it with offset to page through large files"},"prefer_full_read":{"type":"boolean","description":"Read the whole file, not only a part of a large file"}},"required":["absolute_path"],"additionalProperties":false}"#;

/// The first sentences of the description for the arguments of today's tool. The others are the same.
const CURRENT_FIRST: Sentence = Sentence::Always(
    "Reads a file. `file_path` is absolute or relative to the project. \
     Text is returned without line numbers. Of a long file, a part is returned; lines before it state which lines it shows, how many there are, and the `start_line` of the next call. \
     Pass `start_line` and `end_line` (counted from 1, both included) to read other parts.",
);

const CURRENT_DESCRIPTION: &[Sentence] =
    &[CURRENT_FIRST, IMAGES, PATHS, DATABASES, DOCUMENTS, IGNORED];

const CURRENT_SCHEMA: &str = r#"{"type":"object","properties":{"file_path":{"type":"string","description":"The path of the file to read"},"start_line":{"type":"integer","minimum":1,"description":"The first line to read, counted from 1"},"end_line":{"type":"integer","minimum":1,"description":"The last line to read, included"}},"required":["file_path"],"additionalProperties":false}"#;

const CUT: &str = "... [truncated]";

/// The MIME types of images that this agent passes to its model.
const INLINE: &[&str] = &[
    "image/png",
    "image/jpeg",
    "image/gif",
    "image/webp",
    "image/bmp",
];

const LINES: Lines = Lines {
    numbering: Numbering::None,
    gap: Some("…"),
    cut: |_, _, _, out| out.push_str(CUT),
};

impl DialectFormat for Gemini {
    fn tool(&self) -> Tool {
        Tool {
            name: "read_file",
            title: Some("ReadFile"),
            description: DESCRIPTION,
            schema: SCHEMA,
        }
    }

    fn current_tool(&self) -> Tool {
        Tool {
            description: CURRENT_DESCRIPTION,
            schema: CURRENT_SCHEMA,
            ..self.tool()
        }
    }

    fn style(&self, options: &Options) -> Style {
        Style {
            listings: false,
            cut_cost: CUT.len() as u64,
            media: Some(MediaPolicy {
                images: ImageMode::Passthrough {
                    mimes: INLINE,
                    bytes: limits::IMAGE_BYTES,
                    side: u32::MAX,
                    others: ImageLimits::of(options),
                },
                drawings: false,
                attachment_bytes: None,
                inline: false,
                figures: FigurePolicy::None,
            }),
            ..Style::PAGED
        }
    }

    fn ignores(&self, options: &Options) -> Vec<String> {
        options.ignores.clone()
    }

    fn request_for_arguments(
        &self,
        arguments: &str,
        options: &Options,
    ) -> Result<Request, Failure> {
        let request = match Call::parse(arguments)? {
            Call::Offset {
                path,
                first,
                limit,
                whole,
            } => {
                let mut request = self.request_for_path(&path, options);
                if whole {
                    request.remove_page_sizes();
                    request.style.line_chars = None;
                }
                request.page(first, limit);
                request
            }
            Call::Lines { path, first, last } => {
                let mut request = self.request_for_path(&path, options);
                request.form = CallForm::Current;
                match (first, last) {
                    (Some(first), last) => request.lines("start_line", first, last),
                    (None, Some(last)) => request.lines("end_line", 1, Some(last)),
                    (None, None) => {}
                }
                request
            }
        };
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
        let (content, display) = match &answer.body {
            Body::Text(text) if text.window.selector.raw => {
                let path = escape_invisible(&answer.subject.shown());
                let display = format!("Read {} of {path}, exactly", lines(&text.page));
                (Content::Text(text.page.text.clone()), display)
            }
            Body::Text(text) => text_parts(request, answer, &text.page, &text.annotations, notes),
            Body::Media(media) => image(answer, media)?,
            Body::Binary(binary) => {
                return Err(notices::cannot_read_binary(answer, &binary.format));
            }
            Body::Archive(inside) => return Err(notices::archive(answer, inside)),
            Body::Database(Database { page, .. }) | Body::Listing(Listing { page, .. }) => {
                text_parts(request, answer, page, &[], notes)
            }
        };
        let mut summary: Vec<String> = answer.size().map(units::bytes).into_iter().collect();
        if let Body::Media(media) = &answer.body {
            summary.push(media.format.long_name.to_owned());
            summary.extend(describe::reencoding(media));
        }
        summary.extend(notes.iter().map(ToString::to_string));
        let summary = summary.join(", ");
        let summary = Some(summary.as_str()).filter(|summary| !summary.is_empty());
        let rendered = render(&content, &display, summary);
        let mut blocks = vec![Block::Text(rendered.content)];
        blocks.extend(exact_rest(request, answer).map(Block::Notice));
        Ok(Rendered {
            content: blocks,
            structured: rendered.structured,
            display: None,
        })
    }

    fn repeated(&self, repeated: &Repeated<'_>) -> Rendered<Vec<Block>> {
        let text = format!("[{}]", repeated.unchanged);
        let rendered = render(&Content::Text(text), &repeated.unchanged, None);
        Rendered {
            content: vec![Block::Text(rendered.content)],
            structured: rendered.structured,
            display: None,
        }
    }

    fn failure(&self, failure: &Failure, path: &str) -> Rendered<String> {
        let message: Message = match &failure.reason {
            Reason::NotFound(_) => format!("File does not exist: {path}").into(),
            Reason::OutsideRoots(_) | Reason::LinkOutsideRoots { .. } => {
                format!("Path is outside the project root directory: {path}").into()
            }
            Reason::Ignored { file, .. } => format!("File is ignored by {file}: {path}").into(),
            Reason::Denied(_) | Reason::Permission(_) => {
                format!("No read permission: {path}").into()
            }
            Reason::Directory(_) => format!("Path is a directory, not a file: {path}").into(),
            _ => failure.message.clone(),
        };
        let text = match &failure.hint {
            Some(hint) => format!("{message}\nhint: {hint}"),
            None => message.to_string(),
        };
        render(&Content::Text(text), &message, None)
    }
}

/// Renders the reply as one JSON object. The data of the reply is this object without the content
/// for the model.
fn render(content: &Content, display: &str, summary: Option<&str>) -> Rendered<String> {
    let output = |llm_content| Output {
        llm_content,
        return_display: display,
        summary,
    };
    let json = match content {
        Content::Text(text) => json_around(&output(Some(Place::Text(TEXT))), text),
        Content::Image { mime_type, data } => {
            let inline_data = InlineData {
                mime_type,
                data: TEXT,
            };
            json_around(&output(Some(Place::Image { inline_data })), data)
        }
    };
    Rendered::new(json, &output(None))
}

/// The content for the model.
enum Content {
    Text(String),
    Image {
        mime_type: &'static str,
        data: String,
    },
}

fn text_parts(
    request: &Request,
    answer: &Answer,
    page: &Page,
    annotations: &[Annotation],
    notes: &[Message],
) -> (Content, String) {
    let path = escape_invisible(&answer.subject.shown());
    let total = page.total.count();
    let (extent, made) = match &answer.body {
        Body::Text(text) => (Extent::of(&text.window.selector.part), text.made),
        _ => (Extent::File, None),
    };
    let mut head = Vec::new();
    let whole = page.limit.is_none() && page.total == Total::Exact(page.lines.len() as u64);
    if let Some(past) = notices::offset_past_end(request, page, &extent) {
        head.push(past);
    } else if !whole {
        let shown = if page.lines.is_empty() {
            "0-0".to_owned()
        } else {
            notices::ranges(page)
        };
        match request.form {
            CallForm::Specified => head.push(format!(
                "[File content truncated: showing lines {shown} of {} total lines. Use offset/limit parameters to view more.]",
                page.total
            )),
            CallForm::Current => {
                head.extend(current_frame(&shown, page));
                // The line of the path that continues is below.
                let by_path = onward::selects_lines(request, answer);
                if !by_path && onward::by_path(request, answer, page).is_none() {
                    head.push(next_call(page));
                }
            }
        }
    }
    head.extend(notices::cuts(answer, page));
    head.extend(onward::by_path(request, answer, page).map(|path| {
        format!("[there is more; continue with the path {path} and no other arguments]")
    }));
    head.extend(notices::skipped(page, &extent));
    head.extend(unshown::lines(answer));
    head.extend(notices::bracketed(notes));
    if let Body::Text(text) = &answer.body {
        head.extend(notices::list(text));
        let facts = head::of(answer, text);
        if !facts.is_empty() {
            head.extend(facts);
            head.push("---".to_owned());
        }
    }
    let mut content = head.join("\n");
    if !page.lines.is_empty() {
        if !content.is_empty() {
            content.push('\n');
        }
        let mut layout = Layout {
            body: content,
            ..Layout::default()
        };
        layout.lines(LINES, page, annotations);
        content = layout.body;
        // The final newline is a part of the text.
        let shows_end = page.lines.last().is_some_and(|line| {
            line.cut.is_none() && u64::try_from(line.number).is_ok_and(|last| last == total)
        });
        if shows_end && page.final_newline == Some(true) {
            content.push('\n');
        }
    }
    let display = if whole {
        let lines = if total == 1 { "line" } else { "lines" };
        let cut = match page.lines.iter().filter(|line| line.cut.is_some()).count() {
            0 => String::new(),
            cut => format!(", {cut} of them cut"),
        };
        let of = made.map_or_else(String::new, |made| format!("{} in ", made.name()));
        format!("Read {of}{path} ({total} {lines}{cut})")
    } else {
        format!("Read {} of {} from {path}", lines(page), page.total)
    };
    (Content::Text(content), display)
}

/// The lines before a part of a file, as the tool of today has them: that it is a part, and which lines it shows.
fn current_frame(shown: &str, page: &Page) -> [String; 2] {
    [
        "PART OF THE FILE: the content is cut.".to_owned(),
        format!("Lines: {shown} of {}", page.total),
    ]
}

/// The line of the frame on how to go on.
fn next_call(page: &Page) -> String {
    match page.lines.last().map(|line| line.number) {
        Some(last)
            if page.following.is_some() || page.total != Total::Exact(last.unsigned_abs()) =>
        {
            format!("Next: call with start_line: {}", last.saturating_add(1))
        }
        _ => "Next: these lines reach the end of the file.".to_owned(),
    }
}

/// The notice on how to continue exact text. It is separate, because exact text contains no
/// notices.
fn exact_rest(request: &Request, answer: &Answer) -> Option<String> {
    let page = answer.page().filter(|_| is_exact(&answer.body))?;
    let path = onward::by_path(request, answer, page)?;
    Some(format!(
        "[Showing {} of {} total lines. Use the path {path} without other arguments to continue.]",
        lines(page),
        page.total
    ))
}

fn lines(page: &Page) -> String {
    match page.lines.len() {
        0 => "no lines".to_owned(),
        1 => format!("line {}", notices::spans(page)),
        _ => format!("lines {}", notices::spans(page)),
    }
}

fn image(answer: &Answer, media: &Media) -> Result<(Content, String), Failure> {
    let path = escape_invisible(&answer.subject.requested);
    let shown = escape_invisible(&answer.subject.shown());
    match &media.payload {
        Ok(payload) => Ok((
            Content::Image {
                mime_type: payload.mime,
                data: payload.data.clone(),
            },
            format!("Read image file: {shown}"),
        )),
        Err(NotShown::Bytes(limit)) => Err(Failure::new(
            Reason::limit(describe::LIMIT, *limit),
            format!("Image is larger than {}: {path}", units::bytes(*limit)),
        )),
        Err(NotShown::Format) => Err(notices::cannot_read_binary(answer, media.format.long_name)),
        Err(
            NotShown::Described | NotShown::Side(_) | NotShown::Undecoded(_) | NotShown::Budget(_),
        ) => {
            let summary = describe::summary(media, answer.size());
            let text = format!("[Image {path}: {summary}]");
            Ok((
                Content::Text(text),
                format!("Described image file: {shown}"),
            ))
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Output<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    llm_content: Option<Place>,
    return_display: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<&'a str>,
}

/// The content for the model as a JSON value: a string, or an object with inline data.
#[derive(Serialize)]
#[serde(untagged)]
enum Place {
    Text(&'static str),
    #[serde(rename_all = "camelCase")]
    Image {
        inline_data: InlineData,
    },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InlineData {
    mime_type: &'static str,
    data: &'static str,
}
