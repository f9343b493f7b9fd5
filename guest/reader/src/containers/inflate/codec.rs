//! Codecs: the decompression steps of files and of members.

use super::boxed::{Input, Output};
use super::gzip::Members;
use super::xz::Streams;
use super::zstd::Frames;
use crate::limits;
use bzip2::bufread::MultiBzDecoder;
use deflate64::Deflate64Decoder;
use flate2::bufread::DeflateDecoder;
use lzma_rust2::filter::{bcj::BcjReader, delta::DeltaReader};
use lzma_rust2::{Lzma2Reader, LzmaReader, lzma_get_memory_usage_by_props};
use ppmd_rust::{Ppmd7Decoder, Ppmd8Decoder, RestoreMethod};
use std::io::{self, Read as _};

/// A compression method or filter, with its parameters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Codec {
    /// gzip (RFC 1952).
    Gzip,
    /// Deflate without a header, as in zip archives (RFC 1951).
    Deflate,
    /// Deflate64, with a window of 64 KiB, as in zip archives.
    Deflate64,
    /// bzip2.
    Bzip2,
    /// xz.
    Xz,
    /// Zstandard (RFC 8878).
    Zstd,
    /// The LZMA file format that preceded xz.
    LzmaFile,
    /// LZMA with the header of zip archives (APPNOTE.TXT, 5.8). Contains the size of the output in
    /// bytes, or `None` if an end marker ends the stream.
    LzmaZip(Option<u64>),
    /// LZMA without a header.
    Lzma {
        /// The parameters lc, lp and pb in one byte.
        properties: u8,
        /// Size of the dictionary in bytes.
        dictionary: u32,
        /// Size of the output in bytes.
        size: u64,
    },
    /// LZMA2. Contains the size of its dictionary in bytes.
    Lzma2(u32),
    /// `PPMd`, variant H.
    Ppmd7 {
        /// The order of the model.
        order: u32,
        /// Size of the model in bytes.
        memory: u32,
    },
    /// `PPMd`, variant I, with the header of zip archives (APPNOTE.TXT, 5.10).
    Ppmd8,
    /// BCJ, a filter for the jump addresses in machine code of this instruction set.
    Jumps(Machine),
    /// A filter that stores each byte as its difference from the byte that is this number of bytes
    /// before it.
    Delta(usize),
}

/// An instruction set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "they are known by these names")]
pub enum Machine {
    X86,
    PowerPc,
    Ia64,
    Arm,
    Arm64,
    Thumb,
    Sparc,
    RiscV,
}

impl Codec {
    /// The name of the codec, for messages.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Gzip => "gzip",
            Self::Deflate => "deflate",
            Self::Deflate64 => "deflate64",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
            Self::Zstd => "zstd",
            Self::LzmaFile | Self::LzmaZip(_) | Self::Lzma { .. } => "LZMA",
            Self::Lzma2(_) => "LZMA2",
            Self::Ppmd7 { .. } | Self::Ppmd8 => "PPMd",
            Self::Jumps(_) => "BCJ",
            Self::Delta(_) => "delta",
        }
    }

    /// A reader of the decompressed bytes of `input`.
    ///
    /// # Errors
    /// Fails if the header is damaged, or if decompression needs more memory than
    /// [`limits::INFLATE_KIB`].
    pub(super) fn decode(self, mut input: Input) -> io::Result<Output> {
        let limit = limits::INFLATE_KIB;
        let fits = |memory: u32| {
            let fits = memory / 1024 <= limit;
            let error = || io::Error::from(io::ErrorKind::OutOfMemory);
            fits.then_some(()).ok_or_else(error)
        };
        Ok(match self {
            Self::Gzip => Output::new(Members::new(input)),
            Self::Deflate => Output::new(DeflateDecoder::new(input)),
            Self::Deflate64 => Output::new(Deflate64Decoder::with_buffer(input)),
            Self::Bzip2 => Output::new(MultiBzDecoder::new(input)),
            Self::Xz => Output::new(Streams::new(input, limit)),
            Self::Zstd => Output::new(Frames::new(input)),
            Self::LzmaFile => Output::new(LzmaReader::new_mem_limit(input, limit, None)?),
            Self::LzmaZip(size) => {
                // The header has two bytes of version, two of length, then the
                // properties.
                let mut header = [0; 9];
                input.read_exact(&mut header)?;
                let [_, _, _, _, properties, a, b, c, d] = header;
                let codec = Self::Lzma {
                    properties,
                    dictionary: u32::from_le_bytes([a, b, c, d]),
                    size: size.unwrap_or(u64::MAX),
                };
                return codec.decode(input);
            }
            Self::Lzma {
                properties,
                dictionary,
                size,
            } => {
                if lzma_get_memory_usage_by_props(dictionary, properties)? > limit {
                    fits(u32::MAX)?;
                }
                let reader = LzmaReader::new_with_props(input, size, properties, dictionary, None);
                Output::new(reader?)
            }
            Self::Lzma2(dictionary) => {
                Output::new(Lzma2Reader::new_mem_limit(input, dictionary, limit, None)?)
            }
            Self::Ppmd7 { order, memory } => {
                fits(memory)?;
                Output::new(Ppmd7Decoder::new(input, order, memory).map_err(io::Error::other)?)
            }
            Self::Ppmd8 => {
                let mut header = [0; 2];
                input.read_exact(&mut header)?;
                let header = u32::from(u16::from_le_bytes(header));
                let order = (header & 15).saturating_add(1);
                let memory = ((header >> 4) & 255).saturating_add(1) << 20;
                fits(memory)?;
                let restore = match header >> 12 {
                    0 => RestoreMethod::Restart,
                    1 => RestoreMethod::CutOff,
                    _ => return Err(io::Error::other("its header is damaged")),
                };
                let reader = Ppmd8Decoder::new(input, order, memory, restore);
                Output::new(reader.map_err(io::Error::other)?)
            }
            Self::Jumps(machine) => {
                let new = match machine {
                    Machine::X86 => BcjReader::new_x86,
                    Machine::PowerPc => BcjReader::new_ppc,
                    Machine::Ia64 => BcjReader::new_ia64,
                    Machine::Arm => BcjReader::new_arm,
                    Machine::Arm64 => BcjReader::new_arm64,
                    Machine::Thumb => BcjReader::new_arm_thumb,
                    Machine::Sparc => BcjReader::new_sparc,
                    Machine::RiscV => BcjReader::new_riscv,
                };
                Output::new(new(input, 0))
            }
            Self::Delta(distance) => Output::new(DeltaReader::new(input, distance)),
        })
    }
}
