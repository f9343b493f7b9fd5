//! A program that writes to a SQLite database while a test reads it.
//!
//! `omniread-writer PATH MODE` commits up to a thousand times a second in the journal mode
//! MODE, with a pause after each twenty commits. It ends when its standard input ends, and prints
//! the number of commits.
//!
//! With the mode `crash` it aborts in the middle of a transaction, like a process that is
//! killed.

#![allow(clippy::print_stdout, reason = "the test reads the number of commits")]

use rusqlite::Connection;
use std::io::Read as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static ENDED: AtomicBool = AtomicBool::new(false);

fn main() -> rusqlite::Result<()> {
    let arguments: Vec<String> = std::env::args().collect();
    let [_, path, mode] = arguments.as_slice() else {
        panic!("usage: omniread-writer PATH MODE");
    };
    let database = Connection::open(path)?;
    database.busy_timeout(Duration::from_mins(1))?;
    if mode == "crash" {
        crash(&database)?;
    }
    database.pragma_update(None, "journal_mode", mode)?;
    database.pragma_update(None, "synchronous", "off")?;
    // Checkpoints are frequent, so that the test reads during some of them.
    database.pragma_update(None, "wal_autocheckpoint", 100)?;
    std::thread::spawn(|| {
        let _ = std::io::stdin().read_to_end(&mut Vec::new());
        ENDED.store(true, Ordering::SeqCst);
    });
    println!("ready");
    let mut commits = 0u64;
    while !ENDED.load(Ordering::SeqCst) {
        database.execute("update counters set n = n + 1", [])?;
        commits += 1;
        // Also on a busy machine, a read finds the database unchanged for some time.
        let pause = if commits.is_multiple_of(20) { 100 } else { 1 };
        std::thread::sleep(Duration::from_millis(pause));
    }
    println!("{commits}");
    Ok(())
}

/// Aborts the process in a transaction that is partly written to the file, so that a hot journal
/// remains.
fn crash(database: &Connection) -> rusqlite::Result<()> {
    database.pragma_update(None, "journal_mode", "delete")?;
    database.pragma_update(None, "cache_size", 2)?;
    database.execute_batch(
        "begin immediate; update counters set n = -1; delete from counters where id > 11;
         update counters set filling = zeroblob(9000)",
    )?;
    std::process::abort();
}
