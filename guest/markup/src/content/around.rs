//! The parts of a page that are around its text, by their tags, names and headings.

use super::measure::{Facts, Measures, block_text};
use super::page::{Page, PageType};
use super::phrases::{self, Phrase};
use super::shop;
use super::words::Kinds;
use crate::dom::{Document, Id, Marks, Name, Tag};
use crate::metadata::Declared;

/// The text of paragraphs before a heading over comments without which the comments are the text.
const BEFORE_COMMENTS: f32 = 150.0;

/// The text of paragraphs before a heading over links without which the links are the text.
const BEFORE_RELATED: f32 = 80.0;

/// The part of the text of a page up to which an element around it is believed to be one.
const AROUND_PART: f32 = 0.35;

/// The same, on a page whose text is not prose: the end of a page with few paragraphs has most of
/// them.
const AROUND_LIST_PART: f32 = 0.6;

/// The part of the text of a page up to which the reviews of a product are around its text.
const REVIEW_PART: f32 = 0.8;

/// The part of the text of an article up to which a list of other texts is believed to be one.
const LIST_PART: f32 = 0.6;

/// The text beside a heading, with which it is in an element of its own.
const BESIDE: f32 = 30.0;
const BESIDE_SHOP: f32 = 100.0;

/// The part of a header that its links have, if it is navigation.
const HEADER_LINKS: f32 = 0.6;

/// The text of the paragraphs of an element, and the part of its text that its links have, with
/// which it is more than what its name says.
const PROSE: f32 = 100.0;
const PROSE_LINKS: f32 = 0.3;

/// Names that are also given to parts of a text: a section that a menu leads to, the text that a
/// `dropdown` shows, the `banner` at the start, a column beside an image.
const PERHAPS_TEXT: Kinds = Kinds::NAVIGATION
    .or(Kinds::SIDEBAR)
    .or(Kinds::AD)
    .or(Kinds::PROMPT);

/// These names on a page that says that it is an article. Its columns and advertisements have
/// paragraphs too, and the text can be found without their names.
const PERHAPS_ARTICLE: Kinds = Kinds::NAVIGATION;

/// The part of the text of a page up to which its navigation is left out if no main text is found.
const NAVIGATION_PART: f32 = 0.8;

/// The part of the text of a page that is in other elements than those around it. If it is smaller,
/// their names are wrong.
const REST_PART: f32 = 0.1;

/// The elements around a text.
pub struct Around {
    /// The outermost ones.
    pub marks: Marks,
    /// The headings over links to other texts, in document order.
    pub headings: Vec<Id>,
}

/// Finds the elements around the text.
pub fn find(page: &Page) -> Around {
    let Page {
        document,
        measures,
        kind,
        body,
        ..
    } = *page;
    let mut marks = measures.without_text.clone();
    let mut headings = Vec::new();
    let rest = Rest::new(page);
    // The text of the paragraphs that precede the node.
    let mut before = 0.0;
    let mut elements = measures.elements(body);
    while let Some(element) = elements.next() {
        let (id, tag, facts) = (element.id, element.tag, &element.facts);
        if marks.contains(id) || (facts.text == 0.0 && facts.images == 0.0) {
            elements.skip_children_of(element);
            continue;
        }
        if rest.is_around(facts, tag) {
            marks.insert(id);
            elements.skip_children_of(element);
            continue;
        }
        if matches!(
            kind,
            PageType::Article | PageType::Other | PageType::Product
        ) {
            let mut phrase = heading(document, measures, id, tag);
            if kind == PageType::Product && phrase.is_none() {
                phrase = shop::heading(document, measures, id, tag);
            }
            let found = match phrase {
                Some(Phrase::Comments) => before >= BEFORE_COMMENTS,
                Some(Phrase::Related | Phrase::Shop) => before >= BEFORE_RELATED,
                _ => false,
            };
            if let Some(phrase) = phrase.filter(|_| found) {
                mark_section(page, id, tag, phrase, &mut marks);
                let is_marked = match phrase {
                    Phrase::Shop => {
                        let mut outer = std::iter::once(id).chain(document.ancestors(id));
                        outer.any(|id| marks.contains(id))
                    }
                    Phrase::Comments => false,
                    _ => tag.heading().is_some() && marks.contains(id),
                };
                if is_marked {
                    headings.push(id);
                }
            }
        }
        if marks.contains(id) {
            elements.skip_children_of(element);
        } else if facts.is_paragraph() {
            before += facts.own.text - facts.own_link;
        }
    }
    Around { marks, headings }
}

/// The text of a page without the elements that may be around it.
struct Rest {
    page: PageType,
    /// The names that say nothing of an element with prose.
    perhaps_text: Kinds,
    good: f32,
    text: f32,
    /// Whether there is text other than comments.
    without_comments: bool,
    /// Whether there is more text than the lists of other texts. Otherwise these lists are the text.
    without_lists: bool,
    /// Whether there is text other than in elements with names of things around it.
    without_around: bool,
}

