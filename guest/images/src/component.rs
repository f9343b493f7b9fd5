//! Exports the `images` interface.

#![allow(unsafe_code, reason = "the generated exports pass pointers")]

use super::bindings::exports::omniread::parts::images as wit;
use omniread_image_types::{
    Bounds, Encoding, Encodings, Error, Format, Image, ImageFacts, Transcoded,
};

super::bindings::export!(Engine with_types_in super::bindings);

struct Engine;

impl wit::Guest for Engine {
    fn probe(data: Vec<u8>, format: wit::Format) -> Result<wit::ImageFacts, wit::Error> {
        let facts = crate::probe(&data, format.into())?;
        Ok(facts.into())
    }

    fn validate(data: Vec<u8>, format: wit::Format, pixels: u64) -> Result<(), wit::Error> {
        crate::validate(&data, format.into(), pixels)?;
        Ok(())
    }

    fn transcode(
        data: Vec<u8>,
        format: wit::Format,
        bounds: wit::Bounds,
    ) -> Result<wit::Transcoded, wit::Error> {
        let transcoded = crate::transcode(&data, format.into(), bounds.into())?;
        Ok(transcoded.into())
    }
}

impl From<wit::Format> for Format {
    fn from(format: wit::Format) -> Self {
        match format {
            wit::Format::Bmp => Self::Bmp,
            wit::Format::Dds => Self::Dds,
            wit::Format::Exr => Self::Exr,
            wit::Format::Farbfeld => Self::Farbfeld,
            wit::Format::Gif => Self::Gif,
            wit::Format::Hdr => Self::Hdr,
            wit::Format::Ico => Self::Ico,
            wit::Format::Jpeg => Self::Jpeg,
            wit::Format::Png => Self::Png,
            wit::Format::Pnm => Self::Pnm,
            wit::Format::Qoi => Self::Qoi,
            wit::Format::Svg => Self::Svg,
            wit::Format::Tga => Self::Tga,
            wit::Format::Tiff => Self::Tiff,
            wit::Format::Webp => Self::Webp,
        }
    }
}

impl From<wit::Bounds> for Bounds {
    fn from(bounds: wit::Bounds) -> Self {
        let may = |encoding| bounds.encodings.contains(encoding);
        Self {
            side: bounds.side,
            bytes: bounds.bytes,
            pixels: bounds.pixels,
            encodings: Encodings {
                jpeg: may(wit::Encodings::JPEG),
                pixels: may(wit::Encodings::PIXELS),
                png: may(wit::Encodings::PNG),
                sixel: may(wit::Encodings::SIXEL),
                webp: may(wit::Encodings::WEBP),
            },
        }
    }
}

impl From<ImageFacts> for wit::ImageFacts {
    fn from(facts: ImageFacts) -> Self {
        let entry = |(name, value)| wit::MetadataEntry { name, value };
        Self {
            width: facts.width,
            height: facts.height,
            channels: facts.channels,
            alpha: facts.alpha,
            depth: facts.depth,
            frames: wit::Frames {
                count: facts.frames.count,
                more: facts.frames.more,
            },
            metadata: facts.metadata.into_iter().map(entry).collect(),
        }
    }
}

impl From<Transcoded> for wit::Transcoded {
    fn from(transcoded: Transcoded) -> Self {
        let image = |image: Image| wit::Image {
            encoding: match image.encoding {
                Encoding::Jpeg => wit::Encoding::Jpeg,
                Encoding::Pixels => wit::Encoding::Pixels,
                Encoding::Png => wit::Encoding::Png,
                Encoding::Sixel => wit::Encoding::Sixel,
                Encoding::Webp => wit::Encoding::Webp,
            },
            data: image.data,
            width: image.width,
            height: image.height,
        };
        Self {
            facts: transcoded.facts.into(),
            reencoded: transcoded.reencoded.map(image),
            notes: transcoded.notes,
        }
    }
}

impl From<Error> for wit::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Damaged(message) => Self::Damaged(message),
            Error::Unsupported(what) => Self::Unsupported(what),
            Error::Pixels(count) => Self::Pixels(count),
            Error::Exhausted(what) => Self::Exhausted(what),
            Error::Failed(why) => Self::Failed(why),
            Error::Missing(file) => Self::Missing(file),
        }
    }
}
