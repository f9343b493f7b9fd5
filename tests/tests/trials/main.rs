//! Tests whose number is known when they run: cases, documents, clients and files of a corpus.
//!
//! A name starts with that of its module: `cases::`, `clients::`, `corpus::`, `figures::`, `hosts::`, `http::`,
//! `portable::`, `readme::`, `servers::`.

#![allow(missing_docs, reason = "a test")]

mod cases;
mod clients;
mod corpus;
mod figures;
mod hosts;
mod http;
mod portable;
mod programs;
mod readme;
mod servers;

use libtest_mimic::Arguments;
use std::process::ExitCode;

fn main() -> ExitCode {
    let mut trials = Vec::new();
    trials.extend(cases::trials());
    trials.extend(clients::trials());
    trials.extend(corpus::trials());
    trials.extend(figures::trials());
    trials.extend(hosts::trials());
    trials.extend(http::trials());
    trials.extend(portable::trials());
    trials.extend(readme::trials());
    trials.extend(servers::trials());
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
