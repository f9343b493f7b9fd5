//! Texts of feeds, which may be plain, HTML, XHTML or base64.

use memchr::{memchr, memchr2_iter};

use super::headings;
use super::tree::{Tree, escape};
use super::vocabulary::Vocabulary;
use crate::dom::{self, Tag};
use crate::html;
use crate::xml::entities::{References, decode};
use crate::xml::tokens::{Kind, Tokens, slice};
use omniread_document::base64;

/// A text and the URL to which its links are relative.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The text.
    pub body: Body,
    /// The base of its links. It may be relative or empty.
    pub base: String,
}

/// The format of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Body {
    /// Text without markup.
    Plain(String),
    /// HTML.
    Html(String),
}

/// The meaning of a text without a `type`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Default {
    /// The text is plain, as Atom specifies.
    Plain,
    /// The text is HTML if it looks like it, as in RSS.
    Guess,
}

impl Text {
    /// The content of an element. `None` if it is empty or binary.
    pub fn of(tree: &Tree<'_>, index: usize, default: Default) -> Option<Self> {
        let element = tree.element(index)?;
        // A `type` in RSS has no meaning, and `content:encoded` is HTML.
        let typed = matches!(element.vocabulary, Vocabulary::Core | Vocabulary::Media);
        let kind = tree
            .attribute(index, "type")
            .filter(|_| typed)
            .unwrap_or_default()
            .to_ascii_lowercase();
        let mode = tree.attribute(index, "mode").unwrap_or_default();
        let is_html = kind.contains("html") && !kind.contains("xhtml");
        let is_text =
            matches!(kind.as_str(), "text" | "plain") || (kind.starts_with("text/") && !is_html);
        let is_xml = kind.contains("xhtml") || kind.ends_with("xml");
        let is_binary = !(kind.is_empty() || is_html || is_text || is_xml) && kind.contains('/');

        let body = if mode.eq_ignore_ascii_case("base64") || (is_binary && !element.markup) {
            let text = tree.text(index);
            let bytes = base64::is_base64(&text).then(|| base64::decode(text.as_bytes()))?;
            let decoded = String::from_utf8(bytes).ok()?.trim().to_owned();
            if is_text {
                Body::Plain(decoded)
            } else {
                guessed(decoded)
            }
        } else if element.markup {
            Body::Html(tree.html(index, is_html))
        } else if is_xml && !mode.eq_ignore_ascii_case("escaped") {
            Body::Html(tree.html(index, false))
        } else {
            let text = tree.text(index);
            match default {
                _ if is_html => Body::Html(text),
                _ if is_text => Body::Plain(text),
                Default::Guess => guessed(text),
                Default::Plain => Body::Plain(text),
            }
        };
        let body = match body {
            Body::Html(html) => Body::Html(with_end_tags(without_cdata(html))),
            plain @ Body::Plain(_) => plain,
        };
        let text = Self {
            body,
            base: tree.base(index).to_owned(),
        };
        Some(text).filter(|text| !text.is_empty())
    }

    /// A text without a base whose format is guessed.
    #[cfg(test)]
    pub fn guessed(text: String) -> Self {
        Self {
            body: guessed(text),
            base: String::new(),
        }
    }

    /// Whether the text has no characters, not even those of markup.
    pub fn is_empty(&self) -> bool {
        match &self.body {
            Body::Plain(text) | Body::Html(text) => text.trim().is_empty(),
        }
    }

    /// The text in one line, without markup.
    pub fn line(&self) -> String {
        match &self.body {
            Body::Plain(text) => one_line(text),
            Body::Html(html) => one_line(&stripped(html)),
        }
    }

    /// The text as Markdown, with headings below those of items, and notes of the conversion.
    pub fn markdown(&self, base: &str) -> (String, Vec<String>) {
        let base = crate::url::resolve(base, &self.base).filter(|base| !base.is_empty());
        let converted = match &self.body {
            Body::Html(html) => html::fragment(html, base.as_deref()),
            Body::Plain(text) => html::fragment(&paragraphs(text), base.as_deref()),
        };
        (
            headings::shifted(converted.text.trim_matches('\n'), 3),
            converted.notes,
        )
    }
}

/// A text in one line, without control characters.
pub fn one_line(text: &str) -> String {
    let mut line = String::with_capacity(text.len());
    for word in text
        .split(|c: char| c.is_whitespace() || c.is_control())
        .filter(|word| !word.is_empty())
    {
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(word);
    }
    line
}

