//! Code that runs where it is in the binary.

use std::io;

/// Bytes that are aligned to the largest page size on Linux. Files of other systems cannot have this alignment, and there
/// the code is copied.
#[cfg_attr(target_os = "linux", repr(C, align(65536)))]
#[cfg_attr(not(target_os = "linux"), repr(C, align(16)))]
pub(crate) struct Aligned<T>(pub(crate) T);

/// The code of a component.
pub(crate) struct Forms(pub(crate) &'static [u8]);

impl Forms {
    #[expect(clippy::unnecessary_wraps, reason = "compressed code can be damaged")]
    pub(crate) fn bytes(&self) -> io::Result<&'static [u8]> {
        Ok(self.0)
    }
}

/// Code that is rarely needed: raw DEFLATE.
#[cfg(not(feature = "compressed-engines"))]
pub(crate) struct Rare(pub(crate) &'static [u8]);

#[cfg(not(feature = "compressed-engines"))]
impl Rare {
    pub(crate) fn bytes(&self) -> io::Result<Vec<u8>> {
        let code = miniz_oxide::inflate::decompress_to_vec(self.0);
        code.map_err(|error| {
            io::Error::other(format!("the code in this binary is damaged: {error}"))
        })
    }
}
