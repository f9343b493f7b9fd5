//! The dialect `omp`: one path string, hashline text, exact continuations.

mod details;

use super::arguments::{self, PathString};
use super::capabilities::{Capability, Sentence};
use super::describe;
use super::json::{TEXT, json_around};
use super::layout::{Layout, Lines};
use super::notices::{self, Extent};
use super::outline;
use super::{Block, Display, Failed, Form, Said, Tool};
use crate::answer::{Answer, Body, Media, Text};
use crate::failure::{Failure, Message};
use crate::limits;
use crate::path::Lines as Wanted;
use crate::request::{Fit, Images, Notebooks, Passing, Request, Style};
use crate::subject::How;
use crate::units;
use crate::visible::visible;
use crate::window::{Limit, Line, Numbering, Page, Total, Window};
use details::{Details, DisplayContent};
use omniread_options::Options;
use serde::Deserialize;

pub struct Omp;

const DESCRIPTION: &[Sentence] = &[
    Sentence::Always(
        "Reads a file or directory. One argument: `path`, relative to the workspace, absolute, or `file://`.\n\
         Append a selector for lines: `:50`, `:50-80`, `:5-9,40-60`, `:-20` (the last 20), `:12@2001` (line 12 from column 2001). \
         `:50-80:raw` or `:raw` is exact, without line numbers.\n\
         Text comes as `LINE:TEXT` under a `[PATH#TAG]` header. A long result ends with the path to continue with. \
         Directories are trees; archives: `x.zip:src/a.rs:50-80`. In a name, write `\\:` for a colon.",
    ),
    Sentence::With(
        Capability::Databases,
        "SQLite: `app.db`, `app.db:users`, `app.db:users:42`, `app.db:users?where=age>30&limit=5`, `app.db?q=SELECT …`.",
    ),
    Sentence::With(Capability::Images, "Images are shown, also `logo.svg:img`."),
    Sentence::Always("`a.ipynb:cell:3` is a cell."),
    Sentence::With(Capability::Documents, "Documents: `a.pdf:page:3`."),
    Sentence::With(Capability::Web, "`https://…` is read as text."),
];

const SCHEMA: &str = r#"{"type":"object","properties":{"path":{"type":"string","description":"Path to read, optionally followed by a selector such as :50-100, :-20 or :raw"}},"required":["path"],"additionalProperties":false}"#;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    path: PathString,
}

impl Form for Omp {
    fn tool(&self) -> Tool {
        Tool {
            name: "read",
            title: None,
            description: DESCRIPTION,
            schema: SCHEMA,
        }
    }

    fn style(&self, options: &Options) -> Style {
        let plain = if options.numbers {
            Numbering::Bar
        } else {
            Numbering::None
        };
        let hashed = options.hashlines && options.edits;
        Style {
            repair: true,
            open_lines: options.limit.into(),
            max_lines: limits::MAX_LINES,
            context: options.margin,
            exact_total: false,
            tagged: hashed,
            editable: if hashed { Numbering::Colon } else { plain },
            plain,
            passing: Some(Passing {
                images: if options.image.metadata {
                    Images::Described
                } else {
                    Images::Fitted(Fit::of(options))
                },
                drawings: false,
                attachment_bytes: None,
                inline: true,
            }),
            notebooks: Notebooks::Sources,
            outlines: options.outlines,
            enclosing: options.context,
            ..Style::PAGED
        }
    }

    fn by_arguments(&self, arguments: &str, options: &Options) -> Result<Request, Failure> {
        let call: Call = arguments::parse(arguments)?;
        Ok(self.by_path(&call.path.0, options))
    }

    fn reply(
        &self,
        _: &Request,
        answer: &Answer,
        notes: &[Message],
        options: &Options,
    ) -> Result<Said<Vec<Block>>, Failure> {
        let mut layout = Layout::default();
        let mut image = None;
        if let Some(repair) = &answer.subject.repair {
            let how = match repair.how {
                How::Suffix => "via suffix match",
                How::Lookalike => "as the name that looks the same",
            };
            layout.head.push(format!(
                "[Path '{}' not found; resolved to '{}' {how}]",
                visible(&repair.from),
                visible(&repair.to)
            ));
        }
        layout.notices.extend(notices::bracketed(notes));
        match &answer.body {
            Body::Text(text) => text_parts(answer, text, options, &mut layout),
            Body::Listing(listing) => list_parts(&listing.page, &mut layout),
            Body::Database(database) => list_parts(&database.page, &mut layout),
            Body::Media(media) => {
                layout.body = described(answer, media, options);
                image = media.given.as_ref().ok().map(describe::block);
            }
            Body::Archive(inside) => return Err(notices::archive(answer, inside)),
            Body::Binary(binary) => layout.body = notices::binary(answer, binary),
        }
        let mut blocks = layout.blocks("\n", "\n\n");
        blocks.extend(image);
        let display = display(&answer.body);
        let mut details = Details::of(answer);
        details.display_content = display.as_ref().map(|display| DisplayContent {
            text: TEXT,
            start_line: display.start,
        });
        let text = display.as_ref().map_or("", |display| &display.text);
        Ok(Said {
            words: blocks,
            structured: json_around(&details, text),
            display,
        })
    }

    fn failure(&self, failure: &Failure, _: &str) -> Said<String> {
        let error = &failure.message;
        Said::new(failure.to_string(), &Failed { error })
    }
}

