//! Every image format and pixel format, and formats without a decoder.

use super::{hostile, is_passed_through, read_image, read_text, survived};
use image::{DynamicImage, ImageFormat, Rgba};
use omniread::{Dialect, Options};
use omniread_tests::Workspace;
use omniread_tests::image::{
    CORNERS, chunk, clear_drawing, corners, drawing, encoded, png_of, png_start,
};
use std::io::Cursor;

/// A DDS texture in DXT1 blocks of four by four pixels: the upper half red, the lower half black.
fn dds(width: u32, height: u32) -> Vec<u8> {
    let mut header = [0u32; 31];
    header[0] = 124;
    header[1] = 0x1007;
    header[2] = height;
    header[3] = width;
    header[18] = 32;
    header[19] = 4;
    header[20] = u32::from_le_bytes(*b"DXT1");
    header[26] = 0x1000;
    let mut out = b"DDS ".to_vec();
    out.extend(header.iter().flat_map(|number| number.to_le_bytes()));
    for row in 0..height / 4 {
        for _ in 0..width / 4 {
            let colour: u16 = if row * 8 < height { 0xf800 } else { 0 };
            out.extend(colour.to_le_bytes());
            out.extend([0; 6]);
        }
    }
    out
}

/// An image in each raster format that has a decoder, with a file name. All except the DDS texture
/// show [`drawing`].
fn every_format(width: u32, height: u32) -> Vec<(&'static str, Vec<u8>)> {
    let rgb = drawing(width, height);
    let of = |format| encoded(rgb.clone(), format);
    let deep = DynamicImage::from(rgb.clone());
    vec![
        ("a.png", of(ImageFormat::Png)),
        ("a.jpg", of(ImageFormat::Jpeg)),
        ("a.gif", of(ImageFormat::Gif)),
        ("a.webp", of(ImageFormat::WebP)),
        ("a.bmp", of(ImageFormat::Bmp)),
        ("a.tiff", of(ImageFormat::Tiff)),
        ("a.ico", encoded(deep.to_rgba8(), ImageFormat::Ico)),
        ("a.ppm", of(ImageFormat::Pnm)),
        ("a.qoi", of(ImageFormat::Qoi)),
        ("a.tga", of(ImageFormat::Tga)),
        ("a.ff", encoded(deep.to_rgba16(), ImageFormat::Farbfeld)),
        ("a.hdr", encoded(deep.to_rgb32f(), ImageFormat::Hdr)),
        ("a.exr", encoded(deep.to_rgb32f(), ImageFormat::OpenExr)),
        ("a.dds", dds(width, height)),
    ]
}

#[test]
fn every_decoded_format_is_shown() {
    let workspace = Workspace::new();
    let files = every_format(64, 48);
    for (name, bytes) in &files {
        workspace.file(name, bytes);
    }
    let session = workspace.session();
    for (name, bytes) in files {
        let (reply, shown) = read_image(&session, name);
        assert_eq!(
            (shown.image.width(), shown.image.height()),
            (64, 48),
            "{name}"
        );
        if name == "a.dds" {
            assert_eq!(corners(&shown.image), ["red", "red", "black", "black"]);
        } else {
            assert_eq!(corners(&shown.image), CORNERS, "{name}");
        }
        let plain = ["a.png", "a.jpg", "a.webp"].contains(&name);
        assert_eq!(is_passed_through(&reply), plain, "{name}");
        assert_eq!(shown.bytes == bytes, plain, "{name}");
        assert_eq!(
            reply.text().contains("[converted to "),
            !plain,
            "{}",
            reply.text()
        );
        assert!(reply.text().starts_with(&format!("[Image '{name}': ")));
        assert!(reply.text().contains(", 64x48, "), "{}", reply.text());
    }
}

/// Hostile input IM-6: a truncated image. It is shown in part, or the reply states why it is not
/// shown.
#[test]
fn truncated_images_are_no_internal_error() {
    let workspace = hostile();
    let session = workspace.session();
    for (name, bytes) in every_format(16, 16) {
        for end in (0..bytes.len()).step_by(37) {
            workspace.file(name, &bytes[..end]);
            survived(&session, name);
        }
    }
}

