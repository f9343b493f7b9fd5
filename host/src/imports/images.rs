//! Decoders of images: a fresh instance of their engine for each call.

use crate::bindings::omniread::read::images::{Bounds, Error, Facts, Fitted, Format, Host};
use crate::engines::table::IMAGES;
use crate::state::{Ended, State};
use std::time::Duration;
use wasmtime::Result;
use wasmtime::component::{ComponentNamedList, Lift, Lower};

/// Processor time in which an SVG is drawn: what takes longer was made to.
const DRAWING_TIME: Duration = Duration::from_millis(1500);

impl Host for State {
    fn examine(&mut self, data: Vec<u8>, format: Format) -> Result<Result<Facts, Error>> {
        self.images("examine", format, (data.as_slice(), format))
    }

    fn verify(&mut self, data: Vec<u8>, format: Format, pixels: u64) -> Result<Result<(), Error>> {
        self.images("verify", format, (data.as_slice(), format, pixels))
    }

    fn fit(
        &mut self,
        data: Vec<u8>,
        format: Format,
        bounds: Bounds,
    ) -> Result<Result<Fitted, Error>> {
        self.images("fit", format, (data.as_slice(), format, bounds))
    }
}

impl State {
    /// Calls a function of the engine.
    ///
    /// # Errors
    /// If the read itself is to stop.
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
