//! The titles of the charts of a sheet. Drawings and charts are XML, as in SpreadsheetML.

use crate::package::Package;
use crate::xml::{Tree, decode};
use crate::{chart, limits};

/// Reads the titles in the order of the drawing.
pub fn titles(package: &mut Package, sheet: &str) -> Vec<String> {
    let relationships = package.relationships(sheet);
    let drawing = relationships.first("drawing").filter(|it| !it.external);
    let Some(drawing) = drawing.map(|found| found.target.clone()) else {
        return Vec::new();
    };
    let Some(part) = package.part(&drawing) else {
        return Vec::new();
    };
    let relationships = package.relationships(&drawing);
    let text = decode(&part.bytes);
    let tree = Tree::parse(&text);
    let mut titles = Vec::new();
    for element in tree.root().descendants() {
        let id = element.attr("r:id").filter(|_| element.name() == "chart");
        let Some(name) = id.and_then(|id| relationships.part(id)) else {
            continue;
        };
        if titles.len() >= limits::SHEET_CHARTS {
            break;
        }
        let Some(part) = package.part(name) else {
            continue;
        };
        let text = decode(&part.bytes);
        titles.push(chart::caption(Tree::parse(&text).root()));
    }
    titles
}
