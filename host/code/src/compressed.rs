//! Code that is compressed in the binary, for packages that are downloaded often and whose processes live long. Each
//! process decompresses what it uses, into memory: a file with code that another program can write to would let it run
//! anything in this process.

pub(crate) mod format;

use format::{DICTIONARY, PAGE, PART, filtered};
use lzma_rust2::Lzma2Reader;
use lzma_rust2::filter::bcj::BcjReader;
use std::io::{self, Read};
use std::sync::{Mutex, OnceLock};

/// Memory that is aligned as code is in a binary.
#[derive(Clone)]
#[repr(C, align(65536))]
struct Page([u8; PAGE]);

/// The code of a component.
pub(crate) struct Forms {
    /// Streams of LZMA2, of which each has [`PART`] bytes, and the last one the rest.
    parts: &'static [&'static [u8]],
    /// The size of the code in bytes.
    size: usize,
    /// The code that the streams refer to: it was compressed before.
    before: Option<&'static Self>,
    decompressed: OnceLock<&'static [u8]>,
    /// Held by the thread that decompresses.
    working: Mutex<()>,
}

impl Forms {
    pub(crate) const fn new(
        parts: &'static [&'static [u8]],
        size: usize,
        before: Option<&'static Self>,
    ) -> Self {
        Self {
            parts,
            size,
            before,
            decompressed: OnceLock::new(),
            working: Mutex::new(()),
        }
    }

    /// The code, which stays in memory for as long as the process. After a failure, which may be that of a limit on
    /// memory or threads, the next call tries again.
    pub(crate) fn bytes(&self) -> io::Result<&'static [u8]> {
        let _one = self.working.lock();
        if let Some(code) = self.decompressed.get() {
            return Ok(code);
        }
        let code = self.decompress().map_err(|error| {
            let what = match error.kind() {
                io::ErrorKind::InvalidData
                | io::ErrorKind::InvalidInput
                | io::ErrorKind::UnexpectedEof => "the code in this binary is damaged",
                _ => "the code in this binary cannot be decompressed",
            };
            io::Error::new(error.kind(), format!("{what}: {error}"))
        })?;
        Ok(self.decompressed.get_or_init(|| code))
    }

    fn decompress(&self) -> io::Result<&'static [u8]> {
        let before = match self.before {
            Some(before) => filtered(before.bytes()?)?,
            None => Vec::new(),
        };
        if self.parts.len() != self.size.div_ceil(PART) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        let count = self.size.div_ceil(PAGE);
        let mut pages = Vec::new();
        pages.try_reserve_exact(count)?;
        pages.resize(count, Page([0; PAGE]));
        std::thread::scope(|scope| {
            let parts = self.parts.iter().zip(pages.chunks_mut(PART / PAGE));
            let sizes = (0..self.size).step_by(PART);
            let threads = parts.zip(sizes).map(|((part, pages), start)| {
                let (before, size) = (&before, PART.min(self.size - start));
                let work = move || decompress(part, before, (pages, size));
                std::thread::Builder::new().spawn_scoped(scope, work)
            });
            let threads = threads.collect::<io::Result<Vec<_>>>()?;
            threads.into_iter().try_for_each(|thread| {
                let done = thread.join();
                done.unwrap_or_else(|_| Err(io::Error::other("a thread panicked")))
            })
        })?;
        let pages: &'static [Page] = pages.leak();
        // SAFETY: a page is an array of bytes without padding, and pages in a slice follow each other.
        #[expect(unsafe_code, reason = "no safe conversion keeps the alignment")]
        let bytes =
            unsafe { std::slice::from_raw_parts(pages.as_ptr().cast::<u8>(), pages.len() * PAGE) };
        // The rest of the last page is empty.
        bytes
            .get(..self.size)
            .ok_or_else(|| io::ErrorKind::UnexpectedEof.into())
    }
}

/// Code that is rarely needed.
pub(crate) type Rare = Forms;

/// Decompresses a part into pages, up to its size in bytes.
fn decompress(part: &[u8], before: &[u8], (pages, size): (&mut [Page], usize)) -> io::Result<()> {
    // The filter of `filtered`.
    let mut code = BcjReader::new_x86(Lzma2Reader::new(part, DICTIONARY, Some(before)), 0);
    let mut rest = size;
    for page in pages {
        let (wanted, _) = page.0.split_at_mut(rest.min(PAGE));
        code.read_exact(wanted)?;
        rest -= wanted.len();
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::Forms;

    #[test]
    fn damaged_code_is_an_error() {
        let cut: &[&[u8]] = &[b"\x01\0\x03code"];
        for (parts, size) in [(cut, 5), (&[b"\xff".as_slice()], 4), (&[], 4)] {
            let code = Forms::new(parts, size, None);
            let error = code.bytes().unwrap_err().to_string();
            assert!(
                error.starts_with("the code in this binary is damaged"),
                "{error}"
            );
        }
        let whole: &[&[u8]] = &[b"\x01\0\x03code\0"];
        // The code is too short for the filter to change it.
        assert_eq!(Forms::new(whole, 4, None).bytes().unwrap(), b"code");
    }
}
