//! Actions: what a file asks programs to do (ISO 32000-2, 12.6). Nothing of it is done.

use crate::array;
use crate::decode;
use crate::file::File;
use crate::limits;
use crate::names;
use crate::strings;
use hayro_syntax::object::{Array, Dict, Name, Object, String as PdfString};
use omniread_document::note::quoted;
use std::collections::BTreeSet;

/// Actions that were found.
pub struct Found {
    /// What the first actions ask for, and when.
    first: Vec<String>,
    /// The number of all actions that ask for something.
    count: usize,
    /// The number of actions that ask for something or follow another one, and the maximum.
    seen: usize,
    most: usize,
}

impl Found {
    fn new(most: usize) -> Self {
        Self {
            first: Vec::new(),
            count: 0,
            seen: 0,
            most,
        }
    }

    /// The actions of the catalog: those when the file is opened, closed, saved or printed, and the
    /// scripts of the document (ISO 32000-2, 12.6.3 and 12.6.4.17).
    pub fn of_document(file: &File) -> Self {
        let mut found = Self::new(limits::ACTIONS);
        found.add_document(file);
        found
    }

    fn add_document(&mut self, file: &File) {
        let catalog = file.catalog();
        if let Some(action) = catalog.get::<Dict<'_>>("OpenAction") {
            self.add(&action, " when it is opened");
        }
        let names = catalog.get::<Dict<'_>>("Names").unwrap_or_default();
        if let Some(tree) = names.get::<Dict<'_>>("JavaScript") {
            names::names(&tree, limits::ACTIONS, &mut |_, value| {
                if let Object::Dict(action) = value {
                    self.add(&action, " when it is opened");
                }
            });
        }
        self.add_events(&catalog, " when it is closed, saved or printed");
    }

    /// Adds the actions of an entry of the outline.
    pub fn add_entry(&mut self, entry: &Dict<'_>) {
        if let Some(action) = entry.get::<Dict<'_>>("A") {
            self.add(&action, " when an entry of its outline is chosen");
        }
    }

    /// Adds the actions of a link, except the address that it opens.
    fn add_link(&mut self, action: &Dict<'_>, when: &str) {
        let kind = action.get::<Name<'_>>("S");
        let is_address = kind.as_deref() == Some(b"URI");
        match action.get::<Object<'_>>("Next") {
            None if is_address => {}
            Some(Object::Dict(next)) if is_address => self.add(&next, when),
            _ => self.add(action, when),
        }
    }

    /// Adds the actions for events of a dictionary (`AA`).
    fn add_events(&mut self, dict: &Dict<'_>, when: &str) {
        let Some(events) = dict.get::<Dict<'_>>("AA") else {
            return;
        };
        for key in events.keys().take(limits::EVENTS) {
            if let Some(action) = events.get::<Dict<'_>>(key.as_ref()) {
                self.add(&action, when);
            }
        }
    }

    /// Adds an action and those that follow it (`Next`). `when` is the end of its text.
    fn add(&mut self, action: &Dict<'_>, when: &str) {
        let end = self.seen.saturating_add(limits::CHAINED_ACTIONS);
        let most = self.most.min(end);
        // The places of the dictionaries in the file.
        let mut known: BTreeSet<(usize, usize)> = BTreeSet::new();
        let mut stack = vec![action.clone()];
        while let Some(action) = stack.pop() {
            if self.seen >= most {
                return;
            }
            let data = action.data();
            if !known.insert((data.as_ptr().addr(), data.len())) {
                continue;
            }
            let asks = asks(&action);
            // The outline and the links of a book have thousands of moves inside the file.
            let counts = asks || known.len() > 1;
            self.seen = self.seen.saturating_add(usize::from(counts));
            if asks {
                self.count = self.count.saturating_add(1);
                if self.first.len() < limits::NAMED_ACTIONS {
                    self.first.push(format!("{}{when}", one(&action)));
                }
            }
            if stack.len() >= limits::CHAINED_ACTIONS {
                continue;
            }
            match action.get::<Object<'_>>("Next") {
                Some(Object::Dict(next)) => stack.push(next),
                Some(Object::Array(list)) => {
                    let next: Vec<Dict<'_>> =
                        array::dicts(&list).take(limits::CHAINED_ACTIONS).collect();
                    stack.extend(next.into_iter().rev());
                }
                _ => {}
            }
        }
    }

    /// What the first actions ask for, with the number of the others.
    fn joined(&self, between: &str) -> String {
        let first = self.first.join(between);
        match self.count.saturating_sub(self.first.len()) {
            0 => first,
            more => format!("{first}, … and {more} more"),
        }
    }

    /// The note on the actions of a file. `None` if the file has no actions.
    pub fn note(&self) -> Option<String> {
        self.note_of("The file asks programs")
    }

    /// A note that starts with `subject`.
    fn note_of(&self, subject: &str) -> Option<String> {
        let number = match self.count {
            0 => return None,
            1 => {
                let what = self.joined("");
                return Some(format!("{subject} to {what}. This was not done."));
            }
            count if self.seen >= self.most => format!("at least {count}"),
            count => count.to_string(),
        };
        let what = self.joined("; to ");
        Some(format!(
            "{subject} for {number} actions: to {what}. None of this was done."
        ))
    }
}

