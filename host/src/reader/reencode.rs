//! Re-encodes images of a reply for a terminal.

use super::Reader;
use crate::bindings::omniread::read::images::{Bounds, Encodings, Format, Host as _};
use crate::state::ReadGrant;
use std::sync::Arc;

/// The maximum number of pixels of an image that is re-encoded for a terminal.
const PIXELS: u64 = 40_000_000;

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
        let transcoded = state.transcode(data.clone(), format, bounds).ok()?.ok()?;
        Some(transcoded.reencoded.map_or(data, |image| image.data))
    }
}
