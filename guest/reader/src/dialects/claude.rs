//! The dialect `claude`: `cat -n` text, pages of 2000 lines.

use super::arguments::Arguments;
use super::notices;
use super::{Block, Definition, Form};
use crate::answer::{Answer, Body, Text};
use crate::failure::{Failure, Reason};
use crate::limits;
use crate::pages::visible;
use crate::path::{Lines, Range, Selector};
use crate::units::thousands;
use crate::window::{Numbering, Page};
use crate::{Asked, Request, Style};
use omniread_options::Options;

pub struct Claude;

const DESCRIPTION: &str = "\
Reads a file from the filesystem, or lists a directory. `file_path` is absolute or relative to the workspace.
By default it returns up to 2000 lines from the beginning, in the form of cat -n, numbered from 1. \
Give `offset` (the first line, counted from 1) and `limit` (how many lines) to read a part. \
Lines longer than 2000 characters are truncated. A partial result ends with the total number of lines and the offset to continue with. \
Any text encoding is decoded.";

const SCHEMA: &str = r#"{"type":"object","properties":{"file_path":{"type":"string","description":"The path of the file to read"},"offset":{"type":"integer","minimum":1,"description":"The line to start reading from, counted from 1"},"limit":{"type":"integer","minimum":1,"description":"The number of lines to read (default 2000)"}},"required":["file_path"],"additionalProperties":false}"#;

const CUT: &str = "... (truncated)";

impl Form for Claude {
    fn definition(&self) -> Definition {
        Definition {
            name: "Read",
            description: DESCRIPTION,
            schema: SCHEMA,
        }
    }

    fn by_path(&self, path: &str, options: &Options) -> Request {
        Request {
            path: path.to_owned(),
            window: None,
            stdin: options.stdin,
            style: Style {
                repair: false,
                open_lines: limits::LONG_PAGE_LINES,
                max_lines: u64::MAX,
                context: false,
                exact_total: true,
                tagged: false,
                editable: Numbering::Tab,
                plain: Numbering::Tab,
            },
        }
    }

    fn by_arguments(&self, arguments: &str, options: &Options) -> Result<Request, Failure> {
        let mut arguments = Arguments::parse(arguments)?;
        let path = arguments.text("file_path")?;
        let offset = arguments.number("offset", 1)?;
        let limit = arguments.number("limit", 1)?;
        arguments.finish("`file_path`, `offset`, `limit`")?;
        let mut request = self.by_path(&path, options);
        if let Some(limit) = limit {
            request.style.open_lines = limit;
        }
        if offset.is_some() || limit.is_some() {
            request.window = Some(Asked {
                argument: if offset.is_some() { "offset" } else { "limit" },
                selector: Selector {
                    lines: Lines::One(Range::lines(offset.unwrap_or(1), None)),
                    raw: false,
                },
            });
        }
        Ok(request)
    }

    fn reply(
        &self,
        request: &Request,
        answer: &Answer,
        _: &Options,
    ) -> Result<Vec<Block>, Failure> {
        let notes: Vec<String> = notices::notes(answer)
            .iter()
            .map(|note| format!("[{note}]"))
            .collect();
        match &answer.body {
            Body::Binary(binary) => Err(Failure::new(
                Reason::Binary(binary.format.clone()),
                "Binary files cannot be read as text",
            )
            .hint(format!("`{}` is {}", request.path, binary.format))),
            Body::Text(text) if text.window.selector.raw => {
                let mut blocks = vec![Block::Text(text.page.text.clone())];
                let nothing = text
                    .page
                    .lines
                    .is_empty()
                    .then(|| nothing_shown(&text.page));
                let around: Vec<String> = notes
                    .into_iter()
                    .chain(nothing)
                    .chain(partial(&text.page))
                    .collect();
                if !around.is_empty() {
                    blocks.push(Block::Notice(around.join("\n")));
                }
                Ok(blocks)
            }
            Body::Text(text) => Ok(vec![Block::Text(numbered(
                &answer.subject.path,
                text,
                notes,
            ))]),
            Body::Listing(listing) => {
                let mut out = if listing.page.lines.is_empty() {
                    nothing_shown(&listing.page)
                } else {
                    lines(&listing.page, Numbering::None)
                };
                for line in notes.into_iter().chain(partial(&listing.page)) {
                    out.push_str("\n\n");
                    out.push_str(&line);
                }
                Ok(vec![Block::Text(out)])
            }
        }
    }

    fn failure(&self, failure: &Failure) -> String {
        match &failure.reason {
            // The tool's own words; the path stands in the call.
            Reason::NotFound(_) => Failure {
                message: "File does not exist".to_owned(),
                ..failure.clone()
            }
            .to_string(),
            _ => failure.to_string(),
        }
    }
}

fn numbered(path: &str, text: &Text, notes: Vec<String>) -> String {
    let page = &text.page;
    let mut out = String::new();
    if page.lines.is_empty() {
        out.push_str(&nothing_shown(page));
    } else {
        if text.window.selector.lines != Lines::All {
            let name = visible(path.rsplit('/').next().unwrap_or(path));
            out.push_str(&format!(
                "Reading lines {} of {name}:\n\n",
                lines_shown(page)
            ));
        }
        out.push_str(&lines(page, text.window.numbering));
    }
    let ends: Vec<String> = notes.into_iter().chain(partial(page)).collect();
    if !ends.is_empty() {
        out.push_str("\n\n");
        out.push_str(&ends.join("\n"));
    }
    out
}

/// Runs of lines, a single one with both its ends.
fn lines_shown(page: &Page) -> String {
    match page.spans().as_slice() {
        [(first, last)] => format!("{first}-{last}"),
        _ => notices::spans(page),
    }
}

/// Why a page has no lines.
fn nothing_shown(page: &Page) -> String {
    let total = page.total.count();
    match page.skipped.first() {
        Some(range) if total > 0 => format!(
            "[Line {} is beyond end of file ({total} lines total). Use offset=1 to read from the start, or offset={total} to read the last line.]",
            range.start.line
        ),
        _ => "[empty file]".to_owned(),
    }
}

fn lines(page: &Page, numbering: Numbering) -> String {
    let mut out = String::with_capacity(
        page.text
            .len()
            .saturating_add(page.lines.len().saturating_mul(8)),
    );
    for (index, line) in page.lines.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        numbering.write(line.number, line.column, &mut out);
        out.push_str(page.line(index));
        if line.cut.is_some() {
            out.push_str(CUT);
        }
    }
    out
}

/// How much of the file was shown, unless it was all, and where it goes on.
fn partial(page: &Page) -> Option<String> {
    let total = page.total.count();
    let shown = page.lines.len() as u64;
    let last = page.lines.last()?;
    if shown == total && page.rest.is_none() {
        return None;
    }
    let mut notice = format!(
        "(Showing {} of {} total lines)",
        thousands(shown),
        thousands(total)
    );
    let next = last.number.saturating_add(1);
    match (&page.rest, last.cut) {
        (Some(rest), Some(_)) if shown == 1 => {
            notice.push_str(&format!(" Append :{rest} to the path to continue."));
        }
        _ if u64::try_from(next).is_ok_and(|next| next <= total) => {
            notice.push_str(&format!(" Use offset={next} to continue."));
        }
        _ => {}
    }
    Some(notice)
}
