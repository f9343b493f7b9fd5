//! Notes on the pages of a reply.
//!
//! The converter of a document returns the notes of each page without the number of the page. A note of
//! several pages is one note of the reply: `On pages 1-60, there is no text.`

use crate::limits;
use crate::path::UnitKind;
use std::collections::BTreeMap;

/// The notes of a reply on its units. `notes` has the index of each unit, counted from 0, in ascending
/// order. Only pages are named: the notes on other units have no common form.
pub fn of_reply(kind: UnitKind, notes: Vec<(u64, String)>) -> Vec<String> {
    if kind != UnitKind::Page {
        return notes.into_iter().map(|(_, note)| note).collect();
    }
    let mut order: Vec<(String, Vec<u64>)> = Vec::new();
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    for (place, note) in notes {
        let number = kind.first().saturating_add(place);
        let index = *known.entry(note).or_insert_with_key(|note| {
            order.push((note.clone(), Vec::new()));
            order.len().saturating_sub(1)
        });
        let Some((_, numbers)) = order.get_mut(index) else {
            continue;
        };
        if numbers.last() != Some(&number) {
            numbers.push(number);
        }
    }
    let more = order.len().saturating_sub(limits::UNIT_NOTES);
    let named = order.iter().take(limits::UNIT_NOTES);
    let mut out: Vec<String> = named
        .map(|(note, numbers)| format!("On {}, {}", pages(numbers), with_small_letter(note)))
        .collect();
    if more > 0 {
        let (s, verb) = if more == 1 { ("", "is") } else { ("s", "are") };
        out.push(format!(
            "{more} more note{s} on pages {verb} left out; the reply to `:page:N` has those on page N"
        ));
    }
    out
}

/// Names pages: `page 3`, `pages 1-60`, `pages 1, 4-6 and 9`.
fn pages(numbers: &[u64]) -> String {
    let runs: Vec<&[u64]> = numbers
        .chunk_by(|last, next| last.saturating_add(1) == *next)
        .collect();
    let mut names: Vec<String> = Vec::new();
    for run in runs.iter().take(limits::LISTED_RANGES) {
        names.push(match run {
            [first, .., last] => format!("{first}-{last}"),
            [first] => first.to_string(),
            [] => continue,
        });
    }
    let others = runs.iter().skip(limits::LISTED_RANGES);
    match others.map(|run| run.len()).fold(0, usize::saturating_add) {
        0 => {}
        1 => names.push("1 other".to_owned()),
        others => names.push(format!("{others} others")),
    }
    let s = if numbers.len() == 1 { "" } else { "s" };
    match names.as_slice() {
        [names @ .., last] if !names.is_empty() => {
            format!("page{s} {} and {last}", names.join(", "))
        }
        names => format!("page{s} {}", names.join("")),
    }
}

/// A sentence without the capital letter of its first word. Abbreviations such as `XML` keep it.
fn with_small_letter(sentence: &str) -> String {
    let mut chars = sentence.chars();
    match (chars.next(), chars.clone().next()) {
        (Some(first), Some(second)) if !second.is_uppercase() => {
            first.to_lowercase().chain(chars).collect()
        }
        _ => sentence.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(kind: UnitKind, notes: &[(u64, &str)]) -> Vec<String> {
        let notes = notes
            .iter()
            .map(|(place, note)| (*place, (*note).to_owned()));
        of_reply(kind, notes.collect())
    }

    #[test]
    fn notes_name_their_pages() {
        let scan = "There is no text, only images.";
        let scans: Vec<(u64, &str)> = (0..60).map(|place| (place, scan)).collect();
        for (notes, named) in [
            (
                vec![(2, scan)],
                vec!["On page 3, there is no text, only images."],
            ),
            (scans, vec!["On pages 1-60, there is no text, only images."]),
            (
                vec![
                    (0, scan),
                    (0, scan),
                    (2, "XML is damaged."),
                    (2, scan),
                    (3, scan),
                ],
                vec![
                    "On pages 1 and 3-4, there is no text, only images.",
                    "On page 3, XML is damaged.",
                ],
            ),
            (
                vec![(0, scan), (2, scan), (4, scan)],
                vec!["On pages 1, 3 and 5, there is no text, only images."],
            ),
            (vec![(0, "")], vec!["On page 1, "]),
        ] {
            assert_eq!(shown(UnitKind::Page, &notes), named);
        }
    }

    #[test]
    fn notes_on_other_units_are_unchanged() {
        let notes = [(0, "A chart is missing."), (1, "A chart is missing.")];
        assert_eq!(
            shown(UnitKind::Slide, &notes),
            ["A chart is missing.", "A chart is missing."]
        );
    }

    #[test]
    fn number_of_notes_and_of_pages_is_limited() {
        let odd: Vec<(u64, &str)> = (0..100).map(|place| (place * 2, "It is odd.")).collect();
        let note = "On pages 1, 3, 5, 7, 9, 11, 13, 15, 17, 19 and 90 others, it is odd.";
        assert_eq!(shown(UnitKind::Page, &odd), [note]);
        let texts: Vec<String> = (0..100).map(|number| format!("Number {number}.")).collect();
        let many: Vec<(u64, &str)> = (0..).zip(texts.iter().map(String::as_str)).collect();
        let notes = shown(UnitKind::Page, &many);
        assert_eq!(notes.len(), limits::UNIT_NOTES + 1);
        assert!(
            notes
                .last()
                .unwrap()
                .starts_with("80 more notes on pages are left out")
        );
    }
}
