//! Summaries that repeat the content of an item.

/// Letters and digits after which two texts are the same, about 14 words.
const SAME: usize = 80;

/// The number of words of an excerpt that are compared. Excerpts of programs have 55.
const WORDS: usize = 100;

/// The number of words that a program leaves out of an excerpt, such as captions.
const LEFT_OUT: usize = 60;

/// The number of places in a content at which an excerpt may start.
const STARTS: usize = 16;

/// The number of words of the longest link after an excerpt, without the title in it.
const LINK_WORDS: usize = 24;

/// Marks of a text that a program cut, the longest first.
const CUTS: &[&str] = &[
    "[…]", "[...]", "(…)", "(...)", "&#8230;", "&hellip;", "…", "...",
];

/// Texts of links from an excerpt to its content.
const LINKS: &[&str] = &[
    "continue",
    "keep reading",
    "leer más",
    "leggi",
    "lire la suite",
    "more",
    "read",
    "the post",
    "view",
    "weiterlesen",
    "читать",
    "→",
    "»",
];

/// A text that is shown, with which summaries are compared.
#[derive(Debug)]
pub struct Shown {
    line: String,
    essence: String,
}

impl Shown {
    pub fn new(line: String) -> Self {
        let essence = essence(&line);
        Self { line, essence }
    }
}

/// Letters and digits, which are equal in texts that differ in markup and spacing only.
pub fn essence(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// Whether a summary, as one line, is a part of a text, also if it is cut off.
pub fn repeats(summary: &str, shown: &Shown) -> bool {
    let whole = essence(summary);
    let end = whole.char_indices().nth(SAME);
    let start = end.and_then(|(end, _)| whole.get(..end)).unwrap_or(&whole);
    contains(&shown.essence, start) || is_excerpt(summary, shown)
}

fn contains(text: &str, part: &str) -> bool {
    memchr::memmem::find(text.as_bytes(), part.as_bytes()).is_some()
}

/// Whether a summary is an excerpt of a text: words of the text up to a mark, perhaps without
/// captions, and a link to the text.
fn is_excerpt(summary: &str, shown: &Shown) -> bool {
    let cut = CUTS
        .iter()
        .find_map(|mark| Some((summary.rfind(mark)?, mark.len())));
    let Some((at, length)) = cut else {
        return false;
    };
    let rest = summary.get(at.saturating_add(length)..).unwrap_or_default();
    let before = summary.get(..at).unwrap_or_default();
    is_link(rest, shown) && in_order(before, &shown.line)
}

/// Whether the text after an excerpt is a link, or is in the content too.
fn is_link(rest: &str, shown: &Shown) -> bool {
    let rest = rest.trim();
    let lower = rest.to_lowercase();
    contains(&shown.essence, &essence(rest))
        || (LINKS.iter().any(|link| lower.starts_with(link))
            && rest.split_whitespace().nth(LINK_WORDS).is_none())
}

/// Whether the words of an excerpt are in a text, in the same order and near each other.
fn in_order(excerpt: &str, text: &str) -> bool {
    let words = |text: &str, limit: usize| -> Vec<String> {
        let words = text.split_whitespace().map(essence);
        words.filter(|word| !word.is_empty()).take(limit).collect()
    };
    let excerpt = words(excerpt, WORDS);
    let Some(first) = excerpt.first() else {
        return false;
    };
    // The excerpt is from the start of the text.
    let text = words(text, WORDS.saturating_add(LEFT_OUT).saturating_mul(2));
    let starts = text
        .iter()
        .enumerate()
        .filter(|(_, word)| *word == first)
        .map(|(at, _)| at);
    starts.take(STARTS).any(|start| {
        let length = excerpt.len().saturating_add(LEFT_OUT);
        let mut near = text.iter().skip(start).take(length);
        let mut found = excerpt.iter();
        // The last word may be cut off.
        let last = excerpt.len().saturating_sub(1);
        found
            .by_ref()
            .take(last)
            .all(|word| near.any(|other| other == word))
            && found.all(|word| near.any(|other| other.starts_with(word.as_str())))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CONTENT: &str = "The keeper walked along the shore. A boat at the pier. Photo: Ann Bee He \
                           counted the boats that had come home. The post The keeper appeared first on The Log.";

    fn is_repeated(summary: &str) -> bool {
        repeats(summary, &Shown::new(CONTENT.to_owned()))
    }

    #[test]
    fn excerpt_without_caption_is_repeated() {
        for end in [
            "[…]",
            "[...]",
            "[&#8230;]",
            "… Continue reading The keeper →",
            "[…] The post The keeper appeared first on The Log.",
        ] {
            let summary =
                format!("The keeper walked along the shore. He counted the boats that {end}");
            assert!(is_repeated(&summary), "{summary}");
        }
        assert!(is_repeated("The keeper walked along the sho…"));
    }

    #[test]
    fn summary_with_other_words_is_not_repeated() {
        for summary in [
            "The keeper sailed along the shore and counted the boats […]",
            "The keeper walked along the shore […] His daughter waited at home.",
            "A keeper walked along the shore.",
            "He counted the boats. The keeper walked along […]",
            "…",
        ] {
            assert_eq!(is_repeated(summary), summary == "…", "{summary}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_accepted(summary in "[ab….\\[\\] ]{0,40}", text in "[ab. ]{0,60}") {
            repeats(&summary, &Shown::new(text));
        }
    }
}
