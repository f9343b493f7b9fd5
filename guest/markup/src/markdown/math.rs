//! Formulas as LaTeX: from the annotation of the page, or from MathML.

use super::Renderer;
use super::line::Line;
use crate::dom::{Document, Id, Name, Tag};
use crate::limits;

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
            let after = std::iter::successors(self.document.next_sibling(id), |id| {
                self.document.next_sibling(*id)
            });
            let mut after = after.skip_while(|id| match self.document.tag(*id) {
                None => self
                    .document
                    .text(*id)
                    .is_some_and(|text| text.trim().is_empty()),
                Some(_) => self.has_class(*id, &["MathJax", "MathJax_Display"]),
            });
            after
                .next()
                .is_some_and(|id| super::code::is_math_script(self.document, id))
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
    let source = displayed(&source);
    if source.is_empty() {
        return;
    }
    if is_display {
        line.space();
        line.exactly(&format!("$${source}$$"));
        line.space();
    } else {
        line.exactly(&format!("${source}$"));
    }
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
fn latex(document: &Document, math: Id) -> String {
    let mut out = String::new();
    rows(document, math, &mut out);
    out
}

fn rows(document: &Document, id: Id, out: &mut String) {
    for child in document.children(id) {
        element(document, child, out);
    }
}

/// Appends a symbol. A command is separated from a letter that follows it.
fn push(out: &mut String, text: &str) {
    let letters = out.bytes().rev().take(limits::COMMAND_BYTES);
    let letters = letters.take_while(u8::is_ascii_alphabetic).count();
    let before = out.len().saturating_sub(letters);
    let is_command = letters > 0 && out.get(..before).is_some_and(|out| out.ends_with('\\'));
    if is_command && text.starts_with(|c: char| c.is_alphabetic()) {
        out.push(' ');
    }
    out.push_str(text);
}

fn group(document: &Document, id: Option<Id>) -> String {
    let mut inner = String::new();
    if let Some(id) = id {
        element(document, id, &mut inner);
    }
    format!("{{{}}}", inner.trim())
}

fn element(document: &Document, id: Id, out: &mut String) {
    let Some(tag) = document.tag(id) else {
        if let Some(text) = document.text(id) {
            push(out, text.trim());
        }
        return;
    };
    let mut parts = document
        .children(id)
        .filter(|id| document.tag(*id).is_some());
    let mut text = String::new();
    if matches!(tag, Tag::Mi | Tag::Mn | Tag::Mo | Tag::Mtext | Tag::Ms) {
        document.raw_text(id, &mut text);
    }
    let text = text.trim();
    match tag {
        Tag::Mi if text.chars().count() > 1 => push(out, &identifier(text)),
        Tag::Mi | Tag::Mn | Tag::Mo => symbols(text, out),
        Tag::Mtext | Tag::Ms => push(out, &format!("\\text{{{text}}}")),
        Tag::Mspace => out.push(' '),
        Tag::Mfrac => {
            let (above, below) = (group(document, parts.next()), group(document, parts.next()));
            push(out, &format!("\\frac{above}{below}"));
        }
        Tag::Msqrt => {
            let mut inner = String::new();
            rows(document, id, &mut inner);
            push(out, &format!("\\sqrt{{{}}}", inner.trim()));
        }
        Tag::Mroot => {
            let base = group(document, parts.next());
            let mut index = String::new();
            if let Some(id) = parts.next() {
                element(document, id, &mut index);
            }
            push(out, &format!("\\sqrt[{}]{base}", index.trim()));
        }
        Tag::Msup | Tag::Msub | Tag::Msubsup | Tag::Munder | Tag::Munderover | Tag::Mover => {
            let base = parts.next();
            let (first, second) = (parts.next(), parts.next());
            if tag == Tag::Mover
                && let Some(accent) = first.and_then(|id| accent(document, id))
            {
                push(out, &format!("{accent}{}", group(document, base)));
                return;
            }
            let inner = group(document, base);
            let single = inner.trim_start_matches('{').trim_end_matches('}');
            let single = single.chars().count() == 1
                || single.starts_with('\\')
                    && single
                        .bytes()
                        .skip(1)
                        .all(|byte| byte.is_ascii_alphabetic());
            push(
                out,
                if single {
                    inner.trim_start_matches('{').trim_end_matches('}')
                } else {
                    &inner
                },
            );
            let (below, above) = match tag {
                Tag::Msup | Tag::Mover => (None, first),
                Tag::Msub | Tag::Munder => (first, None),
                _ => (first, second),
            };
            if below.is_some() {
                out.push('_');
                out.push_str(&group(document, below));
            }
            if above.is_some() {
                out.push('^');
                out.push_str(&group(document, above));
            }
        }
        Tag::Mtable => {
            let mut lines = Vec::new();
            for row in parts {
                let cells = document
                    .children(row)
                    .filter(|id| document.is(*id, Tag::Mtd));
                let cells: Vec<String> = cells
                    .map(|id| {
                        let mut cell = String::new();
                        rows(document, id, &mut cell);
                        cell.trim().to_owned()
                    })
                    .collect();
                lines.push(cells.join(" & "));
            }
            push(
                out,
                &format!("\\begin{{matrix}} {} \\end{{matrix}}", lines.join(" \\\\ ")),
            );
        }
        Tag::Mfenced => {
            let inner: Vec<String> = parts
                .map(|id| {
                    let mut inner = String::new();
                    element(document, id, &mut inner);
                    inner
                })
                .collect();
            push(out, &format!("\\left( {} \\right)", inner.join(", ")));
        }
        Tag::Mphantom | Tag::Annotation | Tag::AnnotationXml | Tag::Mprescripts => {}
        _ => rows(document, id, out),
    }
}