/// Plain text as HTML: an empty line separates paragraphs, and lines stay lines.
fn paragraphs(text: &str) -> String {
    let mut html = String::with_capacity(text.len().saturating_add(16));
    let mut open = false;
    for line in text.lines() {
        if line.trim().is_empty() {
            if open {
                html.push_str("</p>");
            }
            open = false;
            continue;
        }
        html.push_str(if open { "<br>" } else { "<p>" });
        open = true;
        escape(line, &mut html);
    }
    if open {
        html.push_str("</p>");
    }
    html
}

fn guessed(text: String) -> Body {
    if is_html(&text) {
        Body::Html(text)
    } else {
        Body::Plain(text)
    }
}

/// HTML without the CDATA section that a program put around it, in addition to that of XML. Other
/// marks of sections become text, because HTML takes `<![CDATA[<p>` for a comment.
fn without_cdata(html: String) -> String {
    const START: &str = "<![CDATA[";
    if !html.contains(START) {
        return html;
    }
    let inner = html
        .trim()
        .strip_prefix(START)
        .and_then(|html| html.strip_suffix("]]>"));
    match inner {
        Some(inner) if !inner.contains("]]>") && !inner.contains(START) => inner.to_owned(),
        _ => html.replace(START, "&lt;![CDATA["),
    }
}

/// Elements whose content is text in HTML, up to an end tag.
const RAW: &[&str] = &[
    "iframe", "script", "style", "textarea", "title", "noembed", "noframes",
];

/// HTML in which `<iframe/>` has an end tag. Programs that know XML write it so, but in HTML the
/// element would contain all that follows.
fn with_end_tags(html: String) -> String {
    if !html.contains("/>") {
        return html;
    }
    let mut out = String::with_capacity(html.len());
    for token in Tokens::new(&html) {
        out.push_str(slice(&html, token.start, token.end));
        if let Kind::Start {
            name, empty: true, ..
        } = token.kind
            && RAW.iter().any(|raw| raw.eq_ignore_ascii_case(name))
        {
            out.push_str("</");
            out.push_str(name);
            out.push('>');
        }
    }
    out
}

/// Names of elements whose tags show that a text is HTML.
#[rustfmt::skip]
const TAGS: &[&str] = &[
    "a", "abbr", "acronym", "address", "article", "aside", "audio", "b", "base", "big", "blink", "blockquote", "body", "br",
    "button", "caption", "center", "cite", "code", "col", "colgroup", "dd", "del", "details", "dfn", "div", "dl", "dt",
    "em", "embed", "fieldset", "figcaption", "figure", "font", "footer", "form", "frame", "h1", "h2", "h3", "h4", "h5", "h6",
    "head", "header", "hr", "html", "i", "iframe", "img", "input", "ins", "kbd", "label", "li", "link", "main", "mark", "meta",
    "nav", "noscript", "object", "ol", "p", "pre", "q", "s", "samp", "script", "section", "select", "small", "span",
    "strike", "strong", "style", "sub", "summary", "sup", "svg", "table", "tbody", "td", "tfoot", "th", "thead", "time",
    "title", "tr", "tt", "u", "ul", "var", "video", "wbr", "applet", "area", "map", "math", "picture", "ruby",
];

/// Whether a text has a tag or an entity reference of HTML.
fn is_html(text: &str) -> bool {
    memchr2_iter(b'<', b'&', text.as_bytes()).any(|at| {
        let rest = text.get(at..).unwrap_or_default();
        if rest.starts_with('&') {
            // The longest name of an entity has 31 characters.
            let name = rest.as_bytes().get(..34).unwrap_or(rest.as_bytes());
            let Some(end) = memchr(b';', name) else {
                return false;
            };
            let reference = rest.get(..=end).unwrap_or_default();
            let mut decoded = String::new();
            decode(reference, References::Html, &mut decoded);
            return decoded != reference;
        }
        let name = rest.trim_start_matches('<');
        let name = name.strip_prefix('/').unwrap_or(name);
        let end = name
            .bytes()
            .take(crate::limits::TAG_BYTES)
            .position(|byte| !byte.is_ascii_alphanumeric());
        let (name, after) = end
            .and_then(|end| name.split_at_checked(end))
            .unwrap_or(("", ""));
        let ends = after.starts_with(['>', '/', ' ', '\n', '\t', '\r']);
        rest.starts_with("<!--") || (ends && TAGS.iter().any(|tag| tag.eq_ignore_ascii_case(name)))
    })
}

