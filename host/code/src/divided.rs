//! Code of which the reader and SQLite run where they are in the binary, and the other engines are compressed with
//! Zstandard: for a program that is downloaded, and of which each read may be a process.
//!
//! A process decompresses an engine into memory when it uses it for the first time: a file with code that another program
//! can write to would let it run anything in this process.

#[cfg_attr(
    not(test),
    expect(dead_code, reason = "the build script filters the code")
)]
#[path = "divided/calls.rs"]
mod calls;
#[path = "divided/format.rs"]
mod format;
#[path = "divided/memory.rs"]
mod memory;

use crate::plain;
use format::part;
use memory::Lasting;
use std::io;
use std::sync::{Mutex, OnceLock, PoisonError};
use zstd_safe::DCtx;

/// The code of a component.
pub(crate) enum Forms {
    Plain(plain::Forms),
    Compressed(Compressed),
}

impl Forms {
    /// The code, which stays in memory for as long as the process. After a failure, which may be that of a limit on
    /// memory, the next call tries again.
    pub(crate) fn bytes(&self) -> io::Result<&'static [u8]> {
        match self {
            Self::Plain(plain) => plain.bytes(),
            Self::Compressed(compressed) => compressed.bytes(),
        }
    }
}

/// Code that a process decompresses when it uses it for the first time.
pub(crate) struct Compressed {
    /// The code of the reader.
    reader: &'static Forms,
    /// Frames of Zstandard that refer to the code of the reader, of which the engines have much, such as the standard
    /// library. Each has as many bytes as [`part`] says, and the last one the rest.
    parts: &'static [&'static [u8]],
    /// The size of the code in bytes.
    size: usize,
    decompressed: OnceLock<&'static [u8]>,
    /// Held by the thread that decompresses.
    working: Mutex<()>,
}

impl Compressed {
    pub(crate) const fn new(
        reader: &'static Forms,
        parts: &'static [&'static [u8]],
        size: usize,
    ) -> Self {
        Self {
            reader,
            parts,
            size,
            decompressed: OnceLock::new(),
            working: Mutex::new(()),
        }
    }

    fn bytes(&self) -> io::Result<&'static [u8]> {
        let _one = self.working.lock();
        if let Some(code) = self.decompressed.get() {
            return Ok(code);
        }
        let code = self.decompress()?;
        Ok(self.decompressed.get_or_init(|| code))
    }

    fn decompress(&self) -> io::Result<&'static [u8]> {
        let part = part(self.size);
        if self.parts.len() != self.size.div_ceil(part) {
            return Err(damaged("a part is missing"));
        }
        let reader = self.reader.bytes()?;
        let mut memory = Lasting::new(self.size)?;
        let rest = Mutex::new(self.parts.iter().zip(memory.bytes().chunks_mut(part)));
        let work = || loop {
            let next = rest.lock().unwrap_or_else(PoisonError::into_inner).next();
            match next {
                Some((part, code)) => decompress(part, reader, code)?,
                None => return Ok(()),
            }
        };
        std::thread::scope(|scope| {
            // If there are no more threads, this one does all.
            let spawn = |_| std::thread::Builder::new().spawn_scoped(scope, work).ok();
            let threads: Vec<_> = (1..self.parts.len()).map_while(spawn).collect();
            let done = work();
            threads.into_iter().fold(done, |done, thread| {
                let panicked = |_| Err(io::Error::other("a thread panicked"));
                done.and(thread.join().unwrap_or_else(panicked))
            })
        })?;
        Ok(memory.keep())
    }
}

/// Code that is rarely needed: a frame of Zstandard that refers to the code of the reader. The code was filtered before.
pub(crate) struct Rare {
    pub(crate) reader: &'static Forms,
    pub(crate) frame: &'static [u8],
    /// The size of the code in bytes.
    pub(crate) size: usize,
}

impl Rare {
    pub(crate) fn bytes(&self) -> io::Result<Vec<u8>> {
        let mut code = Vec::new();
        code.try_reserve_exact(self.size)?;
        code.resize(self.size, 0);
        decompress(self.frame, self.reader.bytes()?, &mut code)?;
        calls::restore(&mut code);
        Ok(code)
    }
}

