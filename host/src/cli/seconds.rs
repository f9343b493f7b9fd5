//! Times in seconds, as in `--timeout`.

use std::time::Duration;

/// The shortest timeout, because messages state times in milliseconds.
const SHORTEST_TIMEOUT: Duration = Duration::from_millis(1);

/// Parses a timeout in seconds, which may have a fraction. Only 0 means no limit: shorter times
/// than [`SHORTEST_TIMEOUT`] are raised to it.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: Option<f64> = text.parse().ok();
    let time = seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    match time {
        Some(time) if seconds != Some(0.0) => Ok(time.max(SHORTEST_TIMEOUT)),
        Some(time) => Ok(time),
        None => Err("write a number of seconds, such as 2 or 0.5".to_owned()),
    }
}
