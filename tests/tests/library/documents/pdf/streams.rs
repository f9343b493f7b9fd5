//! Streams, tables of positions and streams of objects that are larger than the file, or false.

use super::hostile::all_survive;
use omniread_tests::pdf::objects::{FONTS, Objects, deflated, deflated_zeros, line};

/// A file of three pages, whose second page is replaced.
pub(super) fn with_bad_page(page: &str) -> Objects {
    let mut file = Objects::lines("", &["first-mark on a page", "", "third-mark on a page"]);
    file.replace(5, page);
    file
}

/// A file of three pages, whose second page has this stream as its content.
pub(super) fn with_bad_content(entries: &str, data: &[u8]) -> Vec<u8> {
    let mut file = with_bad_page("null");
    let stream = file.stream(entries, data);
    file.replace(
        5,
        format!("<< /Type /Page /Parent 2 0 R /Contents {stream} 0 R >>"),
    );
    file.build()
}

/// Hostile input PD-2: streams that are far larger than the file.
#[test]
fn bombs_are_cut() {
    let zeros = deflated_zeros(512 << 20);
    let twice = deflated(&zeros);
    let thrice = deflated(&twice);
    assert!(thrice.len() < 5000, "{}", thrice.len());
    let flate = |count: usize| format!("/Filter [{}]", "/FlateDecode ".repeat(count));
    let objects = |entries: &str, data: &[u8]| {
        let mut file = Objects::lines("", &["object-mark on a page"]);
        file.stream(entries, data);
        file.build()
    };
    // Thirty-two layers of compression around the content of a page.
    let layers = (0..32).fold(line("layer-mark on a page").into_bytes(), |data, _| {
        deflated(&data)
    });
    let runs: Vec<u8> = [129, b' '].repeat(4 << 20);
    let lost = [
        "first-mark",
        "third-mark",
        "[On page 2, there is too much content.",
    ];
    all_survive(vec![
        ("content", with_bad_content(&flate(1), &zeros), &lost),
        ("chain", with_bad_content(&flate(3), &thrice), &lost),
        (
            "runs",
            with_bad_content("/Filter /RunLengthDecode", &runs),
            &lost,
        ),
        (
            "layers",
            with_bad_content(&flate(32), &layers),
            &["first-mark", "layer-mark", "third-mark"],
        ),
        (
            "objects",
            objects(
                &format!("/Type /ObjStm /N 1000 /First 10000 {}", flate(3)),
                &thrice,
            ),
            &["[Cannot read .pdf file: it exceeds the limit `bytes of objects`]"],
        ),
        (
            "positions",
            objects(
                &format!("/Type /XRef /Size 100000000 /W [1 1 1] {}", flate(1)),
                &zeros,
            ),
            &["[Cannot read .pdf file: it exceeds the limit `bytes of objects`]"],
        ),
    ]);
}

/// Tables of positions that claim more than they have, and that are wrong.
#[test]
fn tables_of_positions_are_rebuilt() {
    let lines = ["first-mark on a page", "second-mark on a page"];
    let file = Objects::lines("", &lines);
    let (body, _) = file.body();
    let whole = file.build();
    let with = |end: &str| [body.as_slice(), end.as_bytes()].concat();
    let trailer = "trailer << /Size 7 /Root 1 0 R >>";
    let start = body.len();
    let shifted = String::from_utf8(whole.clone())
        .unwrap()
        .replace("00000 n", "00001 n");
    let moved = [b"junk before the head\n".as_slice(), &whole].concat();
    let moved = [b"%PDF-1.7\n".as_slice(), &moved].concat();
    let mut prev = whole.clone();
    let previous = format!("trailer << /Size 7 /Root 1 0 R /Prev {start} >>");
    let at = prev.windows(7).rposition(|it| it == b"trailer").unwrap();
    prev.truncate(at);
    prev.extend_from_slice(format!("{previous}\nstartxref\n{start}\n%%EOF").as_bytes());
    let stream = |entries: &str, data: &[u8]| {
        let mut file = Objects::lines("", &lines);
        file.stream(&format!("/Type /XRef /Root 1 0 R {entries}"), data);
        let (mut body, offsets) = file.body();
        let start = offsets.last().unwrap();
        body.extend_from_slice(format!("startxref\n{start}\n%%EOF").as_bytes());
        body
    };
    let start_of_stream = stream("/Size 7 /W [1 2 1]", b"").len() - 30;
    let parts: &[&str] = &["first-mark", "second-mark"];
    let claims = format!("xref\n0 4294967295\n{trailer}\nstartxref\n{start}\n%%EOF");
    let huge = format!("xref\n4294967290 100\n{trailer}\nstartxref\n{start}\n%%EOF");
    all_survive(vec![
        ("missing", with(trailer), parts),
        (
            "far",
            with(&format!("{trailer}\nstartxref\n99999999999999\n%%EOF")),
            parts,
        ),
        (
            "negative",
            with(&format!("{trailer}\nstartxref\n-1\n%%EOF")),
            parts,
        ),
        ("claims", with(&claims), parts),
        ("huge", with(&huge), parts),
        ("generations", shifted.into_bytes(), &[]),
        ("moved", moved, parts),
        ("previous", prev, parts),
        ("no-catalog", with("trailer << /Size 7 >>"), parts),
        (
            "stream",
            stream("/Size 4294967295 /W [1 8 8]", &[1; 340]),
            parts,
        ),
        (
            "stream-wide",
            stream("/Size 7 /W [255 255 255]", &[1; 3400]),
            parts,
        ),
        (
            "stream-index",
            stream(
                "/Size 7 /Index [0 4294967295 4294967295 4294967295] /W [0 1 0]",
                &[9; 3400],
            ),
            parts,
        ),
        (
            "stream-empty",
            stream("/Size 4294967295 /W [0 0 0]", b""),
            parts,
        ),
        (
            "stream-previous",
            stream(
                &format!("/Size 7 /W [1 2 1] /Prev {start_of_stream}"),
                &[0; 28],
            ),
            parts,
        ),
    ]);
}

