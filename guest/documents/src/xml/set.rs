//! Sets of bytes.

/// A set of bytes. A look at its table takes less time than several comparisons.
pub struct Set([bool; 256]);

impl Set {
    /// The set of these bytes.
    #[expect(clippy::indexing_slicing, reason = "each byte is the index of an item")]
    pub const fn of(bytes: &[u8]) -> Self {
        let mut set = [false; 256];
        let mut rest = bytes;
        while let [byte, others @ ..] = rest {
            set[*byte as usize] = true;
            rest = others;
        }
        Self(set)
    }

    /// Returns the position of the first byte that is in the set.
    pub fn find(&self, bytes: &[u8]) -> Option<usize> {
        bytes
            .iter()
            .position(|byte| self.0.get(usize::from(*byte)) == Some(&true))
    }

    /// Returns whether one of the bytes is in the set.
    pub fn is_in(&self, bytes: &[u8]) -> bool {
        self.find(bytes).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn first_byte_of_a_set_is_found() {
        static STOPS: Set = Set::of(b">\xff\0");
        for (bytes, found) in [
            (&b""[..], None),
            (b"abc", None),
            (b"a>b>", Some(1)),
            (b"ab\xff", Some(2)),
            (b"\0", Some(0)),
        ] {
            assert_eq!(STOPS.find(bytes), found, "{bytes:?}");
            assert_eq!(STOPS.is_in(bytes), found.is_some(), "{bytes:?}");
        }
    }
}
