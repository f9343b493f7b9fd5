//! Formulas as LaTeX: from the annotation of the page, or from MathML.

use super::renderer::Renderer;
use crate::dom::{Document, Id, Name, Tag};
use omniread_document::latex::mathml;
use omniread_document::markdown::Line;

impl Renderer<'_> {
    /// Whether an element is a formula, whose elements are not blocks of text.
    pub fn is_math(&self, id: Id, tag: Tag) -> bool {
        tag == Tag::Math || self.has_class(id, &["katex", "MathJax", "MathJax_Display"])
    }

    /// Adds a formula in MathML to a line.
    pub fn math(&mut self, id: Id, line: &mut Line) {
        let is_display = self.attribute(id, Name::Display) == Some("block");
        let source = annotation(self.document, id)
            .or(self.attribute(id, Name::Alttext).map(str::to_owned))
            .unwrap_or_else(|| latex(self.document, id));
        write(&source, is_display, line);
    }

    /// Adds a formula in TeX, as it was before MathJax typeset it.
    pub fn math_script(&mut self, id: Id, line: &mut Line) {
        let kind = self.attribute(id, Name::Type).unwrap_or_default();
        let mut source = String::new();
        self.document.raw_text(id, &mut source);
        write(&source, kind.contains("mode=display"), line);
    }

    /// Adds a formula that a script typeset, from the MathML in it. Only the script element contains
    /// the formula if there is no MathML.
    pub fn typeset_math(&mut self, id: Id, line: &mut Line) {
        let is_katex = self.has_class(id, &["katex"]);
        // The script follows the formula, perhaps after another form of it.
        let scripted = !is_katex && {
            let after = self.document.siblings_after(id);
            let mut after = after.skip_while(|id| match self.document.tag(*id) {
                None => self
                    .document
                    .text(*id)
                    .is_some_and(|text| text.trim().is_empty()),
                Some(_) => self.has_class(*id, &["MathJax", "MathJax_Display"]),
            });
            after
                .next()
                .is_some_and(|id| super::elements::is_math_script(self.document, id))
        };
        let mut nodes = self.document.subtree(id);
        let Some(math) = nodes.find(|id| self.document.is(*id, Tag::Math)) else {
            return;
        };
        if scripted {
            return;
        }
        let is_display = self.attribute(math, Name::Display) == Some("block")
            || self
                .document
                .parent(id)
                .is_some_and(|parent| self.has_class(parent, &["katex-display"]));
        let source = annotation(self.document, math).unwrap_or_else(|| latex(self.document, math));
        write(&source, is_display, line);
    }
}

fn write(source: &str, is_display: bool, line: &mut Line) {
    let source = source.split_whitespace().collect::<Vec<_>>().join(" ");
    line.formula(displayed(&source), is_display);
}

/// The formula without `{\displaystyle …}` around it, which Wikipedia adds to each.
fn displayed(source: &str) -> &str {
    let inner = source
        .strip_prefix("{\\displaystyle ")
        .or_else(|| source.strip_prefix("{\\textstyle "))
        .and_then(|source| source.strip_suffix('}'));
    let Some(inner) = inner else { return source };
    let mut depth = 0i32;
    for byte in inner.bytes() {
        match byte {
            b'{' => depth = depth.saturating_add(1),
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth < 0 {
            return source;
        }
    }
    inner.trim()
}

/// The LaTeX source that a formula contains as an annotation.
fn annotation(document: &Document, math: Id) -> Option<String> {
    let mut nodes = document.subtree(math);
    let annotation = nodes.find(|id| {
        document.is(*id, Tag::Annotation)
            && document
                .attribute(*id, Name::Encoding)
                .is_some_and(|encoding| {
                    matches!(
                        encoding.to_ascii_lowercase().as_str(),
                        "application/x-tex" | "application/x-latex" | "latex" | "tex"
                    )
                })
    })?;
    let mut text = String::new();
    document.raw_text(annotation, &mut text);
    (!text.trim().is_empty()).then_some(text)
}

/// MathML as LaTeX.
fn latex(document: &Document, id: Id) -> String {
    mathml::formula(Node { document, id })
}

/// An element of a formula, or a text that is directly in a structure, which browsers show.
#[derive(Clone, Copy)]
struct Node<'d> {
    document: &'d Document,
    id: Id,
}

impl mathml::Element for Node<'_> {
    fn name(&self) -> &str {
        self.document.tag(self.id).map_or("mtext", Tag::name)
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        let name = Name::of(name.as_bytes())?;
        self.document.attribute(self.id, name)
    }

    fn children(&self) -> impl Iterator<Item = Self> {
        let document = self.document;
        let is_space = |id: Id| document.text(id).is_some_and(|text| text.trim().is_empty());
        let shown = document.children(self.id).filter(move |id| !is_space(*id));
        shown.map(move |id| Node { document, id })
    }

    fn text(&self) -> String {
        let mut text = String::new();
        self.document.raw_text(self.id, &mut text);
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dom::parse;

    fn formula(html: &str) -> String {
        let document = parse(&format!("<math>{html}</math>"));
        latex(&document, document.find(Tag::Math).unwrap())
    }

    #[test]
    fn mathml_becomes_latex() {
        for (html, expected) in [
            ("<mi>x</mi><mo>=</mo><mn>2</mn>", "x=2"),
            ("<msup><mi>x</mi><mn>2</mn></msup>", "x^{2}"),
            (
                "<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>",
                "\\frac{a}{b+1}",
            ),
            ("<msqrt><mi>π</mi><mi>r</mi></msqrt>", "\\sqrt{\\pi r}"),
            (
                "<munderover><mo>∑</mo><mi>i</mi><mi>n</mi></munderover>",
                "\\sum_{i}^{n}",
            ),
            ("<mover><mi>x</mi><mo>¯</mo></mover>", "\\bar{x}"),
            ("<mi>ε</mi><mo>+</mo><mi>ς</mi>", "\\varepsilon+\\varsigma"),
            ("<mrow>5<mi>x</mi></mrow>", "\\text{5}x"),
            ("<mi>sin</mi><mi>x</mi>", "\\sin x"),
            (
                "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>",
                "\\begin{matrix}1 & 2\\end{matrix}",
            ),
        ] {
            assert_eq!(formula(html), expected, "{html}");
        }
    }
}
