//! Damaged pages, fonts and images: the rest of the file is there.

use super::hostile::{all_survive, hostile, survived};
use super::streams::{with_bad_content, with_bad_page};
use omniread::Reason;
use omniread_tests::pdf::objects::{Objects, deflated, deflated_zeros, line};
use omniread_tests::text;
use std::fmt::Write as _;

/// Fonts and maps of characters with false data. The text in another font is there.
#[test]
fn fonts_with_false_data() {
    let with = |font: &str, more: &[(&str, Vec<u8>)]| {
        let mut file = Objects::lines("", &[""]);
        file.replace(
            3,
            "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /Font << /F1 << /Type /Font \
                 /Subtype /Type1 /BaseFont /Helvetica >> /X 5 0 R >> >> >>",
        );
        let content = format!(
            "BT /X 11 Tf 72 600 Td (ABC\\000\\377) Tj <0001FFFF> Tj ET {}",
            line("font-mark on a page")
        );
        file.replace(
            4,
            format!(
                "<< /Length {} >>\nstream\n{content}\nendstream",
                content.len()
            ),
        );
        file.object(font);
        for (entries, data) in more {
            file.stream(entries, data);
        }
        file.build()
    };
    let mut state = 7_u32;
    let noise: Vec<u8> = std::iter::repeat_with(|| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state.to_be_bytes()[0]
    })
    .take(50_000)
    .collect();
    let headed = |head: &[u8]| [head, &noise].concat();
    let simple = |kind: &str, file: &str| {
        format!(
            "<< /Type /Font /Subtype /{kind} /BaseFont /ABCDEF+X /FirstChar -2147483648 /LastChar 2147483647 \
             /Widths [1e38 -1e38 (a) null] /Encoding << /BaseEncoding /No /Differences [-5 /a 300 /b 4294967295 /c] >> \
             /FontDescriptor << /Type /FontDescriptor /Flags -1 /MissingWidth 1e38 /{file} 6 0 R >> >>"
        )
    };
    let composite = |encoding: &str, widths: &str| {
        format!(
            "<< /Type /Font /Subtype /Type0 /BaseFont /X /Encoding {encoding} /ToUnicode 6 0 R /DescendantFonts \
             [<< /Type /Font /Subtype /CIDFontType2 /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) >> \
             /W [{widths}] /DW 1e38 /CIDToGIDMap 7 0 R /FontDescriptor << /FontFile2 7 0 R >> >>] >>"
        )
    };
    let map = |body: &str| {
        format!("begincmap 1 begincodespacerange <0000> <FFFF> endcodespacerange {body} endcmap")
            .into_bytes()
    };
    let wide =
        map("1 beginbfrange <0000> <FFFFFFFF> <0041> <00000000> <FFFFFFFF> [<0041>] endbfrange");
    let mut many = String::new();
    for _ in 0..20_000 {
        let _ = write!(many, "100 beginbfrange <0000> <FFFF> <0041> endbfrange ");
    }
    let widths = "0 2147483647 500 -5 [1 2 3] 4294967295 [1] 0 0 0";
    let parts: &[&str] = &["font-mark"];
    all_survive(vec![
        (
            "type1",
            with(
                &simple("Type1", "FontFile"),
                &[("", headed(b"%!PS-AdobeFont-1.0 eexec "))],
            ),
            parts,
        ),
        (
            "type1-lengths",
            with(
                &simple("Type1", "FontFile"),
                &[("/Length1 4294967295 /Length2 -1", noise.clone())],
            ),
            parts,
        ),
        (
            "truetype",
            with(
                &simple("TrueType", "FontFile2"),
                &[("", headed(b"\0\x01\0\0\xff\xff\0\0\0\0\0\0"))],
            ),
            parts,
        ),
        (
            "opentype",
            with(
                &simple("Type1", "FontFile3"),
                &[("/Subtype /OpenType", headed(b"OTTO\0\x0a\0\0\0\0\0\0"))],
            ),
            parts,
        ),
        (
            "cff",
            with(
                &simple("Type1", "FontFile3"),
                &[(
                    "/Subtype /Type1C",
                    headed(b"\x01\0\x04\x04\xff\xff\x04\0\0"),
                )],
            ),
            parts,
        ),
        (
            "bomb",
            with(
                &simple("TrueType", "FontFile2"),
                &[("/Filter /FlateDecode", deflated_zeros(512 << 20))],
            ),
            parts,
        ),
        (
            "wide-map",
            with(
                &composite("/Identity-H", widths),
                &[("", wide), ("", noise.clone())],
            ),
            parts,
        ),
        (
            "long-map",
            with(
                &composite("/Identity-H", widths),
                &[("", map(&many)), ("", noise.clone())],
            ),
            parts,
        ),
        (
            "map-bomb",
            with(
                &composite("/Identity-V", ""),
                &[
                    ("/Filter /FlateDecode", deflated_zeros(512 << 20)),
                    ("", Vec::new()),
                ],
            ),
            parts,
        ),
        (
            "own-map",
            with(
                &composite("6 0 R", widths),
                &[
                    ("/Type /CMap /CMapName /A /UseCMap 6 0 R", map("")),
                    ("", noise.clone()),
                ],
            ),
            parts,
        ),
        (
            "itself",
            with(
                "<< /Type /Font /Subtype /Type0 /Encoding 5 0 R /ToUnicode 5 0 R /DescendantFonts [5 0 R] >>",
                &[],
            ),
            parts,
        ),
        ("no-font", with("[5 0 R]", &[]), parts),
    ]);
}

