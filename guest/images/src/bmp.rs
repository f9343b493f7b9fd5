//! BMP files that are sound and that the decoder does not know, made into what it
//! does: headers of OS/2 and palettes with more colours than numbers for them.

use std::borrow::Cow;

/// Bytes of the header of the file.
const FILE_HEADER: usize = 14;

/// Bytes of the header that the decoder knows best, a `BITMAPINFOHEADER`.
const HEADER: usize = 40;

/// Where in the file the length of the header, the bits of a pixel, the
/// compression and the number of colours are, of such a header.
const LENGTH: usize = 14;
const BITS: usize = 28;
const COMPRESSION: usize = 30;
const COLOURS: usize = 46;

/// Where in the file it says where the pixels begin.
const OFFSET: usize = 10;

/// The same image with a header that the decoder knows.
pub fn known(data: &[u8]) -> Cow<'_, [u8]> {
    let data = match long(data, LENGTH) {
        // The first fields of the long one, which has more than Windows' has.
        Some(16) => with_header(data, 16),
        Some(64) => with_header(data, 64),
        _ => None,
    }
    .map_or(Cow::Borrowed(data), Cow::Owned);
    with_few_colours(data)
}

/// The number of 32 bits at a place.
fn long(data: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(*data.get(at..)?.first_chunk()?))
}

fn set_long(data: &mut [u8], at: usize, value: u32) {
    if let Some(place) = data.get_mut(at..).and_then(<[u8]>::first_chunk_mut) {
        *place = value.to_le_bytes();
    }
}

/// The file with a header of 40 bytes instead of one of OS/2 of this length.
/// `None` for what only OS/2 has: other compressions under the same numbers.
fn with_header(data: &[u8], length: usize) -> Option<Vec<u8>> {
    let end = FILE_HEADER + length;
    let held = data.get(..end.min(FILE_HEADER + HEADER))?;
    let rest = data.get(end..)?;
    let mut out = Vec::with_capacity(data.len() + HEADER);
    out.extend_from_slice(held);
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

/// The file with no more colours than a pixel can name: the further ones mean
/// nothing, and where the pixels begin is stated.
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

    /// A BMP of one pixel and two colours with a header of this length.
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
    fn headers_of_os2_become_known_ones() {
        let plain = bmp(40, 0);
        assert!(matches!(known(&plain), Cow::Borrowed(_)));
        assert_eq!(*known(&bmp(64, 0)), *plain);
        assert_eq!(*known(&bmp(16, 0)), *plain);
        let mut other = bmp(64, 0);
        set_long(&mut other, COMPRESSION, 3);
        assert_eq!(*known(&other), *other);
    }

    #[test]
    fn colours_beyond_the_last_number_are_left_out() {
        assert_eq!(*known(&bmp(40, 300)), *bmp(40, 2));
        assert_eq!(*known(&bmp(40, 1)), *bmp(40, 1));
        assert_eq!(*known(&bmp(64, u32::MAX)), *bmp(40, 2));
        for length in 0..70 {
            let _ = known(&bmp(64, 0)[..length]);
        }
    }
}
