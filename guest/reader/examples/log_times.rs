//! Times of the view of a log, and of the first page of the same text, in the native build.
//!
//! `cargo run --release -p omniread-reader -F native --example log_times -- FILE…`
#![allow(clippy::print_stdout, reason = "it is the purpose of the program")]
#![allow(clippy::disallowed_methods, reason = "it measures time")]

use omniread_options::Options;
use omniread_reader::dialects::Dialect;
use omniread_reader::world::LocalWorld;
use std::time::{Duration, Instant};

fn main() {
    let root = std::env::current_dir().unwrap_or_default();
    let root = root.to_string_lossy().into_owned();
    for path in std::env::args().skip(1) {
        let best = |outlines: bool| {
            let options = Options {
                outlines,
                ..Options::default()
            };
            let mut world = LocalWorld::new(vec![root.clone()]);
            let time = |_| {
                let start = Instant::now();
                let read = Dialect::Omp.read(&path, &options, &mut world).is_ok();
                if read { start.elapsed() } else { Duration::MAX }
            };
            // The best of twenty, on a machine with other work.
            (0..20).map(time).min().unwrap_or_default()
        };
        let (page, view) = (best(false), best(true));
        println!("{path}: page {page:?}, view {view:?}");
    }
}
