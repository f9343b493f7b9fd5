//! The dialect `omp`: one path string, hashline text, exact continuations.

mod details;

use super::arguments::{self, PathList};
use super::capabilities::{Capability, Sentence};
use super::describe;
use super::extent::Extent;
use super::format::{DialectFormat, Tool};
use super::head;
use super::json::{TEXT, json_around};
use super::layout::{Layout, Lines};
use super::log;
use super::notices;
use super::outline;
use super::reply::{Block, Display, Failed, Rendered};
use super::unshown;
use crate::answer::{Answer, Body, Media, Text};
use crate::escapes::escape_invisible;
use crate::failure::{Failure, Message};
use crate::limits;
use crate::path::{Lines as Wanted, Part, Selector, View};
use crate::request::{
    FigurePolicy, ImageLimits, ImageMode, MediaPolicy, Notebooks, Request, Style,
};
use crate::subject::RepairMethod;
use crate::units;
use crate::window::{Limit, Line, Numbering, Page, Total, Window};
use details::{Details, DisplayContent};
use omniread_options::Options;
use serde::Deserialize;

pub struct Omp;

const DESCRIPTION: &[Sentence] = &[
    Sentence::Always(
        "Reads a file or directory. `path` is relative, or absolute.\n\
         Append a selector for lines: `:50`, `:50-80`, `:5-9,40-60`, `:-20` (last 20). \
         `:raw` is exact text. `:sym:Type.name` is a declaration, heading or key, `:120:block` the one around a line. \
         Several: `a.rs:5;b.rs`.\n\
         Text is `LINE:TEXT` under a `[PATH#TAG]` header. A long result ends with the path that continues. \
         Archives: `x.zip:a.rs:50-80`. In a name, write `\\:` for a colon.",
    ),
    Sentence::With(
        Capability::Databases,
        "SQLite: `app.db`, `app.db:users:42`, `app.db:users?where=age>30`, `app.db?q=SELECT …`.",
    ),
    Sentence::With(Capability::Images, "Images: `logo.svg:img`, `a.png:half`."),
    Sentence::Always(
        "Notebooks: `a.ipynb:cell:3`. A final colon converts: `x.csv:` (rows), `page.html:`, `feed.xml:`.",
    ),
    Sentence::With(
        Capability::Documents,
        "Documents: `a.pdf:page:2`, `a.pptx:slide:3`, `a.docx:image:1`, `m.eml:` (text), `m.eml:a.docx`, \
         `b.xlsx:Sales:B4:F20`, `b.xlsx:Sales?where=Total>9`, `b.xlsx:Sales?formulas=on`.",
    ),
    Sentence::With(Capability::Web, "`https://…` is read as text."),
];

const SCHEMA: &str = r#"{"type":"object","properties":{"path":{"type":"string","description":"Path with a selector"}},"required":["path"],"additionalProperties":false}"#;

/// The notice at the end of an outline, whose footer has the form of the original tool.
const BY_NAME: &str = "[:sym:NAME reads one by its name]";

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Call {
    path: PathList,
}

