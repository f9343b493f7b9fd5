//! Passthrough and re-encoding, EXIF metadata, SVG, and images in archives and on standard input.

use super::{details, is_passed_through, plain_png, read_image, read_text};
use image::{DynamicImage, ImageFormat};
use omniread::{Block, Dialect, ImageOptions, Options, Reason};
use omniread_tests::image::{
    CORNERS, Noted, chunk, corners, drawing, encoded, exif, png_of, png_start, shown, turned, webp,
    webp_pixels, with_chunk, with_segment, zlib,
};
use omniread_tests::pack::{tar, zip};
use omniread_tests::{Cli, Workspace, text};
use serde_json::{Value, json};

/// Images that are within the limits and contain no metadata are passed to the model unchanged.
#[test]
fn images_without_metadata_are_passed_through() {
    let workspace = Workspace::new();
    let rgb = DynamicImage::from(drawing(60, 40));
    let png = plain_png();
    let pixels = encoded(drawing(60, 40), ImageFormat::WebP);
    let mut files = vec![
        ("grey.png", encoded(rgb.to_luma8(), ImageFormat::Png)),
        ("rgba.png", encoded(rgb.to_rgba8(), ImageFormat::Png)),
        ("grey.jpg", encoded(rgb.to_luma8(), ImageFormat::Jpeg)),
        ("rgb.jpg", encoded(rgb.clone(), ImageFormat::Jpeg)),
        ("rgb.webp", pixels.clone()),
        (
            "canvas.webp",
            webp(&[
                (b"VP8X", &[0, 0, 0, 0, 59, 0, 0, 39, 0, 0]),
                (b"VP8L", webp_pixels(&pixels)),
            ]),
        ),
    ];
    for (name, kind, body) in [
        ("gamma.png", b"gAMA", 45_455u32.to_be_bytes().to_vec()),
        ("screen.png", b"sRGB", vec![0]),
        ("size.png", b"pHYs", vec![0, 0, 11, 19, 0, 0, 11, 19, 1]),
    ] {
        files.push((name, with_chunk(&png, kind, &body)));
    }
    files.push(("rgb.png", png));
    for (name, bytes) in &files {
        workspace.file(name, bytes);
    }
    let session = workspace.session();
    for (name, bytes) in files {
        let (reply, shown) = read_image(&session, name);
        assert!(is_passed_through(&reply), "{name}: {}", reply.text());
        assert!(shown.bytes == bytes, "{name}");
        assert!(!reply.text().contains("converted to"), "{}", reply.text());
    }
}

