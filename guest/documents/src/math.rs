//! Office Math (OMML) → LaTeX: fractions, scripts, roots, matrices. MathML and the commands of
//! characters are in [`omniread_document::latex`].

use crate::limits;
use crate::xml::Element;
use omniread_document::latex::{grouped, is_invisible, join, symbols};

/// Returns the formulas of `oMath`, or of each formula in `oMathPara`.
pub fn formulas(element: Element) -> Vec<String> {
    let list: Vec<Element> = match element.name() {
        "oMathPara" => element
            .children()
            .filter(|child| child.name() == "oMath")
            .collect(),
        _ => vec![element],
    };
    let texts = list.into_iter().map(|formula| {
        let text = content(formula, 0);
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    });
    texts.filter(|text| !text.is_empty()).collect()
}

/// Converts the content of an element.
fn content(parent: Element, depth: usize) -> String {
    let mut out = String::new();
    if depth >= limits::INLINE_DEPTH {
        return parent
            .descendants()
            .filter(|inside| inside.name() == "t")
            .map(|text| symbols::latex(&text.text()))
            .collect();
    }
    for child in parent.children() {
        join(&mut out, &structure(child, depth.saturating_add(1)));
    }
    out
}

/// Converts an argument: the content of a child.
fn argument(element: Element, name: &str, depth: usize) -> String {
    element
        .child(name)
        .map(|child| content(child, depth).trim().to_owned())
        .unwrap_or_default()
}

/// Returns a property of a structure.
fn property<'t>(element: Element<'t, '_>, group: &str, name: &str) -> Option<&'t str> {
    element.child(group)?.val(name)
}

/// Returns whether a property of a structure is on.
fn is_on(element: Element, group: &str, name: &str) -> bool {
    let found = element.child(group).and_then(|group| group.child(name));
    found.is_some_and(|found| !matches!(found.attr("val"), Some("0" | "off" | "false")))
}

fn structure(element: Element, depth: usize) -> String {
    match element.name() {
        "r" => run(element),
        "f" => fraction(element, depth),
        "sSup" => {
            let base = base(element, depth);
            format!("{base}^{{{}}}", argument(element, "sup", depth))
        }
        "sSub" => {
            let base = base(element, depth);
            format!("{base}_{{{}}}", argument(element, "sub", depth))
        }
        "sSubSup" => {
            let base = base(element, depth);
            let sub = argument(element, "sub", depth);
            format!("{base}_{{{sub}}}^{{{}}}", argument(element, "sup", depth))
        }
        "sPre" => {
            let sub = argument(element, "sub", depth);
            let sup = argument(element, "sup", depth);
            format!("{{}}_{{{sub}}}^{{{sup}}}{}", argument(element, "e", depth))
        }
        "rad" => {
            let inside = argument(element, "e", depth);
            let degree = argument(element, "deg", depth);
            if degree.is_empty() || is_on(element, "radPr", "degHide") {
                format!("\\sqrt{{{inside}}}")
            } else {
                format!("\\sqrt[{degree}]{{{inside}}}")
            }
        }
        "nary" => nary(element, depth),
        "d" => delimiters(element, depth),
        "func" => {
            let mut out = function_name(element, depth);
            join(&mut out, &argument(element, "e", depth));
            out
        }
        "limLow" => limit(element, depth, "_", "\\underset"),
        "limUpp" => limit(element, depth, "^", "\\overset"),
        "acc" => {
            let inside = argument(element, "e", depth);
            let sign = property(element, "accPr", "chr").unwrap_or("\u{302}");
            format!("{}{{{inside}}}", symbols::accent(sign))
        }
        "bar" => {
            let top = property(element, "barPr", "pos") == Some("top");
            let name = if top { "\\overline" } else { "\\underline" };
            format!("{name}{{{}}}", argument(element, "e", depth))
        }
        "groupChr" => {
            let inside = argument(element, "e", depth);
            let top = property(element, "groupChrPr", "pos") == Some("top");
            match property(element, "groupChrPr", "chr").unwrap_or("⏟") {
                "⏟" => format!("\\underbrace{{{inside}}}"),
                "⏞" => format!("\\overbrace{{{inside}}}"),
                sign if top => format!("\\overset{{{}}}{{{inside}}}", symbols::latex(sign)),
                sign => format!("\\underset{{{}}}{{{inside}}}", symbols::latex(sign)),
            }
        }
        "borderBox" => format!("\\boxed{{{}}}", argument(element, "e", depth)),
        "phant" => {
            let inside = argument(element, "e", depth);
            let shown = !element
                .child("phantPr")
                .and_then(|group| group.child("show"))
                .is_some_and(|show| matches!(show.attr("val"), Some("0" | "off" | "false")));
            if shown {
                inside
            } else {
                format!("\\phantom{{{inside}}}")
            }
        }
        "m" => matrix(element, depth),
        "eqArr" => {
            let lines = children(element, "e").map(|line| content(line, depth));
            let lines: Vec<String> = lines.map(|line| line.trim().to_owned()).collect();
            match &lines[..] {
                [line] => line.replace('&', ""),
                lines => {
                    let lines = lines.join(" \\\\ ");
                    format!("\\begin{{aligned}}{lines}\\end{{aligned}}")
                }
            }
        }
        "box" => argument(element, "e", depth),
        "br" => " \\\\ ".to_owned(),
        "oMath" | "e" | "ins" | "moveTo" | "sdtContent" | "smartTag" | "hyperlink" => {
            content(element, depth)
        }
        "sdt" => argument(element, "sdtContent", depth),
        _ => String::new(),
    }
}

/// Lists the children with a name.
fn children<'t, 'a>(
    element: Element<'t, 'a>,
    name: &'static str,
) -> impl Iterator<Item = Element<'t, 'a>> {
    element.children().filter(move |child| child.name() == name)
}