impl DialectFormat for Omp {
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
            shows_binary: true,
            open_lines: options.limit.into(),
            max_lines: limits::MAX_LINES,
            context: options.margin,
            exact_total: false,
            tagged: hashed,
            numbering_editable: if hashed { Numbering::Colon } else { plain },
            numbering_plain: plain,
            media: Some(MediaPolicy {
                images: if options.image.metadata {
                    ImageMode::Describe
                } else {
                    ImageMode::Resize(ImageLimits::of(options))
                },
                drawings: false,
                attachment_bytes: None,
                inline: true,
                figures: FigurePolicy::All,
            }),
            notebooks: Notebooks::Sources,
            outlines: options.outlines,
            rest: limits::REST_PERCENT,
            other_forms: true,
            unpaged_schemes: true,
            enclosing_declarations: options.context,
            ..Style::PAGED
        }
    }

    fn request_for_arguments(
        &self,
        arguments: &str,
        options: &Options,
    ) -> Result<Request, Failure> {
        let call: Call = arguments::parse(arguments)?;
        Ok(self.request_for_path(&call.path.0, options))
    }

    fn reply(
        &self,
        _: &Request,
        answer: &Answer,
        notes: &[Message],
        options: &Options,
    ) -> Result<Rendered<Vec<Block>>, Failure> {
        let mut layout = Layout::default();
        let mut image = None;
        if let Some(repair) = &answer.subject.repair {
            let how = match repair.method {
                RepairMethod::Suffix => "via suffix match",
                RepairMethod::Lookalike => "as the name that looks the same",
                RepairMethod::Separator => "with the right separator",
            };
            layout.head.push(format!(
                "[Path '{}' not found; resolved to '{}' {how}]",
                escape_invisible(&repair.from),
                escape_invisible(&repair.to)
            ));
        }
        layout.notices.extend(notices::bracketed(notes));
        // The facts about a text follow those about the response.
        let web = head::web(answer);
        if !web.is_empty() && (is_exact(&answer.body) || !matches!(answer.body, Body::Text(_))) {
            layout.head.extend(web);
            layout.head.push("---".to_owned());
        }
        match &answer.body {
            Body::Text(text) => text_parts(answer, text, options, &mut layout),
            Body::Listing(listing) => list_parts(&listing.page, &mut layout),
            Body::Database(database) => list_parts(&database.page, &mut layout),
            Body::Media(media) => {
                layout.body = described(answer, media, options);
                image = media.payload.as_ref().ok().map(describe::block);
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
        Ok(Rendered {
            content: blocks,
            structured: json_around(&details, text),
            display,
        })
    }

    fn takes_lists(&self) -> bool {
        true
    }

    fn failure(&self, failure: &Failure, _: &str) -> Rendered<String> {
        let error = &failure.message;
        Rendered::new(failure.to_string(), &Failed { error })
    }
}

/// Whether the body is exact text.
fn is_exact(body: &Body) -> bool {
    matches!(body, Body::Text(text) if text.window.selector.raw)
}

/// The text without line numbers, if the body is text with line numbers.
fn display(body: &Body) -> Option<Display> {
    let Body::Text(Text {
        page,
        window,
        outline,
        log,
        ..
    }) = body
    else {
        return None;
    };
    let start = page.lines.first()?.number;
    (window.numbering != Numbering::None).then(|| Display {
        text: match (outline, log) {
            (Some(outline), _) => outline::plain(outline, page),
            (None, Some(_)) => log::plain(page),
            (None, None) => page.plain(),
        },
        start,
    })
}

/// Adds the lines of a directory listing or a database page to the layout, and the notices on them.
fn list_parts(page: &Page, layout: &mut Layout) {
    LINES.write(page, &mut layout.body);
    if page.lines.is_empty() {
        layout.notices.extend(nothing_shown(page, &Extent::Listing));
    }
    layout
        .notices
        .extend(notices::skipped(page, &Extent::Listing));
    layout.notices.extend(cut_notice(page));
    let window = window_notice(page, None, None);
    let end = || notices::reached_end(page, &Extent::Listing, None);
    layout.notices.extend(window.or_else(end));
}

const LINES: Lines = Lines {
    numbering: Numbering::None,
    gap: Some("…"),
    cut: |page, line, column, out| {
        out.push_str("…[cut; use :");
        out.push_str(&page.line_remainder(line, column).to_string());
        out.push_str(" for the rest]");
    },
};

fn text_parts(answer: &Answer, text: &Text, options: &Options, layout: &mut Layout) {
    let page = &text.page;
    layout.exact = text.window.selector.raw;
    if let Some(tag) = &text.tag {
        let path = escape_invisible(&answer.subject.shown());
        layout.head.push(if options.pilcrow {
            format!("¶{path}#{tag}")
        } else {
            format!("[{path}#{tag}]")
        });
    }
    if layout.exact {
        layout.body.clone_from(&page.text);
    } else {
        let mut facts = head::of(answer, text);
        if let Some(contents) = &text.contents {
            facts.extend(head::contents(contents, &answer.subject));
        }
        if !facts.is_empty() {
            layout.head.extend(facts);
            layout.head.push("---".to_owned());
        }
        let numbering = text.window.numbering;
        let lines = Lines { numbering, ..LINES };
        if let Some(outline) = &text.outline {
            outline::write(outline, page, lines, &mut layout.body);
            let unsure = outline.unbalanced_from.map(|line| {
                format!(
                    "[brackets do not match from line {line} on: the outline may be wrong there]"
                )
            });
            layout.notices.extend(unsure);
            let notes = outline.notes.iter();
            layout.notices.extend(notes.map(|note| format!("[{note}]")));
            layout
                .notices
                .extend(outline::footer(outline, page, &answer.subject));
            let by_name = outline.is_named.then(|| BY_NAME.to_owned());
            layout.notices.extend(by_name);
            layout.notices.extend(form_notice(answer, text));
            return;
        }
        if let Some(view) = &text.log {
            log::write(view, page, lines, &mut layout.body);
            layout
                .notices
                .extend(log::notices(view, page, answer.bytes()));
            layout.notices.extend(form_notice(answer, text));
            return;
        }
        layout.lines(lines, page, &text.annotations);
        unshown::append(answer, &mut layout.body);
    }
    let file = text.facts.is_none();
    let extent = Extent::of(&text.window.selector.part);
    if page.lines.is_empty() {
        let nothing = match text.cells() {
            Some(_) if page.total.count() == 0 => Some("[notebook without cells]".to_owned()),
            _ => nothing_shown(page, &extent),
        };
        layout.notices.extend(nothing);
        return;
    }
    let mut states_end = layout.exact || !page.skipped.is_empty();
    if file && !layout.exact && page.final_newline == Some(false) && notices::shows_end(page) {
        states_end = true;
        layout
            .notices
            .push("[no newline at end of file]".to_owned());
    }
    layout.notices.extend(notices::skipped(page, &extent));
    layout.notices.extend(cut_notice(page));
    let size = answer.bytes();
    let window = window_notice(page, size, Some(&text.window));
    let end = || notices::reached_end(page, &extent, text.unit_range()).filter(|_| !states_end);
    layout.notices.extend(window.or_else(end));
    layout.notices.extend(form_notice(answer, text));
}

/// The notice that names the path of the other form of a text, such as a web page as Markdown. `None`
/// if it has none.
fn form_notice(answer: &Answer, text: &Text) -> Option<String> {
    let main = Selector::of(Part::Converted(View::Main));
    let path = escape_invisible(&answer.subject.with_selector(&main));
    let form = text.other_form?;
    Some(format!("[Use {path} for {form}]"))
}

/// The notice for a page that shows no lines: the file is empty, or the requested lines are after
/// its end.
fn nothing_shown(page: &Page, extent: &Extent) -> Option<String> {
    let total = page.total.count();
    if total == 0 {
        return Some(notices::empty(extent).to_owned());
    }
    notices::past_end(page, extent)
}

/// The notice on lines that are cut, with the selector that reads the rest of the first of them.
/// `None` if no line is cut.
fn cut_notice(page: &Page) -> Option<String> {
    let cut: Vec<&Line> = page.cuts().map(|(line, _)| line).collect();
    let (first, column) = page.cuts().next()?;
    let lines = notices::lines(&cut);
    let on = page.line_remainder(first, column);
    Some(match cut.len() {
        1 => format!("[Line {lines} is cut. Use :{on} for the rest of it]"),
        _ => format!("[Lines {lines} are cut. Use :{on} for the rest of the first one]"),
    })
}

/// The notice that names the shown lines and how to continue. `None` if the page shows everything
/// that was requested, and it is clear from the page where the text ends.
fn window_notice(page: &Page, size: Option<u64>, window: Option<&Window>) -> Option<String> {
    let first = page.lines.first()?;
    let raw = window.is_some_and(|window| window.selector.raw);
    let from_end = first.number < 0;
    let padded = window.filter(|window| window.context_range().is_some());
    let requested = padded.map(|window| window.selector.to_string());
    // The end of a range is not the end of the text. A range that was skipped says where
    // the text ends.
    let ranges = !raw
        && page.skipped.is_empty()
        && window.is_some_and(|window| matches!(window.selector.lines, Wanted::List(_)));
    if page.following.is_none() && requested.is_none() && !ranges {
        return (from_end && !raw).then(|| {
            "[Lines are numbered from the end: -1 is the last. The total was not counted]"
                .to_owned()
        });
    }
    if notices::is_beyond_line(page) {
        let rest = page.following.as_ref()?;
        return Some(format!("[Use :{rest} to continue]"));
    }
    let mut notice = format!("[{}", shown_part(page, size)?);
    match page.limit {
        Some(Limit::Bytes(limit)) => {
            notice.push_str(&format!(" ({} limit)", units::bytes(limit)));
        }
        Some(Limit::Tokens(limit)) => notice.push_str(&format!(" (limit of {limit} tokens)")),
        Some(Limit::Lines) | None => {}
    }
    if let Some(requested) = requested {
        notice.push_str(&format!(" (:{requested} with context)"));
    }
    if let Some(rest) = &page.following {
        notice.push_str(&format!(". Use :{rest} to continue"));
        let uncounted = matches!(page.total, Total::AtLeast(_)) && size.is_some();
        let to_end = window.is_some_and(|window| match &window.selector.lines {
            Wanted::All => true,
            Wanted::One(range) => range.end.is_none(),
            Wanted::List(_) | Wanted::Tail { .. } => false,
        });
        if uncounted && to_end && !raw {
            notice.push_str(", or :-50 for the end");
        }
    }
    notice.push(']');
    Some(notice)
}

/// Names the shown lines of a page and the length of the whole text: `Showing lines 1-300 of 5123`.
fn shown_part(page: &Page, size: Option<u64>) -> Option<String> {
    const FROM_END: &str = "numbered from the end (-1 is the last)";
    let (first, last) = (page.lines.first()?, page.lines.last()?);
    let one = page.lines.len() == 1;
    let whole = match (page.total, size) {
        (Total::Exact(total), _) => total.to_string(),
        (Total::AtLeast(_), Some(size)) => {
            format!("a {} text (lines not counted)", units::bytes(size))
        }
        (Total::AtLeast(least), None) => format!("at least {least}"),
    };
    if one && (last.cut.is_some() || first.column > 1) {
        let columns = match last.cut {
            Some(next) => format!("Columns {}-{}", first.column, next.saturating_sub(1)),
            None => format!("The rest from column {}", first.column),
        };
        let number = first.number;
        return Some(match (page.total, size) {
            (Total::Exact(1), Some(size)) => {
                format!(
                    "{columns} of line 1 (the only line, {})",
                    units::bytes(size)
                )
            }
            (Total::Exact(1), None) => format!("{columns} of line 1 (the only line)"),
            _ if number < 0 => format!("{columns} of line {number}, {FROM_END}"),
            _ => format!("{columns} of line {number} of {whole}"),
        });
    }
    if first.number < 0 {
        let (shown, all) = (page.lines.len(), first.number.unsigned_abs());
        return Some(format!(
            "Showing {shown} of the last {all} lines, {FROM_END}"
        ));
    }
    let lines = if one { "line" } else { "lines" };
    Some(format!(
        "Showing {lines} {} of {whole}",
        notices::spans(page)
    ))
}

/// Describes an image. States how it was re-encoded, or why it is not shown.
fn described(answer: &Answer, media: &Media, options: &Options) -> String {
    let path = escape_invisible(&answer.subject.shown());
    if options.image.metadata {
        let lines = describe::metadata(media, answer.size()).join("\n");
        return format!(
            "Image metadata of '{path}':\n{lines}\n[only metadata is shown; to see the image, call the tool inspect_image]"
        );
    }
    let mut summary = describe::summary(media, answer.size());
    if let Some(tokens) = describe::tokens(media) {
        summary.push_str("; ");
        summary.push_str(&tokens);
    }
    let reencoded =
        describe::reencoding(media).map_or(String::new(), |reencoded| format!("\n[{reencoded}]"));
    format!("[Image '{path}': {summary}]{reencoded}")
}
