//! The environment and the clock of an instance.

use crate::system::System;
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use wasmtime::Result;
use wasmtime_wasi::p2::bindings::sync::cli::environment;
use wasmtime_wasi::p2::bindings::sync::clocks::wall_clock::{self, Datetime};

impl environment::Host for System {
    fn get_environment(&mut self) -> Result<Vec<(String, String)>> {
        Ok(self.environment.to_vec())
    }

    fn get_arguments(&mut self) -> Result<Vec<String>> {
        Ok(Vec::new())
    }

    fn initial_cwd(&mut self) -> Result<Option<String>> {
        Ok(None)
    }
}

/// The time since 1970. WASI counts from then, and a clock that is set to an earlier time shows 1970.
fn since_1970(time: SystemTime) -> Datetime {
    datetime(time.duration_since(UNIX_EPOCH).unwrap_or_default())
}

fn datetime(duration: Duration) -> Datetime {
    Datetime {
        seconds: duration.as_secs(),
        nanoseconds: duration.subsec_nanos(),
    }
}

impl wall_clock::Host for System {
    fn now(&mut self) -> Result<Datetime> {
        Ok(since_1970(SystemTime::now()))
    }

    fn resolution(&mut self) -> Result<Datetime> {
        Ok(datetime(Duration::from_nanos(1)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_before_1970_shows_1970() {
        let hour = Duration::from_hours(1);
        assert_eq!(since_1970(UNIX_EPOCH - hour).seconds, 0);
        assert_eq!(since_1970(UNIX_EPOCH + hour).seconds, 3600);
    }
}
