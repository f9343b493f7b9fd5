//! Base64 in files, which may be damaged.

use ::base64::Engine as _;
use ::base64::alphabet::STANDARD;
use ::base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

/// Accepts groups without padding, and bits that are left over.
const LENIENT: GeneralPurpose = GeneralPurpose::new(
    &STANDARD,
    GeneralPurposeConfig::new()
        .with_decode_allow_trailing_bits(true)
        .with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Decodes base64 (RFC 4648) in both of its alphabets. Other bytes are skipped. Padding ends a group,
/// and more groups may follow.
pub fn decode(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity((bytes.len() / 4).saturating_mul(3));
    let mut digits = Vec::with_capacity(bytes.len());
    for group in bytes.split(|byte| *byte == b'=') {
        digits.clear();
        digits.extend(group.iter().filter_map(|byte| match byte {
            b'-' => Some(b'+'),
            b'_' => Some(b'/'),
            b'+' | b'/' => Some(*byte),
            _ => byte.is_ascii_alphanumeric().then_some(*byte),
        }));
        // A single digit is no whole byte.
        if digits.len() % 4 == 1 {
            digits.pop();
        }
        // The digits are those of the alphabet, so that this cannot fail.
        let _ = LENIENT.decode_vec(&digits, &mut out);
    }
    out
}

/// Whether a text consists of base64, white space and padding.
pub fn is_base64(text: &str) -> bool {
    text.bytes().all(|byte| {
        byte.is_ascii_alphanumeric()
            || byte.is_ascii_whitespace()
            || matches!(byte, b'+' | b'/' | b'-' | b'_' | b'=')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn damage_is_skipped() {
        for (text, expected) in [
            ("SGVsbG8=", "Hello"),
            ("SGVs\r\nbG8h", "Hello!"),
            (" SGVsbG8", "Hello"),
            ("SGVsbG8=SGVsbG8h", "HelloHello!"),
            ("SG<>VsbG8=\0", "Hello"),
            ("SGVsbG8hS", "Hello!"),
            ("SGVsbG9", "Hello"),
            ("", ""),
            ("====", ""),
        ] {
            assert_eq!(decode(text.as_bytes()), expected.as_bytes(), "{text:?}");
        }
        assert_eq!(decode(b"-_-_"), decode(b"+/+/"));
    }

    #[test]
    fn markup_is_not_base64() {
        assert!(is_base64(" RXhh\nbXBs ZQ== "));
        assert!(!is_base64("<b>"));
    }
}
