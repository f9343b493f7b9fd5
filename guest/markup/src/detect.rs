//! The format of a text: an HTML page, a feed, an SVG image or other XML.
//!
//! The content decides, then the MIME type and the name. The rules for HTML are those of browsers:
//! <https://mimesniff.spec.whatwg.org/#identifying-a-resource-with-an-unknown-mime-type>.

use crate::limits::JUNK;
use crate::xml::attributes::Attributes;
use crate::xml::local;
use crate::xml::tokens::{Kind, Tokens};

/// A format that can be converted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// An HTML or XHTML page.
    Html,
    /// RSS, Atom, CDF, JSON Feed, OPML or a sitemap.
    Feed,
    /// Other XML.
    Xml,
    /// An SVG image.
    Svg,
}

/// Extensions of HTML pages.
const HTML: &[&str] = &["html", "htm", "xhtml", "xht", "shtml"];

/// Extensions of programs that write HTML pages, after which saved pages are named.
const SERVED: &[&str] = &["php", "asp", "aspx", "jsp", "cgi", "cfm", "do"];

/// Extensions of XML documents.
#[rustfmt::skip]
const XML: &[&str] = &[
    "xml", "rss", "atom", "opml", "rdf", "cdf", "xsd", "xsl", "xslt", "plist", "gpx", "kml", "wsdl",
    "csproj", "vbproj", "fsproj", "vcxproj", "props", "targets", "nuspec", "resx", "xaml", "axml", "config",
    "xlf", "xliff", "tmx", "tei", "dbk", "docbook", "jats", "nxml", "musicxml", "mml", "xmp", "owl", "svg",
    "graphml", "gexf", "dae", "pom", "storyboard", "xib", "ui", "qrc", "ts", "iml", "fxml", "jnlp", "wsdd",
    "xul", "xbl", "rng", "sch", "ncx", "opf", "smil", "ttml", "dita", "ditamap", "fb2", "odx", "arxml",
    "manifest", "appxmanifest", "vsixmanifest", "ruleset", "sitemap",
];

/// Tags with which a page starts, also in the middle of a document.
const PAGE: &[&str] = &["html", "head", "body"];

/// Tags with which a fragment of HTML starts.
const FRAGMENT: &[&str] = &[
    "script", "iframe", "h1", "div", "font", "table", "a", "style", "title", "b", "br", "p",
    "meta", "link",
];

/// Namespaces of Atom's versions, in lower case.
const ATOM: &[&str] = &[
    "w3.org/2005/atom",
    "purl.org/atom",
    "purl.org/echo",
    "purl.org/pie",
    "necho",
    "example.com/newformat",
    "echo/namespace",
];

/// Namespaces of RSS in RDF, in lower case.
const RSS_IN_RDF: &[&str] = &["purl.org/rss/", "my.netscape.com/rdf", "purl.org/net/rss"];

