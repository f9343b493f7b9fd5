//! Rewrites valid BMP files that the decoder does not support: OS/2 headers, and palettes
//! with more colours than the bits of a pixel can address.

use std::borrow::Cow;

/// Size in bytes of the file header, which precedes the image header.
const FILE_HEADER: usize = 14;

/// Size in bytes of a `BITMAPINFOHEADER`, the image header that the decoder supports best.
const HEADER: usize = 40;

/// Offset in the file of the length of the image header.
const LENGTH: usize = 14;
/// Offset in the file of the number of bits per pixel.
const BITS: usize = 28;
/// Offset in the file of the compression method.
const COMPRESSION: usize = 30;
/// Offset in the file of the number of palette colours.
const COLOURS: usize = 46;

/// Offset in the file of the field that states the offset of the pixel data.
const OFFSET: usize = 10;

/// Rewrites an OS/2 header of a BMP, and a header that states too many palette colours, so that the
/// decoder supports them. Other headers are left unchanged.
pub fn known(data: &[u8]) -> Cow<'_, [u8]> {
    let data = match long(data, LENGTH) {
        // A short OS/2 header has the first fields of the long one. The long one has more
        // fields than the Windows header.
        Some(16) => with_header(data, 16),
        Some(64) => with_header(data, 64),
        _ => None,
    }
    .map_or(Cow::Borrowed(data), Cow::Owned);
    with_few_colours(data)
}

/// The little-endian number of 32 bits at the offset `at`. `None` if `data` ends before it.
fn long(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*data.get(at..)?.first_chunk()?))
}

fn set_long(data: &mut [u8], at: usize, value: u32) {
    if let Some(place) = data.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *place = value.to_le_bytes();
    }
}

/// Replaces an OS/2 header of `length` bytes by a header of 40 bytes. Returns `None` if the file is
/// too short, or if its compression exists only in OS/2. Windows uses the same number for another
/// compression.
fn with_header(data: &[u8], length: usize) -> Option<Vec<u8>> {
    let end = FILE_HEADER + length;
    let header = data.get(..end.min(FILE_HEADER + HEADER))?;
    let rest = data.get(end..)?;
    let mut out = Vec::with_capacity(data.len() + HEADER);
    out.extend_from_slice(header);
    out.resize(FILE_HEADER + HEADER, 0);
    if long(&out, COMPRESSION)? > 2 {
        return None;
    }
    out.extend_from_slice(rest);
    set_long(&mut out, LENGTH, u32::try_from(HEADER).ok()?);
    let offset = (long(data, OFFSET)? as usize)
        .checked_add(HEADER)?
        .checked_sub(length)?;
    set_long(&mut out, OFFSET, u32::try_from(offset).ok()?);
    Some(out)
}

/// Lowers the number of palette colours in the header to the number that a pixel can address. The
/// other colours remain in the file, but are unused. The pixels are still found, because the header
/// states their offset separately.
fn with_few_colours(mut data: Cow<'_, [u8]>) -> Cow<'_, [u8]> {
    let bits = data.get(BITS..).and_then(<[u8]>::first_chunk).copied();
    let most = match bits.map(u16::from_le_bytes) {
        Some(bits @ (1 | 2 | 4 | 8)) => 1 << bits,
        _ => return data,
    };
    let header = long(&data, LENGTH).is_some_and(|length| length as usize >= HEADER);
    if header && long(&data, COLOURS).is_some_and(|colours| colours > most) {
        set_long(data.to_mut(), COLOURS, most);
    }
    data
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A BMP of one pixel and a palette of two colours. Its image header has `length` bytes, and
    /// states that there are `colours` colours.
    fn bmp(length: u32, colours: u32) -> Vec<u8> {
        let mut file = b"BM".to_vec();
        file.extend_from_slice(&[0; 8]);
        file.extend_from_slice(&(14 + length + 8).to_le_bytes());
        for field in [length, 1, 1, 1 | (1 << 16), 0, 0, 0, 0, colours] {
            file.extend_from_slice(&field.to_le_bytes());
        }
        file.resize(14 + length as usize, 0);
        file.extend_from_slice(&[1, 2, 3, 0, 4, 5, 6, 0, 0x80, 0, 0, 0]);
        file
    }

    #[test]
    fn os2_header_becomes_bitmapinfoheader() {
        let plain = bmp(40, 0);
        assert!(matches!(known(&plain), Cow::Borrowed(_)));
        assert_eq!(*known(&bmp(64, 0)), *plain);
        assert_eq!(*known(&bmp(16, 0)), *plain);
        let mut other = bmp(64, 0);
        set_long(&mut other, COMPRESSION, 3);
        assert_eq!(*known(&other), *other);
    }

    #[test]
    fn palette_is_limited_to_bits_per_pixel() {
        assert_eq!(*known(&bmp(40, 300)), *bmp(40, 2));
        assert_eq!(*known(&bmp(40, 1)), *bmp(40, 1));
        assert_eq!(*known(&bmp(64, u32::MAX)), *bmp(40, 2));
        for length in 0..70 {
            let _ = known(&bmp(64, 0)[..length]);
        }
    }
}
