//! Tests of images of pages.

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
fn limit(file: Vec<u8>) -> &'static str {
    match image(file, 1000, 1_000_000) {
        Err(Error::Exhausted(limit)) => limit,
        Err(error) => panic!("another error: {error:?}"),
        Ok(_) => "",
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
fn huge_images_are_refused() {
    for filter in ["", "/Filter /DCTDecode", "/Filter /CCITTFaxDecode"] {
        let entries = format!(
            "/Subtype /Image /Width 65000 /Height 65000 /BitsPerComponent 1 /ColorSpace /DeviceGray {filter}"
        );
        let file = page(
            "/I Do",
            "/XObject << /I 5 0 R >>",
            "",
            &[(&entries, b"\xff\xd8")],
        );
        assert!(!limit(file).is_empty(), "{filter}");
    }
    let columns = "/Subtype /Image /Width 10 /Height 60000 /Filter /CCITTFaxDecode \
        /DecodeParms << /Columns 60000 >>";
    let file = page("/I Do", "/XObject << /I 5 0 R >>", "", &[(columns, b"\0")]);
    assert_eq!(limit(file), "pixels of an image of a page");
    // The mask of a small image.
    let small = "/Subtype /Image /Width 1 /Height 1 /BitsPerComponent 8 /ColorSpace /DeviceGray /SMask 6 0 R";
    let mask =
        "/Subtype /Image /Width 65000 /Height 65000 /BitsPerComponent 8 /ColorSpace /DeviceGray";
    let file = page(
        "/I Do",
        "/XObject << /I 5 0 R >>",
        "",
        &[(small, b"0"), (mask, b"0")],
    );
    assert!(!limit(file).is_empty());
}

#[test]
fn images_that_become_huge_are_refused() {
    let image: (&str, &[u8]) = (
        "/Subtype /Image /Width 1000 /Height 2 /BitsPerComponent 8 /ColorSpace /DeviceGray",
        &[0; 2000],
    );
    // Scaled down in one direction, and enlarged in the other.
    let file = page(
        "150 0 0 100000000 0 0 cm /I Do",
        "/XObject << /I 5 0 R >>",
        "",
        &[image],
    );
    assert_eq!(limit(file), "bytes for the image of a page");
}

#[test]
fn recursion_of_forms_ends() {
    // With resources of its own, the library does not resolve the form inside of itself.
    let entries = "/Subtype /Form /BBox [0 0 200 100] /Resources << /XObject << /X 5 0 R >> >>";
    let recursive = |entries: &str| {
        let form: (&str, &[u8]) = (entries, b"0 0 9 9 re f /X Do");
        page("/X Do", "/XObject << /X 5 0 R >>", "", &[form])
    };
    assert!(drawn(recursive(entries), 200).has_ink(0..9, 91..100));
    // With the resources of the page, it does.
    let entries = "/Subtype /Form /BBox [0 0 200 100]";
    assert_eq!(limit(recursive(entries)), "depth of forms");
}

#[test]
fn forms_that_draw_each_other_many_times_are_refused() {
    // Each form draws the next one ten times.
    let mut forms: Vec<(String, Vec<u8>)> = (0..12)
        .map(|index| {
            let entries = format!(
                "/Subtype /Form /BBox [0 0 200 100] /Resources << /XObject << /X {} 0 R >> >>",
                index + 6
            );
            (entries, b"/X Do ".repeat(10))
        })
        .collect();
    forms.push(("/Subtype /Form /BBox [0 0 9 9]".to_owned(), Vec::new()));
    let objects: Vec<(&str, &[u8])> = forms
        .iter()
        .map(|(entries, data)| (entries.as_str(), data.as_slice()))
        .collect();
    let file = page("/X Do", "/XObject << /X 5 0 R >>", "", &objects);
    assert_eq!(limit(file), "operations for the image of a page");
}

#[test]
fn recursion_of_masks_and_glyphs_ends() {
    let state = "/ExtGState << /G << /SMask << /S /Alpha /G 5 0 R >> >> >>";
    let mask = "/Subtype /Form /BBox [0 0 200 100]";
    let file = page("/G gs", state, "", &[(mask, b"/G gs 0 0 9 9 re f")]);
    assert!(!limit(file).is_empty());
    let font = "/Subtype /Type3 /FontMatrix [1 0 0 1 0 0] /FontBBox [0 0 1 1] /FirstChar 97 \
        /LastChar 97 /Widths [1] /Encoding << /Differences [97 /a] >> /CharProcs << /a 4 0 R >>";
    let mut builder = Builder::default();
    builder.add("<< /Type /Catalog /Pages 2 0 R >>");
    builder.add("<< /Type /Pages /Count 1 /Kids [3 0 R] >>");
    builder.add(format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R \
         /Resources << /Font << /T << {font} >> >> >> >>"
    ));
    builder.stream("", b"BT /T 9 Tf (aa) Tj ET");
    assert!(!limit(builder.file(1)).is_empty());
}