/// The format of a text. `head` is its beginning, at least 4 KB if it is that long. `None` if the
/// text has no converted form.
pub fn detect(head: &str, name: &str, mime: Option<&str>) -> Option<Format> {
    let head = head.trim_start_matches(|c: char| c == '\u{FEFF}' || c.is_whitespace() || c == '\0');
    let extension = name
        .rsplit_once('.')
        .map(|(_, extension)| extension.to_ascii_lowercase());
    let named = |names: &[&str]| {
        extension
            .as_deref()
            .is_some_and(|extension| names.contains(&extension))
    };
    let mime = mime.map(|mime| {
        mime.split(';')
            .next()
            .unwrap_or_default()
            .trim()
            .to_ascii_lowercase()
    });
    let mime = mime.as_deref().unwrap_or_default();
    let html_type = matches!(mime, "text/html" | "application/xhtml+xml");
    let xml_type = mime.ends_with("+xml") || mime.ends_with("/xml");
    let declared = head.starts_with("<?xml");
    let as_xml = declared || (!html_type && (xml_type || named(XML)));

    if head.starts_with('{') {
        let version = [
            "https://jsonfeed.org/version/",
            "http://jsonfeed.org/version/",
        ];
        let feed = mime == "application/feed+json" || version.iter().any(|url| head.contains(url));
        return feed.then_some(Format::Feed);
    }
    match start(head) {
        Start::Doctype(name, external)
            if !name.eq_ignore_ascii_case("html") && external && !html_type =>
        {
            return Some(root_format(head).unwrap_or(Format::Xml));
        }
        Start::Doctype(name, _) if name.eq_ignore_ascii_case("html") => {
            // Feeds with the DOCTYPE of a page exist.
            return Some(root_format(head).filter(|_| as_xml).unwrap_or(Format::Html));
        }
        Start::Element(name) => {
            if let Some(format) = root_format(head) {
                return Some(format);
            }
            let is = |tags: &[&str]| tags.iter().any(|tag| tag.eq_ignore_ascii_case(name));
            if !as_xml && is(PAGE) {
                return Some(Format::Html);
            }
            let readable = extension.is_none() || named(HTML) || named(SERVED) || html_type;
            if !as_xml && is(FRAGMENT) && readable {
                return Some(Format::Html);
            }
            if as_xml {
                return Some(Format::Xml);
            }
        }
        Start::Text if as_xml => {
            // A message of the server before the document.
            let feed = memchr::memmem::find(head.as_bytes(), b"<?xml").filter(|&at| at <= JUNK);
            let feed = feed.and_then(|at| root_format(head.get(at..)?));
            if feed.is_some() {
                return feed;
            }
        }
        Start::Doctype(..) | Start::Text | Start::Nothing => {}
    }
    if html_type || named(HTML) {
        Some(Format::Html)
    } else if declared {
        Some(Format::Xml)
    } else {
        None
    }
}

/// The first markup of a text after comments and processing instructions.
enum Start<'a> {
    /// A DOCTYPE: the name, and whether it has an identifier.
    Doctype(&'a str, bool),
    /// A start tag.
    Element(&'a str),
    /// Text or an end tag.
    Text,
    /// Nothing else.
    Nothing,
}

fn start(head: &str) -> Start<'_> {
    for token in Tokens::new(head) {
        match token.kind {
            Kind::Comment(_) | Kind::Instruction(_) => {}
            Kind::Text(text) if text.trim().is_empty() => {}
            Kind::Declaration { head, .. } => {
                let mut parts = head.split_ascii_whitespace();
                if parts
                    .next()
                    .is_some_and(|part| part.eq_ignore_ascii_case("<!doctype"))
                {
                    return Start::Doctype(
                        parts.next().unwrap_or_default(),
                        parts.next().is_some(),
                    );
                }
            }
            Kind::Start { name, .. } => return Start::Element(name),
            Kind::Text(_) | Kind::Cdata(_) | Kind::End { .. } => return Start::Text,
        }
    }
    Start::Nothing
}

