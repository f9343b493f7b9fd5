//! Colours in CSS and HTML.

use super::values::number;

/// An opaque colour: red, green, blue.
pub type Rgb = [u8; 3];

/// A colour in CSS.
pub enum Color {
    /// A colour that can be seen on another one.
    Opaque(Rgb),
    /// A colour that cannot be seen.
    Transparent,
    /// Another value.
    Unknown,
}

/// Parses the colour at the start of a value.
pub fn color(value: &str) -> Color {
    let value = value
        .split_ascii_whitespace()
        .next()
        .filter(|_| !value.contains('('))
        .unwrap_or(value);
    if value == "transparent" {
        return Color::Transparent;
    }
    if let Some(hex) = value.strip_prefix('#') {
        return hexadecimal(hex);
    }
    if let Some(inner) = value
        .strip_prefix("rgba(")
        .or_else(|| value.strip_prefix("rgb("))
        && let Some((inner, "")) = inner
            .split_once(')')
            .map(|(inner, after)| (inner, after.trim()))
    {
        let mut parts = inner.split([',', ' ', '/']).filter(|part| !part.is_empty());
        let mut next = || parts.next()?.trim().parse::<f32>().ok();
        let (Some(red), Some(green), Some(blue)) = (next(), next(), next()) else {
            return Color::Unknown;
        };
        let alpha = parts.next().and_then(number).unwrap_or(1.0);
        if alpha <= 0.05 {
            return Color::Transparent;
        }
        return Color::Opaque([byte(red), byte(green), byte(blue)]);
    }
    match named(value) {
        Some(rgb) => Color::Opaque(rgb),
        None => Color::Unknown,
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the value is clamped"
)]
fn byte(value: f32) -> u8 {
    value.clamp(0.0, 255.0) as u8
}

/// The colour that the attribute `color` or `bgcolor` names: with or without `#`.
pub fn attribute_color(value: &str) -> Option<Rgb> {
    let value = value.trim().to_ascii_lowercase();
    match color(&value) {
        Color::Opaque(rgb) => Some(rgb),
        _ => match hexadecimal(&value) {
            Color::Opaque(rgb) => Some(rgb),
            _ => None,
        },
    }
}

fn hexadecimal(hex: &str) -> Color {
    let digits: Option<Vec<u8>> = hex
        .chars()
        .map(|c| c.to_digit(16).and_then(|digit| u8::try_from(digit).ok()))
        .collect();
    let Some(digits) = digits else {
        return Color::Unknown;
    };
    let twice = |digit: u8| digit.saturating_mul(17);
    let pair = |high: u8, low: u8| high.saturating_mul(16).saturating_add(low);
    match digits[..] {
        // An alpha of at most 5 %.
        [_, _, _, 0] | [_, _, _, _, _, _, 0, 0..=12] => Color::Transparent,
        [red, green, blue] | [red, green, blue, _] => {
            Color::Opaque([twice(red), twice(green), twice(blue)])
        }
        [red, r, green, g, blue, b] | [red, r, green, g, blue, b, _, _] => {
            Color::Opaque([pair(red, r), pair(green, g), pair(blue, b)])
        }
        _ => Color::Unknown,
    }
}

fn named(name: &str) -> Option<Rgb> {
    Some(match name {
        "white" => [255, 255, 255],
        "black" => [0, 0, 0],
        "red" => [255, 0, 0],
        "green" => [0, 128, 0],
        "blue" => [0, 0, 255],
        "yellow" => [255, 255, 0],
        "gray" | "grey" => [128, 128, 128],
        "silver" => [192, 192, 192],
        "snow" => [255, 250, 250],
        "ivory" => [255, 255, 240],
        "ghostwhite" => [248, 248, 255],
        "floralwhite" => [255, 250, 240],
        "whitesmoke" => [245, 245, 245],
        "lightgray" | "lightgrey" => [211, 211, 211],
        "navy" => [0, 0, 128],
        "maroon" => [128, 0, 0],
        "orange" => [255, 165, 0],
        "purple" => [128, 0, 128],
        "aqua" | "cyan" => [0, 255, 255],
        "fuchsia" | "magenta" => [255, 0, 255],
        "lime" => [0, 255, 0],
        "olive" => [128, 128, 0],
        "teal" => [0, 128, 128],
        "azure" => [240, 255, 255],
        "mintcream" => [245, 255, 250],
        "seashell" => [255, 245, 238],
        "aliceblue" => [240, 248, 255],
        "lavenderblush" => [255, 240, 245],
        "lavender" => [230, 230, 250],
        "honeydew" => [240, 255, 240],
        "oldlace" => [253, 245, 230],
        "linen" => [250, 240, 230],
        "beige" => [245, 245, 220],
        "lightyellow" => [255, 255, 224],
        "cornsilk" => [255, 248, 220],
        "gainsboro" => [220, 220, 220],
        "darkgray" | "darkgrey" => [169, 169, 169],
        "dimgray" | "dimgrey" => [105, 105, 105],
        "pink" => [255, 192, 203],
        "gold" => [255, 215, 0],
        "brown" => [165, 42, 42],
        "crimson" => [220, 20, 60],
        "tomato" => [255, 99, 71],
        "darkblue" => [0, 0, 139],
        "darkred" => [139, 0, 0],
        "darkgreen" => [0, 100, 0],
        "midnightblue" => [25, 25, 112],
        _ => return None,
    })
}
