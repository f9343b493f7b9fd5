//! Code in the lines of a paragraph (<https://spec.commonmark.org/0.31.2/#code-spans>), as far as it decides whether
//! a `<` starts a tag.
//!
//! Only code that starts and ends in one line is recognized. A line that may be read in several ways makes the rest
//! of its paragraph unclear: no text is code there.

/// The code in a paragraph, up to a position in it.
#[derive(Default)]
pub struct Spans {
    is_unclear: bool,
}

impl Spans {
    /// Ends the paragraph.
    pub fn end(&mut self) {
        self.is_unclear = false;
    }

    /// Makes the rest of the paragraph unclear.
    pub fn stop(&mut self) {
        self.is_unclear = true;
    }

    /// Whether the text up to here can be read in only one way.
    pub fn is_clear(&self) -> bool {
        !self.is_unclear
    }

    /// The offset of the next `<` in a line that is not escaped and not in code, at or after an offset. Call
    /// [`Spans::pass`] before the next one.
    pub fn next(&mut self, line: &str, from: usize) -> Option<usize> {
        let mut rest = line.get(from..)?;
        loop {
            rest = rest.get(rest.find(['`', '<', '\\'])?..)?;
            if rest.starts_with('<') {
                return Some(line.len().saturating_sub(rest.len()));
            }
            if let Some(after) = rest.strip_prefix('\\') {
                // Readers do not agree on runs of backticks after a backslash.
                self.is_unclear |= after.starts_with('`');
                rest = after.strip_prefix(['\\', '<']).unwrap_or(after);
                continue;
            }
            let after = rest.trim_start_matches('`');
            let run = rest.len().saturating_sub(after.len());
            rest = after;
            if !self.is_unclear {
                match end_of_code(after, run) {
                    Some(end) => rest = end,
                    None => self.is_unclear = true,
                }
            }
        }
    }

    /// Goes on after a `<`, with the rest of the line. A tag in which backticks may be makes the text unclear.
    pub fn pass(&mut self, after: &str) {
        if self.is_unclear {
            return;
        }
        if let Some(comment) = after.strip_prefix("!--") {
            let content = comment.split_once("-->").map(|(content, _)| content);
            self.is_unclear = content.is_none_or(|it| it.contains(['`', '<']));
            return;
        }
        if after.starts_with(['!', '?']) {
            self.is_unclear = true;
            return;
        }
        if !after.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/') {
            return;
        }
        let mut quote = None;
        for c in after.chars() {
            match (c, quote) {
                ('`', _) | ('<', Some(_)) => break,
                // Text that has `<` outside of quotes is no tag.
                ('>' | '<', None) => return,
                ('"' | '\'', None) => quote = Some(c),
                (c, Some(open)) if c == open => quote = None,
                _ => {}
            }
        }
        self.is_unclear = true;
    }
}

/// The text after the end of code that starts after a run of backticks. `None` if it has no end, or if it may be in
/// two cells of a table.
fn end_of_code(text: &str, run: usize) -> Option<&str> {
    let mut rest = text;
    loop {
        rest = rest.get(rest.find(['`', '|'])?..)?;
        let after = rest.trim_start_matches('`');
        let found = rest.len().saturating_sub(after.len());
        if found == 0 {
            return None;
        }
        if found == run {
            return Some(after);
        }
        rest = after;
    }
}
