//! Strict decoding. A file that is passed to a model unchanged must be valid for every
//! decoder, not only for a tolerant one.

use super::pixels::Pixels;
use super::{chunks, container, entropy, limits};
use flate2::{Crc, Decompress, FlushDecompress, Status};
use image_webp::WebPDecoder;
use jpeg_decoder::PixelFormat;
use omniread_image_types::{Error, Format};
use std::borrow::Cow;
use std::io::Cursor;
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

/// The message for a file whose end is missing.
const NO_END: &str = "its end is missing";

fn damaged(error: &dyn std::fmt::Display) -> Error {
    let message = error.to_string();
    // Some decoders put quotes around their messages.
    let message = message
        .trim_matches('"')
        .trim_start_matches("[strict-mode]: ");
    Error::Damaged(message.to_owned())
}

/// Checks that an image file is valid and complete, with all its frames and checksums. Returns
/// `None` if the file must be checked by decoding it: there is no strict check for its format, or
/// it is a JPEG with an end marker.
///
/// # Errors
/// Returns the first problem, or the limit that the check would exceed.
pub fn check(data: &[u8], format: Format, pixels: u64) -> Option<Result<(), Error>> {
    match format {
        Format::Gif => Some(gif(data, pixels)),
        // The decoder accepts a truncated file.
        Format::Jpeg if chunks::of_jpeg(data).rest.is_none() => Some(Err(damaged(&NO_END))),
        Format::Png => Some(png_frames(data, pixels)),
        Format::Webp => Some(webp_frames(data, pixels)),
        _ => None,
    }
}

/// Allocates a buffer of `bytes` bytes for a decoded frame.
///
/// # Errors
/// Fails if `bytes` is `None` or more than the limit.
fn buffer(bytes: Option<usize>) -> Result<Vec<u8>, Error> {
    let few = |bytes: &usize| *bytes as u64 <= limits::DECODED_BYTES;
    match bytes.filter(few) {
        Some(bytes) => Ok(vec![0; bytes]),
        None => Err(Error::Exhausted("memory".to_owned())),
    }
}

/// Adds the pixels of a frame, `width` times `height`, to `so_far`, the sum of the frames before it.
///
/// # Errors
/// Fails if the sum is more than [`limits::FRAME_FACTOR`] times `pixels`, the limit for one frame.
fn counted(so_far: &mut u64, width: u32, height: u32, pixels: u64) -> Result<(), Error> {
    *so_far += u64::from(width) * u64::from(height);
    if *so_far > pixels.saturating_mul(limits::FRAME_FACTOR) {
        return Err(Error::Pixels(*so_far));
    }
    Ok(())
}

fn gif(data: &[u8], pixels: u64) -> Result<(), Error> {
    let mut options = gif::DecodeOptions::new();
    options.set_memory_limit(gif::MemoryLimit::Bytes(
        limits::DECODER_BYTES
            .try_into()
            .unwrap_or(std::num::NonZeroU64::MAX),
    ));
    let mut decoder = options.read_info(data).map_err(|e| damaged(&e))?;
    limits::few_enough(decoder.width().into(), decoder.height().into(), pixels)?;
    let mut so_far = 0;
    while let Some(frame) = decoder.read_next_frame().map_err(|e| damaged(&e))? {
        counted(&mut so_far, frame.width.into(), frame.height.into(), pixels)?;
    }
    Ok(())
}

/// Creates a PNG reader that verifies all checksums.
fn png_reader(data: &[u8]) -> Result<png::Reader<Cursor<&[u8]>>, Error> {
    let bytes = usize::try_from(limits::DECODER_BYTES).unwrap_or(usize::MAX);
    let mut decoder = png::Decoder::new_with_limits(Cursor::new(data), png::Limits { bytes });
    decoder.ignore_checksums(false);
    decoder.set_ignore_text_chunk(true);
    decoder.read_info().map_err(|e| damaged(&e))
}

