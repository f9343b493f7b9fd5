//! The content of elements as HTML.

use std::borrow::Cow;

use super::Tree;
use crate::xml::local;
use crate::xml::tokens::{Kind, Tokens};

/// The name of an element as HTML: without a prefix, except those of office programs.
fn html_name(name: &str) -> Cow<'_, str> {
    match local(name) {
        ("o" | "w" | "v" | "st1", _) => Cow::Borrowed(name),
        (_, local) => Cow::Borrowed(local),
    }
}

/// Elements of HTML without an end tag.
const VOID: &[&str] = &[
    "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source",
    "track", "wbr",
];

impl Tree<'_> {
    /// The content of an element as HTML. `escaped` text is itself HTML.
    pub fn html(&self, index: usize, escaped: bool) -> String {
        let source = self.source_of(index);
        let mut html = String::with_capacity(source.len());
        for token in Tokens::new(source) {
            match token.kind {
                Kind::Text(text) if escaped => self.decode(text, &mut html),
                Kind::Text(text) => html.push_str(text),
                Kind::Cdata(text) if escaped => html.push_str(text),
                Kind::Cdata(text) => escape(text, &mut html),
                Kind::Start {
                    name,
                    attributes,
                    empty,
                } => {
                    let name = html_name(name);
                    html.push('<');
                    html.push_str(&name);
                    if !attributes.is_empty() {
                        html.push(' ');
                        html.push_str(attributes);
                    }
                    html.push('>');
                    if empty && !VOID.iter().any(|void| void.eq_ignore_ascii_case(&name)) {
                        html.push_str("</");
                        html.push_str(&name);
                        html.push('>');
                    }
                }
                Kind::End { name } => {
                    let name = html_name(name);
                    if !VOID.iter().any(|void| void.eq_ignore_ascii_case(&name)) {
                        html.push_str("</");
                        html.push_str(&name);
                        html.push('>');
                    }
                }
                Kind::Comment(_) | Kind::Instruction(_) | Kind::Declaration { .. } => {}
            }
        }
        html
    }
}

/// Appends a text with the characters of markup escaped.
pub fn escape(text: &str, out: &mut String) {
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            _ => out.push(c),
        }
    }
}
