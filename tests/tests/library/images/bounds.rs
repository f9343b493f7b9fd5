//! Limits of images: scaling, encoding, and the sizes of files and pixels.

use super::{inline, is_passed_through, plain_png, read_image, read_text};
use image::ImageFormat;
use omniread::{Block, Dialect, ImageOptions, Options, Reason, Session};
use omniread_tests::image::{
    CORNERS, clear_drawing, corners, drawing, encoded, flat_png, photograph, png_of, png_start,
    shown, with_chunk,
};
use omniread_tests::{Cli, Workspace, sha256};
use std::fs::File;

const MIB: usize = 1 << 20;

/// An image with a side of 4000 pixels is scaled down. The reply states the factor between
/// coordinates in the two images.
#[test]
fn large_image_is_scaled_down() {
    let workspace = Workspace::new();
    workspace.file("a.png", encoded(drawing(4000, 3000), ImageFormat::Png));
    let session = workspace.session();
    let (reply, shown) = read_image(&session, "a.png");
    assert_eq!((shown.image.width(), shown.image.height()), (1568, 1176));
    assert_eq!(corners(&shown.image), CORNERS);
    let rendered = reply.text();
    assert!(
        rendered.starts_with("[Image 'a.png': PNG image, 4000x3000, "),
        "{rendered}"
    );
    assert!(rendered.contains("[converted to 1568x1176 "), "{rendered}");
    assert!(
        rendered.ends_with(": multiply coordinates by 2.551 for the original]"),
        "{rendered}"
    );
    let media = reply.details.image().unwrap();
    let size = media.dimensions.unwrap();
    assert_eq!((size.width, size.height), (4000, 3000));

    let claude = session
        .read_as("a.png", Dialect::Claude, &Options::default())
        .unwrap();
    assert!(matches!(claude.blocks[0], Block::Image(_)));
    let rendered = claude.text();
    assert!(
        rendered.contains("Dimensions: 4000 x 3000\nType: PNG\n[converted to 1568x1176 "),
        "{rendered}"
    );
}

/// A drawing of few colours is encoded without loss, and a photograph as JPEG.
#[test]
fn drawings_are_lossless_and_photographs_are_jpeg() {
    let workspace = Workspace::new();
    workspace
        .file(
            "drawing.bmp",
            encoded(drawing(2000, 1000), ImageFormat::Bmp),
        )
        .file(
            "clear.png",
            encoded(clear_drawing(2000, 1000), ImageFormat::Png),
        )
        .file(
            "photograph.png",
            encoded(photograph(1200, 900), ImageFormat::Png),
        )
        .file("small.bmp", encoded(photograph(300, 200), ImageFormat::Bmp));
    let session = workspace.session();
    for name in ["drawing.bmp", "clear.png"] {
        let (reply, shown) = read_image(&session, name);
        assert_ne!(shown.mime, "image/jpeg", "{name}: {}", reply.text());
        assert_eq!((shown.image.width(), shown.image.height()), (1568, 784));
    }
    let (_, clear) = read_image(&session, "clear.png");
    let clear = clear.image.to_rgba8();
    assert_eq!(clear.get_pixel(784, 392)[3], 0);
    assert_eq!(clear.get_pixel(5, 5)[3], 255);
    for name in ["photograph.png", "small.bmp"] {
        let (reply, shown) = read_image(&session, name);
        assert_eq!(shown.mime, "image/jpeg", "{name}");
        assert!(
            reply.text().contains("[converted to JPEG, "),
            "{}",
            reply.text()
        );
    }
}

/// If the lossless encodings of an image with transparency are too large, the image is drawn on
/// white and encoded as JPEG. A notice reports this.
#[test]
fn alpha_that_does_not_fit_becomes_white() {
    let workspace = Workspace::new();
    let mut noise = image::DynamicImage::from(photograph(1200, 900)).to_rgba8();
    for (x, _, pixel) in noise.enumerate_pixels_mut() {
        pixel[3] = if x < 600 { 255 } else { 0 };
    }
    workspace.file("a.png", encoded(noise, ImageFormat::Png));
    let (reply, shown) = read_image(&workspace.session(), "a.png");
    assert_eq!(shown.mime, "image/jpeg");
    assert!(
        reply
            .text()
            .contains("[drawn on white, because the image with transparency is too large"),
        "{}",
        reply.text()
    );
    // The transparent half is white, except for JPEG artefacts at its edge.
    let shown = shown.image.to_rgb8();
    let clear = (shown.width() / 2 + 16..shown.width()).step_by(7);
    for x in clear {
        let pixel = shown.get_pixel(x, shown.height() / 2);
        assert!(pixel.0.iter().all(|value| *value > 240), "{x}: {pixel:?}");
    }
}

