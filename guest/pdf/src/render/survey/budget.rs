//! What drawing a page may cost: an estimate of time and memory.

use crate::limits;
use omniread_document::Error;

/// Why a page is not drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stop {
    /// The name of the limit.
    pub limit: &'static str,
    /// Whether a smaller image of the page may stay within the limit.
    pub by_size: bool,
}

impl From<Stop> for Error {
    fn from(stop: Stop) -> Self {
        Self::exhausted(stop.limit)
    }
}

/// What is spent so far.
#[derive(Debug)]
pub struct Budget {
    /// An estimate of the time in nanoseconds.
    time: u64,
    /// An estimate of the bytes that stay in memory until the page is drawn.
    bytes: u64,
    /// How many times the content that is surveyed is drawn.
    times: u64,
}

impl Default for Budget {
    fn default() -> Self {
        Self {
            time: 0,
            bytes: 0,
            times: 1,
        }
    }
}

impl Budget {
    /// The time and the bytes so far.
    pub fn spent(&self) -> (u64, u64) {
        (self.time, self.bytes)
    }

    /// How many times the content is drawn.
    pub fn times(&self) -> u64 {
        self.times
    }

    /// Content that follows is drawn `times` times. Returns the number before.
    pub fn repeat(&mut self, times: u64) -> u64 {
        let before = self.times;
        self.times = before.saturating_mul(times.max(1));
        before
    }

    /// Ends the repetition of content.
    pub fn end_repeat(&mut self, before: u64) {
        self.times = before;
    }

    /// Spends nanoseconds that do not depend on the size of the image.
    pub fn time(&mut self, nanoseconds: u64) -> Result<(), Stop> {
        self.spend_time(nanoseconds, false)
    }

    /// Spends nanoseconds for pixels of the image.
    pub fn pixels(&mut self, pixels: f64, nanoseconds: f64) -> Result<(), Stop> {
        self.spend_time(whole(pixels * nanoseconds), true)
    }

    /// Spends bytes.
    pub fn bytes(&mut self, bytes: f64) -> Result<(), Stop> {
        self.bytes = self
            .bytes
            .saturating_add(whole(bytes).saturating_mul(self.times));
        self.check(0, true)
    }

    /// Checks whether there is room for bytes that are needed for a short time. `by_size` is whether their
    /// number depends on the size of the image.
    pub fn check(&self, bytes: u64, by_size: bool) -> Result<(), Stop> {
        if self.bytes.saturating_add(bytes) > limits::RENDER_BYTES {
            return Err(Stop {
                limit: "bytes for the image of a page",
                // A smaller image is worth a try if it is not the short need alone.
                by_size: by_size || bytes <= limits::RENDER_BYTES,
            });
        }
        Ok(())
    }

    /// The bytes that are left.
    pub fn room(&self) -> u64 {
        limits::RENDER_BYTES.saturating_sub(self.bytes)
    }

    fn spend_time(&mut self, nanoseconds: u64, by_size: bool) -> Result<(), Stop> {
        self.time = self
            .time
            .saturating_add(nanoseconds.saturating_mul(self.times));
        if self.time > limits::RENDER_NANOSECONDS {
            return Err(Stop {
                limit: "operations for the image of a page",
                by_size,
            });
        }
        Ok(())
    }
}

/// A number as a whole number that is not negative. What is not a number is the largest one, so that it
/// exceeds every limit.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the cast saturates, which is meant"
)]
pub fn whole(number: f64) -> u64 {
    if number.is_nan() {
        u64::MAX
    } else {
        number.ceil() as u64
    }
}
