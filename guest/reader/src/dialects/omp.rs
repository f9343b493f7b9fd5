//! The dialect `omp`: one path string, hashline text, exact continuations.

use super::arguments::Arguments;
use super::notices;
use super::{Block, Definition, Form};
use crate::answer::{Answer, Body, How, Text};
use crate::failure::Failure;
use crate::limits;
use crate::pages::visible;
use crate::units;
use crate::window::{Limit, Numbering, Page};
use crate::{Request, Style};
use omniread_options::Options;

pub struct Omp;

const DESCRIPTION: &str = "\
Reads a file or directory. One argument: `path`, relative to the workspace, absolute, or `file://`.
Append a selector for lines: `:50` from line 50 on, `:50-80`, `:50+10`, `:-20` the last 20, `:5-9,40-60` several ranges, \
`:12@2001` line 12 from column 2001. `:raw` (also `:50-80:raw`) gives the text exactly, without line numbers.
Text comes as `LINE:TEXT` under a `[PATH#TAG]` header. Long results end in a notice that names the exact path to continue with. \
Directories are listed as a tree. Any text encoding is decoded. In a name, write `\\:` for a colon.";

const SCHEMA: &str = r#"{"type":"object","properties":{"path":{"type":"string","description":"Path to read, optionally followed by a selector such as :50-100, :-20 or :raw"}},"required":["path"],"additionalProperties":false}"#;

impl Form for Omp {
    fn definition(&self) -> Definition {
        Definition {
            name: "read",
            description: DESCRIPTION,
            schema: SCHEMA,
        }
    }

    fn by_path(&self, path: &str, options: &Options) -> Request {
        let plain = if options.line_numbers {
            Numbering::Bar
        } else {
            Numbering::None
        };
        let hashed = options.hash_lines && options.edit_tool;
        Request {
            path: path.to_owned(),
            window: None,
            stdin: options.stdin,
            style: Style {
                repair: true,
                open_lines: options.default_limit,
                max_lines: limits::MAX_LINES,
                context: options.range_context,
                exact_total: false,
                tagged: hashed,
                editable: if hashed { Numbering::Colon } else { plain },
                plain,
            },
        }
    }

    fn by_arguments(&self, arguments: &str, options: &Options) -> Result<Request, Failure> {
        let mut arguments = Arguments::parse(arguments)?;
        let path = arguments.text("path")?;
        arguments.finish("`path`")?;
        Ok(self.by_path(&path, options))
    }

    fn reply(
        &self,
        _: &Request,
        answer: &Answer,
        options: &Options,
    ) -> Result<Vec<Block>, Failure> {
        let mut parts = Parts::default();
        if let Some(repair) = &answer.subject.repair {
            let how = match repair.how {
                How::Suffix => "via suffix match",
                How::Lookalike => "as the name that looks the same",
            };
            parts.head(&format!(
                "[Path '{}' not found; resolved to '{}' {how}]",
                visible(&repair.from),
                visible(&repair.to)
            ));
        }
        parts.notices.extend(
            notices::notes(answer)
                .into_iter()
                .map(|note| format!("[{note}]")),
        );
        match &answer.body {
            Body::Text(text) => text_parts(answer, text, options, &mut parts),
            Body::Listing(listing) => {
                body(&listing.page, Numbering::None, &mut parts.body);
                if listing.page.lines.is_empty() {
                    parts
                        .notices
                        .extend(nothing_shown(&listing.page, "listing"));
                }
                parts.skipped(&listing.page, "listing");
                parts
                    .notices
                    .extend(window_notice(&listing.page, None, None));
            }
            Body::Binary(binary) => parts.body = notices::binary(answer, binary),
        }
        Ok(parts.blocks())
    }
}

/// The parts of a reply, in order.
#[derive(Default)]
struct Parts {
    head: String,
    body: String,
    notices: Vec<String>,
    raw: bool,
}

impl Parts {
    fn head(&mut self, line: &str) {
        if !self.head.is_empty() {
            self.head.push('\n');
        }
        self.head.push_str(line);
    }

    /// Ranges past the end, where there were others.
    fn skipped(&mut self, page: &Page, what: &str) {
        for range in page.skipped.iter().filter(|_| !page.lines.is_empty()) {
            self.notices.push(format!(
                "[Range {range} is beyond end of {what} ({} lines total); skipped]",
                page.total.count()
            ));
        }
    }

