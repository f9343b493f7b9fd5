//! Text with a few NULs, such as a log to which a program wrote NULs, or whose last blocks were lost
//! when the machine stopped.

use super::detected::Encoding;
use super::guess::is_control;
use memchr::memchr_iter;

/// The minimum number of other bytes for each run of NULs. In binary data, numbers with leading
/// zeros are closer together.
const BYTES_PER_RUN: usize = 16;

/// UTF-8 if the bytes are a text with a few runs of NULs. `None` if they are binary data. `complete`
/// states whether `bytes` is the whole file.
pub fn text(bytes: &[u8], complete: bool) -> Option<Encoding> {
    let text = match str::from_utf8(bytes) {
        Ok(text) => text.as_bytes(),
        // The last character may continue after these bytes.
        Err(error) if error.error_len().is_none() && !complete => {
            bytes.get(..error.valid_up_to()).unwrap_or_default()
        }
        Err(_) => return None,
    };
    if text.iter().any(|byte| *byte != 0 && is_control(*byte)) {
        return None;
    }
    let nuls = memchr_iter(0, text).count();
    let mut runs = 0usize;
    let mut next = None;
    for at in memchr_iter(0, text) {
        runs = runs.saturating_add(usize::from(next != Some(at)));
        next = at.checked_add(1);
    }
    let others = text.len().saturating_sub(nuls);
    let is_text = others > 0 && others / BYTES_PER_RUN >= runs;
    is_text.then_some(Encoding::VALID_UTF8)
}
