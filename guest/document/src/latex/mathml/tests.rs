//! Formulas in MathML and their LaTeX.

use super::{Element, formula};
use crate::limits;

/// The elements of a formula, in document order.
struct Tree(Vec<Node>);

struct Node {
    depth: usize,
    name: String,
    attributes: Vec<(String, String)>,
    text: String,
}

#[derive(Clone, Copy)]
struct At<'t>(&'t Tree, usize);

impl Tree {
    /// Parses well-formed elements with plain attributes.
    fn parse(text: &str) -> Self {
        let mut nodes: Vec<Node> = Vec::new();
        let mut open: Vec<usize> = Vec::new();
        for piece in text.split('<').skip(1) {
            let (tag, text) = piece.split_once('>').unwrap();
            if tag.starts_with('/') {
                open.pop();
                continue;
            }
            let mut words = tag.trim_end_matches('/').split(' ');
            let name = words.next().unwrap().to_owned();
            let attributes = words.filter_map(|word| {
                let (name, value) = word.split_once('=')?;
                Some((name.to_owned(), value.trim_matches('"').to_owned()))
            });
            nodes.push(Node {
                depth: open.len(),
                name,
                attributes: attributes.collect(),
                text: text.to_owned(),
            });
            if !tag.ends_with('/') {
                open.push(nodes.len() - 1);
            }
        }
        Self(nodes)
    }
}

impl At<'_> {
    fn node(&self) -> &Node {
        &self.0.0[self.1]
    }

    /// The places of the elements in this one, at any depth.
    fn inside(self) -> impl Iterator<Item = usize> {
        let depth = self.node().depth;
        let nodes = self.0.0.iter().enumerate().skip(self.1 + 1);
        nodes
            .take_while(move |(_, node)| node.depth > depth)
            .map(|(place, _)| place)
    }
}

impl Element for At<'_> {
    fn name(&self) -> &str {
        &self.node().name
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        let mut all = self.node().attributes.iter();
        let found = all.find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }

    fn children(&self) -> impl Iterator<Item = Self> {
        let (tree, depth) = (self.0, self.node().depth + 1);
        let inside = self
            .inside()
            .filter(move |place| tree.0[*place].depth == depth);
        inside.map(move |place| At(tree, place))
    }

    fn text(&self) -> String {
        let inside = self.inside().map(|place| self.0.0[place].text.as_str());
        std::iter::once(self.node().text.as_str())
            .chain(inside)
            .collect()
    }
}

fn latex(content: &str) -> String {
    let tree = Tree::parse(&format!("<math>{content}</math>"));
    formula(At(&tree, 0))
}

#[test]
fn structures_become_commands() {
    for (content, expected) in [
        (
            "<mi>A</mi><mo>=</mo><mi>π</mi><msup><mi>r</mi><mn>2</mn></msup>",
            "A=\\pi r^{2}",
        ),
        (
            "<mfrac><mi>a</mi><mrow><mi>b</mi><mo>+</mo><mn>1</mn></mrow></mfrac>",
            "\\frac{a}{b+1}",
        ),
        ("<msqrt><mi>x</mi><mi>y</mi></msqrt>", "\\sqrt{xy}"),
        ("<mroot><mi>x</mi><mn>3</mn></mroot>", "\\sqrt[3]{x}"),
        (
            "<munderover><mo>∑</mo><mrow><mi>n</mi><mo>=</mo><mn>1</mn></mrow><mi>∞</mi></munderover><mi>a</mi>",
            "\\sum_{n=1}^{\\infty}a",
        ),
        ("<mi>sin</mi><mi>x</mi>", "\\sin x"),
        ("<munder><mi>lim</mi><mi>n</mi></munder>", "\\lim_{n}"),
        ("<mover><mi>v</mi><mo>→</mo></mover>", "\\vec{v}"),
        ("<mover><mi>v</mi><mo>^</mo></mover>", "\\hat{v}"),
        ("<mover><mi>v</mi><mi>u</mi></mover>", "\\overset{u}{v}"),
        (
            "<mrow><mo fence=\"true\" form=\"prefix\">(</mo><mi>x</mi><mo fence=\"true\" form=\"postfix\">)</mo></mrow>",
            "\\left(x\\right)",
        ),
        (
            "<mtable><mtr><mtd><mn>1</mn></mtd><mtd><mn>0</mn></mtd></mtr><mtr><mtd><mn>0</mn></mtd><mtd><mn>1</mn></mtd></mtr></mtable>",
            "\\begin{matrix}1 & 0 \\\\ 0 & 1\\end{matrix}",
        ),
        (
            "<semantics><mi>x</mi><annotation encoding=\"StarMath 5.0\">x over y</annotation></semantics>",
            "x",
        ),
        (
            "<mmultiscripts><mi>C</mi><mn>1</mn><none/><mprescripts/><mn>6</mn><mn>14</mn></mmultiscripts>",
            "{}_{6}^{14}C_{1}",
        ),
        ("<mtext>if </mtext><mi>x</mi>", "\\text{if }x"),
        (
            "<mi>ε</mi><mo>+</mo><mi>ϵ</mi><mo>+</mo><mi>φ</mi><mo>+</mo><mi>ι</mi><mo>+</mo><mi>ς</mi>",
            "\\varepsilon+\\epsilon+\\varphi+\\iota+\\varsigma",
        ),
        ("<mi>rate</mi>", "\\mathrm{rate}"),
        ("<mi>a_b</mi><mo>&</mo><mi>c</mi>", "\\mathrm{a\\_b}\\&c"),
        ("<mover><mi>x</mi><mo>¯</mo></mover>", "\\bar{x}"),
        (
            "<mover><mrow><mi>x</mi><mi>y</mi></mrow><mo>¯</mo></mover>",
            "\\overline{xy}",
        ),
        ("<mrow>5</mrow>", "5"),
        (
            "<mfenced separators=\"；\"><mi>x</mi><mi>y</mi></mfenced>",
            "\\left(x；y\\right)",
        ),
        (
            "<mfenced separators=\";,\"><mi>x</mi><mi>y</mi><mi>z</mi><mi>u</mi></mfenced>",
            "\\left(x;y,z,u\\right)",
        ),
        ("<mi mathvariant=\"bold\">v</mi>", "\\mathbf{v}"),
    ] {
        assert_eq!(latex(content), expected, "{content}");
    }
}

#[test]
fn deep_formulas_end() {
    let deep = limits::FORMULA_DEPTH.saturating_mul(1000);
    let open = "<msup><mrow>".repeat(deep);
    assert!(latex(&format!("{open}<mi>x</mi>")).contains('x'));
}
