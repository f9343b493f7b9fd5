//! Tokens as indented XML.

use super::attributes::{Attribute, Attributes};
use super::entities::{References, decode};
use super::nesting::{Closed, Nesting};
use super::shapes::{Shape, Shapes, shapes};
use super::tokens::{Fault, Kind, Token, Tokens, slice};
use crate::limits::{XML_COLUMNS, XML_INDENT_BYTES, XML_LEVELS};

/// The indented document and its notes.
pub fn indented(text: &str) -> (String, Vec<String>) {
    let Shapes {
        elements,
        fault,
        stop,
    } = shapes(text);
    let mut indenter = Indenter {
        source: text,
        out: String::with_capacity(text.len()),
        budget: text.len().saturating_add(XML_INDENT_BYTES),
        nesting: Nesting::default(),
        notes: Vec::new(),
    };
    indenter.document(elements, stop);
    let mut notes = indenter.notes;
    if let Some(fault) = fault {
        notes.push(format!(
            "damaged XML: {} (line {}); the document is indented as far as possible",
            fault.reason,
            line(text, fault.at),
        ));
    }
    if let Some(stop) = stop {
        notes.push(format!(
            "{}: from line {} the document is not indented or checked",
            stop.reason,
            line(text, stop.at),
        ));
    }
    (indenter.out, notes)
}

struct Indenter<'a> {
    source: &'a str,
    out: String,
    /// Bytes that indentation may still add.
    budget: usize,
    nesting: Nesting<'a, Shape>,
    notes: Vec<String>,
}

impl<'a> Indenter<'a> {
    /// Writes the document, from `stop` as it is.
    fn document(&mut self, shapes: Vec<Shape>, stop: Option<Fault>) {
        let mut shapes = shapes.into_iter();
        let mut tokens = Tokens::new(self.source);
        while let Some(token) = tokens.next() {
            if stop.is_some_and(|stop| token.start >= stop.at) {
                self.new_line();
                let rest = slice(self.source, token.start, self.source.len());
                self.out.push_str(rest.trim_ascii_end());
                break;
            }
            match token.kind {
                Kind::Start {
                    name,
                    attributes,
                    empty,
                } => {
                    let shape = shapes.next().unwrap_or_default();
                    self.new_line();
                    if empty {
                        self.tag(name, attributes, true);
                    } else if shape.is_verbatim() {
                        self.reference(slice(self.source, token.start, shape.end));
                        skip(&mut tokens, &mut shapes, shape.end);
                    } else if !shape.markup {
                        self.tag(name, attributes, false);
                        self.leaf(name, &mut tokens, shape.end);
                    } else {
                        self.tag(name, attributes, false);
                        self.nesting.push(name, shape);
                    }
                }
                Kind::End { name } => self.end_tag(name),
                Kind::Text(text) => {
                    if !text.trim_ascii().is_empty() {
                        self.new_line();
                        self.reference(text.trim_ascii());
                    }
                }
                Kind::Declaration { head, subset } => self.declaration(&token, head, subset),
                Kind::Cdata(_) | Kind::Comment(_) | Kind::Instruction(_) => {
                    self.new_line();
                    self.out
                        .push_str(slice(self.source, token.start, token.end));
                }
            }
        }
    }

    /// Starts a line at the current depth.
    fn new_line(&mut self) {
        if !self.out.is_empty() {
            self.out.push('\n');
        }
        let width = self.nesting.depth().min(XML_LEVELS).saturating_mul(2);
        self.indent(width);
    }

    fn indent(&mut self, width: usize) {
        let width = if width <= self.budget { width } else { 0 };
        self.budget = self.budget.saturating_sub(width);
        self.out.extend(std::iter::repeat_n(' ', width));
    }

    /// Appends source in which numeric references to visible characters are decoded.
    fn reference(&mut self, text: &str) {
        decode(text, References::Visible, &mut self.out);
    }

