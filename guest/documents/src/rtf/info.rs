//! The facts about a document: the group `\info`.

use super::state::Destination;
use crate::limits;

/// The facts: the names of their groups, and those that are shown.
const FACTS: [(&str, &str); 7] = [
    ("title", "title"),
    ("author", "author"),
    ("creatim", "created"),
    ("revtim", "modified"),
    ("subject", "subject"),
    ("keywords", "keywords"),
    ("doccomm", "description"),
];

/// The facts about a document.
#[derive(Default)]
pub struct Info {
    values: [String; FACTS.len()],
    /// The year, month, day, hour and minute of the time that is read.
    time: [i32; 5],
}

impl Info {
    /// Returns the destination of a group of facts.
    pub fn destination(&mut self, name: &str) -> Option<Destination> {
        let place = FACTS.iter().position(|(own, _)| *own == name)?;
        // Some programs write the name of the last author as a second author.
        if self.values.get(place).is_some_and(|it| !it.is_empty()) {
            return None;
        }
        if name.ends_with("tim") {
            self.time = [0; 5];
            return Some(Destination::InfoTime(place));
        }
        Some(Destination::InfoText(place))
    }

    /// Reads text of a fact.
    pub fn text(&mut self, place: usize, text: &str) {
        if let Some(value) = self.values.get_mut(place)
            && value.len() < limits::METADATA_BYTES
        {
            value.push_str(text);
        }
    }

    /// Reads a part of a time.
    pub fn time(&mut self, place: usize, name: &str, value: i32) {
        let parts = ["yr", "mo", "dy", "hr", "min"];
        let Some(part) = parts.iter().position(|part| *part == name) else {
            return;
        };
        if let Some(slot) = self.time.get_mut(part) {
            *slot = value;
        }
        let [year, month, day, hour, minute] = self.time;
        if let Some(value) = self.values.get_mut(place)
            && year > 0
        {
            // The time zone is not known.
            *value = format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:00");
        }
    }

    /// Returns the facts in the order in which they are shown.
    pub fn finish(self) -> Vec<(String, String)> {
        let mut shown = Vec::new();
        for ((_, name), value) in FACTS.iter().zip(self.values) {
            let value = value.split_whitespace().collect::<Vec<_>>().join(" ");
            if !value.is_empty() {
                shown.push(((*name).to_owned(), value));
            }
        }
        shown
    }
}
