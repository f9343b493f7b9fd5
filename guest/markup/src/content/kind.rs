//! The type of a page.

use super::measure::Measures;
use super::page::PageType;
use super::words::{Kinds, kinds};
use crate::dom::{Document, Id, Name, Tag};
use crate::metadata::{Declared, Metadata};

/// The number of entries that make a page a list.
const ENTRIES: f32 = 4.0;

/// The part of the text of a page that its entries or links have, if the page is a list.
const LIST_PART: f32 = 0.5;

/// The text of paragraphs with which a page may be more than a list of links.
const PROSE: f32 = 1000.0;

/// The part of the paragraphs that the posts of a discussion have.
const POSTS_PART: f32 = 0.6;

/// The number of links to sections that say that a page is documentation: generators add them to
/// each heading.
const ANCHORS: u32 = 3;

/// The number of words of the shortest post.
const POST_WORDS: f32 = 5.0;

/// What is counted in a page, without the parts around its text.
#[derive(Default)]
struct Signs {
    text: f32,
    link: f32,
    good: f32,
    entries: f32,
    entry_text: f32,
    posts: u32,
    post_good: f32,
    /// Whether posts are side by side.
    siblings: bool,
    /// The paragraphs in elements of documentation.
    documented: f32,
    code: u32,
    anchors: u32,
    /// What the names of the page and of its largest elements say.
    names: Kinds,
}

/// Finds the type of a page.
pub fn of(document: &Document, measures: &Measures, metadata: &Metadata, body: Id) -> PageType {
    let declared = metadata.declared;
    match declared {
        Declared::Article => return PageType::Article,
        Declared::Documentation => return PageType::Documentation,
        Declared::Discussion => return PageType::Forum,
        Declared::Product => return PageType::Product,
        Declared::List | Declared::Nothing => {}
    }
    let signs = signs(document, measures, body);
    let posts = (signs.posts >= 3 || (signs.posts == 2 && signs.siblings))
        && signs.post_good >= POSTS_PART * signs.good;
    if posts && (signs.names.has(Kinds::FORUM) || signs.good - signs.post_good < PROSE) {
        return PageType::Forum;
    }
    let is_documentation = [
        signs.names.has(Kinds::DOCUMENTATION) || signs.documented >= 0.5 * signs.good.max(1.0),
        signs.anchors >= ANCHORS,
        signs.code >= 2,
    ];
    if signs.names.has(Kinds::GENERATED)
        || is_documentation.into_iter().filter(|sign| *sign).count() >= 2
    {
        return PageType::Documentation;
    }
    let listed = signs.entries >= ENTRIES && signs.entry_text >= LIST_PART * signs.text;
    let linked = signs.link >= LIST_PART * signs.text && signs.good < PROSE;
    if listed || (linked && signs.text > 0.0) || (declared == Declared::List && signs.entries > 1.0)
    {
        return PageType::List;
    }
    if signs.good >= LIST_PART * signs.text && signs.good > 0.0 {
        return PageType::Article;
    }
    PageType::Other
}

/// Whether the names of a page or of its largest elements say that it is a discussion.
pub fn is_named_discussion(document: &Document, measures: &Measures, body: Id) -> bool {
    signs(document, measures, body).names.has(Kinds::FORUM)
}

fn signs(document: &Document, measures: &Measures, body: Id) -> Signs {
    let mut signs = Signs::default();
    for id in [document.find(Tag::Html), Some(body)].into_iter().flatten() {
        for name in [Name::Class, Name::Id] {
            let kinds = kinds(document.attribute(id, name).unwrap_or_default());
            signs.names = signs.names.or(kinds);
        }
    }
    let whole = measures.of(body);
    signs.text = whole.text;
    signs.link = whole.link;
    let mut elements = measures.elements(body);
    // The ends of the elements in which nothing more is counted.
    let (mut post_end, mut entry_end, mut documented_end) = (0, 0, 0);
    while let Some(element) = elements.next() {
        let (id, tag, facts) = (element.id, element.tag, &element.facts);
        if is_outside(tag, facts.kinds) {
            signs.text -= facts.text;
            signs.link -= facts.link;
            elements.skip_children_of(element);
            continue;
        }
        if facts.good >= 0.5 * whole.good {
            signs.names = signs
                .names
                .or(facts.kinds.only(Kinds::FORUM.or(Kinds::GENERATED)));
        }
        if facts.is_paragraph() {
            signs.good += facts.own.text - facts.own_link;
        }
        let post = facts.words >= POST_WORDS
            && (facts.kinds.has(Kinds::POST.or(Kinds::COMMENT))
                || (signs.names.has(Kinds::FORUM) && facts.kinds.has(Kinds::ENTRY)));
        if post && !elements.is_inside(post_end) {
            if has_sibling_like(document, measures, id) {
                signs.siblings = true;
            }
            signs.posts = signs.posts.saturating_add(1);
            signs.post_good += facts.good;
            post_end = element.end();
        }
        if facts.entries >= 2.0 && !elements.is_inside(entry_end) {
            signs.entries += facts.entries;
            signs.entry_text += facts.entry_text;
            entry_end = element.end();
        }
        if facts.kinds.has(Kinds::DOCUMENTATION) && !elements.is_inside(documented_end) {
            signs.documented += facts.good;
            documented_end = element.end();
        }
        match tag {
            Tag::Pre => signs.code = signs.code.saturating_add(1),
            Tag::A if is_anchor(document, id) => signs.anchors = signs.anchors.saturating_add(1),
            _ => {}
        }
    }
    signs
}

/// Whether an element is around the text on every type of page.
fn is_outside(tag: Tag, kinds: Kinds) -> bool {
    matches!(tag, Tag::Nav | Tag::Footer | Tag::Dialog | Tag::Search)
        || kinds.has(Kinds::NAVIGATION.or(Kinds::FOOTER).or(Kinds::NOTICE))
}

/// Whether the element before or after an element has the same class, as posts of a thread do.
fn has_sibling_like(document: &Document, measures: &Measures, id: Id) -> bool {
    let like = |other| {
        document.tag(other) == document.tag(id)
            && measures.of(other).kinds.has(Kinds::POST.or(Kinds::COMMENT))
    };
    let mut before = document.siblings_before(id).take(NEAR);
    let mut after = document.siblings_after(id).take(NEAR);
    before.any(like) || after.any(like)
}

/// The number of nodes in which the next post is searched: texts, rules and advertisements are
/// between them.
const NEAR: usize = 6;

/// Whether a link leads to the heading that contains it.
fn is_anchor(document: &Document, id: Id) -> bool {
    let href = document.attribute(id, Name::Href).unwrap_or_default();
    href.starts_with('#')
        && href.len() > 1
        && document
            .parent(id)
            .and_then(|parent| document.tag(parent))
            .is_some_and(|tag| tag.heading().is_some())
}