#[test]
fn every_pixel_format_is_shown() {
    let workspace = Workspace::new();
    let rgb = DynamicImage::from(drawing(64, 48));
    let rgba = DynamicImage::from(clear_drawing(64, 48));
    for (name, image, channels, alpha, depth) in [
        ("l8.png", DynamicImage::from(rgb.to_luma8()), 1, false, 8),
        ("la8.png", rgba.to_luma_alpha8().into(), 2, true, 8),
        ("rgb8.png", rgb.clone(), 3, false, 8),
        ("rgba8.png", rgba.clone(), 4, true, 8),
        ("l16.png", rgb.to_luma16().into(), 1, false, 16),
        ("la16.png", rgba.to_luma_alpha16().into(), 2, true, 16),
        ("rgb16.png", rgb.to_rgb16().into(), 3, false, 16),
        ("rgba16.png", rgba.to_rgba16().into(), 4, true, 16),
        ("rgb16.tiff", rgb.to_rgb16().into(), 3, false, 16),
        ("rgba8.tiff", rgba.clone(), 4, true, 8),
        ("rgb32.tiff", rgb.to_rgb32f().into(), 3, false, 32),
    ] {
        let format = if name.ends_with("png") {
            ImageFormat::Png
        } else {
            ImageFormat::Tiff
        };
        workspace.file(name, encoded(image.clone(), format));
        let session = workspace.session();
        let (reply, shown) = read_image(&session, name);
        let header = reply
            .details
            .image()
            .as_ref()
            .unwrap()
            .header
            .as_ref()
            .unwrap();
        assert_eq!(
            (header.channels, header.alpha, header.depth),
            (channels, alpha, depth),
            "{name}"
        );
        let plain = depth == 8 && name.ends_with("png") && name != "la8.png";
        assert_eq!(is_passed_through(&reply), plain, "{name}");
        // The pixels are shown without loss.
        assert_eq!(shown.image.color().has_alpha(), alpha, "{name}");
        assert_eq!(shown.image.to_rgba8(), image.to_rgba8(), "{name}");
    }
}

/// PNG files with a palette of red and black. In one of the files, black is transparent.
#[test]
fn png_with_palette_is_shown() {
    let workspace = Workspace::new();
    let colours = chunk(b"PLTE", &[230, 20, 20, 0, 0, 0]);
    let clear = chunk(b"tRNS", &[255, 0]);
    let rows: Vec<u8> = (0..40).flat_map(|_| [0, 0, 0, 0xff, 0xff]).collect();
    for (name, chunks, alpha) in [
        ("opaque.png", vec![colours.clone()], 255),
        ("clear.png", vec![colours, clear], 0),
    ] {
        workspace.file(name, png_of(png_start(32, 40, 1, 3, false), &chunks, &rows));
        let (reply, shown) = read_image(&workspace.session(), name);
        assert!(!is_passed_through(&reply), "{name}");
        let image = shown.image.to_rgba8();
        assert_eq!(*image.get_pixel(0, 0), Rgba([230, 20, 20, 255]), "{name}");
        assert_eq!(image.get_pixel(31, 39)[3], alpha, "{name}");
        let header = reply.details.image().unwrap().header.as_ref().unwrap();
        assert_eq!(header.depth, 1, "{name}");
    }
}

/// A PNG with Adam7 interlacing, which stores the pixels in seven passes.
#[test]
fn interlaced_png_is_shown() {
    let image = DynamicImage::from(drawing(61, 43)).to_luma8();
    let mut rows = Vec::new();
    for (left, top, right, down) in [
        (0, 0, 8, 8),
        (4, 0, 8, 8),
        (0, 4, 4, 8),
        (2, 0, 4, 4),
        (0, 2, 2, 4),
        (1, 0, 2, 2),
        (0, 1, 1, 2),
    ] {
        for y in (top..43).step_by(down) {
            rows.push(0);
            rows.extend((left..61).step_by(right).map(|x| image.get_pixel(x, y)[0]));
        }
    }
    let workspace = Workspace::new();
    workspace.file("a.png", png_of(png_start(61, 43, 8, 0, true), &[], &rows));
    let (_, shown) = read_image(&workspace.session(), "a.png");
    assert_eq!(shown.image.to_luma8(), image);
}