/// The text without its numbers, if it has any.
fn display(body: &Body) -> Option<Display> {
    let Body::Text(Text {
        page,
        window,
        outline,
        ..
    }) = body
    else {
        return None;
    };
    let start = page.lines.first()?.number;
    (window.numbering != Numbering::None).then(|| Display {
        text: match outline {
            Some(outline) => outline::plain(outline, page),
            None => page.plain(),
        },
        start,
    })
}

/// Lines that are not those of a file.
fn list_parts(page: &Page, layout: &mut Layout) {
    LINES.write(page, &mut layout.body);
    if page.lines.is_empty() {
        layout.notices.extend(nothing_shown(page, Extent::Listing));
    }
    layout
        .notices
        .extend(notices::skipped(page, Extent::Listing));
    layout.notices.extend(cut_notice(page));
    layout.notices.extend(window_notice(page, None, None));
}

const LINES: Lines = Lines {
    numbering: Numbering::None,
    gap: Some("…"),
    cut: |page, line, column, out| {
        out.push_str("…[cut; use :");
        out.push_str(&page.rest_of(line, column).to_string());
        out.push_str(" to read on]");
    },
};

fn text_parts(answer: &Answer, text: &Text, options: &Options, layout: &mut Layout) {
    let page = &text.page;
    layout.exact = text.window.selector.raw;
    if let Some(tag) = &text.tag {
        let path = visible(&answer.subject.shown());
        layout.head.push(if options.pilcrow {
            format!("¶{path}#{tag}")
        } else {
            format!("[{path}#{tag}]")
        });
    }
    if layout.exact {
        layout.body.clone_from(&page.text);
    } else {
        let numbering = text.window.numbering;
        let lines = Lines { numbering, ..LINES };
        if let Some(outline) = &text.outline {
            outline::write(outline, page, lines, &mut layout.body);
            let unsure = outline.lost.map(|line| {
                format!("[from line {line} on brackets do not match: this may be off]")
            });
            layout.notices.extend(unsure);
            let words = outline.words.iter();
            layout
                .notices
                .extend(words.map(|words| format!("[{words}]")));
            layout
                .notices
                .extend(outline::footer(outline, page, &answer.subject));
            return;
        }
        layout.lines(lines, page, &text.asides);
    }
    let file = text.facts.is_none();
    let extent = Extent::of(text.window.selector.part);
    if page.lines.is_empty() {
        let nothing = match text.cells() {
            Some(_) if page.total.count() == 0 => Some("[notebook without cells]".to_owned()),
            _ => nothing_shown(page, extent),
        };
        layout.notices.extend(nothing);
        return;
    }
    if file && !layout.exact && page.final_newline == Some(false) && shows_end(page) {
        layout
            .notices
            .push("[no newline at end of file]".to_owned());
    }
    layout.notices.extend(notices::skipped(page, extent));
    layout.notices.extend(cut_notice(page));
    let size = answer.bytes();
    layout
        .notices
        .extend(window_notice(page, size, Some(&text.window)));
}

/// Whether a page ends with the last line of the text.
fn shows_end(page: &Page) -> bool {
    page.rest.is_none()
        && match (page.total, page.lines.last()) {
            (Total::Exact(total), Some(last)) => {
                u64::try_from(last.number).is_ok_and(|last| last == total)
            }
            (Total::AtLeast(_), Some(last)) => last.number == -1,
            (_, None) => false,
        }
}

/// Why a page of text has no lines.
fn nothing_shown(page: &Page, extent: Extent) -> Option<String> {
    let total = page.total.count();
    if total == 0 {
        return Some("[empty file]".to_owned());
    }
    notices::beyond(page, extent)
}

/// Which lines are cut, and how to read on in the first of them.
fn cut_notice(page: &Page) -> Option<String> {
    let cut: Vec<&Line> = page.cuts().map(|(line, _)| line).collect();
    let (first, column) = page.cuts().next()?;
    let lines = notices::lines(&cut);
    let on = page.rest_of(first, column);
    Some(match cut.len() {
        1 => format!("[Line {lines} is cut. Use :{on} to read on in it]"),
        _ => format!("[Lines {lines} are cut. Use :{on} to read on in the first of them]"),
    })
}

/// Which lines are shown and how to go on, unless what was asked for, in
/// `window`, is there without its end being told.
fn window_notice(page: &Page, size: Option<u64>, window: Option<&Window>) -> Option<String> {
    let padded = window.filter(|window| window.padded().is_some());
    let asked = padded.map(|window| window.selector.to_string());
    // Where a range ends does not tell where the text does; that another one is
    // skipped does.
    let ranges = page.skipped.is_empty()
        && window.is_some_and(|window| {
            !window.selector.raw && matches!(window.selector.lines, Wanted::List(_))
        });
    if page.rest.is_none() && asked.is_none() && !ranges {
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

/// What an image is, and how it is shown or why not.
fn described(answer: &Answer, media: &Media, options: &Options) -> String {
    let path = visible(&answer.subject.shown());
    if options.image.metadata {
        let lines = describe::metadata(media, answer.size()).join("\n");
        return format!("Image metadata of '{path}':\n{lines}\n[call inspect_image to look at it]");
    }
    let summary = describe::summary(media, answer.size());
    let made = describe::made(media).map_or(String::new(), |made| format!("\n[{made}]"));
    format!("[Image '{path}': {summary}]{made}")
}
