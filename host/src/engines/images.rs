//! Decoders of images beside the reader: a fresh instance for each call.

use super::Ended;
use crate::bindings::images_engine::ImagesEngine;
use crate::bindings::images_engine::exports::omniread::read::images as engine;
use crate::bindings::omniread::read::images::{self as wit, Error};
use crate::engine::State;
use std::time::Duration;
use wasmtime::{Result, Store};

/// Memory of an engine, if the read has as much: the file, 176 MiB of decoded
/// pixels, what is made of them, and what the decoder needs.
pub(super) const MEMORY: usize = 448 << 20;

/// Processor time of one call. An image of as many pixels as are decoded takes
/// one second, or three if it is a WebP, and some processors are slower.
const TIME: Duration = Duration::from_secs(5);

/// Processor time in which an SVG is drawn: what takes longer was made to.
const DRAWING_TIME: Duration = Duration::from_millis(1500);

/// Pixels of an image that is encoded anew: it was made to fit before, or
/// handed out as it is.
const PIXELS: u64 = 40_000_000;

impl wit::Host for State {
    fn examine(&mut self, data: Vec<u8>, format: wit::Format) -> Result<Result<wit::Facts, Error>> {
        let examined = self.call(format, |images, store| {
            images
                .omniread_read_images()
                .call_examine(store, &data, self::format(format))
        })?;
        Ok(examined.map(facts))
    }

    fn verify(
        &mut self,
        data: Vec<u8>,
        format: wit::Format,
        pixels: u64,
    ) -> Result<Result<(), Error>> {
        self.call(format, |images, store| {
            images
                .omniread_read_images()
                .call_verify(store, &data, self::format(format), pixels)
        })
    }

    fn fit(
        &mut self,
        data: Vec<u8>,
        format: wit::Format,
        bounds: wit::Bounds,
    ) -> Result<Result<wit::Fitted, Error>> {
        let bounds = engine::Bounds {
            side: bounds.side,
            bytes: bounds.bytes,
            pixels: bounds.pixels,
            encodings: allowed(bounds.encodings),
        };
        let fitted = self.call(format, |images, store| {
            images
                .omniread_read_images()
                .call_fit(store, &data, self::format(format), bounds)
        })?;
        Ok(fitted.map(self::fitted))
    }
}

impl State {
    /// An image in another encoding; `None` if that cannot be had.
    pub(crate) fn encoded(
        &mut self,
        data: Vec<u8>,
        mime: &str,
        side: u32,
        encodings: wit::Encodings,
    ) -> Option<Vec<u8>> {
        let format = match mime {
            "image/bmp" => wit::Format::Bmp,
            "image/gif" => wit::Format::Gif,
            "image/jpeg" => wit::Format::Jpeg,
            "image/png" => wit::Format::Png,
            "image/webp" => wit::Format::Webp,
            _ => return None,
        };
        let bounds = wit::Bounds {
            side,
            bytes: u32::MAX,
            pixels: PIXELS,
            encodings,
        };
        let fitted = wit::Host::fit(self, data.clone(), format, bounds)
            .ok()?
            .ok()?;
        Some(fitted.made.map_or(data, |made| made.data))
    }

    /// Calls an engine in a fresh instance.
    ///
    /// # Errors
    /// If the read itself is to stop.
    fn call<T>(
        &self,
        format: wit::Format,
        call: impl FnOnce(&ImagesEngine, &mut Store<State>) -> Result<Result<T, engine::Error>>,
    ) -> Result<Result<T, Error>> {
        if let Err(why) = self.ready() {
            return Ok(Err(Error::Failed(why.to_owned())));
        }
        let time = match format {
            wit::Format::Svg => DRAWING_TIME,
            _ => TIME,
        };
        let called = self.engine.images().and_then(|engine| {
            let mut store = self.engine_store(MEMORY)?;
            super::call(&mut store, time, &self.filesystem.stop, |store| {
                let images = engine.instantiate(&mut **store)?;
                call(&images, store)
            })
        });
        match called {
            Ok(outcome) => Ok(outcome.map_err(error)),
            Err(ended) => Ok(Err(match self.ended(&ended)? {
                Ended::Exhausted(what) => Error::Exhausted(what.to_owned()),
                Ended::Failed(why) => Error::Failed(why),
            })),
        }
    }
}

fn format(format: wit::Format) -> engine::Format {
    match format {
        wit::Format::Bmp => engine::Format::Bmp,
        wit::Format::Dds => engine::Format::Dds,
        wit::Format::Exr => engine::Format::Exr,
        wit::Format::Farbfeld => engine::Format::Farbfeld,
        wit::Format::Gif => engine::Format::Gif,
        wit::Format::Hdr => engine::Format::Hdr,
        wit::Format::Ico => engine::Format::Ico,
        wit::Format::Jpeg => engine::Format::Jpeg,
        wit::Format::Png => engine::Format::Png,
        wit::Format::Pnm => engine::Format::Pnm,
        wit::Format::Qoi => engine::Format::Qoi,
        wit::Format::Svg => engine::Format::Svg,
        wit::Format::Tga => engine::Format::Tga,
        wit::Format::Tiff => engine::Format::Tiff,
        wit::Format::Webp => engine::Format::Webp,
    }
}

fn allowed(encodings: wit::Encodings) -> engine::Encodings {
    let all = [
        (wit::Encodings::JPEG, engine::Encodings::JPEG),
        (wit::Encodings::PNG, engine::Encodings::PNG),
        (wit::Encodings::SIXEL, engine::Encodings::SIXEL),
        (wit::Encodings::WEBP, engine::Encodings::WEBP),
    ];
    let none = engine::Encodings::default();
    all.into_iter()
        .filter(|(encoding, _)| encodings.contains(*encoding))
        .fold(none, |all, (_, encoding)| all | encoding)
}

fn encoding(encoding: engine::Encoding) -> wit::Encoding {
    match encoding {
        engine::Encoding::Jpeg => wit::Encoding::Jpeg,
        engine::Encoding::Png => wit::Encoding::Png,
        engine::Encoding::Sixel => wit::Encoding::Sixel,
        engine::Encoding::Webp => wit::Encoding::Webp,
    }
}

fn facts(facts: engine::Facts) -> wit::Facts {
    let note = |note: engine::Note| wit::Note {
        name: note.name,
        value: note.value,
    };
    wit::Facts {
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

fn fitted(fitted: engine::Fitted) -> wit::Fitted {
    let image = |image: engine::Image| wit::Image {
        encoding: encoding(image.encoding),
        data: image.data,
        width: image.width,
        height: image.height,
    };
    wit::Fitted {
        facts: facts(fitted.facts),
        made: fitted.made.map(image),
        notes: fitted.notes,
    }
}

fn error(error: engine::Error) -> Error {
    match error {
        engine::Error::Damaged(words) => Error::Damaged(words),
        engine::Error::Unsupported(what) => Error::Unsupported(what),
        engine::Error::Pixels(count) => Error::Pixels(count),
        engine::Error::Exhausted(what) => Error::Exhausted(what),
        engine::Error::Failed(why) => Error::Failed(why),
    }
}