fn png_frames(data: &[u8], pixels: u64) -> Result<(), Error> {
    let chunks = png_chunks(data)?;
    let mut reader = png_reader(data)?;
    let (width, height) = reader.info().size();
    limits::few_enough(width, height, pixels)?;
    let mut buffer = buffer(reader.output_buffer_size())?;
    let animation = reader
        .info()
        .animation_control()
        .map(|control| control.num_frames);
    let frames = animation.unwrap_or(1).clamp(1, limits::FRAMES);
    let mut so_far = 0;
    for _ in 0..frames {
        counted(&mut so_far, width, height, pixels)?;
        reader.next_frame(&mut buffer).map_err(|e| damaged(&e))?;
    }
    reader.finish().map_err(|e| damaged(&e))?;
    match chunks.last() {
        Some(chunk) if &chunk.kind == b"IEND" => Ok(()),
        _ => Err(damaged(&NO_END)),
    }
}

fn webp_frames(data: &[u8], pixels: u64) -> Result<(), Error> {
    let mut data = Cow::Borrowed(data);
    if let Some(flags) = container::check(&data)?.and_then(|at| data.to_mut().get_mut(at)) {
        *flags |= container::ALPHA;
    }
    let mut decoder = WebPDecoder::new(Cursor::new(&data)).map_err(|e| damaged(&e))?;
    let (width, height) = decoder.dimensions();
    limits::few_enough(width, height, pixels)?;
    let mut buffer = buffer(decoder.output_buffer_size())?;
    if !decoder.is_animated() {
        return decoder.read_image(&mut buffer).map_err(|e| damaged(&e));
    }
    let mut so_far = 0;
    for _ in 0..decoder.num_frames().min(limits::FRAMES) {
        counted(&mut so_far, width, height, pixels)?;
        decoder.read_frame(&mut buffer).map_err(|e| damaged(&e))?;
    }
    Ok(())
}

/// Splits a PNG into chunks, and checks their checksums and types.
///
/// # Errors
/// Fails if a checksum is wrong, or if a critical chunk has an unknown type.
fn png_chunks(data: &[u8]) -> Result<Vec<chunks::Chunk<'_>>, Error> {
    let (chunks, _) = chunks::of_png(data);
    for chunk in &chunks {
        // The checksum covers the type and the data. The length of four bytes precedes
        // them, and the checksum follows.
        let (summed, sum) = chunk
            .whole
            .get(4..)
            .unwrap_or_default()
            .split_at(chunk.body.len() + 4);
        let mut crc = Crc::new();
        crc.update(summed);
        if crc.sum().to_be_bytes() != sum {
            return Err(damaged(&"a checksum does not match its chunk"));
        }
        // A lower-case first letter marks a chunk that decoders may ignore.
        let [first, ..] = chunk.kind;
        let needed = first.is_ascii_uppercase();
        let known = matches!(&chunk.kind, b"IHDR" | b"PLTE" | b"IDAT" | b"IEND");
        if !chunk.kind.iter().all(u8::is_ascii_alphabetic) || (needed && !known) {
            return Err(damaged(&"it has a chunk of an unknown type"));
        }
    }
    Ok(chunks)
}

/// Checks the checksums of a PNG, the size of its decompressed data, and the filter of each row.
/// The PNG must have eight bits per channel and no palette. An interlaced PNG is decoded instead.
///
/// # Errors
/// Returns the rule that the file violates.
pub fn png(data: &[u8]) -> Result<(), Error> {
    let Some(header) = chunks::header_of_png(data) else {
        return Err(damaged(&"it has no header"));
    };
    if header.interlaced {
        return png_frames(data, u64::MAX);
    }
    let chunks = png_chunks(data)?;
    let channels = match header.color {
        0 => 1,
        2 => 3,
        _ => 4,
    };
    let row = u64::from(header.width) * channels + 1;
    let whole = row * u64::from(header.height);
    let mut inflate = Decompress::new(true);
    let mut out = vec![0; limits::INFLATE_BYTES];
    let mut ended = false;
    for chunk in chunks.iter().filter(|chunk| &chunk.kind == b"IDAT") {
        let mut rest = chunk.body;
        while !ended {
            let (taken, written) = (inflate.total_in(), inflate.total_out());
            let status = inflate.decompress(rest, &mut out, FlushDecompress::None);
            ended = status.map_err(|e| damaged(&e))? == Status::StreamEnd;
            // Each row starts with the number of its filter.
            let end = inflate.total_out();
            let mut filter = written.next_multiple_of(row);
            while filter < end {
                let at = usize::try_from(filter - written).unwrap_or(usize::MAX);
                if out.get(at).is_none_or(|filter| *filter > 4) {
                    return Err(damaged(&"a row is filtered in an unknown way"));
                }
                filter += row;
            }
            let taken = usize::try_from(inflate.total_in() - taken).unwrap_or(usize::MAX);
            rest = rest.get(taken..).unwrap_or_default();
            if taken == 0 && end == written {
                break;
            }
        }
        if !rest.is_empty() {
            return Err(damaged(&"there are bytes after its data"));
        }
    }
    if !ended || inflate.total_out() != whole {
        return Err(damaged(&"its data does not match its width and height"));
    }
    Ok(())
}

