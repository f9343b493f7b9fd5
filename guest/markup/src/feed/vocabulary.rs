//! The vocabularies of feeds: which namespace an element belongs to.

/// A namespace whose elements are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Vocabulary {
    /// RSS, Atom, CDF, OPML and sitemaps. Their names do not conflict.
    Core,
    /// RDF.
    Rdf,
    /// `content:encoded`.
    Content,
    /// Dublin Core.
    Dc,
    /// Dublin Core's terms.
    DcTerms,
    /// Media RSS.
    Media,
    /// Podcasts.
    Itunes,
    /// XHTML.
    Xhtml,
    /// Extensions of sitemaps for news, images and videos.
    Sitemap,
    /// Extensions of the service `FeedBurner`.
    Feedburner,
    /// All others.
    Other,
}

use Vocabulary::{
    Content, Core, Dc, DcTerms, Feedburner, Itunes, Media, Other, Rdf, Sitemap, Xhtml,
};

/// Namespaces by a part of their URI, in lower case. The first match counts.
#[rustfmt::skip]
const URIS: &[(&str, Vocabulary)] = &[
    ("purl.org/rss/1.0/modules/content", Content), ("purl.org/rss/1.0/modules/rss091", Core),
    ("purl.org/rss/1.0/modules/", Other), ("purl.org/rss/", Core), ("purl.org/net/rss", Core),
    ("w3.org/2005/atom", Core), ("purl.org/atom/app", Other), ("purl.org/atom/", Core), ("purl.org/echo", Core),
    ("purl.org/pie", Core), ("example.com/necho", Core), ("example.com/newformat", Core), ("echo/namespace", Core),
    ("backend.userland.com", Core), ("blogs.law.harvard.edu", Core), ("my.netscape.com", Core),
    ("cyber.law.harvard.edu/rss", Core), ("rssboard.org", Core),
    ("www.sitemaps.org", Core), ("google.com/schemas/sitemap/0.8", Core), ("google.com/schemas/sitemap-", Sitemap),
    ("google.com/schemas/sitemap", Core),
    ("purl.org/dc/elements", Dc), ("purl.org/dc/terms", DcTerms), ("purl.org/metadata/dublin_core", Dc),
    ("search.yahoo.com/mrss", Media), ("itunes.com/dtds/podcast", Itunes), ("example.com/dtds/podcast", Itunes),
    ("w3.org/1999/xhtml", Xhtml), ("1999/02/22-rdf-syntax-ns", Rdf), ("feedburner.org", Feedburner),
];

/// The vocabulary of a namespace with this prefix. Unknown namespaces without a prefix are those of
/// private dialects of RSS.
pub fn by_uri(uri: &str, prefix: &str) -> Vocabulary {
    let uri = uri.trim().to_ascii_lowercase();
    let known = URIS
        .iter()
        .find(|(part, _)| uri.contains(part))
        .map(|&(_, vocabulary)| vocabulary);
    let foreign = uri.contains("/svg") || uri.contains("/mathml") || uri.contains("w3.org/");
    match known {
        Some(vocabulary) => vocabulary,
        None if prefix.is_empty() && !foreign => Core,
        None => Other,
    }
}

/// The vocabulary that a prefix without a declaration customarily has.
pub fn by_prefix(prefix: &str) -> Vocabulary {
    match prefix.to_ascii_lowercase().as_str() {
        "" | "rss" | "rss1" | "rss09" | "atom" | "atom10" | "atom03" | "a10" => Core,
        "rdf" => Rdf,
        "content" => Content,
        "dc" => Dc,
        "dcterms" | "dct" | "dcq" => DcTerms,
        "media" => Media,
        "itunes" => Itunes,
        "xhtml" | "html" => Xhtml,
        "news" | "image" | "video" => Sitemap,
        "feedburner" => Feedburner,
        _ => Other,
    }
}
