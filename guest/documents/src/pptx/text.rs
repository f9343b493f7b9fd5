//! Paragraphs of shapes, cells and notes → blocks.

use super::bullets::{Levels, bullet};
use crate::fonts::is_fixed;
use crate::limits;
use crate::model::{Block, Inline, Style, is_blank};
use crate::package::Relationships;
use crate::slides::code;
use crate::slides::numbering::Counter;
use crate::slides::text::replaced_tabs;
use crate::xml::Element;

/// Converts the paragraphs of a text. `levels` are the bullets that it inherits.
pub fn blocks(body: Element, levels: &Levels, related: &Relationships) -> Vec<Block> {
    let levels = Levels::read(body.child("lstStyle")).or(*levels);
    let mut counter = Counter::default();
    let mut found = Vec::new();
    for paragraph in body.children().filter(|it| it.name() == "p") {
        let properties = paragraph.child("pPr");
        let content = inlines(paragraph, related);
        if is_blank(&content) {
            found.push(Block::Paragraph(content));
            continue;
        }
        let level = properties.and_then(|it| it.attr("lvl")?.parse::<usize>().ok());
        let level = level.unwrap_or_default();
        let own = properties.and_then(bullet);
        let marker = counter.next(level, own.unwrap_or_else(|| levels.get(level)));
        let display = match &content[..] {
            [
                Inline::Math {
                    latex,
                    display: true,
                },
            ] => Some(Block::Math(latex.clone())),
            _ => None,
        };
        let block = display.unwrap_or(Block::Paragraph(content));
        found.push(match marker {
            None => block,
            Some(marker) => Block::Item {
                depth: level.min(limits::LIST_DEPTH),
                marker,
                blocks: vec![block],
            },
        });
    }
    code::joined(found)
}

/// Returns the text of all paragraphs in one line.
pub fn line(body: Element, related: &Relationships) -> Vec<Inline> {
    let mut all = Vec::new();
    for paragraph in body.children().filter(|it| it.name() == "p") {
        let content = inlines(paragraph, related);
        if is_blank(&content) {
            continue;
        }
        if !all.is_empty() {
            all.push(Inline::plain(" "));
        }
        all.extend(content);
    }
    all
}

/// Converts the content of a paragraph.
pub fn inlines(paragraph: Element, related: &Relationships) -> Vec<Inline> {
    let mut content = Vec::new();
    push(paragraph, related, 0, &mut content);
    content
}

fn push(parent: Element, related: &Relationships, depth: usize, content: &mut Vec<Inline>) {
    if depth > limits::INLINE_DEPTH {
        return;
    }
    for child in parent.children() {
        match child.name() {
            "r" | "fld" => push_run(child, related, content),
            "br" => content.push(Inline::Break),
            "oMath" => push_formulas(child, false, content),
            "oMathPara" => push_formulas(child, true, content),
            "AlternateContent" => {
                let branch = child.child("Choice").or_else(|| child.child("Fallback"));
                if let Some(branch) = branch {
                    push(branch, related, depth.saturating_add(1), content);
                }
            }
            "m" => push(child, related, depth.saturating_add(1), content),
            _ => {}
        }
    }
}

fn push_formulas(element: Element, display: bool, content: &mut Vec<Inline>) {
    for latex in crate::math::formulas(element) {
        content.push(Inline::Math { latex, display });
    }
}

/// Adds the text of a run or of a field.
fn push_run(run: Element, related: &Relationships, content: &mut Vec<Inline>) {
    let Some(text) = run.child("t") else {
        return;
    };
    let text = text.text();
    if text.is_empty() {
        return;
    }
    let properties = run.child("rPr");
    let font = properties.and_then(symbol_font);
    let text = match font {
        Some((font, true)) => crate::symbols::drawn(font, &text),
        Some((font, false)) => crate::symbols::replaced(font, &text),
        None => text.into_owned(),
    };
    // PowerPoint writes line breaks of titles as vertical tabs.
    let mut pieces = Vec::new();
    let style = properties.map(style).unwrap_or_default();
    let tabs = memchr::memchr2(b'_', b'\x0b', text.as_bytes());
    if tabs.is_none() {
        pieces.push(Inline::Text { text, style });
    } else {
        for (index, line) in replaced_tabs(&text, "\u{b}").split('\u{b}').enumerate() {
            if index > 0 {
                pieces.push(Inline::Break);
            }
            pieces.push(Inline::Text {
                text: line.to_owned(),
                style,
            });
        }
    }
    match properties.and_then(|it| address(it.child("hlinkClick")?, related)) {
        Some(url) => content.push(Inline::Link {
            url,
            content: pieces,
        }),
        None => content.append(&mut pieces),
    }
}

/// Returns the address of a link: outside of the presentation, or `#slide-N` for a slide.
pub fn address(link: Element, related: &Relationships) -> Option<String> {
    related.link(link.attr("r:id")?).map(str::to_owned)
}

/// Returns the font of symbols of a run, and whether it is also that of letters.
fn symbol_font<'t>(properties: Element<'t, '_>) -> Option<(&'t str, bool)> {
    let of = |name| Some((properties.child(name)?.attr("typeface")?, name == "latin"));
    let fonts = ["latin", "sym"].into_iter().filter_map(of);
    let mut symbols = fonts.filter(|(font, _)| font.contains("dings") || font.contains("Symbol"));
    symbols.next()
}

/// Reads the format of a run.
fn style(properties: Element) -> Style {
    let is_on = |name| matches!(properties.attr(name), Some("1" | "true" | "on"));
    let mut style = Style::default();
    if is_on("b") {
        style = style.with(Style::BOLD);
    }
    if is_on("i") {
        style = style.with(Style::ITALIC);
    }
    if properties.attr("strike").is_some_and(|it| it != "noStrike") {
        style = style.with(Style::STRIKE);
    }
    match properties
        .attr("baseline")
        .unwrap_or("0")
        .trim_end_matches('%')
    {
        "0" => {}
        below if below.starts_with('-') => style = style.with(Style::SUB),
        _ => style = style.with(Style::SUP),
    }
    let font = properties.child("latin").and_then(|it| it.attr("typeface"));
    if font.is_some_and(is_fixed) {
        style = style.with(Style::CODE);
    }
    style
}
