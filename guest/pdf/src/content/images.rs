//! Images of the file as files of their own: JPEG as it is, others as PNG.

use super::colour::Space;
use crate::decode;
use crate::limits;
use crate::png;
use flate2::Compression;
use hayro_syntax::Filter;
use hayro_syntax::object::stream::ImageDecodeParams;
use hayro_syntax::object::{Array, Object, Stream};
use hayro_syntax::page::Resources;
use std::io::Write;

/// The least number of pixels of the longer side of a strip of a picture.
const DETAILS: u32 = 32;

/// Whether an image has no more data than one colour needs. Only its dictionary is read: the data of images of large
/// files are not, unless they are shown.
pub fn is_blank(stream: &Stream<'_>) -> bool {
    let number = |key: &str| {
        let number = stream.dict().get::<u32>(key)?;
        usize::try_from(number).ok()
    };
    let (Some(width), Some(height), Some(length)) =
        (number("Width"), number("Height"), number("Length"))
    else {
        return false;
    };
    let pixels = width.saturating_mul(height);
    let bits = number("BitsPerComponent").unwrap_or(1);
    let bytes = pixels.saturating_mul(bits) / 8;
    let most = match stream.filters().last() {
        // Deflate writes up to 1032 equal bytes as one byte.
        Some(Filter::FlateDecode | Filter::LzwDecode) => (bytes / 500).saturating_add(48),
        // A run of up to 128 bytes takes two bytes.
        Some(Filter::RunLengthDecode) => (bytes / 60).saturating_add(16),
        // A row that is equal to the one above takes one bit.
        Some(Filter::CcittFaxDecode) => (height / 8).saturating_add(16),
        Some(Filter::Jbig2Decode) => 96,
        // The tables take 600 bytes. A block of one colour takes six bits.
        Some(Filter::DctDecode) => (pixels / 64).saturating_add(640),
        _ => return false,
    };
    length <= most.min(bytes)
}

/// Whether an image is larger than one that programs stretch to a line, and has not one colour.
pub fn has_details(stream: &Stream<'_>) -> bool {
    let number = |long: &str, short: &str| {
        let dict = stream.dict();
        dict.get::<u32>(long).or_else(|| dict.get::<u32>(short))
    };
    let sides = number("Width", "W").max(number("Height", "H"));
    sides.is_some_and(|longer| longer >= DETAILS) && !is_blank(stream)
}

/// The bytes of an image as a file that programs can show. `None` if this is not possible.
pub fn file_of(stream: &Stream<'_>, resources: &Resources<'_>) -> Option<Vec<u8>> {
    // JPEG 2000 stays as it is too: the engine for images decodes or rejects it within its limits.
    if let [Filter::DctDecode | Filter::JpxDecode] = stream.filters().as_slice() {
        return Some(stream.raw_data().into_owned());
    }
    let dict = stream.dict();
    let number = |long: &str, short: &str| dict.get::<u32>(long).or_else(|| dict.get::<u32>(short));
    let (width, height) = (number("Width", "W")?, number("Height", "H")?);
    let pixels = usize::try_from(width)
        .ok()?
        .checked_mul(usize::try_from(height).ok()?)?;
    if pixels == 0 || pixels > limits::PIXELS {
        return None;
    }
    let is_mask = dict
        .get::<bool>("ImageMask")
        .or_else(|| dict.get::<bool>("IM"))
        == Some(true);
    let bits = if is_mask {
        1
    } else {
        number("BitsPerComponent", "BPC").unwrap_or(8)
    };
    let space = dict
        .get::<Object<'_>>("ColorSpace")
        .or_else(|| dict.get("CS"));
    let space = match space {
        Some(Object::Name(name)) => Space::named(&name).or_else(|| {
            let object = resources.get_color_space(&name)?;
            Some(Space::of(&object, 0))
        })?,
        Some(other) => Space::of(&other, 0),
        None => Space::Gray,
    };
    let last = stream.filters().last().copied();
    let is_fax = matches!(last, Some(Filter::CcittFaxDecode | Filter::Jbig2Decode));
    let data = if is_fax {
        let parameters = ImageDecodeParams {
            is_indexed: false,
            bpc: Some(1),
            num_components: Some(1),
            target_dimension: None,
            width,
            height,
        };
        stream.decoded_image(&parameters).ok()?.data.into_owned()
    } else if matches!(last, Some(Filter::DctDecode | Filter::JpxDecode)) {
        return None;
    } else {
        decode::data(stream, limits::STREAM_BYTES)?.0.into_owned()
    };
    let inverted = dict
        .get::<Array<'_>>("Decode")
        .or_else(|| dict.get::<Array<'_>>("D"))
        .and_then(|list| list.iter::<f32>().next())
        .is_some_and(|first| first > 0.5);
    let image = Image {
        width,
        height,
        bits: if is_fax { 1 } else { bits },
        inverted: inverted != matches!(space, Space::Inks),
        space,
        data,
    };
    image.png()
}

/// The samples of a row.
#[derive(Clone, Copy)]
struct Samples<'d> {
    bytes: &'d [u8],
    /// The bits of a sample.
    bits: usize,
}

