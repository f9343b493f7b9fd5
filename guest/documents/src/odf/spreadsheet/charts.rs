//! The titles of the charts of a sheet.

use super::skip::Object;
use crate::limits;
use crate::odf::source::Source;
use crate::xml::{Event, Events, decode};

/// Returns the titles of the objects that are charts.
pub fn titles(source: &mut Source, objects: &[Object]) -> Vec<String> {
    let mut found = Vec::new();
    for object in objects {
        let title = match object {
            Object::Chart(title) => Some(title.clone()),
            Object::Part(folder) => {
                let folder = crate::package::join("", folder);
                let part = source.part(&format!("{folder}/content.xml"));
                part.and_then(|part| title(&decode(&part.bytes)))
            }
        };
        if let Some(title) = title {
            found.push(title.split_whitespace().collect::<Vec<_>>().join(" "));
        }
    }
    found
}

/// Returns the title of a chart, which may be empty. `None` if the part is no chart.
fn title(text: &str) -> Option<String> {
    let mut title = String::new();
    let (mut is_chart, mut in_title) = (false, false);
    for event in Events::new(text) {
        match event {
            Event::Start(start) => match start.name {
                "chart" => is_chart = true,
                "title" => in_title = is_chart,
                "p" | "line-break" if in_title => title.push(' '),
                // Axes have titles as well.
                "plot-area" => break,
                "text" | "spreadsheet" | "presentation" | "math" if !is_chart => return None,
                _ => {}
            },
            Event::End("title") => in_title = false,
            Event::End(_) => {}
            Event::Text(text) => {
                if in_title && title.len() < limits::METADATA_BYTES {
                    title.push_str(&text);
                }
            }
        }
    }
    is_chart.then_some(title)
}
