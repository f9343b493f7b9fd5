//! Headings of chapters whose markup has none, by the sizes that style sheets give to text.
//!
//! Word processors and programs for layout write each paragraph as `p` and each format as a class.

use crate::limits;
use crate::xml::{Event, Events};
use memchr::memmem;
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// The size of text without one: 12 points, in hundredths of a point.
const DEFAULT: u64 = 1200;

/// The largest size, in hundredths of a point. Sizes in open elements multiply.
const LARGEST: u64 = 1_000_000;

/// The parts of a relative size. Converters write up to five digits.
const PARTS: u64 = 100_000;

/// The bytes above which a paragraph is not a heading.
const BYTES: usize = 240;

/// How much larger than the text a heading is, in parts of `OF`.
const LARGER: u64 = 8;
const OF: u64 = 7;

/// A size as a style sheet gives it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Length {
    /// In hundredths of a point.
    Fixed(u64),
    /// In parts of the size around.
    Around(u64),
    /// In parts of the size of the root.
    Root(u64),
}

impl Length {
    /// Returns the size in hundredths of a point.
    fn resolve(self, around: u64, root: u64) -> u64 {
        let (parts, of) = match self {
            Length::Fixed(size) => return size,
            Length::Around(parts) => (parts, around),
            Length::Root(parts) => (parts, root),
        };
        let size = of.saturating_mul(parts).saturating_add(PARTS / 2) / PARTS;
        size.clamp(1, LARGEST)
    }
}

/// The sizes of classes and elements.
#[derive(Default)]
pub struct Sizes {
    /// By the name of a class.
    classes: BTreeMap<String, Length>,
    /// By the name of an element.
    elements: BTreeMap<String, Length>,
    /// The size of most of the text.
    text: u64,
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
    sizes: (u64, u64),
    /// Whether it is in a quotation, a list or a table.
    is_inside: bool,
}

