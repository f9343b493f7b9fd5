//! HTML as text, with its tables in Markdown.

use super::flow::{Flow, Gap};
use super::table::Table;
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use html5gum::{Span, Tokenizer};
use memchr::memchr_iter;
use std::convert::Infallible;

/// Whether the HTML seems to contain a table.
pub fn has_table(html: &str) -> bool {
    let name = |at: usize| html.as_bytes().get(at..)?.get(1..6);
    memchr_iter(b'<', html.as_bytes())
        .any(|at| name(at).is_some_and(|name| name.eq_ignore_ascii_case(b"table")))
}

/// The text of an HTML page, and the number of its tables, without those inside other tables.
pub fn text(html: &str) -> (String, usize) {
    let mut page = Page::new(html.len());
    let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: Span<()>| {
        page.event(&event);
        None::<Infallible>
    });
    emitter.naively_switch_states(true);
    let Ok(()) = Tokenizer::new_with_emitter(html, emitter).finish();
    page.end_table();
    (page.flow.out, page.tables)
}

/// The part of the page to which the next words are added.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Page,
    Caption,
    Cell,
}

/// The state of an HTML page that is read tag by tag.
struct Page {
    flow: Flow,
    tables: usize,
    /// The nesting depth of the tables that are open; 0 outside of tables.
    depth: usize,
    table: Table,
    part: Part,
    line: Flow,
    /// The number of bytes that the repeated text of spanning cells may still add to the output.
    spare: usize,
    tag: Vec<u8>,
    attribute: Vec<u8>,
    spans: (usize, usize),
    alt: Option<String>,
    /// The open element, such as `script`, whose content is not shown.
    mute: Option<&'static [u8]>,
    /// The number of open elements that preserve white space.
    verbatim: usize,
}

impl Page {
    fn new(bytes: usize) -> Self {
        Self {
            flow: Flow::default(),
            tables: 0,
            depth: 0,
            table: Table::default(),
            part: Part::Page,
            line: Flow::default(),
            spare: Table::spare(bytes),
            tag: Vec::new(),
            attribute: Vec::new(),
            spans: (1, 1),
            alt: None,
            mute: None,
            verbatim: 0,
        }
    }

    fn event(&mut self, event: &CallbackEvent<'_>) {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                copy(name, &mut self.tag);
                self.attribute.clear();
                self.spans = (1, 1);
                self.alt = None;
            }
            CallbackEvent::AttributeName { name } => copy(name, &mut self.attribute),
            CallbackEvent::AttributeValue { value } => {
                let text = String::from_utf8_lossy(value);
                let number = || text.trim().parse().unwrap_or(1);
                match &*self.attribute {
                    b"colspan" => self.spans.0 = number(),
                    b"rowspan" => self.spans.1 = number(),
                    b"alt" => self.alt = Some(text.into_owned()),
                    _ => {}
                }
            }
            CallbackEvent::CloseStartTag { .. } if self.mute.is_none() => {
                let tag = std::mem::take(&mut self.tag);
                self.start(&tag);
                self.tag = tag;
            }
            CallbackEvent::EndTag { name } if self.mute.is_none() => self.end(name),
            CallbackEvent::EndTag { name } if self.mute == Some(*name) => self.mute = None,
            CallbackEvent::String { value } if self.mute.is_none() => {
                self.text(&String::from_utf8_lossy(value));
            }
            _ => {}
        }
    }

    fn start(&mut self, tag: &[u8]) {
        match tag {
            b"script" => self.mute = Some(b"script"),
            b"style" => self.mute = Some(b"style"),
            b"template" => self.mute = Some(b"template"),
            b"pre" | b"textarea" => {
                self.gap(Gap::Line);
                self.verbatim = self.verbatim.saturating_add(1);
            }
            b"table" => {
                if self.depth == 0 {
                    self.tables = self.tables.saturating_add(1);
                }
                self.depth = self.depth.saturating_add(1);
                self.gap(Gap::Line);
            }
            // Tables inside a cell become text.
            _ if self.depth > 1 && is_of_table(tag) => self.gap(Gap::Space),
            b"thead" | b"tbody" | b"tfoot" if self.depth == 1 => {
                self.end_part();
                self.table.group(tag == b"thead", &mut self.spare);
            }
            b"tr" if self.depth == 1 => {
                self.end_part();
                self.table.row(&mut self.spare);
            }
            b"td" | b"th" if self.depth == 1 => {
                self.end_part();
                self.part = Part::Cell;
                self.table.cell(tag == b"th", self.spans);
            }
            b"caption" if self.depth == 1 => {
                self.end_part();
                self.part = Part::Caption;
            }
            b"img" => match self.alt.take().filter(|alt| !alt.trim().is_empty()) {
                Some(alt) => self.text(&alt),
                None => self.text("[image]"),
            },
            b"li" => {
                self.gap(Gap::Line);
                self.text("- ");
            }
            tag if is_block(tag) => self.gap(Gap::Line),
            _ => {}
        }
    }

    fn end(&mut self, tag: &[u8]) {
        match tag {
            b"table" if self.depth > 1 => {
                self.depth = self.depth.saturating_sub(1);
                self.gap(Gap::Space);
            }
            b"table" => self.end_table(),
            b"pre" | b"textarea" => {
                while self.part == Part::Page && self.flow.out.ends_with('\n') {
                    self.flow.out.pop();
                }
                self.gap(Gap::Line);
                self.verbatim = self.verbatim.saturating_sub(1);
            }
            b"td" | b"th" | b"caption" if self.depth == 1 => self.end_part(),
            b"tr" | b"thead" | b"tbody" | b"tfoot" if self.depth == 1 => {
                self.end_part();
                self.table.row(&mut self.spare);
                if tag != b"tr" {
                    self.table.group(false, &mut self.spare);
                }
            }
            tag if is_of_table(tag) => self.gap(Gap::Space),
            tag if is_block(tag) || tag == b"li" => self.gap(Gap::Line),
            _ => {}
        }
    }

    fn gap(&mut self, gap: Gap) {
        match self.part {
            Part::Page => self.flow.gap(gap),
            // A caption or cell is on one line.
            Part::Caption | Part::Cell => self.line.gap(Gap::Space.min(gap)),
        }
    }

    fn text(&mut self, text: &str) {
        match self.part {
            Part::Page if self.verbatim > 0 && self.depth == 0 => self.flow.exactly(text),
            Part::Page => self.flow.words(text),
            Part::Caption | Part::Cell => self.line.words(text),
        }
    }

    fn end_part(&mut self) {
        let line = self.line.take_line();
        match self.part {
            Part::Page => {}
            Part::Caption => self.table.caption(&line),
            Part::Cell => self.table.end_cell(&line, &mut self.spare),
        }
        self.part = Part::Page;
    }

    /// Ends the open table and appends it to the text.
    fn end_table(&mut self) {
        self.end_part();
        self.depth = 0;
        let table = std::mem::take(&mut self.table).markdown(&mut self.spare);
        if !table.is_empty() {
            self.flow.gap(Gap::Blank);
            self.flow.exactly(&table);
            self.flow.gap(Gap::Blank);
        }
    }
}

