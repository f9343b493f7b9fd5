//! Headings of chapters whose markup has none, by the sizes that style sheets give to text.
//!
//! Word processors and programs for layout write each paragraph as `p` and each format as a class.

use crate::limits;
use crate::xml::{Event, Events};
use memchr::memmem;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The size of text without one: 12 points, in hundredths of a point.
const DEFAULT: usize = 1200;

/// The bytes above which a paragraph is not a heading.
const BYTES: usize = 240;

/// How much larger than the text a heading is, in parts of `OF`.
const LARGER: usize = 8;
const OF: usize = 7;

/// The sizes of classes and elements.
#[derive(Default)]
pub struct Sizes {
    /// By the name of a class.
    classes: BTreeMap<String, usize>,
    /// By the name of an element.
    elements: BTreeMap<String, usize>,
    /// The size of most of the text.
    text: usize,
    /// The paragraphs of chapters that are read already, by the names of their parts.
    measured: BTreeMap<String, Vec<Paragraph>>,
}

/// A paragraph of a chapter.
struct Paragraph {
    /// The place of its text.
    place: Range<usize>,
    /// The bytes of its text, without tags.
    bytes: usize,
    /// The smallest and the largest size of its text.
    sizes: (usize, usize),
}

impl Sizes {
    /// Adds the rules of a style sheet whose selector is a class or an element.
    pub fn add(&mut self, sheet: &str) {
        for rule in sheet.split('}') {
            let Some((selectors, declarations)) = rule.rsplit_once('{') else {
                continue;
            };
            let Some(size) = size(declarations) else {
                continue;
            };
            let selectors = selectors.rsplit(['{', ';', '/']).next().unwrap_or_default();
            for selector in selectors.split(',') {
                let selector = selector.trim();
                let (rules, name) = match selector.split_once('.') {
                    Some((_, class)) => (&mut self.classes, class),
                    None => (&mut self.elements, selector),
                };
                let is_name = |char: char| char.is_alphanumeric() || matches!(char, '-' | '_');
                let is_simple = !name.is_empty() && name.chars().all(is_name);
                if is_simple && rules.len() < limits::CLASSES {
                    rules.insert(name.to_owned(), size);
                }
            }
        }
    }

    fn all(&self) -> impl Iterator<Item = usize> {
        self.classes.values().chain(self.elements.values()).copied()
    }

    /// Returns whether text has several sizes.
    pub fn has_sizes(&self) -> bool {
        self.all().any(|size| size != DEFAULT)
    }

    /// Counts the sizes in chapters, to know that of the text. The chapters have the names of their parts.
    pub fn measure(&mut self, chapters: impl Iterator<Item = (String, String)>) {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for (part, chapter) in chapters {
            let paragraphs = self.paragraphs(&chapter);
            for paragraph in &paragraphs {
                let count = counts.entry(paragraph.sizes.1).or_default();
                *count = count.saturating_add(paragraph.bytes);
            }
            self.measured.insert(part, paragraphs);
        }
        let most = counts.into_iter().max_by_key(|(_, count)| *count);
        self.text = most.map_or(DEFAULT, |(size, _)| size);
    }

    /// Returns the headings of a chapter: their levels, from 1, and texts. The largest size of the style
    /// sheets is the first level.
    pub fn headings(&mut self, part: &str, chapter: &str) -> Vec<(usize, String)> {
        let measured = self.measured.remove(part);
        let paragraphs = measured.unwrap_or_else(|| self.paragraphs(chapter));
        let is_larger = |size: usize| size.saturating_mul(OF) >= self.text.saturating_mul(LARGER);
        let larger = self.all().filter(|size| is_larger(*size));
        let larger: BTreeSet<usize> = larger.collect();
        let mut found = Vec::new();
        for paragraph in paragraphs {
            let (least, most) = paragraph.sizes;
            if least == most && is_larger(most) && paragraph.bytes <= BYTES {
                let level = larger.range(most..).count().max(1);
                let text = chapter.get(paragraph.place).unwrap_or_default();
                found.push((level, plain(text)));
            }
        }
        found
    }

    /// Lists the paragraphs with text. Their tags are scanned, because a parser of XML takes longer than the
    /// whole conversion may.
    fn paragraphs(&self, chapter: &str) -> Vec<Paragraph> {
        let mut found: Vec<Paragraph> = Vec::new();
        let mut open: Vec<(&str, usize)> = Vec::new();
        let mut is_new = true;
        let mut at = body(chapter);
        while let Some(rest) = chapter.get(at..).filter(|rest| !rest.is_empty()) {
            let length = memchr::memchr(b'<', rest.as_bytes()).unwrap_or(rest.len());
            let text = rest.get(..length).unwrap_or_default();
            let end = at.saturating_add(length);
            if !text.trim().is_empty() {
                let size = open.last().map_or(DEFAULT, |(_, size)| *size);
                if std::mem::take(&mut is_new) {
                    found.push(Paragraph {
                        place: at..end,
                        bytes: 0,
                        sizes: (size, size),
                    });
                }
                if let Some(paragraph) = found.last_mut() {
                    let (least, most) = paragraph.sizes;
                    paragraph.sizes = (least.min(size), most.max(size));
                    paragraph.bytes = paragraph.bytes.saturating_add(text.len());
                    paragraph.place.end = end;
                }
            }
            let (tag, next) = tag(chapter, end);
            at = next;
            if let Some(name) = tag.strip_prefix('/') {
                let name = name.trim_end();
                is_new |= is_block(name);
                // Elements such as `br` may have no end.
                if let Some(place) = open.iter().rposition(|(own, _)| *own == name) {
                    open.truncate(place);
                }
            } else if tag.starts_with(|char: char| char.is_ascii_alphabetic()) {
                let name_end = tag.find(|char: char| char.is_ascii_whitespace() || char == '/');
                let name = tag.get(..name_end.unwrap_or(tag.len())).unwrap_or_default();
                is_new |= is_block(name);
                if !tag.ends_with('/') && open.len() < limits::OPEN_ELEMENTS {
                    let around = open.last().map_or(DEFAULT, |(_, size)| *size);
                    open.push((name, self.size_of(name, tag).unwrap_or(around)));
                }
            }
        }
        found
    }

