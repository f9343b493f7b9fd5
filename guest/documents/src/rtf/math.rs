//! Formulas: the groups of RTF 1.9.1, "Math", → Office Math, which has the same structure.
//!
//! `{\mf{\mnum ...}{\mden ...}}` is `<f><num>...</num><den>...</den></f>`.

use crate::limits;
use crate::math::formulas;
use crate::xml::Tree;

/// A formula that is being read.
#[derive(Default)]
pub struct Math {
    xml: String,
    /// The open elements.
    open: Vec<&'static str>,
    /// The value of the property that is read.
    value: Option<String>,
    /// The properties of the current run.
    properties: String,
}

impl Math {
    /// Returns whether no element is open.
    pub fn is_finished(&self) -> bool {
        self.open.is_empty()
    }

    /// Starts an element at the start of a group. Returns whether the control word is one.
    pub fn start(&mut self, word: &str) -> bool {
        let Some(name) = element(word) else {
            return false;
        };
        if self.xml.len() > limits::RTF_MATH {
            return false;
        }
        self.open.push(name);
        if is_value(name) {
            self.value = Some(String::new());
        } else {
            self.xml.push_str(&format!("<{name}>"));
        }
        if name == "r" {
            self.properties.clear();
        }
        true
    }

    /// Reads a control word that is a property of a run.
    pub fn word(&mut self, word: &str, value: i32) {
        let property = match word {
            "mnor" => "<nor/>".to_owned(),
            "mscr" => {
                let script = match value {
                    1 => "script",
                    2 => "fraktur",
                    3 => "double-struck",
                    4 => "sans-serif",
                    5 => "monospace",
                    _ => return,
                };
                format!("<scr val=\"{script}\"/>")
            }
            "msty" => {
                let style = match value {
                    0 => "p",
                    1 => "b",
                    3 => "bi",
                    _ => return,
                };
                format!("<sty val=\"{style}\"/>")
            }
            _ => return,
        };
        if self.properties.len() < limits::RTF_NAME {
            self.properties.push_str(&property);
        }
    }

    /// Reads text.
    pub fn text(&mut self, text: &str) {
        if text.is_empty() || self.xml.len() > limits::RTF_MATH {
            return;
        }
        if let Some(value) = &mut self.value {
            if value.len() < limits::RTF_NAME {
                value.push_str(text);
            }
            return;
        }
        let is_run = self.open.last() == Some(&"r");
        if text.trim().is_empty() && !is_run {
            return;
        }
        if !is_run {
            self.xml.push_str("<r>");
        }
        if !self.properties.is_empty() {
            self.xml.push_str("<rPr>");
            self.xml.push_str(&self.properties);
            self.xml.push_str("</rPr>");
            self.properties.clear();
        }
        self.xml.push_str("<t>");
        escape(text, &mut self.xml);
        self.xml.push_str("</t>");
        if !is_run {
            self.xml.push_str("</r>");
        }
    }

    /// Ends an element at the end of its group.
    pub fn end(&mut self) {
        let Some(name) = self.open.pop() else {
            return;
        };
        if let Some(value) = self.value.take() {
            self.xml.push_str(&format!("<{name} val=\""));
            escape(value.trim(), &mut self.xml);
            self.xml.push_str("\"/>");
        } else {
            self.xml.push_str(&format!("</{name}>"));
        }
    }

    /// Returns the formulas in LaTeX, and whether they are on their own lines.
    pub fn finish(self) -> (Vec<String>, bool) {
        let tree = Tree::parse(&self.xml);
        let root = tree.root();
        (formulas(root), root.name() == "oMathPara")
    }
}

fn escape(text: &str, out: &mut String) {
    for char in text.chars() {
        match char {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            char if char.is_control() => out.push(' '),
            char => out.push(char),
        }
    }
}

/// Elements, in the order of their names.
const ELEMENTS: &[&str] = &[
    "acc",
    "accPr",
    "bar",
    "barPr",
    "begChr",
    "borderBox",
    "borderBoxPr",
    "box",
    "boxPr",
    "chr",
    "d",
    "dPr",
    "deg",
    "degHide",
    "den",
    "e",
    "endChr",
    "eqArr",
    "eqArrPr",
    "f",
    "fName",
    "fPr",
    "func",
    "funcPr",
    "groupChr",
    "groupChrPr",
    "lim",
    "limLow",
    "limLowPr",
    "limUpp",
    "limUppPr",
    "m",
    "mPr",
    "mr",
    "nary",
    "naryPr",
    "num",
    "oMath",
    "oMathPara",
    "oMathParaPr",
    "phant",
    "phantPr",
    "pos",
    "r",
    "rad",
    "radPr",
    "sPre",
    "sPrePr",
    "sSub",
    "sSubPr",
    "sSubSup",
    "sSubSupPr",
    "sSup",
    "sSupPr",
    "sepChr",
    "show",
    "sub",
    "subHide",
    "sup",
    "supHide",
    "type",
];

/// Returns the element of a control word, such as `f` for `\mf`.
fn element(word: &str) -> Option<&'static str> {
    let name = word.strip_prefix('m')?;
    let place = ELEMENTS.binary_search(&name).ok()?;
    ELEMENTS.get(place).copied()
}

/// Returns whether the text of an element is the value of a property.
fn is_value(name: &str) -> bool {
    matches!(
        name,
        "begChr"
            | "chr"
            | "degHide"
            | "endChr"
            | "pos"
            | "sepChr"
            | "show"
            | "subHide"
            | "supHide"
            | "type"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn elements_are_sorted() {
        assert!(ELEMENTS.is_sorted());
    }
}
