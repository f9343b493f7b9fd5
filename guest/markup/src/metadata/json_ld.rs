//! Metadata in JSON-LD, with the vocabulary of schema.org.

use super::facts::Declared;
use super::text::{tidy, unescaped};
use super::values::{date, person};
use crate::dom::{Document, Id, Name};
use crate::limits;
use serde_json::{Map, Value};

/// The facts that the JSON-LD of a page states. Those of the most specific object count.
#[derive(Debug, Default)]
pub struct Linked {
    pub title: Option<String>,
    pub authors: Vec<String>,
    pub published: Option<String>,
    pub modified: Option<String>,
    pub url: Option<String>,
    pub site: Option<String>,
    pub language: Option<String>,
    pub description: Option<String>,
    pub declared: Declared,
    pub text: Option<String>,
    /// The bytes that have been read.
    read: usize,
    /// How specific the object is that gave the facts.
    rank: u8,
}

impl Linked {
    /// Reads a script, if it is JSON-LD. A script that is not valid JSON is ignored.
    pub fn read(&mut self, document: &Document, id: Id) {
        let kind = document.attribute(id, Name::Type).unwrap_or_default();
        if !kind.trim().eq_ignore_ascii_case("application/ld+json") {
            return;
        }
        let mut text = String::new();
        document.raw_text(id, &mut text);
        self.read = self.read.saturating_add(text.len());
        if self.read > limits::JSON_LD {
            return;
        }
        let text = text.trim().trim_end_matches(';');
        let text = text.strip_prefix("<!--").unwrap_or(text);
        let text = text.strip_suffix("-->").unwrap_or(text);
        let text = text.strip_prefix("//<![CDATA[").unwrap_or(text);
        let text = text.strip_suffix("//]]>").unwrap_or(text);
        let Ok(value) = serde_json::from_str::<Value>(text) else {
            return;
        };
        let mut nodes = Vec::new();
        objects(&value, &mut nodes);
        for node in &nodes {
            self.object(node, &nodes);
        }
    }

    fn object(&mut self, object: &Map<String, Value>, all: &[&Map<String, Value>]) {
        let (declared, rank) = kind(object);
        if matches!(
            type_of(object),
            Some("WebSite" | "Organization" | "NewsMediaOrganization")
        ) && self.site.is_none()
        {
            self.site = string(object, "name");
        }
        if rank <= self.rank {
            return;
        }
        self.rank = rank;
        self.declared = declared;
        self.title = string(object, "headline").or_else(|| string(object, "name"));
        self.authors.clear();
        if let Some(author) = object.get("author").or_else(|| object.get("creator")) {
            people(author, all, &mut self.authors);
        }
        self.published = ["datePublished", "dateCreated"]
            .into_iter()
            .find_map(|key| date(&string(object, key)?));
        self.modified = string(object, "dateModified").as_deref().and_then(date);
        self.url = string(object, "url");
        self.description = string(object, "description");
        self.language = string(object, "inLanguage");
        self.text = Some(object)
            .and_then(|object| text(object, text_member(declared)?))
            .and_then(|text| tidy(&unescaped(text)));
        if let Some(publisher) = object.get("publisher").and_then(Value::as_object)
            && let Some(name) = string(publisher, "name")
        {
            self.site = Some(name);
        }
    }
}

/// The member that contains the text of a page of this type.
fn text_member(declared: Declared) -> Option<&'static str> {
    match declared {
        Declared::Article => Some("articleBody"),
        Declared::Product => Some("description"),
        _ => None,
    }
}

/// The objects at the top, in arrays and in `@graph`, and the main entities of these.
fn objects<'v>(value: &'v Value, nodes: &mut Vec<&'v Map<String, Value>>) {
    let mut rest = vec![value];
    while let Some(value) = rest.pop() {
        match value {
            Value::Array(values) => rest.extend(values.iter().rev()),
            Value::Object(object) => {
                nodes.push(object);
                // The questions of a list of them are not a discussion of readers.
                let is_list = type_of(object) == Some("FAQPage");
                for key in ["mainEntity", "@graph"]
                    .into_iter()
                    .skip(usize::from(is_list))
                {
                    if let Some(inner) = object.get(key) {
                        rest.push(inner);
                    }
                }
            }
            _ => {}
        }
        if nodes.len() >= limits::JSON_LD_OBJECTS {
            return;
        }
    }
}

fn type_of(object: &Map<String, Value>) -> Option<&str> {
    match object.get("@type")? {
        Value::String(name) => Some(name),
        Value::Array(names) => names.first()?.as_str(),
        _ => None,
    }
}

