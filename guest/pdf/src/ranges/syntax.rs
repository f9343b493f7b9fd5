//! The numbers and the headers of objects (ISO 32000-2, 7.3.10).

use hayro_syntax::object::ObjectIdentifier;

/// The number at the start of bytes, and what is after it. White space before it is skipped.
pub fn number(bytes: &[u8]) -> Option<(u64, &[u8])> {
    let bytes = bytes.trim_ascii_start();
    let digits = bytes.iter().take_while(|it| it.is_ascii_digit()).count();
    let (digits, rest) = bytes.split_at_checked(digits)?;
    let digits = std::str::from_utf8(digits).ok()?;
    Some((digits.parse().ok()?, rest))
}

/// The identifier at the start of an object, and what is after the word `obj`.
pub fn header(bytes: &[u8]) -> Option<(ObjectIdentifier, &[u8])> {
    let (object, rest) = number(bytes)?;
    let (generation, rest) = number(rest)?;
    let rest = rest.trim_ascii_start().strip_prefix(b"obj")?;
    let id = ObjectIdentifier::new(u32::try_from(object).ok()?, i32::try_from(generation).ok()?);
    Some((id, rest.trim_ascii_start()))
}
