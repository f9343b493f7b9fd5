//! The dialect `codex`: numbered lines of text, in pages or as a block by its indentation.

use super::arguments::{self, Count, PathString, argument_failure};
use super::capabilities::{Capability, Sentence};
use super::extent::Extent;
use super::format::{DialectFormat, Tool};
use super::head;
use super::layout::{Layout, Lines};
use super::notices;
use super::onward;
use super::reply::{Block, Failed, Rendered};
use super::unshown;
use crate::answer::{Answer, Body, Database, Listing, Text};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Message, Reason};
use crate::limits;
use crate::path::{Indentation, Part, Symbol, is_relative};
use crate::request::{Request, Style};
use crate::window::{Numbering, Page, Total};
use omniread_options::Options;
use serde::{Deserialize, Serialize};

pub struct Codex;

const DESCRIPTION: &[Sentence] = &[
    Sentence::Always(
        "Reads a text file. `file_path` is absolute. Each line has its number, as in `L12: text`, counted from 1. \
         `offset` and `limit` select lines. With `mode` = `indentation`, the block around `indentation.anchor_line` is returned, which ends at lines that are indented less. \
         A reply that leaves lines out ends with how to continue. Lines longer than 500 characters are cut.\n\
         `/path/a.rs:sym:f` is a declaration, heading or key. `/path/x.zip:` lists an archive, `/path/x.zip:a.txt` reads a member. Notebooks are JSON; `/path/a.ipynb:cell:3` is a cell. `/path/page.html:` is its Markdown. CSV rows: `/path/x.csv:`.",
    ),
    Sentence::With(
        Capability::Databases,
        "SQLite: `/path/app.db:users` is a table, `/path/app.db?q=SELECT …` a query.",
    ),
    Sentence::With(
        Capability::Documents,
        "PDF, office documents, e-books and mails are Markdown, also `/path/a.pdf:page:2`, `/path/mail.eml:`.",
    ),
];

const SCHEMA: &str = r#"{"type":"object","properties":{"file_path":{"type":"string","description":"The absolute path of the file"},"offset":{"type":"integer","minimum":1,"description":"The first line, counted from 1 (default 1)"},"limit":{"type":"integer","minimum":1,"description":"The maximum number of lines (default 2000)"},"mode":{"type":"string","enum":["slice","indentation"],"description":"slice (default) for lines from offset on, indentation for the block around a line"},"indentation":{"type":"object","description":"For the mode indentation","properties":{"anchor_line":{"type":"integer","minimum":1,"description":"The line in the block (default offset)"},"max_levels":{"type":"integer","minimum":0,"description":"The number of levels around the line; 0 (default) for all"},"include_siblings":{"type":"boolean","description":"Include blocks of the outermost level beside that of the line"},"include_header":{"type":"boolean","description":"Include comments before the block (default true)"},"max_lines":{"type":"integer","minimum":1,"description":"The maximum number of lines (default limit)"}},"additionalProperties":false}},"required":["file_path"],"additionalProperties":false}"#;

/// The maximum number of characters of a line that this tool shows.
const LINE_CHARS: u64 = 500;

const LINES: Lines = Lines {
    numbering: Numbering::Letter,
    gap: Some("…"),
    // The original tool has no mark. A notice names the line.
    cut: |_, _, _, _| {},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Mode {
    Slice,
    Indentation,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    file_path: PathString,
    offset: Option<Count<1>>,
    limit: Option<Count<1>>,
    mode: Option<String>,
    indentation: Option<BlockArguments>,
}

/// The arguments of the mode `indentation`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an object")]
struct BlockArguments {
    anchor_line: Option<Count<1>>,
    max_levels: Option<Count<0>>,
    include_siblings: Option<bool>,
    include_header: Option<bool>,
    max_lines: Option<Count<1>>,
}

impl DialectFormat for Codex {
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
            line_chars: Some(LINE_CHARS),
            numbering_editable: Numbering::Letter,
            numbering_plain: Numbering::Letter,
            ..Style::PAGED
        }
    }

    fn request_for_arguments(
        &self,
        arguments: &str,
        options: &Options,
    ) -> Result<Request, Failure> {
        let call: Call = arguments::parse(arguments)?;
        let path = &call.file_path.0;
        if is_relative(path) {
            let is = format!("must be an absolute path, not `{path}`");
            return Err(argument_failure("file_path", &is));
        }
        let mut request = self.request_for_path(path, options);
        let offset = call.offset.map(|Count(offset)| offset);
        let limit = call.limit.map(|Count(limit)| limit);
        match call.mode()? {
            Mode::Slice => request.page(offset, limit),
            Mode::Indentation => {
                let block = call.indentation.unwrap_or_default();
                let limit = limit.unwrap_or(limits::LONG_PAGE_LINES);
                let most = block.max_lines.map_or(limit, |Count(most)| most);
                let line = block.anchor_line.map(|Count(line)| line).or(offset);
                let indentation = Indentation {
                    line: line.unwrap_or(1),
                    levels: block.max_levels.map_or(0, |Count(levels)| levels),
                    siblings: block.include_siblings.unwrap_or(false),
                    header: block.include_header.unwrap_or(true),
                    limit: limit.min(most),
                };
                request.block("mode", indentation);
            }
        }
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
        match &answer.body {
            Body::Text(text) => {
                refuse_past_end(request, &text.page)?;
                text_parts(request, answer, text, &mut layout);
            }
            Body::Listing(Listing { page, .. }) | Body::Database(Database { page, .. }) => {
                let lines = Lines {
                    numbering: Numbering::None,
                    ..LINES
                };
                lines.write(page, &mut layout.body);
                layout.notices.extend(notices::cuts(answer, page));
                layout
                    .notices
                    .extend(notices::skipped(page, &Extent::Listing));
                layout.notices.extend(partial(request, answer, page));
            }
            Body::Archive(inside) => return Err(notices::archive(answer, inside)),
            Body::Media(media) => return Err(not_text(answer, media.format.long_name)),
            Body::Binary(binary) => return Err(not_text(answer, &binary.format)),
        }
        let blocks = layout.blocks("\n", "\n\n");
        Ok(Rendered::new(blocks, &Output::of(answer)))
    }

    fn failure(&self, failure: &Failure, _: &str) -> Rendered<String> {
        // The messages of the original tool, in which the operating system gives the reason.
        let reason = match &failure.reason {
            Reason::NotFound(_) => Some("No such file or directory (os error 2)"),
            Reason::Directory(_) => Some("Is a directory (os error 21)"),
            Reason::Permission(_) => Some("Permission denied (os error 13)"),
            _ => None,
        };
        let rendered = match reason {
            Some(reason) => Failure {
                message: format!("failed to read file: {reason}").into(),
                ..failure.clone()
            },
            None => failure.clone(),
        };
        let error = &rendered.message;
        Rendered::new(rendered.to_string(), &Failed { error })
    }
}

