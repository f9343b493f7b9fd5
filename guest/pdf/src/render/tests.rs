//! Tests of images of pages.

mod hostile;

use super::png;
use crate::testing::{self, Builder, FONTS};
use omniread_document::Error;

/// An image of a page.
struct Drawn {
    pixels: Vec<u8>,
    width: usize,
    height: usize,
    channels: usize,
}

impl Drawn {
    /// The colour of a pixel.
    fn at(&self, x: usize, y: usize) -> [u8; 3] {
        let at = (y * self.width + x) * self.channels;
        if self.channels == 1 {
            [self.pixels[at]; 3]
        } else {
            self.pixels[at..at + 3].try_into().unwrap()
        }
    }

    /// Whether a rectangle has a pixel that is not white.
    fn has_ink(&self, columns: std::ops::Range<usize>, rows: std::ops::Range<usize>) -> bool {
        rows.into_iter()
            .any(|y| columns.clone().any(|x| self.at(x, y) != [255; 3]))
    }
}

fn image(file: Vec<u8>, longest: u32, pixels: u64) -> Result<Option<Vec<u8>>, Error> {
    let mut document = crate::open(file, None).unwrap();
    document.page_image(0, longest, pixels)
}

fn drawn(file: Vec<u8>, longest: u32) -> Drawn {
    let png = image(file, longest, 10_000_000).unwrap().unwrap();
    let (pixels, width, channels) = png::pixels(&png);
    Drawn {
        height: pixels.len() / (width * channels),
        pixels,
        width,
        channels,
    }
}

/// A file with a page of 200 × 100 points, and objects that its resources name.
fn page(content: &str, resources: &str, page: &str, objects: &[(&str, &[u8])]) -> Vec<u8> {
    let mut builder = Builder::default();
    builder.add("<< /Type /Catalog /Pages 2 0 R >>");
    builder.add("<< /Type /Pages /Count 1 /Kids [3 0 R] >>");
    builder.add(format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R \
         /Resources << {FONTS} {resources} >> {page} >>"
    ));
    builder.stream("", content.as_bytes());
    for (entries, data) in objects {
        builder.stream(entries, data);
    }
    builder.file(1)
}

/// The name of the limit that a page exceeds.
fn limit(file: Vec<u8>) -> String {
    match image(file, 1000, 1_000_000) {
        Err(Error::Exhausted(limit)) => limit,
        Err(error) => panic!("another error: {error:?}"),
        Ok(_) => String::new(),
    }
}

#[test]
fn rotated_pages_are_upright() {
    for (rotation, size) in [
        (0, (200, 100)),
        (90, (100, 200)),
        (180, (200, 100)),
        (270, (100, 200)),
    ] {
        let rotate = format!("/Rotate {rotation}");
        // A red square at the lower left corner.
        let drawn = drawn(page("1 0 0 rg 0 0 20 20 re f", "", &rotate, &[]), 200);
        assert_eq!((drawn.width, drawn.height), size);
        let (right, bottom) = (drawn.width - 5, drawn.height - 5);
        let corner = match rotation {
            0 => (5, bottom),
            90 => (5, 5),
            180 => (right, 5),
            _ => (right, bottom),
        };
        for place in [(5, 5), (right, 5), (5, bottom), (right, bottom)] {
            let colour = if place == corner {
                [255, 0, 0]
            } else {
                [255; 3]
            };
            assert_eq!(drawn.at(place.0, place.1), colour, "{rotation} {place:?}");
        }
    }
}

#[test]
fn crop_box_is_the_page() {
    let content = "0 0 1 rg 0 0 200 100 re f 0 1 0 rg 50 50 10 10 re f";
    let drawn = drawn(page(content, "", "/CropBox [50 50 90 70]", &[]), 40);
    assert_eq!((drawn.width, drawn.height), (40, 20));
    assert_eq!(drawn.at(5, 15), [0, 255, 0]);
    assert_eq!(drawn.at(15, 15), [0, 0, 255]);
}

#[test]
fn pixels_are_limited() {
    let file = page("0 0 200 100 re f", "", "", &[]);
    let png = image(file.clone(), 1568, 5000).unwrap().unwrap();
    let (pixels, width, _) = png::pixels(&png);
    assert_eq!((width, pixels.len()), (100, 5000));
    // A small page has at most 300 dots per inch.
    assert_eq!(drawn(file, 8000).width, 833);
}

#[test]
fn pages_that_do_not_exist_have_no_image() {
    let mut document = crate::open(page("", "", "", &[]), None).unwrap();
    assert_eq!(document.page_image(1, 100, 10_000), Ok(None));
    assert!(document.page_image(0, 0, 10_000).is_err());
}

#[test]
fn gray_pages_have_one_channel() {
    let gray = drawn(page("0.5 g 0 0 100 100 re f", "", "", &[]), 200);
    assert_eq!((gray.channels, gray.at(5, 5)), (1, [128; 3]));
    let coloured = drawn(page("1 0 0 rg 0 0 1 1 re f", "", "", &[]), 200);
    assert_eq!(coloured.channels, 3);
}