#[test]
fn image_options_set_the_limits() {
    let workspace = Workspace::new();
    workspace
        .file("a.png", plain_png())
        .file("b.png", encoded(photograph(1500, 1000), ImageFormat::Png));
    let session = workspace.session();
    for (side, bytes) in [
        (64, 512_000),
        (1568, 16 * 1024),
        (8000, 3_932_160),
        (300, 30_000),
    ] {
        let options = Options {
            image: ImageOptions {
                side,
                bytes,
                ..ImageOptions::default()
            },
            ..Options::default()
        };
        for dialect in [Dialect::Omp, Dialect::Claude] {
            let reply = session.read_as("b.png", dialect, &options).unwrap();
            let shown = shown(&reply, &options);
            assert_eq!(shown.len(), 1, "{side} {bytes}: {}", reply.text());
            let width = shown[0].image.width();
            match bytes {
                512_000 | 3_932_160 => assert_eq!(width, side.min(1500)),
                _ => assert!(width <= side),
            }
        }
    }
    let options = Options {
        image: ImageOptions {
            bytes: 3_932_160,
            ..ImageOptions::default()
        },
        ..Options::default()
    };
    let reply = session.read_as("b.png", Dialect::Omp, &options).unwrap();
    assert!(
        is_passed_through(&reply),
        "it fits without re-encoding: {}",
        reply.text()
    );
    for (side, bytes, argument) in [
        (63, 512_000, "image-side"),
        (8001, 512_000, "image-side"),
        (1568, 16 * 1024 - 1, "image-bytes"),
        (1568, 3_932_161, "image-bytes"),
    ] {
        let options = Options {
            image: ImageOptions {
                side,
                bytes,
                ..ImageOptions::default()
            },
            ..Options::default()
        };
        let failure = session
            .read_as("a.png", Dialect::Omp, &options)
            .unwrap_err();
        assert!(
            matches!(&failure.reason, Reason::InvalidArgument(name) if name == argument),
            "{failure:?}"
        );
    }
    let cli = Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path());
    let run = cli.run(&["--set", "image-side=9000", "a.png"]);
    assert_ne!(run.code, Some(0));
    assert!(
        run.stderr
            .contains("option `image-side` must be a number from 64 to 8000"),
        "{}",
        run.stderr
    );
}

/// An image of more than forty million pixels is not decoded. The reply states its number of
/// pixels.
#[test]
fn image_beyond_pixel_limit_is_not_shown() {
    let workspace = Workspace::new();
    workspace
        .file("most.png", flat_png(8000, 5000, 1, 0, 1000))
        .file("more.png", flat_png(8000, 5001, 1, 0, 1000))
        // This image needs eight bytes for each pixel.
        .file("deep.png", flat_png(5000, 5000, 16, 6, 40_000));
    let session = workspace.session();
    let (_, shown) = read_image(&session, "most.png");
    assert_eq!((shown.image.width(), shown.image.height()), (1568, 980));
    let rendered = read_text(&session, "more.png");
    assert!(rendered.contains("PNG image, 8000x5001, "), "{rendered}");
    assert!(
        rendered.contains("it has 40008000 pixels, more than the limit"),
        "{rendered}"
    );
    let rendered = read_text(&session, "deep.png");
    assert!(
        rendered.contains("it needs more memory than the limit"),
        "{rendered}"
    );
    for dialect in [Dialect::Gateway, Dialect::Gemini] {
        let reply = session
            .read_as("most.png", dialect, &Options::default())
            .unwrap();
        assert!(
            reply.details.image().unwrap().payload.is_some(),
            "{dialect:?}"
        );
        let reply = session
            .read_as("more.png", dialect, &Options::default())
            .unwrap();
        assert!(
            reply.details.image().unwrap().payload.is_none(),
            "{dialect:?}"
        );
        assert!(
            reply.text().contains("it has 40008000 pixels"),
            "{dialect:?}"
        );
    }
}

