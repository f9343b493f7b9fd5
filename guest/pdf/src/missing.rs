//! What is missing in the text of a page, as notes.

use crate::limits;
use crate::page::{Missing, PageContent};
use omniread_document::note::quoted_name;
use std::collections::BTreeSet;

/// Whether an image of the page is shown, because its text is missing, cannot be seen or cannot be decoded.
pub fn needs_image(missing: &Missing) -> bool {
    match missing.glyphs {
        _ if missing.unknown > 0 => true,
        0 => missing.ink,
        _ => is_unreadable(missing),
    }
}

/// Whether the fonts do not say which characters so many of the glyphs are that the text is wrong.
fn is_unreadable(missing: &Missing) -> bool {
    unmapped_share(missing) >= limits::UNMAPPED_SHARE && missing.unmapped > limits::UNMAPPED_FEW
}

/// The share of glyphs whose character is unknown, in percent.
fn unmapped_share(missing: &Missing) -> usize {
    let unmapped = missing.unmapped.saturating_mul(100);
    unmapped.checked_div(missing.glyphs).unwrap_or_default()
}

/// What a reader of the page must know. The reader of documents puts `On page 3,` before each note, or
/// `On pages 1-60,` if they have the same.
pub fn notes(page: &PageContent) -> Vec<String> {
    let missing = &page.missing;
    let mut notes = Vec::new();
    let has_no_text = missing.glyphs == 0 && missing.unknown == 0;
    if missing.cut {
        let rest = if has_no_text {
            "The part that was read has no text."
        } else {
            "The rest is left out."
        };
        notes.push(format!("There is too much content. {rest}"));
    }
    if missing.unended > 0 {
        let (s, have) = match missing.unended {
            1 => ("", "has"),
            _ => ("s", "have"),
        };
        notes.push(format!(
            "{} image{s} in the content {have} no end, and {} left out.",
            missing.unended,
            if missing.unended == 1 { "is" } else { "are" },
        ));
    }
    if has_no_text && missing.images > 0 {
        notes.push("There is no text, only images, as in a scan.".to_owned());
    } else if has_no_text && missing.hidden == 0 && !missing.cut {
        notes.push("There is no text.".to_owned());
    }
    if missing.recognised.saturating_mul(2) > missing.glyphs {
        let note = "A program recognised the text in an image. It may have errors.";
        notes.push(note.to_owned());
    }
    if missing.unknown > 0 {
        notes.push(unknown(page));
    }
    if is_unreadable(missing) {
        let share = unmapped_share(missing);
        notes.push(format!(
            "The fonts do not say which characters {share} % of the signs are, so the text may be wrong. An image shows it."
        ));
    }
    if missing.hidden > 0 {
        let s = if missing.hidden == 1 { "" } else { "s" };
        notes.push(format!(
            "Text that cannot be seen is left out: {} character{s}.",
            missing.hidden
        ));
    }
    notes
}

/// The note on text whose characters are unknown.
fn unknown(page: &PageContent) -> String {
    if page.missing.glyphs == 0 {
        // Pages of one file have the same note, so it has no number.
        return "The fonts do not say which characters the signs are, so none of the text is shown. An image shows it."
            .to_owned();
    }
    let fonts = page.fonts.iter().zip(&page.unknown_fonts);
    let names: BTreeSet<&str> = fonts
        .filter(|it| *it.1 && !it.0.name.is_empty())
        .map(|it| it.0.name.as_str())
        .collect();
    let named = names.iter().take(limits::UNMAPPED_FONTS);
    let mut parts: Vec<String> = named.map(|it| quoted_name(it)).collect();
    match names.len().saturating_sub(limits::UNMAPPED_FONTS) {
        0 => {}
        1 => parts.push("1 other".to_owned()),
        others => parts.push(format!("{others} others")),
    }
    let of = match parts.as_slice() {
        [] => String::new(),
        [one] => format!(" of the font {one}"),
        [parts @ .., last] => format!(" of the fonts {} and {last}", parts.join(", ")),
    };
    let s = if page.missing.unknown == 1 { "" } else { "s" };
    format!(
        "Text whose characters are unknown is left out: {} sign{s}{of}. An image shows it.",
        page.missing.unknown
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Font;

    fn notes(missing: &Missing) -> Vec<String> {
        super::notes(&PageContent {
            missing: *missing,
            ..PageContent::default()
        })
    }

    #[test]
    fn unknown_text_has_a_note() {
        let missing = Missing {
            unknown: 40,
            images: 1,
            ..Missing::default()
        };
        let all = notes(&missing);
        assert!(
            all.len() == 1 && all[0].contains("none of the text"),
            "{all:?}"
        );
        let font = |name: &str| Font {
            name: name.to_owned(),
            ..Font::default()
        };
        let mut page = PageContent {
            missing: Missing {
                glyphs: 100,
                ..missing
            },
            fonts: ["B", "A", "B", "Z", ""].map(font).to_vec(),
            unknown_fonts: vec![true, true, true, false, true],
            ..PageContent::default()
        };
        let part = super::notes(&page);
        let text = "Text whose characters are unknown is left out: 40 signs of the fonts `A` and `B`. An image shows it.";
        assert_eq!(part, [text]);
        page.fonts = ["E", "D", "C", "B", "A"].map(font).to_vec();
        page.unknown_fonts = vec![true; 5];
        assert!(super::notes(&page)[0].contains("fonts `A`, `B`, `C` and 2 others."));
        page.unknown_fonts.clear();
        assert!(super::notes(&page)[0].contains("out: 40 signs. An"));
    }

    #[test]
    fn notes_name_what_is_missing() {
        let missing = Missing {
            glyphs: 100,
            unmapped: 60,
            hidden: 1,
            ..Missing::default()
        };
        let found = notes(&missing);
        assert_eq!(found.len(), 2);
        assert!(found[0].contains("60 %") && found[1].ends_with("left out: 1 character."));
        assert_eq!(notes(&Missing::default()), ["There is no text."]);
        let cut = Missing {
            cut: true,
            ..Missing::default()
        };
        assert_eq!(
            notes(&cut),
            ["There is too much content. The part that was read has no text."]
        );
    }
}
