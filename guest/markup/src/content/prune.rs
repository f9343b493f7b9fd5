//! What is left out of the chosen elements.

use super::groups;
use super::measure::{Facts, Measures, block_text};
use super::page::{Page, PageType};
use super::phrases::{self, Phrase};
use super::words::Kinds;
use crate::dates;
use crate::dom::{Document, Id, Marks, Tag};
use crate::metadata::Metadata;

/// The part of the paragraphs of an article above which a caption is a part of it: a class of
/// captions may be on an element around the text.
const CAPTION_PART: f32 = 0.3;

/// The part of the paragraphs of an article above which the facts about it are a part of it: some
/// pages have a class such as `author-bio` around the text.
const FACTS_PART: f32 = 0.1;

/// The text of the longest block that is compared with phrases.
const PHRASE: f32 = 200.0;

/// The text and the words of the longest line with a date or a name.
const FACTS_TEXT: f32 = 100.0;
const FACTS_WORDS: f32 = 16.0;

/// The words of the longest line with the name of an author.
const BYLINE_WORDS: f32 = 8.0;

/// The length in bytes of the longest date with a place.
const DATE: usize = 100;

/// The part of a list or of another group of blocks that its links have, if it leads elsewhere.
const LIST_OF_LINKS: f32 = 0.8;

/// The part of a paragraph that its links have, if it leads elsewhere.
const PARAGRAPH_OF_LINKS: f32 = 0.9;

/// What is left out of the chosen elements.
pub struct Pruned {
    /// The nodes that are left out, with everything in them.
    pub dropped: Marks,
    /// Headings that are left out because nothing under them remains.
    pub headings: Vec<Id>,
}

/// Finds what is left out of the chosen elements.
pub fn prune(page: &Page, around: &Marks, roots: &[Id]) -> Pruned {
    let Page {
        document,
        measures,
        metadata,
        kind,
        body,
    } = *page;
    let mut pruning = Pruning {
        document,
        measures,
        metadata,
        is_bare: is_bare(measures, around, roots, body),
        dropped: measures.without_text.clone(),
        blocks: Vec::new(),
        headings: Vec::new(),
    };
    for root in roots {
        pruning.walk(*root, around, kind);
    }
    if page.is_prose() {
        pruning.ends();
        pruning.labels_without_text();
        pruning.lone_headings();
    }
    Pruned {
        dropped: pruning.dropped,
        headings: pruning.headings,
    }
}

struct Pruning<'d> {
    document: &'d Document,
    measures: &'d Measures,
    metadata: &'d Metadata,
    /// Whether the page has nothing but its text, so that its links are a part of it.
    is_bare: bool,
    dropped: Marks,
    /// The blocks with text that remain, in document order.
    blocks: Vec<Id>,
    headings: Vec<Id>,
}

