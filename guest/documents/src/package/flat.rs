//! Packages in one XML file: the flat form of Open Packaging Conventions, which Word and PowerPoint save as
//! "XML document", and documents in the XML of Word 2003.

use super::stored::{DAMAGED, Parts};
use super::word2003;
use crate::xml::{self, Event, Events, decode_declared};
use omniread_document::base64;

/// The parts of the package in a file. `None` if it is XML of another kind.
pub fn parts(bytes: &[u8]) -> Option<Parts> {
    let (text, is_cut) = decode_declared(bytes);
    let mut events = Events::new(&text);
    let root = events.find_map(|event| match event {
        Event::Start(start) => Some(start.name),
        _ => None,
    })?;
    let mut parts = match root {
        "package" => of_package(&text, events),
        "wordDocument" => word2003::parts(&text),
        _ => return None,
    };
    if is_cut {
        // The text ends in the middle, which is no damage.
        parts.notes.retain(|note| !note.starts_with(DAMAGED));
        parts.notes.push(xml::CUT.to_owned());
    }
    Some(parts)
}

/// The parts of a package, after the start of its element.
fn of_package(text: &str, mut events: Events) -> Parts {
    let mut parts = Parts::default();
    let mut name = String::new();
    while let Some(event) = events.next() {
        let Event::Start(start) = event else {
            continue;
        };
        match start.name {
            "part" => {
                let own = start.attr("name").unwrap_or_default();
                own.trim_start_matches('/').clone_into(&mut name);
                if let Some(kind) = start.attr("contentType") {
                    parts.types.insert(name.clone(), kind.into_owned());
                }
            }
            "xmlData" => {
                let from = events.offset();
                let to = events.skip_content();
                let content = text.get(from..to).unwrap_or_default();
                parts.list.push((name.clone(), content.as_bytes().to_vec()));
            }
            "binaryData" => {
                let bytes = base64::decode(events.own_text().as_bytes());
                parts.list.push((name.clone(), bytes));
            }
            _ => {}
        }
    }
    parts.damaged(events.damage());
    parts
}
