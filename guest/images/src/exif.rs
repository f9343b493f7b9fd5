//! EXIF metadata.

use super::limits;
use exif::{Exif, Field, In, Reader, Tag, Value};

/// Reads selected EXIF fields, each as a name and a value, in the order in which they are shown.
pub fn notes(data: &[u8]) -> Vec<(String, String)> {
    if data.len() > limits::METADATA_BYTES {
        return Vec::new();
    }
    let mut reader = Reader::new();
    reader.continue_on_error(true);
    let exif = match reader.read_raw(data.to_vec()) {
        Ok(exif) => exif,
        Err(exif::Error::PartialResult(partial)) => partial.into_inner().0,
        Err(_) => return Vec::new(),
    };
    let mut notes = Vec::new();
    let mut note = |name: &str, value: Option<String>| {
        let value: Option<String> =
            value.map(|value| value.chars().take(limits::VALUE_CHARS).collect());
        notes.extend(
            value
                .filter(|value| !value.is_empty())
                .map(|value| (name.to_owned(), value)),
        );
    };
    note("camera", camera(&exif));
    note(
        "taken",
        text(&exif, Tag::DateTimeOriginal).or_else(|| text(&exif, Tag::DateTime)),
    );
    note("orientation", orientation(&exif));
    note("location", location(&exif));
    note("software", text(&exif, Tag::Software));
    note("description", text(&exif, Tag::ImageDescription));
    note("copyright", text(&exif, Tag::Copyright));
    notes
}

fn field(exif: &Exif, tag: Tag) -> Option<&Field> {
    exif.get_field(tag, In::PRIMARY)
}

fn text(exif: &Exif, tag: Tag) -> Option<String> {
    let Value::Ascii(parts) = &field(exif, tag)?.value else {
        return None;
    };
    let text = parts
        .first()
        .map(|part| String::from_utf8_lossy(part).trim().to_owned())?;
    Some(text).filter(|text| !text.is_empty())
}

/// Maker and model of the camera. The maker is omitted if the model starts with it.
fn camera(exif: &Exif) -> Option<String> {
    match (text(exif, Tag::Make), text(exif, Tag::Model)) {
        (Some(make), Some(model)) if !model.starts_with(&make) => Some(format!("{make} {model}")),
        (make, model) => model.or(make),
    }
}

/// A description of the EXIF orientation. `None` if the image is upright, or if the orientation is
/// missing or invalid.
fn orientation(exif: &Exif) -> Option<String> {
    let how = field(exif, Tag::Orientation)?.value.get_uint(0)?;
    let how = match how {
        2 => "mirrored",
        3 => "rotated by 180°",
        4 => "rotated by 180° and mirrored",
        5 => "rotated by 270° and mirrored",
        6 => "rotated by 90°",
        7 => "rotated by 90° and mirrored",
        8 => "rotated by 270°",
        _ => return None,
    };
    Some(how.to_owned())
}

/// Latitude and longitude in decimal degrees. South and west are negative.
fn location(exif: &Exif) -> Option<String> {
    let degrees = |value, sign, negative: &str| {
        let Value::Rational(parts) = &field(exif, value)?.value else {
            return None;
        };
        let [degrees, minutes, seconds] = parts.get(..3)? else {
            return None;
        };
        let degrees = degrees.to_f64() + minutes.to_f64() / 60.0 + seconds.to_f64() / 3600.0;
        let negative = text(exif, sign).is_some_and(|sign| sign == negative);
        let degrees = if negative { -degrees } else { degrees };
        Some(degrees).filter(|degrees| degrees.is_finite())
    };
    let latitude = degrees(Tag::GPSLatitude, Tag::GPSLatitudeRef, "S")?;
    let longitude = degrees(Tag::GPSLongitude, Tag::GPSLongitudeRef, "W")?;
    Some(format!("{latitude:.5}, {longitude:.5}"))
}
