//! The ids of objects.

use sha1::Sha1;
use sha2::{Digest as _, Sha256};
use std::fmt;

/// The hash that computes the ids of a repository.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Algorithm {
    /// SHA-1, with 20 bytes.
    #[default]
    Sha1,
    /// SHA-256, with 32 bytes.
    Sha256,
}

impl Algorithm {
    /// The number of bytes of an id.
    pub fn bytes(self) -> usize {
        match self {
            Self::Sha1 => 20,
            Self::Sha256 => 32,
        }
    }

    /// The number of hexadecimal digits of an id.
    pub fn digits(self) -> usize {
        match self {
            Self::Sha1 => 40,
            Self::Sha256 => 64,
        }
    }

    /// The id of an object: the hash of its kind, its size and its content.
    pub fn of_object(self, kind: &str, content: &[u8]) -> Id {
        let header = format!("{kind} {}\0", content.len());
        let mut bytes = [0; 32];
        match self {
            Self::Sha1 => {
                let hash = Sha1::new()
                    .chain_update(header)
                    .chain_update(content)
                    .finalize();
                copy(&mut bytes, &hash);
            }
            Self::Sha256 => {
                let hash = Sha256::new()
                    .chain_update(header)
                    .chain_update(content)
                    .finalize();
                copy(&mut bytes, &hash);
            }
        }
        Id {
            algorithm: self,
            bytes,
        }
    }
}

fn copy(to: &mut [u8; 32], from: &[u8]) {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
}

/// The id of an object: the hash of its content.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Id {
    algorithm: Algorithm,
    bytes: [u8; 32],
}

impl Id {
    /// The id with these bytes. `None` if their number is wrong.
    pub fn from_bytes(algorithm: Algorithm, from: &[u8]) -> Option<Self> {
        let mut bytes = [0; 32];
        copy(&mut bytes, from);
        (from.len() == algorithm.bytes()).then_some(Self { algorithm, bytes })
    }

    /// The id with these hexadecimal digits. `None` if it is not one.
    pub fn from_hex(algorithm: Algorithm, text: &str) -> Option<Self> {
        let (first, last) = Self::range(algorithm, text)?;
        (text.len() == algorithm.digits() && first == last).then_some(first)
    }

    /// The first and the last id that start with these hexadecimal digits. `None` if there are others, or too many.
    pub fn range(algorithm: Algorithm, text: &str) -> Option<(Self, Self)> {
        if text.len() > algorithm.digits() {
            return None;
        }
        let mut first = [0_u8; 32];
        let mut last = [0_u8; 32];
        let mut digits = text.bytes();
        let pairs = first.iter_mut().zip(last.iter_mut());
        for (first, last) in pairs.take(algorithm.bytes()) {
            let (high, low) = (digits.next(), digits.next());
            let high = high
                .map(value)
                .map_or(Some(None), |digit| digit.map(Some))?;
            let low = low.map(value).map_or(Some(None), |digit| digit.map(Some))?;
            *first = high.unwrap_or(0) << 4 | low.unwrap_or(0);
            *last = high.unwrap_or(15) << 4 | low.unwrap_or(15);
        }
        let with = |bytes| Self { algorithm, bytes };
        Some((with(first), with(last)))
    }

    /// The hash that computed the id.
    pub fn algorithm(self) -> Algorithm {
        self.algorithm
    }

    /// The bytes of the id.
    pub fn as_bytes(&self) -> &[u8] {
        self.bytes
            .get(..self.algorithm.bytes())
            .unwrap_or(&self.bytes)
    }

    /// The first byte, by which indexes and directories are divided.
    pub fn first(self) -> u8 {
        let [first, ..] = self.bytes;
        first
    }

    /// The first 10 digits, as git shows them in large repositories.
    pub fn short(self) -> String {
        self.to_string().chars().take(10).collect()
    }
}

fn value(digit: u8) -> Option<u8> {
    let value = char::from(digit).to_digit(16)?;
    u8::try_from(value).ok()
}

impl fmt::Display for Id {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.as_bytes()
            .iter()
            .try_for_each(|byte| write!(to, "{byte:02x}"))
    }
}

impl fmt::Debug for Id {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, to)
    }
}
