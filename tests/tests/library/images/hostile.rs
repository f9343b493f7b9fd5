//! Hostile and damaged images.

use super::{details, hostile, plain_png, read_image, read_text, seen, survived};
use image::ImageFormat;
use omniread::{Dialect, ImageOptions, Options};
use omniread_tests::Workspace;
use omniread_tests::image::{
    CORNERS, corners, drawing, encoded, flat_png, png_start, shown, with_chunk, with_segment, zeros,
};
use std::fmt::Write as _;
use std::time::Duration;

/// Hostile input IM-1: an image with too many pixels, and a file that has only the header of such
/// an image.
#[test]
fn pixel_limit_is_checked_before_decoding() {
    let workspace = hostile();
    let mut header = png_start(50_000, 50_000, 8, 6, false);
    header.extend(omniread_tests::image::chunk(b"IDAT", &zeros(100)));
    header.extend(omniread_tests::image::chunk(b"IEND", b""));
    let real = flat_png(50_000, 50_000, 1, 0, 6250);
    assert!(header.len() < 100 && real.len() < 400_000);
    workspace.file("header.png", header).file("real.png", real);
    let session = workspace.session();
    for name in ["header.png", "real.png"] {
        for rendered in survived(&session, name) {
            assert!(rendered.contains("not shown: "), "{rendered}");
        }
        let rendered = read_text(&session, name);
        assert!(rendered.contains("PNG image, 50000x50000"), "{rendered}");
        assert!(rendered.contains("2500000000 pixels"), "{rendered}");
        let facts = details(&session, name);
        assert!(facts["payload"].is_null());
        assert_eq!(facts["dimensions"]["width"], 50_000);
        let options = Options {
            image: ImageOptions {
                metadata: true,
                ..ImageOptions::default()
            },
            ..Options::default()
        };
        let reply = session.read_as(name, Dialect::Omp, &options).unwrap();
        assert!(reply.text().contains("- MIME: image/png\n"), "{name}");
        assert!(
            reply.text().contains("- Dimensions: 50000x50000\n"),
            "{name}"
        );
    }
}

/// Hostile input IM-2: a wide GIF with a hundred thousand frames of one pixel each.
#[test]
fn frames_are_counted_up_to_a_limit() {
    let workspace = hostile();
    let moving = |frames: usize| {
        let mut gif = b"GIF89a\xff\xff\x0a\0\x80\0\0\xe0\0\0\0\0\0".to_vec();
        for _ in 0..frames {
            gif.extend(b",\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0");
        }
        gif.push(b';');
        gif
    };
    workspace
        .file("more.gif", moving(100_000))
        .file("most.gif", moving(10_000));
    let session = workspace.session();
    survived(&session, "more.gif");
    let (reply, shown) = read_image(&session, "more.gif");
    assert_eq!((shown.image.width(), shown.image.height()), (1568, 1));
    let rendered = reply.text();
    assert!(rendered.contains("GIF image, 65535x10, "), "{rendered}");
    assert!(
        rendered.contains(", the first of 10000 or more; "),
        "{rendered}"
    );
    let (reply, _) = read_image(&session, "most.gif");
    assert!(
        reply.text().contains(", the first of 10000; "),
        "{}",
        reply.text()
    );
}

/// Hostile input IM-3: an image is shown although its ancillary chunks or segments are very large,
/// or would be when decompressed.
#[test]
fn bombs_in_ancillary_chunks_are_skipped() {
    let workspace = hostile();
    let bomb = zeros(256 << 20);
    let png = plain_png();
    let jpeg = encoded(drawing(60, 40), ImageFormat::Jpeg);
    let with = |kind, start: &[u8]| with_chunk(&png, kind, &[start, &bomb].concat());
    let mut notes = b"II*\0\x08\0\0\0\xff\xff".to_vec();
    notes.resize(20 << 20, 0x41);
    let mut profile = b"ICC_PROFILE\0\x01\x28".to_vec();
    profile.resize(60_000, 0);
    let mut many = jpeg.clone();
    for _ in 0..40 {
        many = with_segment(&many, 0xe2, &profile);
    }
    for (name, bytes) in [
        ("zTXt.png", with(b"zTXt", b"Comment\0\0")),
        ("iCCP.png", with(b"iCCP", b"profile\0\0")),
        ("iTXt.png", with(b"iTXt", b"Comment\0\x01\0\0\0")),
        ("eXIf.png", with_chunk(&png, b"eXIf", &notes[..19 << 20])),
        (
            "loop.png",
            with_chunk(
                &png,
                b"eXIf",
                b"II*\0\x08\0\0\0\x01\0\x69\x87\x04\0\x01\0\0\0\x08\0\0\0\x08\0\0\0",
            ),
        ),
        (
            "noted.jpg",
            with_segment(
                &jpeg,
                0xe1,
                &[b"Exif\0\0".as_slice(), &notes[..60_000]].concat(),
            ),
        ),
        ("many.jpg", many),
    ] {
        workspace.file(name, bytes);
        let session = workspace.session();
        survived(&session, name);
        let (reply, shown) = read_image(&session, name);
        assert_eq!(corners(&shown.image), CORNERS, "{name}");
        assert!(shown.bytes.len() < 10_000, "{name}: {}", reply.text());
    }
}

