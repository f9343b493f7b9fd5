//! Pages whose content is too much.

use super::{page, shown};
use crate::limits;
use crate::testing::{Builder, pages};

#[test]
fn content_of_which_filters_make_little_ends() {
    use std::io::Write;
    let mut spaces = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    spaces.write_all(&vec![b' '; 1 << 19]).unwrap();
    let spaces = spaces.finish().unwrap();
    let mut builder = Builder::default();
    builder.add("<< /Type /Catalog /Pages 2 0 R >>");
    builder.add("<< /Type /Pages /Count 1 /Kids [3 0 R] >>");
    let parts = "5 0 R ".repeat(10_000);
    builder.add(format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents [4 0 R {parts}] /Resources << {} >> >>",
        crate::testing::FONTS
    ));
    builder.stream("", b"BT /F1 10 Tf 50 600 Td (text) Tj ET");
    builder.stream("/Filter [/FlateDecode /ASCIIHexDecode]", &spaces);
    let page = page(builder.file(1));
    assert_eq!(shown(&page), "text");
    assert!(page.missing.cut);
}

#[test]
fn content_ends_at_the_limits() {
    let text = "BT /F1 1 Tf ".to_owned()
        + &"(xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx) Tj ".repeat(limits::GLYPHS / 40 + 10);
    let page = page(pages(&[&text], "", "", &[]));
    assert!(page.glyphs.len() <= limits::GLYPHS);
    assert!(page.missing.cut);
}