#[test]
fn patterns_that_fill_with_each_other_are_refused() {
    let patterns: Vec<String> = (0..6)
        .map(|index| {
            format!(
                "/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 5000 5000] /XStep 50 /YStep 50 \
                 /Resources << /Pattern << /P {} 0 R >> >>",
                index + 6
            )
        })
        .collect();
    let fill = "/Pattern cs /P scn 0 0 200 100 re f";
    let objects: Vec<(&str, &[u8])> = patterns
        .iter()
        .map(|entries| (entries.as_str(), fill.as_bytes()))
        .collect();
    let file = page(fill, "/Pattern << /P 5 0 R >>", "", &objects);
    assert!(!limit(file).is_empty());
}

#[test]
fn tiny_steps_of_patterns_are_refused() {
    let pattern =
        "/PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 10000 10000] /XStep 0.01 /YStep 0.01";
    let file = page(
        "/Pattern cs /P scn 0 0 200 100 re f",
        "/Pattern << /P 5 0 R >>",
        "",
        &[(pattern, b"0 0 1 1 re f")],
    );
    assert_eq!(limit(file), "operations for the image of a page");
}

#[test]
fn tiny_and_negative_dashes_are_refused() {
    let tiny = "[0.00001] 0 d 0 50 m 200 50 l S";
    assert!(!limit(page(tiny, "", "", &[])).is_empty());
    assert_eq!(
        limit(page("[-1 1] 0 d 0 50 m 200 50 l S", "", "", &[])),
        "dashes"
    );
    assert_eq!(
        limit(page("[3 2] 0 d 0 50 m 200 50 l S [] 0 d", "", "", &[])),
        ""
    );
}

#[test]
fn huge_ranges_of_widths_are_refused() {
    let font = "/Font << /W << /Subtype /Type0 /BaseFont /A /Encoding /Identity-H /DescendantFonts [<< \
        /Subtype /CIDFontType2 /W [1 [500] 1 4294967295 700] >>] >> >>";
    let mut builder = Builder::default();
    builder.add("<< /Type /Catalog /Pages 2 0 R >>");
    builder.add("<< /Type /Pages /Count 1 /Kids [3 0 R] >>");
    builder.add(format!(
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 100] /Contents 4 0 R /Resources << {font} >> >>"
    ));
    builder.stream("", b"BT /W 9 Tf (ab) Tj ET");
    assert_eq!(limit(builder.file(1)), "widths of a font");
}

