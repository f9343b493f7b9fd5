//! Pictures of the component: the `pictures` interface.

use crate::bindings::omniread::read::pictures as wit;
use crate::world::{
    Encoding, Encodings, Facts, Fitted, Picture, PictureBounds, PictureError, PictureFormat,
};
use omniread_pictures::Frames;

/// Reads the header of a picture.
pub fn examine(data: &[u8], format: PictureFormat) -> Result<Facts, PictureError> {
    Ok(wit::examine(data, format.into())?.into())
}

/// Decodes a picture.
pub fn verify(data: &[u8], format: PictureFormat, pixels: u64) -> Result<(), PictureError> {
    Ok(wit::verify(data, format.into(), pixels)?)
}

/// Makes a picture fit.
pub fn fit(
    data: &[u8],
    format: PictureFormat,
    bounds: PictureBounds,
) -> Result<Fitted, PictureError> {
    let bounds = wit::Bounds {
        side: bounds.side,
        bytes: bounds.bytes,
        pixels: bounds.pixels,
        encodings: allowed(bounds.encodings),
    };
    let fitted = wit::fit(data, format.into(), bounds)?;
    let picture = |picture: wit::Picture| Picture {
        encoding: match picture.encoding {
            wit::Encoding::Jpeg => Encoding::Jpeg,
            wit::Encoding::Png => Encoding::Png,
            wit::Encoding::Sixel => Encoding::Sixel,
            wit::Encoding::Webp => Encoding::Webp,
        },
        data: picture.data,
        width: picture.width,
        height: picture.height,
    };
    Ok(Fitted {
        facts: fitted.facts.into(),
        made: fitted.made.map(picture),
        notes: fitted.notes,
    })
}

fn allowed(encodings: Encodings) -> wit::Encodings {
    let all = [
        (encodings.jpeg, wit::Encodings::JPEG),
        (encodings.png, wit::Encodings::PNG),
        (encodings.sixel, wit::Encodings::SIXEL),
        (encodings.webp, wit::Encodings::WEBP),
    ];
    all.into_iter()
        .filter(|(allowed, _)| *allowed)
        .fold(wit::Encodings::empty(), |all, (_, one)| all | one)
}

impl From<wit::Facts> for Facts {
    fn from(facts: wit::Facts) -> Self {
        let notes = facts.notes.into_iter();
        Self {
            width: facts.width,
            height: facts.height,
            channels: facts.channels,
            alpha: facts.alpha,
            depth: facts.depth,
            frames: Frames {
                count: facts.frames.count,
                more: facts.frames.more,
            },
            notes: notes.map(|note| (note.name, note.value)).collect(),
        }
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
