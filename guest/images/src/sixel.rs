//! Sixel, the graphics format of terminals: bands of six rows, in which each colour is drawn by itself
//! (DEC VT340 Programmer Reference Manual, chapter 14).

use color_quant::NeuQuant;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The number of colours that terminals have at least, if they have colours for sixels.
const COLOURS: usize = 256;

/// The rows of a band.
const BAND: usize = 6;

/// One of this many pixels decides on the colours of an image with more colours than terminals have.
const SAMPLE: i32 = 10;

/// The alpha value from which a pixel is drawn.
const OPAQUE: u8 = 128;

/// The length from which a repeated character is written with a count.
const REPEAT: usize = 4;

/// A colour: red, green and blue.
type Rgb = [u8; 3];

/// Encodes an image whose pixels have red, green, blue and alpha. Pixels that are mostly transparent
/// are not drawn.
pub fn encode(rgba: &[u8], width: usize) -> String {
    let width = width.max(1);
    let height = rgba.len() / 4 / width;
    let (palette, indices) = indexed(rgba, width);
    // The second number leaves pixels that are not drawn as they are.
    let mut out = format!("\x1bP0;1;0q\"1;1;{width};{height}");
    for (index, colour) in palette.iter().enumerate() {
        let [red, green, blue] = colour.map(|value| (u32::from(value) * 100 + 127) / 255);
        let _ = write!(out, "#{index};2;{red};{green};{blue}");
    }
    for band in indices.chunks(width * BAND) {
        write_band(band, width, &mut out);
        out.push('-');
    }
    out.push_str("\x1b\\");
    out
}

/// Writes the pixels of a band, which are indices of colours.
fn write_band(band: &[Option<u8>], width: usize, out: &mut String) {
    // The row of each colour: a bit for each of the six pixels of a column.
    let mut colours: BTreeMap<u8, Vec<u8>> = BTreeMap::new();
    for (y, row) in band.chunks(width).enumerate() {
        for (x, index) in row.iter().enumerate() {
            let Some(index) = index else { continue };
            let columns = colours.entry(*index).or_insert_with(|| vec![0; width]);
            if let Some(column) = columns.get_mut(x) {
                *column |= 1 << y;
            }
        }
    }
    for (number, (index, columns)) in colours.iter().enumerate() {
        if number > 0 {
            // Back to the first column.
            out.push('$');
        }
        let _ = write!(out, "#{index}");
        for run in columns.chunk_by(|one, next| one == next) {
            // The character `?` has no pixel.
            let character = char::from(run.first().copied().unwrap_or(0) + b'?');
            if run.len() < REPEAT {
                out.extend(std::iter::repeat_n(character, run.len()));
            } else {
                let _ = write!(out, "!{}{character}", run.len());
            }
        }
    }
}

/// The colours of an image, and the index of the colour of each pixel. `None` for a pixel that is not
/// drawn.
fn indexed(rgba: &[u8], width: usize) -> (Vec<Rgb>, Vec<Option<u8>>) {
    let mut exact: BTreeMap<Rgb, u8> = BTreeMap::new();
    let mut palette = Vec::new();
    let mut indices = Vec::with_capacity(rgba.len() / 4);
    for pixel in rgba.as_chunks::<4>().0 {
        let &[red, green, blue, alpha] = pixel;
        let colour = [red, green, blue];
        let index = match exact.get(&colour) {
            _ if alpha < OPAQUE => None,
            Some(index) => Some(*index),
            None => {
                let Ok(next) = u8::try_from(palette.len()) else {
                    return quantized(rgba, width);
                };
                palette.push(colour);
                exact.insert(colour, next);
                Some(next)
            }
        };
        indices.push(index);
    }
    (palette, indices)
}