#[test]
fn decompression_bombs_are_refused() {
    use std::io::Write;
    let mut writer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
    for _ in 0..20 {
        writer.write_all(&vec![0; 1 << 20]).unwrap();
    }
    let bomb = writer.finish().unwrap();
    let entries = "/Subtype /Image /Width 10 /Height 10 /BitsPerComponent 8 /ColorSpace /DeviceGray \
        /Filter /FlateDecode";
    let file = page("/I Do", "/XObject << /I 5 0 R >>", "", &[(entries, &bomb)]);
    assert_eq!(limit(file), "decompressed bytes");
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

/// A page that is filled with a colour of a space that has a function.
fn with_function(space: &str, objects: &[(&str, &[u8])]) -> Vec<u8> {
    page(
        "/C cs 1 scn 0 0 50 50 re f",
        &format!("/ColorSpace << /C {space} >>"),
        "",
        objects,
    )
}

#[test]
fn deep_functions_are_a_limit() {
    const ENTRIES: &str = "/FunctionType 4 /Domain [0 1] /Range [0 1 0 1 0 1]";
    let program = |depth: usize| "{".repeat(depth) + "1 0 0" + &"}".repeat(depth);
    let space = "[/Separation /X /DeviceRGB 5 0 R]";
    for (depth, expected) in [
        (1, ""),
        (90, ""),
        (1000, "depth of functions"),
        (100_000, "depth of functions"),
    ] {
        let program = program(depth);
        let file = with_function(space, &[(ENTRIES, program.as_bytes())]);
        assert_eq!(limit(file), expected, "{depth}");
    }
    // As a transfer function, and in a shading.
    let program = program(5000);
    let objects: [(&str, &[u8]); 1] = [(ENTRIES, program.as_bytes())];
    for (content, resources) in [
        ("/G gs 0 0 9 9 re f", "/ExtGState << /G << /TR 5 0 R >> >>"),
        (
            "/G gs 0 0 9 9 re f",
            "/ExtGState << /G << /TR2 [5 0 R 5 0 R 5 0 R 5 0 R] >> >>",
        ),
        (
            "/S sh",
            "/Shading << /S << /ShadingType 2 /ColorSpace /DeviceRGB /Coords [0 0 9 9] /Function 5 0 R >> >>",
        ),
        (
            "/S sh",
            "/Shading << /S << /ShadingType 2 /ColorSpace [/Separation /X /DeviceRGB 5 0 R] /Coords [0 0 9 9] >> >>",
        ),
        (
            "/C cs 1 scn 0 0 9 9 re f",
            "/ColorSpace << /C [/Indexed [/Separation /X /DeviceRGB 5 0 R] 1 <0001>] >>",
        ),
    ] {
        assert_eq!(
            limit(page(content, resources, "", &objects)),
            "depth of functions",
            "{resources}"
        );
    }
}

#[test]
fn nested_functions_and_spaces_are_a_limit() {
    // Each level has some of the next one.
    let nested = |levels: usize, bounds: &str, encode: &str, each: usize| {
        let level = |level: usize| {
            let next = format!("{} 0 R ", level + 6).repeat(each);
            format!(
                "/FunctionType 3 /Domain [0 1] /Bounds [{bounds}] /Encode [{encode}] /Functions [{next}]"
            )
        };
        let last = "/FunctionType 2 /Domain [0 1] /N 1".to_owned();
        let levels: Vec<String> = (0..levels).map(level).chain([last]).collect();
        let objects: Vec<(&str, &[u8])> = levels.iter().map(|it| (it.as_str(), &b""[..])).collect();
        with_function("[/Separation /X /DeviceGray 5 0 R]", &objects)
    };
    assert_eq!(limit(nested(3, "0.5", "0 1 0 1", 2)), "");
    assert_eq!(limit(nested(300, "", "0 1", 1)), "depth of functions");
    assert_eq!(limit(nested(14, "0.5", "0 1 0 1", 2)), "functions");
    let deep = "[/Indexed ".repeat(30) + "/DeviceGray" + &" 1 <0001>]".repeat(30);
    assert_eq!(limit(with_function(&deep, &[])), "depth of colour spaces");
}

#[test]
fn search_for_inline_images_is_a_limit() {
    for part in ["BI /W 1 /H 1 ID ", "BI /W 1 /H 1 ID a EI b EI "] {
        let file = page(&part.repeat(20_000), "", "", &[]);
        assert_eq!(limit(file), "operations for the image of a page", "{part}");
    }
}
