//! The facts about a response, a web page, a feed or a document before its text, such as the title and
//! the author.

use crate::answer::{Answer, Contents, Text};
use crate::escapes::escape_invisible;
use crate::subject::Subject;
use crate::units;

/// The facts that are shown, each with its name in the metadata and its label, in their order.
const SHOWN: [(&str, &str); 13] = [
    ("title", "Title"),
    ("author", "Author"),
    ("published", "Published"),
    ("created", "Created"),
    ("modified", "Updated"),
    ("updated", "Updated"),
    ("site", "Site"),
    ("url", "URL"),
    ("link", "Link"),
    ("subject", "Subject"),
    ("keywords", "Keywords"),
    ("language", "Language"),
    ("description", "Description"),
];

/// The lines with the facts about the response to a request for a web address. Empty for other paths.
pub fn web(answer: &Answer) -> Vec<String> {
    let Some(web) = &answer.subject.web else {
        return Vec::new();
    };
    let mut lines = vec![format!("URL: {}", escape_invisible(&web.final_url))];
    if let Some(content_type) = &web.content_type {
        lines.push(format!("Content-Type: {}", escape_invisible(content_type)));
    }
    lines.extend(
        web.method
            .map(|method| format!("Method: {}", method.name())),
    );
    if !web.notes.is_empty() {
        lines.push(format!(
            "Notes: {}",
            escape_invisible(&web.notes.join("; "))
        ));
    }
    lines
}

/// The lines with the facts about a response and about the text that was converted from it.
pub fn of(answer: &Answer, text: &Text) -> Vec<String> {
    let mut lines = web(answer);
    let own = !lines.is_empty();
    let facts = self::lines(text).into_iter();
    lines.extend(facts.filter(|line| !(own && line.starts_with("URL: "))));
    lines
}

/// The lines with the facts about a converted text. Empty unless the page starts where the text
/// does. Exact text has no such lines.
fn lines(text: &Text) -> Vec<String> {
    let Some(facts) = text.facts.as_ref().filter(|facts| facts.headed) else {
        return Vec::new();
    };
    let page = &text.page;
    let starts = match page.lines.first() {
        Some(line) => line.number == 1 && line.column == 1,
        None => page.total.count() == 0,
    };
    if !starts || text.window.selector.raw {
        return Vec::new();
    }
    let shown = SHOWN.iter().filter_map(|(name, label)| {
        let words: Vec<&str> = facts.metadata(name)?.split_whitespace().collect();
        let value = escape_invisible(&words.join(" "));
        (!value.is_empty()).then(|| format!("{label}: {value}"))
    });
    shown.collect()
}

/// The lines with the table of contents of a document.
pub fn contents(contents: &Contents, subject: &Subject) -> Vec<String> {
    let path = escape_invisible(&subject.shown());
    let word = contents.word;
    let mut lines = vec![format!("Contents ({word}s; append one to `{path}`):")];
    let top = contents.entries.iter().map(|entry| entry.level).min();
    lines.extend(contents.entries.iter().map(|entry| {
        let indent = "  ".repeat(usize::from(entry.level.saturating_sub(top.unwrap_or(1))));
        let hidden = if entry.hidden { " (hidden)" } else { "" };
        let title = match entry.title.as_str() {
            "" => String::new(),
            title => format!(" {title}"),
        };
        format!(":{}{indent}{title}{hidden}", entry.selector)
    }));
    if contents.more > 0 {
        let more = units::thousands(contents.more);
        lines.push(format!("… and {more} more {word}s"));
    }
    lines
}