impl Samples<'_> {
    /// The greatest sample. Of 16 bits the first 8 are read.
    fn most(self) -> u32 {
        (1_u32 << self.bits.min(8)).saturating_sub(1)
    }

    fn get(self, place: usize) -> Option<u32> {
        let Self { bytes, bits } = self;
        if bits >= 8 {
            return bytes
                .get(place.saturating_mul(bits / 8))
                .map(|sample| u32::from(*sample));
        }
        let bit = place.saturating_mul(bits);
        let byte = u32::from(*bytes.get(bit / 8)?);
        let shift = 8_usize.saturating_sub(bits).saturating_sub(bit % 8);
        Some((byte >> shift) & self.most())
    }
}

/// An image of samples.
struct Image {
    width: u32,
    height: u32,
    /// The bits of a sample: 1, 2, 4, 8 or 16.
    bits: u32,
    inverted: bool,
    space: Space,
    data: Vec<u8>,
}

impl Image {
    fn png(self) -> Option<Vec<u8>> {
        let components: usize = match &self.space {
            Space::Rgb | Space::Lab => 3,
            Space::Cmyk => 4,
            Space::Pattern => return None,
            _ => 1,
        };
        if !matches!(self.bits, 1 | 2 | 4 | 8 | 16) {
            return None;
        }
        let width = usize::try_from(self.width).ok()?;
        let bits = usize::try_from(self.bits).ok()?;
        let row = width
            .checked_mul(components)?
            .checked_mul(bits)?
            .div_ceil(8);
        let colour: u8 = if components == 1 && !matches!(self.space, Space::Indexed(_)) {
            0
        } else {
            2
        };
        let depth: u8 = if colour == 0 {
            u8::try_from(bits.min(8)).ok()?
        } else {
            8
        };
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), Compression::fast());
        let mut line: Vec<u8> = Vec::new();
        for y in 0..usize::try_from(self.height).ok()? {
            let start = y.saturating_mul(row);
            // What is missing is white.
            let bytes = self
                .data
                .get(start..start.saturating_add(row).min(self.data.len()))
                .unwrap_or_default();
            line.clear();
            line.push(0);
            if colour == 0 {
                self.gray(bytes, row, bits, &mut line);
            } else {
                self.rgb(Samples { bytes, bits }, width, components, &mut line);
            }
            encoder.write_all(&line).ok()?;
        }
        let data = encoder.finish().ok()?;
        Some(png::file(self.width, self.height, depth, colour, &data))
    }

    fn gray(&self, samples: &[u8], row: usize, bits: usize, line: &mut Vec<u8>) {
        let flip = if self.inverted { 0xff } else { 0 };
        if bits == 16 {
            line.extend(samples.iter().step_by(2).map(|sample| sample ^ flip));
        } else {
            line.extend(samples.iter().map(|sample| sample ^ flip));
        }
        let length = if bits == 16 { row / 2 } else { row };
        line.resize(length.saturating_add(1), 0xff);
    }

    fn rgb(&self, samples: Samples<'_>, width: usize, components: usize, line: &mut Vec<u8>) {
        let most = samples.most();
        let mut parts = [0.0_f32; 4];
        for x in 0..width {
            let mut missing = false;
            for (part, value) in parts.iter_mut().take(components).enumerate() {
                let found = samples.get(x.saturating_mul(components).saturating_add(part));
                missing |= found.is_none();
                #[expect(clippy::cast_precision_loss, reason = "samples are small")]
                let (own, most) = (found.unwrap_or_default() as f32, most as f32);
                *value = match self.space {
                    Space::Indexed(_) => own,
                    _ if self.inverted => 1.0 - own / most,
                    _ => own / most,
                };
            }
            let colour = if missing {
                [255; 3]
            } else {
                self.space
                    .colour(parts.get(..components).unwrap_or_default())
                    .0
            };
            line.extend_from_slice(&colour);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::page::Colour;

    fn image(space: Space, bits: u32, data: &[u8]) -> Vec<u8> {
        let image = Image {
            width: 3,
            height: 2,
            bits,
            inverted: false,
            space,
            data: data.to_vec(),
        };
        image.png().unwrap()
    }

    #[test]
    fn samples_become_rows() {
        let png = image(Space::Gray, 8, &[1, 2, 3, 4]);
        assert!(png.starts_with(b"\x89PNG"));
        let at = memchr::memmem::find(&png, b"IDAT").unwrap() + 4;
        let (rows, _) = decode::inflate(&png[at..], 100);
        assert_eq!(rows, [0, 1, 2, 3, 0, 4, 255, 255]);
        let palette = Space::Indexed(vec![Colour::BLACK, Colour([1, 2, 3])]);
        let png = image(palette, 1, &[0b0100_0000, 0b1000_0000]);
        let at = memchr::memmem::find(&png, b"IDAT").unwrap() + 4;
        let (rows, _) = decode::inflate(&png[at..], 100);
        assert_eq!(rows[..10], [0, 0, 0, 0, 1, 2, 3, 0, 0, 0]);
        image(Space::Cmyk, 16, &[0; 3]);
    }
}
