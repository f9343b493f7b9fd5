//! The `images` interface.

#![allow(unsafe_code, reason = "the generated exports pass pointers")]

use super::bindings::exports::omniread::read::images as wit;
use omniread_image_types::{Bounds, Encoding, Encodings, Error, Facts, Fitted, Format, Image};

super::bindings::export!(Engine with_types_in super::bindings);

struct Engine;

impl wit::Guest for Engine {
    fn examine(data: Vec<u8>, format: wit::Format) -> Result<wit::Facts, wit::Error> {
        let facts = crate::examine(&data, format.into())?;
        Ok(facts.into())
    }

    fn verify(data: Vec<u8>, format: wit::Format, pixels: u64) -> Result<(), wit::Error> {
        crate::verify(&data, format.into(), pixels)?;
        Ok(())
    }

    fn fit(
        data: Vec<u8>,
        format: wit::Format,
        bounds: wit::Bounds,
    ) -> Result<wit::Fitted, wit::Error> {
        let fitted = crate::fit(&data, format.into(), bounds.into())?;
        Ok(fitted.into())
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
                png: may(wit::Encodings::PNG),
                sixel: may(wit::Encodings::SIXEL),
                webp: may(wit::Encodings::WEBP),
            },
        }
    }
}

impl From<Facts> for wit::Facts {
    fn from(facts: Facts) -> Self {
        let note = |(name, value)| wit::Note { name, value };
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
            notes: facts.notes.into_iter().map(note).collect(),
        }
    }
}

impl From<Fitted> for wit::Fitted {
    fn from(fitted: Fitted) -> Self {
        let image = |image: Image| wit::Image {
            encoding: match image.encoding {
                Encoding::Jpeg => wit::Encoding::Jpeg,
                Encoding::Png => wit::Encoding::Png,
                Encoding::Sixel => wit::Encoding::Sixel,
                Encoding::Webp => wit::Encoding::Webp,
            },
            data: image.data,
            width: image.width,
            height: image.height,
        };
        Self {
            facts: fitted.facts.into(),
            made: fitted.made.map(image),
            notes: fitted.notes,
        }
    }
}

impl From<Error> for wit::Error {
    fn from(error: Error) -> Self {
        match error {
            Error::Damaged(words) => Self::Damaged(words),
            Error::Unsupported(what) => Self::Unsupported(what),
            Error::Pixels(count) => Self::Pixels(count),
            Error::Exhausted(what) => Self::Exhausted(what),
            Error::Failed(why) => Self::Failed(why),
        }
    }
}
