//! The name of the state of one client.

use crate::error::StoreError;
use crate::limits::HANDLE_BYTES;
use std::fmt;

/// The name of the state of one client. Two handles never see data of each other.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Handle(String);

impl Handle {
    /// Checks a name, which must have 1 to 128 visible ASCII characters.
    pub fn new(name: &str) -> Result<Self, StoreError> {
        let visible = name.bytes().all(|byte| byte.is_ascii_graphic());
        if visible && (1..=HANDLE_BYTES).contains(&name.len()) {
            Ok(Self(name.to_owned()))
        } else {
            Err(StoreError::Handle)
        }
    }

    /// The name.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for Handle {
    /// The handle of the command line.
    fn default() -> Self {
        Self("command-line".to_owned())
    }
}

impl fmt::Display for Handle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn handle_of_other_than_visible_ascii_is_refused() {
        for good in ["a", "~", "!", &"x".repeat(128), Handle::default().as_str()] {
            assert_eq!(Handle::new(good).unwrap().as_str(), good);
        }
        for bad in ["", " ", "a b", "a\n", "\0", "é", "\u{7f}", &"x".repeat(129)] {
            assert!(Handle::new(bad).is_err(), "{bad:?}");
        }
    }
}