fn jpeg_options() -> DecoderOptions {
    DecoderOptions::default()
        .set_strict_mode(true)
        .set_max_width(usize::MAX)
        .set_max_height(usize::MAX)
}

/// Whether [`jpeg`] decodes a file of grey or of three colours. Pixels are made only of a file that is not usual.
pub fn is_jpeg(data: &[u8]) -> bool {
    let headers =
        || JpegDecoder::new_with_options(ZCursor::new(data), jpeg_options()).decode_headers();
    entropy::is_sound(&chunks::of_jpeg(data)) && headers().is_ok() || jpeg(data).is_ok()
}

/// Decodes a JPEG to grey or RGB pixels, and rejects an invalid file.
///
/// # Errors
/// Returns the rule that the file violates, or [`Error::Unsupported`] for other colour spaces.
pub fn jpeg(data: &[u8]) -> Result<Pixels, Error> {
    if chunks::of_jpeg(data).is_planar() {
        return planar_jpeg(data);
    }
    let options = jpeg_options();
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(data), options);
    decoder.decode_headers().map_err(|e| damaged(&e))?;
    let (out, channels) = match decoder.input_colorspace() {
        Some(ColorSpace::Luma) => (ColorSpace::Luma, 1),
        Some(ColorSpace::YCbCr | ColorSpace::RGB | ColorSpace::CMYK | ColorSpace::YCCK) => {
            (ColorSpace::RGB, 3)
        }
        other => return Err(Error::Unsupported(format!("JPEG with colours {other:?}"))),
    };
    decoder.set_options(options.jpeg_set_out_colorspace(out));
    let (width, height) = decoder.dimensions().unwrap_or_default();
    let side = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
    let data = decoder.decode().map_err(|e| damaged(&e))?;
    Ok(Pixels {
        width: side(width),
        height: side(height),
        channels,
        data,
    })
}

/// Checks that a WebP of one frame is valid, and that its longer side has at most `side` pixels.
///
/// # Errors
/// Returns the rule that the file violates, or [`Error::Pixels`] if the image is too large.
pub fn webp(data: &[u8], side: u32) -> Result<(), Error> {
    let (width, height) = WebPDecoder::new(Cursor::new(data))
        .map_err(|e| damaged(&e))?
        .dimensions();
    let pixels = u64::from(width) * u64::from(height);
    if width.max(height) > side {
        return Err(Error::Pixels(pixels));
    }
    webp_frames(data, pixels)
}

/// Decodes a JPEG whose channels are stored one after the other.
fn planar_jpeg(data: &[u8]) -> Result<Pixels, Error> {
    let mut decoder = jpeg_decoder::Decoder::new(data);
    let data = decoder.decode().map_err(|e| damaged(&e))?;
    let info = decoder.info().ok_or_else(|| damaged(&"it has no header"))?;
    let channels = match info.pixel_format {
        PixelFormat::L8 => 1,
        PixelFormat::RGB24 => 3,
        other => return Err(Error::Unsupported(format!("JPEG with colours {other:?}"))),
    };
    Ok(Pixels {
        width: info.width.into(),
        height: info.height.into(),
        channels,
        data,
    })
}
