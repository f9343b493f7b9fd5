//! Colours: operands and colour spaces → red, green and blue, near enough to see text.

use crate::extremes::Extremes as _;
use crate::page::Colour;
use hayro_syntax::object::{Array, Name, Object, Stream, String as PdfString};

/// A colour space.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Space {
    /// Brightness.
    #[default]
    Gray,
    /// Red, green, blue.
    Rgb,
    /// Cyan, magenta, yellow, black.
    Cmyk,
    /// Lightness and two colour axes.
    Lab,
    /// Inks: 0 is without ink.
    Inks,
    /// A palette in another space.
    Indexed(Vec<Colour>),
    /// Patterns.
    Pattern,
}

impl Space {
    /// The space of an object: a name or an array.
    pub fn of(object: &Object<'_>, depth: usize) -> Self {
        match object {
            Object::Name(name) => Self::named(name).unwrap_or_default(),
            Object::Array(array) => Self::of_array(array, depth),
            _ => Self::Gray,
        }
    }

    /// The space with a name of its own.
    pub fn named(name: &Name<'_>) -> Option<Self> {
        match name.as_ref() {
            b"DeviceGray" | b"G" | b"CalGray" => Some(Self::Gray),
            b"DeviceRGB" | b"RGB" | b"CalRGB" => Some(Self::Rgb),
            b"DeviceCMYK" | b"CMYK" => Some(Self::Cmyk),
            b"Pattern" => Some(Self::Pattern),
            _ => None,
        }
    }

    fn of_array(array: &Array<'_>, depth: usize) -> Self {
        let mut parts = array.iter::<Object<'_>>();
        let Some(Object::Name(name)) = parts.next() else {
            return Self::Gray;
        };
        match name.as_ref() {
            b"ICCBased" => {
                let profile = parts.next().and_then(Object::into_stream);
                let count = profile.and_then(|profile: Stream<'_>| profile.dict().get::<i32>("N"));
                match count {
                    Some(1) => Self::Gray,
                    Some(4) => Self::Cmyk,
                    _ => Self::Rgb,
                }
            }
            b"Lab" => Self::Lab,
            b"Separation" | b"DeviceN" => Self::Inks,
            b"Indexed" | b"I" if depth < 4 => {
                let base = parts
                    .next()
                    .map_or(Self::Gray, |base| Self::of(&base, depth.saturating_add(1)));
                let _last = parts.next();
                let table = match parts.next() {
                    Some(Object::String(text)) => palette(&text),
                    Some(Object::Stream(stream)) => crate::decode::data(&stream, 4096)
                        .map(|(bytes, _)| bytes.into_owned())
                        .unwrap_or_default(),
                    _ => Vec::new(),
                };
                let size = match base {
                    Self::Gray | Self::Inks => 1,
                    Self::Cmyk => 4,
                    _ => 3,
                };
                let colour = |entry: &[u8]| {
                    let parts: Vec<f32> = entry.iter().map(|&it| f32::from(it) / 255.0).collect();
                    base.colour(&parts)
                };
                Self::Indexed(table.chunks_exact(size).take(256).map(colour).collect())
            }
            b"Pattern" => Self::Pattern,
            _ => Self::named(&name).unwrap_or_default(),
        }
    }

    /// The colour of some components.
    pub fn colour(&self, parts: &[f32]) -> Colour {
        match (self, parts) {
            (Self::Indexed(palette), [index, ..]) => {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "the value is in range"
                )]
                let index = index.clamp(0.0, 255.0) as usize;
                palette.get(index).copied().unwrap_or_default()
            }
            (Self::Pattern, _) => Colour([128; 3]),
            (Self::Inks, parts) => {
                // The inks are unknown. Any ink is dark, and none is white.
                let most = parts.iter().copied().fold(0.0, f32::greater);
                gray(1.0 - most)
            }
            (Self::Lab, [light, ..]) => gray(light / 100.0),
            (Self::Gray, [light, ..]) => gray(*light),
            (Self::Rgb, [r, g, b, ..]) => Colour([byte(*r), byte(*g), byte(*b)]),
            (Self::Cmyk, [c, m, y, k, ..]) => {
                let part = |ink: f32| byte((1.0 - ink) * (1.0 - k));
                Colour([part(*c), part(*m), part(*y)])
            }
            _ => Colour::BLACK,
        }
    }

    /// The colour after the space was chosen.
    pub fn initial(&self) -> Colour {
        match self {
            Self::Pattern => Colour([128; 3]),
            Self::Indexed(palette) => palette.first().copied().unwrap_or_default(),
            _ => Colour::BLACK,
        }
    }
}

fn palette(text: &PdfString<'_>) -> Vec<u8> {
    text.as_bytes().to_vec()
}

fn gray(light: f32) -> Colour {
    Colour([byte(light); 3])
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the value is in range"
)]
fn byte(part: f32) -> u8 {
    (part.clamp(0.0, 1.0) * 255.0).round() as u8
}

#[cfg(test)]
mod tests {
    use super::*;
    use hayro_syntax::object::FromBytes;

    fn space(text: &[u8]) -> Space {
        Space::of(&Object::from_bytes(text).unwrap(), 0)
    }

    #[test]
    fn colours_of_spaces() {
        assert_eq!(
            space(b"/DeviceRGB").colour(&[1.0, 0.0, 0.5]),
            Colour([255, 0, 128])
        );
        assert_eq!(
            space(b"/DeviceCMYK").colour(&[0.0, 0.0, 0.0, 1.0]),
            Colour::BLACK
        );
        assert_eq!(
            space(b"[/Separation /Gold /DeviceCMYK null]").colour(&[0.0]),
            Colour::WHITE
        );
        let palette = space(b"[/Indexed /DeviceRGB 1 <000000ffffff>]");
        assert_eq!(palette.colour(&[1.0]), Colour::WHITE);
        assert_eq!(palette.colour(&[9.0]), Colour::BLACK);
        assert_eq!(space(b"[/Indexed [/Indexed [/Indexed [/Indexed [/Indexed /DeviceGray 0 <00>] 0 <00>] 0 <00>] 0 <00>] 0 <00>]").initial(), Colour::BLACK);
    }
}
