//! Access to image decoders through the imported interface `images`.

use crate::bindings::omniread::parts::images as wit;
use crate::world::{
    DecoderFormat, Encoding, Encodings, Image, ImageBounds, ImageError, ImageFacts, Transcoded,
};
use omniread_image_types::Frames;

/// Reads the header of an image.
pub fn probe(data: &[u8], format: DecoderFormat) -> Result<ImageFacts, ImageError> {
    Ok(wit::probe(data, format.into())?.into())
}

/// Checks that all of an image can be decoded, and that it has at most `pixels` pixels.
pub fn validate(data: &[u8], format: DecoderFormat, pixels: u64) -> Result<(), ImageError> {
    Ok(wit::validate(data, format.into(), pixels)?)
}

/// Decodes an image and re-encodes it to fit the bounds, unless the unchanged file can be used.
pub fn transcode(
    data: &[u8],
    format: DecoderFormat,
    bounds: ImageBounds,
) -> Result<Transcoded, ImageError> {
    let bounds = wit::Bounds {
        side: bounds.side,
        bytes: bounds.bytes,
        pixels: bounds.pixels,
        encodings: allowed(bounds.encodings),
    };
    let transcoded = wit::transcode(data, format.into(), bounds)?;
    let image = |image: wit::Image| Image {
        encoding: match image.encoding {
            wit::Encoding::Jpeg => Encoding::Jpeg,
            wit::Encoding::Pixels => Encoding::Pixels,
            wit::Encoding::Png => Encoding::Png,
            wit::Encoding::Sixel => Encoding::Sixel,
            wit::Encoding::Webp => Encoding::Webp,
        },
        data: image.data,
        width: image.width,
        height: image.height,
    };
    Ok(Transcoded {
        facts: transcoded.facts.into(),
        reencoded: transcoded.reencoded.map(image),
        notes: transcoded.notes,
    })
}

fn allowed(encodings: Encodings) -> wit::Encodings {
    let all = [
        (encodings.jpeg, wit::Encodings::JPEG),
        (encodings.pixels, wit::Encodings::PIXELS),
        (encodings.png, wit::Encodings::PNG),
        (encodings.sixel, wit::Encodings::SIXEL),
        (encodings.webp, wit::Encodings::WEBP),
    ];
    all.into_iter()
        .filter(|(allowed, _)| *allowed)
        .fold(wit::Encodings::empty(), |all, (_, one)| all | one)
}

impl From<wit::ImageFacts> for ImageFacts {
    fn from(facts: wit::ImageFacts) -> Self {
        let metadata = facts.metadata.into_iter();
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
            metadata: metadata.map(|entry| (entry.name, entry.value)).collect(),
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
            wit::Error::Damaged(message) => Self::Damaged(message),
            wit::Error::Unsupported(what) => Self::Unsupported(what),
            wit::Error::Pixels(count) => Self::Pixels(count),
            wit::Error::Exhausted(what) => Self::Exhausted(what),
            wit::Error::Failed(why) => Self::Failed(why),
            wit::Error::Missing(file) => Self::Missing(file),
        }
    }
}