impl Pruning<'_> {
    fn walk(&mut self, root: Id, around: &Marks, page: PageType) {
        let whole = self.measures.of(root);
        let article = matches!(page, PageType::Article | PageType::Other);
        let mut elements = self.measures.elements(root);
        while let Some(element) = elements.next() {
            let (id, tag, facts) = (element.id, element.tag, &element.facts);
            let drop = id != root
                && (around.contains(id)
                    || (is_control(tag, facts)
                        && !groups::is_check_box_of_text(self.document, id))
                    || (article && self.is_beside(id, tag, facts, whole))
                    || (page == PageType::Product && self.is_beside_product(id, tag, facts)));
            if drop {
                self.dropped.insert(id);
                elements.skip_children_of(element);
            } else if article
                && (groups::is_group(tag, facts, whole) || groups::is_code(self.document, id, tag))
            {
                if id != root && groups::has_only_prompts(self.document, self.measures, id, tag) {
                    self.dropped.insert(id);
                } else {
                    self.blocks.push(id);
                    self.group(id);
                }
                elements.skip_children_of(element);
            } else if facts.own.text > 0.0 {
                self.blocks.push(id);
            }
        }
    }

    /// Keeps a list or a table as a whole. Only the buttons beside its text are left out.
    fn group(&mut self, group: Id) {
        let mut elements = self.measures.elements(group);
        while let Some(element) = elements.next() {
            let beside_text = || {
                let parent = self.document.parent(element.id);
                parent.is_some_and(|parent| self.measures.of(parent).text > element.facts.text)
            };
            if element.tag == Tag::Button && beside_text() {
                self.dropped.insert(element.id);
                elements.skip_children_of(element);
            }
        }
    }

    /// Whether an element in an article is not a part of its text.
    fn is_beside(&self, id: Id, tag: Tag, facts: &Facts, whole: &Facts) -> bool {
        // What is under the heading decides whether it stays.
        if self.metadata.heading == Some(id) || tag.heading().is_some() {
            return false;
        }
        if (tag == Tag::Figcaption || facts.kinds.has(Kinds::CAPTION))
            && facts.good < CAPTION_PART * whole.good
        {
            return true;
        }
        if facts
            .kinds
            .has(Kinds::AUTHOR.or(Kinds::META).or(Kinds::PULL_QUOTE))
            && facts.good < FACTS_PART * whole.good
            && !(facts.text <= FACTS_TEXT && facts.density() < 1.0 && self.is_only_fact(id))
        {
            return true;
        }
        let links = match tag {
            Tag::P => PARAGRAPH_OF_LINKS,
            Tag::Ul | Tag::Ol | Tag::Div | Tag::Section | Tag::Table => LIST_OF_LINKS,
            _ => f32::MAX,
        };
        if !self.is_bare && facts.density() > links && facts.paragraphs < 1.0 {
            return true;
        }
        self.is_phrase(id, facts)
    }

    /// Whether an element on the page of a product leads elsewhere, or is a label.
    fn is_beside_product(&self, id: Id, tag: Tag, facts: &Facts) -> bool {
        if self.metadata.heading == Some(id) || tag.heading().is_some() {
            return false;
        }
        let is_group = matches!(
            tag,
            Tag::Ul | Tag::Ol | Tag::Div | Tag::Section | Tag::Table
        );
        (is_group && facts.density() > LIST_OF_LINKS && facts.paragraphs < 1.0)
            || self.is_phrase(id, facts)
    }

    /// Whether a short block is a label or a prompt. What the converter renders, such as code or a
    /// formula, is never one.
    fn is_phrase(&self, id: Id, facts: &Facts) -> bool {
        let short = facts.own.text > 0.0 && facts.text <= facts.own.text && facts.text < PHRASE;
        short
            && block_text(self.document, id, phrases::LONGEST).is_some_and(|text| {
                match phrases::find(&text, false) {
                    None => false,
                    Some(Phrase::Prompt) => facts.link > 0.0 || !phrases::may_be_sentence(&text),
                    Some(_) => true,
                }
            })
            && !groups::is_rendered(self.document, id)
    }

    /// Drops headings that are labels, such as `Share`, if no text is under them.
    fn labels_without_text(&mut self) {
        let blocks = std::mem::take(&mut self.blocks);
        // The level of the next block. None if it is not a heading.
        let mut next = Some(0);
        for id in blocks.iter().rev() {
            let level = self.document.tag(*id).and_then(Tag::heading);
            let is_over_nothing = level.zip(next).is_some_and(|(level, next)| next <= level);
            if is_over_nothing
                && self.metadata.heading != Some(*id)
                && self.is_phrase(*id, self.measures.of(*id))
            {
                self.drop_own(*id);
            } else {
                next = level;
                self.blocks.push(*id);
            }
        }
        self.blocks.reverse();
    }

    /// Drops dates and bylines before the first paragraph and after the last one.
    fn ends(&mut self) {
        let blocks = std::mem::take(&mut self.blocks);
        let is_paragraph = |id: &Id| {
            let facts = self.measures.of(*id);
            facts.is_paragraph() || (facts.own.text == 0.0 && facts.good > 0.0)
        };
        let first = blocks.iter().position(is_paragraph);
        let last = blocks.iter().rposition(is_paragraph);
        let (Some(first), Some(last)) = (first, last) else {
            self.blocks = blocks;
            return;
        };
        for (at, id) in blocks.into_iter().enumerate() {
            if (at < first || at > last) && self.is_line_of_facts(id) {
                self.drop_own(id);
            } else {
                self.blocks.push(id);
            }
        }
    }

    fn is_line_of_facts(&mut self, id: Id) -> bool {
        let facts = self.measures.of(id);
        if facts.own.text == 0.0 {
            return self.has_only_facts(id);
        }
        if facts.text > facts.own.text {
            self.drop_loose_dates(id);
            return false;
        }
        self.is_fact(id, facts)
    }

    /// Whether each item of a list without numbers states the date or the author of the page.
    fn has_only_facts(&self, list: Id) -> bool {
        self.document.is(list, Tag::Ul)
            && self.document.children(list).all(|item| {
                let facts = self.measures.of(item);
                facts.text == 0.0 || (facts.text <= facts.own.text && self.is_fact(item, facts))
            })
    }

    /// Whether a block states the date or the author of the page, which its metadata has.
    fn is_fact(&self, id: Id, facts: &Facts) -> bool {
        // The author of a quotation is a part of it.
        let in_quotation = self
            .document
            .ancestors(id)
            .any(|outer| self.document.is(outer, Tag::Blockquote));
        if in_quotation || facts.own.text > FACTS_TEXT || facts.own.words > FACTS_WORDS {
            return false;
        }
        let Some(text) = block_text(self.document, id, phrases::LONGEST) else {
            return false;
        };
        (is_date(&text) && self.is_known_date(&text))
            || (facts.own.words <= BYLINE_WORDS && self.has_only_known_names(&text))
    }

    /// Whether the facts contain the date in a text.
    fn is_known_date(&self, text: &str) -> bool {
        let facts = [&self.metadata.published, &self.metadata.modified];
        let mut facts = facts.into_iter().flatten();
        match dates::find(text) {
            // The time zone of the text may be another one.
            Some((_, found)) => facts.any(|fact| is_near(fact, &found)),
            None => {
                facts.any(|fact| years(fact).any(|year| years(text).any(|other| other == year)))
            }
        }
    }

    /// Whether a text names an author that the facts contain, and nobody else.
    fn has_only_known_names(&self, text: &str) -> bool {
        let authors = &self.metadata.authors;
        let mut rest = text.to_owned();
        for author in authors {
            rest = rest.replace(author.as_str(), " ");
        }
        rest.len() < text.len() && !rest.contains(" and ") && !rest.contains(" & ")
    }

    /// Whether an element states an author or a date that is not in the metadata.
    fn is_only_fact(&self, id: Id) -> bool {
        block_text(self.document, id, phrases::LONGEST).is_some_and(|text| {
            (self.metadata.authors.is_empty() && is_byline(&text))
                || (is_date(&text) && !self.is_known_date(&text))
        })
    }

    fn has_no_date(&self) -> bool {
        self.metadata.published.is_none() && self.metadata.modified.is_none()
    }

    /// Drops dates between the blocks in a block, before its first paragraph.
    fn drop_loose_dates(&mut self, block: Id) {
        if self.has_no_date() {
            return;
        }
        for child in self.document.children(block) {
            if self.measures.of(child).good > 0.0 {
                break;
            }
            let text = self.document.text(child).unwrap_or_default().trim();
            if text.len() <= DATE && is_date(text) && self.is_known_date(text) {
                self.dropped.insert(child);
            }
        }
    }

    /// Drops the text directly in a block, and its inline elements.
    fn drop_own(&mut self, id: Id) {
        let facts = self.measures.of(id);
        if facts.text <= facts.own.text && facts.images == 0.0 {
            self.dropped.insert(id);
            return;
        }
        for child in self.document.children(id) {
            let inner = self.measures.of(child);
            if !self.document.tag(child).is_some_and(Tag::is_block)
                && inner.images == 0.0
                && inner.text <= facts.own.text
            {
                self.dropped.insert(child);
            }
        }
    }

    /// Drops headings after which nothing remains.
    fn lone_headings(&mut self) {
        while let Some(id) = self.blocks.pop() {
            let is_heading = self.document.tag(id).and_then(Tag::heading).is_some();
            if !is_heading || self.metadata.heading == Some(id) {
                break;
            }
            self.drop_own(id);
            self.headings.push(id);
        }
    }
}

