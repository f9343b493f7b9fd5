//! Metadata in the visible markup of a page.

use super::classes;
use super::facts::Declared;
use super::text::{text_of, tidy};
use super::values::{date, person};
use crate::dom::{Document, Id, Name, Tag};
use crate::limits;

/// The facts that the visible markup states. The first of several counts.
#[derive(Debug, Default)]
pub struct Visible {
    pub title: Option<String>,
    pub item_title: Option<String>,
    pub item_authors: Vec<String>,
    pub item_published: Option<String>,
    pub item_modified: Option<String>,
    pub rel_authors: Vec<String>,
    pub byline: Option<String>,
    /// The first time before a heading of level 1.
    pub time: Option<String>,
    /// The first time after a heading of level 1.
    pub time_after_title: Option<String>,
    pub declared: Declared,
    /// Headings of levels 1 and 2 that may repeat the title.
    pub headings: Vec<Id>,
    /// The first element with the class of a byline.
    pub byline_at: Option<Id>,
    /// Whether `declared` is from a question that is in no page of questions.
    is_question: bool,
    /// Whether the page has a list of questions with answers, which is not a discussion.
    has_questions: bool,
    /// The number of elements whose text was read.
    read: usize,
}

impl Visible {
    pub fn read(&mut self, document: &Document, id: Id, tag: Tag) {
        match tag {
            Tag::Title if self.title.is_none() => {
                self.title = text_of(document, id, limits::META_CONTENT);
            }
            Tag::H1 | Tag::H2 if self.headings.len() < limits::TITLE_HEADINGS => {
                self.headings.push(id);
            }
            Tag::Time if self.time_after_title.is_none() => {
                let time = document.attribute(id, Name::Datetime).and_then(date);
                if self.headings.iter().any(|id| document.is(*id, Tag::H1)) {
                    self.time_after_title = time;
                } else if self.time.is_none() {
                    self.time = time;
                }
            }
            _ => {}
        }
        self.property(document, id, true);
        if let Some(kind) = document.attribute(id, Name::Itemtype) {
            self.item(kind);
        }
        if tag == Tag::A
            && self.rel_authors.is_empty()
            && let Some(rel) = document.attribute(id, Name::Rel)
            && rel.split_ascii_whitespace().any(|word| word == "author")
            && self.may_read()
        {
            let name = text_of(document, id, limits::NAME);
            self.rel_authors.extend(name.as_deref().and_then(person));
        }
        if self.byline_at.is_none()
            && let Some(class) = document.attribute(id, Name::Class)
            && is_byline(class)
            && !classes::is_outside(document, id)
        {
            self.byline_at = Some(id);
        }
    }

    /// Reads the type of an item of microdata.
    fn item(&mut self, kind: &str) {
        let name = kind.trim().rsplit('/').next().unwrap_or_default();
        match name {
            "FAQPage" => self.has_questions = true,
            // One question is that of a discussion. Several are a list of questions with answers.
            "Question" if self.declared == Declared::Discussion && self.is_question => {
                self.declared = Declared::Nothing;
                self.has_questions = true;
            }
            _ => {}
        }
        let is_answered = self.has_questions && name == "Question";
        if self.declared == Declared::Nothing && !is_answered {
            self.declared = declared(name);
            self.is_question = name == "Question";
        }
    }

    /// Reads the properties of microdata that an element has. Only the attributes of an element
    /// that is not `visible` count.
    pub fn property(&mut self, document: &Document, id: Id, visible: bool) {
        let Some(property) = document.attribute(id, Name::Itemprop) else {
            return;
        };
        let has = |names: &[&str]| {
            let mut words = property.split_ascii_whitespace();
            words.any(|word| names.contains(&word))
        };
        if self.item_title.is_none() && has(&["headline"]) && self.may_read() {
            self.item_title = value(document, id, visible);
        }
        if self.item_authors.is_empty() && has(&["author", "creator"]) && self.may_read() {
            let name = document
                .subtree(id)
                .skip(1)
                .take(limits::NAME)
                .find(|inner| document.attribute(*inner, Name::Itemprop) == Some("name"))
                .unwrap_or(id);
            // The element with the name may be hidden in a visible one.
            let outer = document.ancestors(name).take_while(|outer| *outer != id);
            let hidden = std::iter::once(name)
                .chain(outer)
                .any(|inner| inner != id && document.is_hidden(inner));
            let name = value(document, name, visible && !hidden);
            self.item_authors.extend(name.as_deref().and_then(person));
        }
        if self.item_published.is_none()
            && has(&["datePublished", "dateCreated"])
            && self.may_read()
        {
            let value = value(document, id, visible);
            self.item_published = value.as_deref().and_then(date);
        }
        if self.item_modified.is_none() && has(&["dateModified"]) && self.may_read() {
            let value = value(document, id, visible);
            self.item_modified = value.as_deref().and_then(date);
        }
    }

