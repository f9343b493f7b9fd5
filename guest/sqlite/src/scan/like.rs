//! The operator `LIKE` with a pattern of ASCII characters and `%`.

/// A pattern.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pattern {
    /// The parts between the signs `%`, in lower case.
    parts: Vec<Box<[u8]>>,
}

impl Pattern {
    /// Reads a pattern. `None` if it has other characters, or `_`.
    pub fn of(pattern: &str) -> Option<Self> {
        let is_plain = pattern.is_ascii() && !pattern.contains(['_', '\0']);
        let parts = pattern.split('%');
        is_plain.then(|| Self {
            parts: parts
                .map(|part| part.to_ascii_lowercase().into_bytes().into())
                .collect(),
        })
    }

    /// Whether a text matches. Letters of ASCII match in both cases. As in SQLite, the text ends at its first NUL.
    pub fn matches(&self, text: &[u8]) -> bool {
        let end = text.iter().position(|byte| *byte == 0);
        let text = text.get(..end.unwrap_or(text.len())).unwrap_or(text);
        match self.parts.as_slice() {
            [] => text.is_empty(),
            [whole] => text.eq_ignore_ascii_case(whole),
            [first, middle @ .., last] => {
                let Some(mut rest) = after_start(text, first) else {
                    return false;
                };
                for part in middle {
                    match find(rest, part) {
                        Some(after) => rest = after,
                        None => return false,
                    }
                }
                let from = rest.len().checked_sub(last.len());
                let end = from.and_then(|from| rest.get(from..));
                end.is_some_and(|end| end.eq_ignore_ascii_case(last))
            }
        }
    }
}

/// The rest of a text that starts with a part.
fn after_start<'t>(text: &'t [u8], part: &[u8]) -> Option<&'t [u8]> {
    let (start, rest) = text.split_at_checked(part.len())?;
    start.eq_ignore_ascii_case(part).then_some(rest)
}

/// The text after the first place of a part.
fn find<'t>(text: &'t [u8], part: &[u8]) -> Option<&'t [u8]> {
    let Some(first) = part.first() else {
        return Some(text);
    };
    let upper = first.to_ascii_uppercase();
    let mut rest = text;
    loop {
        let at = rest
            .iter()
            .position(|byte| byte == first || *byte == upper)?;
        rest = rest.get(at..)?;
        if let Some(after) = after_start(rest, part) {
            return Some(after);
        }
        rest = rest.get(1..)?;
    }
}
