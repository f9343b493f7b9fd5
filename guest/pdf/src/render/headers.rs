//! The sizes that compressed images declare on their own, whatever their dictionary says.

/// The frame of a JPEG file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jpeg {
    /// The number of components.
    pub components: u8,
    /// Whether all coefficients are in memory at once, because they are refined several times.
    pub is_progressive: bool,
}

/// The frame of a JPEG file (ITU-T T.81, B.2.2). `None` if it has none.
pub fn jpeg(data: &[u8]) -> Option<Jpeg> {
    let mut at = 0_usize;
    loop {
        let marker = *data.get(at.checked_add(1)?)?;
        if *data.get(at)? != 0xff || marker == 0xff {
            at = at.checked_add(1)?;
            continue;
        }
        match marker {
            0xc4 | 0xc8 | 0xcc => {}
            0xc0..=0xcf => {
                return Some(Jpeg {
                    components: *data.get(at.checked_add(9)?)?,
                    is_progressive: matches!(marker, 0xc2 | 0xc6 | 0xca | 0xce),
                });
            }
            0x00 | 0x01 | 0xd0..=0xd9 => {
                at = at.checked_add(2)?;
                continue;
            }
            _ => {}
        }
        let length = u16_at(data, at.checked_add(2)?)?;
        at = at.checked_add(2)?.checked_add(usize::from(length))?;
    }
}

/// The size of a JPEG 2000 image.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Jpeg2000 {
    width: f64,
    height: f64,
    /// The number of components.
    pub components: u16,
    /// How many times the resolution can be halved.
    levels: u8,
}

impl Jpeg2000 {
    /// The pixels that are decoded for a number of pixels that are shown: at most twice as many in each
    /// direction, if there are enough levels.
    pub fn pixels_for(self, across: f64, down: f64) -> f64 {
        let (mut width, mut height) = (self.width, self.height);
        for _ in 0..self.levels {
            if width / 2.0 < across || height / 2.0 < down {
                break;
            }
            width /= 2.0;
            height /= 2.0;
        }
        width * height
    }
}

/// The size of a JPEG 2000 file or code stream (ISO/IEC 15444-1, A.5.1 and A.6.1). `None` if it has none.
pub fn jpeg_2000(data: &[u8]) -> Option<Jpeg2000> {
    // The marker of the start, and that of the size, which follows.
    let start = memchr::memmem::find(data, b"\xff\x4f\xff\x51")?;
    let at = |offset: usize| u32_at(data, start.checked_add(offset)?);
    let (right, bottom) = (at(8)?, at(12)?);
    let (left, top) = (at(16)?, at(20)?);
    let components = u16_at(data, start.checked_add(40)?)?;
    let style = data
        .get(start..)
        .and_then(|data| memchr::memmem::find(data.get(..data.len().min(100_000))?, b"\xff\x52"));
    let levels = style
        .and_then(|style| data.get(start.checked_add(style)?.checked_add(9)?))
        .copied();
    Some(Jpeg2000 {
        width: f64::from(right.saturating_sub(left)),
        height: f64::from(bottom.saturating_sub(top)),
        components,
        levels: levels.unwrap_or_default().min(32),
    })
}

/// The pixels of the page and of all regions of JBIG2 data (ITU-T T.88, 7.2), which are bitmaps in memory.
pub fn jbig2_pixels(data: &[u8]) -> f64 {
    let mut pixels = 0.0;
    let mut at = 0_usize;
    while let Some(segment) = segment(data, at) {
        let size = |offset: usize| u32_at(data, segment.start.checked_add(offset)?);
        // Page information, and regions.
        if matches!(segment.kind, 4..=7 | 20..=23 | 36..=43 | 48)
            && let (Some(width), Some(height)) = (size(0), size(4))
        {
            // A page whose height is unknown grows with its stripes.
            let height = if height == u32::MAX { 0 } else { height };
            pixels += f64::from(width) * f64::from(height);
        }
        at = segment.end;
    }
    pixels
}