/// Decompresses a frame, which has as many bytes as `code`, and refers to the code of the reader.
fn decompress(frame: &[u8], reader: &[u8], code: &mut [u8]) -> io::Result<()> {
    let mut context = DCtx::try_create().ok_or(io::ErrorKind::OutOfMemory)?;
    let length = context
        .ref_prefix(reader)
        .and_then(|_| context.decompress(code, frame))
        .map_err(|error| damaged(zstd_safe::get_error_name(error)))?;
    if length == code.len() {
        Ok(())
    } else {
        Err(damaged("a part is cut"))
    }
}

fn damaged(reason: &str) -> io::Error {
    let message = format!("the code in this binary is damaged: {reason}");
    io::Error::new(io::ErrorKind::InvalidData, message)
}

#[cfg(test)]
mod tests {
    use super::{Compressed, Forms, Rare, calls, part, plain};
    use zstd_safe::{CCtx, CParameter};

    /// A size with two parts.
    const SIZE: usize = (1 << 20) + 1000;

    /// Bytes that cannot be compressed, in place of the code of the reader.
    fn reader() -> (&'static Forms, &'static [u8]) {
        let mut state = 1u64;
        let bytes: Vec<u8> = (0..SIZE + 1000)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1);
                state.to_be_bytes()[0]
            })
            .collect();
        let bytes = bytes.leak();
        (
            Box::leak(Box::new(Forms::Plain(plain::Forms(bytes)))),
            bytes,
        )
    }

    /// Frames of parts, as the build script compresses them, but faster.
    fn frames(reader: &[u8], code: &[u8]) -> &'static [&'static [u8]] {
        let frame = |part: &[u8]| -> &'static [u8] {
            let mut context = CCtx::create();
            context
                .set_parameter(CParameter::CompressionLevel(1))
                .unwrap();
            context.ref_prefix(reader).unwrap();
            let mut frame = vec![0; zstd_safe::compress_bound(part.len())];
            let length = context.compress2(frame.as_mut_slice(), part).unwrap();
            frame.truncate(length);
            frame.leak()
        };
        code.chunks(part(code.len()))
            .map(frame)
            .collect::<Vec<_>>()
            .leak()
    }

    #[test]
    fn all_parts_are_decompressed() {
        let (forms, reader) = reader();
        let code = &reader[1000..];
        let compressed = Compressed::new(forms, frames(reader, code), code.len());
        let first = compressed.bytes().unwrap();
        assert!(first == code);
        if cfg!(target_os = "linux") {
            assert_eq!(first.as_ptr().addr() % (1 << 16), 0);
        }
        // The second call has the same memory.
        assert_eq!(compressed.bytes().unwrap().as_ptr(), first.as_ptr());
    }

    #[test]
    fn damaged_code_is_an_error() {
        let (forms, reader) = reader();
        let code = &reader[..SIZE];
        let whole = frames(reader, code);
        let cut: &[&[u8]] = vec![whole[0], &whole[1][..whole[1].len() - 1]].leak();
        let swapped: &[&[u8]] = vec![whole[1], whole[0]].leak();
        let other: &[&[u8]] = vec![whole[0], b"other".as_slice()].leak();
        for (parts, size) in [
            (cut, code.len()),
            (swapped, code.len()),
            (other, code.len()),
            (&whole[..1], code.len()),
            (whole, code.len() + 1),
        ] {
            let error = Compressed::new(forms, parts, size).bytes().unwrap_err();
            let error = error.to_string();
            assert!(
                error.starts_with("the code in this binary is damaged: "),
                "{error}"
            );
        }
        let rare_code = &code[..1000];
        let mut filtered = rare_code.to_vec();
        calls::filter(&mut filtered);
        let filtered = frames(reader, &filtered)[0];
        let rare = |size| Rare {
            reader: forms,
            frame: filtered,
            size,
        };
        assert!(rare(1000).bytes().unwrap() == rare_code);
        assert!(rare(999).bytes().is_err());
        assert!(rare(1001).bytes().is_err());
    }
}