/// An image is encoded again for each of several reasons, such as metadata or bytes after its end.
/// The result contains no metadata of the file.
#[test]
fn images_with_metadata_are_encoded_again() {
    let workspace = Workspace::new();
    let png = plain_png();
    let jpeg = encoded(drawing(60, 40), ImageFormat::Jpeg);
    let pixels = encoded(drawing(60, 40), ImageFormat::WebP);
    let rgb = DynamicImage::from(drawing(60, 40));
    let profile = [b"secret\0\0".as_slice(), &zlib(b"secret")].concat();
    let noted = exif(&[(270, Noted::Text("secret"))]);
    let segment = [b"Exif\0\0".as_slice(), &noted].concat();
    let with = |kind, body: &[u8]| with_chunk(&png, kind, body);
    let of_webp = |kind, flags, body: &[u8]| {
        webp(&[
            (b"VP8X", &[flags, 0, 0, 0, 59, 0, 0, 39, 0, 0]),
            (b"VP8L", webp_pixels(&pixels)),
            (kind, body),
        ])
    };
    let with_trailer = |bytes: &[u8]| [bytes, b"secret"].concat();
    // The last chunk has twelve bytes.
    let (open, end) = png.split_at(png.len() - 12);
    let before_end = |chunk: Vec<u8>| [open, &chunk, end].concat();
    let palette = chunk(b"PLTE", &[230, 20, 20, 0, 0, 0]);
    let rows = [0, 0, 0].repeat(16);
    for (name, bytes) in [
        ("text.png", with(b"tEXt", b"Comment\0secret")),
        (
            "packed.png",
            with(
                b"zTXt",
                &[b"Comment\0\0".as_slice(), &zlib(b"secret")].concat(),
            ),
        ),
        ("global.png", with(b"iTXt", b"Comment\0\0\0\0\0secret")),
        ("profile.png", with(b"iCCP", &profile)),
        ("noted.png", with(b"eXIf", &noted)),
        ("upright.png", with(b"eXIf", &turned(1))),
        ("own.png", with(b"seCr", b"secret")),
        ("background.png", with(b"bKGD", b"secret")),
        ("density.png", with(b"pHYs", b"secret secret")),
        ("end.png", [open, &chunk(b"IEND", b"secret")].concat()),
        ("data.png", before_end(chunk(b"IDAT", b"secret"))),
        ("deep.png", encoded(rgb.to_rgb16(), ImageFormat::Png)),
        (
            "palette.png",
            png_of(png_start(16, 16, 1, 3, false), &[palette], &rows),
        ),
        ("trailer.png", with_trailer(&png)),
        ("noted.jpg", with_segment(&jpeg, 0xe1, &segment)),
        (
            "profile.jpg",
            with_segment(&jpeg, 0xe2, b"ICC_PROFILE\0\x01\x01secret"),
        ),
        ("comment.jpg", with_segment(&jpeg, 0xfe, b"secret")),
        ("trailer.jpg", with_trailer(&jpeg)),
        ("gap.jpg", [&jpeg[..20], b"secret", &jpeg[20..]].concat()),
        (
            "colours.jpg",
            with_segment(&jpeg, 0xee, b"Adobe\0d\0\0\0\0\x01secret"),
        ),
        ("noted.webp", of_webp(b"EXIF", 8, &noted)),
        ("profile.webp", of_webp(b"ICCP", 32, b"secret")),
        ("own.webp", of_webp(b"seCr", 0, b"secret")),
        (
            "two.webp",
            webp(&[(b"VP8L", webp_pixels(&pixels)), (b"VP8L", b"secret")]),
        ),
        ("a.gif", encoded(drawing(60, 40), ImageFormat::Gif)),
    ] {
        workspace.file(name, &bytes);
        let (reply, shown) = read_image(&workspace.session(), name);
        assert!(!is_passed_through(&reply), "{name}");
        let secret = |bytes: &[u8]| bytes.windows(6).any(|window| window == b"secret");
        assert!(!secret(&shown.bytes), "{name}");
        if name != "palette.png" {
            assert_eq!(corners(&shown.image), CORNERS, "{name}");
        }
    }
    // This image is one pixel wider than the limit.
    workspace.file("wide.png", encoded(drawing(1569, 10), ImageFormat::Png));
    assert!(!is_passed_through(
        &read_image(&workspace.session(), "wide.png").0
    ));
}

