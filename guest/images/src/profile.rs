//! Colour profiles: conversion to sRGB.

use super::pixels::Pixels;
use super::{chunks, limits};
use flate2::read::ZlibDecoder;
use image::ImageDecoder;
use moxcms::{ColorProfile, DataColorSpace, Layout, ProfileText, TransformOptions};
use std::io::Read as _;

/// The note for a profile that could not be applied.
const LEFT_OUT: &str = "its colour profile is not applied: colours may be off";

/// The ICC colour profile of an image. `None` if there is no profile, or if it is too large.
pub fn of(data: &[u8], decoder: &mut dyn ImageDecoder) -> Option<Vec<u8>> {
    let profile = match chunks::header_of_png(data) {
        Some(_) => of_png(data),
        None => decoder.icc_profile().ok().flatten(),
    };
    profile.filter(|profile| profile.len() <= limits::METADATA_BYTES)
}

/// The colour profile of a PNG. The chunk `iCCP` contains a name, a NUL, the compression method and
/// the compressed profile (PNG specification, section 11.3.2.3).
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

/// Converts an image from the colour profile `profile` to sRGB. If the conversion fails, the image
/// is unchanged and a note is added.
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

/// The pixels, converted from the colour profile to sRGB. `None` if no conversion is needed.
fn transformed(pixels: &Pixels, profile: &[u8]) -> Result<Option<Vec<u8>>, ()> {
    let source = ColorProfile::new_from_slice(profile).map_err(drop)?;
    let layout = match (source.color_space, pixels.channels) {
        // Grey profiles differ only in their curve, which is nearly that of sRGB.
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

/// Whether the description of a colour profile names sRGB. A conversion from such a profile would
/// only cause rounding errors.
fn is_srgb(profile: &ColorProfile) -> bool {
    let names_srgb = |text: &str| text.contains("sRGB");
    match &profile.description {
        Some(ProfileText::PlainString(text)) => names_srgb(text),
        Some(ProfileText::Localizable(texts)) => texts.iter().any(|text| names_srgb(&text.value)),
        Some(ProfileText::Description(text)) => {
            names_srgb(&text.ascii_string) || names_srgb(&text.unicode_string)
        }
        None => false,
    }
}
