//! Sections of Markdown: ATX headings (`#`), setext headings (underlined) and HTML headings,
//! outside code and comments.

use super::lines::{Line, Lines};
use super::tree::Tree;
use crate::item::Parsed;
use crate::limits;

/// HTML elements whose content is not Markdown.
const VERBATIM: [&str; 4] = ["pre", "script", "style", "textarea"];

/// Finds the headings of Markdown.
pub fn parse(text: &str) -> Option<Parsed> {
    let mut scan = Scan {
        tree: Tree::default(),
        within: Within::Text,
        flow: Flow::Nothing,
    };
    let mut lines = Lines::new(text);
    scan.front_matter(&mut lines);
    for line in lines {
        scan.line(line);
    }
    match scan.within {
        Within::Fence { line, .. } | Within::Comment { line } | Within::Html { line, .. } => {
            scan.tree.lost(line);
        }
        Within::Text | Within::Heading { .. } => {}
    }
    scan.tree.finish()
}

/// The construct of several lines, such as a code block, that contains the current line.
enum Within<'t> {
    Text,
    /// A code block with fences of this character and length.
    Fence {
        mark: u8,
        length: usize,
        line: u32,
    },
    Comment {
        line: u32,
    },
    /// A verbatim HTML element.
    Html {
        name: &'static str,
        line: u32,
    },
    /// An HTML heading that has not ended.
    Heading {
        level: u32,
        line: Line<'t>,
        name: String,
    },
}

/// The construct to which the previous line belongs. It decides whether the current line continues
/// a paragraph.
#[derive(Clone, Copy)]
enum Flow<'t> {
    /// The previous line is blank, or belongs to a construct that a paragraph does not continue,
    /// such as a heading.
    Nothing,
    /// A paragraph that may become an underlined heading.
    Paragraph {
        first: Line<'t>,
        lines: u32,
        /// The number of the last line with content before the paragraph.
        before: u32,
    },
    /// A list, quotation, table or line of HTML.
    Other,
}

struct Scan<'t> {
    tree: Tree,
    within: Within<'t>,
    flow: Flow<'t>,
}