/// EXIF fields are in the details of a reply and in the description of an image (option
/// `image-metadata`), but not in the image that is shown.
#[test]
fn exif_fields_are_listed() {
    let workspace = Workspace::new();
    let degrees = |degrees, minutes| vec![(degrees, 1), (minutes, 1), (0, 1)];
    let notes = exif(&[
        (270, Noted::Text("A hill")),
        (271, Noted::Text("Maker")),
        (272, Noted::Text("Model 5")),
        (274, Noted::Short(6)),
        (305, Noted::Text("Darkroom")),
        (306, Noted::Text("2024:05:06 07:08:09")),
        (33432, Noted::Text("Nobody")),
        (
            34853,
            Noted::Directory(vec![
                (1, Noted::Text("N")),
                (2, Noted::Fractions(degrees(48, 30))),
                (3, Noted::Text("W")),
                (4, Noted::Fractions(degrees(9, 15))),
            ]),
        ),
    ]);
    let segment = [b"Exif\0\0".as_slice(), &notes].concat();
    let jpeg = encoded(drawing(60, 40), ImageFormat::Jpeg);
    workspace
        .file("a.jpg", with_segment(&jpeg, 0xe1, &segment))
        .file("a.png", with_chunk(&plain_png(), b"eXIf", &notes));
    let session = workspace.session();
    let options = Options {
        image: ImageOptions {
            metadata: true,
            ..ImageOptions::default()
        },
        ..Options::default()
    };
    for name in ["a.jpg", "a.png"] {
        let facts = details(&session, name);
        assert_eq!(facts["dimensions"], json!({"width": 40, "height": 60}));
        assert_eq!(
            facts["payload"]["dimensions"],
            json!({"width": 40, "height": 60})
        );
        assert_eq!(facts["payload"]["passthrough"], false);
        let header = json!({
            "channels": 3, "alpha": false, "depth": 8, "frames": 1,
            "metadata": {
                "camera": "Maker Model 5",
                "copyright": "Nobody",
                "description": "A hill",
                "location": "48.50000, -9.25000",
                "software": "Darkroom",
                "taken": "2024:05:06 07:08:09",
                "orientation": "rotated by 90°",
            },
        });
        assert_eq!(facts["header"], header, "{name}");
        let described = session.read_as(name, Dialect::Omp, &options).unwrap();
        assert!(shown(&described, &options).is_empty());
        let rendered = described.text();
        assert!(
            rendered.starts_with(&format!("Image metadata of '{name}':\n- MIME: image/")),
            "{rendered}"
        );
        for line in [
            "- Dimensions: 40x60",
            "- Channels: 3",
            "- Alpha: no",
            "- Depth: 8 bits a channel",
            "- Frames: 1",
            "- Camera: Maker Model 5",
            "- Taken: 2024:05:06 07:08:09",
            "- Orientation: rotated by 90°",
            "- Location: 48.50000, -9.25000",
            "- Software: Darkroom",
            "- Description: A hill",
            "- Copyright: Nobody",
        ] {
            assert!(rendered.lines().any(|l| l == line), "{line}: {rendered}");
        }
        assert!(
            !read_image(&session, name).0.text().contains("Maker"),
            "{name}"
        );
    }
}

#[test]
fn image_in_an_archive_is_shown() {
    let workspace = Workspace::new();
    let png = plain_png();
    let wide = encoded(drawing(2000, 100), ImageFormat::Bmp);
    let inner = zip(&[("a.png", &png), ("wide.bmp", &wide)]);
    workspace
        .file("x.zip", zip(&[("a.png", &png), ("in/n.zip", &inner)]))
        .file("x.tar", tar(&[("n.zip", &inner)]));
    let session = workspace.session();
    for path in [
        "x.zip:a.png",
        "x.zip:in/n.zip:a.png",
        "x.tar:n.zip:a.png",
        "x.zip:a.png:img",
    ] {
        let (reply, shown) = read_image(&session, path);
        assert_eq!(reply.details.kind.name(), "image");
        assert!(shown.bytes == png, "{path}");
    }
    let (_, shown) = read_image(&session, "x.tar:n.zip:wide.bmp");
    assert_eq!((shown.image.width(), shown.image.height()), (1568, 78));
    for dialect in [Dialect::Gateway, Dialect::Claude] {
        let reply = session
            .read_as("x.zip:in/n.zip:a.png", dialect, &Options::default())
            .unwrap();
        assert_eq!(shown_in(&reply.blocks), 1, "{dialect:?}");
    }
}

fn shown_in(blocks: &[Block]) -> usize {
    let images = blocks
        .iter()
        .filter(|block| matches!(block, Block::Image(_)));
    images.count()
}

#[test]
fn image_on_stdin_is_shown() {
    let workspace = Workspace::new();
    let cli = Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path());
    let png = plain_png();
    let run = cli.run_with(&["--json", "-"], &png);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let reply: Value = serde_json::from_str(&run.stdout).unwrap();
    assert_eq!(reply["details"]["kind"], "image");
    assert_eq!(
        reply["details"]["image"]["dimensions"],
        json!({"width": 60, "height": 40})
    );
    let block = reply["blocks"]
        .as_array()
        .unwrap()
        .iter()
        .find(|block| block["type"] == "image")
        .unwrap();
    let data = block["data"].as_str().unwrap();
    assert!(omniread_tests::image::decoded("image/png", data).bytes == png);
    let run = cli.run_with(&["-"], &png[..png.len() - 30]);
    assert_eq!(run.code, Some(0));
    assert!(run.stdout.contains("PNG image, 60x40"), "{}", run.stdout);
}

