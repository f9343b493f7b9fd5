//! Validation of the WebP container by "WebP Container Specification". It is as strict as
//! the decoder or the demuxer of libwebp, whichever is stricter. The Rust decoder checks
//! the pixels, but hardly any of these rules.

use omniread_image_types::Error;

/// A chunk of a WebP, with its offset in the file.
struct Chunk<'d> {
    kind: [u8; 4],
    body: &'d [u8],
    at: usize,
}

/// Size in bytes of the header of an animation frame, which contains the position, size and
/// duration of the frame.
const FRAME_HEADER: usize = 16;

/// The flag for an alpha channel in the extended header (`VP8X`).
pub const ALPHA: u8 = 0x10;

/// The flag for an animation in the extended header (`VP8X`).
const ANIMATION: u8 = 0x02;

/// All flags of the extended header (`VP8X`) that the specification defines.
const FLAGS: u8 = 0x3e;

fn damaged<T>(message: &str) -> Result<T, Error> {
    Err(Error::Damaged(message.to_owned()))
}

/// Checks the container of a WebP. Bytes after its stated end are ignored, as in libwebp.
///
/// Returns `None`, or the offset in the file of the flags if they state that there is no alpha
/// channel although one exists. A decoder that relies on these flags does not check the alpha
/// channel.
///
/// # Errors
/// Returns the rule that the file violates.
pub fn check(data: &[u8]) -> Result<Option<usize>, Error> {
    let chunks = chunks_of_file(data)?;
    match chunks.as_slice() {
        [] => damaged("it has no chunks"),
        [first, ..] if &first.kind == b"VP8X" => extended(&chunks),
        [first, ..] => size_of(first).map(|_| None),
    }
}

/// Splits a WebP into chunks, up to the end that its header states. If the first chunk is an image,
/// the other chunks are not read.
fn chunks_of_file(data: &[u8]) -> Result<Vec<Chunk<'_>>, Error> {
    let (Some(b"RIFF"), Some(size), Some(b"WEBP")) = (
        data.first_chunk::<4>(),
        data.get(4..).and_then(<[u8]>::first_chunk::<4>),
        data.get(8..).and_then(<[u8]>::first_chunk::<4>),
    ) else {
        return damaged("it has no RIFF header");
    };
    let size = u32::from_le_bytes(*size) as usize;
    if size < 12 {
        return damaged("its RIFF header states fewer bytes than a chunk takes");
    }
    // The stated size excludes the type and the size field.
    let Some(payload) = size.checked_add(8).and_then(|end| data.get(12..end)) else {
        return damaged("its RIFF header states more bytes than there are");
    };
    // The first chunk of a simple file is the image. Decoders ignore the others.
    let simple = matches!(payload.first_chunk(), Some(b"VP8 " | b"VP8L"));
    chunks(payload, 12, simple)
}

/// Splits the bytes `rest`, whose offset in the file is `at`, into chunks. If `one` is true, only
/// the first chunk is read.
fn chunks(mut rest: &[u8], mut at: usize, one: bool) -> Result<Vec<Chunk<'_>>, Error> {
    let mut chunks = Vec::new();
    while !rest.is_empty() && (!one || chunks.is_empty()) {
        let (Some(kind), Some(size)) = (
            rest.first_chunk::<4>(),
            rest.get(4..).and_then(<[u8]>::first_chunk::<4>),
        ) else {
            return damaged("a chunk has no header");
        };
        let size = u32::from_le_bytes(*size) as usize;
        // A chunk of odd length is followed by a padding byte.
        let whole = size
            .checked_add(size % 2)
            .and_then(|size| size.checked_add(8));
        let (Some(whole), Some(body)) = (
            whole.filter(|whole| *whole <= rest.len()),
            rest.get(8..).and_then(|rest| rest.get(..size)),
        ) else {
            return damaged("a chunk is longer than its container");
        };
        chunks.push(Chunk {
            kind: *kind,
            body,
            at,
        });
        rest = rest.get(whole..).unwrap_or_default();
        at += whole;
    }
    Ok(chunks)
}

/// The little-endian number of 24 bits at the offset `at`.
fn number(bytes: &[u8], at: usize) -> u32 {
    let byte = |at: usize| u32::from(bytes.get(at).copied().unwrap_or_default());
    byte(at) | (byte(at + 1) << 8) | (byte(at + 2) << 16)
}

