//! The addresses to which a page refers, with which a reader decides what else to fetch.

use crate::dom::{Document, Id, Marks, Name, Tag};
use crate::markdown::is_never_shown;
use crate::{limits, url};
use omniread_document::Format;

/// The addresses to which a page refers, and how much text it has. All addresses are absolute, of the
/// schemes `http` and `https`, and not that of the page itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Links {
    /// Other forms of the page that it declares: Markdown and feeds, in the order of the page. At
    /// most [`limits::ALTERNATES`].
    pub alternates: Vec<Alternate>,
    /// The documents to which the shown text links or which it embeds, such as PDF files, each once
    /// and without a fragment. At most [`limits::LINKED_DOCUMENTS`], so that a longer list has as
    /// many.
    pub documents: Vec<String>,
    /// The page to which a browser goes by itself after at most [`limits::REFRESH_SECONDS`].
    pub refresh: Option<String>,
    /// The number of words of the shown text, as [`word_count`](crate::word_count()) counts them.
    pub words: usize,
}

/// Another form of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Alternate {
    /// The format.
    pub kind: AlternateKind,
    /// The address.
    pub url: String,
    /// The title that the page gives it.
    pub title: Option<String>,
}

/// The format of another form of a page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AlternateKind {
    /// The page as Markdown.
    Markdown,
    /// A feed: RSS, Atom or JSON Feed.
    Feed,
}

/// The extensions of documents that are not web pages, besides those that an engine converts.
const TEXTS: [&str; 6] = ["csv", "ipynb", "markdown", "md", "tsv", "txt"];

/// The addresses that are needed to read those of a page.
#[derive(Clone, Copy, Debug)]
pub struct Addresses<'a> {
    /// The address of the page. `None` for a local file.
    pub page: Option<&'a str>,
    /// The address to which links are relative. `None` if it is not known.
    pub base: Option<&'a str>,
}

impl Addresses<'_> {
    /// The links of a page whose text is in `roots`, without the nodes `dropped`. The words are not
    /// counted.
    pub fn links(self, document: &Document, roots: &[Id], dropped: &Marks) -> Links {
        Links {
            alternates: self.alternates(document),
            documents: self.documents(document, roots, dropped),
            refresh: self.refresh(document),
            words: 0,
        }
    }

    /// The absolute address of another page. `None` if it is that of the page itself, or no address
    /// of the web.
    fn other_page(self, reference: &str) -> Option<String> {
        let reference = reference.trim();
        if reference.is_empty() {
            return None;
        }
        let address = url::resolve(self.base.unwrap_or_default(), reference)?;
        let page = self.page.map(without_fragment);
        (url::is_web(&address) && Some(without_fragment(&address)) != page).then_some(address)
    }

    fn alternates(self, document: &Document) -> Vec<Alternate> {
        let links = document.with_tag(Tag::Link).filter_map(|id| {
            let rel = document.attribute(id, Name::Rel)?;
            let has = |word: &str| {
                let mut words = rel.split_ascii_whitespace();
                words.any(|found| found.eq_ignore_ascii_case(word))
            };
            if !has("alternate") || has("stylesheet") || is_in_template(document, id) {
                return None;
            }
            let address = document.attribute(id, Name::Href)?;
            let kind = kind(document.attribute(id, Name::Type)?, address)?;
            Some(Alternate {
                kind,
                url: self.other_page(address)?,
                title: document.attribute(id, Name::Title).and_then(title),
            })
        });
        links.take(limits::ALTERNATES).collect()
    }

    fn documents(self, document: &Document, roots: &[Id], dropped: &Marks) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for root in roots {
            let mut nodes = document.subtree(*root);
            while let Some(id) = nodes.next() {
                let Some(tag) = document.tag(id) else {
                    continue;
                };
                if dropped.contains(id) || is_never_shown(tag) {
                    nodes.skip_children_of(id);
                    continue;
                }
                let name = match tag {
                    Tag::A => Name::Href,
                    Tag::Iframe | Tag::Embed => Name::Src,
                    Tag::Object => Name::Data,
                    _ => continue,
                };
                let Some(reference) = document.attribute(id, name) else {
                    continue;
                };
                if !is_document(reference) {
                    continue;
                }
                let address = self.other_page(reference);
                let address = address.as_deref().map(without_fragment);
                let Some(address) = address.filter(|new| !found.iter().any(|old| old == new))
                else {
                    continue;
                };
                found.push(address.to_owned());
                if found.len() == limits::LINKED_DOCUMENTS {
                    return found;
                }
            }
        }
        found
    }

    fn refresh(self, document: &Document) -> Option<String> {
        let mut tags = document.with_tag(Tag::Meta).filter(|id| {
            let name = document.attribute(*id, Name::HttpEquiv);
            name.is_some_and(|name| name.trim().eq_ignore_ascii_case("refresh"))
                && !is_in_template(document, *id)
        });
        let content = document.attribute(tags.next()?, Name::Content)?;
        let (delay, address) = redirect(content)?;
        let address = self.other_page(address)?;
        (delay <= limits::REFRESH_SECONDS).then_some(address)
    }
}

