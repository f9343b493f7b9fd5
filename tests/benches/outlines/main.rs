//! Benchmark of outlines: how many declarations they find, how much of a library they show, and how
//! long they take.
//!
//! `cargo bench -p omniread-tests -F native --bench outlines -- [accuracy|python|speed|all] [LANGUAGE…]`
//!
//! * `accuracy` compares the declarations found in packages of many languages with those of other
//!   programs. The packages are downloaded once, into `OMNIREAD_BENCH_CACHE` or a directory in the
//!   system's temporary directory. `--tune` uses the tuning packages instead of the held-out ones.
//!   `--show N` lists some missed and superfluous declarations.
//! * `python` reads the modules of Python's standard library.
//! * `speed` times outlines, in the component and natively.
//!
//! Without arguments it runs `python` and `speed`, which need no network.

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::cast_precision_loss,
    reason = "a bench prints what it found"
)]

mod accuracy;
mod around;
mod compare;
mod languages;
mod library;
mod lines;
mod mistakes;
mod opinions;
mod packages;
mod programs;
mod registries;
mod rules;
#[path = "../shared/mod.rs"]
mod shared;
mod sources;
mod speed;
mod tags;

use std::process::ExitCode;

const USAGE: &str = "outlines [accuracy|python|speed|all] [--tune] [--show N] [LANGUAGE…]";

fn main() -> ExitCode {
    match Request::from(std::env::args().skip(1)) {
        Ok(request) => {
            request.run();
            ExitCode::SUCCESS
        }
        Err(error) => {
            println!("{error}\nusage: {USAGE}");
            ExitCode::from(2)
        }
    }
}

/// The requested measurements.
#[derive(Debug, Default)]
struct Request {
    /// The comparison with other programs, if requested.
    accuracy: Option<accuracy::Asked>,
    python: bool,
    speed: bool,
}

impl Request {
    fn from(arguments: impl Iterator<Item = String>) -> Result<Self, String> {
        // Cargo adds `--bench`.
        let mut arguments = arguments
            .filter(|argument| argument != "--bench")
            .peekable();
        let word = arguments.next_if(|argument| !argument.starts_with('-'));
        let (mut accuracy, python, speed) = match word.as_deref() {
            None => (None, true, true),
            Some("accuracy") => (Some(accuracy::Asked::default()), false, false),
            Some("python") => (None, true, false),
            Some("speed") => (None, false, true),
            Some("all") => (Some(accuracy::Asked::default()), true, true),
            Some(other) => return Err(format!("unknown measurement `{other}`")),
        };
        while let Some(argument) = arguments.next() {
            let Some(accuracy) = &mut accuracy else {
                return Err(format!("`{argument}` is valid only after `accuracy`"));
            };
            match argument.as_str() {
                "--tune" => accuracy.tune = true,
                "--show" => {
                    let number = arguments.next().and_then(|number| number.parse().ok());
                    accuracy.show = number.ok_or("--show needs a number")?;
                }
                name => {
                    let language = languages::named(name);
                    let language = language.ok_or_else(|| languages::unknown(name))?;
                    accuracy.languages.push(language);
                }
            }
        }
        Ok(Self {
            accuracy,
            python,
            speed,
        })
    }

    fn run(self) {
        if let Some(accuracy) = &self.accuracy {
            accuracy.run();
        }
        if self.python {
            library::run();
        }
        if self.speed {
            speed::run();
        }
    }
}
