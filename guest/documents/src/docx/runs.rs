//! The content of a paragraph: runs, fields, links and content controls.

use super::body::{branch, flat_text};
use super::convert::Converter;
use super::styles::{RunFormat, is_on};
use crate::model::{Inline, Style};
use crate::word::fields::{Instead, Kind};
use crate::word::notes::NoteKind;
use crate::word::paragraph::Line;
use crate::xml::Element;
use crate::{limits, symbols};

/// The style of the text of a run, and its font, which may be one of symbols.
#[derive(Clone, Copy)]
struct Shown<'f> {
    style: Style,
    font: &'f str,
}

impl Converter<'_> {
    /// Converts the content of a paragraph. `inside` counts the elements around it, and `depth` the
    /// blocks.
    pub fn inlines(&mut self, parent: Element, inside: usize, depth: usize, line: &mut Line) {
        if inside >= limits::INLINE_DEPTH {
            self.report.flattened = true;
            let text = flat_text(parent);
            self.push(line, Inline::plain(text));
            return;
        }
        let deeper = inside.saturating_add(1);
        for child in parent.children() {
            match child.name() {
                "r" => self.run(child, deeper, depth, line),
                "hyperlink" => {
                    let link = self.target(child);
                    self.links.push(link);
                    self.inlines(child, deeper, depth, line);
                    self.links.pop();
                }
                "ins" | "moveTo" => {
                    self.report.changes = true;
                    self.inlines(child, deeper, depth, line);
                }
                "del" | "moveFrom" => self.report.changes = true,
                "smartTag" | "customXml" | "dir" | "bdo" => {
                    self.inlines(child, deeper, depth, line);
                }
                "sdt" => self.control(child, deeper, depth, line),
                "fldSimple" => {
                    self.fields.begin();
                    let open = self.fields.depth();
                    self.fields
                        .instruct(child.attr("instr").unwrap_or_default());
                    self.start_result();
                    self.inlines(child, deeper, depth, line);
                    self.fields.truncate(open);
                    // An end inside that has no start of its own has ended it already.
                    if self.fields.depth() == open {
                        self.end_field(Style::default(), false, line);
                    }
                }
                "oMath" => {
                    for latex in crate::math::formulas(child) {
                        let display = false;
                        self.push(line, Inline::Math { latex, display });
                    }
                }
                "oMathPara" => {
                    for latex in crate::math::formulas(child) {
                        if !line.content.is_empty() {
                            self.push(line, Inline::Break);
                        }
                        let display = true;
                        self.push(line, Inline::Math { latex, display });
                    }
                }
                "AlternateContent" => {
                    if let Some(branch) = branch(child) {
                        self.inlines(branch, deeper, depth, line);
                    }
                }
                _ => {}
            }
        }
    }

    /// Adds a piece to a line, unless a field hides it.
    pub fn push(&mut self, line: &mut Line, piece: Inline) {
        if self.is_suppressed() {
            return;
        }
        self.fields.fill(&piece);
        let field = self.fields.link();
        let link = self.links.iter().rev().flatten().next();
        let link = link.map(String::as_str).or(field);
        let is_linked = matches!(piece, Inline::Text { .. } | Inline::Image { .. });
        match link {
            Some(url) if is_linked && !url.is_empty() && self.budget.link(url) => {
                line.content.push(Inline::Link {
                    url: url.to_owned(),
                    content: vec![piece],
                });
            }
            _ => line.content.push(piece),
        }
    }

    /// Returns whether the current text is an instruction of a field, or a result that is left out.
    fn is_suppressed(&self) -> bool {
        self.fields.hides_text(|kind| match kind {
            Kind::Contents => self.has_headings,
            Kind::Page => self.in_page_text,
            _ => false,
        })
    }

    /// Returns whether a table of contents is open that is left out.
    pub fn in_contents(&self) -> bool {
        self.has_headings && self.fields.in_contents()
    }

    /// Returns the address of a link. `None` for a link inside the document.
    fn target(&mut self, link: Element) -> Option<String> {
        let found = self.relations.get(link.attr("r:id")?)?;
        if !found.external {
            return None;
        }
        if !self.budget.is_address(&found.target) {
            return None;
        }
        let mut url = found.target.clone();
        if let Some(anchor) = link.attr("anchor").or_else(|| link.attr("docLocation"))
            && !anchor.is_empty()
            && anchor.len() <= limits::URL_BYTES
            && !url.contains('#')
        {
            url.push('#');
            url.push_str(anchor);
        }
        Some(url)
    }

    /// Converts a content control.
    fn control(&mut self, control: Element, inside: usize, depth: usize, line: &mut Line) {
        let check = control.at(&["sdtPr", "checkbox"]);
        if let Some(check) = check {
            let checked = check.child("checked").is_some_and(is_on);
            self.push(line, Inline::CheckBox(checked));
        } else if let Some(content) = control.child("sdtContent") {
            self.inlines(content, inside, depth, line);
        }
    }

    fn run(&mut self, run: Element, inside: usize, depth: usize, line: &mut Line) {
        let mut format = if line.bold {
            RunFormat::bold()
        } else {
            RunFormat::default()
        };
        let mut code = false;
        let mut font = "";
        if let Some(properties) = run.child("rPr") {
            if let Some(id) = properties.val("rStyle")
                && let Some(style) = self.styles.run(id)
            {
                format = format.then(style.format);
                code = style.named.code;
            }
            format = format.then(RunFormat::read(properties));
            let fonts = properties.child("rFonts");
            font = fonts.and_then(|it| it.attr("ascii")).unwrap_or_default();
        }
        let mut style = format.style();
        if code {
            style = style.with(Style::CODE);
        }
        let hidden = format.is_hidden() || line.hidden;
        if hidden && !self.is_suppressed() {
            let texts = run.children().filter(|child| child.name() == "t");
            let count: usize = texts.map(|text| text.text().chars().count()).sum();
            self.report.hide(count);
            if count > 0 {
                self.fields.fill_hidden();
            }
        }
        let shown = Shown { style, font };
        let mut own_mark = false;
        for child in run.children() {
            if hidden {
                // Fields in hidden runs still count.
                match child.name() {
                    "fldChar" => self.field_character(child, style, true, line),
                    "instrText" => self.fields.instruct(&child.text()),
                    _ => {}
                }
                continue;
            }
            // The text after such a reference is its mark, such as `*`.
            if own_mark && matches!(child.name(), "t" | "sym") {
                continue;
            }
            own_mark |= child.attr("customMarkFollows").is_some_and(|it| it != "0");
            self.run_content(child, shown, (inside, depth), line);
        }
    }

    fn run_content(
        &mut self,
        element: Element,
        shown: Shown,
        (inside, depth): (usize, usize),
        line: &mut Line,
    ) {
        let Shown { style, font } = shown;
        let text = |text: &str| Inline::Text {
            text: text.to_owned(),
            style,
        };
        match element.name() {
            "t" => {
                let content = element.text();
                let text = symbols::drawn(font, &content);
                self.push(line, Inline::Text { text, style });
            }
            "tab" => {
                let piece = text("\t");
                self.push(line, piece);
            }
            "ptab" => self.push(line, Inline::plain(" ")),
            "br" | "cr" => self.push(line, Inline::Break),
            "noBreakHyphen" => {
                let piece = text("-");
                self.push(line, piece);
            }
            "sym" => {
                let font = element.attr("font").unwrap_or_default();
                let code = element.attr("char").unwrap_or_default();
                if let Some(char) = u32::from_str_radix(code, 16)
                    .ok()
                    .and_then(|code| symbols::symbol(font, code))
                {
                    let piece = text(char.encode_utf8(&mut [0; 4]));
                    self.push(line, piece);
                }
            }
            "fldChar" => self.field_character(element, style, false, line),
            "instrText" => self.fields.instruct(&element.text()),
            "footnoteReference" => self.reference(NoteKind::Footnote, element, line),
            "endnoteReference" => self.reference(NoteKind::Endnote, element, line),
            "commentReference" => self.reference(NoteKind::Comment, element, line),
            "drawing" | "pict" | "object" => {
                let before = line.anchored.len();
                self.drawing(element, "", (inside, depth), line);
                let is_left_out = self.is_suppressed() && line.anchored.len() == before;
                self.report.contents_drawings |= is_left_out && self.in_contents();
            }
            "ruby" => {
                if let Some(base) = element.child("rubyBase") {
                    self.inlines(base, inside, depth, line);
                }
                let above = element.child("rt").map(flat_text).unwrap_or_default();
                if !above.trim().is_empty() {
                    self.push(line, Inline::plain(format!("({})", above.trim())));
                }
            }
            "AlternateContent" => {
                if inside >= limits::INLINE_DEPTH {
                    return;
                }
                let inside = inside.saturating_add(1);
                if let Some(branch) = branch(element) {
                    for child in branch.children() {
                        self.run_content(child, shown, (inside, depth), line);
                    }
                }
            }
            _ => {}
        }
    }

    fn reference(&mut self, kind: NoteKind, element: Element, line: &mut Line) {
        if let Some(id) = element.attr("id")
            && !self.is_suppressed()
            && let Some(label) = self.references.label(kind, id)
        {
            self.push(line, Inline::Note(label));
        }
    }

    /// Reads the start, the separator or the end of a field.
    fn field_character(&mut self, element: Element, style: Style, hidden: bool, line: &mut Line) {
        match element.attr("fldCharType") {
            Some("begin") => {
                if let Some(piece) = element.child("ffData").and_then(form_field) {
                    self.push(line, piece);
                }
                self.fields.begin();
            }
            Some("separate") => self.start_result(),
            Some("end") => self.end_field(style, hidden, line),
            _ => {}
        }
    }

    /// Ends the instruction of a field, and starts its result.
    fn start_result(&mut self) {
        match self.fields.separate() {
            Some(Kind::Contents) => self.report.contents |= self.has_headings,
            Some(Kind::Page) => self.page_fields = self.page_fields.saturating_add(1),
            _ => {}
        }
    }

    /// Ends a field. Without a result, it is shown by its instruction.
    fn end_field(&mut self, style: Style, hidden: bool, line: &mut Line) {
        match self.fields.end() {
            Some(Instead::Page) => self.page_fields = self.page_fields.saturating_add(1),
            Some(Instead::Text(text)) if hidden => {
                let count = text.chars().count();
                self.report.hide(count);
            }
            Some(Instead::Text(text)) => self.push(line, Inline::Text { text, style }),
            Some(Instead::Equation) if !hidden && !self.is_suppressed() => {
                self.report.omit_equation();
            }
            Some(Instead::Equation) | None => {}
        }
    }
}

/// Returns the value of a check box or a drop-down list of a form.
fn form_field(data: Element) -> Option<Inline> {
    if let Some(check) = data.child("checkBox") {
        let state = check.child("checked").or_else(|| check.child("default"));
        return Some(Inline::CheckBox(state.is_some_and(is_on)));
    }
    let list = data.child("ddList")?;
    let chosen = list.val("result").or_else(|| list.val("default"));
    let chosen: usize = chosen.and_then(|it| it.parse().ok()).unwrap_or_default();
    let mut entries = list.children().filter(|entry| entry.name() == "listEntry");
    let entry = entries.nth(chosen)?;
    Some(Inline::plain(entry.attr("val")?))
}
