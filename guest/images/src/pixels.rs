//! Decoded pixels with eight bits per channel.

use super::limits;
use image::metadata::Orientation;
use image::{DynamicImage, GrayAlphaImage, GrayImage, RgbImage, RgbaImage};
use std::collections::BTreeSet;

/// A decoded image: rows of pixels without padding between them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pixels {
    /// Width in pixels, at least 1.
    pub width: u32,
    /// Height in pixels, at least 1.
    pub height: u32,
    /// Number of channels per pixel: 1 for grey, 2 for grey and alpha, 3 for RGB, 4 for RGBA.
    pub channels: usize,
    /// The pixels, with one byte for each channel.
    pub data: Vec<u8>,
}

impl Pixels {
    /// The number of pixels.
    pub fn count(&self) -> u64 {
        u64::from(self.width) * u64::from(self.height)
    }

    /// Whether there is an alpha channel.
    pub fn has_alpha(&self) -> bool {
        self.channels == 2 || self.channels == 4
    }

    /// Removes the alpha channel if all pixels are opaque.
    pub fn without_idle_alpha(mut self) -> Self {
        let alpha = |pixel: &[u8]| pixel.last() == Some(&u8::MAX);
        if self.has_alpha() && self.data.chunks_exact(self.channels).all(alpha) {
            self.drop_alpha(|_, value| value);
        }
        self
    }

    /// Composites the image on white, and removes the alpha channel.
    pub fn on_white(mut self) -> Self {
        if self.has_alpha() {
            self.drop_alpha(|alpha, value| {
                let (alpha, value) = (u32::from(alpha), u32::from(value));
                let mixed = value * alpha + 255 * (255 - alpha);
                u8::try_from((mixed + 127) / 255).unwrap_or(u8::MAX)
            });
        }
        self
    }

    /// Removes the alpha channel in place. `mix` computes the new value of a colour channel from
    /// the alpha value and the old value.
    fn drop_alpha(&mut self, mix: impl Fn(u8, u8) -> u8) {
        let colours = self.channels.saturating_sub(1).max(1);
        let mut kept = 0;
        let mut start = 0;
        while let Some(pixel) = self.data.get(start..start + self.channels) {
            let mut mixed = [0; 3];
            let alpha = pixel.last().copied().unwrap_or(u8::MAX);
            for (out, value) in mixed.iter_mut().zip(pixel.iter().take(colours)) {
                *out = mix(alpha, *value);
            }
            let out = self.data.get_mut(kept..kept + colours);
            for (out, value) in out.into_iter().flatten().zip(mixed) {
                *out = value;
            }
            start += self.channels;
            kept += colours;
        }
        self.data.truncate(kept);
        self.channels = colours;
    }

    /// Whether the image is treated as a photograph: it is not small, has many colours, and few of
    /// its pixels equal their left neighbours, or all are nearly equal, as in a gradient. JPEG artefacts are at edges.
    pub fn is_photograph(&self) -> bool {
        if self.count() <= limits::ICON_PIXELS {
            return false;
        }
        let row = self.width as usize * self.channels;
        let (mut equal, mut pairs, mut edges) = (0u64, 0u64, 0u64);
        let mut colours = BTreeSet::new();
        // Every eighth row is a sufficient sample.
        for row in self.data.chunks_exact(row.max(1)).step_by(8) {
            let shifted = row.get(self.channels..).unwrap_or_default();
            let before = row.chunks_exact(self.channels);
            let after = shifted.chunks_exact(self.channels);
            for (before, after) in before.zip(after) {
                if before == after {
                    equal += 1;
                } else {
                    let mut steps = before.iter().zip(after).map(|(a, b)| a.abs_diff(*b));
                    edges += u64::from(steps.any(|step| step > limits::SMOOTH_STEP));
                }
            }
            pairs += u64::from(self.width.saturating_sub(1));
            let mut pixels = row.chunks_exact(self.channels);
            while colours.len() < limits::PHOTOGRAPH_COLOURS
                && let Some(pixel) = pixels.next()
            {
                colours.insert(pixel);
            }
        }
        // A grey image has at most 256 colours.
        let many = self.channels < 3 || colours.len() >= limits::PHOTOGRAPH_COLOURS;
        let smooth = edges * limits::SMOOTH_PAIRS < pairs && self.channels >= 3;
        many && (equal * 100 < pairs * limits::PHOTOGRAPH_PERCENT || smooth)
    }

