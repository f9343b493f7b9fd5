//! The elements that contain the main text.

use super::measure::{Facts, Measures};
use super::page::{Page, PageType};
use super::verify;
use super::words::Kinds;
use crate::dom::{Document, Id, Marks, Name, Tag};
use crate::limits;
use crate::metadata::{Declared, Metadata};

/// The part of the paragraphs of a page above which the element that the page calls its text is
/// believed to be it, if the page says that it is an article.
const BODY_PART: f32 = 0.2;

/// The same for other pages: the texts of a few cards may have names of the text of a page.
const PERHAPS_BODY_PART: f32 = 0.5;

/// The part of the paragraphs of the best element above which a named element is better.
const NAMED_PART: f32 = 0.7;

/// The part of the longest part of an article above which another element is a part of it.
const SPLIT_PART: f32 = 0.1;

/// The maximum number of parts of an article. A page with more elements of the same name than this
/// has several texts.
const PARTS: usize = 16;

/// The part of the text in the metadata below which a selection is too short.
const SHORT_PART: f32 = 0.6;

/// The part of the text in the metadata above which a selection is too long to replace another.
const LONG_PART: f32 = 1.5;

/// Chooses the elements that contain the main text, in document order.
pub fn roots(page: &Page, around: &Marks, main: Option<Id>) -> Vec<Id> {
    let Page {
        document,
        measures,
        metadata,
        kind,
        body,
    } = *page;
    let prose = page.is_prose() || kind == PageType::Forum;
    let sums = Sums::new(measures, around, prose);
    let choice = Choice {
        document,
        measures,
        metadata,
        around,
        sums,
        body,
    };
    if page.is_prose() {
        choice.article()
    } else {
        // The rest of the page is around the part that it declares to be the main one.
        let choice = Choice {
            body: main.unwrap_or(body),
            ..choice
        };
        let (best, named) = choice.candidates();
        vec![choice.innermost(choice.named(best, &named), choice.title())]
    }
}

/// The element that the page declares to be its main part. `None` if there are several, or if it has
/// only a few words.
pub fn main_part(document: &Document, measures: &Measures, around: &Marks, body: Id) -> Option<Id> {
    let mut found = None;
    let mut elements = measures.elements(body);
    while let Some(element) = elements.next() {
        let id = element.id;
        if around.contains(id) {
            elements.skip_children_of(element);
        } else if element.tag == Tag::Main || document.attribute(id, Name::Role) == Some("main") {
            if found.is_some() {
                return None;
            }
            found = Some(id);
            elements.skip_children_of(element);
        }
    }
    found.filter(|id| measures.of(*id).words >= limits::MAIN_WORDS)
}

struct Choice<'d> {
    document: &'d Document,
    measures: &'d Measures,
    metadata: &'d Metadata,
    around: &'d Marks,
    sums: Sums<'d>,
    body: Id,
}

