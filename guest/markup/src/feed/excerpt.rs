//! Summaries that repeat the content of an item.

use std::cell::OnceCell;
use std::collections::BTreeSet;

use super::model::Item;
use super::text::{Body, Text, one_line};
use crate::dom::{self, Name, Tag};
use crate::limits;
use crate::url;

/// Marks of a text that a program cut.
const CUTS: &[&str] = &[
    "[…]", "[...]", "(…)", "(...)", "&#8230;", "&hellip;", "…", "...",
];

/// Texts of links from an excerpt to its content. The title may follow.
const LINKS: &[&str] = &[
    "continue",
    "continue reading",
    "keep reading",
    "leer más",
    "leggi",
    "leggi tutto",
    "lire la suite",
    "more",
    "read",
    "read more",
    "read more of",
    "read on",
    "read the full article",
    "read the full post",
    "read the full story",
    "read the rest",
    "read the rest of",
    "view article",
    "view post",
    "weiterlesen",
    "читать",
    "читать далее",
];

/// The parts of the sentence that a program adds, before the title and before the name of the site.
const FOOTERS: &[(&str, &str)] = &[
    ("the post ", " appeared first on "),
    ("the post ", " first appeared on "),
    ("der beitrag ", " erschien zuerst auf "),
    ("la entrada ", " se publicó primero en "),
];

/// A text of an item, with which others are compared. Its parts are computed once.
#[derive(Debug)]
pub struct Shown<'t> {
    /// The text.
    pub text: &'t Text,
    /// The text in one line.
    pub line: String,
    essence: String,
    words: OnceCell<Vec<String>>,
    cuts: OnceCell<Vec<Cut>>,
    markup: OnceCell<Markup>,
}

/// A place at which a text may be cut.
#[derive(Debug)]
struct Cut {
    /// Letters and digits of the text before the mark.
    essence: String,
    /// The words before the mark. Empty if there are too many for an excerpt.
    words: Vec<String>,
    /// The text after the mark.
    rest: String,
}

/// Links and images of a text.
#[derive(Debug, Default)]
struct Markup {
    /// The targets and texts of the first links.
    links: Vec<(String, String)>,
    /// The targets of all links.
    targets: BTreeSet<String>,
    /// The file names of all images.
    images: BTreeSet<String>,
}

impl<'t> Shown<'t> {
    pub fn new(text: &'t Text) -> Self {
        let line = text.line();
        Self {
            text,
            essence: essence(&line),
            line,
            words: OnceCell::new(),
            cuts: OnceCell::new(),
            markup: OnceCell::new(),
        }
    }

    /// Whether the letters and digits of two texts are the same.
    pub fn is_equal(&self, other: &str) -> bool {
        self.essence == essence(other)
    }

    /// Whether a text of an item is a part of another one, also if it is cut off. A text with links
    /// or several images of its own is not.
    pub fn repeats(&self, shown: &Self, item: &Item) -> bool {
        let whole = shown.contains(&self.essence) && !self.has_own(shown, item, "");
        whole
            || self.cuts().iter().any(|cut| {
                let rest = essence(&cut.rest);
                let is_text = shown.contains(&rest)
                    || is_link_text(&cut.rest, |part| {
                        part == essence(&item.title) || shown.contains(part)
                    });
                let is_link = || {
                    let last = self.markup().links.last();
                    last.is_some_and(|(target, text)| !target.is_empty() && essence(text) == rest)
                };
                (shown.contains(&cut.essence) || in_order(&cut.words, shown.words()))
                    && (is_text || is_link())
                    && !self.has_own(shown, item, if is_text { &rest } else { "" })
            })
    }

    fn contains(&self, part: &str) -> bool {
        memchr::memmem::find(self.essence.as_bytes(), part.as_bytes()).is_some()
    }

    /// The words at the start.
    fn words(&self) -> &[String] {
        self.words.get_or_init(|| {
            let count = limits::EXCERPT_WORDS.saturating_add(limits::EXCERPT_LEFT_OUT);
            words(&self.line, count.saturating_mul(2))
        })
    }

