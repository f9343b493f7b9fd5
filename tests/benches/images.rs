//! Benchmark of images and notebooks: the component against the same code compiled natively, step
//! by step, and the command line as a process.
//!
//! `cargo bench -p omniread-tests -F native --bench images`

#![allow(
    missing_docs,
    clippy::print_stdout,
    clippy::cast_possible_truncation,
    reason = "a bench prints what it found"
)]

mod shared;

use image::{ImageFormat, Rgb, RgbImage};
use omniread_options::{ImageOptions, Options};
use omniread_reader::dialects::Dialect;
use omniread_reader::world::LocalWorld;
use omniread_tests::Workspace;
use serde_json::json;
use shared::{cost, paired, row};
use std::fmt::Write as _;
use std::io::Cursor;

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

/// An image with gradients and flat areas, similar to a screenshot.
fn image(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let (block, row) = (x / 97, y / 61);
        if (block * 31 + row * 17) % 5 == 0 {
            return Rgb([(block * 40) as u8, (row * 60) as u8, 128]);
        }
        Rgb([
            (x * 255 / width) as u8,
            (y * 255 / height) as u8,
            ((x + y) / 29 % 256) as u8,
        ])
    })
}

fn png(width: u32, height: u32) -> Vec<u8> {
    encoded(&image(width, height), ImageFormat::Png)
}

/// An image with noise, similar to a photograph.
fn jpeg(width: u32, height: u32) -> Vec<u8> {
    let mut state = 1u32;
    let mut image = image(width, height);
    for pixel in image.pixels_mut() {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        pixel[1] = pixel[1].wrapping_add((state >> 28) as u8);
    }
    encoded(&image, ImageFormat::Jpeg)
}

fn encoded(image: &RgbImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).expect("an image");
    bytes.into_inner()
}

const CHART: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 180">
<rect x="40" y="60" width="60" height="90" fill="steelblue"/><text x="70" y="165">text</text></svg>"#;

/// A typical notebook: sources, lines of output and tables. Images are left out, because they have
/// their own measurements.
fn notebook(cells: usize) -> String {
    let cells: Vec<_> = (0..cells)
        .map(|n| {
            let mut source = Vec::new();
            for line in 0..12 {
                source.push(format!("value_{line} = compute({n}, 'some text')\n"));
            }
            if n % 3 == 0 {
                return json!({ "cell_type": "markdown", "metadata": {}, "source": source });
            }
            let mut table = String::from("<table><tr><th></th><th>a</th><th>b</th></tr>");
            let mut lines = Vec::new();
            for row in 0..15 {
                let _ = write!(
                    table,
                    "<tr><th>{row}</th><td>{n}</td><td>{}</td></tr>",
                    row * n
                );
                lines.push(format!("epoch {row}: \u{1b}[32mloss {n}.{row}\u{1b}[0m\n"));
            }
            table.push_str("</table>");
            json!({
                "cell_type": "code", "metadata": {}, "execution_count": n, "source": source,
                "outputs": [
                    { "output_type": "stream", "name": "stdout", "text": lines },
                    { "output_type": "execute_result", "metadata": {}, "execution_count": n,
                      "data": { "text/html": table, "text/plain": "   a  b" } },
                ],
            })
        })
        .collect();
    json!({
        "cells": cells, "nbformat": 4, "nbformat_minor": 5,
        "metadata": { "language_info": { "name": "python" } },
    })
    .to_string()
}
