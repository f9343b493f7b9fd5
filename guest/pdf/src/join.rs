//! The texts of pages → one text.

use crate::language;

/// Adds the text of the next page. A table that goes on has its header again on the next page, so that
/// each page can be read alone. Here the header is left out, and the rows follow each other.
pub fn join(out: &mut String, next: &str) {
    if next.is_empty() {
        return;
    }
    if out.is_empty() {
        out.push_str(next);
        return;
    }
    if let Some(rows) = continued(out, next) {
        out.push('\n');
        out.push_str(rows);
        return;
    }
    if let Some(joint) = paragraph(out, next) {
        if joint.is_empty() {
            out.pop();
        }
        out.push_str(joint);
        out.push_str(next);
        return;
    }
    out.push_str("\n\n");
    out.push_str(next);
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
    if !line.starts_with("| --- |") || !last.lines().all(|line| line.starts_with('|')) {
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

    #[test]
    fn tables_go_on() {
        let mut out = String::from("text\n\n| a | b |\n| --- | --- |\n| 1 | 2 |");
        join(&mut out, "| a | b |\n| --- | --- |\n| 3 | 4 |\n\nend");
        assert_eq!(
            out,
            "text\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n| 3 | 4 |\n\nend"
        );
        join(&mut out, "| a | b |\n| --- | --- |\n| 3 | 4 |");
        assert!(out.contains("end\n\n| a | b |"));
        join(&mut out, "| | |\n| --- | --- |\n| 5 | |");
        assert!(out.ends_with("| 3 | 4 |\n| 5 | |"));
        join(&mut out, "");
        let mut out = String::from("It goes on after 5 pages and");
        join(&mut out, "then ends.\n\nA new para-");
        join(&mut out, "graph.");
        join(&mut out, "not joined");
        join(&mut out, "They were written by Anne and");
        join(&mut out, "Bernard.");
        assert_eq!(
            out,
            "It goes on after 5 pages and then ends.\n\nA new paragraph.\n\nnot joined\n\n\
             They were written by Anne and Bernard."
        );
    }
}
