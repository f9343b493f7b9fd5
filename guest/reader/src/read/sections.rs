//! Sections of texts with headings, such as Markdown: `README.md#install`.
//!
//! The id of a heading is that of GitHub: its text in lower case, without punctuation, and with `-`
//! for each space. Headings with the same id are numbered from the second one on: `-1`, `-2`.

use super::outline::whole;
use crate::encoding::Encoding;
use crate::limits;
use crate::outline::data::Scanned;
use crate::outline::{self, Item};
use crate::pages::Input;
use crate::path::{Lines, Part, Range, Selector, Start};
use crate::subject::Subject;
use std::collections::BTreeMap;

/// The selector for the lines of a section, and for the requested lines in it.
///
/// # Errors
/// Fails with the ids of some sections if there is no such section, and with none if the text has no
/// headings, or is too long for an outline.
pub fn find(
    input: &Input<'_>,
    encoding: Encoding,
    subject: &Subject,
    selector: &Selector,
) -> Result<Selector, Vec<String>> {
    let wanted = selector.section().unwrap_or_default();
    let scanned =
        whole(input, encoding).and_then(|(text, _)| outline::scan(&text, subject.inner_name()));
    let Some(Scanned::Items(parsed)) = scanned.filter(is_prose) else {
        return Err(Vec::new());
    };
    let ids = ids(&parsed.items);
    let is = |id: &str| ids.iter().position(|own| own == id);
    let place = is(wanted).or_else(|| is(&id_of(wanted)));
    let Some(item) = place.and_then(|place| parsed.items.get(place)) else {
        let ids = ids.into_iter().filter(|id| !id.is_empty());
        return Err(ids.take(limits::LISTED_RANGES).collect());
    };
    let (first, last) = (u64::from(item.first), u64::from(item.last));
    let within = |range: &Range| Range {
        start: Start {
            line: range
                .start
                .line
                .saturating_add(first)
                .saturating_sub(1)
                .min(last),
            ..range.start
        },
        end: match (range.end, range.by_column) {
            (None, true) => None,
            (None, false) => Some(last),
            (Some(end), _) => Some(end.saturating_add(first).saturating_sub(1).min(last)),
        },
        ..*range
    };
    let ranges = match &selector.lines {
        Lines::All => vec![Range::lines(first, Some(last))],
        Lines::One(range) => vec![within(range)],
        Lines::List(ranges) => ranges.iter().map(within).collect(),
        Lines::Tail { count, .. } => {
            let start = last.saturating_add(1).saturating_sub(*count).max(first);
            vec![Range::lines(start, Some(last))]
        }
    };
    Ok(Selector {
        part: Part::Whole,
        // A list is shown without lines around it.
        lines: Lines::List(ranges),
        raw: selector.raw,
    })
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
}