/// Images for printing, in the colour space CMYK, are shown in the right colours.
#[test]
fn cmyk_images_are_shown() {
    let inks: Vec<u8> = drawing(64, 48)
        .pixels()
        .flat_map(|pixel| [255 - pixel[0], 255 - pixel[1], 255 - pixel[2], 0])
        .collect();
    let mut jpeg = Vec::new();
    jpeg_encoder::Encoder::new(&mut jpeg, 90)
        .encode(&inks, 64, 48, jpeg_encoder::ColorType::Cmyk)
        .unwrap();
    let mut tiff = Cursor::new(Vec::new());
    tiff::encoder::TiffEncoder::new(&mut tiff)
        .unwrap()
        .write_image::<tiff::encoder::colortype::CMYK8>(64, 48, &inks)
        .unwrap();
    let workspace = Workspace::new();
    workspace
        .file("a.jpg", jpeg)
        .file("a.tiff", tiff.into_inner());
    let session = workspace.session();
    for name in ["a.jpg", "a.tiff"] {
        let (reply, shown) = read_image(&session, name);
        assert!(!is_passed_through(&reply), "{name}");
        assert_eq!(corners(&shown.image), CORNERS, "{name}");
    }
}

/// A portable pixmap (PNM) is detected as an image even if its bytes are valid in a text encoding.
#[test]
fn pnm_without_zero_bytes_is_an_image() {
    let workspace = Workspace::new();
    let mut map = b"P6\n# colours\n64 48\n255\n".to_vec();
    map.extend((0..64 * 48 * 3).map(|n| 0x80 | u8::try_from(n % 120).unwrap()));
    workspace
        .file("a.ppm", map)
        .file("b.txt", "P6 is a format of images\n")
        .file("c.txt", "P5 2\nno image at all\n");
    let session = workspace.session();
    let (reply, shown) = read_image(&session, "a.ppm");
    assert!(
        reply.text().contains("PNM image, 64x48"),
        "{}",
        reply.text()
    );
    assert_eq!((shown.image.width(), shown.image.height()), (64, 48));
    read_image(&session, "a.ppm:img");
    let text = read_text(&session, "b.txt");
    assert!(text.ends_with("1:P6 is a format of images"), "{text}");
    let text = read_text(&session, "c.txt");
    assert!(text.contains("2:no image at all"), "{text}");
}

/// An image format without a decoder is named, and its bytes are not shown.
#[test]
fn image_format_without_a_decoder_is_named() {
    let workspace = Workspace::new();
    let session = workspace.session();
    for (name, start, long_name) in [
        (
            "a.heic",
            b"\0\0\0\x18ftypheic\0\0\0\0".as_slice(),
            "HEIC image",
        ),
        ("a.avif", b"\0\0\0\x18ftypavif\0\0\0\0", "AVIF image"),
        ("a.jxl", b"\xff\x0a\xfa\0\x10\0", "JPEG XL image"),
        ("b.jxl", b"\0\0\0\x0cJXL \r\n\x87\n\0\0", "JPEG XL image"),
        ("a.jp2", b"\0\0\0\x0cjP  \r\n\x87\n\0\0", "JPEG 2000 image"),
        ("a.psd", b"8BPS\0\x01\0\0\0\0\0\0", "Photoshop document"),
    ] {
        workspace.file(name, start);
        let rendered = read_text(&session, name);
        let size = start.len();
        assert_eq!(
            rendered,
            format!(
                "[Image '{name}': {long_name}, {size}B; not shown: there is no decoder for this format; convert it to PNG, for example with ImageMagick]"
            )
        );
        let options = Options::default();
        let reply = session.read_as(name, Dialect::Claude, &options).unwrap();
        let text = reply.text();
        assert!(
            text.contains("there is no decoder for this format"),
            "{text}"
        );
        assert!(!text.contains("ftyp"), "{text}");
        // For gateway and gemini, only the formats that they pass through are images.
        for dialect in [Dialect::Gateway, Dialect::Gemini] {
            let failure = session.read_as(name, dialect, &options).unwrap_err();
            let text = failure.text;
            assert!(text.contains("Cannot read binary file"), "{text}");
            assert!(text.contains(long_name) && !text.contains("ftyp"), "{text}");
        }
    }
}
