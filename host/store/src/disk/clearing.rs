//! The removal of the data of handles that were cleared, in small steps.

use super::Disk;
use super::erase::{EMPTY_LOG, remove_step};
use crate::error::Problem;
use crate::limits::{PATIENT_STEP, PATIENT_TIME};
use std::thread;
use std::time::Instant;

impl Disk {
    /// Removes the data of handles without a name, and overwrites them. Between two steps, other threads and processes
    /// write. After an error, the next clearing goes on.
    pub(super) fn remove_hidden(&self) {
        let mut last = Instant::now();
        loop {
            let mut state = self.state();
            if state
                .connection
                .pragma_update(None, "secure_delete", "ON")
                .is_err()
            {
                return;
            }
            let removed = self.attempt(&mut state, remove_step);
            let _ = state.connection.pragma_update(None, "secure_delete", "OFF");
            drop(state);
            match removed {
                Ok(true) => last = Instant::now(),
                Err(fault) if fault.problem() == Problem::Busy && last.elapsed() < PATIENT_TIME => {
                    thread::sleep(PATIENT_STEP);
                }
                _ => break,
            }
            thread::yield_now();
        }
        let _ = self.state().connection.execute_batch(EMPTY_LOG);
    }
}
