//! The compiled part of the npm package `omniread`: readers, sessions and replies of the library.
//!
//! `lib` has the part that is written in JavaScript: the classes that programs use, their errors, and the conversion of
//! arguments.
//!
//! * `reader` and `session` are the classes with these names. `options` are their arguments.
//! * `reply` has the class of replies. `outcome` is what a read returns: a reply, or a failure as JSON.
//! * `running` runs reads on other threads, and ends them if their signal is aborted, if their session is closed, or if the
//!   thread of JavaScript or the process ends. `threads` are the threads of reads.

#![allow(
    clippy::needless_pass_by_value,
    reason = "Node-API converts the arguments of functions to values"
)]

mod failure;
mod options;
mod outcome;
mod reader;
mod reply;
mod running;
mod session;
mod threads;

use napi_derive::napi;
use omniread::options::SETTINGS;
use omniread::{Api, Dialect};

/// The version of the package, with which that of its part in JavaScript is compared.
#[napi]
pub const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The names of dialects.
#[napi]
pub fn dialects() -> Vec<&'static str> {
    Dialect::ALL.map(Dialect::name).to_vec()
}

/// The names of APIs.
#[napi]
pub fn apis() -> Vec<&'static str> {
    Api::ALL.map(Api::name).to_vec()
}

/// The name and the help of each option.
#[napi]
pub fn option_table() -> Vec<Vec<String>> {
    let rows = SETTINGS.iter();
    rows.map(|setting| vec![options::name(setting.key), setting.help.to_owned()])
        .collect()
}
