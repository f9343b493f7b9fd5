//! Prints the glyphs of a page of a PDF file: place, size, direction, font, characters.

#![allow(clippy::print_stdout, reason = "it is a program")]

use omniread_pdf::content::{Show, content};
use omniread_pdf::file::File;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_default();
    let page = arguments
        .next()
        .and_then(|page| page.parse().ok())
        .unwrap_or(1_usize);
    let bytes = std::fs::read(path).unwrap_or_default();
    let Ok(file) = File::open(bytes, std::env::var("PASSWORD").ok().as_deref()) else {
        return;
    };
    let page = content(&file, page.saturating_sub(1), Show::All);
    for glyph in &page.glyphs {
        let (x0, x1, y, size) = (glyph.x0, glyph.x1, glyph.y, glyph.size);
        let font = &page.font(glyph).name;
        let mark = glyph.mcid.map_or(-1, |mark| i64::from(mark.id));
        println!(
            "{x0:8.2} {x1:8.2} {y:8.2} {size:6.2} {:?} {mark} {font} {:?}",
            glyph.direction, glyph.text
        );
    }
}