#[test]
fn standard_fonts_are_drawn() {
    for font in ["F1", "F2", "F3"] {
        let content = format!("BT /{font} 40 Tf 10 10 Td (HHHH) Tj ET");
        let drawn = drawn(page(&content, "", "", &[]), 200);
        assert!(drawn.has_ink(10..60, 60..90), "{font}");
        assert!(!drawn.has_ink(0..200, 0..50));
    }
}

#[test]
fn annotations_are_drawn() {
    let appearance: (&str, &[u8]) = (
        "/Type /XObject /Subtype /Form /BBox [0 0 10 10]",
        b"0 1 0 rg 0 0 10 10 re f",
    );
    let shown = "/Annots [<< /Subtype /Stamp /Rect [0 0 20 20] /AP << /N 5 0 R >> >>]";
    let drawn_page = drawn(page("", "", shown, &[appearance]), 200);
    assert_eq!(drawn_page.at(10, 90), [0, 255, 0]);
    let hidden = "/Annots [<< /Subtype /Stamp /F 2 /Rect [0 0 20 20] /AP << /N 5 0 R >> >>]";
    assert!(!drawn(page("", "", hidden, &[appearance]), 200).has_ink(0..200, 0..100));
}

#[test]
fn layers_that_are_off_are_not_drawn() {
    let content = "/OC /L BDC 0 0 50 50 re f EMC 100 0 50 50 re f";
    let file = testing::pages(
        &[content],
        "/Resources << /Properties << /L 5 0 R >> >>",
        "/OCProperties << /OCGs [5 0 R] /D << /OFF [5 0 R] >> >>",
        &["<< /Type /OCG /Name (Layer) >>"],
    );
    let drawn = drawn(file, 792);
    assert!(!drawn.has_ink(0..50, 742..792));
    assert!(drawn.has_ink(100..150, 742..792));
}

#[test]
fn images_are_drawn() {
    let image: (&str, &[u8]) = (
        "/Subtype /Image /Width 2 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceRGB",
        b"\xff\0\0\0\0\xff",
    );
    let drawn = drawn(
        page(
            "100 0 0 100 0 0 cm /I Do",
            "/XObject << /I 5 0 R >>",
            "",
            &[image],
        ),
        200,
    );
    assert_eq!(drawn.at(10, 50), [255, 0, 0]);
    assert_eq!(drawn.at(90, 50), [0, 0, 255]);
    assert_eq!(drawn.at(150, 50), [255; 3]);
}

#[test]
fn values_without_an_appearance_are_drawn() {
    let field = |entries: &str| {
        let annotation = format!(
            "/Annots [<< /Subtype /Widget /FT /Tx /V (HHHH) /DA (/Helv 20 Tf) /Rect [10 40 110 60] {entries} >>]"
        );
        drawn(page("", "", &annotation, &[]), 200)
    };
    let shown = field("");
    assert!(shown.has_ink(10..110, 40..60));
    assert!(!shown.has_ink(0..200, 0..40) && !shown.has_ink(0..200, 60..100));
    // Hidden fields and passwords.
    for entries in ["/F 2", "/Ff 8192"] {
        assert!(!field(entries).has_ink(0..200, 0..100), "{entries}");
    }
    // On a rotated page, the text is turned with the page.
    let annotation =
        "/Rotate 90 /Annots [<< /Subtype /Widget /FT /Tx /V (HHHH) /Rect [10 40 110 60] >>]";
    let turned = drawn(page("", "", annotation, &[]), 200);
    assert!(turned.has_ink(40..60, 10..110));
    assert!(!turned.has_ink(0..40, 0..200) && !turned.has_ink(60..100, 0..200));
}

#[test]
fn comments_without_an_appearance_are_drawn() {
    let comment = |entries: &str| {
        let annotation = format!("/Annots [<< {entries} /Rect [10 40 110 60] >>]");
        drawn(page("0 g 50 40 10 20 re f", "", &annotation, &[]), 200)
    };
    let quads = "/QuadPoints [10 60 110 60 10 40 110 40] /C [1 1 0]";
    let lit = comment(&format!("/Subtype /Highlight {quads}"));
    let ([red, _, blue], dark) = (lit.at(20, 50), lit.at(55, 50));
    assert!(red > 200 && blue < 200, "{red} {blue}");
    // The text is seen through it.
    let [.., dark_blue] = dark;
    assert!(dark[0] < 130 && dark_blue < 60, "{dark:?}");
    assert!(!comment("/Subtype /Highlight /F 2 /C [1 1 0]").has_ink(0..50, 0..100));
    let shapes = [
        "/Subtype /StrikeOut /QuadPoints [10 60 110 60 10 40 110 40]",
        "/Subtype /Ink /InkList [[10 50 30 50 40 55]]",
        "/Subtype /Line /L [10 50 40 50]",
        "/Subtype /Polygon /Vertices [10 50 40 50 40 60]",
        "/Subtype /Square",
    ];
    for shape in shapes {
        let shape = comment(&format!("{shape} /C [1 0 0] /BS << /W 2 >>"));
        assert!(shape.has_ink(10..45, 38..62));
        assert!(!shape.has_ink(0..45, 0..36) && !shape.has_ink(0..45, 64..100));
    }
}