/// Streams of objects that contain themselves, or claim objects that they do not have.
#[test]
fn streams_of_objects_are_not_trusted() {
    let with = |entries: &str, data: &str, kinds: &str| {
        let mut file = Objects::lines(
            "/Names 9 0 R",
            &["object-mark on a page", "next-mark on a page"],
        );
        let stream = file.stream(&format!("/Type /ObjStm {entries}"), data);
        assert_eq!(stream, 7);
        let (mut body, offsets) = file.body();
        // The positions of the objects in the file, and three objects that are in the stream.
        let mut table = vec![0_u8, 0, 0, 0, 0];
        for offset in &offsets {
            table.push(1);
            table.extend_from_slice(&u16::try_from(*offset).unwrap().to_be_bytes());
            table.extend_from_slice(&[0, 0]);
        }
        for kind in kinds.bytes() {
            let index = u16::from(kind - b'0');
            table.extend_from_slice(&[2, 0, 7]);
            table.extend_from_slice(&index.to_be_bytes());
        }
        let size = 8 + kinds.len();
        let start = body.len();
        body.extend_from_slice(
            format!(
                "{size} 0 obj\n<< /Type /XRef /Root 1 0 R /Size {size} /W [1 2 2] /Length {} >>\nstream\n",
                table.len()
            )
            .as_bytes(),
        );
        body.extend_from_slice(&table);
        body.extend_from_slice(
            format!("\nendstream\nendobj\nstartxref\n{start}\n%%EOF").as_bytes(),
        );
        body
    };
    let parts: &[&str] = &["object-mark", "next-mark"];
    all_survive(vec![
        (
            "good",
            with(
                "/N 3 /First 15",
                "8 0 9 3 10 20 1  << /Dests 8 0 R >>       << >>",
                "012",
            ),
            parts,
        ),
        (
            "itself",
            with(
                "/N 1 /First 4 /Extends 7 0 R",
                "7 0 << /Type /ObjStm /N 1 /First 4 >>",
                "000",
            ),
            parts,
        ),
        (
            "many",
            with("/N 4294967295 /First 15", "8 0 9 3 10 6 1  2  3", "012"),
            parts,
        ),
        (
            "first",
            with("/N 3 /First 4294967295", "8 1 9 3 10 6 1  2  3", "012"),
            parts,
        ),
        (
            "offsets",
            with(
                "/N 3 /First 15",
                "8 4294967290 9 4294967295 10 4294967295 1",
                "012",
            ),
            parts,
        ),
        (
            "negative",
            with("/N -1 /First -1", "8 0 9 3 10 6 1  2  3", "012"),
            parts,
        ),
        ("index", with("/N 1 /First 4", "9 0 9 0 R", "999"), parts),
    ]);
}

/// Operators that are short, and that read large objects each time.
#[test]
fn operators_that_read_large_objects_are_cut() {
    let many: String = (0..10_000).map(|number| format!("/A{number} 0 ")).collect();
    let names = "/Name ".repeat(10_000);
    let with = |resources: &str, operator: &str, form: &str| {
        let mut file = with_bad_page("null");
        let content = deflated(operator.repeat(1_000_000).as_bytes());
        let content = file.stream("/Filter /FlateDecode", content);
        let (object, form) = (
            file.next(),
            format!("/Subtype /Form /BBox [0 0 9 9] {form}"),
        );
        file.stream(&form, "");
        file.replace(
            5,
            format!(
                "<< /Type /Page /Parent 2 0 R /Contents {content} 0 R \
                 /Resources << {FONTS} /XObject << /X {object} 0 R >> {resources} >> >>"
            ),
        );
        file.build()
    };
    let parts = [
        "first-mark",
        "third-mark",
        "[On page 2, there is too much content.",
    ];
    all_survive(vec![
        (
            "states",
            with(&format!("/ExtGState << /X << {many} >> >>"), "/X gs ", ""),
            &parts,
        ),
        (
            "marks",
            with(
                &format!("/Properties << /X << {many} >> >>"),
                "/P /X BDC EMC ",
                "",
            ),
            &parts,
        ),
        (
            "colours",
            with(
                &format!("/ColorSpace << /X [/DeviceN [{names}] /DeviceRGB] >>"),
                "/X cs ",
                "",
            ),
            &parts,
        ),
        ("forms", with("", "/X Do ", &many), &parts),
    ]);
}
