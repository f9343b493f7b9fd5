//! The texts of pages → one text.

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
    out.push_str("\n\n");
    out.push_str(next);
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
    let rest = next
        .strip_prefix(titles)?
        .strip_prefix('\n')?
        .strip_prefix(line)?;
    rest.strip_prefix('\n')
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
        join(&mut out, "");
        assert!(out.ends_with("| 3 | 4 |"));
    }
}
