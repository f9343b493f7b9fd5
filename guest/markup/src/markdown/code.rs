//! Preformatted text and its language, and code in a line.

use super::renderer::Renderer;
use super::{gutter, raised};
use crate::dom::{Id, Name, Tag};
use crate::limits;
use omniread_document::markdown::Line;

impl<'d> Renderer<'d> {
    /// Writes an element as a fenced block of code. White space is kept.
    pub fn preformatted(&mut self, id: Id) {
        let mut text = String::new();
        self.code_text(id, &mut text);
        let text = text.strip_prefix('\n').unwrap_or(&text);
        let text = text.trim_end();
        let language = self.language(id).unwrap_or_default();
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        self.out.code(language, &text);
    }

    /// Adds code to a line, between backticks.
    pub fn code_in_line(&mut self, id: Id, line: &mut Line) {
        // A link in the code is a link around it.
        let mut children = self.document.children(id);
        if let (Some(only), None) = (children.next(), children.next())
            && self.document.is(only, Tag::A)
            && let Some(address) = self
                .attribute(only, Name::Href)
                .and_then(|href| self.address(href))
        {
            line.open("[");
            self.write_code(only, line);
            line.close_link(&address);
            return;
        }
        self.write_code(id, line);
    }

    fn write_code(&mut self, id: Id, line: &mut Line) {
        let mut text = String::new();
        self.code_text(id, &mut text);
        line.code(&text);
    }

    /// Appends the text of code, without line numbers and buttons.
    fn code_text(&self, id: Id, out: &mut String) {
        let numbers = gutter::in_code(self.document, id);
        // The lines that had a number, by the start of their text.
        let mut numbered = Vec::new();
        let mut nodes = self.document.subtree(id);
        while let Some(node) = nodes.next() {
            if let Some(text) = self.document.text(node) {
                out.push_str(text);
                continue;
            }
            let Some(tag) = self.document.tag(node) else {
                continue;
            };
            let is_number =
                node != id && (numbers.contains(node) || self.is_line_number(node, tag));
            if is_number && (out.is_empty() || out.ends_with('\n')) {
                numbered.push(out.len());
            }
            if is_number || (node != id && (self.is_dropped(node) || tag == Tag::Button)) {
                nodes.skip_children_of(node);
                continue;
            }
            if matches!(tag, Tag::Sup | Tag::Sub) {
                raised::append_to_code(self.document, node, tag, out);
                nodes.skip_children_of(node);
                continue;
            }
            // A break between two blocks is an empty line.
            let follows_block = || {
                let before = self.document.previous_sibling(node);
                before.is_some_and(|before| {
                    matches!(self.document.tag(before), Some(Tag::Div | Tag::P))
                })
            };
            if tag == Tag::Br && !out.ends_with('\n') && follows_block() {
                out.push('\n');
            }
            let new_line = match tag {
                Tag::Br => true,
                Tag::Div | Tag::P | Tag::Tr | Tag::Li => {
                    node != id && !out.is_empty() && !out.ends_with('\n')
                }
                _ => false,
            };
            if new_line {
                out.push('\n');
            }
        }
        gutter::remove_space(out, numbered);
    }

    /// Whether an element shows the number of a line of code.
    fn is_line_number(&self, id: Id, tag: Tag) -> bool {
        const CLASSES: &[&str] = &[
            "blob-num",
            "gutter",
            "hljs-ln-n",
            "hljs-ln-numbers",
            "line-number",
            "line-numbers-rows",
            "line-numbers",
            "lineno",
            "linenodiv",
            "linenos",
            "linenumber",
            "ln",
            "lnt",
            "rouge-gutter",
        ];
        matches!(
            tag,
            Tag::Span | Tag::Td | Tag::Div | Tag::A | Tag::Pre | Tag::Code | Tag::I
        ) && self.has_class(id, CLASSES)
            && !self.has_letters(id)
    }

    /// Whether an element has letters, so that it is a line of code and not its number.
    fn has_letters(&self, id: Id) -> bool {
        let mut nodes = self.document.subtree(id);
        nodes.any(|id| {
            self.document
                .text(id)
                .is_some_and(|text| text.contains(char::is_alphabetic))
        })
    }

    /// Whether a table has line numbers in one cell and the code in another one.
    pub fn is_code_table(&self, id: Id) -> bool {
        const CLASSES: &[&str] = &[
            "highlighttable",
            "rouge-table",
            "lntable",
            "hljs-ln",
            "codehilitetable",
            "syntaxhighlighter",
        ];
        self.has_class(id, CLASSES) || gutter::is_table_of_code(self.document, id)
    }

