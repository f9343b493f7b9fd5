//! Images as characters, for terminals without a protocol for images: each character shows two
//! pixels, one above the other.

use omniread::images::Pixels;
use std::env;
use std::fmt::Write as _;

/// The colours that a terminal shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Depth {
    /// A palette of 256 colours: a cube with six levels of each channel, and levels of grey.
    Palette,
    /// All colours.
    True,
}

/// The opacity below which a pixel has the colour of the terminal.
const OPAQUE: u8 = 128;

/// The levels of a channel in the palette.
const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];

/// The number of the first colour of the cube in the palette.
const CUBE: usize = 16;

/// The number of the first level of grey in the palette.
const GREYS: usize = 232;

impl Depth {
    /// The colours that the terminal shows, as far as environment variables determine it.
    pub fn of_environment() -> Self {
        Self::by_name(&|name| env::var(name).unwrap_or_default())
    }

    fn by_name(named: &dyn Fn(&str) -> String) -> Self {
        let term = named("TERM");
        let names = [
            "alacritty",
            "foot",
            "wezterm",
            "xterm-ghostty",
            "xterm-kitty",
        ];
        let known = names.contains(&term.as_str()) || term.ends_with("-direct");
        match named("COLORTERM").as_str() {
            "truecolor" | "24bit" => Self::True,
            _ if known => Self::True,
            _ => Self::Palette,
        }
    }
}

/// Writes pixels as characters, each row with a line ending.
pub fn draw(pixels: &Pixels, depth: Depth) -> String {
    let mut out = String::new();
    let width = pixels.width as usize;
    let rows: Vec<&[[u8; 4]]> = pixels.rgba.chunks(width.max(1)).collect();
    for pair in rows.chunks(2) {
        let mut last = (None, None);
        for (x, above) in pair[0].iter().enumerate() {
            let above = colour(*above, depth);
            let below = pair.get(1).and_then(|row| colour(row[x], depth));
            let (letter, front, back) = match (above, below) {
                (None, None) => (' ', None, None),
                (None, Some(below)) => ('▄', Some(below), None),
                (Some(above), below) => ('▀', Some(above), below),
            };
            if (front, back) != last {
                out.push_str("\x1b[0");
                for (colour, place) in [(front, 38), (back, 48)] {
                    let _ = match colour {
                        None => Ok(()),
                        Some(Colour::Index(index)) => write!(out, ";{place};5;{index}"),
                        Some(Colour::Rgb([r, g, b])) => write!(out, ";{place};2;{r};{g};{b}"),
                    };
                }
                out.push('m');
                last = (front, back);
            }
            out.push(letter);
        }
        if last != (None, None) {
            out.push_str("\x1b[0m");
        }
        out.push('\n');
    }
    out
}

/// A colour of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colour {
    Index(usize),
    Rgb([u8; 3]),
}

/// The colour of a pixel. `None` if it is transparent.
fn colour([red, green, blue, alpha]: [u8; 4], depth: Depth) -> Option<Colour> {
    let rgb = [red, green, blue];
    if alpha < OPAQUE {
        return None;
    }
    Some(match depth {
        Depth::True => Colour::Rgb(rgb),
        Depth::Palette => Colour::Index(index(rgb)),
    })
}

/// The number of the nearest colour in the palette.
fn index(rgb: [u8; 3]) -> usize {
    let nearest = |value: u8| {
        let levels = LEVELS.iter().enumerate();
        let level = levels.min_by_key(|(_, level)| level.abs_diff(value));
        level.map_or(0, |(place, _)| place)
    };
    let [red, green, blue] = rgb.map(nearest);
    let cube = [LEVELS[red], LEVELS[green], LEVELS[blue]];
    let distance = |other: [u8; 3]| -> u32 {
        let squares = rgb.iter().zip(other);
        squares
            .map(|(one, other)| u32::from(one.abs_diff(other)).pow(2))
            .sum()
    };
    // The levels of grey are 8, 18, and so on up to 238.
    let mean = rgb.iter().map(|value| usize::from(*value)).sum::<usize>() / 3;
    let step = (mean.saturating_sub(3) / 10).min(23);
    let grey = u8::try_from(8 + 10 * step).unwrap_or(u8::MAX);
    if distance([grey; 3]) < distance(cube) {
        GREYS + step
    } else {
        CUBE + 36 * red + 6 * green + blue
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: [u8; 4] = [255, 0, 0, 255];
    const BLUE: [u8; 4] = [0, 0, 255, 255];
    const CLEAR: [u8; 4] = [9, 9, 9, 0];

    fn pixels(width: u32, rgba: &[[u8; 4]]) -> Pixels {
        Pixels::new(width, rgba.to_vec())
    }

    #[test]
    fn character_shows_two_pixels() {
        let image = pixels(2, &[RED, RED, BLUE, BLUE]);
        assert_eq!(
            draw(&image, Depth::True),
            "\x1b[0;38;2;255;0;0;48;2;0;0;255m▀▀\x1b[0m\n"
        );
        assert_eq!(
            draw(&image, Depth::Palette),
            "\x1b[0;38;5;196;48;5;21m▀▀\x1b[0m\n"
        );
    }

    #[test]
    fn transparent_and_missing_pixels_have_the_colour_of_the_terminal() {
        let image = pixels(3, &[CLEAR, RED, CLEAR, CLEAR, CLEAR, BLUE, RED, CLEAR, RED]);
        assert_eq!(
            draw(&image, Depth::Palette),
            " \x1b[0;38;5;196m▀\x1b[0;38;5;21m▄\x1b[0m\n\
             \x1b[0;38;5;196m▀\x1b[0m \x1b[0;38;5;196m▀\x1b[0m\n"
        );
        assert_eq!(draw(&pixels(0, &[]), Depth::True), "");
    }

    #[test]
    fn colours_of_the_palette_are_the_nearest_ones() {
        for (rgb, expected) in [
            ([0, 0, 0], 16),
            ([255, 255, 255], 231),
            ([128, 128, 128], 244),
            ([8, 8, 8], 232),
            ([0, 95, 135], 24),
            ([250, 10, 5], 196),
        ] {
            assert_eq!(index(rgb), expected, "{rgb:?}");
        }
    }

    #[test]
    fn depth_is_named_by_variables() {
        for (term, colorterm, expected) in [
            ("xterm-256color", "", Depth::Palette),
            ("xterm-256color", "truecolor", Depth::True),
            ("screen", "24bit", Depth::True),
            ("xterm-direct", "", Depth::True),
            ("xterm", "yes", Depth::Palette),
        ] {
            let depth = Depth::by_name(&|name| match name {
                "TERM" => term.to_owned(),
                _ => colorterm.to_owned(),
            });
            assert_eq!(depth, expected, "{term} {colorterm}");
        }
    }
}
