//! How much of what is declared outlines find, how much of a library they show,
//! and what they cost.
//! `cargo bench -p omniread-tests --bench outlines -- [accuracy|python|speed|all] [LANGUAGE…]`
//!
//! * `accuracy` compares what is found in packages of many languages with what
//!   other programs find. It downloads them, once, into a folder beside the
//!   system's temporary files, or `OMNIREAD_BENCH_CACHE`. `--tune` takes the
//!   packages that the scanner was made with, not those that it never saw;
//!   `--show N` lists some of what was missed and what was too much.
//! * `python` reads the modules of Python's own library.
//! * `speed` times outlines, in the component and native.
//!
//! Without a word it does what needs no network.

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
mod mistakes;
mod opinions;
mod packages;
mod places;
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
    match Asked::from(std::env::args().skip(1)) {
        Ok(asked) => {
            asked.run();
            ExitCode::SUCCESS
        }
        Err(wrong) => {
            println!("{wrong}\nusage: {USAGE}");
            ExitCode::from(2)
        }
    }
}

/// What to measure.
#[derive(Debug, Default)]
struct Asked {
    /// What is found in packages, against other programs.
    accuracy: Option<accuracy::Asked>,
    python: bool,
    speed: bool,
}

impl Asked {
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
            Some(other) => return Err(format!("`{other}` is nothing to measure")),
        };
        while let Some(argument) = arguments.next() {
            let Some(accuracy) = &mut accuracy else {
                return Err(format!("`{argument}` says something of `accuracy` only"));
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