/// An image file of more than 20 MiB is not decoded. The reply shows facts from its header.
#[test]
fn image_file_beyond_size_limit_is_not_shown() {
    let workspace = Workspace::new();
    let image = |bytes: usize| {
        let mut png = plain_png();
        png.resize(bytes, 0);
        png
    };
    workspace
        .file("fits.png", image(20 * MIB))
        .file("more.png", image(20 * MIB + 1))
        .file("large.png", image(21 * MIB))
        .file("holes.png", image(100));
    File::options()
        .write(true)
        .open(workspace.path().join("holes.png"))
        .unwrap()
        .set_len(20 << 30)
        .unwrap();
    let session = workspace.session();
    read_image(&session, "fits.png");
    for (name, size) in [
        ("more.png", "20.0MB"),
        ("large.png", "21.0MB"),
        ("holes.png", "20.0GB"),
    ] {
        let rendered = read_text(&session, name);
        assert_eq!(
            rendered,
            format!("[Image '{name}': PNG image, 60x40, {size}; not shown: larger than 20.0MB]")
        );
        let failure = session
            .read_as(name, Dialect::Gemini, &Options::default())
            .unwrap_err();
        assert!(matches!(failure.reason, Reason::Limit(limit) if limit.name == "image-size"));
    }
    let read = |name| session.read_as(name, Dialect::Claude, &Options::default());
    assert!(
        read("large.png")
            .unwrap()
            .text()
            .contains("[not shown: larger than 20.0MB]")
    );
    let failure = read("holes.png").unwrap_err();
    assert!(matches!(failure.reason, Reason::Limit(limit) if limit.name == "image-size"));
}

/// Reads an image in `gateway` or `gemini`, the dialects that pass image files to the model
/// unchanged. Returns the text and the image bytes of the reply.
fn text_and_image(session: &Session, dialect: Dialect, path: &str) -> (String, Option<Vec<u8>>) {
    let reply = session.read_as(path, dialect, &Options::default()).unwrap();
    let image = match dialect {
        Dialect::Gemini => inline(&reply).map(|shown| shown.bytes),
        _ => {
            let options = Options {
                image: ImageOptions {
                    side: 8000,
                    bytes: 5 << 20,
                    ..ImageOptions::default()
                },
                ..Options::default()
            };
            shown(&reply, &options).pop().map(|shown| shown.bytes)
        }
    };
    (reply.text(), image)
}

/// The dialects `gateway` and `gemini` pass an image file to the model unchanged, but only if the
/// whole file can be decoded.
#[test]
fn gateway_and_gemini_pass_valid_files_through() {
    let workspace = Workspace::new();
    let noted = with_chunk(&plain_png(), b"tEXt", b"Comment\0kept");
    let files = [
        ("a.png", noted),
        ("a.jpg", encoded(photograph(700, 500), ImageFormat::Jpeg)),
        ("a.gif", encoded(drawing(64, 48), ImageFormat::Gif)),
        ("a.webp", encoded(drawing(64, 48), ImageFormat::WebP)),
        ("large.png", encoded(drawing(4000, 3000), ImageFormat::Png)),
    ];
    for (name, bytes) in &files {
        workspace.file(name, bytes);
    }
    let session = workspace.session();
    for dialect in [Dialect::Gateway, Dialect::Gemini] {
        for (name, bytes) in &files {
            workspace.file(name, bytes);
            let (rendered, image) = text_and_image(&session, dialect, name);
            assert!(
                image.as_ref() == Some(bytes),
                "{dialect:?} {name}: {rendered}"
            );
            workspace.file(name, &bytes[..bytes.len() * 2 / 3]);
            let (rendered, image) = text_and_image(&session, dialect, name);
            assert_eq!(image, None, "{dialect:?} {name}: {rendered}");
            assert!(
                rendered.contains("not shown: the file is damaged: "),
                "{dialect:?} {name}: {rendered}"
            );
        }
        // No model API accepts QOI. Only gemini accepts BMP.
        workspace.file("a.qoi", encoded(drawing(8, 8), ImageFormat::Qoi));
        let failure = session
            .read_as("a.qoi", dialect, &Options::default())
            .unwrap_err();
        assert!(matches!(failure.reason, Reason::Binary(_)), "{failure:?}");
    }
    workspace.file("a.bmp", encoded(drawing(8, 8), ImageFormat::Bmp));
    let reply = session
        .read_as("a.bmp", Dialect::Gemini, &Options::default())
        .unwrap();
    assert!(reply.text().contains("\"mimeType\":\"image/bmp\""));
    let hash = sha256(&files[1].1);
    workspace.file("a.jpg", &files[1].1);
    let reply = session
        .read_as("a.jpg", Dialect::Gateway, &Options::default())
        .unwrap();
    assert_eq!(reply.details.sha256, Some(hash));
}

