//! Times of the page from line 301 on with and without the list of what it does not show, and of the outline, of source
//! files, in the native build.
//!
//! `cargo run --release -p omniread-reader -F native --example rest_times -- FILE…`
#![allow(clippy::print_stdout, reason = "it is the purpose of the program")]
#![allow(clippy::disallowed_methods, reason = "it measures time")]

use omniread_options::Options;
use omniread_reader::dialects::Dialect;
use omniread_reader::world::LocalWorld;
use std::time::Instant;

fn main() {
    let root = std::env::current_dir().unwrap_or_default();
    let mut world = LocalWorld::new(vec![root.to_string_lossy().into_owned()]);
    let mut best = |path: &str, rest: u32| {
        let options = Options {
            rest: Some(rest),
            ..Options::default()
        };
        let rounds = (0..5).map(|_| {
            let start = Instant::now();
            let _ = Dialect::Omp.read(path, &options, &mut world);
            start.elapsed()
        });
        rounds.min().unwrap_or_default().as_secs_f64() * 1000.0
    };
    let times: Vec<[f64; 3]> = std::env::args()
        .skip(1)
        .map(|path| {
            let page = format!("{path}:301");
            [best(&page, 0), best(&page, 10), best(&path, 0)]
        })
        .collect();
    let print = |what: &str, of: &dyn Fn(&[f64; 3]) -> f64| {
        let mut values: Vec<f64> = times.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        let quantile = |share: usize| {
            let last = values.len().saturating_sub(1);
            values.get(last * share / 100).copied().unwrap_or_default()
        };
        let [half, most, all] = [50, 95, 100].map(quantile);
        println!("{what}: median {half:.2}, 95 % {most:.2}, maximum {all:.2}");
    };
    print("page in ms", &|one| one[0]);
    print("page with the list in ms", &|one| one[1]);
    print("outline in ms", &|one| one[2]);
    print("the list, of the time of the outline", &|one| {
        (one[1] - one[0]) / one[2]
    });
}