impl Choice<'_> {
    /// The element with the best sum, and the elements whose names say that they contain the text.
    fn candidates(&self) -> (Id, Vec<Id>) {
        let mut best = self.body;
        let mut named = Vec::new();
        let mut most = self.sums.value(best);
        let mut elements = self.measures.elements(self.body);
        while let Some(element) = elements.next() {
            let id = element.id;
            if self.around.contains(id) {
                elements.skip_children_of(element);
                continue;
            }
            let value = self.sums.value(id);
            if value >= most {
                best = id;
                most = value;
            }
            if is_container(element.tag) && is_named(self.document, id, &element.facts) {
                named.push(id);
            }
        }
        (best, named)
    }

    fn article(&self) -> Vec<Id> {
        let (densest, named) = self.candidates();
        let joined = self.joined(&named);
        let mut best = densest;
        let body = self.body_of_text(densest, &joined);
        if let Some(body) = body {
            best = body;
        }
        best = self.named(best, &joined);
        let verified = self.verified(best, densest, &joined);
        if verified == best
            && let Some(parts) = body.and_then(|body| self.parts(body, &named))
        {
            return parts;
        }
        // A paragraph is not all of a text: code or a list may be beside it.
        let root = match self.document.parent(verified) {
            Some(parent) if verified != self.body && !self.is_container(verified) => parent,
            _ => verified,
        };
        vec![self.innermost(root, None)]
    }

    fn is_container(&self, id: Id) -> bool {
        self.document.tag(id).is_some_and(is_container)
    }

    /// The element that the page calls its text, even if there is more text elsewhere.
    fn body_of_text(&self, densest: Id, named: &[Id]) -> Option<Id> {
        let mut around_title = Marks::default();
        if let Some(heading) = self.metadata.heading {
            for outer in self.document.ancestors(heading) {
                around_title.insert(outer);
            }
        }
        let part = match self.metadata.declared {
            Declared::Article => BODY_PART,
            _ => PERHAPS_BODY_PART,
        };
        let mut best: Option<Id> = None;
        for id in named {
            // An article with the title in it is the one that the page is about.
            let titled = self.document.is(*id, Tag::Article) && around_title.contains(*id);
            let good = self.sums.good(*id);
            if (titled || self.is_body(*id))
                && good >= part * self.sums.good(densest)
                && best.is_none_or(|other| good >= self.sums.good(other))
            {
                best = Some(*id);
            }
        }
        best
    }

    /// The innermost named element with most of the paragraphs of the best element.
    fn named(&self, best: Id, named: &[Id]) -> Id {
        let mut best = best;
        for id in named {
            if self.sums.good(*id) >= NAMED_PART * self.sums.good(best) {
                best = *id;
            }
        }
        best
    }

    /// Another element than the best one, if the metadata has the start or the size of the text, and
    /// the best one does not.
    fn verified(&self, best: Id, densest: Id, named: &[Id]) -> Id {
        let mut best = best;
        let first = verify::first_paragraph(
            self.document,
            self.measures,
            self.around,
            self.metadata,
            self.body,
        );
        if let Some(first) = first
            && !self.contains(best, first)
        {
            let other = self.densest_around(first);
            // Otherwise the summary is above the text.
            if !self.contains(other, best) {
                best = other;
            }
        }
        let Some(size) = verify::size(self.metadata) else {
            return best;
        };
        if self.sums.good(best) < SHORT_PART * size {
            for id in named.iter().copied().chain([densest]) {
                let good = self.sums.good(id);
                if good > self.sums.good(best) && good <= LONG_PART * size {
                    best = id;
                }
            }
        }
        best
    }

    /// The element with the best sum that contains a paragraph.
    fn densest_around(&self, paragraph: Id) -> Id {
        let mut best = paragraph;
        for outer in self.document.ancestors(paragraph) {
            if self.sums.value(outer) >= self.sums.value(best) {
                best = outer;
            }
            if outer == self.body {
                break;
            }
        }
        best
    }

    /// Whether a node is an element or is in it.
    fn contains(&self, outer: Id, inner: Id) -> bool {
        outer == inner || self.document.ancestors(inner).any(|id| id == outer)
    }

    /// The parts of an article between advertisements, which have the same class.
    fn parts(&self, body: Id, named: &[Id]) -> Option<Vec<Id>> {
        let class = self.document.attribute(body, Name::Class)?;
        let mut parts: Vec<Id> = Vec::new();
        for id in named {
            if self.document.attribute(*id, Name::Class) == Some(class)
                && self.sums.good(*id) >= SPLIT_PART * self.sums.good(body)
            {
                // A part in another part is not one.
                if !parts.last().is_some_and(|last| self.contains(*last, *id)) {
                    parts.push(*id);
                }
            }
        }
        // Each article of an endless page has its own title.
        let titles = self.measures.titles;
        (parts.len() > 1 && parts.len() <= PARTS && titles <= 1 && parts.contains(&body))
            .then_some(parts)
    }

    /// The named elements, with the parent in place of two or more that are side by side.
    fn joined(&self, named: &[Id]) -> Vec<Id> {
        let mut joined: Vec<Id> = Vec::new();
        let mut previous: Option<Id> = None;
        for id in named {
            let parent = self.document.parent(*id);
            let beside = self.is_body(*id) && previous.is_some() && previous == parent;
            match joined.last_mut() {
                Some(last) if beside => *last = parent.unwrap_or(*id),
                _ => joined.push(*id),
            }
            previous = parent.filter(|_| self.is_body(*id));
        }
        joined
    }

    fn is_body(&self, id: Id) -> bool {
        self.measures.of(id).kinds.has(Kinds::BODY)
    }

    /// The heading over the page: the one that repeats the title, or the first of level 1.
    fn title(&self) -> Option<Id> {
        let mut elements = self.measures.elements(self.body);
        while let Some(element) = elements.next() {
            if self.around.contains(element.id) {
                elements.skip_children_of(element);
            } else if self.metadata.heading == Some(element.id) || element.tag == Tag::H1 {
                return Some(element.id);
            }
        }
        None
    }

    /// The innermost element that contains nearly all paragraphs of an element, and the title if
    /// the element contains it.
    fn innermost(&self, root: Id, title: Option<Id>) -> Id {
        let enough = NEARLY_ALL * self.sums.good(root);
        let title = title.filter(|title| self.contains(root, *title));
        let mut best = root;
        loop {
            let inner = self
                .document
                .children(best)
                .filter(|child| self.document.tag(*child).is_some_and(is_container))
                .find(|child| self.sums.good(*child) >= enough && self.sums.good(*child) > 0.0)
                .filter(|child| title.is_none_or(|title| self.contains(*child, title)));
            match inner {
                Some(inner) => best = inner,
                None => return best,
            }
        }
    }
}