/// The dialect `gateway` does not show an image with more than 8000 pixels on a side, because model
/// APIs refuse it.
#[test]
fn gateway_refuses_more_than_8000_pixels_on_a_side() {
    let workspace = Workspace::new();
    let rows = |width: usize| vec![0; (width + 1) * 2];
    workspace
        .file(
            "fits.png",
            png_of(png_start(8000, 2, 8, 0, false), &[], &rows(8000)),
        )
        .file(
            "wide.png",
            png_of(png_start(8001, 2, 8, 0, false), &[], &rows(8001)),
        );
    let session = workspace.session();
    assert!(
        text_and_image(&session, Dialect::Gateway, "fits.png")
            .1
            .is_some()
    );
    let (rendered, image) = text_and_image(&session, Dialect::Gateway, "wide.png");
    assert_eq!(image, None);
    assert!(
        rendered.contains("not shown: more than 8000 pixels on a side"),
        "{rendered}"
    );
    assert!(
        text_and_image(&session, Dialect::Gemini, "wide.png")
            .1
            .is_some()
    );
}

/// A large drawing in a JPEG file is scaled down and encoded without loss, because the result is
/// smaller than a JPEG.
#[test]
fn large_drawing_in_jpeg_is_encoded_without_loss() {
    let workspace = Workspace::new();
    workspace.file("a.jpg", encoded(drawing(3000, 2000), ImageFormat::Jpeg));
    let (reply, shown) = read_image(&workspace.session(), "a.jpg");
    assert_ne!(shown.mime, "image/jpeg", "{}", reply.text());
}

/// The limit on the number of pixels also applies to a file that could be passed to the model
/// unchanged.
#[test]
fn pixel_limit_applies_to_passthrough() {
    let workspace = Workspace::new();
    workspace.file("a.png", flat_png(7000, 7000, 8, 0, 7000));
    let options = Options {
        image: ImageOptions {
            side: 8000,
            ..ImageOptions::default()
        },
        ..Options::default()
    };
    let reply = workspace
        .session()
        .read_as("a.png", Dialect::Omp, &options)
        .unwrap();
    let text = reply.text();
    assert!(
        text.contains("49000000 pixels, more than the limit"),
        "{text}"
    );
}

/// The dialects `gateway` and `gemini` convert an image whose format they cannot pass to the model
/// unchanged. The image options apply, and a notice reports that the image is scaled down.
#[test]
fn scaled_image_is_noted_in_gateway_and_gemini() {
    let workspace = Workspace::new();
    workspace.file("a.bmp", encoded(drawing(400, 100), ImageFormat::Bmp));
    workspace.file("a.tif", encoded(drawing(400, 100), ImageFormat::Tiff));
    let session = workspace.session();
    let options = Options {
        image: ImageOptions {
            side: 100,
            ..ImageOptions::default()
        },
        ..Options::default()
    };
    for (dialect, path) in [
        (Dialect::Gateway, "a.bmp:img"),
        (Dialect::Gemini, "a.tif:img"),
    ] {
        let reply = session.read_as(path, dialect, &options).unwrap();
        let text = reply.text();
        assert!(text.contains("converted to 100x25 "), "{text}");
        assert!(text.contains("multiply coordinates by 4"), "{text}");
    }
}