    /// The places at which the text may be cut: before a mark, or before a link at its end.
    fn cuts(&self) -> &[Cut] {
        self.cuts.get_or_init(|| {
            let marks = CUTS
                .iter()
                .filter_map(|mark| Some((self.line.rfind(mark)?, mark.len())));
            let last = self.markup().links.last();
            let link = last
                .filter(|(_, text)| is_link_text(text, |_| false))
                .and_then(|(_, text)| self.line.strip_suffix(text.as_str()))
                .map(|before| (before.len(), 0));
            let cut = |(at, length): (usize, usize)| {
                let before = self.line.get(..at)?;
                let mut words = words(before, limits::EXCERPT_WORDS.saturating_add(1));
                if words.len() > limits::EXCERPT_WORDS {
                    words.clear();
                }
                Some(Cut {
                    essence: essence(before),
                    words,
                    rest: self.line.get(at.checked_add(length)?..)?.to_owned(),
                })
            };
            marks.chain(link).filter_map(cut).collect()
        })
    }

    fn markup(&self) -> &Markup {
        self.markup.get_or_init(|| match &self.text.body {
            Body::Html(html) => Markup::of(html),
            Body::Plain(_) => Markup::default(),
        })
    }

    /// Whether a text has links that another does not have, or several such images. Links in the
    /// text after an excerpt, `rest`, do not count, nor do those to the item.
    fn has_own(&self, shown: &Self, item: &Item, rest: &str) -> bool {
        let (own, other) = (self.markup(), shown.markup());
        let is_item = |target: &str| {
            let link = item.link.as_deref().unwrap_or_default();
            target.trim_end_matches('/') == link.trim_end_matches('/')
        };
        let is_own = |(target, text): &(String, String)| {
            let key = essence(text);
            !(other.targets.contains(target)
                || is_item(target)
                || (!key.is_empty() && rest.contains(&key))
                || is_link_text(text, |part| part == essence(&item.title)))
        };
        // The first image that is left out is shown alone.
        own.links.len() > limits::SUMMARY_LINKS
            || own.links.iter().any(is_own)
            || own.images.difference(&other.images).nth(1).is_some()
    }
}

impl Markup {
    fn of(html: &str) -> Self {
        let mut markup = Self::default();
        if !html.contains('<') {
            return markup;
        }
        let document = dom::parse_fragment(html);
        for id in document.with_tag(Tag::A) {
            let target = document.attribute(id, Name::Href).unwrap_or_default();
            let target = target.trim();
            if markup.links.len() <= limits::SUMMARY_LINKS {
                let mut text = String::new();
                document.raw_text(id, &mut text);
                markup.links.push((target.to_owned(), one_line(&text)));
            }
            markup.targets.insert(target.to_owned());
        }
        for id in document.with_tag(Tag::Img) {
            // Images of one pixel count readers.
            let is_pixel = |name| matches!(document.attribute(id, name), Some("0" | "1"));
            if let Some(source) = document.attribute(id, Name::Src)
                && !(is_pixel(Name::Width) || is_pixel(Name::Height))
            {
                let name = Some(url::file_name(source)).filter(|name| !name.is_empty());
                markup.images.insert(name.unwrap_or(source).to_owned());
            }
        }
        // A link without a target is not one.
        markup.targets.insert(String::new());
        markup
    }
}

/// Letters and digits, which are equal in texts that differ in markup and spacing only.
fn essence(text: &str) -> String {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect()
}

/// The essences of the first words of a text.
fn words(text: &str, limit: usize) -> Vec<String> {
    let words = text.split_whitespace().map(essence);
    words.filter(|word| !word.is_empty()).take(limit).collect()
}