/// A page that cannot be read is named in its place, and the other pages are there.
#[test]
fn bad_page_does_not_lose_the_others() {
    let page = |page: &str| with_bad_page(page).build();
    let box_of = |rectangle: &str| {
        page(&format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox {rectangle} /Contents 4 0 R >>"
        ))
    };
    let images = |entries: &str, data: &[u8]| {
        let mut file = with_bad_page(
            "<< /Type /Page /Parent 2 0 R /Contents 7 0 R /Resources << /XObject << /I 8 0 R >> >> >>",
        );
        file.stream("", "q 100 0 0 100 0 0 cm /I Do Q");
        file.stream(&format!("/Type /XObject /Subtype /Image /ColorSpace /DeviceGray /BitsPerComponent 8 {entries}"), data);
        file.build()
    };
    let parts: &[&str] = &["first-mark", "third-mark"];
    all_survive(vec![
        ("null", page("null"), parts),
        ("number", page("42"), parts),
        (
            "no-contents",
            page("<< /Type /Page /Parent 2 0 R /Contents 99 0 R >>"),
            &["first-mark", "third-mark", "[On page 2, there is no text.]"],
        ),
        (
            "contents-number",
            page("<< /Type /Page /Parent 2 0 R /Contents 1.5 >>"),
            parts,
        ),
        ("empty-box", box_of("[0 0 0 0]"), parts),
        ("huge-box", box_of("[-1e38 -1e38 1e38 1e38]"), parts),
        ("short-box", box_of("[0 (a)]"), parts),
        (
            "noise",
            with_bad_content("/Filter /FlateDecode", &[0xa5; 5000]),
            parts,
        ),
        (
            "unknown-filter",
            with_bad_content("/Filter /Nothing", b"BT ET"),
            parts,
        ),
        (
            "jbig2-content",
            with_bad_content("/Filter /JBIG2Decode", b"BT ET"),
            parts,
        ),
        (
            "other-file",
            with_bad_content("/F (/etc/passwd)", b""),
            parts,
        ),
        (
            "large-image",
            images("/Width 2147483647 /Height 2147483647", b"x"),
            parts,
        ),
        (
            "jpx",
            images(
                "/Width 1 /Height 1 /Filter /JPXDecode",
                &[0xff, 0x4f, 0xff, 0x51],
            ),
            parts,
        ),
        (
            "jbig2",
            images("/Width 60000 /Height 60000 /Filter /JBIG2Decode", &[0; 100]),
            parts,
        ),
        (
            "image-bomb",
            images(
                "/Width 20000 /Height 20000 /Filter /FlateDecode",
                &deflated_zeros(512 << 20),
            ),
            parts,
        ),
    ]);
}

