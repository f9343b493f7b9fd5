//! The list of the declarations, headings or units that a page does not show.

use crate::answer::{Answer, Body, Unshown};
use crate::escapes::escape_invisible;
use crate::subject::Subject;
use crate::units;

/// The lines of the list. Empty if nothing is listed. A line starts with the selector that reads the entry, so that it is
/// never taken for a line of the text.
pub fn lines(answer: &Answer) -> Vec<String> {
    match &answer.body {
        Body::Text(text) => text
            .unshown
            .as_deref()
            .map_or_else(Vec::new, |unshown| list(unshown, &answer.subject)),
        _ => Vec::new(),
    }
}

fn list(unshown: &Unshown, subject: &Subject) -> Vec<String> {
    let to = if unshown.names_path {
        format!("`{}`", escape_invisible(&subject.before_selector()))
    } else {
        "the path".to_owned()
    };
    let mut lines = vec![format!("Not shown (append one to {to}):")];
    lines.extend(unshown.entries.iter().map(|entry| {
        let indent = "  ".repeat(usize::try_from(entry.depth).unwrap_or(0));
        format!(":{}{indent} {}", entry.selector, entry.head)
    }));
    if unshown.more > 0 {
        let s = if unshown.more == 1 { "" } else { "s" };
        let more = units::thousands(unshown.more);
        let all = unshown.all.as_ref();
        let all = all.map_or_else(String::new, |path| format!("; `{path}` lists them"));
        lines.push(format!("… and {more} more {}{s}{all}", unshown.word));
    }
    lines
}

/// Adds the list to the text before the notices, after a blank line.
pub fn append(answer: &Answer, body: &mut String) {
    let lines = lines(answer);
    if !lines.is_empty() {
        body.push_str("\n\n");
        body.push_str(&lines.join("\n"));
    }
}