/// Hostile input IM-4: the kind of a file is detected from its content, not from its name.
#[test]
fn image_is_detected_by_content() {
    let workspace = hostile();
    let png = plain_png();
    workspace
        .file("photo.jpg", &png)
        .file(
            "page.png",
            "<!DOCTYPE html>\n<html><body>hi</body></html>\n",
        )
        .file("empty.png", "")
        .file("start.png", b"\x89PNG\r\n\x1a\n")
        .file("pixel.gif", "GIF89a is how one begins\n")
        .file("fake.bmp", b"BM\0\0\0\0\0\0\0\0\0\0\0\0\x28\0\0\0 no image")
        .file(
            "fake.ico",
            [b"\0\0\x01\0\x01\0\x10\x10\0\0\x01\0".as_slice(), &[7; 40]].concat(),
        );
    let session = workspace.session();
    for name in [
        "photo.jpg",
        "page.png",
        "empty.png",
        "start.png",
        "pixel.gif",
        "fake.bmp",
        "fake.ico",
    ] {
        survived(&session, name);
    }
    let (reply, shown) = read_image(&session, "photo.jpg");
    assert!(shown.mime == "image/png" && shown.bytes == png);
    assert!(reply.text().contains("PNG image"));
    for (name, kind, part) in [
        ("page.png", "text", "1:<!DOCTYPE html>"),
        ("empty.png", "text", "[empty file]"),
        (
            "start.png",
            "image",
            "not shown: the file is damaged: it ends too early",
        ),
        ("pixel.gif", "text", "1:GIF89a is"),
        (
            "fake.bmp",
            "binary",
            "the header looks like a BMP image, but the file is invalid",
        ),
        (
            "fake.ico",
            "binary",
            "the header looks like an ICO image, but the file is invalid",
        ),
    ] {
        let (reply, shown) = seen(&session, Dialect::Omp, name).unwrap();
        assert!(shown.is_empty(), "{name}");
        assert_eq!(reply.details.kind.name(), kind, "{name}");
        assert!(reply.text().contains(part), "{name}: {}", reply.text());
    }
}

/// Hostile input IM-5: a TIFF whose first directory (IFD) states that the next directory is itself.
#[test]
fn looping_tiff_directories_are_damage() {
    let workspace = hostile();
    let mut tiff = encoded(drawing(60, 40), ImageFormat::Tiff);
    let at = u32::from_le_bytes(tiff[4..8].try_into().unwrap());
    let start = at as usize;
    let entries = u16::from_le_bytes(tiff[start..start + 2].try_into().unwrap());
    let next = start + 2 + 12 * usize::from(entries);
    tiff[next..next + 4].copy_from_slice(&at.to_le_bytes());
    workspace.file("loop.tiff", tiff);
    let session = workspace.session();
    survived(&session, "loop.tiff");
    let rendered = read_text(&session, "loop.tiff");
    assert!(rendered.contains("cycle in the list of IFDs"), "{rendered}");
}

fn svg(body: &str) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" xmlns:xlink=\"http://www.w3.org/1999/xlink\" width=\"100\" height=\"100\">{body}</svg>\n"
    )
}

/// An SVG with eleven levels of groups. Each group contains ten references to the group of the
/// level before, so that 10¹¹ elements would be drawn.
fn uses() -> String {
    let mut defined = String::from("<defs><g id=\"a0\"><rect width=\"9\" height=\"9\"/></g>");
    for level in 1..=11 {
        let one = format!("<use xlink:href=\"#a{}\"/>", level - 1);
        let _ = write!(defined, "<g id=\"a{level}\">{}</g>", one.repeat(10));
    }
    svg(&(defined + "</defs><use xlink:href=\"#a11\"/>"))
}

