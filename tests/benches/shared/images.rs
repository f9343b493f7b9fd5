//! Images and notebooks of a given size.

#![allow(clippy::cast_possible_truncation, reason = "colours wrap around")]

use image::{ImageFormat, Rgb, RgbImage};
use serde_json::json;
use std::fmt::Write as _;
use std::io::Cursor;

/// An image with gradients and flat areas, similar to a screenshot.
pub fn image(width: u32, height: u32) -> RgbImage {
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

pub fn png(width: u32, height: u32) -> Vec<u8> {
    encoded(&image(width, height), ImageFormat::Png)
}

/// An image with noise, similar to a photograph.
pub fn jpeg(width: u32, height: u32) -> Vec<u8> {
    let mut state = 1u32;
    let mut image = image(width, height);
    for pixel in image.pixels_mut() {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        pixel[1] = pixel[1].wrapping_add((state >> 28) as u8);
    }
    encoded(&image, ImageFormat::Jpeg)
}

pub fn encoded(image: &RgbImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    image.write_to(&mut bytes, format).expect("an image");
    bytes.into_inner()
}

pub const CHART: &str = r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 180">
<rect x="40" y="60" width="60" height="90" fill="steelblue"/><text x="70" y="165">text</text></svg>"#;

/// A typical notebook: sources, lines of output and tables. Images are left out, because they have
/// their own measurements.
pub fn notebook(cells: usize) -> String {
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
