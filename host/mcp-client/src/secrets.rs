//! The secrets of a server, which a text of it must not bring into a message.

use super::config::{Reach, Server};
use super::failure::{last_line, one_line};
use super::limits;

/// The text that replaces a secret.
const HIDDEN: &str = "(hidden)";

/// The values of the variables and headers of a server, as texts.
///
/// Values with less than [`limits::SECRET`] bytes are not among them. The words of a value are, so that a server may
/// not quote the token of `Bearer TOKEN` either. Other forms of a secret are not known, such as its base64.
#[derive(Clone, Default)]
pub struct Secrets(Vec<String>);

impl Secrets {
    /// The secrets in the configuration of a server.
    pub fn of(server: &Server) -> Self {
        let values: Vec<String> = match &server.reach {
            Reach::Program { environment, .. } => environment
                .iter()
                .map(|(_, value)| value.to_string_lossy().into_owned())
                .collect(),
            Reach::Http { headers, .. } => headers
                .iter()
                .map(|(_, value)| String::from_utf8_lossy(value.as_bytes()).into_owned())
                .collect(),
            Reach::Nowhere(_) => Vec::new(),
        };
        let words = values.iter().flat_map(|value| value.split_whitespace());
        let mut all: Vec<String> = words.map(str::to_owned).collect();
        all.extend(values);
        all.retain(|text| text.len() >= limits::SECRET);
        // The longest first: one may contain another.
        all.sort_by_key(|text| std::cmp::Reverse(text.len()));
        all.dedup();
        Self(all)
    }

    fn hide(&self, text: &str) -> String {
        self.0.iter().fold(text.to_owned(), |text, secret| {
            text.replace(secret.as_str(), HIDDEN)
        })
    }

    /// The start of a message of the server, as [`one_line`] has it. Secrets are replaced before it is cut.
    pub fn message(&self, text: &str) -> String {
        one_line(&self.hide(text), limits::MESSAGE)
    }

    /// The end of a text of the server, as [`last_line`] has it. Secrets are replaced before it is cut.
    pub fn end(&self, text: &str) -> String {
        last_line(&self.hide(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_their_words_are_hidden() {
        let value = |text: &str| ("NAME".into(), text.into());
        let reach = Reach::Program {
            program: "x".into(),
            arguments: Vec::new(),
            environment: vec![
                value("Bearer abcdefgh"),
                value("short"),
                value("abcdefghij"),
            ],
            directory: None,
        };
        let secrets = Secrets::of(&Server::new("s", reach));
        for (text, shown) in [
            ("no Bearer abcdefgh here", "no (hidden) here"),
            ("abcdefgh", "(hidden)"),
            ("abcdefghij", "(hidden)"),
            ("short Bearer", "short Bearer"),
        ] {
            assert_eq!(secrets.message(text), shown);
            assert_eq!(secrets.end(text), shown);
        }
        // No part of one that is cut.
        let long = format!("{}abcdefgh", "x".repeat(limits::MESSAGE - 4));
        assert!(!secrets.message(&long).contains('a'));
        let long = format!("abcdefgh{}", "x".repeat(limits::QUOTED - 4));
        assert!(!secrets.end(&long).contains("gh"));
    }
}
