//! Pixels → a PNG file (ISO/IEC 15948), written fast.
//!
//! Pages are mostly white paper with some ink, for which rows without a filter become about a tenth smaller
//! than with one. Rows of photographs have the filter Up.

use crate::png;
use flate2::Compression;
use omniread_document::Error;
use std::io::Write;

/// The bytes of a pixel: red, green, blue and alpha.
const PIXEL: usize = 4;

/// No filter: the bytes as they are.
const NONE: u8 = 0;

/// The filter Up: each byte is the difference to the byte above it.
const UP: u8 = 2;

/// Writes opaque pixels of four bytes, row by row. The file has one channel if all pixels are gray, three
/// otherwise.
///
/// # Errors
/// Fails if the pixels are not `width × height`, or if the file cannot be written.
pub fn file(pixels: &[u8], width: u16, height: u16) -> Result<Vec<u8>, Error> {
    let row = usize::from(width).saturating_mul(PIXEL);
    if row == 0 || height == 0 || pixels.len() != row.saturating_mul(usize::from(height)) {
        return Err(Error::Unsupported("a page without an area".to_owned()));
    }
    let gray = is_gray(pixels);
    let data = if gray {
        compressed::<1>(pixels, row)
    } else {
        compressed::<3>(pixels, row)
    };
    let data = data.map_err(|_| Error::exhausted("bytes of the image of a page"))?;
    // Eight bits, gray or RGB.
    let colour = if gray { 0 } else { 2 };
    Ok(png::file(width.into(), height.into(), 8, colour, &data))
}

/// Whether red, green and blue of all pixels are equal.
fn is_gray(pixels: &[u8]) -> bool {
    // Blocks without early exits are compared several pixels at a time.
    pixels.chunks(4096).all(|block| {
        let (pixels, _) = block.as_chunks::<PIXEL>();
        let differences = pixels.iter().fold(0, |sum, [red, green, blue, _]| {
            sum | (red ^ green) | (red ^ blue)
        });
        differences == 0
    })
}

/// The filtered and compressed rows, with `CHANNELS` bytes for each pixel.
fn compressed<const CHANNELS: usize>(pixels: &[u8], row: usize) -> std::io::Result<Vec<u8>> {
    let width = row / PIXEL;
    let length = width.saturating_mul(CHANNELS);
    let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), Compression::fast());
    let mut above = vec![0_u8; length];
    let mut this = vec![0_u8; length];
    let mut line = vec![0_u8; length.saturating_add(1)];
    for source in pixels.chunks_exact(row) {
        let (to, _) = this.as_chunks_mut::<CHANNELS>();
        for (to, from) in to.iter_mut().zip(source.as_chunks::<PIXEL>().0) {
            to.copy_from_slice(from.get(..CHANNELS).unwrap_or_default());
        }
        if let Some((filter, filtered)) = line.split_first_mut() {
            if is_flat::<CHANNELS>(&this) {
                *filter = NONE;
                filtered.copy_from_slice(&this);
            } else {
                *filter = UP;
                for ((to, own), up) in filtered.iter_mut().zip(&this).zip(&above) {
                    *to = own.wrapping_sub(*up);
                }
            }
        }
        encoder.write_all(&line)?;
        std::mem::swap(&mut this, &mut above);
    }
    encoder.finish()
}

/// Whether more than half of the bytes are equal to those of the pixel before.
fn is_flat<const CHANNELS: usize>(row: &[u8]) -> bool {
    let after = row.get(CHANNELS..).unwrap_or_default();
    let equal: usize = row
        .iter()
        .zip(after)
        .map(|(before, own)| usize::from(before == own))
        .sum();
    equal >= row.len() / 2
}

/// The pixels of a file that [`file`] wrote, with the width and the number of channels.
#[cfg(test)]
pub fn pixels(png: &[u8]) -> (Vec<u8>, usize, usize) {
    let number = |at: usize| {
        usize::try_from(u32::from_be_bytes(png[at..at + 4].try_into().unwrap())).unwrap()
    };
    let (width, height) = (number(16), number(20));
    let channels = if png[25] == 0 { 1 } else { 3 };
    let length = width * channels;
    let data = &png[41..41 + number(33)];
    let (rows, cut) = crate::decode::inflate(data, (length + 1) * height);
    assert!(!cut && rows.len() == (length + 1) * height);
    let mut out: Vec<u8> = Vec::new();
    for (y, line) in rows.chunks(length + 1).enumerate() {
        assert!(matches!(line[0], NONE | UP));
        for (x, byte) in line[1..].iter().enumerate() {
            let has_above = y > 0 && line[0] == UP;
            let above = if has_above {
                out[(y - 1) * length + x]
            } else {
                0
            };
            out.push(byte.wrapping_add(above));
        }
    }
    (out, width, channels)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gray_pixels_have_one_channel() {
        let png = file(&[9, 9, 9, 255, 200, 200, 200, 255], 1, 2).unwrap();
        assert_eq!(pixels(&png), (vec![9, 200], 1, 1));
    }

    #[test]
    fn coloured_pixels_have_three_channels() {
        let source = [1, 2, 3, 255, 4, 5, 6, 255, 7, 8, 9, 255, 0, 0, 255, 255];
        let png = file(&source, 2, 2).unwrap();
        assert_eq!(
            pixels(&png),
            (vec![1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 255], 2, 3)
        );
        assert_eq!(&png[png.len() - 12..], b"\0\0\0\0IEND\xaeB`\x82");
    }

    #[test]
    fn rows_of_photographs_have_a_filter() {
        let row: Vec<u8> = (0..64_u8).flat_map(|x| [x * 3, x, x * 2, 255]).collect();
        let flat = [7, 7, 7, 255].repeat(64);
        let source = [row.clone(), row.clone(), flat, row].concat();
        let png = file(&source, 64, 4).unwrap();
        let filters = crate::decode::inflate(&png[41..], 1000).0;
        let filters: Vec<u8> = filters.chunks(193).map(|line| line[0]).collect();
        assert_eq!(filters, [UP, UP, NONE, UP]);
        let (pixels, width, channels) = pixels(&png);
        assert_eq!((width, channels), (64, 3));
        let colours: Vec<u8> = source
            .chunks(4)
            .flat_map(|pixel| pixel[..3].to_vec())
            .collect();
        assert!(pixels == colours);
    }

    #[test]
    fn wrong_number_of_pixels_is_an_error() {
        assert!(file(&[0; 4], 2, 1).is_err());
        assert!(file(&[], 0, 0).is_err());
    }
}
