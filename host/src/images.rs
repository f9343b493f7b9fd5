//! Images of a reply, converted for terminals. The image engine does this in the sandbox, so that the
//! program that shows an image does not decode a file.

use crate::bindings::omniread::parts::images::{
    self as engine, Bounds, Encodings, Format, Host as _, Transcoded,
};
use crate::session::Session;
use crate::types::Media;

/// The maximum number of pixels of an image that is converted.
const PIXELS: u64 = 40_000_000;

/// An encoding of images.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Encoding {
    /// Baseline JPEG.
    Jpeg,
    /// PNG.
    Png,
    /// Sixel graphics for terminals. If it is allowed, no other encoding is tried.
    Sixel,
}

/// The pixels of an image.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Pixels {
    /// The number of pixels of a row.
    pub width: u32,
    /// The pixels, row by row from the top: red, green, blue and alpha.
    pub rgba: Vec<[u8; 4]>,
}

impl Pixels {
    /// Creates an image from its pixels, row by row from the top. Pixels that fill no row are left out.
    pub fn new(width: u32, mut rgba: Vec<[u8; 4]>) -> Self {
        let rows = rgba.len() / (width as usize).max(1);
        rgba.truncate(rows * width as usize);
        Self { width, rgba }
    }

    /// Returns the number of rows.
    pub fn height(&self) -> usize {
        self.rgba.len() / (self.width as usize).max(1)
    }
}

impl Session {
    /// Returns the bytes of an image of a reply in one of these encodings, with at most `side` pixels on
    /// its longer side. They are unchanged if the image is such already. `None` if it cannot be decoded.
    pub fn encoded(&self, image: &Media, side: u32, encodings: &[Encoding]) -> Option<Vec<u8>> {
        let allowed = encodings.iter().map(|encoding| match encoding {
            Encoding::Jpeg => Encodings::JPEG,
            Encoding::Png => Encodings::PNG,
            Encoding::Sixel => Encodings::SIXEL,
        });
        let allowed = allowed.fold(Encodings::empty(), |all, one| all | one);
        let transcoded = self.transcoded(image, side, allowed)?;
        match transcoded.reencoded {
            Some(image) => Some(image.data),
            None => image.bytes().ok(),
        }
    }

    /// Returns the pixels of an image of a reply, scaled down so that its longer side has at most `side`
    /// pixels. `None` if the image cannot be decoded.
    pub fn pixels(&self, image: &Media, side: u32) -> Option<Pixels> {
        let transcoded = self.transcoded(image, side, Encodings::PIXELS)?;
        let image = transcoded.reencoded?;
        let (rgba, rest) = image.data.as_chunks::<4>();
        // The engine has read an untrusted file, so its sizes are checked.
        let count = u64::from(image.width) * u64::from(image.height);
        let sound = image.encoding == engine::Encoding::Pixels
            && image.width.max(image.height) <= side
            && rgba.len() as u64 == count
            && rest.is_empty();
        sound.then(|| Pixels {
            width: image.width,
            rgba: rgba.to_vec(),
        })
    }

    fn transcoded(&self, image: &Media, side: u32, encodings: Encodings) -> Option<Transcoded> {
        let format = match image.mime.as_str() {
            "image/bmp" => Format::Bmp,
            "image/gif" => Format::Gif,
            "image/jpeg" => Format::Jpeg,
            "image/png" => Format::Png,
            "image/webp" => Format::Webp,
            _ => return None,
        };
        let bounds = Bounds {
            side,
            bytes: u32::MAX,
            pixels: PIXELS,
            encodings,
        };
        let mut state = self.detached();
        state
            .transcode(image.bytes().ok()?, format, bounds)
            .ok()?
            .ok()
    }
}