/// The kind of page that an object describes, and how specific the object is. An object with rank
/// zero does not describe the page.
fn kind(object: &Map<String, Value>) -> (Declared, u8) {
    let Some(name) = type_of(object) else {
        return (Declared::Nothing, 0);
    };
    let name = name.rsplit(['/', ':']).next().unwrap_or(name);
    match name {
        "TechArticle" | "APIReference" => (Declared::Documentation, 3),
        "DiscussionForumPosting" | "QAPage" | "Question" => (Declared::Discussion, 3),
        "Recipe" | "HowTo" | "Review" => (Declared::Article, 3),
        "Product" | "ProductGroup" => (Declared::Product, 3),
        _ if name.ends_with("Article") || name.ends_with("Posting") || name == "Report" => {
            (Declared::Article, 3)
        }
        "CollectionPage" | "SearchResultsPage" | "ItemList" => (Declared::List, 2),
        "WebPage" | "ItemPage" | "FAQPage" | "AboutPage" => (Declared::Nothing, 1),
        _ => (Declared::Nothing, 0),
    }
}

/// The value of a member, if it is not too long for a fact.
fn string(object: &Map<String, Value>, key: &str) -> Option<String> {
    let text = text(object, key).filter(|text| text.len() <= limits::META_CONTENT);
    tidy(&unescaped(text?))
}

/// The value of a member, as it is in the source.
fn text<'v>(object: &'v Map<String, Value>, key: &str) -> Option<&'v str> {
    let mut value = object.get(key)?;
    if let Value::Array(values) = value {
        value = values.first()?;
    }
    if let Value::Object(inner) = value {
        value = inner.get("@value").or_else(|| inner.get("name"))?;
    }
    value.as_str()
}

/// The names of persons: a string, an object, a reference to one, or an array of these.
fn people(value: &Value, all: &[&Map<String, Value>], names: &mut Vec<String>) {
    let values = match value {
        Value::Array(values) => values.as_slice(),
        _ => std::slice::from_ref(value),
    };
    for value in values.iter().take(limits::AUTHORS) {
        let name = match value {
            Value::String(name) if name.len() <= limits::META_CONTENT => Some(name.clone()),
            Value::Object(object) => string(object, "name").or_else(|| {
                let id = object.get("@id")?;
                let found = all
                    .iter()
                    .find(|other| other.get("@id") == Some(id) && other.contains_key("name"))?;
                string(found, "name")
            }),
            _ => None,
        };
        if let Some(name) = name.as_deref().and_then(person)
            && !names.contains(&name)
        {
            names.push(name);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::dom;
    use crate::metadata::{Declared, of};

    #[test]
    fn graph_with_references_gives_article_and_author() {
        let html = r##"<script type="application/ld+json">{"@graph":[
            {"@type":"WebSite","name":"The Log"},
            {"@type":["NewsArticle"],"headline":"A  storm","author":{"@id":"#p"},
             "datePublished":"2024-01-01","articleBody":"It rained."},
            {"@type":"Person","@id":"#p","name":"Gil Hay"}]}</script>"##;
        let found = of(&dom::parse(html));
        assert_eq!(found.title.as_deref(), Some("A storm"));
        assert_eq!(found.authors, ["Gil Hay"]);
        assert_eq!(found.published.as_deref(), Some("2024-01-01"));
        assert_eq!(found.site.as_deref(), Some("The Log"));
        assert_eq!(found.declared, Declared::Article);
        assert_eq!(found.text.as_deref(), Some("It rained."));
    }

    #[test]
    fn broken_script_is_ignored_and_next_is_read() {
        let html = r#"<script type="application/ld+json">{"@type":"Article","headline":</script>
            <script type="application/ld+json">[{"@type":"Product","name":"Kettle"}]</script>"#;
        let found = of(&dom::parse(html));
        assert_eq!(found.title.as_deref(), Some("Kettle"));
        assert_eq!(found.declared, Declared::Product);
    }

    #[test]
    fn long_description_is_left_out_but_long_body_is_read() {
        let long = "word ".repeat(2000);
        let html = format!(
            r#"<script type="application/ld+json">{{"@type":"Article","headline":"A storm",
            "description":"{long}","articleBody":"{long}"}}</script>"#
        );
        let found = of(&dom::parse(&html));
        assert_eq!(found.title.as_deref(), Some("A storm"));
        assert_eq!(found.description, None);
        assert_eq!(found.text.map(|body| body.len()), Some(9999));
    }

    #[test]
    fn deeply_nested_script_is_ignored() {
        let html = format!(
            "<script type=\"application/ld+json\">{}</script><title>T</title>",
            "[".repeat(100_000)
        );
        assert_eq!(of(&dom::parse(&html)).title.as_deref(), Some("T"));
    }

    #[test]
    fn questions_with_answers_are_not_a_discussion() {
        let question = r#"{"@type":"Question","name":"How long?"}"#;
        let page = |kind: &str, after: &str| {
            let json = format!(r#"[{{"@type":"{kind}","mainEntity":[{question}]}}{after}]"#);
            let html = format!("<script type=application/ld+json>{json}</script>");
            crate::metadata::of(&crate::dom::parse(&html)).declared
        };
        assert_eq!(page("QAPage", ""), Declared::Discussion);
        assert_eq!(page("FAQPage", ""), Declared::Nothing);
        let product = r#",{"@type":"Product","name":"Lamp"}"#;
        assert_eq!(page("FAQPage", product), Declared::Product);
    }
}
