//! What the chunks of a file are, where that matters: what is left out before
//! it is decoded, and what must not be in one that is handed on.

use super::limits;

/// A chunk of a PNG.
pub struct Chunk<'d> {
    /// Its type, such as `IDAT`.
    pub kind: [u8; 4],
    /// What it holds.
    pub body: &'d [u8],
    /// All of it.
    pub whole: &'d [u8],
}

/// The signature of a PNG.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// The chunks of a PNG up to its end or to where it breaks off, and what
/// follows them.
pub fn of_png(data: &[u8]) -> (Vec<Chunk<'_>>, &[u8]) {
    let mut chunks = Vec::new();
    let mut rest = data.strip_prefix(PNG).unwrap_or_default();
    while let Some((length, behind)) = rest.split_first_chunk::<4>() {
        let length = u32::from_be_bytes(*length) as usize;
        let Some((kind, behind)) = behind.split_first_chunk::<4>() else {
            break;
        };
        let Some(body) = behind.get(..length) else {
            break;
        };
        // A length, a type and a checksum of four bytes each.
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

/// What the header of a PNG tells (its specification, section 11.2.1).
pub struct PngHeader {
    /// Pixels from left to right.
    pub width: u32,
    /// Pixels from top to bottom.
    pub height: u32,
    /// Bits of a channel, or of the number of a colour.
    pub depth: u8,
    /// What the channels are.
    pub color: u8,
    /// Its rows come in seven passes.
    pub interlaced: bool,
}

/// The header of a PNG; `None` if it is none.
pub fn header_of_png(data: &[u8]) -> Option<PngHeader> {
    // Behind the signature stand the length and the type of the first chunk.
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

/// A PNG without the chunks that are not needed to decode it: they may be
/// damaged, or unpack to more than they are worth. What breaks off stays as it
/// is.
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

/// A segment of a JPEG before or between its scans.
pub struct Segment<'d> {
    /// The second byte of its marker.
    pub marker: u8,
    /// What it holds.
    pub body: &'d [u8],
}

/// What a JPEG consists of.
pub struct Jpeg<'d> {
    /// Its segments.
    pub segments: Vec<Segment<'d>>,
    /// Between them stands what belongs to none.
    pub gaps: bool,
    /// What follows its end; `None` if that is missing.
    pub rest: Option<&'d [u8]>,
}

impl Jpeg<'_> {
    /// Whether its channels come one after the other: several scans, and it is
    /// not progressive.
    pub fn is_planar(&self) -> bool {
        let count = |marker: u8| {
            self.segments
                .iter()
                .filter(|segment| segment.marker == marker)
                .count()
        };
        count(SCAN) > 1 && count(0xc0) + count(0xc1) > 0
    }

    /// How many channels its frame has: behind a depth and two sides.
    pub fn channels(&self) -> Option<u8> {
        let frame = self.segments.iter().find(|segment| {
            matches!(segment.marker, 0xc0..=0xcf) && !matches!(segment.marker, 0xc4 | 0xc8 | 0xcc)
        });
        frame?.body.get(5).copied()
    }
}

/// The marker of the segment that starts a scan.
pub const SCAN: u8 = 0xda;

/// Takes a JPEG apart.
pub fn of_jpeg(data: &[u8]) -> Jpeg<'_> {
    const END: u8 = 0xd9;
    let mut jpeg = Jpeg {
        segments: Vec::new(),
        gaps: false,
        rest: None,
    };
    let mut rest = data.strip_prefix(b"\xff\xd8").unwrap_or_default();
    loop {
        // What is no marker are the data of a scan, in which 0xff is followed
        // by zero or by a marker that restarts it.
        let next = rest.windows(2).position(
            |pair| matches!(pair, [0xff, marker] if !matches!(marker, 0 | 0xff | 0xd0..=0xd7)),
        );
        let Some((skipped, behind)) = next.and_then(|at| rest.split_at_checked(at)) else {
            return jpeg;
        };
        let scans = jpeg
            .segments
            .last()
            .is_some_and(|segment| segment.marker == SCAN);
        jpeg.gaps |= !scans && !skipped.is_empty();
        let Some(([_, marker], behind)) = behind.split_first_chunk::<2>() else {
            return jpeg;
        };
        if *marker == END {
            jpeg.rest = Some(behind);
            return jpeg;
        }
        let length = behind
            .first_chunk::<2>()
            .map_or(0, |length| u16::from_be_bytes(*length));
        let Some((segment, behind)) = behind.split_at_checked(usize::from(length)) else {
            return jpeg;
        };
        let body = segment.get(2..).unwrap_or_default();
        jpeg.segments.push(Segment {
            marker: *marker,
            body,
        });
        rest = behind;
    }
}

/// The chunks of a WebP by type and body; `None` if they are not all there, or
/// more follows.
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
        let (kind, behind) = rest.split_first_chunk::<4>()?;
        let (length, behind) = behind.split_first_chunk::<4>()?;
        let length = u32::from_le_bytes(*length) as usize;
        chunks.push((*kind, behind.get(..length)?));
        // A byte follows one of odd length.
        rest = behind.get(length + length % 2..)?;
    }
    Some(chunks)
}

/// Whether it begins like a PNG.
pub fn is_png(data: &[u8]) -> bool {
    data.starts_with(PNG)
}

/// The largest image of an icon, by the directory that it begins with: six
/// bytes, of which the last two count the entries, of sixteen bytes each.
///
/// It comes with its entry.
pub fn largest_of_icon(data: &[u8]) -> Option<([u8; 16], &[u8])> {
    let count = u16::from_le_bytes(*data.get(4..)?.first_chunk()?);
    let (entries, _) = data.get(6..)?.as_chunks::<16>();
    let largest = entries
        .iter()
        .take(usize::from(count))
        .max_by_key(|entry| {
            let [width, height, _, _, _, _, depth, ..] = **entry;
            // Zero stands for 256.
            let side = |byte: u8| u32::from(byte.wrapping_sub(1)) + 1;
            (side(width) * side(height), depth)
        })?;
    let [.., s0, s1, s2, s3, o0, o1, o2, o3] = *largest;
    let size = u32::from_le_bytes([s0, s1, s2, s3]) as usize;
    let offset = u32::from_le_bytes([o0, o1, o2, o3]) as usize;
    Some((*largest, data.get(offset..)?.get(..size)?))
}

/// An icon of one image.
pub fn icon_of(entry: [u8; 16], image: &[u8]) -> Vec<u8> {
    let mut icon = vec![0, 0, 1, 0, 1, 0];
    let [entry @ .., _, _, _, _] = entry;
    icon.extend_from_slice(&entry);
    // Where it begins: behind this.
    icon.extend_from_slice(&22u32.to_le_bytes());
    icon.extend_from_slice(image);
    icon
}