    fn tag(&mut self, name: &str, attributes: &str, empty: bool) {
        self.out.push('<');
        self.out.push_str(name);
        let level = self.nesting.depth().min(XML_LEVELS).saturating_mul(2);
        let length = name.len().saturating_add(attributes.len());
        let wraps = length > XML_COLUMNS && Attributes::new(attributes).nth(1).is_some();
        for attribute in Attributes::new(attributes) {
            if wraps {
                self.out.push('\n');
                self.indent(level.saturating_add(4));
            } else {
                self.out.push(' ');
            }
            self.attribute(attribute);
        }
        self.out.push_str(if empty { "/>" } else { ">" });
    }

    fn attribute(&mut self, attribute: Attribute<'_>) {
        self.out.push_str(attribute.name);
        if let Some(value) = attribute.value {
            self.out.push('=');
            self.out.extend(attribute.quote);
            self.reference(value);
            self.out.extend(attribute.quote);
        }
    }

    /// Writes the text of an element without other markup, and its end tag.
    fn leaf(&mut self, name: &str, tokens: &mut Tokens<'a>, end: usize) {
        let start = self.out.len();
        let mut closed = false;
        let mut open = tokens.clone();
        while let Some(token) = open.next().filter(|token| token.end <= end) {
            *tokens = open.clone();
            match token.kind {
                Kind::Text(text) => self.reference(text),
                // Without characters of markup, the section needs no delimiters.
                Kind::Cdata(content)
                    if !content.contains(['<', '&']) && !content.contains("]]>") =>
                {
                    self.out.push_str(content);
                }
                Kind::End { .. } => closed = true,
                _ => self
                    .out
                    .push_str(slice(self.source, token.start, token.end)),
            }
        }
        // White space around one line of text is a matter of layout.
        let text = self.out.get(start..).unwrap_or_default();
        let trimmed = text.trim_ascii();
        if trimmed.len() < text.len() && !trimmed.contains('\n') {
            let trimmed = trimmed.to_owned();
            self.out.truncate(start);
            self.out.push_str(&trimmed);
        }
        if closed {
            self.out.push_str("</");
            self.out.push_str(name);
            self.out.push('>');
        }
    }

    fn end_tag(&mut self, name: &str) {
        match self.nesting.closed_by(name) {
            Closed::Matching => self.close(1),
            Closed::Outer(count) => self.close(count),
            Closed::Nothing => {}
        }
        self.new_line();
        self.out.push_str("</");
        self.out.push_str(name);
        self.out.push('>');
    }

    fn close(&mut self, count: usize) {
        for _ in 0..count {
            self.nesting.pop();
        }
    }

    fn declaration(&mut self, token: &Token<'_>, head: &str, subset: Option<&str>) {
        self.new_line();
        let mut separator = "";
        for part in head.split_ascii_whitespace() {
            self.out.push_str(separator);
            self.out.push_str(part);
            separator = " ";
        }
        if let Some(subset) = subset {
            self.out.push_str(" […]");
            let lines = line(subset, subset.len());
            let (first, s) = (
                line(self.source, token.start),
                if lines == 1 { "" } else { "s" },
            );
            self.notes.push(format!(
                "the internal subset of the DOCTYPE on line {first} ({lines} line{s}) is left out; its entities are not expanded",
            ));
        }
        self.out.push('>');
    }
}

/// Skips the tokens of an element that was shown as written.
fn skip(tokens: &mut Tokens<'_>, shapes: &mut impl Iterator<Item = Shape>, end: usize) {
    let mut ahead = tokens.clone();
    while let Some(token) = ahead.next().filter(|token| token.end <= end) {
        *tokens = ahead.clone();
        if matches!(token.kind, Kind::Start { .. }) {
            shapes.next();
        }
    }
}