/// As [`indexed`], for an image with more colours. The difference between a pixel and its colour is
/// spread over the pixels next to it (Floyd and Steinberg 1976).
fn quantized(rgba: &[u8], width: usize) -> (Vec<Rgb>, Vec<Option<u8>>) {
    let mut opaque = Vec::with_capacity(rgba.len());
    for [red, green, blue, alpha] in rgba.as_chunks::<4>().0 {
        if *alpha >= OPAQUE {
            opaque.extend([*red, *green, *blue, u8::MAX]);
        }
    }
    let network = NeuQuant::new(SAMPLE, COLOURS, &opaque);
    let palette: Vec<Rgb> = network.color_map_rgb().as_chunks().0.to_vec();
    let mut indices = Vec::with_capacity(rgba.len() / 4);
    // The differences for a row, with a pixel at each end that is not in the image. Sixteenths.
    let mut below = vec![[0_i32; 3]; width + 2];
    for row in rgba.chunks(width * 4) {
        let current = std::mem::replace(&mut below, vec![[0; 3]; width + 2]);
        let mut ahead = [0_i32; 3];
        for (x, pixel) in row.as_chunks::<4>().0.iter().enumerate() {
            let [red, green, blue, alpha] = *pixel;
            if alpha < OPAQUE {
                ahead = [0; 3];
                indices.push(None);
                continue;
            }
            let spread = current.get(x + 1).copied().unwrap_or_default();
            let mut wanted = [red, green, blue];
            for ((value, spread), ahead) in wanted.iter_mut().zip(spread).zip(ahead) {
                let sum = i32::from(*value) + (spread + ahead) / 16;
                *value = u8::try_from(sum.clamp(0, 255)).unwrap_or(u8::MAX);
            }
            let [red, green, blue] = wanted;
            let index = network.index_of(&[red, green, blue, u8::MAX]);
            let drawn = palette.get(index).copied().unwrap_or_default();
            let mut rest = [0_i32; 3];
            for ((rest, wanted), drawn) in rest.iter_mut().zip(wanted).zip(drawn) {
                *rest = i32::from(wanted) - i32::from(drawn);
            }
            ahead = rest.map(|rest| rest * 7);
            for (place, weight) in [(x, 3), (x + 1, 5), (x + 2, 1)] {
                for (sum, rest) in below.get_mut(place).into_iter().flatten().zip(rest) {
                    *sum += rest * weight;
                }
            }
            indices.push(u8::try_from(index).ok());
        }
    }
    (palette, indices)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The pixels of sixel graphics, as a terminal draws them. `None` where nothing is drawn.
    fn drawn(sixels: &str) -> Vec<Vec<Option<[u32; 3]>>> {
        let body = sixels.strip_prefix("\x1bP0;1;0q\"1;1;").unwrap();
        let body = body.strip_suffix("\x1b\\").unwrap();
        let at = body.find('#').unwrap();
        let (size, body) = body.split_at(at);
        let (width, height) = size.split_once(';').unwrap();
        let (width, height): (usize, usize) = (width.parse().unwrap(), height.parse().unwrap());
        let mut rows = vec![vec![None; width]; height];
        let mut palette = BTreeMap::new();
        let (mut colour, mut x, mut y) = (0, 0, 0);
        let mut rest = body.chars().peekable();
        let number = |rest: &mut std::iter::Peekable<std::str::Chars>| {
            let mut digits = String::new();
            while let Some(digit) = rest.next_if(char::is_ascii_digit) {
                digits.push(digit);
            }
            digits.parse::<u32>().unwrap()
        };
        while let Some(c) = rest.next() {
            match c {
                '#' => {
                    colour = number(&mut rest);
                    let mut values = Vec::new();
                    while rest.next_if_eq(&';').is_some() {
                        values.push(number(&mut rest));
                    }
                    if let [2, red, green, blue] = values[..] {
                        palette.insert(colour, [red, green, blue]);
                    }
                }
                '$' => x = 0,
                '-' => (x, y) = (0, y + BAND),
                c => {
                    let (count, c) = match c {
                        '!' => (number(&mut rest), rest.next().unwrap()),
                        c => (1, c),
                    };
                    for _ in 0..count {
                        for bit in (0..BAND).filter(|bit| (u32::from(c) - 63) & (1 << bit) != 0) {
                            rows[y + bit][x] = Some(palette[&colour]);
                        }
                        x += 1;
                    }
                }
            }
        }
        rows
    }

    #[test]
    fn few_colours_are_exact() {
        let (red, green, clear) = ([255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 0]);
        let mut rgba = Vec::new();
        for y in 0..8 {
            for x in 0..9 {
                rgba.extend(if y == 7 {
                    clear
                } else if x < 6 {
                    red
                } else {
                    green
                });
            }
        }
        let rows = drawn(&encode(&rgba, 9));
        for (y, row) in rows.iter().enumerate() {
            for (x, pixel) in row.iter().enumerate() {
                let colour = if x < 6 { [100, 0, 0] } else { [0, 100, 0] };
                assert_eq!(*pixel, Some(colour).filter(|_| y < 7), "{x}, {y}");
            }
        }
    }

    /// The mean of each area stays what it is, because the differences are spread.
    #[test]
    fn many_colours_are_approximated() {
        let side = 64_u32;
        let value = |n: u32| u8::try_from(n * 4).unwrap();
        let mut rgba = Vec::new();
        for y in 0..side {
            for x in 0..side {
                rgba.extend([value(x), value(y), value(x.midpoint(y)), 255]);
            }
        }
        let rows = drawn(&encode(&rgba, 64));
        for (top, left) in [(0, 0), (0, 48), (48, 0), (48, 48), (24, 24)] {
            let (mut got, mut wanted) = ([0_u32; 3], [0_u32; 3]);
            for (y, row) in rows.iter().enumerate().skip(top).take(16) {
                for (x, pixel) in row.iter().enumerate().skip(left).take(16) {
                    let start = (y * 64 + x) * 4;
                    let exact = rgba[start..start + 3].iter();
                    for (channel, (drawn, exact)) in pixel.unwrap().iter().zip(exact).enumerate() {
                        got[channel] += drawn * 255 / 100;
                        wanted[channel] += u32::from(*exact);
                    }
                }
            }
            for channel in 0..3 {
                let difference = got[channel].abs_diff(wanted[channel]) / 256;
                assert!(difference < 6, "{top}, {left}: {got:?}, {wanted:?}");
            }
        }
    }

    #[test]
    fn images_without_pixels_are_empty() {
        assert_eq!(encode(&[], 0), "\x1bP0;1;0q\"1;1;1;0\x1b\\");
        let clear = encode(&[0; 16], 2);
        assert_eq!(clear, "\x1bP0;1;0q\"1;1;2;2-\x1b\\");
    }
}
