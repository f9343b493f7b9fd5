//! The sizes of decompressed streams. The library decompresses them whole.

use super::budget::Stop;
use super::machine::{DECOMPRESSED, Survey};
use crate::decode;
use crate::limits;
use hayro_syntax::Filter;
use hayro_syntax::object::{Dict, Object, Stream};

/// The largest factor by which deflate makes data longer.
const DEFLATE: u64 = 1032;

/// The largest factor by which LZW and run lengths make data longer: 4096 bytes for 12 bits.
const OTHER: u64 = 2731;

/// How deep dictionaries and arrays are searched for streams.
const LEVELS: u8 = 6;

/// The number of decompressed bytes of a stream, or a number that is larger, as far as filters that are not
/// for images are applied.
///
/// # Errors
/// Fails if the stream has more than `most` bytes.
pub fn length(stream: &Stream<'_>, most: u64) -> Result<u64, Stop> {
    let raw = u64::try_from(stream.raw_data().len()).unwrap_or(u64::MAX);
    let mut bound = raw;
    for filter in stream.filters() {
        bound = bound.saturating_mul(match filter {
            Filter::FlateDecode => DEFLATE,
            Filter::LzwDecode | Filter::RunLengthDecode => OTHER,
            _ => 1,
        });
    }
    if bound <= most {
        // It is small enough, whatever it contains. The usual factor is below 20.
        return Ok(bound.min(raw.saturating_mul(20)));
    }
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    match decode::length(stream, most) {
        Some(length) if length > most => Err(Stop {
            limit: "decompressed bytes",
            by_size: false,
        }),
        Some(length) => Ok(u64::try_from(length).unwrap_or(u64::MAX)),
        None => Ok(raw),
    }
}

impl Survey<'_> {
    /// Measures the streams of an object, such as the profile of a colour space.
    pub fn measure(&mut self, object: &Object<'_>) -> Result<(), Stop> {
        if let Object::Array(list) = object {
            // Arrays of a file are known by their places, as dictionaries are.
            if self.is_new_place(list.data()) {
                self.nested_spaces(object)?;
            }
        }
        let mut rest = limits::RENDER_OBJECTS;
        self.measure_within(object, LEVELS, &mut rest)
    }

    fn measure_within(
        &mut self,
        object: &Object<'_>,
        levels: u8,
        rest: &mut usize,
    ) -> Result<(), Stop> {
        let (Some(deeper), Some(fewer)) = (levels.checked_sub(1), rest.checked_sub(1)) else {
            return Ok(());
        };
        *rest = fewer;
        match object {
            Object::Stream(stream) if self.is_new(stream.dict()) => {
                let length = length(stream, limits::RENDER_STREAM_BYTES)?;
                self.budget.time(length.saturating_mul(DECOMPRESSED))?;
                self.measure_entries(stream.dict(), deeper, rest)?;
            }
            Object::Dict(dict) if self.is_new(dict) => {
                self.measure_entries(dict, deeper, rest)?;
            }
            Object::Array(list) => {
                for object in list.iter::<Object<'_>>().take(*rest) {
                    self.measure_within(&object, deeper, rest)?;
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn measure_entries(
        &mut self,
        dict: &Dict<'_>,
        levels: u8,
        rest: &mut usize,
    ) -> Result<(), Stop> {
        for key in dict.keys() {
            // The way back.
            if matches!(key.as_ref(), b"Parent" | b"P") {
                continue;
            }
            if let Some(object) = dict.get::<Object<'_>>(key.as_ref()) {
                self.measure_within(&object, levels, rest)?;
            }
        }
        Ok(())
    }

    /// Whether a dictionary is seen for the first time. It is known by its place in the file.
    pub fn is_new(&mut self, dict: &Dict<'_>) -> bool {
        self.is_new_place(dict.data())
    }

    fn is_new_place(&mut self, data: &[u8]) -> bool {
        if self.measured.len() >= limits::RENDER_OBJECTS {
            return true;
        }
        self.measured.insert((data.as_ptr().addr(), data.len()))
    }
}