/// Whether a text is that of a link to the content, or the sentence of a program about it.
/// `is_known` says whether the essence of a part is the title or in the content.
fn is_link_text(text: &str, is_known: impl Fn(&str) -> bool) -> bool {
    let lower = text.to_lowercase();
    let trimmed = |text: &str| -> String {
        let is_edge = |c: char| !c.is_alphanumeric();
        text.trim_matches(is_edge).to_owned()
    };
    let is_short = |text: &str| {
        let mut words = text.split_whitespace();
        words.nth(limits::EXCERPT_LINK_WORDS).is_none()
    };
    let mut rest = lower.as_str();
    for (start, middle) in FOOTERS {
        if let Some((before, sentence)) = rest.rsplit_once(start)
            && let Some((title, site)) = sentence.split_once(middle)
            && is_short(title)
            && is_short(site)
        {
            rest = before;
            break;
        }
    }
    let rest = trimmed(rest);
    rest.is_empty()
        || LINKS.iter().any(|link| {
            let title = rest
                .strip_prefix(link)
                .filter(|title| !title.starts_with(char::is_alphanumeric));
            title.map(essence).is_some_and(|title| {
                title.is_empty() || (is_short(&rest) && is_known(title.as_str()))
            })
        })
}

/// Whether the words of an excerpt are in a text, in the same order and near each other.
fn in_order(excerpt: &[String], text: &[String]) -> bool {
    let Some(first) = excerpt.first() else {
        return false;
    };
    let starts = text
        .iter()
        .enumerate()
        .filter(|(_, word)| *word == first)
        .map(|(at, _)| at);
    starts.take(limits::EXCERPT_STARTS).any(|start| {
        let length = excerpt.len().saturating_add(limits::EXCERPT_LEFT_OUT);
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

    fn repeats(summary: &str, content: &str) -> bool {
        let item = Item {
            title: "The keeper".to_owned(),
            link: Some("http://h/keeper".to_owned()),
            ..Item::default()
        };
        let text = |text: &str| Text::guessed(text.to_owned());
        let (summary, content) = (text(summary), text(content));
        Shown::new(&summary).repeats(&Shown::new(&content), &item)
    }

    fn is_repeated(summary: &str) -> bool {
        repeats(summary, CONTENT)
    }

    #[test]
    fn excerpt_without_caption_is_repeated() {
        for end in [
            "[…]",
            "[...]",
            "[&#8230;]",
            "… Continue reading The keeper →",
            "[…] Read more",
            "… <a href='http://h/keeper/'>To the whole text</a>",
            "<a href='http://h/keeper'>Read more »</a>",
            "[…] The post The keeper appeared first on The Log.",
            "… Weiterlesen → The post <a href='http://h/keeper'>The keeper</a> appeared first on \
             <a href='http://h/'>The Journal</a>.",
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
            "The keeper walked along the shore […] More than 40 people were hurt.",
            "The keeper walked along the shore… Read his diary of 1871.",
            "The keeper walked along the shore… View of the pier at night",
            "The keeper walked along the shore… <a href='http://h/x'>His daughter waited</a>",
            "The keeper walked along the shore… <a>His daughter waited</a>",
            "…",
        ] {
            assert_eq!(is_repeated(summary), summary == "…", "{summary}");
        }
    }

    #[test]
    fn start_of_content_with_another_end_is_not_repeated() {
        let start = "The keeper walked along the shore. A boat at the pier. Photo: Ann Bee He counted the boats";
        assert!(is_repeated(start));
        assert!(is_repeated(&format!("{start}…")));
        assert!(!is_repeated(&format!("{start}, and then he died.")));
        assert!(!is_repeated(&format!("{start}, and then he died…")));
        let long = "word ".repeat(limits::EXCERPT_WORDS);
        assert!(!repeats(&format!("{long} but not this […]"), &long));
    }

    #[test]
    fn summary_with_links_or_images_is_not_repeated() {
        let start = "<p>The keeper walked along the <a href='http://h/shore'>shore</a>.</p>";
        assert!(!is_repeated(start));
        assert!(repeats(start, &format!("{start}<p>He went home.</p>")));
        let images = "<img src='http://h/a.png'><img src='http://h/b.png'>The keeper walked";
        assert!(!is_repeated(images));
        assert!(repeats(
            images,
            &format!("{CONTENT}<img src='http://i/a.png'>")
        ));
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_accepted(summary in "[ab….\\[\\] ]{0,40}", text in "[ab. ]{0,60}") {
            repeats(&summary, &text);
        }
    }
}
