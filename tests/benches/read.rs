//! Statistics of warm reads, in the component and natively.
//!
//! `cargo bench -p omniread-tests -F native --bench read`

#![allow(missing_docs, reason = "a bench")]

mod shared;

use divan::Bencher;
use omniread::Session;
use omniread_options::Options;
use omniread_reader::dialects::Dialect;
use omniread_reader::world::LocalWorld;
use omniread_tests::Workspace;
use std::sync::LazyLock;

static WORKSPACE: LazyLock<Workspace> = LazyLock::new(shared::workspace);
static SESSION: LazyLock<Session> = LazyLock::new(|| WORKSPACE.session());

const PATHS: &[&str] = &[
    "12B.txt",
    "50KB.rs",
    "50KB.rs:500-520",
    "2MB.log:10000-10050",
    "2MB.log",
    "tree",
];

fn main() {
    divan::main();
}

#[divan::bench(args = PATHS)]
fn component(bencher: Bencher<'_, '_>, path: &str) {
    let session = &*SESSION;
    bencher.bench(|| session.read(path).expect("a reply"));
}

#[divan::bench(args = PATHS)]
fn native(bencher: Bencher<'_, '_>, path: &str) {
    let root = WORKSPACE.path().display().to_string();
    let options = Options::default();
    let mut world = LocalWorld::new(vec![root]);
    bencher.bench_local(|| {
        Dialect::Omp
            .read(path, &options, &mut world)
            .expect("a reply")
    });
}