    /// The language of code, from the class or an attribute of the element, of the `code` in it, or
    /// of the elements around it that a highlighter adds.
    fn language(&self, id: Id) -> Option<&'d str> {
        let mut nodes = self.document.subtree(id).take(limits::CODE_NODES);
        let inner =
            nodes.find(|id| self.document.is(*id, Tag::Code) && self.own_language(*id).is_some());
        let inner = inner.into_iter().chain(std::iter::once(id));
        let outer = self.document.ancestors(id).take(3).take_while(|id| {
            matches!(
                self.document.tag(*id),
                Some(
                    Tag::Div
                        | Tag::Figure
                        | Tag::Span
                        | Tag::Td
                        | Tag::Tr
                        | Tag::Tbody
                        | Tag::Table
                        | Tag::Pre
                        | Tag::Other
                )
            )
        });
        inner.chain(outer).find_map(|id| self.own_language(id))
    }

    fn own_language(&self, id: Id) -> Option<&'d str> {
        let names = [Name::DataLang, Name::DataLanguage];
        let named = names.into_iter().find_map(|name| self.attribute(id, name));
        named
            .or_else(|| language_of(self.attribute(id, Name::Class)?))
            .filter(|name| is_language(name))
    }
}

/// The language that a class names, in the conventions of the usual highlighters.
fn language_of(classes: &str) -> Option<&str> {
    const PREFIXES: &[&str] = &[
        "language-",
        "lang-",
        "highlight-source-",
        "highlight-text-",
        "highlight-",
        "brush:",
        "sourceCode-",
        "src-",
    ];
    let mut words = classes.split_ascii_whitespace().peekable();
    while let Some(word) = words.next() {
        for prefix in PREFIXES {
            if let Some(name) = word.strip_prefix(prefix) {
                if name.is_empty() {
                    // `brush: js`
                    return words.next().map(|name| name.trim_end_matches(';'));
                }
                if !matches!(
                    name,
                    "default"
                        | "text"
                        | "none"
                        | "plaintext"
                        | "notranslate"
                        | "wrapper"
                        | "block"
                        | "code"
                ) {
                    return Some(name.trim_end_matches(';').split('-').next().unwrap_or(name));
                }
            }
        }
        if matches!(word, "hljs" | "sourceCode" | "prettyprint" | "src") {
            let name = words.peek().copied().filter(|name| is_known(name));
            if name.is_some() {
                return name;
            }
        }
    }
    None
}

fn is_language(name: &str) -> bool {
    let allowed = |c: char| c.is_ascii_alphanumeric() || matches!(c, '+' | '#' | '.' | '_' | '-');
    !name.is_empty() && name.len() <= 24 && name.chars().all(allowed)
}

/// Whether a class after that of a highlighter is the name of a language.
fn is_known(name: &str) -> bool {
    const NAMES: &[&str] = &[
        "bash",
        "c",
        "clojure",
        "cpp",
        "csharp",
        "css",
        "dart",
        "diff",
        "elixir",
        "erlang",
        "go",
        "graphql",
        "haskell",
        "html",
        "http",
        "ini",
        "java",
        "javascript",
        "js",
        "json",
        "julia",
        "kotlin",
        "latex",
        "lisp",
        "lua",
        "makefile",
        "markdown",
        "matlab",
        "nginx",
        "objectivec",
        "ocaml",
        "perl",
        "php",
        "powershell",
        "python",
        "r",
        "ruby",
        "rust",
        "scala",
        "scss",
        "sh",
        "shell",
        "sql",
        "swift",
        "toml",
        "ts",
        "typescript",
        "vim",
        "xml",
        "yaml",
        "zig",
    ];
    NAMES.contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn language_is_named_by_the_class() {
        for (classes, expected) in [
            ("language-rust", Some("rust")),
            ("hljs python", Some("python")),
            ("highlight-python3 notranslate", Some("python3")),
            ("highlight-default notranslate", None),
            ("brush: js; toolbar: false", Some("js")),
            ("highlight highlight-source-shell", Some("shell")),
            ("sourceCode haskell", Some("haskell")),
            ("prettyprint linenums", None),
            ("code", None),
        ] {
            assert_eq!(language_of(classes), expected, "{classes}");
        }
    }
}