/// An open element.
struct Open<'c> {
    name: &'c str,
    size: u64,
    /// Whether it is, or is in, a quotation, a list or a table.
    is_inside: bool,
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

    /// Returns the size of the root.
    fn root(&self) -> u64 {
        let own = self.elements.get("html");
        own.map_or(DEFAULT, |length| length.resolve(DEFAULT, DEFAULT))
    }

    /// Returns the sizes of the style sheets, as those of elements in the body.
    fn all(&self) -> impl Iterator<Item = u64> {
        let root = self.root();
        let body = self.elements.get("body");
        let body = body.map_or(root, |length| length.resolve(root, root));
        let lengths = self.classes.values().chain(self.elements.values());
        lengths.map(move |length| length.resolve(body, root))
    }

    /// Returns whether text has several sizes.
    pub fn has_sizes(&self) -> bool {
        self.all().any(|size| size != DEFAULT)
    }

    /// Counts the sizes in chapters, to know that of the text. The chapters have the names of their parts.
    pub fn measure(&mut self, chapters: impl Iterator<Item = (String, String)>) {
        let mut counts: BTreeMap<u64, usize> = BTreeMap::new();
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
        let is_larger = |size: u64| size.saturating_mul(OF) >= self.text.saturating_mul(LARGER);
        let larger = self.all().filter(|size| is_larger(*size));
        let larger: BTreeSet<u64> = larger.collect();
        let mut found = Vec::new();
        for paragraph in paragraphs {
            let (least, most) = paragraph.sizes;
            let is_alone = least == most && !paragraph.is_inside;
            if is_alone && is_larger(most) && paragraph.bytes <= BYTES {
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
        let root = self.root();
        let mut open: Vec<Open> = Vec::new();
        let mut is_new = true;
        let mut at = body(chapter);
        while let Some(rest) = chapter.get(at..).filter(|rest| !rest.is_empty()) {
            let length = memchr::memchr(b'<', rest.as_bytes()).unwrap_or(rest.len());
            let text = rest.get(..length).unwrap_or_default();
            let end = at.saturating_add(length);
            if !text.trim().is_empty() {
                let size = open.last().map_or(root, |around| around.size);
                if std::mem::take(&mut is_new) {
                    found.push(Paragraph {
                        place: at..end,
                        bytes: 0,
                        sizes: (size, size),
                        is_inside: open.last().is_some_and(|around| around.is_inside),
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
                if let Some(place) = open.iter().rposition(|own| own.name == name) {
                    open.truncate(place);
                }
            } else if tag.starts_with(|char: char| char.is_ascii_alphabetic()) {
                let name_end = tag.find(|char: char| char.is_ascii_whitespace() || char == '/');
                let name = tag.get(..name_end.unwrap_or(tag.len())).unwrap_or_default();
                if is_block(name) {
                    is_new = true;
                    // A paragraph ends at the next one, also without a tag.
                    if open.last().is_some_and(|around| around.name == "p") {
                        open.pop();
                    }
                }
                if !tag.ends_with('/') && !is_void(name) && open.len() < limits::OPEN_ELEMENTS {
                    let around = open.last();
                    let size = around.map_or(root, |around| around.size);
                    let own = self.size_of(name, tag);
                    open.push(Open {
                        name,
                        size: own.map_or(size, |own| own.resolve(size, root)),
                        is_inside: around.is_some_and(|around| around.is_inside) || is_mark(name),
                    });
                }
            }
        }
        found
    }

    /// Returns the size that a tag specifies.
    fn size_of(&self, name: &str, tag: &str) -> Option<Length> {
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

/// Returns whether an element has no content, and often no end.
fn is_void(name: &str) -> bool {
    matches!(name, "br" | "img" | "hr" | "wbr" | "col" | "input")
}

/// Returns whether the blocks in an element begin with a mark in Markdown, or are cells.
fn is_mark(name: &str) -> bool {
    matches!(
        name,
        "blockquote" | "li" | "dd" | "dt" | "table" | "td" | "th" | "pre"
    )
}

/// Reads the size of the font in declarations.
fn size(declarations: &str) -> Option<Length> {
    let mut values = declarations.split(';').filter_map(|it| it.split_once(':'));
    let (_, value) = values.find(|(name, _)| name.trim().eq_ignore_ascii_case("font-size"))?;
    let value = value.trim().to_ascii_lowercase();
    let value = value.trim_end_matches("!important").trim_end();
    let end = value.find(|char: char| !char.is_ascii_digit() && char != '.')?;
    let (number, unit) = value.split_at_checked(end)?;
    if number.is_empty() {
        return keyword(unit);
    }
    let (whole, part) = number.split_once('.').unwrap_or((number, ""));
    let part: String = part.chars().chain("00000".chars()).take(5).collect();
    let whole: u64 = if whole.is_empty() {
        0
    } else {
        whole.parse().ok()?
    };
    let number = whole.checked_mul(PARTS)?.checked_add(part.parse().ok()?)?;
    // Hundredths of a point.
    let points = |times: u64, of: u64| {
        let size = number.checked_mul(times.checked_mul(100)?)?;
        Some(Length::Fixed(
            size.checked_div(of.checked_mul(PARTS)?)?.min(LARGEST),
        ))
    };
    let length = match unit.trim() {
        "pt" => points(1, 1)?,
        "px" => points(3, 4)?,
        "pc" => points(12, 1)?,
        "in" => points(72, 1)?,
        "cm" => points(7200, 254)?,
        "mm" => points(720, 254)?,
        "em" => Length::Around(number),
        "%" => Length::Around(number.checked_div(100)?),
        "rem" => Length::Root(number),
        // Half the height of the capital letters of most fonts.
        "ex" | "ch" => Length::Around(number.checked_div(2)?),
        _ => return None,
    };
    (length.resolve(DEFAULT, DEFAULT) > 1).then_some(length)
}

/// Returns the size of a keyword, by the factors of CSS Fonts.
fn keyword(name: &str) -> Option<Length> {
    let (times, of) = match name {
        "larger" => return Some(Length::Around(120_000)),
        "smaller" => return Some(Length::Around(83_333)),
        "xx-small" => (3, 5),
        "x-small" => (3, 4),
        "small" => (8, 9),
        "medium" => (1, 1),
        "large" => (6, 5),
        "x-large" => (3, 2),
        "xx-large" => (2, 1),
        "xxx-large" => (3, 1),
        _ => return None,
    };
    let size = DEFAULT.checked_mul(times)?.checked_div(of)?;
    Some(Length::Fixed(size))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_in_all_units() {
        let of = |value: &str| size(&format!("color: red; font-size: {value}"));
        assert_eq!(of("12.0000pt"), Some(Length::Fixed(1200)));
        assert_eq!(of("16px"), Some(Length::Fixed(1200)));
        assert_eq!(of("2.54mm"), Some(Length::Fixed(720)));
        assert_eq!(of("1.5em"), Some(Length::Around(150_000)));
        assert_eq!(of("150% !important"), Some(Length::Around(150_000)));
        assert_eq!(of(".8REM"), Some(Length::Root(80_000)));
        assert_eq!(of("larger"), Some(Length::Around(120_000)));
        assert_eq!(of("x-large"), Some(Length::Fixed(1800)));
        for value in ["inherit", "", "0pt", "0em", "1vw", "99999999999999999999pt"] {
            assert_eq!(of(value), None, "{value}");
        }
    }

    /// Returns the headings of a chapter with the text of a body.
    fn headings(sheet: &str, body: &str) -> Vec<(usize, String)> {
        let mut sizes = Sizes::default();
        sizes.add(sheet);
        let chapter = format!("<html><body>{body}</body></html>");
        sizes.measure([(String::new(), chapter.clone())].into_iter());
        sizes.headings("", &chapter)
    }

    #[test]
    fn relative_sizes_multiply_along_open_elements() {
        let long = "x".repeat(300);
        let heading = |text: &str| vec![(1, text.to_owned())];
        for sheet in [
            "body{font-size:1.2em} p{font-size:1em}",
            "html{font-size:10px} body{font-size:120%} .x{font-size:1.5rem}",
            "body{font-size:large} p{font-size:100%}",
            "body{font-size:9pt} div{font-size:1em} span{font-size:larger}",
        ] {
            let body = format!("<p>{long}</p><div>Text around a paragraph</div><p>{long}</p>");
            assert_eq!(headings(sheet, &body), [], "{sheet}");
        }
        let body = format!("<p>{long}</p><div><p><span class=\"h\">Title</span></p></div>");
        for sheet in [
            "body{font-size:.75em} .h{font-size:1.3em}",
            "html{font-size:8pt} .h{font-size:1.2rem}",
            "div{font-size:1.1em} .h{font-size:1.1em}",
            ".h{font-size:larger}",
        ] {
            assert_eq!(headings(sheet, &body), heading("Title"), "{sheet}");
        }
        let sheet = "div{font-size:.5em} .h{font-size:1.5em}";
        assert_eq!(headings(sheet, &body), []);
        // Paragraphs and line breaks without an end do not multiply.
        let body = format!("<p class=h>One<p class=\"h\">Two<br class=\"h\">{long}");
        assert_eq!(
            headings(".h{font-size:1.1em}", &format!("<p>{long}{long}</p>{body}")),
            []
        );
    }

    #[test]
    fn blocks_in_quotations_lists_and_tables_are_no_headings() {
        let long = "x".repeat(300);
        let body = format!(
            "<p>{long}</p><blockquote><p class=\"h\">Quote</p></blockquote><ul><li \
             class=\"h\">Point</li></ul><table><tr><td><p class=\"h\">Cell</p></td></tr></table>\
             <p class=\"h\">Title</p>"
        );
        assert_eq!(
            headings(".h{font-size:2em}", &body),
            [(1, "Title".to_owned())]
        );
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
