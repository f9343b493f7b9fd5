//! The interface of the image engine in a component that has none.

use crate::Standalone;
use crate::bindings::exports::omniread::parts::images::{
    Bounds, Error, Format, Guest, ImageFacts, Transcoded,
};

/// The name of the file of the component that has the image engine.
const FULL: &str = "omniread-full.wasm";

fn missing() -> Error {
    Error::Missing(FULL.to_owned())
}

impl Guest for Standalone {
    fn probe(_: Vec<u8>, _: Format) -> Result<ImageFacts, Error> {
        Err(missing())
    }

    fn validate(_: Vec<u8>, _: Format, _: u64) -> Result<(), Error> {
        Err(missing())
    }

    fn transcode(_: Vec<u8>, _: Format, _: Bounds) -> Result<Transcoded, Error> {
        Err(missing())
    }
}
