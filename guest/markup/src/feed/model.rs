//! A feed, whatever its format.

use super::text::Text;

/// A feed.
#[derive(Clone, Debug, Default)]
pub struct Feed {
    /// The format, such as `Atom 1.0`.
    pub format: String,
    /// The title in one line.
    pub title: String,
    /// The description in one line.
    pub description: String,
    /// The page of the feed.
    pub link: Option<String>,
    /// The URL to which links are relative.
    pub base: String,
    /// The next part of a feed that is published in parts.
    pub next: Option<String>,
    /// The date of the last change.
    pub updated: Option<String>,
    /// The date of publication.
    pub published: Option<String>,
    /// The authors.
    pub authors: Vec<Author>,
    /// Other persons.
    pub contributors: Vec<Author>,
    /// The language.
    pub language: Option<String>,
    /// The copyright in one line.
    pub rights: String,
    /// Categories.
    pub tags: Vec<String>,
    /// The items that are shown.
    pub items: Vec<Item>,
    /// The number of all items.
    pub count: usize,
    /// Notes for the reply.
    pub notes: Vec<String>,
}

/// An item of a feed.
#[derive(Clone, Debug, Default)]
pub struct Item {
    /// The title in one line.
    pub title: String,
    /// The page of the item.
    pub link: Option<String>,
    /// The date of publication.
    pub published: Option<String>,
    /// The date of the last change.
    pub updated: Option<String>,
    /// The date after which the item is obsolete.
    pub expires: Option<String>,
    /// The authors.
    pub authors: Vec<Author>,
    /// Other persons.
    pub contributors: Vec<Author>,
    /// Categories.
    pub tags: Vec<String>,
    /// A summary.
    pub summary: Option<Text>,
    /// The content.
    pub content: Vec<Text>,
    /// Attached files.
    pub files: Vec<File>,
    /// Other links: a label, the text and the URL.
    pub links: Vec<(String, String, String)>,
    /// An image that the body may not show.
    pub image: Option<String>,
}

/// A person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Author {
    /// The name. Empty if it is unknown.
    pub name: String,
    /// The address. Empty if it is unknown.
    pub email: String,
    /// The page of the person.
    pub url: Option<String>,
}

/// An attached file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct File {
    /// The URL.
    pub url: String,
    /// The title.
    pub title: String,
    /// The MIME type.
    pub mime: String,
    /// The size in bytes.
    pub size: Option<u64>,
    /// The duration, such as `31:20`.
    pub duration: String,
}

impl Author {
    /// A person in one of the customary forms: `name`, `address (name)`, `name (address)` or
    /// `name <address>`.
    pub fn parse(text: &str) -> Self {
        let text = super::text::one_line(text);
        let trim = |part: &str| part.trim_matches([' ', '"', ',', ';']).to_owned();
        let pair = text
            .split_once('(')
            .map(|(before, rest)| (before, rest.trim_end().trim_end_matches(')')));
        let pair = pair.or_else(|| {
            let (before, rest) = text.split_once('<')?;
            Some((before, rest.trim_end().trim_end_matches('>')))
        });
        let is_address = |part: &str| {
            let part = part.trim();
            let part = part.strip_prefix("mailto:").unwrap_or(part);
            !part.contains(' ')
                && part
                    .split_once('@')
                    .is_some_and(|(user, host)| !user.is_empty() && host.contains('.'))
        };
        let address = |part: &str| trim(part.trim().strip_prefix("mailto:").unwrap_or(part.trim()));
        match pair {
            Some((email, name)) if is_address(email) => Self {
                name: trim(name),
                email: address(email),
                url: None,
            },
            Some((name, email)) if is_address(email) => Self {
                name: trim(name),
                email: address(email),
                url: None,
            },
            None if is_address(&text) => Self {
                name: String::new(),
                email: address(&text),
                url: None,
            },
            _ => Self {
                name: text,
                ..Self::default()
            },
        }
    }

    /// Whether nothing is known about the person.
    pub fn is_empty(&self) -> bool {
        self.name.is_empty() && self.email.is_empty() && self.url.is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn author_in_each_form_is_parsed() {
        for text in [
            "me@example.com (Example editor)",
            "Example editor (me@example.com)",
            "Example editor <me@example.com>",
            "\"Example editor\" <mailto:me@example.com>",
        ] {
            let author = Author::parse(text);
            assert_eq!(
                (author.name.as_str(), author.email.as_str()),
                ("Example editor", "me@example.com"),
                "{text}"
            );
        }
        assert_eq!(Author::parse("me@example.com").email, "me@example.com");
        assert_eq!(Author::parse("A (B) C").name, "A (B) C");
    }
}