    /// A text block; exact text stands in one of its own.
    fn blocks(self) -> Vec<Block> {
        let notices = self.notices.join("\n");
        if self.raw {
            let mut blocks = vec![Block::Text(self.body)];
            let around: Vec<_> = [self.head, notices]
                .into_iter()
                .filter(|part| !part.is_empty())
                .collect();
            if !around.is_empty() {
                blocks.push(Block::Notice(around.join("\n")));
            }
            return blocks;
        }
        let mut text = self.head;
        for (part, gap) in [(self.body, "\n"), (notices, "\n\n")] {
            if !part.is_empty() {
                if !text.is_empty() {
                    text.push_str(gap);
                }
                text.push_str(&part);
            }
        }
        vec![Block::Text(text)]
    }
}

fn text_parts(answer: &Answer, text: &Text, options: &Options, parts: &mut Parts) {
    let page = &text.page;
    parts.raw = text.window.selector.raw;
    if let Some(tag) = &text.tag {
        let path = visible(&answer.subject.path);
        parts.head(&if options.pilcrow_header {
            format!("¶{path}#{tag}")
        } else {
            format!("[{path}#{tag}]")
        });
    }
    if parts.raw {
        parts.body.clone_from(&page.text);
    } else {
        body(page, text.window.numbering, &mut parts.body);
    }
    if page.lines.is_empty() {
        parts.notices.extend(nothing_shown(page, "file"));
        return;
    }
    if let [line] = page.lines.as_slice()
        && line.column > 1
        && page.text.trim_end_matches(['\r', '\n']).is_empty()
    {
        parts.notices.push(format!(
            "[Column {} is beyond the end of line {}]",
            line.column, line.number
        ));
    }
    parts.skipped(page, "file");
    let size = answer.subject.stat.map(|stat| stat.size);
    let asked = text
        .window
        .padded()
        .map(|_| text.window.selector.to_string());
    parts
        .notices
        .extend(window_notice(page, size, asked.as_deref()));
}

/// The lines with their numbers, and `…` where some are left out.
fn body(page: &Page, numbering: Numbering, out: &mut String) {
    out.reserve(
        page.text
            .len()
            .saturating_add(page.lines.len().saturating_mul(8)),
    );
    for (index, line) in page.lines.iter().enumerate() {
        if index > 0 {
            out.push('\n');
        }
        if page.gap_before(index) {
            out.push_str("…\n");
        }
        numbering.write(line.number, line.column, out);
        out.push_str(page.line(index));
        if let Some(column) = line.cut {
            let selector = Page::rest_of(line, column);
            out.push_str("…[cut; use :");
            out.push_str(&selector.to_string());
            out.push_str(" to read on]");
        }
    }
}

/// Why a page of text has no lines.
fn nothing_shown(page: &Page, what: &str) -> Option<String> {
    let total = page.total.count();
    if total == 0 {
        return Some("[empty file]".to_owned());
    }
    let first = page.skipped.first()?;
    Some(format!(
        "[Line {} is beyond end of {what} ({total} lines total). Use :1 to read from the start, or :{total} to read the last line.]",
        first.start.line
    ))
}

/// Which lines are shown and how to go on, unless all that was asked for is
/// there.
fn window_notice(page: &Page, size: Option<u64>, asked: Option<&str>) -> Option<String> {
    if page.rest.is_none() && asked.is_none() {
        return None;
    }
    let first = page.lines.first()?;
    let last = page.lines.last()?;
    let mut notice = String::from("[Showing ");
    let part = last.cut.filter(|_| page.lines.len() == 1);
    if part.is_some() || (first.column > 1 && page.lines.len() == 1) {
        notice.push_str(&format!("line {}", first.number));
        match part {
            Some(next) => notice.push_str(&format!(
                ", columns {}-{}",
                first.column,
                next.saturating_sub(1)
            )),
            None => notice.push_str(&format!(" from column {}", first.column)),
        }
    } else {
        let lines = if page.lines.len() == 1 {
            "line"
        } else {
            "lines"
        };
        notice.push_str(&format!("{lines} {}", notices::spans(page)));
    }
    notice.push_str(&format!(" of {}", notices::total(page, size)));
    if let Some(Limit::Bytes(limit)) = page.limit {
        notice.push_str(&format!(" ({} limit)", units::bytes(limit)));
    }
    if let Some(asked) = asked {
        notice.push_str(&format!(" for :{asked}"));
    }
    if let Some(rest) = &page.rest {
        notice.push_str(&format!(". Use :{rest} to continue"));
    }
    notice.push(']');
    Some(notice)
}
