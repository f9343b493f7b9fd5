//! Reduction of the size of images.

use super::pixels::Pixels;
use fast_image_resize::images::{Image, ImageRef};
use fast_image_resize::{PixelType, ResizeOptions, Resizer};
use omniread_image_types::Error;

/// Width and height of an image after its longer side is scaled to `side` pixels.
pub fn scaled(width: u32, height: u32, side: u32) -> (u32, u32) {
    let long = width.max(height).max(1);
    let scale = |length: u32| {
        let half = u64::from(long) / 2;
        let scaled = (u64::from(length) * u64::from(side) + half) / u64::from(long);
        u32::try_from(scaled).unwrap_or(side).max(1)
    };
    (scale(width), scale(height))
}

/// Scales an image down so that its longer side has `side` pixels. An image that is small enough is
/// unchanged.
///
/// # Errors
/// Fails if the resizer rejects the image. No such image is known.
pub fn within(pixels: Pixels, side: u32) -> Result<Pixels, Error> {
    if pixels.width.max(pixels.height) <= side {
        return Ok(pixels);
    }
    let (width, height) = scaled(pixels.width, pixels.height, side);
    let kind = match pixels.channels {
        1 => PixelType::U8,
        2 => PixelType::U8x2,
        3 => PixelType::U8x3,
        _ => PixelType::U8x4,
    };
    let failed = |error: &dyn std::fmt::Display| Error::Failed(error.to_string());
    let source = ImageRef::new(pixels.width, pixels.height, &pixels.data, kind)
        .map_err(|error| failed(&error))?;
    let mut smaller = Image::new(width, height, kind);
    // The defaults are the Lanczos filter, and colours weighted by alpha.
    Resizer::new()
        .resize(&source, &mut smaller, &ResizeOptions::new())
        .map_err(|error| failed(&error))?;
    Ok(Pixels {
        width,
        height,
        channels: pixels.channels,
        data: smaller.into_vec(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sides_keep_their_ratio() {
        assert_eq!(scaled(4000, 3000, 1568), (1568, 1176));
        assert_eq!(scaled(3, 65535, 1568), (1, 1568));
        assert_eq!(scaled(24, 24, 512), (512, 512));
    }

    #[test]
    fn transparent_colours_do_not_bleed() {
        let mut data = Vec::new();
        for column in 0..64 {
            let pixel = if column < 32 {
                [255, 0, 0, 255]
            } else {
                [0, 255, 0, 0]
            };
            data.extend(pixel);
        }
        let pixels = Pixels {
            width: 64,
            height: 1,
            channels: 4,
            data,
        };
        let smaller = within(pixels, 8).unwrap();
        assert_eq!((smaller.width, smaller.height), (8, 1));
        for pixel in smaller.data.chunks_exact(4).filter(|pixel| pixel[3] > 8) {
            assert!(pixel[0] > 240 && pixel[1] < 16, "{pixel:?}");
        }
    }
}
