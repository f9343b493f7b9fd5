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

    /// The handle for a name that a client of a service chooses. It has a name space of its own: no such name is
    /// the handle of another one, such as that of the command line. The name must have 1 to 128 visible ASCII
    /// characters.
    pub fn of_client(name: &str) -> Result<Self, StoreError> {
        let Self(name) = Self::new(name)?;
        Ok(Self(format!("client:{name}")))
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
    fn names_of_clients_are_apart_from_other_handles() {
        let longest = "x".repeat(128);
        for name in ["command-line", "a", &longest] {
            let of_client = Handle::of_client(name).unwrap();
            assert_ne!(of_client, Handle::new(name).unwrap());
            assert_ne!(of_client, Handle::default());
        }
        assert!(Handle::of_client("").is_err());
        assert!(Handle::of_client("a b").is_err());
    }

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
