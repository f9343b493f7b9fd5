//! Images of a reply in the encodings that a terminal can show.

use super::Reader;
use crate::bindings::omniread::read::images::{Bounds, Encodings, Format, Host as _};
use crate::state::ReadGrant;
use std::sync::Arc;

/// Pixels of an image that is encoded again for a terminal: it was made to fit before,
/// or handed out as it is.
const PIXELS: u64 = 40_000_000;

impl Reader {
    /// An image in another encoding, its longer side at most `side` pixels; `None` if
    /// that cannot be had.
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
        let _ticking = component.tick();
        let mut state = component.state(grant, Arc::default());
        let fitted = state.fit(data.clone(), format, bounds).ok()?.ok()?;
        Some(fitted.made.map_or(data, |made| made.data))
    }
}
