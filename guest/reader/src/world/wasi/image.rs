//! Images of the component: the `images` interface.

use crate::bindings::omniread::read::images as wit;
use crate::world::{
    DecoderFormat, Encoding, Encodings, Facts, Fitted, Image, ImageBounds, ImageError,
};
use omniread_image_types::Frames;

/// Reads the header of an image.
pub fn examine(data: &[u8], format: DecoderFormat) -> Result<Facts, ImageError> {
    Ok(wit::examine(data, format.into())?.into())
}

/// Decodes an image.
pub fn verify(data: &[u8], format: DecoderFormat, pixels: u64) -> Result<(), ImageError> {
    Ok(wit::verify(data, format.into(), pixels)?)
}

/// Makes an image fit.
pub fn fit(data: &[u8], format: DecoderFormat, bounds: ImageBounds) -> Result<Fitted, ImageError> {
    let bounds = wit::Bounds {
        side: bounds.side,
        bytes: bounds.bytes,
        pixels: bounds.pixels,
        encodings: allowed(bounds.encodings),
    };
    let fitted = wit::fit(data, format.into(), bounds)?;
    let image = |image: wit::Image| Image {
        encoding: match image.encoding {
            wit::Encoding::Jpeg => Encoding::Jpeg,
            wit::Encoding::Png => Encoding::Png,
            wit::Encoding::Sixel => Encoding::Sixel,
            wit::Encoding::Webp => Encoding::Webp,
        },
        data: image.data,
        width: image.width,
        height: image.height,
    };
    Ok(Fitted {
        facts: fitted.facts.into(),
        made: fitted.made.map(image),
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

impl From<DecoderFormat> for wit::Format {
    fn from(format: DecoderFormat) -> Self {
        match format {
            DecoderFormat::Bmp => Self::Bmp,
            DecoderFormat::Dds => Self::Dds,
            DecoderFormat::Exr => Self::Exr,
            DecoderFormat::Farbfeld => Self::Farbfeld,
            DecoderFormat::Gif => Self::Gif,
            DecoderFormat::Hdr => Self::Hdr,
            DecoderFormat::Ico => Self::Ico,
            DecoderFormat::Jpeg => Self::Jpeg,
            DecoderFormat::Png => Self::Png,
            DecoderFormat::Pnm => Self::Pnm,
            DecoderFormat::Qoi => Self::Qoi,
            DecoderFormat::Svg => Self::Svg,
            DecoderFormat::Tga => Self::Tga,
            DecoderFormat::Tiff => Self::Tiff,
            DecoderFormat::Webp => Self::Webp,
        }
    }
}

impl From<wit::Error> for ImageError {
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