impl Rest {
    fn new(page: &Page) -> Self {
        let Page {
            measures,
            metadata,
            kind,
            body,
            ..
        } = *page;
        let whole = measures.of(body);
        let mut rest = Self {
            page: kind,
            perhaps_text: match metadata.declared {
                Declared::Article => PERHAPS_ARTICLE,
                _ => PERHAPS_TEXT,
            },
            good: whole.good,
            text: whole.text,
            without_comments: true,
            without_around: true,
            without_lists: true,
        };
        let (mut comments, mut around, mut lists) = (0.0, 0.0, 0.0);
        let mut elements = measures.elements(body);
        while let Some(element) = elements.next() {
            let facts = &element.facts;
            let kinds = rest.kinds(facts, element.tag);
            if kinds.has(Kinds::COMMENT) {
                comments += facts.good;
                elements.skip_children_of(element);
            } else if rest.is_around(facts, element.tag) {
                around += facts.good;
                if facts.is_list() && !kinds.has(Kinds::AROUND) {
                    lists += facts.good;
                }
                elements.skip_children_of(element);
            }
        }
        rest.without_comments = rest.good - comments >= BEFORE_COMMENTS;
        rest.without_lists = metadata.declared == Declared::Article
            || lists <= LIST_PART * (rest.good - around + lists);
        rest.without_around = rest.good - around - comments >= REST_PART * rest.good;
        rest
    }

    /// Whether an element is around the text.
    fn is_around(&self, facts: &Facts, tag: Tag) -> bool {
        let kinds = self.kinds(facts, tag);
        if kinds.has(Kinds::COMMENT) {
            return self.without_comments && self.good - facts.good >= BEFORE_COMMENTS;
        }
        let list = matches!(self.page, PageType::Article | PageType::Product)
            && facts.is_list()
            && self.without_lists;
        let part = if list {
            LIST_PART
        } else if kinds.has(Kinds::REVIEW) {
            REVIEW_PART
        } else if kinds.has(Kinds::AROUND) {
            match self.page {
                PageType::Article | PageType::Documentation => AROUND_PART,
                _ => AROUND_LIST_PART,
            }
        } else {
            return false;
        };
        if self.good > 0.0 {
            facts.good <= part * self.good && (self.without_around || facts.good == 0.0)
        } else {
            facts.text <= part * self.text
        }
    }

    /// What the names and the tag of an element say on this type of page.
    fn kinds(&self, facts: &Facts, tag: Tag) -> Kinds {
        let mut kinds = facts.kinds;
        match tag {
            Tag::Nav | Tag::Menu | Tag::Search => kinds = kinds.or(Kinds::NAVIGATION),
            // The head of the site; that of an article has its title and authors.
            Tag::Header if facts.density() > HEADER_LINKS && facts.paragraphs < 1.0 => {
                kinds = kinds.or(Kinds::NAVIGATION);
            }
            Tag::Aside => kinds = kinds.or(Kinds::SIDEBAR),
            Tag::Footer => kinds = kinds.or(Kinds::FOOTER),
            Tag::Dialog => kinds = kinds.or(Kinds::NOTICE),
            Tag::Main | Tag::Body | Tag::Html => return Kinds::default(),
            _ => {}
        }
        let is_navigation = matches!(tag, Tag::Nav | Tag::Menu | Tag::Search);
        if facts.good >= PROSE && facts.density() < PROSE_LINKS && !is_navigation {
            kinds = kinds.except(self.perhaps_text);
        }
        let reviews = Kinds::REVIEW.or(Kinds::POST_FRAME);
        kinds = kinds.except(match self.page {
            PageType::Article | PageType::Other => reviews,
            PageType::Documentation => Kinds::COMMENT.or(reviews),
            PageType::Forum => Kinds::COMMENT.or(Kinds::CONTROL).or(Kinds::REVIEW),
            PageType::List => Kinds::COMMENT.or(Kinds::RELATED).or(Kinds::AD).or(reviews),
            PageType::Product => Kinds::COMMENT
                .or(Kinds::CONTROL)
                .or(Kinds::SIDEBAR)
                .or(Kinds::POST_FRAME),
        });
        // Texts from social networks are in elements with the names of buttons for them.
        if facts.embeds > 0.0 {
            kinds = kinds.except(Kinds::SHARE.or(Kinds::SIDEBAR).or(Kinds::CONTROL));
        }
        kinds
    }
}

/// The phrase of a heading over comments or over links to other texts.
fn heading(document: &Document, measures: &Measures, id: Id, tag: Tag) -> Option<Phrase> {
    let facts = measures.of(id);
    let leaf = tag.is_block() && facts.own.text > 0.0 && facts.text <= facts.own.text;
    let is_heading = tag.heading().is_some() || (leaf && facts.kinds.has(Kinds::HEAD));
    if !is_heading && (facts.own.text == 0.0 || facts.text > facts.own.text || facts.text > 60.0) {
        return None;
    }
    // Other blocks than headings count only over links.
    let over_links = || {
        document.element_after(id).is_some_and(|next| {
            let facts = measures.of(next);
            facts.is_list() || facts.density() > 0.6
        })
    };
    if facts.text > 100.0 || !(is_heading || over_links()) {
        return None;
    }
    let text = block_text(document, id, phrases::LONGEST)?;
    phrases::find(&text, true).filter(|phrase| matches!(phrase, Phrase::Comments | Phrase::Related))
}

