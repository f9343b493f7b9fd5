//! Pictures of a native build: the engine as a library.

use crate::world::{Dimensions, Facts, Fit, Fitted, Frames, Picture, PictureError, PictureFormat};
use omniread_pictures::{Bounds, Encoding, Encodings, Error, Format};

/// Reads the header of a picture.
pub fn examine(data: &[u8], format: PictureFormat) -> Result<Facts, PictureError> {
    let facts = omniread_pictures::examine(data, format.into())?;
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
        notes: facts.notes,
    })
}

/// Decodes a picture.
pub fn verify(data: &[u8], format: PictureFormat, pixels: u64) -> Result<(), PictureError> {
    Ok(omniread_pictures::verify(data, format.into(), pixels)?)
}

/// Makes a picture fit.
pub fn fit(
    data: &[u8],
    format: PictureFormat,
    fit: Fit,
    pixels: u64,
) -> Result<Fitted, PictureError> {
    let bounds = Bounds {
        side: fit.side,
        bytes: fit.bytes,
        pixels,
        encodings: Encodings::MODELS,
    };
    let fitted = omniread_pictures::fit(data, format.into(), bounds)?;
    let picture = |picture: omniread_pictures::Picture| Picture {
        mime: match picture.encoding {
            Encoding::Jpeg => "image/jpeg",
            Encoding::Png => "image/png",
            Encoding::Sixel => "image/x-sixel",
            Encoding::Webp => "image/webp",
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

impl From<PictureFormat> for Format {
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

impl From<Error> for PictureError {
    fn from(error: Error) -> Self {
        match error {
            Error::Damaged(words) => Self::Damaged(words),
            Error::Unsupported(what) => Self::Unsupported(what),
            Error::Pixels(count) => Self::Pixels(count),
            Error::Exhausted(what) => Self::Exhausted(what),
        }
    }
}
