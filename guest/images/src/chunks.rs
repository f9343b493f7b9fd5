//! Chunks of PNG, JPEG and WebP files, and the entries of icons. They are used to remove
//! data before decoding, and to check files that are passed through unchanged.

use super::limits;

/// A chunk of a PNG.
pub struct Chunk<'d> {
    /// The type, such as `IDAT`.
    pub kind: [u8; 4],
    /// The data of the chunk.
    pub body: &'d [u8],
    /// The whole chunk, with its length, type and checksum.
    pub whole: &'d [u8],
}

/// The signature of a PNG.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The chunks of a PNG, and the bytes after them. The last chunk is `IEND`, or the one before the
/// first incomplete chunk.
pub fn of_png(data: &[u8]) -> (Vec<Chunk<'_>>, &[u8]) {
    let mut chunks = Vec::new();
    let mut rest = data.strip_prefix(PNG).unwrap_or_default();
    while let Some((length, after)) = rest.split_first_chunk::<4>() {
        let length = u32::from_be_bytes(*length) as usize;
        let Some((kind, after)) = after.split_first_chunk::<4>() else {
            break;
        };
        let Some(body) = after.get(..length) else {
            break;
        };
        // The length, the type and the checksum have four bytes each.
        let size = length + 12;
        let Some(whole) = rest.get(..size) else {
            break;
        };
        chunks.push(Chunk {
            kind: *kind,
            body,
            whole,
        });
        rest = rest.get(size..).unwrap_or_default();
        if kind == b"IEND" {
            break;
        }
    }
    (chunks, rest)
}

/// The header of a PNG (PNG specification, section 11.2.1).
pub struct PngHeader {
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Number of bits of a channel, or of a palette index.
    pub depth: u8,
    /// The number of the colour type, such as 2 for RGB.
    pub color: u8,
    /// Whether the image is interlaced, that is, stored in seven passes.
    pub interlaced: bool,
}

/// Reads the header of a PNG. Returns `None` if the file is not a PNG.
pub fn header_of_png(data: &[u8]) -> Option<PngHeader> {
    // The length and the type of the first chunk follow the signature.
    let header = data.strip_prefix(PNG)?.get(8..)?;
    let (width, header) = header.split_first_chunk()?;
    let (height, header) = header.split_first_chunk()?;
    let [depth, color, _, _, interlace, ..] = *header else {
        return None;
    };
    Some(PngHeader {
        width: u32::from_be_bytes(*width),
        height: u32::from_be_bytes(*height),
        depth,
        color,
        interlaced: interlace != 0,
    })
}

/// Removes the chunks of a PNG that decoding does not need, because they may be damaged or
/// decompress to a large size. An incomplete chunk at the end is kept.
pub fn needed_of_png(data: &[u8]) -> Vec<u8> {
    let (chunks, rest) = of_png(data);
    let ended = chunks.last().is_some_and(|chunk| &chunk.kind == b"IEND");
    let mut needed = PNG.to_vec();
    for chunk in chunks {
        let small = chunk.body.len() <= limits::METADATA_BYTES;
        let wanted = match &chunk.kind {
            b"IHDR" | b"PLTE" | b"tRNS" | b"IDAT" | b"IEND" => true,
            b"eXIf" => small,
            _ => false,
        };
        if wanted {
            needed.extend_from_slice(chunk.whole);
        }
    }
    if !ended {
        needed.extend_from_slice(rest);
    }
    needed
}

/// A segment of a JPEG: a marker, and the data with a stated length that follows it. Scan data is
/// not part of a segment.
pub struct Segment<'d> {
    /// The second byte of its marker.
    pub marker: u8,
    /// The data of the segment, without the two bytes of its length.
    pub body: &'d [u8],
    /// The scan data after it. Empty unless the segment starts a scan.
    pub data: &'d [u8],
}

/// The parts of a JPEG.
pub struct Jpeg<'d> {
    /// All segments, in order.
    pub segments: Vec<Segment<'d>>,
    /// Whether bytes that are not scan data occur between the segments.
    pub gaps: bool,
    /// The bytes of the file after the end marker. `None` if the marker is missing.
    pub rest: Option<&'d [u8]>,
}

impl Jpeg<'_> {
    /// Whether the channels are stored one after the other: the image has several scans
    /// and is not progressive.
    pub fn is_planar(&self) -> bool {
        let count = |marker: u8| {
            self.segments
                .iter()
                .filter(|segment| segment.marker == marker)
                .count()
        };
        count(SCAN) > 1 && count(0xc0) + count(0xc1) > 0
    }

    /// The number of channels, which the frame header states after the depth, height and width.
    /// `None` if there is no frame header.
    pub fn channels(&self) -> Option<u8> {
        let frame = self.segments.iter().find(|segment| {
            matches!(segment.marker, 0xc0..=0xcf) && !matches!(segment.marker, 0xc4 | 0xc8 | 0xcc)
        });
        frame?.body.get(5).copied()
    }
}