/// The name of a function or of a variable of several letters.
fn identifier(name: &str) -> String {
    const FUNCTIONS: &[&str] = &[
        "arccos", "arcsin", "arctan", "arg", "cos", "cosh", "cot", "csc", "deg", "det", "dim",
        "exp", "gcd", "hom", "inf", "ker", "lim", "liminf", "limsup", "ln", "log", "max", "min",
        "sec", "sin", "sinh", "sup", "tan", "tanh",
    ];
    if FUNCTIONS.contains(&name) {
        format!("\\{name} ")
    } else {
        format!("\\mathrm{{{name}}}")
    }
}

/// The command of an accent above a symbol.
fn accent(document: &Document, id: Id) -> Option<&'static str> {
    let mut text = String::new();
    document.raw_text(id, &mut text);
    Some(match text.trim() {
        "¯" | "‾" | "―" => "\\overline",
        "^" | "ˆ" => "\\hat",
        "→" | "⃗" => "\\vec",
        "~" | "˜" => "\\tilde",
        "˙" => "\\dot",
        "¨" => "\\ddot",
        "⏞" => "\\overbrace",
        _ => return None,
    })
}

/// Appends symbols, with the commands of those that have one.
fn symbols(text: &str, out: &mut String) {
    for c in text.chars() {
        let command = match c {
            // Operators that are not visible.
            '\u{2061}' | '\u{2062}' | '\u{2063}' | '\u{2064}' | '\u{200b}' => continue,
            '−' => "-",
            '×' => "\\times",
            '·' | '⋅' => "\\cdot",
            '÷' => "\\div",
            '±' => "\\pm",
            '≤' => "\\le",
            '≥' => "\\ge",
            '≠' => "\\ne",
            '≈' => "\\approx",
            '≡' => "\\equiv",
            '∞' => "\\infty",
            '∑' => "\\sum",
            '∏' => "\\prod",
            '∫' => "\\int",
            '∂' => "\\partial",
            '∇' => "\\nabla",
            '√' => "\\surd",
            '∈' => "\\in",
            '∉' => "\\notin",
            '⊂' => "\\subset",
            '⊆' => "\\subseteq",
            '∪' => "\\cup",
            '∩' => "\\cap",
            '∅' => "\\emptyset",
            '∀' => "\\forall",
            '∃' => "\\exists",
            '→' => "\\to",
            '⇒' => "\\Rightarrow",
            '⇔' => "\\Leftrightarrow",
            '↦' => "\\mapsto",
            '…' => "\\ldots",
            '⋯' => "\\cdots",
            'α' => "\\alpha",
            'β' => "\\beta",
            'γ' => "\\gamma",
            'δ' => "\\delta",
            'ε' | 'ϵ' => "\\epsilon",
            'ζ' => "\\zeta",
            'η' => "\\eta",
            'θ' => "\\theta",
            'κ' => "\\kappa",
            'λ' => "\\lambda",
            'μ' => "\\mu",
            'ν' => "\\nu",
            'ξ' => "\\xi",
            'π' => "\\pi",
            'ρ' => "\\rho",
            'σ' => "\\sigma",
            'τ' => "\\tau",
            'φ' | 'ϕ' => "\\phi",
            'χ' => "\\chi",
            'ψ' => "\\psi",
            'ω' => "\\omega",
            'Γ' => "\\Gamma",
            'Δ' => "\\Delta",
            'Θ' => "\\Theta",
            'Λ' => "\\Lambda",
            'Π' => "\\Pi",
            'Σ' => "\\Sigma",
            'Φ' => "\\Phi",
            'Ψ' => "\\Psi",
            'Ω' => "\\Omega",
            '{' => "\\{",
            '}' => "\\}",
            '%' => "\\%",
            '#' => "\\#",
            '_' => "\\_",
            '&' => "\\&",
            c => {
                let mut buffer = [0; 4];
                push(out, c.encode_utf8(&mut buffer));
                continue;
            }
        };
        push(out, command);
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
            ("<mover><mi>x</mi><mo>¯</mo></mover>", "\\overline{x}"),
            ("<mi>sin</mi><mi>x</mi>", "\\sin x"),
            (
                "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>2</mn></mtd></mtr></mtable>",
                "\\begin{matrix} 1 & 2 \\end{matrix}",
            ),
        ] {
            assert_eq!(formula(html), expected, "{html}");
        }
    }
}
