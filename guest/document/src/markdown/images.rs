//! The images in the Markdown of a cell.

/// The mark of a line break in a cell.
const BREAK: &str = "<br>";

/// Returns the text of a cell without its images and the lines that have no other text. `None` if it has no
/// image.
pub fn without(text: &str) -> Option<String> {
    let mut out = String::with_capacity(text.len());
    let mut found = false;
    for line in text.split(BREAK) {
        let own = line_without(line);
        found |= own.is_some();
        let own = own.as_deref().unwrap_or(line).trim();
        if !own.is_empty() {
            if !out.is_empty() {
                out.push_str(BREAK);
            }
            out.push_str(own);
        }
    }
    found.then_some(out)
}

/// Returns a line without its images. `None` if it has none.
fn line_without(line: &str) -> Option<String> {
    if !line.contains("![") {
        return None;
    }
    let mut out = String::with_capacity(line.len());
    let mut found = false;
    let mut rest = line;
    while let Some(char) = rest.chars().next() {
        let length = match char {
            '\\' => escaped(rest),
            '`' => code(rest),
            '!' | '[' => match image(rest) {
                Some(length) => {
                    found = true;
                    rest = rest.get(length..).unwrap_or_default();
                    // One of the spaces around the image is left.
                    if out.ends_with(' ') {
                        rest = rest.trim_start_matches(' ');
                    }
                    continue;
                }
                None => char.len_utf8(),
            },
            _ => char.len_utf8(),
        };
        let (part, after) = rest.split_at_checked(length).unwrap_or((rest, ""));
        out.push_str(part);
        rest = after;
    }
    found.then_some(out)
}

/// Returns the bytes of a backslash and the character after it.
fn escaped(text: &str) -> usize {
    text.chars().take(2).map(char::len_utf8).sum()
}

/// Returns the bytes of the code at the start of a text, or of the backticks if they do not end.
fn code(text: &str) -> usize {
    let rest = text.trim_start_matches('`');
    let ticks = text.len().saturating_sub(rest.len());
    let fence = text.get(..ticks).unwrap_or_default();
    rest.find(fence).map_or(ticks, |inner| {
        inner.saturating_add(ticks).saturating_add(ticks)
    })
}

/// Returns the bytes of the image at the start of a text, with the link whose only text it is.
fn image(text: &str) -> Option<usize> {
    let Some(inner) = text.strip_prefix('[') else {
        let label = text.strip_prefix('!')?;
        return Some(link(label)?.saturating_add(1));
    };
    if !inner.starts_with("![") {
        return None;
    }
    let after = inner.get(image(inner)?..)?;
    if !after.starts_with("](") {
        return None;
    }
    link(text)
}

/// Returns the bytes of the link at the start of a text: a label in brackets and an address.
fn link(text: &str) -> Option<usize> {
    let label = balanced(text, '[', ']')?;
    let address = text.get(label..)?;
    if address.starts_with("(<") {
        return Some(label.saturating_add(address.find(">)")?).saturating_add(2));
    }
    Some(label.saturating_add(balanced(address, '(', ')')?))
}

/// Returns the bytes from a bracket at the start of a text to the bracket that ends it.
fn balanced(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0_usize;
    let mut is_escaped = false;
    for (at, char) in text.char_indices() {
        if std::mem::take(&mut is_escaped) {
            continue;
        }
        if char == '\\' {
            is_escaped = true;
        } else if char == open {
            depth = depth.saturating_add(1);
        } else if char == close {
            depth = depth.checked_sub(1)?;
        }
        if depth == 0 {
            return (at > 0).then(|| at.saturating_add(char.len_utf8()));
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_taken_from_the_text_of_a_cell() {
        for (text, expected) in [
            ("![](image:1)", ""),
            ("North ![red](image:1)", "North"),
            ("North ![](a) and ![](b) South", "North and South"),
            ("North<br>![a \\] b](x(1).png)<br>South", "North<br>South"),
            ("[![](image:1)](http://a.org) [more](b)", "[more](b)"),
            ("![a \\[b\\]](<a b.png>)x", "x"),
            ("[see ![](i) there](u)", "[see there](u)"),
        ] {
            assert_eq!(without(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "",
            "North",
            "Wow\\![a](x)",
            "`![a](x)`",
            "``a ` ![b](c)``",
            "![a",
            "![a](b",
            "[![a](b",
            "`![a]",
        ] {
            assert_eq!(without(text), None, "{text}");
        }
    }
}