/// The number of the line with an offset, from 1.
fn line(text: &str, at: usize) -> usize {
    let newlines = memchr::memchr_iter(b'\n', slice(text, 0, at).as_bytes());
    newlines.count().saturating_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::XML_OPEN;

    fn text(source: &str) -> String {
        indented(source).0
    }

    #[test]
    fn elements_on_one_line_are_indented() {
        let source = "<?xml version='1.0'?><a><b c='1'>x</b><d/><!-- e --><f><g> y </g></f></a>";
        let expected = "<?xml version='1.0'?>\n<a>\n  <b c='1'>x</b>\n  <d/>\n  <!-- e -->\n  <f>\n    <g>y</g>\n  </f>\n</a>";
        assert_eq!(text(source), expected);
    }

    #[test]
    fn indented_document_stays() {
        let source = "<a>\n  <b>\n    <c>x</c>\n  </b>\n  <d></d>\n</a>";
        assert_eq!(text(source), source);
        assert_eq!(indented(source).1, Vec::<String>::new());
    }

    #[test]
    fn mixed_content_stays() {
        let source = "<a><p>one <b>two</b>\n  three<c><d/></c></p><q/></a>";
        assert_eq!(
            text(source),
            "<a>\n  <p>one <b>two</b>\n  three<c><d/></c></p>\n  <q/>\n</a>"
        );
    }

    #[test]
    fn preserved_space_stays() {
        let source = "<a><b xml:space=\"preserve\"> <c/> </b></a>";
        assert_eq!(
            text(source),
            "<a>\n  <b xml:space=\"preserve\"> <c/> </b>\n</a>"
        );
    }

    #[test]
    fn cdata_without_markup_is_text() {
        assert_eq!(text("<a><b><![CDATA[x]]></b></a>"), "<a>\n  <b>x</b>\n</a>");
        assert_eq!(text("<a><![CDATA[x<y]]></a>"), "<a><![CDATA[x<y]]></a>");
    }

    #[test]
    fn long_tag_has_an_attribute_per_line() {
        let value = "x".repeat(60);
        let source = format!("<r><a b=\"{value}\" c='{value}'/></r>");
        let expected = format!("<r>\n  <a\n      b=\"{value}\"\n      c='{value}'/>\n</r>");
        assert_eq!(text(&source), expected);
    }

    #[test]
    fn entities_stay_and_numeric_letters_are_decoded() {
        let source = "<a b=\"&lt;&#233;\">&amp;&custom;&#10;&#x20AC;</a>";
        assert_eq!(text(source), "<a b=\"&lt;é\">&amp;&custom;&#10;€</a>");
    }

    #[test]
    fn internal_subset_is_left_out_with_a_note() {
        let source = "<!DOCTYPE a\n  SYSTEM 'b' [\n<!ENTITY c 'd'>\n]>\n<a>&c;</a>";
        let (text, notes) = indented(source);
        assert_eq!(text, "<!DOCTYPE a SYSTEM 'b' […]>\n<a>&c;</a>");
        assert_eq!(notes.len(), 1, "{notes:?}");
    }

    #[test]
    fn damaged_document_is_indented_with_a_note() {
        let (text, notes) = indented("<a>\n<b><c>x</b>\n<d>y</d>");
        assert_eq!(text, "<a>\n  <b>\n    <c>x\n  </b>\n  <d>y</d>");
        assert_eq!(
            notes,
            [
                "damaged XML: an element has no end tag (line 2); the document is indented as far as possible"
            ]
        );
    }

    #[test]
    fn deep_document_has_bounded_size() {
        let source = "<a>".repeat(100_000);
        let text = text(&source);
        assert!(
            text.len() < 3 * source.len() + XML_INDENT_BYTES,
            "{}",
            text.len()
        );
    }

    #[test]
    fn document_beyond_the_depth_limit_ends_as_written() {
        let rest = "<a>b<c><d/></c>\n\n</a>";
        let source = format!("{}{rest}", "<a>".repeat(XML_OPEN));
        let (text, notes) = indented(&source);
        assert!(text.ends_with(&format!("\n{rest}")), "{notes:?}");
        assert_eq!(
            notes,
            [
                "the elements are nested too deeply: from line 1 the document is not indented or checked"
            ]
        );
    }

    proptest::proptest! {
        #[test]
        fn indented_text_is_bounded(source in "(<a>|</a>|<b c='1'/>|x|<!--|-->|<!\\[CDATA\\[|\\]\\]>|<|>|&#233;|\\?|!|.){0,40}") {
            let text = text(&source);
            proptest::prop_assert!(text.len() <= 4 * source.len() + XML_INDENT_BYTES);
        }
    }
}