fn laughs() -> String {
    let mut entities = String::from("<!ENTITY l0 \"ha\">");
    for level in 1..=11 {
        let one = format!("&l{};", level - 1);
        let _ = write!(entities, "<!ENTITY l{level} \"{}\">", one.repeat(10));
    }
    format!(
        "<!DOCTYPE svg [{entities}]>\n{}",
        svg("<text y=\"50\">&l11;</text>")
    )
}

/// Hostile input IM-5: an SVG that would take very long to draw is drawn within the limits, or the
/// reply states why it is not drawn.
#[test]
fn hostile_svg_ends() {
    let workspace = hostile();
    let rect = "<rect width=\"90\" height=\"90\" filter=\"url(#f)\"/>";
    let filter = |inside: &str| {
        svg(&format!(
            "<filter id=\"f\" x=\"-1000000\" y=\"-1000000\" width=\"2000000\" height=\"2000000\">{inside}</filter>{rect}"
        ))
    };
    let noise = "<feTurbulence baseFrequency=\"0.9\" numOctaves=\"1000000\"/>";
    let files = [
        ("uses.svg", uses()),
        ("self.svg", svg("<g id=\"a\"><use xlink:href=\"#a\"/></g>")),
        ("laughs.svg", laughs()),
        (
            "outside.svg",
            format!(
                "<!DOCTYPE svg [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>\n{}",
                svg("<text y=\"50\">&e;</text>")
            ),
        ),
        (
            "script.svg",
            svg(
                "<script>while (true) {}</script><rect width=\"9\" height=\"9\" onload=\"alert(1)\"/>",
            ),
        ),
        (
            "deep.svg",
            svg(&("<g>".repeat(10_000) + &"</g>".repeat(10_000))),
        ),
        (
            "many.svg",
            svg(&"<rect width=\"9\" height=\"9\"/>".repeat(210_000)),
        ),
        (
            "blur.svg",
            filter("<feGaussianBlur stdDeviation=\"1000000\"/>"),
        ),
        ("noise.svg", filter(&noise.repeat(200))),
        (
            "radius.svg",
            filter("<feMorphology operator=\"dilate\" radius=\"1000000\"/>"),
        ),
        (
            "huge.svg",
            svg("<rect width=\"9\" height=\"9\"/>").replace("\"100\"", "\"1e30\""),
        ),
        ("none.svg", svg("").replace("\"100\"", "\"0\"")),
        (
            "pattern.svg",
            svg(&format!(
                "<pattern id=\"p\" width=\"0.00001\" height=\"0.00001\" patternUnits=\"userSpaceOnUse\"><rect width=\"1\" height=\"1\" fill=\"url(#p)\"/></pattern>{}",
                "<rect width=\"100\" height=\"100\" fill=\"url(#p)\"/>".repeat(100)
            )),
        ),
        (
            "dashes.svg",
            svg("<path d=\"M0 0H1e9\" stroke=\"red\" stroke-dasharray=\"0.0001\"/>"),
        ),
        (
            "groups.svg",
            svg(&("<g opacity=\"0.9\">".repeat(190)
                + "<rect width=\"9\" height=\"9\"/>"
                + &"</g>".repeat(190))),
        ),
        ("cut.svg", svg("<g>")[..110].to_owned()),
        (
            "text.svg",
            svg(&format!("<text y=\"50\">{}</text>", "W".repeat(1 << 20))),
        ),
    ];
    // Some are drawn until the limit of the engine on time, which is a part of the timeout.
    let builder = workspace.builder().timeout(Duration::from_secs(1));
    let session = builder.build().unwrap().session();
    for (name, source) in &files {
        workspace.file(name, source);
        survived(&session, &format!("{name}:img"));
        let claude = &survived(&session, name)[1];
        let drawn = claude.contains("Type: SVG");
        assert!(
            drawn || claude.contains("shown as text: the SVG image cannot be rendered: "),
            "{name}: {claude}"
        );
        // Without a selector the SVG is text.
        assert_eq!(
            session.read(name).unwrap().details.kind.name(),
            "text",
            "{name}"
        );
    }
    for name in ["uses.svg", "laughs.svg", "deep.svg", "many.svg", "cut.svg"] {
        let rendered = read_text(&session, &format!("{name}:img"));
        assert!(rendered.contains("not shown: "), "{name}: {rendered}");
    }
    read_image(&session, "script.svg:img");
}