/// The part of the paragraphs of an element that an element in it contains, if the rest is around
/// the text.
const NEARLY_ALL: f32 = 0.92;

fn is_container(tag: Tag) -> bool {
    tag.is_block() && tag != Tag::P && tag.heading().is_none()
}

/// Whether an element says that it contains the text.
fn is_named(document: &Document, id: Id, facts: &Facts) -> bool {
    facts.kinds.has(Kinds::BODY)
        || matches!(document.tag(id), Some(Tag::Article | Tag::Main))
        || document.attribute(id, Name::Role) == Some("main")
}

/// Sums of each subtree without the parts around the text.
struct Sums<'m> {
    measures: &'m Measures,
    /// The sum that is compared, and the text of paragraphs, of each visible element.
    sums: Vec<(f32, f32)>,
}

impl<'m> Sums<'m> {
    /// Adds up the paragraphs, or all text if the text of the page is not `prose`.
    fn new(measures: &'m Measures, around: &Marks, prose: bool) -> Self {
        let mut sums = vec![(0.0, 0.0); measures.count()];
        for (place, parent, element) in measures.reversed() {
            let Some(sum) = sums.get_mut(place) else {
                continue;
            };
            if around.contains(element.id) {
                *sum = (0.0, 0.0);
                continue;
            }
            let facts = &element.facts;
            let plain = facts.own.text - facts.own_link;
            let (mut own, mut own_good) = (0.0, 0.0);
            if !prose {
                own = facts.own.text;
                own_good = facts.own.text;
            } else if facts.is_paragraph() {
                own = plain;
                own_good = plain;
            } else if facts.own.text > 0.0 {
                own = -0.5 * facts.own_link - 0.1 * plain;
            }
            sum.0 += own;
            sum.1 += own_good;
            let sum = *sum;
            if let Some(outer) = sums.get_mut(parent).filter(|_| parent != place) {
                outer.0 += sum.0;
                outer.1 += sum.1;
            }
        }
        Self { measures, sums }
    }

    fn value(&self, id: Id) -> f32 {
        self.of(id).0
    }

    fn good(&self, id: Id) -> f32 {
        self.of(id).1
    }

    fn of(&self, id: Id) -> (f32, f32) {
        let place = self.measures.place(id);
        let sum = place.and_then(|place| self.sums.get(place));
        sum.copied().unwrap_or_default()
    }
}