impl Call {
    fn mode(&self) -> Result<Mode, Failure> {
        let mode = match self.mode.as_deref() {
            None | Some("slice") => Mode::Slice,
            Some("indentation") => return Ok(Mode::Indentation),
            Some(other) => {
                let is = format!("must be slice or indentation, not {other}");
                return Err(argument_failure("mode", &is));
            }
        };
        if self.indentation.is_some() {
            let is = "needs the mode indentation";
            return Err(argument_failure("indentation", is).hint("pass `mode` = `indentation`"));
        }
        Ok(mode)
    }
}

fn not_text(answer: &Answer, format: &str) -> Failure {
    let path = &answer.subject.requested;
    let message = format!("failed to read file: {path} is not text");
    notices::not_text(answer, format, message)
}

/// Fails if the lines that the arguments select are after the last line.
fn refuse_past_end(request: &Request, page: &Page) -> Result<(), Failure> {
    let is_past = page.lines.is_empty() && !page.skipped.is_empty() && page.total.count() > 0;
    if request.slice.is_none() || !is_past {
        return Ok(());
    }
    // The message of the original tool.
    Err(Failure::new(
        Reason::InvalidArgument("offset".to_owned()),
        "offset exceeds file length",
    ))
}

fn text_parts(request: &Request, answer: &Answer, text: &Text, layout: &mut Layout) {
    let page = &text.page;
    let extent = Extent::of(&text.window.selector.part);
    layout.exact = text.window.selector.raw;
    layout.head.extend(head::of(answer, text));
    if layout.exact {
        layout.body.clone_from(&page.text);
    } else {
        let numbering = text.window.numbering;
        layout.lines(Lines { numbering, ..LINES }, page, &text.annotations);
        unshown::append(answer, &mut layout.body);
        layout.notices.extend(notices::cuts(answer, page));
    }
    if page.lines.is_empty() {
        let past = notices::past_end(page, &extent);
        let nothing = past.unwrap_or_else(|| notices::empty(&extent).to_owned());
        layout.notices.push(nothing);
        return;
    }
    layout.notices.extend(notices::skipped(page, &extent));
    layout.notices.extend(notices::list(text));
    layout.notices.extend(partial(request, answer, page));
}

/// The notice that states which lines are shown, and how to continue. `None` if the page ends with the last line. A
/// block always has it, because its ends are not those that the call requested.
fn partial(request: &Request, answer: &Answer, page: &Page) -> Option<String> {
    let last = page.lines.last()?;
    let (shown, total) = (notices::ranges(page), page.total);
    if let Some(path) = onward::by_path(request, answer, page) {
        let path = escape_invisible(&path);
        // Its line has no mark.
        let cut = if last.cut.is_some() {
            "; the last one is cut"
        } else {
            ""
        };
        return Some(format!(
            "[Showing lines {shown} of {total}{cut}. Use file_path={path} without other arguments to continue]"
        ));
    }
    let is_block = request
        .slice
        .as_ref()
        .is_some_and(|slice| matches!(slice.selector.part, Part::Symbol(Symbol::Indented(_))));
    if is_block && page.following.is_none() {
        return Some(format!("[Showing lines {shown} of {total}]"));
    }
    let is_last = u64::try_from(last.number).is_ok_and(|last| total == Total::Exact(last));
    if (is_last || last.number < 0) && page.following.is_none() {
        return None;
    }
    let next = last.number.saturating_add(1);
    Some(format!(
        "[Showing lines {shown} of {total}. Use offset={next} to continue]"
    ))
}

/// The data of a result of this tool.
#[derive(Serialize)]
struct Output<'a> {
    file_path: &'a str,
    /// The first and the last line.
    #[serde(skip_serializing_if = "Option::is_none")]
    lines: Option<(i64, i64)>,
    #[serde(skip_serializing_if = "Option::is_none")]
    total: Option<u64>,
    truncated: bool,
}

impl<'a> Output<'a> {
    fn of(answer: &'a Answer) -> Self {
        let page = answer.page();
        Self {
            file_path: &answer.subject.requested,
            lines: page
                .and_then(|page| Some((page.lines.first()?.number, page.lines.last()?.number))),
            total: page.map(|page| page.total.count()),
            truncated: page.is_some_and(|page| {
                page.following.is_some() || page.lines.iter().any(|line| line.cut.is_some())
            }),
        }
    }
}
