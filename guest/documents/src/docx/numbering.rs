//! The part of lists: the definitions that lists share, and the lists.

use super::styles::{Styles, is_on};
use crate::word::numbering::{LEVELS, Level, List, Numbering};
use crate::xml::Element;
use crate::{budget, limits};
use std::collections::BTreeMap;

/// A definition that lists share.
struct Definition {
    levels: BTreeMap<usize, Level>,
    /// The style whose list replaces this definition.
    link: Option<String>,
}

/// Reads the part of lists.
pub fn read(root: Element, styles: &Styles) -> Numbering {
    let mut definitions: BTreeMap<String, Definition> = BTreeMap::new();
    let mut lists: BTreeMap<String, List> = BTreeMap::new();
    for child in root.children() {
        match child.name() {
            "abstractNum" if definitions.len() < limits::STYLES => {
                let Some(id) = child.attr("abstractNumId") else {
                    continue;
                };
                let definition = Definition {
                    levels: child.children().filter_map(level).collect(),
                    link: child.val("numStyleLink").map(str::to_owned),
                };
                definitions.insert(id.to_owned(), definition);
            }
            "num" if lists.len() < limits::STYLES => {
                if let Some(id) = child.attr("numId") {
                    lists.insert(id.to_owned(), list(child));
                }
            }
            _ => {}
        }
    }
    let targets = targets(&definitions, &lists, styles);
    let mut numbering = Numbering::default();
    for (id, definition) in definitions {
        numbering.add_definition(id, definition.levels);
    }
    for (id, mut list) in lists {
        if let Some(target) = targets.get(&list.definition) {
            list.definition.clone_from(target);
        }
        numbering.add_list(id, list);
    }
    numbering
}

/// Reads `num`.
fn list(element: Element) -> List {
    let mut list = List {
        definition: element.val("abstractNumId").unwrap_or_default().to_owned(),
        ..List::default()
    };
    let changes = element.children().filter(|at| at.name() == "lvlOverride");
    for change in changes {
        let at = change.attr("ilvl").and_then(|level| level.parse().ok());
        let start = change.val("startOverride").and_then(|it| it.parse().ok());
        if let (Some(at), Some(start)) = (at, start) {
            list.starts.insert(at, start);
        }
        list.levels.extend(change.children().filter_map(level));
    }
    list
}

/// Returns the definitions that replace those that refer to the list of a style.
fn targets(
    definitions: &BTreeMap<String, Definition>,
    lists: &BTreeMap<String, List>,
    styles: &Styles,
) -> BTreeMap<String, String> {
    let mut targets = BTreeMap::new();
    for (id, definition) in definitions {
        let mut at = definition;
        let mut target = None;
        for _ in 0..limits::STYLE_CHAIN {
            let Some(style) = &at.link else { break };
            let list = styles.paragraph(Some(style)).list;
            let list = list.and_then(|list| lists.get(&list.list?));
            let Some(list) = list else { break };
            let Some(next) = definitions.get(&list.definition) else {
                break;
            };
            target = Some(list.definition.clone());
            at = next;
        }
        if let Some(target) = target {
            targets.insert(id.clone(), target);
        }
    }
    targets
}

/// Reads `lvl`.
fn level(element: Element) -> Option<(usize, Level)> {
    if element.name() != "lvl" {
        return None;
    }
    let at: usize = element.attr("ilvl")?.parse().ok()?;
    let number = |name| element.val(name).and_then(|value| value.parse().ok());
    let format = element.child("numFmt").or_else(|| element.find("numFmt"));
    let format = format.map(|format| {
        let own = format.attr("val").unwrap_or("decimal");
        // Such as `001, 002, 003, ...`.
        let example = format.attr("format").and_then(|it| it.split(',').next());
        match example.filter(|_| own == "custom") {
            Some(example) => format!("pad{}", example.trim().len()),
            None => own.to_owned(),
        }
    });
    let text = element.val("lvlText").unwrap_or_default();
    let level = Level {
        start: number("start").unwrap_or(0),
        format: format.unwrap_or_else(|| "decimal".to_owned()),
        text: budget::start(text, limits::MARKER_BYTES).to_owned(),
        restart: element
            .val("lvlRestart")
            .and_then(|value| value.parse().ok()),
        legal: element.child("isLgl").is_some_and(is_on),
        style: element.val("pStyle").map(str::to_owned),
    };
    (at < LEVELS).then_some((at, level))
}
