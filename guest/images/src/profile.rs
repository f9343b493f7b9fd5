//! Colour profiles: what a screen of the usual kind is sent instead of the
//! colours of a file that has one.

use super::pixels::Pixels;
use super::{chunks, limits};
use flate2::read::ZlibDecoder;
use image::ImageDecoder;
use moxcms::{ColorProfile, DataColorSpace, Layout, ProfileText, TransformOptions};
use std::io::Read as _;

/// What is said of a profile that was left out.
const LEFT_OUT: &str = "its colour profile is not applied: colours may be off";

/// The profile of an image, if it has one that is not too large.
pub fn of(data: &[u8], decoder: &mut dyn ImageDecoder) -> Option<Vec<u8>> {
    let profile = match chunks::header_of_png(data) {
        Some(_) => of_png(data),
        None => decoder.icc_profile().ok().flatten(),
    };
    profile.filter(|profile| profile.len() <= limits::METADATA_BYTES)
}

/// That of a PNG: a name, a zero, how it is compressed, and the profile (its
/// specification, section 11.3.2.3).
fn of_png(data: &[u8]) -> Option<Vec<u8>> {
    let (chunks, _) = chunks::of_png(data);
    let chunk = chunks.iter().find(|chunk| &chunk.kind == b"iCCP")?;
    let name = chunk.body.iter().position(|byte| *byte == 0)?;
    let packed = chunk.body.get(name + 2..)?;
    let mut profile = Vec::new();
    ZlibDecoder::new(packed)
        .take(limits::METADATA_BYTES as u64 + 1)
        .read_to_end(&mut profile)
        .ok()?;
    Some(profile)
}

/// An image in the colours of sRGB. What cannot be changed to them is left as it
/// is, and said.
pub fn applied(pixels: Pixels, profile: &[u8], notes: &mut Vec<String>) -> Pixels {
    match transformed(&pixels, profile) {
        Ok(Some(data)) => Pixels { data, ..pixels },
        Ok(None) => pixels,
        Err(()) => {
            notes.push(LEFT_OUT.to_owned());
            pixels
        }
    }
}

/// The bytes of the same image in sRGB; `None` if they are in it.
fn transformed(pixels: &Pixels, profile: &[u8]) -> Result<Option<Vec<u8>>, ()> {
    let source = ColorProfile::new_from_slice(profile).map_err(drop)?;
    let layout = match (source.color_space, pixels.channels) {
        // Shades of grey differ by their curve alone, which is nearly the same.
        (DataColorSpace::Gray, 1 | 2) => return Ok(None),
        (DataColorSpace::Rgb, 3) => Layout::Rgb,
        (DataColorSpace::Rgb, 4) => Layout::Rgba,
        _ => return Err(()),
    };
    if is_srgb(&source) {
        return Ok(None);
    }
    let transform = source
        .create_transform_8bit(
            layout,
            &ColorProfile::new_srgb(),
            layout,
            TransformOptions::default(),
        )
        .map_err(drop)?;
    let mut data = vec![0; pixels.data.len()];
    transform.transform(&pixels.data, &mut data).map_err(drop)?;
    Ok(Some(data))
}

/// Whether a profile calls itself sRGB: to apply it would only round.
fn is_srgb(profile: &ColorProfile) -> bool {
    let says = |text: &str| text.contains("sRGB");
    match &profile.description {
        Some(ProfileText::PlainString(text)) => says(text),
        Some(ProfileText::Localizable(texts)) => texts.iter().any(|text| says(&text.value)),
        Some(ProfileText::Description(text)) => {
            says(&text.ascii_string) || says(&text.unicode_string)
        }
        None => false,
    }
}