/// The part of the text of a page that its links have, up to which they are a part of its text if the
/// page has no parts around it.
const BARE_LINKS: f32 = 0.3;

/// Whether a page has nothing but its text: no navigation and no other part around it is known, all of
/// its text is in the chosen elements, and few of it are links.
fn is_bare(measures: &Measures, around: &Marks, roots: &[Id], body: Id) -> bool {
    let whole = measures.of(body);
    let words: f32 = roots.iter().map(|root| measures.of(*root).words).sum();
    words >= whole.words
        && whole.density() <= BARE_LINKS
        && around.iter().all(|id| measures.of(id).text == 0.0)
}

fn is_control(tag: Tag, facts: &Facts) -> bool {
    matches!(tag, Tag::Button | Tag::Input | Tag::Select | Tag::Textarea)
        || (matches!(tag, Tag::Form | Tag::Fieldset) && facts.paragraphs < 2.0)
}

/// Whether a text starts as a byline does.
fn is_byline(text: &str) -> bool {
    let lower = text.to_lowercase();
    let starts = [
        "by ",
        "by:",
        "written by ",
        "posted by ",
        "von ",
        "par ",
        "por ",
    ];
    starts.iter().any(|start| lower.starts_with(start))
}

/// Whether two dates in ISO 8601 are the same day, or the days before or after a change of the month
/// or of the day by a time zone.
fn is_near(one: &str, other: &str) -> bool {
    let day = |text: &str| {
        let mut parts = text.get(..10)?.split('-').map(str::parse::<u32>);
        Some((
            parts.next()?.ok()?,
            parts.next()?.ok()?,
            parts.next()?.ok()?,
        ))
    };
    match (day(one), day(other)) {
        (Some((year, month, day)), Some((other_year, other_month, other_day))) => {
            let is_end = |day: u32, other: u32| day >= 28 && other == 1;
            (year, month) == (other_year, other_month) && day.abs_diff(other_day) <= 1
                || is_end(day, other_day)
                || is_end(other_day, day)
        }
        // A date that is not clear is compared by its year.
        _ => years(one).any(|year| years(other).any(|other| other == year)),
    }
}

/// The years in a text.
fn years(text: &str) -> impl Iterator<Item = &str> {
    let numbers = text.split(|character: char| !character.is_ascii_digit());
    numbers.filter(|number| number.len() == 4)
}

/// Whether a short text is a date, perhaps with a place or a time.
fn is_date(text: &str) -> bool {
    let mut digits = 0_u32;
    let mut year = false;
    let mut number = 0_u32;
    let mut length = 0_u32;
    for character in text.chars().chain([' ']) {
        if let Some(digit) = character.to_digit(10) {
            number = number.saturating_mul(10).saturating_add(digit);
            length = length.saturating_add(1);
            digits = digits.saturating_add(1);
        } else {
            year |= length == 4 && (1900..2100).contains(&number);
            number = 0;
            length = 0;
        }
    }
    let sentence = text.ends_with(['.', '。', '!', '?', ':']) || text.contains('"');
    year && digits >= 5 && !sentence
}