/// Hostile input IM-5: images to which an SVG links are not loaded, and a note reports this.
#[test]
fn svg_links_are_not_loaded() {
    let workspace = hostile();
    workspace.file("inside.png", plain_png());
    let session = workspace.session();
    let inside = workspace.path().join("inside.png").display().to_string();
    for link in [
        "file:///etc/passwd",
        "/etc/passwd",
        "inside.png",
        inside.as_str(),
        "http://127.0.0.1:1/a.png",
        "https://example.com/a.png",
        "data:image/png;base64,iVBORw0KGgo=",
        "data:image/svg+xml;utf8,<svg/>",
    ] {
        let link = link.replace('<', "&lt;");
        let image = format!("<image width=\"90\" height=\"90\" xlink:href=\"{link}\"/>");
        workspace.file("a.svg", svg(&image));
        let (reply, shown) = read_image(&session, "a.svg:img");
        assert!(
            reply
                .text()
                .contains("[not drawn: images that are linked, damaged or too large (1)]"),
            "{link}: {}",
            reply.text()
        );
        let white = shown.image.to_luma8().pixels().all(|pixel| pixel[0] == 255);
        assert!(white, "{link}");
        survived(&session, "a.svg");
    }
}

/// If an SVG refers to fonts, style sheets or elements in other files, these are not loaded.
#[test]
fn svg_references_to_other_files_are_not_loaded() {
    let workspace = Workspace::new();
    workspace.file(
        "other.svg",
        svg("<rect id=\"r\" width=\"100\" height=\"100\" fill=\"#e00\"/>"),
    );
    workspace.file("a.svg", svg(
        "<style>@import url('other.css'); @font-face { font-family: x; src: url('file:///etc/passwd') }</style>\
         <use xlink:href=\"other.svg#r\"/><use href=\"file:///etc/passwd#r\"/>",
    ));
    let session = workspace.session();
    let options = Options::default();
    let reply = session
        .read_as("a.svg:img", Dialect::Omp, &options)
        .unwrap();
    let image = shown(&reply, &options).remove(0);
    assert!(image.image.to_luma8().pixels().all(|pixel| pixel[0] == 255));
}

/// The dialect `omp` shows a damaged CMYK JPEG up to the damage. The dialects `gateway` and
/// `gemini` do not pass it to the model.
#[test]
fn damaged_cmyk_jpeg_is_noted() {
    for progressive in [false, true] {
        let mut jpeg = Vec::new();
        let inks: Vec<u8> = (0..400 * 300 * 4u32)
            .map(|n| (n / 97 % 251) as u8)
            .collect();
        let mut encoder = jpeg_encoder::Encoder::new(&mut jpeg, 90);
        encoder.set_progressive(progressive);
        encoder
            .encode(&inks, 400, 300, jpeg_encoder::ColorType::Cmyk)
            .unwrap();
        let whole = jpeg.len();
        jpeg.truncate(whole / 3);
        let workspace = Workspace::new();
        workspace.file("a.jpg", jpeg);
        let session = workspace.session();
        let (reply, _) = read_image(&session, "a.jpg");
        assert!(
            reply
                .text()
                .contains("[damaged, so only the readable part is shown: "),
            "{}",
            reply.text()
        );
        for dialect in [Dialect::Gateway, Dialect::Gemini] {
            let (reply, shown) = seen(&session, dialect, "a.jpg").unwrap();
            assert!(shown.is_empty());
            let text = reply.text();
            assert!(text.contains("not shown: the file is damaged: "), "{text}");
            assert_eq!(text.matches("damaged").count(), 1, "{text}");
        }
    }
}

/// A large file that starts with the magic bytes of a BMP, but has no valid header, is not an
/// image.
#[test]
fn large_file_with_bmp_magic_is_not_an_image() {
    let workspace = Workspace::new();
    let mut state = 1u32;
    let mut junk: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 24) as u8
    })
    .take(21 << 20)
    .collect();
    junk[..2].copy_from_slice(b"BM");
    workspace.file("a.bin", junk);
    let session = workspace.session();
    let text = read_text(&session, "a.bin");
    assert!(!text.contains("BMP image,"), "{text}");
    let refused = seen(&session, Dialect::Gateway, "a.bin").unwrap_err();
    assert!(
        refused.text.contains("Cannot read binary file"),
        "{}",
        refused.text
    );
}

/// A valid BMP with a compression that is not supported is reported as a BMP image.
#[test]
fn bmp_with_unsupported_compression_is_an_image() {
    let mut bitmap = encoded(drawing(40, 30), ImageFormat::Bmp);
    // The compression is JPEG.
    bitmap[30] = 4;
    let workspace = Workspace::new();
    workspace.file("a.bmp", bitmap);
    let session = workspace.session();
    let text = read_text(&session, "a.bmp");
    assert!(text.contains("BMP image"), "{text}");
    assert!(
        text.contains("not shown: BMP with JPEG compression is not supported"),
        "{text}"
    );
    assert!(!text.contains("00000000"), "{text}");
}
