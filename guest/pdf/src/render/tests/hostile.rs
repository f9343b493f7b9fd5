//! Pages that would take too much time or memory to draw.

use super::{drawn, limit, page};
use crate::testing::Builder;

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