const SVG: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="20" height="20" fill="#e00"/><text x="22" y="12" font-size="6">hi</text></svg>"##;

/// An SVG is shown as text if its path has no selector, and as an image with the selector `:img`.
/// The dialect `claude` also shows it as an image if its path has no selector.
#[test]
fn svg_is_drawn_on_request() {
    let workspace = Workspace::new();
    workspace
        .file("a.svg", SVG)
        .file("a.pgm", "P2 2 2 255\n0 255\n255 0\n");
    let session = workspace.session();
    assert_eq!(session.read("a.svg").unwrap().details.kind.name(), "text");
    assert!(text(&session, "a.svg").contains("1:<svg "));
    let (reply, image) = read_image(&session, "a.svg:img");
    assert_eq!((image.image.width(), image.image.height()), (512, 256));
    assert_eq!(omniread_tests::image::colour(&image.image, 20, 20), "red");
    assert_ne!(image.mime, "image/jpeg");
    assert!(
        reply.text().contains("SVG image, 40x20, "),
        "{}",
        reply.text()
    );
    assert!(
        reply
            .text()
            .contains("[transparent parts are drawn on white]"),
        "{}",
        reply.text()
    );
    assert_eq!(read_image(&session, "a.pgm:img").1.image.width(), 2);
    let claude = |path: &str| {
        session
            .read_as(path, Dialect::Claude, &Options::default())
            .unwrap()
    };
    assert_eq!(shown_in(&claude("a.svg").blocks), 1);
    assert_eq!(claude("a.svg:1").details.kind.name(), "text");
    assert_eq!(claude("a.svg:raw").text(), SVG);
    for dialect in [Dialect::Gateway, Dialect::Gemini] {
        let read = |path: &str| session.read_as(path, dialect, &Options::default()).unwrap();
        assert_eq!(read("a.svg").details.kind.name(), "text");
        let drawn = read("a.svg:img");
        assert_eq!(drawn.details.kind.name(), "image", "{dialect:?}");
        assert!(
            drawn.details.image().unwrap().payload.is_some(),
            "{dialect:?}"
        );
    }
}

/// The selector `:img` fails for a file that is not an image. If a file has a name that ends in
/// `:img`, that file is read instead.
#[test]
fn image_selector_on_other_files_fails() {
    let workspace = Workspace::new();
    workspace
        .directory("dir")
        .file("plain.txt", "plain\n")
        .file("noise.bin", b"\0\x01\x02\x03")
        .file("fake.bmp", b"BM\0\0\0\0 no image at all")
        .file("x.zip", zip(&[("a.txt", b"a\n")]))
        .file("x:img", "a name\n")
        .file("x", plain_png());
    let session = workspace.session();
    for path in [
        "plain.txt:img",
        "noise.bin:img",
        "fake.bmp:img",
        "dir:img",
        "x.zip:img",
        "x.zip:a.txt:img",
    ] {
        for dialect in [Dialect::Omp, Dialect::Claude, Dialect::Gateway] {
            let failure = session
                .read_as(path, dialect, &Options::default())
                .expect_err(path);
            assert!(
                matches!(&failure.reason, Reason::InvalidSelector(selector) if selector == "img"),
                "{path}: {failure:?}"
            );
        }
    }
    let failure = session.read_as("x:img", Dialect::Comma, &Options::default());
    assert_eq!(failure.unwrap().details.kind.name(), "text");
    let failure = session
        .read_as("plain.txt:img", Dialect::Comma, &Options::default())
        .unwrap_err();
    assert!(
        matches!(failure.reason, Reason::InvalidSelector(_)),
        "{failure:?}"
    );
    assert!(text(&session, "x:img").ends_with("1:a name"));
    assert!(text(&session, "x\\:img").ends_with("1:a name"));
    read_image(&session, "x");
    assert!(read_text(&session, "missing.png:img").contains("missing.png"));
}
