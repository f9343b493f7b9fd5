//! Headings of chapters whose markup has none, by the sizes that style sheets give to text.
//!
//! Word processors and programs for layout write each paragraph as `p` and each format as a class.

use crate::limits;
use crate::xml::{Event, Events, Start};
use std::collections::{BTreeMap, BTreeSet};

/// The size of text without one: 12 points, in hundredths of a point.
const DEFAULT: usize = 1200;

/// The characters above which a paragraph is not a heading.
const CHARS: usize = 120;

/// How much larger than the text a heading is, in parts of `OF`.
const LARGER: usize = 8;
const OF: usize = 7;

/// The sizes of classes and elements.
#[derive(Clone, Debug, Default)]
pub struct Sizes {
    /// By the name of a class, with a point before it, or of an element.
    rules: BTreeMap<String, usize>,
    /// The size of most of the text.
    text: usize,
}

/// A paragraph of a chapter.
struct Paragraph {
    text: String,
    /// The smallest and the largest size of its text.
    sizes: Option<(usize, usize)>,
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
                let name = match selector.find('.') {
                    Some(at) => selector.get(at..).unwrap_or_default(),
                    None => selector,
                };
                let is_name = |char: char| char.is_alphanumeric() || matches!(char, '-' | '_');
                let rest = name.strip_prefix('.').unwrap_or(name);
                if !rest.is_empty()
                    && rest.chars().all(is_name)
                    && self.rules.len() < limits::CLASSES
                {
                    self.rules.insert(name.to_owned(), size);
                }
            }
        }
    }

    /// Returns whether text has several sizes.
    pub fn has_sizes(&self) -> bool {
        self.rules.values().any(|size| *size != DEFAULT)
    }

    /// Counts the sizes in chapters, to know that of the text.
    pub fn measure<'t>(&mut self, chapters: impl Iterator<Item = &'t str>) {
        let mut counts: BTreeMap<usize, usize> = BTreeMap::new();
        for chapter in chapters {
            for paragraph in self.paragraphs(chapter) {
                if let Some((_, most)) = paragraph.sizes {
                    let count = counts.entry(most).or_default();
                    *count = count.saturating_add(paragraph.text.len());
                }
            }
        }
        let most = counts.into_iter().max_by_key(|(_, count)| *count);
        self.text = most.map_or(DEFAULT, |(size, _)| size);
    }

    /// Returns the headings of a chapter: their levels, from 1, and texts. The largest size of the style
    /// sheets is the first level.
    pub fn headings(&self, chapter: &str) -> Vec<(usize, String)> {
        let is_larger = |size: usize| size.saturating_mul(OF) >= self.text.saturating_mul(LARGER);
        let larger = self.rules.values().copied().filter(|size| is_larger(*size));
        let larger: BTreeSet<usize> = larger.collect();
        let mut found = Vec::new();
        for paragraph in self.paragraphs(chapter) {
            let Some((least, most)) = paragraph.sizes else {
                continue;
            };
            if least == most && is_larger(most) && paragraph.text.chars().nth(CHARS).is_none() {
                let level = larger.range(most..).count().max(1);
                found.push((level, paragraph.text));
            }
        }
        found
    }

    /// Lists the paragraphs with text.
    fn paragraphs(&self, chapter: &str) -> Vec<Paragraph> {
        let mut found: Vec<Paragraph> = Vec::new();
        let mut open: Vec<(&str, usize)> = Vec::new();
        let mut is_inside = false;
        let mut is_new = true;
        for event in Events::new(chapter) {
            match event {
                Event::Start(start) => {
                    is_inside |= start.name == "body";
                    is_new |= is_block(start.name);
                    let around = open.last().map_or(DEFAULT, |(_, size)| *size);
                    if open.len() < limits::OPEN_ELEMENTS {
                        open.push((start.name, self.size_of(&start).unwrap_or(around)));
                    }
                }
                Event::End(name) => {
                    is_new |= is_block(name);
                    // Elements such as `br` may have no end.
                    if let Some(at) = open.iter().rposition(|(own, _)| *own == name) {
                        open.truncate(at);
                    }
                }
                Event::Text(text) if is_inside && !text.trim().is_empty() => {
                    let size = open.last().map_or(DEFAULT, |(_, size)| *size);
                    if std::mem::take(&mut is_new) {
                        found.push(Paragraph {
                            text: String::new(),
                            sizes: None,
                        });
                    }
                    if let Some(paragraph) = found.last_mut() {
                        let (least, most) = paragraph.sizes.unwrap_or((size, size));
                        paragraph.sizes = Some((least.min(size), most.max(size)));
                        paragraph.text.push_str(&text);
                    }
                }
                Event::Text(_) => {}
            }
        }
        found
    }

    /// Returns the size that an element specifies.
    fn size_of(&self, start: &Start) -> Option<usize> {
        if let Some(own) = start.attr("style").and_then(|style| size(&style)) {
            return Some(own);
        }
        let classes = start.attr("class").unwrap_or_default();
        let mut classes = classes.split_whitespace();
        let of_class = classes.find_map(|class| self.rules.get(&format!(".{class}")));
        of_class.or_else(|| self.rules.get(start.name)).copied()
    }
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
        sizes.measure([chapter.as_str()].into_iter());
        assert_eq!(
            sizes.headings(&chapter),
            [(1, "One".to_owned()), (2, "Two".to_owned())]
        );
    }
}
