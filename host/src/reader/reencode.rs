//! Re-encodes images of a reply for a terminal.

use super::Reader;
use crate::bindings::omniread::read::images::{
    Bounds, Encoding, Encodings, Format, Host as _, Transcoded,
};
use crate::state::ReadGrant;
use std::sync::Arc;

/// The maximum number of pixels of an image that is re-encoded for a terminal.
const PIXELS: u64 = 40_000_000;

/// The pixels of an image, as the image engine decoded them in the sandbox.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Pixels {
    /// The number of pixels of a row.
    pub width: u32,
    /// The pixels, row by row from the top: red, green, blue and alpha.
    pub rgba: Vec<[u8; 4]>,
}

impl Pixels {
    /// The number of rows.
    pub fn height(&self) -> usize {
        self.rgba.len() / (self.width as usize).max(1)
    }
}

impl Reader {
    /// Re-encodes an image of a reply, so that its longer side has at most `side` pixels. Returns
    /// the same bytes if no change is needed, and `None` if the image cannot be re-encoded.
    pub(crate) fn encoded(
        &self,
        grant: ReadGrant,
        data: Vec<u8>,
        mime: &str,
        side: u32,
        encodings: Encodings,
    ) -> Option<Vec<u8>> {
        let transcoded = self.transcoded(grant, data.clone(), mime, side, encodings)?;
        Some(transcoded.reencoded.map_or(data, |image| image.data))
    }

    /// The pixels of an image of a reply, scaled down so that its longer side has at most `side`
    /// pixels. `None` if the image cannot be decoded.
    pub(crate) fn pixels(
        &self,
        grant: ReadGrant,
        data: Vec<u8>,
        mime: &str,
        side: u32,
    ) -> Option<Pixels> {
        let transcoded = self.transcoded(grant, data, mime, side, Encodings::PIXELS)?;
        let image = transcoded.reencoded?;
        let (rgba, rest) = image.data.as_chunks::<4>();
        // The engine has read an untrusted file, so its sizes are checked.
        let count = u64::from(image.width) * u64::from(image.height);
        let sound = image.encoding == Encoding::Pixels
            && image.width.max(image.height) <= side
            && rgba.len() as u64 == count
            && rest.is_empty();
        sound.then(|| Pixels {
            width: image.width,
            rgba: rgba.to_vec(),
        })
    }

    fn transcoded(
        &self,
        grant: ReadGrant,
        data: Vec<u8>,
        mime: &str,
        side: u32,
        encodings: Encodings,
    ) -> Option<Transcoded> {
        let format = match mime {
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
        let component = &self.0.component;
        let _ticking = component.tick().ok()?;
        let mut state = component.state(grant, Arc::default());
        state.transcode(data, format, bounds).ok()?.ok()
    }
}
