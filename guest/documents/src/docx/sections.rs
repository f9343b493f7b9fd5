//! The headers and footers that sections use.

use super::styles::is_on;
use crate::word::pages::TEXTS;
use crate::xml::Element;

/// The headers and footers that sections use.
#[derive(Default)]
pub struct Pages {
    /// The identifiers of relationships, in the order of the sections.
    pub headers: Vec<String>,
    /// Those of footers.
    pub footers: Vec<String>,
    /// Whether even pages have their own.
    pub even: bool,
}

impl Pages {
    /// Reads the properties of a section.
    pub fn section(&mut self, properties: Element) {
        let first = properties.child("titlePg").is_some_and(is_on);
        for child in properties.children() {
            let list = match child.name() {
                "headerReference" => &mut self.headers,
                "footerReference" => &mut self.footers,
                _ => continue,
            };
            let used = match child.attr("type") {
                Some("first") => first,
                Some("even") => self.even,
                _ => true,
            };
            if let Some(id) = child.attr("r:id")
                && used
                && list.len() < TEXTS
                && !list.iter().any(|own| own == id)
            {
                list.push(id.to_owned());
            }
        }
    }
}
