//! Headings of a Markdown text that becomes a part of another.

/// Shifts headings so that the highest of them has the level `top`. Text in code fences stays.
pub fn shifted(markdown: &str, top: usize) -> String {
    let mut highest = top;
    each_line(markdown, |line, level| {
        let _ = line;
        highest = level.map_or(highest, |level| level.min(highest));
    });
    let shift = top.saturating_sub(highest);
    let mut out = String::with_capacity(markdown.len());
    each_line(markdown, |line, level| {
        // Markdown has six levels.
        let marks = level.map_or(0, |level| shift.min(6usize.saturating_sub(level)));
        out.extend(std::iter::repeat_n('#', marks));
        out.push_str(line);
    });
    out
}

/// Calls a function with each line, its ending included, and its level if it is a heading.
fn each_line(markdown: &str, mut call: impl FnMut(&str, Option<usize>)) {
    let mut fence: Option<(char, usize)> = None;
    for line in markdown.split_inclusive('\n') {
        // A fence in a list or a quote has white space or marks before it.
        let text = line.trim_start_matches([' ', '>']).trim_end();
        let text = if fence.is_none() {
            without_marker(text)
        } else {
            text
        };
        let mark = text.chars().next().filter(|c| matches!(c, '`' | '~'));
        let length = mark.map_or(0, |mark| text.chars().take_while(|c| *c == mark).count());
        let rest = text.get(length..).unwrap_or_default();
        match (fence, mark) {
            (Some((open, least)), Some(mark))
                if mark == open && length >= least && rest.is_empty() =>
            {
                fence = None;
                call(line, None);
                continue;
            }
            (None, Some(mark)) if length >= 3 && !(mark == '`' && rest.contains('`')) => {
                fence = Some((mark, length));
            }
            _ => {}
        }
        let level = match fence {
            None => level(line),
            Some(_) => None,
        };
        call(line, level);
    }
}

/// A line without the marker of a list item.
fn without_marker(line: &str) -> &str {
    let rest = line
        .trim_start_matches(|c: char| c.is_ascii_digit())
        .trim_start_matches(['-', '*', '+', '.', ')']);
    let marked = rest.len() < line.len() && rest.starts_with(' ');
    if marked {
        rest.trim_start_matches(' ')
    } else {
        line
    }
}

/// The level of an ATX heading without indentation.
fn level(line: &str) -> Option<usize> {
    let rest = line.trim_start_matches('#');
    let level = line.len().saturating_sub(rest.len());
    ((1..=6).contains(&level) && (rest.starts_with([' ', '\t', '\n']) || rest.is_empty()))
        .then_some(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_shifted_below_the_top() {
        assert_eq!(shifted("# a\n\n## b\ntext\n", 3), "### a\n\n#### b\ntext\n");
        assert_eq!(shifted("##### a\n# b", 3), "###### a\n### b");
        assert_eq!(shifted("#### a", 3), "#### a");
    }

    #[test]
    fn code_and_tags_are_not_headings() {
        let markdown = "```sh\n# a\n```\n~~~~\n~~~\n# b\n~~~~\n#tag\n";
        assert_eq!(shifted(markdown, 3), markdown);
        assert_eq!(shifted("```\n# a\n```\n# b", 3), "```\n# a\n```\n### b");
        assert_eq!(
            shifted("- ```\n  # a\n  ```\n# b", 3),
            "- ```\n  # a\n  ```\n### b"
        );
    }
}
