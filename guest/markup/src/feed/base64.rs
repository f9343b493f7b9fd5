//! Base64, with white space and without padding.

/// Decodes base64. `None` if a character is not in its alphabets.
pub fn decode(text: &str) -> Option<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len());
    let (mut bits, mut count) = (0u32, 0u32);
    for byte in text.bytes() {
        let value = match byte {
            b'A'..=b'Z' => byte.wrapping_sub(b'A'),
            b'a'..=b'z' => byte.wrapping_sub(b'a').wrapping_add(26),
            b'0'..=b'9' => byte.wrapping_sub(b'0').wrapping_add(52),
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            b'=' => break,
            _ if byte.is_ascii_whitespace() => continue,
            _ => return None,
        };
        bits = (bits << 6) | u32::from(value);
        count = count.saturating_add(6);
        if count >= 8 {
            count = count.saturating_sub(8);
            out.extend((bits >> count).to_le_bytes().first());
        }
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_with_white_space_is_decoded() {
        assert_eq!(
            decode(" RXhh\nbXBs ZQ== ").as_deref(),
            Some(b"Example".as_slice())
        );
        assert_eq!(decode("RXhhbXBsZQ").as_deref(), Some(b"Example".as_slice()));
    }

    #[test]
    fn other_characters_are_refused() {
        assert_eq!(decode("<b>"), None);
    }
}
