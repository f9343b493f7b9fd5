//! The value at a path of keys and elements.

use super::tokens::{Kind, Token, Tokens};

/// An object or array that has not ended.
struct Frame {
    object: bool,
    /// The number of commas so far: the index of the element of an array.
    index: u64,
    /// The string, number or word before a colon.
    word: Option<Token>,
    /// The key of the value that is being read.
    key: Option<Token>,
    /// Whether this is the value at the first names of the path.
    on_path: bool,
}

/// The bytes from the key to the end of the value at the path `keys`. A key is the name of a member
/// of an object, or the number of an element of an array from 0, also as `[3]`. `None` if the text is
/// not an object or array, or has no such value.
pub fn find(text: &str, keys: &[&str]) -> Option<(usize, usize)> {
    if !text
        .trim_start_matches('\u{feff}')
        .trim_start()
        .starts_with(['{', '['])
    {
        return None;
    }
    let mut frames: Vec<Frame> = Vec::new();
    // The number of open values in the innermost frame. Names of the path are not in them.
    let mut deeper = 0u64;
    // The number of open values around the one that is looked for, and its start.
    let mut found: Option<(usize, usize)> = None;
    for token in Tokens::new(text) {
        match token.kind {
            Kind::Open { .. } if frames.len() > keys.len() => deeper = deeper.saturating_add(1),
            Kind::Close { .. } if deeper > 0 => deeper = deeper.saturating_sub(1),
            _ if deeper > 0 => {}
            Kind::Open { object } => {
                let start = frames.last().map_or(Some(token.start), |frame| {
                    frame.start_on(text, keys, frames.len(), &token)
                });
                if let Some(start) = start
                    && frames.len() == keys.len()
                    && found.is_none()
                {
                    found = Some((frames.len(), start));
                }
                frames.push(Frame {
                    object,
                    index: 0,
                    word: None,
                    key: None,
                    on_path: start.is_some(),
                });
            }
            Kind::Close { .. } => {
                frames.pop()?;
                if let Some((depth, start)) = found
                    && frames.len() == depth
                {
                    return Some((start, token.inner.1.max(token.start)));
                }
            }
            Kind::Colon => {
                if let Some(frame) = frames.last_mut() {
                    frame.key = frame.word.take();
                }
            }
            Kind::Comma => {
                if let Some(frame) = frames.last_mut() {
                    frame.index = frame.index.saturating_add(1);
                    (frame.word, frame.key) = (None, None);
                }
            }
            Kind::Value => {
                let depth = frames.len();
                let frame = frames.last_mut()?;
                if frame.object && frame.key.is_none() {
                    frame.word = Some(token);
                } else if depth == keys.len()
                    && found.is_none()
                    && let Some(start) = frame.start_on(text, keys, depth, &token)
                {
                    return Some((start, token.inner.1));
                }
            }
        }
    }
    None
}

impl Frame {
    /// The start of the value `token` in this object or array, with its key, if it is the next one on
    /// the path. `depth` is the number of open objects and arrays.
    fn start_on(&self, text: &str, keys: &[&str], depth: usize, token: &Token) -> Option<usize> {
        let wanted = keys.get(depth.checked_sub(1)?).filter(|_| self.on_path)?;
        if self.object {
            let key = self.key?;
            let (from, to) = key.inner;
            return (text.get(from..to) == Some(*wanted)).then_some(key.start);
        }
        let number = wanted.strip_prefix('[').and_then(|it| it.strip_suffix(']'));
        let number: u64 = number.unwrap_or(wanted).parse().ok()?;
        (number == self.index).then_some(token.start)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn value_is_found_by_its_keys() {
        let text =
            r#"{"a": 1, "users": [{"id": 1}, {"id": 2, "name": "b, ]"}], "x": {"users": {}}}"#;
        for (keys, expected) in [
            (&["a"][..], Some("\"a\": 1")),
            (
                &["users"],
                Some(r#""users": [{"id": 1}, {"id": 2, "name": "b, ]"}"#),
            ),
            (&["users", "[1]", "name"], Some("\"name\": \"b, ]")),
            (&["users", "1", "id"], Some("\"id\": 2")),
            (&["users", "[0]"], Some("{\"id\": 1")),
            (&["x", "users"], Some("\"users\": {")),
            (&["name"], None),
            (&["users", "[2]"], None),
            (&["users", "id"], None),
            (&["a", "b"], None),
        ] {
            let found = find(text, keys).map(|(start, end)| &text[start..end]);
            assert_eq!(found, expected, "{keys:?}");
        }
        for text in ["", "1", "{", "{\"a\"", "]", "[[[", "{\"a\":{\"b\":"] {
            assert_eq!(find(text, &["a", "b"]), None, "{text}");
        }
    }

    #[test]
    fn deep_values_are_counted_and_not_kept() {
        let deep = format!("{}1{}", "[".repeat(2_000_000), "]".repeat(2_000_000));
        let text = format!("{{\"a\": {deep}, \"b\": [{deep}, 2]}}");
        let found = |keys: &[&str]| find(&text, keys).map(|(start, end)| &text[start..end]);
        assert_eq!(found(&["b", "[1]"]), Some("2"));
        assert_eq!(found(&["c"]), None);
        // The path of 40 elements is as deep as that.
        let keys: Vec<&str> = ["a"].into_iter().chain(["[0]"; 40]).collect();
        assert!(found(&keys).is_some());
    }
}
