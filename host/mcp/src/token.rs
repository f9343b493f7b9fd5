//! The bearer token of HTTP clients.

use super::random;
use std::fmt;
use subtle::ConstantTimeEq as _;

/// The minimum length of a token in bytes.
const SHORTEST: usize = 16;

/// The number of random bytes of a generated token.
const RANDOM: usize = 24;

/// A token that clients send with each request.
pub struct Token {
    text: String,
    is_generated: bool,
}

impl fmt::Debug for Token {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Token")
    }
}

impl Token {
    /// Checks a token that a user has chosen.
    ///
    /// # Errors
    /// Fails if it is too short, or cannot be sent in a header.
    pub fn new(token: String) -> Result<Self, String> {
        if token.len() < SHORTEST {
            return Err(format!("the token is shorter than {SHORTEST} characters"));
        }
        if !token.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err("the token contains a space, or a character that is not ASCII".to_owned());
        }
        Ok(Self {
            text: token,
            is_generated: false,
        })
    }

    /// Generates a token.
    ///
    /// # Errors
    /// Fails if the operating system supplies no random bytes.
    pub fn random() -> Result<Self, String> {
        let token = random::hex::<RANDOM>();
        let token = token.map_err(|error| format!("cannot generate a token: {error}"))?;
        Ok(Self {
            text: token,
            is_generated: true,
        })
    }

    /// The token, if it was generated, so that the user does not know it yet.
    pub fn generated(&self) -> Option<&str> {
        self.is_generated.then_some(self.text.as_str())
    }

    /// Whether the value of the header `Authorization` contains this token. The time of the
    /// comparison does not depend on how much of the token is right.
    pub fn is_in(&self, authorization: &[u8]) -> bool {
        let Some((scheme, token)) = authorization.split_at_checked(7) else {
            return false;
        };
        scheme.eq_ignore_ascii_case(b"bearer ") && bool::from(token.ct_eq(self.text.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_is_compared_as_a_whole() {
        let token = Token::new("0123456789abcdef".to_owned()).expect("a token");
        assert!(token.is_in(b"Bearer 0123456789abcdef"));
        assert!(token.is_in(b"bearer 0123456789abcdef"));
        for wrong in [
            &b""[..],
            b"Bearer",
            b"Bearer ",
            b"Bearer 0123456789abcde",
            b"Bearer 0123456789abcdeg",
            b"Bearer 0123456789abcdef0",
            b"Basic  0123456789abcdef",
            b"Bearer  0123456789abcdef",
        ] {
            assert!(!token.is_in(wrong));
        }
    }

    #[test]
    fn weak_tokens_are_refused() {
        assert!(Token::new("short".to_owned()).is_err());
        assert!(Token::new("with a space in the middle".to_owned()).is_err());
    }

    #[test]
    fn generated_tokens_differ() {
        let token = || Token::random().expect("random bytes").text;
        assert_ne!(token(), token());
        assert!(Token::new(token()).is_ok());
    }
}
