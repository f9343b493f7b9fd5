//! What is missing in the text of a page, as notes.

use crate::limits;
use crate::page::Missing;

/// Whether the fonts do not say which characters so many of the glyphs are that the text is wrong.
pub fn is_unreadable(missing: &Missing) -> bool {
    unmapped_share(missing) >= limits::UNMAPPED_SHARE && missing.unmapped > 5
}

/// The share of glyphs whose character is unknown, in percent.
fn unmapped_share(missing: &Missing) -> usize {
    let unmapped = missing.unmapped.saturating_mul(100);
    unmapped.checked_div(missing.glyphs).unwrap_or_default()
}

/// What a reader of the page must know. The reader of documents puts `On page 3,` before each note, or
/// `On pages 1-60,` if they have the same.
pub fn notes(missing: &Missing) -> Vec<String> {
    let mut notes = Vec::new();
    let has_no_text = missing.glyphs == 0;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn notes_name_what_is_missing() {
        let missing = Missing {
            glyphs: 100,
            unmapped: 60,
            hidden: 1,
            ..Missing::default()
        };
        let notes = notes(&missing);
        assert_eq!(notes.len(), 2);
        assert!(notes[0].contains("60 %") && notes[1].ends_with("left out: 1 character."));
        assert_eq!(super::notes(&Missing::default()), ["There is no text."]);
        let cut = Missing {
            cut: true,
            ..Missing::default()
        };
        assert_eq!(
            super::notes(&cut),
            ["There is too much content. The part that was read has no text."]
        );
    }
}
