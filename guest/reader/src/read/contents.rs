//! The table of contents of a long document: its units or headings, each with the selector that
//! reads it.

use crate::answer::{Contents, Entry};
use crate::converted::Units;
use crate::escapes::escape_invisible;
use crate::limits;
use crate::path::{Part, Range, Selector, UnitKind, UnitRange};
use memchr::memchr;

/// Lists the units of a document, such as slides. `None` if there are fewer than two,
/// and for a workbook if there is none. Pages are listed by the outline of the document, because
/// their numbers alone say nothing.
pub fn of_units(units: &mut dyn Units) -> Option<Contents> {
    let (kind, count) = (units.kind(), units.count());
    if kind == UnitKind::Page {
        let outline = units.outline();
        return of_outline(&outline, |place| units.title(place).name);
    }
    let listed = count.min(limits::CONTENTS);
    let entries = (0..listed).map(|place| {
        let number = kind.first().saturating_add(place);
        let range = UnitRange::one(kind, number);
        let title = units.title(place);
        let of_number = || Selector::of(Part::Units(range)).to_string();
        Entry {
            selector: title.selector.clone().unwrap_or_else(of_number),
            level: 1,
            title: line(&title.name),
            hidden: title.hidden,
        }
    });
    let least = usize::from(kind != UnitKind::Sheet);
    let entries: Vec<Entry> = entries.collect();
    (entries.len() > least).then(|| Contents {
        word: kind.word(),
        entries,
        more: count.saturating_sub(listed),
    })
}

/// Lists the entries of an outline of pages. If there are too many, only those of the upper levels
/// are listed. `label` is the label of a page. `None` if there are fewer than two.
fn of_outline(
    outline: &[(u8, String, u64)],
    mut label: impl FnMut(u64) -> String,
) -> Option<Contents> {
    let levels = shown_levels(&outline.iter().map(|(level, _, _)| *level));
    let shown = outline.iter().filter(|(level, _, _)| *level <= levels);
    let most = usize::try_from(limits::CONTENTS).unwrap_or(usize::MAX);
    let entries: Vec<Entry> = shown
        .take(most)
        .map(|(level, title, place)| {
            let number = UnitKind::Page.first().saturating_add(*place);
            let range = UnitRange::one(UnitKind::Page, number);
            Entry {
                selector: Selector::of(Part::Units(range)).to_string(),
                level: *level,
                title: match label(*place).as_str() {
                    "" => line(title),
                    label => format!("{} (page {label})", line(title)),
                },
                hidden: false,
            }
        })
        .collect();
    let total = outline.len() as u64;
    (entries.len() > 1).then(|| Contents {
        word: "heading",
        more: total.saturating_sub(entries.len() as u64),
        entries,
    })
}

/// The lowest level of headings that a list has room for, of 6 levels.
fn shown_levels(all: &(impl Iterator<Item = u8> + Clone)) -> u8 {
    let mut levels = 6;
    let count = |levels: u8| all.clone().filter(|level| *level <= levels).count() as u64;
    while levels > 1 && count(levels) > limits::CONTENTS && count(levels.saturating_sub(1)) > 0 {
        levels = levels.saturating_sub(1);
    }
    levels
}

/// Lists the headings of a Markdown text, each with the line at which it starts. If there are too
/// many, only those of the upper levels are listed. `None` if there are fewer than two.
pub fn of_headings(text: &str) -> Option<Contents> {
    let headings = headings(text);
    let levels = shown_levels(&headings.iter().map(|(_, level, _)| *level));
    let total = headings.len() as u64;
    let shown = headings
        .into_iter()
        .filter(|(_, level, _)| *level <= levels)
        .take(usize::try_from(limits::CONTENTS).unwrap_or(usize::MAX));
    let entries: Vec<Entry> = shown
        .map(|(number, level, title)| Entry {
            selector: Range::lines(number, None).to_string(),
            level,
            title: line(title),
            hidden: false,
        })
        .collect();
    (entries.len() > 1).then(|| Contents {
        word: "heading",
        more: total.saturating_sub(entries.len() as u64),
        entries,
    })
}

/// The lines of a text, as [`str::lines`] returns them, found at memory speed.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        if rest.is_empty() {
            return None;
        }
        let end = memchr(b'\n', rest.as_bytes());
        let Some((line, after)) = end.and_then(|end| rest.split_at_checked(end)) else {
            return Some(std::mem::take(&mut rest));
        };
        rest = after.get(1..).unwrap_or_default();
        Some(line.strip_suffix('\r').unwrap_or(line))
    })
}

/// The headings outside of code: number of the line, level and text.
fn headings(text: &str) -> Vec<(u64, u8, &str)> {
    let mut found = Vec::new();
    let mut fence: Option<&str> = None;
    for (number, line) in (1u64..).zip(lines(text)) {
        let ticks = line.trim_start_matches('`');
        let ticks = line.get(..line.len().saturating_sub(ticks.len()));
        let ticks = ticks.filter(|ticks| ticks.len() >= 3);
        match (fence, ticks) {
            (None, Some(ticks)) => fence = Some(ticks),
            (Some(open), Some(ticks)) if ticks.len() >= open.len() => fence = None,
            _ => {}
        }
        if fence.is_some() || !line.starts_with('#') {
            continue;
        }
        let title = line.trim_start_matches('#');
        let level = line.len().saturating_sub(title.len());
        if let Some(title) = title.strip_prefix(' ')
            && let Some(level) = u8::try_from(level).ok().filter(|level| *level <= 6)
        {
            found.push((number, level, title));
        }
    }
    found
}

/// A title in one line, without the syntax of Markdown that needs space.
fn line(title: &str) -> String {
    let words: Vec<&str> = title.split_whitespace().collect();
    let title = escape_invisible(&words.join(" "));
    match title.char_indices().nth(limits::CONTENTS_CHARS) {
        Some((end, _)) => format!("{}…", title.get(..end).unwrap_or_default()),
        None => title,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_have_the_lines_at_which_they_start() {
        let text = "# A\n\n```\n# code\n```\n## B  b\n#c\ntext\n# D";
        let contents = of_headings(text).unwrap();
        let entries: Vec<(&str, u8, &str)> = contents
            .entries
            .iter()
            .map(|entry| (entry.selector.as_str(), entry.level, entry.title.as_str()))
            .collect();
        assert_eq!(entries, [("1", 1, "A"), ("6", 2, "B b"), ("9", 1, "D")]);
        assert_eq!(of_headings("# only one\ntext"), None);
    }

    #[test]
    fn lines_are_those_of_the_standard_library() {
        for text in ["", "a", "a\n", "\n", "\n\na\r\n\r\nb\r", "a\r\n", "\r\n\r"] {
            let found: Vec<&str> = lines(text).collect();
            assert_eq!(found, text.lines().collect::<Vec<_>>(), "{text:?}");
        }
    }

    #[test]
    fn lower_levels_are_left_out_of_a_long_list() {
        let text = "# A\n".to_owned() + &"## x\n".repeat(1000) + "# B\n";
        let contents = of_headings(&text).unwrap();
        assert_eq!((contents.entries.len(), contents.more), (2, 1000));
    }
}
