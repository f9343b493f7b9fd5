//! Measures reads beside other tools, in one run, and writes the tables of `docs/performance.md`.
//!
//! ```sh
//! cargo bench -p omniread-tests -F native --bench peers                  # prints the tables
//! cargo bench -p omniread-tests -F native --bench peers -- --write       # and writes them
//! cargo bench -p omniread-tests -F native --bench peers -- table archive # only rows that contain a word
//! ```
//!
//! The other tools are measured if they are installed. A tool that is missing is named.
//!
//! * `OMNIREAD_BENCH_OMP` is a directory whose `node_modules` has bun and oh-my-pi: `npm install --ignore-scripts
//!   --omit=optional bun@1.4.5 @oh-my-pi/pi-coding-agent@18.2.3 @oh-my-pi/pi-natives-linux-x64@18.2.3`, and then
//!   `mkdir -p node_modules/@oven && node node_modules/bun/install.js`, which fetches the program of bun.
//! * `OMNIREAD_BENCH_PYTHON` is a Python with libraries: `pip install duckdb pypdfium2 unpdf-markdown pdf_oxide undoc
//!   python-calamine firecrawl-anydoc`.
//! * Programs such as `rg` and `sqlite3` are found in `PATH`. GNU `time` measures the memory of processes.
//!
//! ```text
//! rows      what is read, and with what it is compared
//! inputs    the files
//! driver    other tools, as processes that stay alive
//! measure   reads in turns → the fastest of each
//! report    tables
//! ```
//!
//! All tools read in turns, a few milliseconds each, several times. The fastest read of each is compared, because
//! other programs on a machine only make reads slower. A warm read has a session of its own, unless the row says that it
//! is the next one in a session. The process has read before. The first table also has the same code without a sandbox,
//! compiled for the processor.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::print_stderr,
    clippy::cast_precision_loss,
    reason = "a bench prints what it found"
)]

mod driver;
mod inputs;
mod measure;
mod report;
mod rows;
#[path = "../shared/mod.rs"]
mod shared;

use measure::Machine;
use omniread_tests::Workspace;
use rows::{PROCESSES, ROWS};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let writes = arguments.iter().any(|argument| argument == "--write");
    let words: Vec<&String> = arguments
        .iter()
        .filter(|argument| !argument.starts_with("--"))
        .collect();
    let is_wanted = |group: &str, name: &str| {
        let name = format!("{group}: {name}");
        words.is_empty() || words.iter().any(|word| name.contains(*word))
    };
    let rows: Vec<_> = ROWS
        .iter()
        .filter(|row| is_wanted(row.group, row.name))
        .collect();
    let processes: Vec<_> = PROCESSES
        .iter()
        .filter(|(group, path, _)| is_wanted(group, path))
        .collect();
    let workspace = Workspace::new();
    inputs::create_all(&workspace, |group| {
        rows.iter().any(|row| row.group == group)
            || processes.iter().any(|(other, ..)| *other == group)
    });
    // A session keeps nothing of a file that changed a moment ago.
    std::thread::sleep(std::time::Duration::from_secs(3));
    let site = inputs::site();
    let mut machine = Machine::new(&workspace, &site);
    let mut tables = report::Tables::default();
    for row in rows {
        let measured = machine.warm(row);
        println!("{}", report::line(&measured));
        tables.warm.push(measured);
    }
    for (_, path, other) in processes {
        if let Some(measured) = machine.process(path, other) {
            println!("{}", report::process_line(&measured));
            tables.processes.push(measured);
        }
    }
    let text = tables.text(&machine);
    println!("\n{text}");
    if writes {
        report::write(&text);
    }
}
