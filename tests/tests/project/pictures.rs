//! The pictures of the README, generated from the replies of omniread and from its tables.
//!
//! The tests compare the pictures with the files. With `BLESS=1` in the environment they write the files
//! instead.

use omniread::Block;
use omniread_tests::image::decoded;
use omniread_tests::{assert_generated, project};
use std::fmt::Write as _;

/// The width of a character of the font of the pictures in pixels.
const CHARACTER: usize = 8;

/// Text in an SVG document.
fn escaped(text: &str) -> String {
    let text = text.replace('&', "&amp;").replace('<', "&lt;");
    text.replace('>', "&gt;")
}

/// An SVG document.
fn svg(width: usize, height: usize, label: &str, content: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" role=\"img\" aria-label=\"{label}\" font-family=\"ui-monospace, Consolas, \
         DejaVu Sans Mono, monospace\" font-size=\"13\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#ffffff\"/>\n{content}</svg>\n"
    )
}

/// A line of text. `y` is its base line.
fn line(out: &mut String, x: usize, y: usize, colour: &str, text: &str) {
    let text = escaped(text);
    let _ = writeln!(
        out,
        "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\" xml:space=\"preserve\">{text}</text>"
    );
}

/// The lines of a text, none of which has more than `width` characters, where spaces allow it.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for paragraph in text.lines() {
        let mut current = String::new();
        for word in paragraph.split(' ') {
            if !current.is_empty() && current.chars().count() + word.chars().count() >= width {
                lines.push(std::mem::take(&mut current));
            }
            if !current.is_empty() {
                current.push(' ');
            }
            current.push_str(word);
        }
        lines.push(current);
    }
    lines
}

/// A PDF page as it looks, and the reply that a model gets for it.
#[test]
fn picture_of_a_pdf_page_shows_page_and_reply() {
    const HEIGHT: usize = 420;
    let reader = omniread_tests::builder().root(project()).build().unwrap();
    let session = reader.session();
    let path = "examples/manual.pdf:page:1";
    let page = session.read(format!("{path}:img").as_str()).unwrap();
    let image = page.blocks.iter().find_map(|block| match block {
        Block::Image(image) => Some(image),
        _ => None,
    });
    let image = image.unwrap();
    let reply = session.read(path).unwrap();
    let pixels = decoded(&image.mime, &image.data).image;
    let width = HEIGHT * pixels.width() as usize / pixels.height() as usize;
    let (left, text) = (width + 60, reply.text());
    let mut out = String::new();
    let _ = writeln!(
        out,
        "<image x=\"10\" y=\"30\" width=\"{width}\" height=\"{HEIGHT}\" href=\"data:{};base64,{}\"/>\n\
         <rect x=\"10\" y=\"30\" width=\"{width}\" height=\"{HEIGHT}\" fill=\"none\" stroke=\"#999999\"/>",
        image.mime, image.data
    );
    line(&mut out, 10, 20, "#666666", "a page of examples/manual.pdf");
    line(&mut out, left, 20, "#666666", &format!("$ omniread {path}"));
    let lines = wrapped(text.trim_end(), 58);
    for (index, text) in lines.iter().enumerate() {
        line(&mut out, left, 46 + 18 * index, "#111111", text);
    }
    let picture = svg(
        left + 58 * CHARACTER,
        HEIGHT + 40,
        "A PDF page and its text",
        &out,
    );
    assert_generated("docs/images/pdf-page.svg", &picture);
}

/// A row of the table of speeds: the read, and the milliseconds of omniread and of the other program.
struct Speed {
    read: String,
    ours: f64,
    other: String,
    theirs: f64,
}

/// The milliseconds of a duration such as `48.6 µs`.
fn milliseconds(text: &str) -> Option<f64> {
    let (number, unit) = text.trim().rsplit_once(' ')?;
    let factor = match unit {
        "µs" => 1e-3,
        "ms" => 1.0,
        "s" => 1e3,
        _ => return None,
    };
    Some(number.trim().parse::<f64>().ok()? * factor)
}

/// The rows of the table of speeds in the README.
fn speeds() -> Vec<Speed> {
    let readme = std::fs::read_to_string(project().join("README.md")).unwrap();
    let rows = readme.lines().filter_map(|line| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let [read, ours, compared] = cells[..] else {
            return None;
        };
        let (other, theirs) = compared.rsplit_once(": ")?;
        Some(Speed {
            read: read.replace('`', ""),
            ours: milliseconds(ours)?,
            other: other.replace('`', ""),
            theirs: milliseconds(theirs)?,
        })
    });
    rows.collect()
}

/// The speeds of the README as bars. The scale is logarithmic, because the reads differ by four orders
/// of magnitude.
#[test]
fn chart_of_speeds_has_the_values_of_the_table() {
    const LEFT: usize = 16;
    const WIDTH: f64 = 640.0;
    let rows = speeds();
    assert!(rows.len() >= 4, "{}", rows.len());
    let times = rows.iter().flat_map(|row| [row.ours, row.theirs]);
    let (least, most) = times.fold((f64::MAX, 0.0_f64), |(least, most), time| {
        (least.min(time), most.max(time))
    });
    // The shortest bar has a tenth of the width.
    let scale = |time: f64| {
        let part = (time / least).ln() / (most / least).ln();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a positive number of pixels"
        )]
        let pixels = ((0.1 + 0.9 * part) * WIDTH).round() as usize;
        pixels
    };
    let shown = |time: f64| match time {
        time if time < 1.0 => format!("{:.1} µs", time * 1e3),
        time => format!("{time:.1} ms"),
    };
    let mut out = String::new();
    let mut y = 24;
    line(
        &mut out,
        LEFT,
        y,
        "#666666",
        "time, logarithmic scale; shorter is faster",
    );
    for row in &rows {
        y += 34;
        line(&mut out, LEFT, y, "#111111", &row.read);
        for (name, time, colour) in [
            ("omniread", row.ours, "#2f6f4f"),
            (row.other.as_str(), row.theirs, "#b0b0b0"),
        ] {
            y += 8;
            let width = scale(time);
            let _ = writeln!(
                out,
                "<rect x=\"{LEFT}\" y=\"{y}\" width=\"{width}\" height=\"14\" fill=\"{colour}\"/>"
            );
            let text = format!("{} {name}", shown(time));
            y += 12;
            line(&mut out, LEFT + width + 8, y, "#111111", &text);
        }
    }
    let label = "Times of reads beside other programs";
    assert_generated("docs/images/speed.svg", &svg(1080, y + 24, label, &out));
}