/// The note on the actions of a page: those when it is opened or closed, and those of its links and form
/// fields (ISO 32000-2, 12.6.3). Links to addresses are in the text. `None` if there are no actions.
pub fn of_page(file: &File, index: usize) -> Option<String> {
    let page = file.pdf().pages().get(index)?;
    let mut found = Found::new(limits::ACTIONS);
    found.add_events(page.raw(), " when the page is opened or closed");
    if let Some(list) = page.raw().get::<Array<'_>>("Annots") {
        for annotation in array::dicts(&list).take(limits::ANNOTATIONS) {
            let kind = annotation.get::<Name<'_>>("Subtype");
            let when = if kind.as_deref() == Some(b"Widget") {
                " when a form field is used"
            } else {
                " when an area is chosen"
            };
            if let Some(action) = annotation.get::<Dict<'_>>("A") {
                found.add_link(&action, when);
            }
            found.add_events(&annotation, when);
        }
    }
    found.note_of("Programs are asked")
}

/// Whether an action asks for more than a move inside the file.
fn asks(action: &Dict<'_>) -> bool {
    let kind = action.get::<Name<'_>>("S");
    match kind.as_deref() {
        Some(b"Launch" | b"SubmitForm" | b"GoToR" | b"ImportData") => true,
        Some(b"URI") => action.contains_key("URI"),
        Some(b"JavaScript" | b"Rendition") => match action.get::<Object<'_>>("JS") {
            Some(Object::String(text)) => !text.as_bytes().is_empty(),
            Some(Object::Stream(_)) => true,
            _ => false,
        },
        _ => false,
    }
}

/// What one action asks for.
fn one(action: &Dict<'_>) -> String {
    let kind = action.get::<Name<'_>>("S");
    let named = |text: Option<String>| quoted(&text.unwrap_or_default(), limits::TARGET_BYTES);
    match kind.as_deref() {
        Some(b"URI") => {
            let uri = action.get::<PdfString<'_>>("URI");
            let uri = uri.map(|uri| strings::text(uri.as_bytes()));
            format!("open the address {}", named(uri))
        }
        Some(b"Launch") => {
            let windows = || {
                let windows = action.get::<Dict<'_>>("Win")?;
                Some(strings::text(windows.get::<PdfString<'_>>("F")?.as_bytes()))
            };
            let name = target(action).or_else(windows);
            format!("start the program {}", named(name))
        }
        Some(b"SubmitForm") => format!("send the form to {}", named(target(action))),
        Some(b"GoToR") => format!("open the file {}", named(target(action))),
        Some(b"ImportData") => format!("read data from the file {}", named(target(action))),
        _ => match script(action) {
            Some(script) => format!("run the script {}", quoted(&script, limits::SCRIPT_BYTES)),
            None => "run a script that cannot be read".to_owned(),
        },
    }
}

/// The file or the address of an action (ISO 32000-2, 7.11.2).
fn target(action: &Dict<'_>) -> Option<String> {
    match action.get::<Object<'_>>("F")? {
        Object::String(text) => Some(strings::text(text.as_bytes())),
        Object::Dict(dict) => {
            let name = dict.get::<PdfString<'_>>("UF").or_else(|| dict.get("F"))?;
            Some(strings::text(name.as_bytes()))
        }
        _ => None,
    }
}

/// The text of a script.
fn script(action: &Dict<'_>) -> Option<String> {
    match action.get::<Object<'_>>("JS")? {
        Object::String(text) => Some(strings::text(text.as_bytes())),
        Object::Stream(stream) => {
            let (bytes, _) = decode::data(&stream, limits::SCRIPT_STREAM_BYTES)?;
            Some(strings::text(&bytes))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests;