    /// Returns the size that a tag specifies.
    fn size_of(&self, name: &str, tag: &str) -> Option<usize> {
        let rest = tag.get(name.len()..).unwrap_or_default();
        let mut of_class = None;
        let quote = if rest.contains('"') { '"' } else { '\'' };
        let mut parts = rest.split(quote);
        while let (Some(before), Some(value)) = (parts.next(), parts.next()) {
            if before.ends_with(" style=") {
                if let Some(own) = size(value) {
                    return Some(own);
                }
            } else if before.ends_with(" class=") {
                let mut classes = value.split_ascii_whitespace();
                of_class = classes.find_map(|class| self.classes.get(class)).copied();
            }
        }
        of_class.or_else(|| self.elements.get(name).copied())
    }
}

/// Returns the place after the tag of the body.
fn body(chapter: &str) -> usize {
    memmem::find(chapter.as_bytes(), b"<body").unwrap_or_default()
}

/// Returns the tag at a place, without its brackets, and the place after it. A comment is a tag without text.
fn tag(chapter: &str, at: usize) -> (&str, usize) {
    let rest = chapter.get(at..).unwrap_or_default();
    let after = |length: usize| at.saturating_add(length);
    if rest.starts_with("<!--") {
        let end = memmem::find(rest.as_bytes(), b"-->").map(|end| end.saturating_add(3));
        return ("", after(end.unwrap_or(rest.len())));
    }
    let end = memchr::memchr(b'>', rest.as_bytes());
    let tag = rest.get(1..end.unwrap_or(rest.len())).unwrap_or_default();
    (
        tag,
        after(end.map_or(rest.len(), |end| end.saturating_add(1))),
    )
}

/// Returns the text of a piece of a chapter.
fn plain(piece: &str) -> String {
    let mut text = String::new();
    for event in Events::new(piece) {
        if let Event::Text(part) = event {
            text.push_str(&part);
        }
    }
    text
}

fn is_block(name: &str) -> bool {
    matches!(
        name,
        "p" | "div"
            | "li"
            | "td"
            | "th"
            | "tr"
            | "table"
            | "body"
            | "section"
            | "blockquote"
            | "ul"
            | "ol"
    )
}

/// Reads the size of the font in declarations, in hundredths of a point.
fn size(declarations: &str) -> Option<usize> {
    let mut values = declarations.split(';').filter_map(|it| it.split_once(':'));
    let (_, value) = values.find(|(name, _)| name.trim().eq_ignore_ascii_case("font-size"))?;
    let value = value.trim();
    let end = value.find(|char: char| !char.is_ascii_digit() && char != '.')?;
    let (number, unit) = value.split_at_checked(end)?;
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let part: String = part.chars().chain("00".chars()).take(2).collect();
    let whole: usize = if whole.is_empty() {
        0
    } else {
        whole.parse().ok()?
    };
    let hundredths = whole.checked_mul(100)?.checked_add(part.parse().ok()?)?;
    let (times, of) = match unit
        .trim()
        .to_ascii_lowercase()
        .trim_end_matches("!important")
        .trim()
    {
        "pt" => (1, 1),
        "px" => (3, 4),
        "em" | "rem" => (12, 1),
        "%" => (12, 100),
        _ => return None,
    };
    let size = hundredths.checked_mul(times)?.checked_div(of)?;
    (size > 0).then_some(size)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_all_units() {
        let of = |value: &str| size(&format!("color: red; font-size: {value}"));
        assert_eq!(of("12.0000pt"), Some(1200));
        assert_eq!(of("16px"), Some(1200));
        assert_eq!(of("1.5em"), Some(1800));
        assert_eq!(of("150%"), Some(1800));
        for value in ["large", "", "0pt", "1vw", "99999999999999999999pt"] {
            assert_eq!(of(value), None, "{value}");
        }
    }

    #[test]
    fn larger_paragraphs_are_headings() {
        let mut sizes = Sizes::default();
        sizes.add(
            "@media x { .a, p.b { font-size: 18pt } }\n.c{font-size:14pt}.d .e{font-size:30pt}",
        );
        let text = "x".repeat(200);
        let chapter = format!(
            "<body><p><span class=\"a\">One</span></p><p>{text}</p><p class=\"c\">Two</p>\
             <p class=\"b\">Three <span style=\"font-size:9pt\">small</span></p></body>"
        );
        sizes.measure([(String::new(), chapter.clone())].into_iter());
        assert_eq!(
            sizes.headings("", &chapter),
            [(1, "One".to_owned()), (2, "Two".to_owned())]
        );
    }
}