fn copy(name: &[u8], to: &mut Vec<u8>) {
    to.clear();
    to.extend_from_slice(name);
}

fn is_of_table(tag: &[u8]) -> bool {
    matches!(
        tag,
        b"caption" | b"thead" | b"tbody" | b"tfoot" | b"tr" | b"td" | b"th"
    )
}

/// Whether an element starts and ends a line.
fn is_block(tag: &[u8]) -> bool {
    matches!(
        tag,
        b"address"
            | b"article"
            | b"aside"
            | b"blockquote"
            | b"br"
            | b"dd"
            | b"details"
            | b"div"
            | b"dl"
            | b"dt"
            | b"fieldset"
            | b"figcaption"
            | b"figure"
            | b"footer"
            | b"form"
            | b"h1"
            | b"h2"
            | b"h3"
            | b"h4"
            | b"h5"
            | b"h6"
            | b"header"
            | b"hr"
            | b"main"
            | b"nav"
            | b"ol"
            | b"option"
            | b"p"
            | b"section"
            | b"summary"
            | b"title"
            | b"ul"
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn tags_are_removed() {
        for (html, expected) in [
            ("<b>a</b> &amp;&nbsp;<i>b\n c</i>", "a &\u{a0}b c"),
            ("<p>a</p><p>b<br>c</p>", "a\nb\nc"),
            (
                "<style>p { x: y }</style>a<script>if (a<b) {}</script>",
                "a",
            ),
            ("<ul><li>a<li>b</ul>c", "- a\n- b\nc"),
            ("<pre>a\n  b\n</pre>c", "a\n  b\nc"),
            ("<img src=x alt='a plot'><img src=y>", "a plot[image]"),
            ("<!-- x --><div>a</div", "a"),
            ("a < b", "a < b"),
        ] {
            assert_eq!(text(html), (expected.to_owned(), 0), "{html}");
        }
    }

    #[test]
    fn tables_keep_their_place_in_text() {
        let html = "<p>before</p><TABLE><caption>All of <b>it</b></caption>\
                    <tr><th>a<th>b|c<tr><td>1<td>x<br>y</table><p>1 row</p>";
        let expected = "before\n\nAll of it\n\n| a | b\\|c |\n| --- | --- |\n| 1 | x y |\n\n1 row";
        assert_eq!(text(html), (expected.to_owned(), 1));
        assert!(has_table(html) && !has_table("<p>table<t"));
    }

    #[test]
    fn tables_in_cells_are_text() {
        let html =
            "<table><tr><td>a<table><tr><td>b</td><td>c</td></tr></table>d</td><td>e</table>";
        let expected = "|  |  |\n| --- | --- |\n| a b c d | e |";
        assert_eq!(text(html), (expected.to_owned(), 1));
    }

    #[test]
    fn deep_nesting_does_not_recurse() {
        for open in ["<table><tr><td>", "<div>", "<b>", "<table>"] {
            text(&open.repeat(100_000));
        }
    }

    proptest! {
        #[test]
        fn every_word_is_kept(parts in prop::collection::vec(prop::sample::select(vec![
            "<table>", "</table>", "<thead>", "</thead>", "<tbody>", "<tr>", "</tr>", "<th>", "</td>",
            "<td>", "<td colspan=3>", "<th rowspan=2>", "<td rowspan=0 colspan=2>", "<caption>", "<p>",
            "</caption>", "<pre>", "</pre>", "<li>", "<br/>", "<b>", "|", "&lt;", "\n", "<!-- -->",
        ]), 0..60)) {
            let mut html = String::new();
            for (n, part) in parts.iter().enumerate() {
                html.push_str(&format!("{part} w{n} "));
            }
            let (shown, _) = text(&html);
            let words: Vec<&str> = shown.split_whitespace().collect();
            for n in 0..parts.len() {
                prop_assert!(words.contains(&&*format!("w{n}")), "w{} of {}: {}", n, html, shown);
            }
        }

        #[test]
        fn any_text_is_html(html in "[<>/a-c!&;#x0-9 =\"'\\-|ü\n]{0,80}") {
            text(&html);
        }
    }
}