/// Images that cannot be decoded within the limits are answers, like damaged images.
#[test]
fn images_that_are_too_large_are_answers() {
    let workspace = hostile();
    let image = |entries: &str, data: &[u8]| {
        let mut file = Objects::lines("", &[""]);
        file.replace(
            3,
            "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /XObject << /I 5 0 R >> >> >>",
        );
        let content = "q 500 0 0 500 0 0 cm /I Do Q";
        file.replace(
            4,
            format!(
                "<< /Length {} >>\nstream\n{content}\nendstream",
                content.len()
            ),
        );
        file.stream(&format!("/Type /XObject /Subtype /Image {entries}"), data);
        file.build()
    };
    let gray = "/ColorSpace /DeviceGray /BitsPerComponent 8";
    let zeros = deflated_zeros(512 << 20);
    workspace
        .file("large.pdf", image(&format!("/Width 2147483647 /Height 2147483647 {gray}"), b"x"))
        .file("bomb.pdf", image(&format!("/Width 20000 /Height 20000 {gray} /Filter /FlateDecode"), &zeros))
        .file("jbig2.pdf", image("/Width 60000 /Height 60000 /BitsPerComponent 1 /ColorSpace /DeviceGray /Filter /JBIG2Decode", &[0; 100]))
        .file("jpx.pdf", image("/Width 9 /Height 9 /Filter /JPXDecode", b"\0\0\0\x0cjP  \x0d\x0a\x87\x0a"));
    let session = workspace.session();
    for name in ["large.pdf", "bomb.pdf", "jbig2.pdf", "jpx.pdf"] {
        survived(&session, name);
        let defect = match session.read(format!("{name}:image:1")) {
            Ok(reply) => reply.text().contains("the document engine"),
            Err(failure) => !matches!(failure.reason, Reason::InvalidSelector(_)),
        };
        assert!(!defect, "{name}");
        assert!(text(&session, "plain.pdf").contains("plain-mark"), "{name}");
    }
}

/// A page with many fonts, each with large maps.
#[test]
fn many_fonts_with_large_maps() {
    let mut file = with_bad_page("null");
    let mut map = String::from("1 begincodespacerange <0000> <FFFF> endcodespacerange ");
    for code in 0..65_536 {
        let _ = write!(
            map,
            "1 beginbfchar <{code:04X}> <0041004200430044> endbfchar "
        );
    }
    let map = file.stream("/Filter /FlateDecode", deflated(map.as_bytes()));
    let widths: String = (0..60_000)
        .map(|code| format!("{code} [{}] ", code % 1000))
        .collect();
    let widths = file.object(format!("[{widths}]"));
    let (mut fonts, mut content) = (String::new(), String::new());
    for number in 0..50 {
        let font = file.object(format!(
            "<< /Type /Font /Subtype /Type0 /BaseFont /X{number} /Encoding /Identity-H /ToUnicode {map} 0 R \
             /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /W {widths} 0 R >>] >>"
        ));
        let _ = write!(fonts, "/X{number} {font} 0 R ");
        let _ = writeln!(content, "BT /X{number} 11 Tf 72 700 Td <0041> Tj ET");
    }
    let content = file.stream("", content);
    file.replace(
        5,
        format!(
            "<< /Type /Page /Parent 2 0 R /Contents {content} 0 R /Resources << /Font << {fonts} >> >> >>"
        ),
    );
    all_survive(vec![("fonts", file.build(), &["first-mark", "third-mark"])]);
}
