//! Actions: what a file asks programs to do (ISO 32000-2, 12.6). Nothing of it is done.

use crate::array;
use crate::decode;
use crate::file::File;
use crate::limits;
use crate::names;
use crate::strings;
use hayro_syntax::object::{Dict, Name, Object, String as PdfString};
use omniread_documents::note::quoted;
use std::collections::BTreeSet;

/// What an action asks for, as the end of a sentence: ``start the program `a.exe` ``. The actions that
/// follow it are included. `None` for moves inside the file.
pub fn text(action: &Dict<'_>) -> Option<String> {
    let mut found = Found::new(limits::CHAINED_ACTIONS);
    found.add(action, "");
    (found.count > 0).then(|| found.joined(", then "))
}

/// Actions that were found.
pub struct Found {
    /// What the first actions ask for, and when.
    first: Vec<String>,
    /// The number of all actions that ask for something.
    count: usize,
    /// The number of actions that were looked at, and the maximum.
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
        // The places of the dictionaries in the file.
        let mut known: BTreeSet<(usize, usize)> = BTreeSet::new();
        let mut stack = vec![action.clone()];
        while let Some(action) = stack.pop() {
            if self.seen >= self.most {
                return;
            }
            let data = action.data();
            if !known.insert((data.as_ptr().addr(), data.len())) {
                continue;
            }
            self.seen = self.seen.saturating_add(1);
            if asks(&action) {
                self.count = self.count.saturating_add(1);
                if self.first.len() < limits::NAMED_ACTIONS
                    && let Some(text) = one(&action)
                {
                    self.first.push(format!("{text}{when}"));
                }
            }
            if stack.len() >= self.most {
                continue;
            }
            match action.get::<Object<'_>>("Next") {
                Some(Object::Dict(next)) => stack.push(next),
                Some(Object::Array(list)) => {
                    let next: Vec<Dict<'_>> = array::dicts(&list).take(self.most).collect();
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

    /// The note on the actions of a file. `None` if there are none.
    pub fn note(&self) -> Option<String> {
        let number = match self.count {
            0 => return None,
            1 => {
                let what = self.joined("");
                return Some(format!(
                    "The file asks programs to {what}. This was not done."
                ));
            }
            count if self.seen >= self.most => format!("more than {count}"),
            count => count.to_string(),
        };
        let what = self.joined("; to ");
        Some(format!(
            "The file asks programs for {number} actions: to {what}. None of this was done."
        ))
    }
}

/// The note on the actions of a page that is opened or closed (ISO 32000-2, 12.6.3). `None` if there are
/// none.
pub fn of_page(file: &File, index: usize) -> Option<String> {
    let mut found = Found::new(limits::CHAINED_ACTIONS);
    found.add_events(file.pdf().pages().get(index)?.raw(), "");
    let what = match found.count {
        0 => return None,
        _ => found.joined(" and to "),
    };
    Some(format!(
        "Programs that open or close the page are asked to {what}. This was not done."
    ))
}

/// Whether an action asks for more than a move inside the file.
fn asks(action: &Dict<'_>) -> bool {
    let kind = action.get::<Name<'_>>("S");
    match kind.as_deref() {
        Some(b"URI" | b"Launch" | b"SubmitForm" | b"GoToR" | b"ImportData") => true,
        Some(b"JavaScript" | b"Rendition") => match action.get::<Object<'_>>("JS") {
            Some(Object::String(text)) => !text.as_bytes().is_empty(),
            Some(Object::Stream(_)) => true,
            _ => false,
        },
        _ => false,
    }
}

/// What one action asks for.
fn one(action: &Dict<'_>) -> Option<String> {
    let kind = action.get::<Name<'_>>("S")?;
    let named = |text: &str| quoted(text, limits::TARGET_BYTES);
    Some(match kind.as_ref() {
        b"URI" => {
            let uri = action.get::<PdfString<'_>>("URI")?;
            format!("open the address {}", named(&strings::text(uri.as_bytes())))
        }
        b"Launch" => {
            let windows = || {
                let windows = action.get::<Dict<'_>>("Win")?;
                Some(strings::text(windows.get::<PdfString<'_>>("F")?.as_bytes()))
            };
            let name = target(action).or_else(windows).unwrap_or_default();
            format!("start the program {}", named(&name))
        }
        b"JavaScript" | b"Rendition" => {
            format!(
                "run the script {}",
                quoted(&script(action)?, limits::SCRIPT_BYTES)
            )
        }
        b"SubmitForm" => format!(
            "send the form to {}",
            named(&target(action).unwrap_or_default())
        ),
        b"GoToR" => format!(
            "open the file {}",
            named(&target(action).unwrap_or_default())
        ),
        b"ImportData" => format!(
            "read data from the file {}",
            named(&target(action).unwrap_or_default())
        ),
        _ => return None,
    })
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
