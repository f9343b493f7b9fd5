//! Sections of texts with headings, such as Markdown: `README.md#install`.
//!
//! The id of a heading is that of GitHub: its text in lower case, without punctuation, and with `-`
//! for each space. Headings with the same id are numbered from the second one on: `-1`, `-2`.

use super::outline::whole;
use crate::encoding::Encoding;
use crate::limits;
use crate::pages::Input;
use crate::path::{Lines, Part, Range, Selector, Start};
use crate::subject::Subject;
use omniread_outline::data::Scanned;
use omniread_outline::{self as outline, Item};
use std::collections::BTreeMap;

/// A section that was found.
#[derive(Debug, PartialEq, Eq)]
pub struct Section {
    /// The selector for the requested lines of the text. `None` if all of them are after the end of the
    /// section.
    pub selector: Option<Selector>,
    /// The requested ranges that start after the end of the section. They count its lines.
    pub skipped: Vec<Range>,
    /// The number of lines of the section.
    pub count: u64,
}

/// The reason why a section was not found.
#[derive(Debug, PartialEq, Eq)]
pub enum Missing {
    /// The text has no headings.
    NoHeadings,
    /// The text is too long to find headings in it.
    TooLong,
    /// No heading has this id. Contains the ids of some headings.
    NoSection(Vec<String>),
}

/// The selector for the lines of a section, and for the requested lines in it.
///
/// # Errors
/// Fails if there is no such section, or if it cannot be searched for.
pub fn find(
    input: &Input<'_>,
    encoding: Encoding,
    subject: &Subject,
    selector: &Selector,
) -> Result<Section, Missing> {
    let wanted = selector.section().unwrap_or_default();
    let (text, _) = whole(input, encoding).ok_or(Missing::TooLong)?;
    let scanned = outline::scan(&text, subject.inner_name());
    let Some(Scanned::Items(parsed)) = scanned.filter(is_prose) else {
        return Err(Missing::NoHeadings);
    };
    let ids = ids(&parsed.items);
    let is = |id: &str| ids.iter().position(|own| own == id);
    let place = is(wanted).or_else(|| is(&id_of(wanted)));
    let Some(item) = place.and_then(|place| parsed.items.get(place)) else {
        let ids = ids.into_iter().filter(|id| !id.is_empty());
        let ids: Vec<String> = ids.take(limits::LISTED_RANGES).collect();
        return Err(if ids.is_empty() {
            Missing::NoHeadings
        } else {
            Missing::NoSection(ids)
        });
    };
    let (first, last) = (u64::from(item.first), u64::from(item.last));
    Ok(section(selector, first, last.max(first)))
}

/// The requested lines of the section that has the lines `first` to `last` of a text.
pub fn section(selector: &Selector, first: u64, last: u64) -> Section {
    let count = last.saturating_sub(first).saturating_add(1);
    let of_text = |line: u64| line.saturating_add(first).saturating_sub(1);
    let within = |range: &Range| Range {
        start: Start {
            line: of_text(range.start.line),
            ..range.start
        },
        end: match (range.end, range.by_column) {
            (None, true) => None,
            (None, false) => Some(last),
            (Some(end), _) => Some(of_text(end).min(last)),
        },
        ..*range
    };
    let requested = match &selector.lines {
        Lines::All => vec![Range::lines(1, None)],
        Lines::One(range) => vec![*range],
        Lines::List(ranges) => ranges.clone(),
        Lines::Tail {
            count: lines,
            column,
        } => vec![Range {
            start: Start {
                line: count.saturating_add(1).saturating_sub(*lines).max(1),
                column: *column,
            },
            end: Some(count),
            by_column: *column > 1,
        }],
    };
    let (found, skipped): (Vec<Range>, Vec<Range>) = requested
        .iter()
        .partition(|range| range.start.line <= count);
    let lines = found.iter().map(within).collect();
    let selector = (!found.is_empty()).then_some(Selector {
        part: Part::Whole,
        // A list is shown without lines around it.
        lines: Lines::List(lines),
        raw: selector.raw,
    });
    Section {
        selector,
        skipped,
        count,
    }
}

fn is_prose(scanned: &Scanned) -> bool {
    matches!(scanned, Scanned::Items(parsed) if parsed.prose)
}

/// The ids of headings, in order.
fn ids(items: &[Item]) -> Vec<String> {
    let mut counts: BTreeMap<String, u64> = BTreeMap::new();
    let numbered = items.iter().map(|item| {
        let id = id_of(item.name.trim_start_matches(['#', '=', '*']).trim());
        let count = counts.entry(id.clone()).or_default();
        let same = *count;
        *count = count.saturating_add(1);
        match same {
            0 => id,
            same => format!("{id}-{same}"),
        }
    });
    numbered.collect()
}

/// The id of a heading.
fn id_of(heading: &str) -> String {
    let kept = heading.chars().filter_map(|c| match c {
        ' ' | '-' => Some('-'),
        '_' => Some('_'),
        c if c.is_alphanumeric() => Some(c),
        _ => None,
    });
    kept.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_of_a_heading_is_that_of_github() {
        for (heading, id) in [
            ("Install", "install"),
            ("Getting Started", "getting-started"),
            ("What's new in 2.0?", "whats-new-in-20"),
            ("The `run` command", "the-run-command"),
            ("a_b - c", "a_b---c"),
            ("Übersicht", "übersicht"),
        ] {
            assert_eq!(id_of(heading), id, "{heading}");
        }
    }

    #[test]
    fn headings_with_the_same_id_are_numbered() {
        let items = ["Use", "Setup", "Use", "use"].map(|name| Item::section(name, 1, 0));
        assert_eq!(ids(&items), ["use", "setup", "use-1", "use-2"]);
    }

    #[test]
    fn lines_after_the_end_of_a_section_are_skipped() {
        // The section has 12 lines, from line 11 on.
        for (lines, of_text, skipped) in [
            ("1", Some("11-22"), ""),
            ("12", Some("22-22"), ""),
            ("3-500", Some("13-22"), ""),
            ("-2", Some("21-22"), ""),
            ("-50", Some("11-22"), ""),
            ("2@5", Some("12@5"), ""),
            ("5,500,600-700", Some("15-15"), "500-500,600-700"),
            ("13", None, "13"),
            ("500,600", None, "500-500,600-600"),
            ("500@3", None, "500@3"),
        ] {
            let selector = Selector::parse(lines).unwrap().unwrap();
            let found = section(&selector, 11, 22);
            let text = |ranges: &[Range]| {
                let ranges: Vec<String> = ranges
                    .iter()
                    .map(|range| match (range.end, range.by_column) {
                        (Some(end), false) => format!("{}-{end}", range.start.line),
                        _ => range.to_string(),
                    })
                    .collect();
                ranges.join(",")
            };
            let shown = found.selector.map(|selector| match selector.lines {
                Lines::List(ranges) => text(&ranges),
                other => other.to_string(),
            });
            assert_eq!(shown.as_deref(), of_text, "{lines}");
            assert_eq!(text(&found.skipped), skipped, "{lines}");
            assert_eq!(found.count, 12);
        }
    }
}
