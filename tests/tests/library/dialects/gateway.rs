//! The dialect `gateway`: page limits, cut lines and media.

use super::{MIB, call, numbered, png, text};
use omniread::{Block, Dialect, Reason};
use omniread_tests::Workspace;
use serde_json::json;
use std::fmt::Write as _;
use std::fs::File;

/// The specification of the dialect `gateway` limits a page: "Text files: 50KB of output (after
/// formatting with line numbers)".
#[test]
fn gateway_page_ends_before_a_line_that_does_not_fit() {
    let workspace = Workspace::new();
    // The number has four bytes, the separator three, the text 92 and the line ending one: 100.
    let line = format!("{}\n", "x".repeat(92));
    workspace
        .file("fits", line.repeat(512))
        .file("more", line.repeat(513));
    let session = workspace.session();
    let read = |name: &str, offset: u64| {
        let path = workspace.path().join(name);
        text(
            &session,
            Dialect::Gateway,
            &json!({"filePath": path, "offset": offset}),
        )
    };
    let fits = read("fits", 0);
    assert!(fits.contains("lines=\"1-512\" total=\"512\""));
    assert!(fits.ends_with("</file>"), "the whole file is shown");
    let more = read("more", 0);
    assert!(more.contains("lines=\"1-512\" total=\"513\""));
    assert!(more.ends_with(
        "</file>\n[Output truncated at 50KB. Use offset/limit to read more.]\n\
         [Lines 1-512 of 513. Use offset=512 to read more.]"
    ));
    assert_eq!(
        more.lines().filter(|line| line.contains(" | ")).count(),
        512
    );
    assert!(read("more", 512).contains("\n 513 | x"));
}

#[test]
fn gateway_cuts_long_lines_and_pages() {
    let workspace = Workspace::new();
    workspace
        .file(
            "long",
            format!("{}\n{}\n", "é".repeat(2000), "é".repeat(2001)),
        )
        .file("lines", numbered(2500));
    let session = workspace.session();
    let path = workspace.path().join("long");
    let long = text(&session, Dialect::Gateway, &json!({"filePath": path}));
    let lines: Vec<&str> = long.lines().collect();
    assert_eq!(lines[1], format!("   1 | {}", "é".repeat(2000)));
    assert_eq!(lines[2], format!("   2 | {} [truncated]", "é".repeat(2000)));
    assert_eq!(
        lines[4],
        format!(
            "[line 2 is cut; read the rest with the path {}:2@2001 and no other arguments]",
            path.display()
        )
    );
    let rest = format!("{}:2@2001", path.display());
    let rest = text(&session, Dialect::Gateway, &json!({"filePath": rest}));
    assert!(rest.contains("   2 | é\n"), "{rest}");

    let path = workspace.path().join("lines");
    let mut offset = 0;
    let mut seen = String::new();
    let mut pages = Vec::new();
    loop {
        let page = text(
            &session,
            Dialect::Gateway,
            &json!({"filePath": path, "offset": offset}),
        );
        for line in page.lines().filter_map(|line| line.split_once(" | ")) {
            let _ = writeln!(seen, "{}", line.1);
            offset = line.0.trim().parse::<u64>().unwrap();
        }
        let more = page.contains("to read more");
        pages.push(page);
        if !more {
            break;
        }
    }
    assert_eq!(seen, numbered(2500));
    assert_eq!(pages.len(), 2);
    assert!(pages[0].ends_with("</file>\n[Lines 1-2000 of 2500. Use offset=2000 to read more.]"));
}

/// The specification of the dialect `gateway` limits media files: "Images and PDFs: 5MB maximum
/// file size".
#[test]
fn gateway_refuses_media_beyond_5_mib() {
    let workspace = Workspace::new();
    let pdf = |bytes: usize| {
        let mut pdf = b"%PDF-1.7\n".to_vec();
        pdf.resize(bytes, b'\n');
        pdf
    };
    workspace
        .file("fits.png", png(5 * MIB))
        .file("more.png", png(5 * MIB + 1))
        .file("fits.pdf", pdf(5 * MIB))
        .file("more.pdf", pdf(5 * MIB + 1));
    let huge = workspace.path().join("huge.png");
    workspace.file("huge.png", png(100));
    File::options()
        .write(true)
        .open(&huge)
        .unwrap()
        .set_len(20 << 30)
        .unwrap();
    let session = workspace.session();
    let read = |name: &str| {
        let path = workspace.path().join(name);
        (
            call(&session, Dialect::Gateway, &json!({"filePath": path})),
            path.display().to_string(),
        )
    };
    let (reply, path) = read("fits.png");
    let reply = reply.unwrap();
    assert_eq!(reply.details.kind.name(), "image");
    let [Block::Text(label), Block::Image(image)] = reply.blocks.as_slice() else {
        panic!("{:?}", reply.details);
    };
    assert_eq!(*label, format!("Read image: {path}"));
    assert_eq!(
        (image.mime.as_str(), image.data.len()),
        ("image/png", (5 * MIB).div_ceil(3) * 4)
    );
    let (reply, path) = read("fits.pdf");
    let reply = reply.unwrap();
    assert_eq!(reply.details.kind.name(), "attachment");
    assert!(
        matches!(reply.blocks.as_slice(), [Block::Text(label), Block::Attachment(_)]
        if *label == format!("Read PDF: {path}"))
    );
    for (name, what) in [
        ("more.png", "Image"),
        ("more.pdf", "PDF"),
        ("huge.png", "Image"),
    ] {
        let (outcome, path) = read(name);
        let failure = outcome.unwrap_err();
        assert_eq!(
            failure.text,
            format!("{what} file exceeds 5MB limit: {path}")
        );
        assert!(matches!(failure.reason, Reason::Limit(limit) if limit.value == 5 * MIB as u64));
    }
}
