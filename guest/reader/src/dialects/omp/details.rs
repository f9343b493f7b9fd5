//! The `details` of a result: facts about a page for programs, which do not have to parse the
//! notices.

use crate::answer::{Answer, Body, DatabasePart};
use crate::dialects::outline;
use crate::dialects::web::Web;
use crate::window::{Limit, Total};
use serde::Serialize;

/// The `details` of a result of this tool.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Details<'a> {
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    is_directory: bool,
    resolved_path: String,
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    web: Option<Web<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    suffix_resolution: Option<Resolution<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    truncation: Option<Truncation>,
    #[serde(skip_serializing_if = "Option::is_none")]
    summary: Option<Summary>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub display_content: Option<DisplayContent>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rest: Option<NotListed>,
    /// The number of unresolved merge conflicts in the shown lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    conflict_count: Option<u64>,
    meta: Meta<'a>,
}

/// The text without line numbers.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct DisplayContent {
    pub text: &'static str,
    /// The number of the first line of `text`, as in `meta.truncation.shownRange`.
    pub start_line: i64,
}

/// The number of lines that an outline leaves out of its text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Summary {
    /// The number of lines of the whole text.
    lines: u64,
    /// The number of places where lines were left out.
    elided_spans: usize,
    /// The number of lines that were left out.
    elided_lines: u64,
}

/// The numbers of the declarations, headings or units that the page does not show.
#[derive(Serialize)]
struct NotListed {
    /// The number of those that the reply lists.
    listed: usize,
    /// The number of the others.
    more: u64,
}

#[derive(Serialize)]
struct Resolution<'a> {
    from: &'a str,
    to: &'a str,
}

/// The truncation of a page, with the field names of the agent's other tools.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Truncation {
    truncated: bool,
    truncated_by: Option<&'static str>,
    total_lines: u64,
    total_bytes: Option<u64>,
    output_lines: usize,
    output_bytes: usize,
    last_line_partial: bool,
    /// The number of lines of which only the first characters are shown.
    #[serde(skip_serializing_if = "is_zero")]
    cut_lines: usize,
    /// The path that reads the rest of the first line that is cut.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_cut: Option<String>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde passes references")]
fn is_zero(count: &usize) -> bool {
    *count == 0
}

#[derive(Serialize)]
struct Meta<'a> {
    source: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    truncation: Option<Shown<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limits: Option<Limits>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Shown<'a> {
    #[serde(rename = "shownRange")]
    range: Span,
    total_lines: u64,
    /// Whether `total_lines` is a lower bound.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    at_least: bool,
    total_bytes: Option<u64>,
    next_offset: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    artifact_id: Option<&'a str>,
}

#[derive(Serialize)]
struct Span {
    start: i64,
    end: i64,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Limits {
    result_limit: u64,
}

impl<'a> Details<'a> {
    /// Computes the details of an answer. The caller sets `display_content`.
    pub fn of(answer: &'a Answer) -> Self {
        let subject = &answer.subject;
        let listed = match &answer.body {
            Body::Listing(listing) => Some(listing.listed),
            _ => None,
        };
        let outline = match &answer.body {
            Body::Text(text) => text.outline.as_ref().map(|outline| {
                let (elided_lines, elided_spans) = outline::elided(outline, &text.page);
                Summary {
                    lines: outline.lines,
                    elided_spans,
                    elided_lines,
                }
            }),
            _ => None,
        };
        let log = match &answer.body {
            Body::Text(text) => text.log.as_ref(),
            _ => None,
        };
        let cut = answer
            .page()
            .filter(|_| answer.is_cut() && outline.is_none());
        let result_limit = match &answer.body {
            Body::Listing(listing) if listing.page.following.is_some() => {
                Some(listing.page_limit())
            }
            Body::Listing(listing) => listing.limit,
            Body::Database(database) => {
                let tables = database.part == DatabasePart::Tables;
                Some(database.rows).filter(|rows| tables && *rows < database.total.count())
            }
            _ => None,
        };
        let total_bytes = answer.size().filter(|_| listed.is_none());
        Self {
            is_directory: listed.is_some(),
            resolved_path: subject.absolute(),
            web: subject.web.as_deref().map(Web::of),
            suffix_resolution: subject.repair.as_ref().map(|repair| Resolution {
                from: &repair.from,
                to: &repair.to,
            }),
            truncation: cut.map(|page| Truncation {
                truncated: true,
                truncated_by: match page.limit {
                    Some(Limit::Lines) => Some("lines"),
                    Some(Limit::Bytes(_)) => Some("bytes"),
                    Some(Limit::Tokens(_)) => Some("tokens"),
                    None => page
                        .lines
                        .iter()
                        .any(|line| line.cut.is_some())
                        .then_some("columns"),
                },
                total_lines: page.total.count(),
                total_bytes,
                output_lines: page.lines.len(),
                output_bytes: page.text.len(),
                last_line_partial: page.lines.last().is_some_and(|line| line.cut.is_some()),
                cut_lines: page.lines.iter().filter(|line| line.cut.is_some()).count(),
                first_cut: page.lines.iter().find_map(|line| {
                    Some(subject.with_selector(&page.line_remainder(line, line.cut?)))
                }),
            }),
            summary: outline,
            display_content: None,
            rest: match &answer.body {
                Body::Text(text) => text.unshown.as_ref().map(|unshown| NotListed {
                    listed: unshown.entries.len(),
                    more: unshown.more,
                }),
                _ => None,
            },
            conflict_count: match &answer.body {
                Body::Text(text) => Some(text.conflicts).filter(|count| *count > 0),
                _ => None,
            },
            meta: Meta {
                source: subject.absolute(),
                truncation: cut.and_then(|page| {
                    // The view of a log shows more lines, but the next path follows its first ones.
                    let last = match log {
                        Some(log) => page
                            .lines
                            .get(usize::try_from(log.first).ok()?.checked_sub(1)?)?,
                        None => page.lines.last()?,
                    };
                    Some(Shown {
                        range: Span {
                            start: page.lines.first()?.number,
                            end: last.number,
                        },
                        total_lines: page.total.count(),
                        at_least: matches!(page.total, Total::AtLeast(_)),
                        total_bytes,
                        // The number of the next line, if the next page starts with a line and
                        // lines are numbered from the start.
                        next_offset: (page.following.is_some()
                            && last.number > 0
                            && (last.cut.is_none() || page.limit.is_none() || log.is_some()))
                        .then(|| last.number.saturating_add(1)),
                        artifact_id: subject.artifact.as_deref(),
                    })
                }),
                limits: result_limit.map(|result_limit| Limits { result_limit }),
            },
        }
    }
}
