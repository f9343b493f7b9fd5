//! MathML → LaTeX ([MathML 3], presentation elements), as web pages and OpenDocument contain it.

use super::{grouped, is_command, is_invisible, join, symbols};
use crate::limits;

/// An element of MathML in the tree of a converter.
pub trait Element: Copy {
    /// The name without a prefix, such as `mfrac`.
    fn name(&self) -> &str;

    /// The value of an attribute.
    fn attribute(&self, name: &str) -> Option<&str>;

    /// The elements in this one.
    fn children(&self) -> impl Iterator<Item = Self>;

    /// The text of the element and of those in it.
    fn text(&self) -> String;
}

/// Converts the element `math`.
pub fn formula(math: impl Element) -> String {
    let text = row(math, 0);
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Converts the elements inside an element.
fn row<E: Element>(parent: E, depth: usize) -> String {
    let mut out = String::new();
    if depth >= limits::FORMULA_DEPTH {
        return symbols::latex(&parent.text());
    }
    let children: Vec<E> = parent.children().collect();
    if children.is_empty() {
        return signs(parent.text().trim());
    }
    if let Some((first, last, inside)) = fence(&children) {
        out.push_str("\\left");
        join(&mut out, &delimiter(first));
        join(&mut out, elements(inside, depth).trim());
        out.push_str("\\right");
        join(&mut out, &delimiter(last));
        return out;
    }
    elements(&children, depth)
}

fn elements<E: Element>(children: &[E], depth: usize) -> String {
    let mut out = String::new();
    for child in children {
        join(&mut out, &structure(*child, depth.saturating_add(1)));
    }
    out
}

/// Returns the brackets around a row that grow with it, and what is between them.
fn fence<E: Element>(children: &[E]) -> Option<(E, E, &[E])> {
    let [first, inside @ .., last] = children else {
        return None;
    };
    let is = |element: &E, form: &str| {
        element.name() == "mo"
            && element.attribute("form") == Some(form)
            && element.attribute("stretchy") != Some("false")
    };
    (is(first, "prefix") && is(last, "postfix")).then_some((*first, *last, inside))
}

/// Converts a bracket that grows. An empty one is `.`.
fn delimiter(element: impl Element) -> String {
    match element.text().trim() {
        "" => ".".to_owned(),
        "‖" | "∥" => "\\|".to_owned(),
        sign => symbols::latex(sign),
    }
}

/// Converts the argument at a place.
fn argument<E: Element>(element: E, place: usize, depth: usize) -> String {
    let found = element.children().nth(place);
    let text = found.map(|child| structure(child, depth.saturating_add(1)));
    text.unwrap_or_default().trim().to_owned()
}

fn structure<E: Element>(element: E, depth: usize) -> String {
    if depth >= limits::FORMULA_DEPTH {
        return symbols::latex(&element.text());
    }
    let part = |place| argument(element, place, depth);
    match element.name() {
        "mi" => identifier(element),
        "mn" => signs(element.text().trim()),
        "mo" => operator(element),
        "mtext" | "ms" => {
            let text = element.text();
            if text.trim().is_empty() {
                return "\\ ".to_owned();
            }
            format!("\\text{{{}}}", symbols::text(&text))
        }
        "mspace" => match element.attribute("linebreak") {
            Some("newline") => " \\\\ ".to_owned(),
            _ => " ".to_owned(),
        },
        "mfrac" => {
            let (above, below) = (part(0), part(1));
            let thickness = element.attribute("linethickness").unwrap_or_default();
            if element.attribute("bevelled") == Some("true") {
                format!("{{{above}}}/{{{below}}}")
            } else if thickness.starts_with('0') {
                format!("\\genfrac{{}}{{}}{{0pt}}{{}}{{{above}}}{{{below}}}")
            } else {
                format!("\\frac{{{above}}}{{{below}}}")
            }
        }
        "msqrt" => format!("\\sqrt{{{}}}", row(element, depth).trim()),
        "mroot" => format!("\\sqrt[{}]{{{}}}", part(1), part(0)),
        "msup" => format!("{}^{{{}}}", grouped(part(0)), part(1)),
        "msub" => format!("{}_{{{}}}", grouped(part(0)), part(1)),
        "msubsup" => format!("{}_{{{}}}^{{{}}}", grouped(part(0)), part(1), part(2)),
        "munder" => under(element, &part(0), &part(1)),
        "mover" => over(element, &part(0), &part(1)),
        "munderover" => {
            let (base, below, above) = (part(0), part(1), part(2));
            if has_limits(&base) {
                format!("{base}_{{{below}}}^{{{above}}}")
            } else {
                format!("\\overset{{{above}}}{{\\underset{{{below}}}{{{base}}}}}")
            }
        }
        "mmultiscripts" => scripts(element, depth),
        "mfenced" => {
            let open = element.attribute("open").unwrap_or("(");
            let close = element.attribute("close").unwrap_or(")");
            let sign = |sign: &str| match sign.trim() {
                "" => ".".to_owned(),
                sign => symbols::latex(sign),
            };
            // One separator for each gap, of which the last one is repeated.
            let separators = element.attribute("separators").unwrap_or(",");
            let mut separators = separators.chars().filter(|sign| !sign.is_whitespace());
            let mut separator = None;
            let mut inside = String::new();
            for (at, child) in element.children().enumerate() {
                if at > 0 {
                    separator = separators.next().or(separator);
                    let sign = separator.map(|sign| symbols::latex(sign.encode_utf8(&mut [0; 4])));
                    join(&mut inside, &sign.unwrap_or_default());
                }
                join(&mut inside, &structure(child, depth.saturating_add(1)));
            }
            let mut out = "\\left".to_owned();
            join(&mut out, &sign(open));
            join(&mut out, &inside);
            out.push_str("\\right");
            join(&mut out, &sign(close));
            out
        }
        "mtable" => {
            let rows = element.children().map(|row| {
                let cells = row.children().map(|cell| row_of(cell, depth));
                cells.collect::<Vec<_>>().join(" & ")
            });
            let rows = rows.collect::<Vec<_>>().join(" \\\\ ");
            format!("\\begin{{matrix}}{rows}\\end{{matrix}}")
        }
        "mphantom" => format!("\\phantom{{{}}}", row(element, depth).trim()),
        "menclose" => {
            let inside = row(element, depth);
            let inside = inside.trim();
            match element.attribute("notation").unwrap_or_default() {
                "box" => format!("\\boxed{{{inside}}}"),
                "radical" => format!("\\sqrt{{{inside}}}"),
                notation if notation.contains("strike") => format!("\\cancel{{{inside}}}"),
                _ => inside.to_owned(),
            }
        }
        // The other forms of a formula repeat the first one.
        "semantics" | "maction" => part(0),
        "annotation" | "annotation-xml" | "none" | "mprescripts" => String::new(),
        _ => row(element, depth),
    }
}

fn row_of<E: Element>(cell: E, depth: usize) -> String {
    row(cell, depth.saturating_add(1)).trim().to_owned()
}

fn identifier(element: impl Element) -> String {
    let text = element.text();
    let text = text.trim_matches(is_invisible);
    if let Some(command) = symbols::function(text) {
        return command.to_owned();
    }
    let latex = signs(text);
    let letters = text.chars().filter(|char| char.is_alphabetic()).count();
    let command = match element.attribute("mathvariant") {
        Some("double-struck") => "\\mathbb",
        Some("script" | "bold-script") => "\\mathcal",
        Some("fraktur" | "bold-fraktur") => "\\mathfrak",
        Some("sans-serif" | "bold-sans-serif") => "\\mathsf",
        Some("monospace") => "\\mathtt",
        Some("bold" | "bold-italic") => "\\mathbf",
        // An identifier of several letters is upright, unless it states otherwise.
        Some("normal") | None if letters > 1 => "\\mathrm",
        _ => return latex,
    };
    if letters == 0 {
        return latex;
    }
    format!("{command}{{{latex}}}")
}

fn operator(element: impl Element) -> String {
    let text = element.text();
    let text = text.trim_matches(is_invisible);
    if let Some(command) = symbols::function(text) {
        return command.to_owned();
    }
    match text {
        "‖" => "\\|".to_owned(),
        "&" | "_" => format!("\\{text}"),
        text => symbols::large_operator(text),
    }
}

/// Converts the text of a token. Unlike in formulas of office programs, `&` and `_` have no meaning.
fn signs(text: &str) -> String {
    symbols::latex(text).replace('&', "\\&").replace('_', "\\_")
}

/// Returns whether scripts below and above a base are its limits.
fn has_limits(base: &str) -> bool {
    const LIMITS: [&str; 24] = [
        "\\sum",
        "\\prod",
        "\\coprod",
        "\\int",
        "\\iint",
        "\\iiint",
        "\\oint",
        "\\oiint",
        "\\bigcup",
        "\\bigcap",
        "\\bigvee",
        "\\bigwedge",
        "\\bigoplus",
        "\\bigotimes",
        "\\lim",
        "\\limsup",
        "\\liminf",
        "\\max",
        "\\min",
        "\\sup",
        "\\inf",
        "\\det",
        "\\gcd",
        "\\Pr",
    ];
    LIMITS.contains(&base) || base.starts_with("\\underbrace") || base.starts_with("\\overbrace")
}

fn under<E: Element>(element: E, base: &str, below: &str) -> String {
    if has_limits(base) {
        return format!("{base}_{{{below}}}");
    }
    let sign = element.children().nth(1).map(|it| it.text());
    match sign.as_deref().unwrap_or_default().trim() {
        "⏟" | "︸" => format!("\\underbrace{{{base}}}"),
        "_" | "\u{332}" | "¯" | "‾" | "―" => format!("\\underline{{{base}}}"),
        _ => format!("\\underset{{{below}}}{{{base}}}"),
    }
}

fn over<E: Element>(element: E, base: &str, above: &str) -> String {
    if has_limits(base) {
        return format!("{base}^{{{above}}}");
    }
    let found = element.children().nth(1);
    let sign = found.filter(|it| it.name() == "mo").map(|it| it.text());
    match sign.as_deref().unwrap_or_default().trim() {
        "⏞" | "︷" => format!("\\overbrace{{{base}}}"),
        "‾" | "―" => format!("\\overline{{{base}}}"),
        "¯" if base.chars().count() > 1 && !is_command(base) => format!("\\overline{{{base}}}"),
        "^" | "ˆ" | "\u{302}" => format!("\\hat{{{base}}}"),
        sign if is_accent(sign) => format!("{}{{{base}}}", symbols::accent(sign)),
        _ => format!("\\overset{{{above}}}{{{base}}}"),
    }
}

/// Returns whether a sign is an accent other than `^`.
fn is_accent(sign: &str) -> bool {
    !sign.is_empty() && symbols::accent(sign) != "\\hat"
}

/// Converts scripts on both sides of a base.
fn scripts<E: Element>(element: E, depth: usize) -> String {
    let mut children = element.children();
    let base = children
        .next()
        .map(|it| structure(it, depth.saturating_add(1)));
    let base = grouped(base.unwrap_or_default().trim().to_owned());
    let mut before = String::new();
    let mut after = String::new();
    let mut is_before = false;
    while let Some(sub) = children.next() {
        if sub.name() == "mprescripts" {
            is_before = true;
            continue;
        }
        let sup = children.next();
        let out = if is_before { &mut before } else { &mut after };
        for (sign, script) in [("_", Some(sub)), ("^", sup)] {
            let text = script.map(|it| structure(it, depth.saturating_add(1)));
            let text = text.unwrap_or_default();
            if !text.trim().is_empty() {
                out.push_str(&format!("{sign}{{{}}}", text.trim()));
            }
        }
    }
    let start = if before.is_empty() { "" } else { "{}" };
    format!("{start}{before}{base}{after}")
}

#[cfg(test)]
mod tests;