/// Checks a file in the extended format, which has a canvas. Returns the offset of wrong flags, as
/// [`check`] does.
fn extended(chunks: &[Chunk<'_>]) -> Result<Option<usize>, Error> {
    let Some((header, chunks)) = chunks
        .split_first()
        .filter(|(header, _)| header.body.len() == 10)
    else {
        return damaged("its extended header has another length than 10");
    };
    let flags = header.body.first().copied().unwrap_or_default();
    let canvas = (number(header.body, 4) + 1, number(header.body, 7) + 1);
    if flags & !FLAGS != 0 {
        return damaged("flags are set that have no meaning");
    }
    if u64::from(canvas.0) * u64::from(canvas.1) > u64::from(u32::MAX) {
        return damaged("its canvas is larger than a canvas may be");
    }
    let animated = flags & ANIMATION != 0;
    let image = |chunk: &&Chunk<'_>| matches!(&chunk.kind, b"VP8 " | b"VP8L" | b"ALPH");
    let images = chunks.iter().filter(image);
    if !animated {
        let images: Vec<&Chunk<'_>> = images.collect();
        if chunks
            .iter()
            .any(|chunk| matches!(&chunk.kind, b"ANIM" | b"ANMF"))
        {
            return damaged("it has frames, but its flags say that it has none");
        }
        let (size, alpha) = still(&images)?;
        if size != canvas {
            return damaged("its image has another size than its canvas");
        }
        let denied = alpha && flags & ALPHA == 0;
        // The flags follow the type and the length of the chunk.
        return Ok(denied.then_some(header.at + 8));
    }
    if images.count() > 0 {
        return damaged("its animation has an image outside of the frames");
    }
    let (mut begun, mut frames) = (false, 0);
    for chunk in chunks {
        match &chunk.kind {
            b"ANIM" if chunk.body.len() < 6 => return damaged("its animation has no header"),
            b"ANIM" => begun = true,
            b"ANMF" if !begun => {
                return damaged("a frame comes before the header of the animation");
            }
            b"ANMF" => {
                frame(chunk, canvas)?;
                frames += 1;
            }
            _ => {}
        }
    }
    if frames == 0 {
        return damaged("its animation has no frames");
    }
    Ok(None)
}

/// Checks a frame of an animation.
fn frame(frame: &Chunk<'_>, canvas: (u32, u32)) -> Result<(), Error> {
    let Some((header, payload)) = frame.body.split_at_checked(FRAME_HEADER) else {
        return damaged("a frame has no header");
    };
    let (left, top) = (number(header, 0) * 2, number(header, 3) * 2);
    let size = (number(header, 6) + 1, number(header, 9) + 1);
    if left + size.0 > canvas.0 || top + size.1 > canvas.1 {
        return damaged("a frame reaches beyond the canvas");
    }
    let chunks = chunks(payload, frame.at + 8 + FRAME_HEADER, false)?;
    // Chunks of unknown types are allowed only after the image.
    let known = |chunk: &&Chunk<'_>| matches!(&chunk.kind, b"VP8 " | b"VP8L" | b"ALPH");
    let images: Vec<&Chunk<'_>> = chunks.iter().take_while(known).collect();
    let (stated, _) = still(&images)?;
    if stated != size || chunks.iter().filter(known).count() != images.len() {
        return damaged("a frame has another size than its image");
    }
    Ok(())
}

/// The width and height of the image in these chunks, and whether it has a separate alpha chunk.
fn still(chunks: &[&Chunk<'_>]) -> Result<((u32, u32), bool), Error> {
    match chunks {
        [image] => Ok((size_of(image)?, false)),
        [alpha, image] if &alpha.kind == b"ALPH" && &image.kind == b"VP8 " => {
            // Two bits each: compression, filter, preprocessing, unused.
            let sound = alpha
                .body
                .first()
                .is_some_and(|info| info & 3 <= 1 && (info >> 4) & 3 <= 1 && info >> 6 <= 1);
            if sound && alpha.body.len() > 1 {
                Ok((size_of(image)?, true))
            } else {
                damaged("its alpha has no sound header")
            }
        }
        [] => damaged("it has no image"),
        _ => damaged("it has more than one image, or alpha that belongs to none"),
    }
}

/// The width and height of an image, as the header in its chunk states them.
fn size_of(image: &Chunk<'_>) -> Result<(u32, u32), Error> {
    match (&image.kind, image.body) {
        // RFC 6386, section 9.1: a tag of three bytes, a start code, then width and
        // height with a scale in their upper bits.
        (b"VP8 ", [t0, t1, t2, 0x9d, 1, 0x2a, w0, w1, h0, h1, rest @ ..]) => {
            let tag = u32::from_le_bytes([*t0, *t1, *t2, 0]);
            let side = |low: u8, high: u8| u32::from(u16::from_le_bytes([low, high]) & 0x3fff);
            let size = (side(*w0, *w1), side(*h0, *h1));
            if tag & 1 != 0 || (tag >> 1) & 7 > 3 || (tag >> 4) & 1 == 0 {
                return damaged("its first frame is not a key frame that is shown");
            }
            if (tag >> 5) as usize > rest.len() {
                return damaged("its first partition is longer than its data");
            }
            if size.0 == 0 || size.1 == 0 {
                return damaged("it has no pixels");
            }
            Ok(size)
        }
        // "Specification for WebP Lossless Bitstream", section 3: width and height of 14
        // bits each, one bit for alpha, three bits of version.
        (b"VP8L", [0x2f, b0, b1, b2, b3, ..]) if b3 >> 5 == 0 => {
            let bits = u32::from_le_bytes([*b0, *b1, *b2, *b3]);
            Ok(((bits & 0x3fff) + 1, ((bits >> 14) & 0x3fff) + 1))
        }
        _ => damaged("its image has no sound header"),
    }
}