impl<'t> Scan<'t> {
    /// Reads front matter: data between two lines of `---` or `+++` at the start of the text.
    fn front_matter(&mut self, lines: &mut Lines<'t>) {
        let mut ahead = lines.clone();
        let Some(first) = ahead.next() else {
            return;
        };
        let mark = first.text.trim_end();
        // An empty line or prose follows a thematic break, but not the start of front matter.
        let is_data = |line: &Line<'_>| line.text.contains([':', '=', '#']) || line.text == mark;
        if !matches!(mark, "---" | "+++")
            || !ahead.clone().next().is_some_and(|line| is_data(&line))
        {
            return;
        }
        let ends = |line: &Line<'_>| {
            let text = line.text.trim_end();
            text == mark || (text == "..." && mark == "---")
        };
        if let Some(last) = ahead.find(ends) {
            self.tree.begin(1, "front matter", &first, first.number);
            self.tree.content(last.number);
            self.tree.end(0);
            *lines = ahead;
        }
    }

    fn line(&mut self, line: Line<'t>) {
        if line.is_blank() {
            self.flow = Flow::Nothing;
            return;
        }
        match &mut self.within {
            Within::Text => return self.text(line),
            Within::Fence { mark, length, .. } => {
                let (run, rest) = run(line.bare, *mark);
                if run >= *length && rest.trim_ascii().is_empty() {
                    self.within = Within::Text;
                }
            }
            Within::Comment { line: first } => {
                if line.text.contains("-->") {
                    self.tree.comment(*first, line.number);
                    self.within = Within::Text;
                }
            }
            Within::Html { name, .. } => {
                if closes(line.text, name) {
                    self.within = Within::Text;
                }
            }
            Within::Heading {
                level,
                line: first,
                name,
            } => {
                let (level, first) = (*level, *first);
                name.push(' ');
                name.push_str(&without_tags(line.bare));
                let name = std::mem::take(name);
                self.html_heading(level, first, name, &line);
            }
        }
        self.tree.content(line.number);
    }

    fn text(&mut self, line: Line<'t>) {
        let flow = std::mem::replace(&mut self.flow, Flow::Nothing);
        let indented = line.indent() > 3 || line.text.starts_with('\t');
        match line.byte() {
            Some(mark @ (b'`' | b'~')) => {
                let (length, rest) = run(line.bare, mark);
                if length >= 3 && (mark == b'~' || !rest.contains('`')) {
                    let line = line.number;
                    self.within = Within::Fence { mark, length, line };
                } else {
                    self.paragraph(flow, line);
                }
            }
            // Indented code, unless it continues a paragraph.
            _ if indented && matches!(flow, Flow::Nothing) => {}
            Some(b'#') if !indented && self.hashes(&line) => return,
            Some(b'<') if !indented => self.html(line),
            Some(mark @ (b'=' | b'-')) if !indented => {
                let (length, rest) = run(line.bare, mark);
                let rule = length >= 2 && rest.trim_ascii().is_empty();
                match flow {
                    Flow::Paragraph {
                        first,
                        lines,
                        before,
                    } if rule && lines <= limits::HEADING_LINES => {
                        self.tree.content(before);
                        let level = if mark == b'=' { 1 } else { 2 };
                        self.tree
                            .begin(level, first.bare.trim_end(), &first, line.number);
                        return;
                    }
                    flow if !rule => self.paragraph(flow, line),
                    _ => {}
                }
            }
            _ => self.paragraph(flow, line),
        }
        self.tree.content(line.number);
    }

    /// Interprets a line of a paragraph, list, quotation or table.
    fn paragraph(&mut self, flow: Flow<'t>, line: Line<'t>) {
        self.flow = match flow {
            _ if begins_other(line.bare) => Flow::Other,
            Flow::Nothing => Flow::Paragraph {
                first: line,
                lines: 1,
                before: self.tree.last_content(),
            },
            Flow::Paragraph {
                first,
                lines,
                before,
            } => Flow::Paragraph {
                first,
                lines: lines.saturating_add(1),
                before,
            },
            Flow::Other => Flow::Other,
        };
    }

    /// Begins a section if the line is a heading with `#`. Returns whether it is one.
    fn hashes(&mut self, line: &Line<'_>) -> bool {
        let (level, rest) = run(line.bare, b'#');
        let apart = rest.is_empty() || rest.starts_with([' ', '\t']);
        if level > 6 || !apart {
            return false;
        }
        let rest = rest.trim_ascii();
        let bare = rest.trim_end_matches('#');
        let name = if bare.is_empty() || bare.ends_with([' ', '\t']) {
            bare
        } else {
            rest
        };
        let level = u32::try_from(level).unwrap_or(6);
        self.tree
            .begin(level, name.trim_ascii_end(), line, line.number);
        true
    }

    /// Interprets a line that begins with a tag or comment.
    fn html(&mut self, line: Line<'t>) {
        self.flow = Flow::Other;
        if let Some(rest) = line.bare.strip_prefix("<!--") {
            if rest.contains("-->") {
                self.tree.comment(line.number, line.number);
            } else {
                self.within = Within::Comment { line: line.number };
            }
            return;
        }
        let tag = line.bare.get(1..).unwrap_or_default();
        let end = tag.find(|letter: char| !letter.is_ascii_alphanumeric());
        let tag = tag.get(..end.unwrap_or(tag.len())).unwrap_or_default();
        if let [b'h' | b'H', digit @ b'1'..=b'6'] = tag.as_bytes() {
            let level = u32::from(digit.saturating_sub(b'0'));
            let name = without_tags(line.bare);
            self.html_heading(level, line, name, &line);
        } else if let Some(name) = VERBATIM.iter().find(|name| name.eq_ignore_ascii_case(tag))
            && !closes(line.text, name)
        {
            let line = line.number;
            self.within = Within::Html { name, line };
        }
    }

    /// Ends an HTML heading if its end tag is on this line. Otherwise the heading continues on the
    /// next line.
    fn html_heading(&mut self, level: u32, first: Line<'t>, name: String, line: &Line<'_>) {
        self.within = Within::Text;
        let ended = line.text.contains("</h") || line.text.contains("</H");
        if ended {
            let name = name.trim();
            let name = if name.is_empty() { first.bare } else { name };
            self.tree.begin(level, name, &first, line.number);
        } else if line.number.saturating_sub(first.number) < limits::HTML_HEADING_LINES {
            let line = first;
            self.within = Within::Heading { level, line, name };
        }
    }
}

/// Splits a text after its leading run of `mark`. Returns the length of the run and the rest.
fn run(text: &str, mark: u8) -> (usize, &str) {
    let length = text.bytes().take_while(|byte| *byte == mark).count();
    (length, text.get(length..).unwrap_or_default())
}