/// Converts a run: math, or text inside a formula.
fn run(element: Element) -> String {
    let mut text = String::new();
    for child in element.children() {
        match child.name() {
            "t" => text.push_str(&child.text()),
            "tab" => text.push(' '),
            _ => {}
        }
    }
    // `rPr` is both the one of the formula and the one of the text.
    let properties: Vec<Element> = children(element, "rPr").collect();
    let property = |name: &str| properties.iter().find_map(|group| group.child(name));
    let is_text = property("nor").is_some_and(|nor| !matches!(nor.attr("val"), Some("0" | "off")));
    if is_text {
        if text.trim().is_empty() {
            return "\\ ".to_owned();
        }
        return format!("\\text{{{}}}", symbols::text(&text));
    }
    let latex = symbols::latex(&text);
    let letters = text.chars().filter(|char| char.is_alphabetic()).count();
    let script = property("scr").and_then(|script| script.attr("val"));
    let style = property("sty").and_then(|style| style.attr("val"));
    let command = match (script, style) {
        (Some("double-struck"), _) => "\\mathbb",
        (Some("script"), _) => "\\mathcal",
        (Some("fraktur"), _) => "\\mathfrak",
        (Some("sans-serif"), _) => "\\mathsf",
        (Some("monospace"), _) => "\\mathtt",
        (_, Some("b" | "bi")) => "\\mathbf",
        (_, Some("p")) if letters > 1 => {
            if let Some(name) = symbols::function(text.trim_matches(is_invisible)) {
                return name.to_owned();
            }
            "\\mathrm"
        }
        _ => return latex,
    };
    if letters == 0 {
        return latex;
    }
    format!("{command}{{{latex}}}")
}

/// Converts the base of a script. A base of several characters is a group.
fn base(element: Element, depth: usize) -> String {
    grouped(argument(element, "e", depth))
}

fn fraction(element: Element, depth: usize) -> String {
    let above = argument(element, "num", depth);
    let below = argument(element, "den", depth);
    match property(element, "fPr", "type") {
        Some("lin") => format!("{{{above}}}/{{{below}}}"),
        Some("noBar") => format!("\\genfrac{{}}{{}}{{0pt}}{{}}{{{above}}}{{{below}}}"),
        _ => format!("\\frac{{{above}}}{{{below}}}"),
    }
}

fn nary(element: Element, depth: usize) -> String {
    let sign = property(element, "naryPr", "chr").unwrap_or("∫");
    let mut out = symbols::large_operator(sign);
    let sub = argument(element, "sub", depth);
    let sup = argument(element, "sup", depth);
    if !sub.is_empty() && !is_on(element, "naryPr", "subHide") {
        out.push_str(&format!("_{{{sub}}}"));
    }
    if !sup.is_empty() && !is_on(element, "naryPr", "supHide") {
        out.push_str(&format!("^{{{sup}}}"));
    }
    join(&mut out, &argument(element, "e", depth));
    out
}

fn delimiters(element: Element, depth: usize) -> String {
    let sign = |name: &str, usual: &'static str| {
        let own = property(element, "dPr", name).unwrap_or(usual);
        match own.trim() {
            "" => ".".to_owned(),
            "{" => "\\{".to_owned(),
            "}" => "\\}".to_owned(),
            "‖" => "\\|".to_owned(),
            sign => symbols::latex(sign),
        }
    };
    let separator = symbols::latex(property(element, "dPr", "sepChr").unwrap_or("|"));
    let parts: Vec<String> = children(element, "e")
        .map(|part| content(part, depth).trim().to_owned())
        .collect();
    let mut out = "\\left".to_owned();
    join(&mut out, &sign("begChr", "("));
    join(&mut out, &parts.join(&separator));
    out.push_str("\\right");
    join(&mut out, &sign("endChr", ")"));
    out
}

/// Converts the name of a function, such as `\sin` or `\lim_{n}`.
fn function_name(element: Element, depth: usize) -> String {
    let Some(name) = element.child("fName") else {
        return String::new();
    };
    let plain: String = name
        .descendants()
        .filter(|inside| inside.name() == "t")
        .map(|text| text.text())
        .collect();
    let is_simple = name.children().all(|child| child.name() == "r");
    if !is_simple {
        return content(name, depth);
    }
    let plain = plain.trim_matches(is_invisible);
    if let Some(command) = symbols::function(plain) {
        return command.to_owned();
    }
    if plain.chars().count() > 1 && plain.chars().all(|char| char.is_ascii_alphabetic()) {
        return format!("\\operatorname{{{plain}}}");
    }
    content(name, depth)
}

fn limit(element: Element, depth: usize, script: &str, command: &str) -> String {
    let base = argument(element, "e", depth);
    let limit = argument(element, "lim", depth);
    let name = base.trim_start_matches("\\mathrm{").trim_end_matches('}');
    if let Some(function) = symbols::function(name) {
        return format!("{function}{script}{{{limit}}}");
    }
    let has_limits = [
        "\\underbrace",
        "\\overbrace",
        "\\lim",
        "\\max",
        "\\min",
        "\\sup",
        "\\inf",
    ];
    if has_limits.iter().any(|start| base.starts_with(start)) {
        return format!("{base}{script}{{{limit}}}");
    }
    format!("{command}{{{limit}}}{{{base}}}")
}

fn matrix(element: Element, depth: usize) -> String {
    let rows: Vec<String> = children(element, "mr")
        .map(|row| {
            let cells = children(row, "e").map(|cell| content(cell, depth).trim().to_owned());
            cells.collect::<Vec<_>>().join(" & ")
        })
        .collect();
    format!("\\begin{{matrix}}{}\\end{{matrix}}", rows.join(" \\\\ "))
}