struct Segment {
    kind: u8,
    start: usize,
    end: usize,
}

/// Reads the header of a segment. `None` at the end.
fn segment(data: &[u8], at: usize) -> Option<Segment> {
    let number = u32_at(data, at)?;
    let flags = *data.get(at.checked_add(4)?)?;
    let count_byte = *data.get(at.checked_add(5)?)?;
    let short = usize::from(count_byte >> 5);
    let (count, mut next) = if short == 7 {
        let count = usize::try_from(u32_at(data, at.checked_add(5)?)? & 0x1fff_ffff).ok()?;
        let bits = count.checked_add(8)? / 8;
        (count, at.checked_add(9)?.checked_add(bits)?)
    } else {
        (short, at.checked_add(6)?)
    };
    let width = match number {
        0..=256 => 1,
        257..=65_536 => 2,
        _ => 4,
    };
    next = next.checked_add(count.checked_mul(width)?)?;
    next = next.checked_add(if flags & 0x40 == 0 { 1 } else { 4 })?;
    let length = u32_at(data, next)?;
    let start = next.checked_add(4)?;
    // A region of unknown length is the last one.
    let end = start.checked_add(usize::try_from(length).ok()?)?;
    Some(Segment {
        kind: flags & 0x3f,
        start,
        end,
    })
}

fn u16_at(data: &[u8], at: usize) -> Option<u16> {
    let bytes = data.get(at..at.checked_add(2)?)?;
    Some(u16::from_be_bytes(bytes.try_into().ok()?))
}

fn u32_at(data: &[u8], at: usize) -> Option<u32> {
    let bytes = data.get(at..at.checked_add(4)?)?;
    Some(u32::from_be_bytes(bytes.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frame_of_jpeg_is_found() {
        let mut data = b"\xff\xd8\xff\xe0\x00\x04ab".to_vec();
        data.extend_from_slice(b"\xff\xc2\x00\x11\x08\x00\x10\x00\x20\x04");
        let frame = Jpeg {
            components: 4,
            is_progressive: true,
        };
        assert_eq!(jpeg(&data), Some(frame));
        assert_eq!(jpeg(b"\xff\xd8\xff\xe0\x00\x00"), None);
        assert_eq!(jpeg(b""), None);
    }

    #[test]
    fn jpeg_2000_is_halved_until_it_fits() {
        let mut data = b"junk\xff\x4f\xff\x51\x00\x2f\x00\x00".to_vec();
        for number in [4000_u32, 2000, 0, 0, 4000, 2000, 0, 0] {
            data.extend_from_slice(&number.to_be_bytes());
        }
        data.extend_from_slice(&3_u16.to_be_bytes());
        data.extend_from_slice(b"\xff\x52\x00\x0c\x00\x00\x00\x01\x00\x05");
        let image = jpeg_2000(&data).unwrap();
        assert_eq!((image.components, image.levels), (3, 5));
        assert!((image.pixels_for(1000.0, 500.0) - 500_000.0).abs() < 1.0);
        assert!((image.pixels_for(5000.0, 500.0) - 8_000_000.0).abs() < 1.0);
        assert_eq!(jpeg_2000(b"\xff\x4f\xff\x51"), None);
    }

    #[test]
    fn jbig2_regions_are_added() {
        let mut data = Vec::new();
        for (number, kind, size) in [(0_u32, 48_u8, [100_u32, 50]), (1, 38, [65_000, 65_000])] {
            data.extend_from_slice(&number.to_be_bytes());
            data.extend_from_slice(&[kind, 0, 1]);
            data.extend_from_slice(&8_u32.to_be_bytes());
            for side in size {
                data.extend_from_slice(&side.to_be_bytes());
            }
        }
        assert!((jbig2_pixels(&data) - 4_225_005_000.0).abs() < 1.0);
        assert!(jbig2_pixels(b"\0").abs() < 1.0);
    }
}