/// The second byte of the marker of the segment that starts a scan.
pub const SCAN: u8 = 0xda;

/// Splits a JPEG into its segments.
pub fn of_jpeg(data: &[u8]) -> Jpeg<'_> {
    const END: u8 = 0xd9;
    let mut jpeg = Jpeg {
        segments: Vec::new(),
        gaps: false,
        rest: None,
    };
    let mut rest = data.strip_prefix(b"\xff\xd8").unwrap_or_default();
    loop {
        // Bytes that are not a marker are scan data. In scan data, 0xff is followed by
        // zero or by a restart marker.
        let next = memchr::memchr_iter(0xff, rest).find(|at| {
            let marker = rest.get(at + 1);
            marker.is_some_and(|marker| !matches!(marker, 0 | 0xff | 0xd0..=0xd7))
        });
        let Some((skipped, after)) = next.and_then(|at| rest.split_at_checked(at)) else {
            return jpeg;
        };
        match jpeg.segments.last_mut() {
            Some(segment) if segment.marker == SCAN => segment.data = skipped,
            _ => jpeg.gaps |= !skipped.is_empty(),
        }
        let Some(([_, marker], after)) = after.split_first_chunk::<2>() else {
            return jpeg;
        };
        if *marker == END {
            jpeg.rest = Some(after);
            return jpeg;
        }
        let length = after
            .first_chunk::<2>()
            .map_or(0, |length| u16::from_be_bytes(*length));
        let Some((segment, after)) = after.split_at_checked(usize::from(length)) else {
            return jpeg;
        };
        let body = segment.get(2..).unwrap_or_default();
        jpeg.segments.push(Segment {
            marker: *marker,
            body,
            data: &[],
        });
        rest = after;
    }
}

/// The chunks of a WebP, each as its type and its data. `None` if the file is not a WebP, if a
/// chunk is incomplete, or if the size in the header differs from the size of the file.
pub fn of_webp(data: &[u8]) -> Option<Vec<([u8; 4], &[u8])>> {
    let (riff, rest) = data.split_first_chunk::<4>()?;
    let (size, rest) = rest.split_first_chunk::<4>()?;
    let size = u32::from_le_bytes(*size) as usize;
    let mut rest = rest.strip_prefix(b"WEBP")?;
    if riff != b"RIFF" || size.checked_sub(4)? != rest.len() {
        return None;
    }
    let mut chunks = Vec::new();
    while !rest.is_empty() {
        let (kind, after) = rest.split_first_chunk::<4>()?;
        let (length, after) = after.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*length) as usize;
        chunks.push((*kind, after.get(..length)?));
        // A chunk of odd length is followed by a padding byte.
        rest = after.get(length + length % 2..)?;
    }
    Some(chunks)
}

/// Whether the data starts with the PNG signature.
pub fn is_png(data: &[u8]) -> bool {
    data.starts_with(PNG)
}

/// The directory entry and the data of the largest image of an icon file. The file starts with a
/// header of six bytes, the last two of which are the number of entries. An entry has sixteen
/// bytes. `None` if there is no entry, or if the data is incomplete.
pub fn largest_of_icon(data: &[u8]) -> Option<([u8; 16], &[u8])> {
    let count = u16::from_le_bytes(*data.get(4..)?.first_chunk()?);
    let (entries, _) = data.get(6..)?.as_chunks::<16>();
    let largest = entries
        .iter()
        .take(usize::from(count))
        .max_by_key(|entry| {
            let [width, height, _, _, _, _, depth, ..] = **entry;
            // 0 means 256.
            let side = |byte: u8| u32::from(byte.wrapping_sub(1)) + 1;
            (side(width) * side(height), depth)
        })?;
    let [.., s0, s1, s2, s3, o0, o1, o2, o3] = *largest;
    let size = u32::from_le_bytes([s0, s1, s2, s3]) as usize;
    let offset = u32::from_le_bytes([o0, o1, o2, o3]) as usize;
    Some((*largest, data.get(offset..)?.get(..size)?))
}

/// An icon file with a single image. `entry` is the directory entry of the image in another icon
/// file, and `image` is the data of the image.
pub fn icon_of(entry: [u8; 16], image: &[u8]) -> Vec<u8> {
    let mut icon = vec![0, 0, 1, 0, 1, 0];
    let [entry @ .., _, _, _, _] = entry;
    icon.extend_from_slice(&entry);
    // Offset of the image, directly after this field.
    icon.extend_from_slice(&22u32.to_le_bytes());
    icon.extend_from_slice(image);
    icon
}
