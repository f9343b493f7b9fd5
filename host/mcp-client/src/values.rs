//! The values of a message in JSON, counted before it is parsed.
//!
//! A parsed value takes far more memory than its text: 38 MB of `0,0,0` took 2.7 GB. The count needs no memory, and
//! is that of a valid message. Of other texts it may be higher, which are not parsed into values.

use super::limits;

/// Counts the values of one message after another: numbers, literals, texts, keys, lists and objects.
#[derive(Debug, Default)]
pub struct Values {
    count: usize,
    state: State,
}

#[derive(Clone, Copy, Debug, Default)]
enum State {
    /// Between two values.
    #[default]
    Between,
    /// In a number or a literal.
    Plain,
    /// In a text.
    Text,
    /// In a text, after a backslash.
    Escape,
}

impl Values {
    /// Begins the next message.
    pub fn restart(&mut self) {
        *self = Self::default();
    }

    /// Adds bytes of the message. Returns whether it has more values than the limit.
    #[must_use]
    pub fn add(&mut self, bytes: &[u8]) -> bool {
        for byte in bytes {
            let (next, begins) = match (self.state, byte) {
                (State::Text, b'\\') => (State::Escape, false),
                // No text of JSON contains the end of a line, so that a quote in another field of an event
                // cannot hide its data.
                (_, b'\n' | b'\r') | (State::Text, b'"') => (State::Between, false),
                (State::Text | State::Escape, _) => (State::Text, false),
                (_, b'"') => (State::Text, true),
                (_, b'[' | b'{') => (State::Between, true),
                (_, b']' | b'}' | b',' | b':' | b' ' | b'\t') => (State::Between, false),
                (before, _) => (State::Plain, !matches!(before, State::Plain)),
            };
            self.state = next;
            self.count = self.count.saturating_add(usize::from(begins));
        }
        self.count > limits::VALUES
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> usize {
        // The state is kept between parts.
        let mut values = Values::default();
        for byte in text.as_bytes() {
            assert!(!values.add(&[*byte]));
        }
        values.count
    }

    #[test]
    fn values_of_all_kinds_are_counted() {
        for (text, values) in [
            ("", 0),
            ("[]", 1),
            ("[0,-1.5e3, true ,null]", 5),
            (r#"{"a":{"b":[1]},"c":"d"}"#, 8),
            (r#"["[1,2,3]","\"[1,2]","\\",1]"#, 5),
            (r#"["ä ⟨1,2⟩"]"#, 2),
        ] {
            assert_eq!(count(text), values, "{text}");
        }
    }

    #[test]
    fn quote_in_another_line_hides_no_values() {
        assert_eq!(count(": \"\n[1,2]"), 4);
        assert_eq!(count(": \"\r[1,2]"), 4);
    }

    #[test]
    fn message_with_more_values_than_the_limit_is_found() {
        let mut values = Values::default();
        assert!(!values.add(&b"0,".repeat(limits::VALUES)));
        assert!(values.add(b"0"));
        values.restart();
        assert!(!values.add(b"0"));
    }
}