/// The format that the root element shows, if it is not XML in general.
pub(crate) fn root_format(head: &str) -> Option<Format> {
    let (name, attributes) = Tokens::new(head).find_map(|token| match token.kind {
        Kind::Start {
            name, attributes, ..
        } => Some((name, attributes)),
        _ => None,
    })?;
    let (prefix, local) = local(name);
    let mut namespaces = Attributes::new(attributes).filter(|attribute| {
        let name = attribute.name.to_ascii_lowercase();
        name.strip_prefix("xmlns")
            .is_some_and(|rest| rest.strip_prefix(':').unwrap_or(rest) == prefix)
    });
    let namespace = namespaces
        .find_map(|attribute| attribute.value)
        .map(str::to_ascii_lowercase);
    let within = |uris: &[&str]| {
        namespace
            .as_deref()
            .is_none_or(|uri| uris.iter().any(|part| uri.contains(part)))
    };
    let lower = head.to_ascii_lowercase();
    let has = |parts: &[&str]| parts.iter().any(|part| lower.contains(part));
    match local.to_ascii_lowercase().as_str() {
        "html" if within(&["w3.org/1999/xhtml", "w3.org/tr/"]) => Some(Format::Html),
        "svg" if within(&["w3.org/2000/svg"]) => Some(Format::Svg),
        "rss" | "urlset" | "sitemapindex" | "opml" => Some(Format::Feed),
        "rdf" if has(RSS_IN_RDF) => Some(Format::Feed),
        "feed"
            if namespace.as_deref().unwrap_or_default().is_empty()
                && (prefix == "atom" || has(&["<entry", "<title"])) =>
        {
            Some(Format::Feed)
        }
        "feed" | "entry" if namespace.is_some() && within(ATOM) => Some(Format::Feed),
        "channel"
            if has(&[
                "<item",
                "<abstract",
                "<title",
                "<channel href",
                "<channel lastmod",
            ]) =>
        {
            Some(Format::Feed)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(head: &str, name: &str, mime: Option<&str>, expected: Option<Format>) {
        assert_eq!(detect(head, name, mime), expected, "{head} {name} {mime:?}");
    }

    #[test]
    fn page_is_detected_by_its_content() {
        let html = Some(Format::Html);
        check("\u{FEFF}\n<!-- x --><!doctype HTML><p>", "a", None, html);
        check("<html lang=en>", "a.txt", None, html);
        check(
            "<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'>",
            "a.xml",
            None,
            html,
        );
        check("<br>x", "page", None, html);
        check("<!DOCTYPE html><html>", "a.xml", None, html);
    }

    #[test]
    fn page_is_detected_by_its_name_or_type() {
        let html = Some(Format::Html);
        check("plain", "a.HTM", None, html);
        check("plain", "a", Some("text/html; charset=utf-8"), html);
    }

    #[test]
    fn fragment_in_another_format_is_not_a_page() {
        check("<p align=center>", "README.md", None, None);
        check("<script setup>", "a.vue", None, None);
        check("<div>", "a.xml", None, Some(Format::Xml));
        check("a < b", "a.txt", None, None);
    }

    #[test]
    fn feed_is_detected_by_its_root() {
        let feed = Some(Format::Feed);
        check(
            "<?xml version='1.0'?>\n<!-- x --><rss version='2.0'>",
            "a.html",
            None,
            feed,
        );
        check(
            "<feed xmlns='http://www.w3.org/2005/Atom'>",
            "a",
            None,
            feed,
        );
        check(
            "<a:feed xmlns:a='http://www.w3.org/2005/Atom'>",
            "a",
            None,
            feed,
        );
        check("<feed xmlns='urn:x'>", "a.xml", None, Some(Format::Xml));
        check(
            "<rdf:RDF xmlns='http://purl.org/rss/1.0/'>",
            "a",
            None,
            feed,
        );
        check("<rdf:RDF xmlns:rdf='x'>", "a.rdf", None, Some(Format::Xml));
        check("<CHANNEL HREF='x'>", "a.cdf", None, feed);
        check("<urlset>", "sitemap.xml", None, feed);
        check(
            "{\"version\": \"https://jsonfeed.org/version/1.1\"",
            "a.json",
            None,
            feed,
        );
        check("{\"version\": 1}", "a.json", None, None);
        check(
            "Warning: x\n<?xml version='1.0'?><rss>",
            "a.rss",
            None,
            feed,
        );
        check("<!DOCTYPE html><rss>", "a.xml", None, feed);
    }

    #[test]
    fn other_xml_is_detected_by_declaration_name_or_type() {
        let xml = Some(Format::Xml);
        check("<?xml version='1.0'?><a/>", "a", None, xml);
        check("<project>", "a.csproj", None, xml);
        check("<project>", "a", Some("application/xml"), xml);
        check("<project>", "a", None, None);
        check("<!DOCTYPE plist PUBLIC 'x'><plist>", "a", None, xml);
        check(
            "<svg xmlns='http://www.w3.org/2000/svg'>",
            "a",
            None,
            Some(Format::Svg),
        );
        check("import x", "a.ts", None, None);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_accepted(head in "(<!|doctype|<rss|<\\?xml|>|\\{|.){0,20}", name in ".{0,8}") {
            detect(&head, &name, None);
        }
    }
}