/// Marks a heading and what follows it, up to the next heading of its level.
fn mark_section(page: &Page, heading: Id, tag: Tag, phrase: Phrase, marks: &mut Marks) {
    let Page {
        document, measures, ..
    } = *page;
    let is_related = phrase == Phrase::Related;
    // The heading over the reviews of a product is often with a sentence in an element of its own.
    let is_label = phrase == Phrase::Shop && tag.heading().is_none();
    let beside = match phrase {
        // What is beside a label is about the product.
        Phrase::Shop if is_label => 0.0,
        Phrase::Shop => BESIDE_SHOP,
        _ => BESIDE,
    };
    // A heading may be in an element of its own.
    let mut first = heading;
    let text = measures.of(heading).text;
    while let Some(parent) = document.parent(first) {
        if measures.of(parent).text > text + beside || document.is(parent, Tag::Body) {
            break;
        }
        first = parent;
    }
    // A section with a text of its own does not lead elsewhere.
    let after = document.element_after(first);
    if is_related && after.is_some_and(|after| is_text(document, measures, after)) {
        return;
    }
    if phrase == Phrase::Comments && is_subject(document, measures, heading, tag, first) {
        return;
    }
    marks.insert(first);
    let own_level = tag.heading();
    let level = own_level.unwrap_or(6);
    let mut next = document.next_sibling(first);
    while let Some(id) = next {
        next = document.next_sibling(id);
        let Some(tag) = document.tag(id) else {
            continue;
        };
        if tag.heading().is_some_and(|other| other <= level)
            || (is_label && shop::is_next(document, measures, first, id))
            || (is_related
                && (is_text(document, measures, id) || has_no_link(measures.of(id), tag)))
        {
            break;
        }
        marks.insert(id);
        // A label names only what follows it directly.
        if is_label {
            break;
        }
    }
}

/// Whether an element after a list of links leads nowhere, so that the text continues with it.
fn has_no_link(facts: &Facts, tag: Tag) -> bool {
    let is_text = matches!(
        tag,
        Tag::P | Tag::Pre | Tag::Table | Tag::Ul | Tag::Ol | Tag::Dl | Tag::Blockquote
    );
    is_text && facts.text > 0.0 && facts.link == 0.0 && facts.images == 0.0
}

/// Whether a section is about comments, and does not consist of those of readers: text without the
/// names and the forms of comments is under a heading without a number, and another section of the
/// same level follows.
fn is_subject(document: &Document, measures: &Measures, heading: Id, tag: Tag, first: Id) -> bool {
    let Some(level) = tag.heading().filter(|_| first == heading) else {
        return false;
    };
    let name = block_text(document, heading, phrases::LONGEST).unwrap_or_default();
    if name.contains(|character: char| character.is_numeric()) {
        return false;
    }
    let mut text = 0.0;
    for id in document.siblings_after(heading) {
        let Some(tag) = document.tag(id) else {
            continue;
        };
        if let Some(other) = tag.heading() {
            return other <= level && text > 0.0;
        }
        let is_prose = matches!(
            tag,
            Tag::P | Tag::Pre | Tag::Table | Tag::Ul | Tag::Ol | Tag::Dl | Tag::Blockquote
        );
        let facts = measures.of(id);
        if facts.text > 0.0 && (!is_prose || facts.kinds.has(Kinds::COMMENT)) {
            return false;
        }
        text += facts.text;
    }
    false
}

/// Whether an element has paragraphs that are not summaries of other texts.
fn is_text(document: &Document, measures: &Measures, id: Id) -> bool {
    let facts = measures.of(id);
    facts.good > 0.0
        && facts.linked_headings == 0.0
        && facts.density() <= 0.5
        && !document.is(id, Tag::Article)
}

/// The navigation and the end of a page without a main text: the elements whose tag or role says so.
pub fn navigation(document: &Document, measures: &Measures, body: Id) -> Marks {
    let mut marks = Marks::default();
    let whole = measures.of(body);
    let mut elements = measures.elements(body);
    while let Some(element) = elements.next() {
        let role = document
            .attribute(element.id, Name::Role)
            .unwrap_or_default();
        let is_navigation = matches!(element.tag, Tag::Nav | Tag::Footer | Tag::Menu)
            || (element.tag == Tag::Header && element.facts.density() > HEADER_LINKS)
            || matches!(role, "navigation" | "contentinfo" | "menu" | "menubar");
        if is_navigation && element.facts.text <= NAVIGATION_PART * whole.text {
            marks.insert(element.id);
            elements.skip_children_of(element);
        }
    }
    marks
}