/// Whether a line contains the end tag of an element.
fn closes(line: &str, name: &str) -> bool {
    line.split("</").skip(1).any(|tag| {
        let tag = tag.get(..name.len());
        tag.is_some_and(|tag| tag.eq_ignore_ascii_case(name))
    })
}

/// Whether a line begins a list, quotation, table or definition instead of a paragraph.
fn begins_other(bare: &str) -> bool {
    match bare.as_bytes() {
        [b'>' | b'|', ..] | [b'-' | b'*' | b'+', b' ' | b'\t', ..] => true,
        [b'[', ..] => bare.contains("]:"),
        [b'0'..=b'9', ..] => {
            let rest = bare.trim_start_matches(|digit: char| digit.is_ascii_digit());
            matches!(rest.as_bytes(), [b'.' | b')', b' ', ..])
        }
        _ => false,
    }
}

/// Removes the tags from a line of HTML.
fn without_tags(line: &str) -> String {
    let mut parts = line.split('<');
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        text.push_str(part.split_once('>').map_or("", |(_, text)| text));
    }
    text.trim_ascii().to_owned()
}

#[cfg(test)]
mod tests {
    use super::super::tree::drawn;
    use super::*;

    #[test]
    fn markdown_headings_become_sections() {
        let cases: &[(&str, &[&str])] = &[
            (
                "# A #\n\ntext\n\n## B ##\nx\n\n# C#\n",
                &["A 1-6", "  B 5-6", "C# 8-8"],
            ),
            (
                "### A\n# B\n### C\n## D\n",
                &["A 1-1", "B 2-4", "  C 3-3", "  D 4-4"],
            ),
            ("A\n===\n\nB\nb\n---\nx\n", &["A 1-7", "  B 4-7"]),
            // A thematic break, a list, a table, a long paragraph.
            (
                "# A\n\n---\n\n- x\n---\n\n| a |\n---\n\na\nb\nc\nd\n---\n",
                &["A 1-15"],
            ),
            ("#A\n####### B\n    # C\n\t# D\n\\# E\n", &["none"]),
            ("#\n## \n", &[" 1-2", "   2-2"]),
            // Code.
            ("# A\n```sh\n# x\n~~~\n````\n# B\n", &["A 1-5", "B 6-6"]),
            ("~~~~ a`b\n# x\n~~~\n# x\n~~~~~\n# B\n", &["B 6-6"]),
            ("- x\n  ```\n  # x\n  ```\n# B\n", &["B 5-5"]),
            ("``` a`b\n# B\n", &["B 2-2"]),
            ("# A\n```\n# x\n", &["A 1-3", "lost 2"]),
            // HTML.
            ("<!-- # x\n# x\n-->\n# B\n<!-- c -->\n", &["B 4-5"]),
            ("# A\n<!--\n# x\n", &["A 1-3", "lost 2"]),
            ("<pre>\n# x\n</pre>\n# B\n", &["B 4-4"]),
            (
                "<h1 align=\"center\">The <b>x</b></h1>\n\n## B\n",
                &["The x 1-3", "  B 3-3"],
            ),
            ("<h2>\n<img src=x>\nName\n</h2>\n", &["Name 1-4"]),
            ("<h2>\n\n\n\n\n\n\n\n\n\n\n\nx\n# B\n", &["B 14-14"]),
            // Front matter.
            ("---\na: 1\n# c\n---\n# B\n", &["front matter 1-4", "B 5-5"]),
            ("+++\na = 1\n+++\nx\n", &["front matter 1-3"]),
            ("---\n\n# A\n\n---\n\n# B\n", &["A 3-5", "B 7-7"]),
            ("---\na: 1\n# B\n", &["B 3-3"]),
            ("", &["none"]),
            ("just text\n\nmore\n", &["none"]),
        ];
        for (text, expected) in cases {
            assert_eq!(drawn(parse(text)), *expected, "{text}");
            let windows = text.replace('\n', "\r\n");
            assert_eq!(drawn(parse(&windows)), *expected, "{windows:?}");
        }
    }

    #[test]
    fn setext_heading_includes_underline() {
        let parsed = parse("x\n\nA\nb\n---\n<!-- a\nb -->\n").unwrap();
        let item = &parsed.items[0];
        assert_eq!(
            (item.name.as_str(), item.first, item.sign, item.head),
            ("A", 3, 3, 5)
        );
        assert_eq!(item.start, 3);
        assert_eq!(parsed.comments, [(6, 7)]);
    }
}
