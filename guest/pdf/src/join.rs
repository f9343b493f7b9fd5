//! The texts of pages → one text.

use crate::language;
use omniread_document::Unit;

/// The texts of pages as one text.
#[derive(Clone, Debug, Default)]
pub struct Joined {
    text: String,
    /// The feet of the last page.
    feet: String,
    /// The heads and feet between the parts of a paragraph or a table that may go on.
    between: Vec<String>,
}

impl Joined {
    /// Adds the next page. A table that goes on has its header again on the next page, so that each page can be read
    /// alone. Here the header is left out, and the rows follow each other. The feet between the parts of a table or
    /// of a paragraph follow it, and the running heads too.
    pub fn add(&mut self, next: &Unit) {
        let [heads, feet] = next.edges;
        let (heads, text) = next.text.split_at_checked(heads).unwrap_or_default();
        let end = text.len().saturating_sub(feet);
        let (text, feet) = text.split_at_checked(end).unwrap_or_default();
        let text = text.trim_matches('\n');
        let between = [
            std::mem::replace(&mut self.feet, feet.to_owned()),
            heads.to_owned(),
        ];
        let between = between.into_iter().filter(|it| !it.is_empty());
        self.between.extend(between);
        let Some((before, text)) = join(&mut self.text, text) else {
            self.end();
            block(&mut self.text, text);
            return;
        };
        let (rest, after) = text.split_once("\n\n").unwrap_or((text, ""));
        self.text.push_str(before);
        self.text.push_str(rest);
        // It may go on on the next page.
        if !after.is_empty() {
            self.end();
            block(&mut self.text, after);
        }
    }

    /// Adds the heads and feet after a paragraph or a table that has ended.
    fn end(&mut self) {
        for it in self.between.drain(..) {
            block(&mut self.text, &it);
        }
    }

    /// The text of all pages.
    pub fn text(mut self) -> String {
        self.end();
        block(&mut self.text, &self.feet);
        self.text
    }
}

/// Adds a block.
fn block(out: &mut String, text: &str) {
    if !out.is_empty() && !text.is_empty() {
        out.push_str("\n\n");
    }
    out.push_str(text);
}

/// What is between two texts if the last block of the first one goes on, and the second one without the header of the
/// table. Removes a hyphen at the end of the first one.
fn join<'n>(out: &mut String, next: &'n str) -> Option<(&'static str, &'n str)> {
    if out.is_empty() || next.is_empty() {
        return None;
    }
    if let Some(rows) = continued(out, next) {
        return Some(("\n", rows));
    }
    let joint = paragraph(out, next)?;
    if joint.is_empty() {
        out.pop();
    }
    Some((joint, next))
}

/// What is between the parts of a paragraph that goes on on the next page: a space, or nothing if the
/// hyphen before divides a word. `None` if it does not go on.
fn paragraph(out: &str, next: &str) -> Option<&'static str> {
    let last = out.get(out.rfind('\n').map_or(0, |at| at.saturating_add(1))..)?;
    let is_text = |line: &str| {
        let mut characters = line.trim_start().chars();
        !matches!(
            characters.next(),
            None | Some('#' | '|' | '>' | '`' | '!' | '<' | '$')
        )
    };
    let first = next.lines().next()?;
    let open = || last.rsplit(' ').next().is_some_and(language::is_open);
    let starts = first
        .chars()
        .next()
        .is_some_and(|it| it.is_lowercase() || it.is_uppercase() && open());
    if !starts || !is_text(last) || last.starts_with("---") || in_code(out) {
        return None;
    }
    let end = last.chars().next_back()?;
    if matches!(end, '.' | ':' | '!' | '?' | ';' | '|' | '`' | '。') {
        return None;
    }
    let divided = end == '-' && last.chars().rev().nth(1).is_some_and(char::is_alphabetic);
    Some(if divided { "" } else { " " })
}

/// Whether the text ends in code.
fn in_code(text: &str) -> bool {
    text.ends_with("```")
}

/// The text of the next page without the header of the table, if the table goes on.
fn continued<'n>(out: &str, next: &'n str) -> Option<&'n str> {
    let last = out.get(out.rfind("\n\n").map_or(0, |at| at.saturating_add(2))..)?;
    let header = last.lines().take(2).collect::<Vec<_>>();
    let [titles, line] = header.as_slice() else {
        return None;
    };
    if !line.starts_with("|-|") || !last.lines().all(|line| line.starts_with('|')) {
        return None;
    }
    // A table without a head has an empty one on the next page.
    let first = next.lines().next()?;
    let empty = first.chars().all(|it| matches!(it, '|' | ' ')) && first.len() > 1;
    if first != *titles && !empty {
        return None;
    }
    let rest = next.strip_prefix(first)?.strip_prefix('\n')?;
    rest.strip_prefix(line)?.strip_prefix('\n')
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pages as one text, each with its running heads and its feet.
    fn joined(pages: &[[&str; 3]]) -> String {
        let mut out = Joined::default();
        for [heads, text, feet] in pages {
            let all = [*heads, *text, *feet].map(str::to_owned);
            let all: Vec<String> = all.into_iter().filter(|it| !it.is_empty()).collect();
            out.add(&Unit {
                text: all.join("\n\n"),
                edges: [heads.len(), feet.len()],
                ..Unit::default()
            });
        }
        out.text()
    }

    #[test]
    fn tables_go_on() {
        let table = "|a|b|\n|-|-|\n";
        let page = |before: &str, rows: &str, after: &str| format!("{before}{table}{rows}{after}");
        let pages = [
            page("text\n\n", "|1|2|", ""),
            page("", "|3|4|", "\n\nend"),
            page("", "|3|4|", ""),
            "|||\n|-|-|\n|5||".to_owned(),
            String::new(),
        ];
        let pages: Vec<[&str; 3]> = pages.iter().map(|it| ["", it, ""]).collect();
        assert_eq!(
            joined(&pages),
            format!("text\n\n{table}|1|2|\n|3|4|\n\nend\n\n{table}|3|4|\n|5||")
        );
    }

    #[test]
    fn paragraphs_go_on() {
        let pages = [
            "It goes on after 5 pages and",
            "then ends.\n\nA new para-",
            "graph.",
            "not joined",
            "They were written by Anne and",
            "Bernard.",
        ];
        let pages: Vec<[&str; 3]> = pages.iter().map(|it| ["", *it, ""]).collect();
        assert_eq!(
            joined(&pages),
            "It goes on after 5 pages and then ends.\n\nA new paragraph.\n\nnot joined\n\n\
             They were written by Anne and Bernard."
        );
    }

    #[test]
    fn feet_and_heads_follow_what_goes_on() {
        let pages = [
            ["Head", "It goes on and", "Foot"],
            ["Left", "ends.\n\nNext", ""],
        ];
        assert_eq!(
            joined(&pages),
            "Head\n\nIt goes on and ends.\n\nFoot\n\nLeft\n\nNext"
        );
        let pages = [
            ["One", "It goes on and", "Foot"],
            ["Two", "on and", ""],
            ["Three", "ends.", "End"],
            ["", "Next", ""],
        ];
        assert_eq!(
            joined(&pages),
            "One\n\nIt goes on and on and ends.\n\nFoot\n\nTwo\n\nThree\n\nEnd\n\nNext"
        );
        let pages = [["", "It ends.", "Foot"], ["Left", "Next", "End"]];
        assert_eq!(joined(&pages), "It ends.\n\nFoot\n\nLeft\n\nNext\n\nEnd");
    }
}