    /// Counts the elements whose text is read, which may be one inside the other.
    fn may_read(&mut self) -> bool {
        self.read = self.read.saturating_add(1);
        self.read <= limits::META_ELEMENTS
    }

    /// Reads what was found but may not be needed.
    pub fn finish(&mut self, document: &Document) {
        if let Some(id) = self.byline_at {
            let text = text_of(document, id, limits::META_CONTENT);
            self.byline = text.as_deref().and_then(person);
        }
    }
}

/// The value of a property of microdata. The text counts only if it is `visible`.
fn value(document: &Document, id: Id, visible: bool) -> Option<String> {
    let data = document
        .attribute(id, Name::Content)
        .or_else(|| document.attribute(id, Name::Datetime));
    data.filter(|data| data.len() <= limits::META_CONTENT)
        .and_then(tidy)
        .or_else(|| visible.then(|| text_of(document, id, limits::META_CONTENT))?)
}

fn declared(name: &str) -> Declared {
    match name {
        "Product" => Declared::Product,
        "QAPage" | "Question" | "DiscussionForumPosting" => Declared::Discussion,
        "TechArticle" | "APIReference" => Declared::Documentation,
        "CollectionPage" | "SearchResultsPage" => Declared::List,
        "Recipe" => Declared::Article,
        _ if name.ends_with("Article") || name.ends_with("Posting") => Declared::Article,
        _ => Declared::Nothing,
    }
}

fn is_byline(class: &str) -> bool {
    class.split_ascii_whitespace().any(|word| {
        [
            "byline",
            "author",
            "author-name",
            "article-author",
            "post-author",
            "entry-author",
        ]
        .iter()
        .any(|known| word.eq_ignore_ascii_case(known))
    })
}

#[cfg(test)]
mod tests {
    use crate::dom;
    use crate::metadata::{Declared, of};

    #[test]
    fn property_that_is_repeated_is_read_once() {
        // Each of 100 000 words would visit 100 000 nodes.
        let words = "headline author datePublished ".repeat(100_000);
        let empty = "<b></b>".repeat(100_000);
        let found = of(&dom::parse(&format!("<p itemprop='{words}'>{empty}</p>")));
        assert_eq!(found.title, None);
    }

    #[test]
    fn several_questions_are_not_a_discussion() {
        let question = "<div itemscope itemtype='https://schema.org/Question'>a</div>";
        let declared = |html: &str| of(&dom::parse(html)).declared;
        assert_eq!(declared(question), Declared::Discussion);
        assert_eq!(declared(&question.repeat(2)), Declared::Nothing);
        assert_eq!(declared(&question.repeat(3)), Declared::Nothing);
        let page = format!("<body itemtype='https://schema.org/FAQPage'>{question}");
        assert_eq!(declared(&page), Declared::Nothing);
        let page = format!("<body itemtype='https://schema.org/QAPage'>{question}{question}");
        assert_eq!(declared(&page), Declared::Discussion);
    }

    #[test]
    fn many_properties_and_long_texts_are_bounded() {
        // Each of 100 000 properties would visit the following ones.
        let html = "<b itemprop=headline>".repeat(200) + &"<i itemprop=author></i>".repeat(100_000);
        assert_eq!(of(&dom::parse(&html)).title, None);
    }

    #[test]
    fn hidden_text_is_not_a_property() {
        for html in [
            "<p hidden itemprop=headline>Eve</p>",
            "<div hidden><p itemprop=headline>Eve</p></div>",
            "<p itemprop=author><b hidden><i itemprop=name>Eve Mallory</i></b></p>",
        ] {
            let found = of(&hidden(html));
            assert_eq!((found.title, found.authors.len()), (None, 0), "{html}");
        }
        let found = of(&hidden("<p hidden itemprop=headline content=Data>Eve</p>"));
        assert_eq!(found.title.as_deref(), Some("Data"));
    }

    /// A page whose elements with the attribute `hidden` are hidden.
    fn hidden(html: &str) -> dom::Document {
        let mut document = dom::parse(html);
        let mut marks = dom::Marks::default();
        for id in document.subtree(dom::Id::ROOT) {
            if document.has(id, dom::Name::Hidden) {
                marks.insert(id);
            }
        }
        document.hide(&marks);
        document
    }
}
