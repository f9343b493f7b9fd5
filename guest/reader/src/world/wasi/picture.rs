//! Pictures of the component: the `pictures` interface.

use super::WasiWorld;
use crate::bindings::omniread::read::pictures as wit;
use crate::world::{Dimensions, Facts, Fit, Fitted, Frames, Picture, PictureError, PictureFormat};

impl WasiWorld {
    /// Reads the header of a picture.
    pub(super) fn header(data: &[u8], format: PictureFormat) -> Result<Facts, PictureError> {
        let facts = wit::examine(data, format.into())?;
        Ok(Facts {
            size: Dimensions {
                width: facts.width,
                height: facts.height,
            },
            channels: facts.channels,
            alpha: facts.alpha,
            depth: facts.depth,
            frames: Frames {
                count: facts.frames.count,
                more: facts.frames.more,
            },
            notes: facts
                .notes
                .into_iter()
                .map(|note| (note.name, note.value))
                .collect(),
        })
    }

    /// Decodes a picture.
    pub(super) fn decode(
        data: &[u8],
        format: PictureFormat,
        pixels: u64,
    ) -> Result<(), PictureError> {
        Ok(wit::verify(data, format.into(), pixels)?)
    }

    /// Makes a picture fit.
    pub(super) fn fitted(
        data: &[u8],
        format: PictureFormat,
        fit: Fit,
        pixels: u64,
    ) -> Result<Fitted, PictureError> {
        let bounds = wit::Bounds {
            side: fit.side,
            bytes: fit.bytes,
            pixels,
            // What models take.
            encodings: wit::Encodings::JPEG | wit::Encodings::PNG | wit::Encodings::WEBP,
        };
        let fitted = wit::fit(data, format.into(), bounds)?;
        let picture = |picture: wit::Picture| Picture {
            mime: match picture.encoding {
                wit::Encoding::Jpeg => "image/jpeg",
                wit::Encoding::Png => "image/png",
                wit::Encoding::Sixel => "image/x-sixel",
                wit::Encoding::Webp => "image/webp",
            },
            data: picture.data,
            size: Dimensions {
                width: picture.width,
                height: picture.height,
            },
        };
        Ok(Fitted {
            made: fitted.made.map(picture),
            notes: fitted.notes,
        })
    }
}

impl From<PictureFormat> for wit::Format {
    fn from(format: PictureFormat) -> Self {
        match format {
            PictureFormat::Bmp => Self::Bmp,
            PictureFormat::Dds => Self::Dds,
            PictureFormat::Exr => Self::Exr,
            PictureFormat::Farbfeld => Self::Farbfeld,
            PictureFormat::Gif => Self::Gif,
            PictureFormat::Hdr => Self::Hdr,
            PictureFormat::Ico => Self::Ico,
            PictureFormat::Jpeg => Self::Jpeg,
            PictureFormat::Png => Self::Png,
            PictureFormat::Pnm => Self::Pnm,
            PictureFormat::Qoi => Self::Qoi,
            PictureFormat::Svg => Self::Svg,
            PictureFormat::Tga => Self::Tga,
            PictureFormat::Tiff => Self::Tiff,
            PictureFormat::Webp => Self::Webp,
        }
    }
}

impl From<wit::Error> for PictureError {
    fn from(error: wit::Error) -> Self {
        match error {
            wit::Error::Damaged(words) => Self::Damaged(words),
            wit::Error::Unsupported(what) => Self::Unsupported(what),
            wit::Error::Pixels(count) => Self::Pixels(count),
            wit::Error::Exhausted(what) => Self::Exhausted(what),
            wit::Error::Failed(why) => Self::Failed(why),
        }
    }
}