/// The text of HTML, without tags, comments and scripts.
pub fn stripped(html: &str) -> String {
    let document = dom::parse_fragment(html);
    let breaks = |id| {
        let tag = document.tag(id);
        tag.is_some_and(|tag| tag.is_block() || matches!(tag, Tag::Br | Tag::Img))
    };
    let mut text = String::with_capacity(document.bytes());
    let mut nodes = document.subtree(dom::Id::ROOT);
    while let Some(id) = nodes.next() {
        let hidden = [
            Tag::Script,
            Tag::Style,
            Tag::Template,
            Tag::Iframe,
            Tag::Noembed,
            Tag::Noframes,
        ];
        if document.tag(id).is_some_and(|tag| hidden.contains(&tag)) {
            nodes.skip_children_of(id);
        }
        if breaks(id) || document.previous_sibling(id).is_some_and(breaks) {
            text.push(' ');
        }
        text.push_str(document.text(id).unwrap_or_default());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(source: &str, default: Default) -> Option<Body> {
        Some(Text::of(&Tree::new(source), 1, default)?.body)
    }

    fn plain(text: &str) -> Body {
        Body::Plain(text.to_owned())
    }

    fn html(text: &str) -> Body {
        Body::Html(text.to_owned())
    }

    #[test]
    fn atom_text_has_the_declared_type() {
        let atom = |source| of(source, Default::Plain);
        assert_eq!(atom("<title>a &lt;b></title>"), Some(plain("a <b>")));
        assert_eq!(
            atom("<title type='text'>a &amp;lt;b></title>"),
            Some(plain("a &lt;b>"))
        );
        assert_eq!(
            atom("<title type='html'>a &lt;b></title>"),
            Some(html("a <b>"))
        );
        assert_eq!(
            atom("<title type='xhtml'><div>a &lt;b></div></title>"),
            Some(html("<div>a &lt;b></div>"))
        );
        assert_eq!(
            atom("<title type='html'><div>&lt;b>a</div></title>"),
            Some(html("<div><b>a</div>"))
        );
        assert_eq!(
            atom("<title type='text/html' mode='base64'>PGI+YQ==</title>"),
            Some(html("<b>a"))
        );
        assert_eq!(atom("<content type='image/png'>/w==</content>"), None);
        assert_eq!(atom("<title> </title>"), None);
    }

    #[test]
    fn rss_text_is_html_if_it_looks_like_it() {
        let rss = |source| of(source, Default::Guess);
        assert_eq!(
            rss("<d>Vec&lt;T> &amp; R&amp;D; 1 &lt; 2</d>"),
            Some(plain("Vec<T> & R&D; 1 < 2"))
        );
        assert_eq!(rss("<d><![CDATA[a<br />b]]></d>"), Some(html("a<br />b")));
        assert_eq!(rss("<d>Caf&amp;eacute;</d>"), Some(html("Caf&eacute;")));
        assert_eq!(rss("<d><p>a</p></d>"), Some(html("<p>a</p>")));
    }

    #[test]
    fn cdata_in_html_is_unwrapped_or_text() {
        assert_eq!(
            without_cdata(" <![CDATA[<p>a</p>]]>".to_owned()),
            "<p>a</p>"
        );
        assert_eq!(
            without_cdata("a <![CDATA[<p>".to_owned()),
            "a &lt;![CDATA[<p>"
        );
    }

    #[test]
    fn empty_raw_element_does_not_contain_the_rest() {
        let html = with_end_tags("a<br/><iframe src='x'/>b".to_owned());
        assert_eq!(html, "a<br/><iframe src='x'/></iframe>b");
        assert_eq!(with_end_tags("<iframe>".to_owned()), "<iframe>");
    }

    #[test]
    fn line_has_no_markup() {
        let text = Text::guessed(
            "<p>a\n<b>b</b>c<br>d &lt;e&gt;<script>x < y</script><!-- z -->".to_owned(),
        );
        assert_eq!(text.line(), "a bc d <e>");
    }

    #[test]
    fn plain_paragraphs_become_html() {
        assert_eq!(
            paragraphs("a < b\nc\n\n\nd\n"),
            "<p>a &lt; b<br>c</p><p>d</p>"
        );
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_accepted(text in "(<script>|</script>|<p>|&amp;|<!--|<|&|é|.){0,30}") {
            Text::guessed(text).line();
        }
    }
}
