//! Benchmark of images and notebooks: the component against the same code compiled natively, step
//! by step, and the command line as a process.
//!
//! `cargo bench -p omniread-tests -F native --bench images`

#![allow(
    missing_docs,
    clippy::print_stdout,
    reason = "a bench prints what it found"
)]

mod shared;

use image::ImageFormat;
use omniread_options::{ImageOptions, Options};
use omniread_reader::dialects::Dialect;
use omniread_reader::world::LocalWorld;
use omniread_tests::Workspace;
use shared::images::{CHART, encoded, image, jpeg, notebook, png};
use shared::{cost, paired, row};

fn main() {
    let workspace = Workspace::new();
    workspace.file("large.png", png(4000, 3000));
    let fitting = encoded(&image(1568, 1176), ImageFormat::Bmp);
    workspace.file("fitting.bmp", fitting);
    workspace.file("small.png", png(640, 480));
    workspace.file("large.jpg", jpeg(4000, 3000));
    workspace.file("chart.svg", CHART);
    workspace.file("45cells.ipynb", notebook(45));
    for name in [
        "large.png",
        "fitting.bmp",
        "small.png",
        "large.jpg",
        "45cells.ipynb",
    ] {
        let size = workspace
            .path()
            .join(name)
            .metadata()
            .expect("a file")
            .len();
        println!("{name} has {size} bytes");
    }
    println!("\nwarm reads: fresh instances and read, component against native, medians");
    for (what, dialect, path, rounds) in [
        ("header", Step::Describe, "large.png", 200),
        ("decode", Step::Decode, "large.png", 20),
        ("decode, resize, encode", Step::Fit, "large.png", 20),
        ("encode", Step::Fit, "fitting.bmp", 20),
        ("decode", Step::Decode, "large.jpg", 20),
        ("decode, resize, encode", Step::Fit, "large.jpg", 20),
        ("check, pass through", Step::Fit, "small.png", 200),
        ("draw", Step::Fit, "chart.svg:img", 100),
        ("sources", Step::Fit, "45cells.ipynb", 500),
        ("outputs", Step::Show, "45cells.ipynb", 200),
        ("one cell", Step::Fit, "45cells.ipynb:cell:7", 500),
    ] {
        warm(
            &workspace,
            &format!("{path}: {what}"),
            path,
            dialect,
            rounds,
        );
    }
    println!("\nprocesses: seconds of CPU, and peak memory");
    for path in ["large.png", "small.png", "large.jpg", "45cells.ipynb"] {
        cost(&workspace, path);
    }
}

/// The kind of a measured read. Each kind performs other steps, such as decoding, resizing and
/// encoding an image.
#[derive(Clone, Copy)]
enum Step {
    Describe,
    Decode,
    Fit,
    Show,
}

fn warm(workspace: &Workspace, name: &str, path: &str, step: Step, rounds: usize) {
    let (dialect, native) = match step {
        // This dialect decodes an image, but returns the original bytes.
        Step::Decode => (omniread::Dialect::Gemini, Dialect::Gemini),
        Step::Describe | Step::Fit => (omniread::Dialect::Omp, Dialect::Omp),
        Step::Show => (omniread::Dialect::Claude, Dialect::Claude),
    };
    let options = Options {
        image: ImageOptions {
            metadata: matches!(step, Step::Describe),
            ..ImageOptions::default()
        },
        ..Options::default()
    };
    let session = workspace.session();
    let mut world = LocalWorld::new(vec![workspace.path().display().to_string()]);
    let (ours, theirs) = paired(
        rounds,
        || drop(session.read_as(path, dialect, &options).expect("a reply")),
        || drop(native.read(path, &options, &mut world).expect("a reply")),
    );
    row(name, ours, theirs, "native");
}
