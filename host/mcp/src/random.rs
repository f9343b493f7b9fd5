//! Random names that nobody can guess.

use std::fmt::Write as _;

/// This many random bytes as hex digits.
///
/// # Errors
/// Fails if the operating system supplies no random bytes.
pub fn hex<const BYTES: usize>() -> Result<String, getrandom::Error> {
    let mut bytes = [0; BYTES];
    getrandom::fill(&mut bytes)?;
    let mut text = String::with_capacity(2 * BYTES);
    for byte in bytes {
        let _ = write!(text, "{byte:02x}");
    }
    Ok(text)
}
