//! Elements of a sheet whose text belongs to no cell, and the objects in them.

use crate::limits;
use crate::odf::shape::is_shape;
use crate::xml::Start;

/// An embedded object of a sheet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Object {
    /// The folder in the package.
    Part(String),
    /// The title of a chart in a flat file.
    Chart(String),
}

/// An element of a sheet whose text belongs to no cell: a comment, a shape or an object.
#[derive(Default)]
pub struct Skip {
    /// The depth of the element. 0 means none.
    depth: usize,
    chart: bool,
    /// The depth of the title of the chart, and its text.
    title: usize,
}

impl Skip {
    /// Returns whether the text belongs to no cell.
    pub fn is_open(&self) -> bool {
        self.depth > 0
    }

    /// Reads the start of an element. Returns whether its text belongs to no cell.
    pub fn start(&mut self, start: &Start, depth: usize, objects: &mut Vec<Object>) -> bool {
        if self.depth == 0 {
            if !(start.name == "annotation" || is_shape(start.name)) {
                return false;
            }
            self.depth = depth.max(1);
        }
        match start.name {
            "object" => {
                self.chart = false;
                if let Some(href) = start.attr("href")
                    && objects.len() < limits::SHEET_PARTS
                {
                    objects.push(Object::Part(href.into_owned()));
                }
            }
            "chart" if !self.chart && start.attr("class").is_some() => {
                self.chart = true;
                if objects.len() < limits::SHEET_PARTS {
                    objects.push(Object::Chart(String::new()));
                } else {
                    self.chart = false;
                }
            }
            // Axes have titles as well.
            "plot-area" => self.chart = false,
            "title" if self.chart => self.title = depth,
            _ => {}
        }
        true
    }

    /// Reads the end of an element.
    pub fn end(&mut self, depth: usize) {
        if self.title == depth {
            self.title = 0;
        }
        if self.depth == depth {
            self.depth = 0;
            self.chart = false;
        }
    }

    /// Reads text in the element.
    pub fn text(&mut self, text: &str, objects: &mut [Object]) {
        if self.chart
            && self.title > 0
            && let Some(Object::Chart(title)) = objects.last_mut()
            && title.len() < limits::METADATA_BYTES
        {
            title.push_str(text);
        }
    }
}
