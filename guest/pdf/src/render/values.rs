//! The values of form fields that have no appearance, and comments without one. Viewers draw them on their own
//! (ISO 32000-2, 12.7.4.3).
//!
//! The library draws only what has an appearance. The values are written as the content of a page of a
//! small file in memory, which is drawn over the page.

use super::markup;
use crate::annotations;
use crate::array;
use crate::extremes::Extremes as _;
use crate::file::File;
use crate::limits;
use hayro_syntax::object::{Array, Dict};
use hayro_syntax::page::{Page, Rotation};
use std::fmt::Write as _;

/// The size of text in points if the field does not say it.
const SIZE: f32 = 11.0;

/// The distance of lines in sizes of the text.
const LEADING: f32 = 1.15;

/// The space between the border of a field and its text in points.
const MARGIN: f32 = 2.0;

/// A file whose only page has the values of fields and the comments without an appearance, and the size and rotation of the
/// page. `None` if the page has neither.
pub fn file(file: &File, page: &Page<'_>) -> Option<Vec<u8>> {
    let list = page.raw().get::<Array<'_>>("Annots")?;
    let mut content = String::new();
    let mut shapes = markup::Markup::new();
    for annotation in array::dicts(&list).take(limits::ANNOTATIONS) {
        if content.len() > limits::ACTUAL_TEXT_BYTES {
            break;
        }
        if file.layers().shows(&annotation, b"OC") {
            write(&annotation, &mut content);
            markup::write(&annotation, &mut shapes, &mut content);
        }
    }
    shapes.end(&mut content);
    if content.is_empty() {
        return None;
    }
    let area = page.intersected_crop_box();
    let rotation = match page.rotation() {
        Rotation::None => 0,
        Rotation::Horizontal => 90,
        Rotation::Flipped => 180,
        Rotation::FlippedHorizontal => 270,
    };
    Some(one_page(
        &format!(
            "/MediaBox [{} {} {} {}] /Rotate {rotation}",
            area.x0, area.y0, area.x1, area.y1
        ),
        &content,
    ))
}

/// Writes the value of a field as content.
fn write(annotation: &Dict<'_>, out: &mut String) {
    let Some((text, has_lines)) = annotations::value_without_appearance(annotation) else {
        return;
    };
    let Some(rect) = annotations::rectangle(annotation) else {
        return;
    };
    let size = annotations::text_size(annotation).unwrap_or(if has_lines {
        SIZE
    } else {
        SIZE.lesser(rect.height() * 0.75)
    });
    let (x, y, width, height) = (rect.x0, rect.y0, rect.width(), rect.height());
    // The height of capital letters is about 0.7, so that their middle is in the middle of the field.
    let first = if has_lines {
        rect.y1 - MARGIN - size
    } else {
        y + height / 2.0 - size * 0.35
    };
    let _ = writeln!(
        out,
        "q {x} {y} {width} {height} re W n BT /F {size} Tf {} TL {} {first} Td",
        size * LEADING,
        x + MARGIN
    );
    for (index, line) in text.lines().take(1000).enumerate() {
        let next = if index == 0 { "" } else { "T* " };
        let _ = writeln!(out, "{next}<{}> Tj", encoded(line));
    }
    out.push_str("ET Q\n");
}

/// Text in hexadecimal digits of the encoding of Windows, of which the characters that Latin-1 has are used.
fn encoded(text: &str) -> String {
    let mut out = String::new();
    for character in text.chars().take(1000) {
        let code = match u32::from(character) {
            code @ (0x20..=0x7e | 0xa0..=0xff) => code,
            0x20ac => 0x80,
            0x2018 | 0x2019 => 0x27,
            0x201c | 0x201d => 0x22,
            0x2013 | 0x2014 => 0x2d,
            _ => 0x3f,
        };
        let _ = write!(out, "{code:02x}");
    }
    out
}

/// A file with one page.
fn one_page(entries: &str, content: &str) -> Vec<u8> {
    let font = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>";
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Count 1 /Kids [3 0 R] >>".to_owned(),
        format!(
            "<< /Type /Page /Parent 2 0 R {entries} /Contents 4 0 R /Resources << /Font << /F {font} >> /ExtGState << /{} << /ca 0.4 >> >> >> >>",
            markup::HIGHLIGHT
        ),
        format!(
            "<< /Length {} >>\nstream\n{content}\nendstream",
            content.len()
        ),
    ];
    let mut out = "%PDF-1.7\n".to_owned();
    let mut table = String::new();
    for (index, object) in objects.iter().enumerate() {
        let _ = writeln!(table, "{:010} 00000 n ", out.len());
        let _ = write!(out, "{} 0 obj\n{object}\nendobj\n", index.saturating_add(1));
    }
    let start = out.len();
    let _ = write!(
        out,
        "xref\n0 5\n0000000000 65535 f \n{table}trailer << /Size 5 /Root 1 0 R >>\nstartxref\n{start}\n%%EOF"
    );
    out.into_bytes()
}