    /// Divides the colours by the alpha value, if they were multiplied by it.
    pub fn unmultiplied(mut self) -> Self {
        if self.has_alpha() {
            for pixel in self.data.chunks_exact_mut(self.channels) {
                let Some((alpha, colours)) = pixel.split_last_mut() else {
                    continue;
                };
                let alpha = u32::from(*alpha);
                for value in colours.iter_mut().filter(|_| alpha > 0) {
                    let whole = (u32::from(*value) * 255 + alpha / 2) / alpha;
                    *value = u8::try_from(whole).unwrap_or(u8::MAX);
                }
            }
        }
        self
    }

    /// Rotates and mirrors the image as `orientation` requires.
    pub fn turned(self, orientation: Orientation) -> Self {
        if orientation == Orientation::NoTransforms {
            return self;
        }
        let (width, height, channels) = (self.width, self.height, self.channels);
        let image = match channels {
            1 => GrayImage::from_raw(width, height, self.data).map(DynamicImage::from),
            2 => GrayAlphaImage::from_raw(width, height, self.data).map(DynamicImage::from),
            3 => RgbImage::from_raw(width, height, self.data).map(DynamicImage::from),
            _ => RgbaImage::from_raw(width, height, self.data).map(DynamicImage::from),
        };
        let mut image = image.unwrap_or_default();
        image.apply_orientation(orientation);
        Self {
            width: image.width(),
            height: image.height(),
            channels,
            data: image.into_bytes(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pixels(channels: usize, data: &[u8]) -> Pixels {
        Pixels {
            width: u32::try_from(data.len() / channels).unwrap(),
            height: 1,
            channels,
            data: data.to_vec(),
        }
    }

    #[test]
    fn opaque_alpha_is_removed() {
        let opaque = pixels(4, &[1, 2, 3, 255, 4, 5, 6, 255]).without_idle_alpha();
        assert_eq!(opaque, pixels(3, &[1, 2, 3, 4, 5, 6]));
        let clear = pixels(2, &[7, 255, 8, 254]);
        assert_eq!(clear.clone().without_idle_alpha(), clear);
    }

    #[test]
    fn transparent_pixels_become_white() {
        let half = pixels(4, &[0, 100, 255, 128, 9, 9, 9, 0]).on_white();
        assert_eq!(half, pixels(3, &[127, 177, 255, 255, 255, 255]));
        assert_eq!(pixels(2, &[0, 255, 0, 0]).on_white(), pixels(1, &[0, 255]));
    }

    #[test]
    fn gradients_are_photographs_and_drawings_on_them_are_not() {
        let image = |is_line: fn(u32) -> bool| {
            let mut data = Vec::new();
            for row in 0..200_u32 {
                for column in 0..800_u32 {
                    let line = is_line(column);
                    let colour = [column / 4, row, (column + row) / 8];
                    data.extend(colour.map(|it| if line { 0 } else { u8::try_from(it).unwrap() }));
                }
            }
            Pixels {
                width: 800,
                height: 200,
                channels: 3,
                data,
            }
        };
        assert!(image(|_| false).is_photograph());
        assert!(!image(|column| column == 300).is_photograph());
    }

    #[test]
    fn turning_swaps_sides() {
        let turned = pixels(1, &[1, 2, 3]).turned(Orientation::Rotate90);
        assert_eq!((turned.width, turned.height), (1, 3));
        assert_eq!(turned.data, [1, 2, 3]);
        let turned = pixels(1, &[1, 2, 3]).turned(Orientation::Rotate180);
        assert_eq!(turned.data, [3, 2, 1]);
    }
}
