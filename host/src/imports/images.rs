//! The import `images`: a fresh instance of the image engine for each call.

use crate::bindings::omniread::parts::images::{
    Bounds, Error, Format, Host, ImageFacts, Transcoded,
};
use crate::engines::table::IMAGES;
use crate::limits::DRAWING_TIME;
use crate::state::{Ended, State};
use wasmtime::Result;
use wasmtime::component::{ComponentNamedList, Lift, Lower};

impl Host for State {
    fn probe(&mut self, data: Vec<u8>, format: Format) -> Result<Result<ImageFacts, Error>> {
        self.images("probe", format, (data.as_slice(), format))
    }

    fn validate(
        &mut self,
        data: Vec<u8>,
        format: Format,
        pixels: u64,
    ) -> Result<Result<(), Error>> {
        self.images("validate", format, (data.as_slice(), format, pixels))
    }

    fn transcode(
        &mut self,
        data: Vec<u8>,
        format: Format,
        bounds: Bounds,
    ) -> Result<Result<Transcoded, Error>> {
        self.images("transcode", format, (data.as_slice(), format, bounds))
    }
}

impl State {
    /// Calls a function in a fresh instance of the image engine. The inner error is that of the
    /// engine.
    ///
    /// # Errors
    /// Fails if the read itself was stopped.
    fn images<P, R>(
        &self,
        function: &str,
        format: Format,
        parameters: P,
    ) -> Result<Result<R, Error>>
    where
        P: ComponentNamedList + Lower + Send + Sync,
        R: Lift + Send + Sync + 'static,
    {
        let time = match format {
            Format::Svg => DRAWING_TIME,
            _ => IMAGES.time,
        };
        let called = self.start(&IMAGES).and_then(|mut images| {
            images.run(time, self.stop(), |calls| calls.call(function, parameters))
        });
        match called {
            Ok(outcome) => Ok(outcome),
            Err(ended) => Ok(Err(match self.ended(&ended)? {
                Ended::Exhausted(what) => Error::Exhausted(what.to_owned()),
                Ended::Failed(why) => Error::Failed(why),
            })),
        }
    }
}