/// A browser does not apply what is in a template.
fn is_in_template(document: &Document, id: Id) -> bool {
    let mut ancestors = document.ancestors(id);
    ancestors.any(|ancestor| document.is(ancestor, Tag::Template))
}

fn without_fragment(address: &str) -> &str {
    address.split('#').next().unwrap_or(address)
}

/// The kind of an alternate with a MIME type. `None` for other types, such as those of translations
/// and of pages for other devices.
fn kind(mime: &str, address: &str) -> Option<AlternateKind> {
    let mime = mime.split(';').next().unwrap_or(mime).trim();
    let is = |types: &[&str]| types.iter().any(|known| mime.eq_ignore_ascii_case(known));
    if is(&["text/markdown", "text/x-markdown"])
        || (is(&["text/plain"]) && extension(address).is_some_and(|end| is_same(end, "md")))
    {
        Some(AlternateKind::Markdown)
    } else if is(&[
        "application/rss+xml",
        "application/atom+xml",
        "application/feed+json",
    ]) {
        Some(AlternateKind::Feed)
    } else {
        None
    }
}

/// The title of an alternate on one line.
fn title(text: &str) -> Option<String> {
    if text.len() > limits::META_CONTENT {
        return None;
    }
    let words: Vec<&str> = text.split_whitespace().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// Whether the path of an address ends as the name of a document does.
fn is_document(address: &str) -> bool {
    let is_known = |end: &str| {
        Format::of_extension(end).is_some() || TEXTS.iter().any(|known| is_same(end, known))
    };
    extension(address.trim_end()).is_some_and(is_known)
}

fn extension(address: &str) -> Option<&str> {
    let (stem, extension) = url::file_name(address).rsplit_once('.')?;
    (!stem.is_empty()).then_some(extension)
}

fn is_same(extension: &str, known: &str) -> bool {
    extension.eq_ignore_ascii_case(known)
}

/// The delay in seconds and the address in the content of a `<meta http-equiv=refresh>`, as in the
/// HTML standard, 4.2.5.3. `None` without an address: the page only loads itself again.
fn redirect(content: &str) -> Option<(u32, &str)> {
    let content = content.trim_ascii_start();
    let after_digits = content.trim_start_matches(|c: char| c.is_ascii_digit());
    let digits = content.strip_suffix(after_digits)?;
    let is_time = !digits.is_empty() || after_digits.starts_with('.');
    // A delay that is no number of 32 bits is a long one.
    let delay = match digits {
        "" => 0,
        digits => digits.parse().unwrap_or(u32::MAX),
    };
    let after_time = after_digits.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
    let is_separator = |c: char| c.is_ascii_whitespace() || matches!(c, ';' | ',');
    if !is_time || !after_time.starts_with(is_separator) {
        return None;
    }
    let rest = after_time.trim_ascii_start();
    let rest = rest.strip_prefix([';', ',']).unwrap_or(rest);
    let rest = rest.trim_ascii_start();
    let named = rest
        .split_at_checked(3)
        .filter(|(name, _)| name.eq_ignore_ascii_case("url"))
        .and_then(|(_, after)| after.trim_ascii_start().strip_prefix('='));
    let address = named.map_or(rest, str::trim_ascii_start);
    let quoted = |quote: char| {
        let inner = address.strip_prefix(quote)?;
        inner.split(quote).next()
    };
    let address = quoted('"').or_else(|| quoted('\'')).unwrap_or(address);
    Some((delay, address))
}

#[cfg(test)]
mod tests;
