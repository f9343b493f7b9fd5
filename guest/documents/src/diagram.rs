//! Diagrams (SmartArt) as nested lists.

use crate::limits;
use crate::model::{Block, Inline};
use crate::xml::Element;
use std::collections::{BTreeMap, BTreeSet};

/// Converts the data part of a diagram.
pub fn blocks(root: Element) -> Vec<Block> {
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    let mut order: Vec<&str> = Vec::new();
    let points = root.child("ptLst");
    for point in points.iter().flat_map(Element::children) {
        let Some(id) = point.attr("modelId") else {
            continue;
        };
        if matches!(point.attr("type"), None | Some("node" | "asst")) {
            texts.insert(id, text(point));
        }
        if !matches!(point.attr("type"), Some("parTrans" | "sibTrans" | "pres")) {
            order.push(id);
        }
    }
    // The points below each point, in their order.
    let mut below: BTreeMap<&str, Vec<(u32, &str)>> = BTreeMap::new();
    let mut has_parent: BTreeSet<&str> = BTreeSet::new();
    let links = root.child("cxnLst");
    for link in links.iter().flat_map(Element::children) {
        if !matches!(link.attr("type"), None | Some("parOf")) {
            continue;
        }
        if let (Some(from), Some(to)) = (link.attr("srcId"), link.attr("destId")) {
            let place = link.attr("srcOrd").and_then(|place| place.parse().ok());
            below
                .entry(from)
                .or_default()
                .push((place.unwrap_or(u32::MAX), to));
            has_parent.insert(to);
        }
    }
    for list in below.values_mut() {
        list.sort_unstable();
    }
    let mut out = Vec::new();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for start in order.iter().filter(|id| !has_parent.contains(*id)) {
        let mut open: Vec<(usize, &str)> = vec![(0, start)];
        while let Some((depth, id)) = open.pop() {
            if !seen.insert(id) {
                continue;
            }
            let mut deeper = depth;
            if let Some(text) = texts.get(id).filter(|text| !text.is_empty()) {
                out.push(Block::Item {
                    depth: depth.min(limits::LIST_DEPTH),
                    marker: String::new(),
                    blocks: vec![Block::Paragraph(vec![Inline::plain(text.clone())])],
                });
                deeper = depth.saturating_add(1);
            }
            let list = below.get(id).map(Vec::as_slice).unwrap_or_default();
            open.extend(list.iter().rev().map(|(_, id)| (deeper, *id)));
        }
    }
    out
}

/// Returns the text of a point: its paragraphs in one line.
fn text(point: Element) -> String {
    let mut out = String::new();
    let Some(body) = point.child("t") else {
        return out;
    };
    for inside in body.descendants() {
        match inside.name() {
            "t" => out.push_str(&inside.text()),
            "p" | "br" => out.push(' '),
            _ => {}
        }
    }
    out.split_whitespace().collect::<Vec<_>>().join(" ")
}
