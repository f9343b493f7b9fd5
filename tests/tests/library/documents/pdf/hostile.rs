//! Hostile PDF files: each read is a text or an answer within the limits of the engine, and the
//! next read of the session works.

use super::read;
use omniread::{Dialect, Reason, Session};
use omniread_tests::pdf::objects::{FONTS, Objects, line};
use omniread_tests::{Workspace, text};

/// A workspace with the file `plain.pdf`, which [`survived`] reads after each hostile file.
pub(super) fn hostile() -> Workspace {
    let workspace = Workspace::new();
    workspace.file(
        "plain.pdf",
        Objects::lines("", &["plain-mark of this page"]).build(),
    );
    workspace
}

/// Reads a path in `omp` and `gateway`, and then a plain file. Returns the text in `omp`.
///
/// # Panics
/// Panics if a read fails, or if the engine does not end by itself.
pub(super) fn survived(session: &Session, path: &str) -> String {
    let mut shown = String::new();
    for dialect in [Dialect::Gateway, Dialect::Omp] {
        shown = read(session, dialect, path).text();
        for defect in [
            "the document engine",
            "the limit `time`",
            "the limit `memory`",
        ] {
            assert!(!shown.contains(defect), "{dialect:?}: {path}: {shown}");
        }
        let plain = text(session, "plain.pdf");
        assert!(plain.contains("plain-mark"), "{path}: {plain}");
    }
    shown
}

/// Reads files in one session, in their order. The text of each must contain some parts.
pub(super) fn all_survive(files: Vec<(&str, Vec<u8>, &[&str])>) {
    let workspace = hostile();
    let session = workspace.session();
    for (name, bytes, parts) in files {
        let name = format!("{name}.pdf");
        workspace.file(&name, bytes);
        let shown = survived(&session, &format!("{name}:"));
        for part in parts {
            assert!(shown.contains(part), "{name}: {part}: {shown}");
        }
    }
}

#[test]
fn number_of_pages_is_not_trusted() {
    let workspace = hostile();
    let mut claims = Objects::lines("", &["first-mark on a page", "second-mark on a page"]);
    claims.replace(
        2,
        format!("<< /Type /Pages /Count 10000000 /Kids [3 0 R 5 0 R] /Resources << {FONTS} >> >>"),
    );
    // Each node of the tree has the next one ten times, so that a page is in it ten million times.
    let mut fans = Objects::lines("", &["only-mark on a page"]);
    let first = fans.next();
    let fan = |kid: usize| {
        let kids = format!("{kid} 0 R ").repeat(10);
        format!("<< /Type /Pages /Count 10000000 /Kids [{kids}] >>")
    };
    for level in 0..6 {
        fans.object(fan(if level == 5 { 3 } else { first + level + 1 }));
    }
    fans.replace(2, fan(first));
    let many: Vec<String> = (1..=5000)
        .map(|page| format!("mark-{page}-end on it"))
        .collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    workspace
        .file("claims.pdf", claims.build())
        .file("fans.pdf", fans.build())
        .file("many.pdf", Objects::lines("", &many).build());
    let session = workspace.session();
    let shown = survived(&session, "claims.pdf:");
    assert!(
        shown.contains("first-mark") && shown.contains("second-mark"),
        "{shown}"
    );
    assert!(survived(&session, "fans.pdf:").contains("only-mark"));
    let shown = survived(&session, "many.pdf:page:4999");
    assert!(
        shown.contains("mark-4999-end") && !shown.contains("mark-4998-end"),
        "{shown}"
    );
    for (path, last) in [
        ("claims.pdf:page:10000000", 2),
        ("many.pdf:page:5001", 5000),
    ] {
        let missing = session.read(path).unwrap_err();
        assert!(
            matches!(missing.reason, Reason::InvalidSelector(_)),
            "{path}"
        );
        let end = format!("the last one is page:{last}");
        assert!(missing.message.ends_with(&end), "{}", missing.message);
    }
}

/// Each object refers to itself, or to one that refers to it.
#[test]
fn loops_end() {
    let itself = |catalog: &str, more: &[&str]| {
        let mut file = Objects::lines(catalog, &["loop-mark on a page"]);
        for object in more {
            file.object(*object);
        }
        file.build()
    };
    let page = |entries: &str, more: &[&str]| {
        let mut file = Objects::lines("", &["loop-mark on a page"]);
        file.replace(
            3,
            format!("<< /Type /Page /Parent 2 0 R /Contents 4 0 R {entries} >>"),
        );
        for object in more {
            file.object(*object);
        }
        file.build()
    };
    let mut kids = Objects::lines("", &["loop-mark on a page"]);
    kids.replace(
        2,
        format!("<< /Type /Pages /Parent 2 0 R /Kids [2 0 R 3 0 R 2 0 R] /Count 3 /Resources << {FONTS} >> >>"),
    );
    let mut length = Objects::lines("", &["loop-mark on a page"]);
    length.replace(
        4,
        format!(
            "<< /Length 4 0 R >>\nstream\n{}\nendstream",
            line("loop-mark")
        ),
    );
    let names =
        "/Names << /Dests 5 0 R /EmbeddedFiles 5 0 R /JavaScript 5 0 R >> /PageLabels 5 0 R";
    let tree = format!("<< /Kids [{}] >>", "5 0 R ".repeat(1000));
    let mut outline = Objects::lines(
        &format!("/Outlines 6 0 R {names}"),
        &["loop-mark on a page"],
    );
    outline.object(tree.as_str());
    outline.object("<< /First 7 0 R >>");
    for entry in 7..207 {
        outline.object(format!(
            "<< /Title (Entry {entry}) /Dest (name{entry}) /Next {} 0 R >>",
            entry + 1
        ));
    }
    all_survive(vec![
        ("kids", kids.build(), &["loop-mark"]),
        ("length", length.build(), &["loop-mark"]),
        (
            "outline",
            itself(
                "/Outlines 5 0 R",
                &[
                    "<< /First 6 0 R >>",
                    "<< /Title (loop) /First 6 0 R /Next 6 0 R /Dest [3 0 R] >>",
                ],
            ),
            &["loop-mark"],
        ),
        ("names", itself(names, &[&tree]), &["loop-mark"]),
        ("destinations", outline.build(), &["loop-mark"]),
        (
            "fields",
            itself(
                "/AcroForm << /Fields [5 0 R] >>",
                &["<< /FT /Tx /T (a) /V (b) /Kids [5 0 R 5 0 R] /Parent 5 0 R >>"],
            ),
            &["loop-mark"],
        ),
        (
            "structure",
            itself(
                "/StructTreeRoot 5 0 R /MarkInfo << /Marked true >>",
                &[
                    "<< /Type /StructTreeRoot /K 6 0 R /ParentTree 7 0 R /RoleMap << /P /Q /Q /P >> >>",
                    "<< /Type /StructElem /S /P /P 6 0 R /Pg 3 0 R /K [6 0 R 6 0 R 5 0 R 0] >>",
                    "<< /Kids [7 0 R 7 0 R] /Nums [0 [6 0 R 6 0 R]] >>",
                ],
            ),
            &["loop-mark"],
        ),
        ("resources", page("/Resources 5 0 R", &["5 0 R"]), &[""]),
        (
            "contents",
            page("/Contents [5 0 R 4 0 R]", &["[5 0 R 4 0 R]"]),
            &["loop-mark"],
        ),
        (
            "annotations",
            page(
                "/Annots [5 0 R 5 0 R]",
                &[
                    "<< /Subtype /Widget /FT /Tx /Parent 5 0 R /Kids [5 0 R] /Popup 5 0 R /IRT 5 0 R /Rect [0 0 9 9] /AP << /N 5 0 R >> >>",
                ],
            ),
            &["loop-mark"],
        ),
    ]);
}

/// Content that draws itself: forms, patterns, soft masks and the glyphs of Type 3 fonts.
#[test]
fn content_that_draws_itself_ends() {
    let itself = |resources: &str, content: &str, more: &[(&str, &str)]| {
        let mut file = Objects::lines("", &[""]);
        file.replace(
            3,
            format!(
                "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << {FONTS} {resources} >> >>"
            ),
        );
        let content = format!("{content} {}", line("loop-mark on a page"));
        file.replace(
            4,
            format!(
                "<< /Length {} >>\nstream\n{content}\nendstream",
                content.len()
            ),
        );
        for (entries, data) in more {
            file.stream(entries, data);
        }
        file.build()
    };
    let form = "/Type /XObject /Subtype /Form /BBox [0 0 612 792] /Resources << /XObject << /A 5 0 R /B 6 0 R >> >>";
    let glyph = "/Type /Font /Subtype /Type3 /FontBBox [0 0 1 1] /FontMatrix [1 0 0 1 0 0] /FirstChar 97 \
                 /LastChar 97 /Widths [1] /Encoding << /Differences [97 /a] >> /CharProcs << /a 5 0 R >> \
                 /Resources << /Font << /T 6 0 R >> >>";
    let pattern = "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 9 9] /XStep 1e-9 /YStep 1e-9 \
                   /Resources << /Pattern << /P 5 0 R >> >>";
    all_survive(vec![
        (
            "forms",
            itself(
                "/XObject << /A 5 0 R >>",
                "/A Do",
                &[(form, "/A Do /B Do"), (form, "/B Do /A Do")],
            ),
            &["loop-mark"],
        ),
        (
            "glyphs",
            itself(
                "/Font << /F1 6 0 R /T 6 0 R >>",
                "BT /T 1 Tf (aaaa) Tj ET",
                &[("", "1 0 d0 BT /T 1 Tf (aa) Tj ET"), (glyph, "")],
            ),
            &[],
        ),
        (
            "patterns",
            itself(
                "/Pattern << /P 5 0 R >>",
                "/Pattern cs /P scn 0 0 600 700 re f",
                &[(pattern, "/Pattern cs /P scn 0 0 9 9 re f")],
            ),
            &["loop-mark"],
        ),
        (
            "masks",
            itself(
                "/ExtGState << /G << /SMask << /S /Alpha /G 5 0 R >> >> >>",
                "/G gs",
                &[(
                    &format!(
                        "{form} /Group << /S /Transparency >> /ExtGState << /G << /SMask << /G 5 0 R >> >> >>"
                    ),
                    "/G gs /A Do",
                )],
            ),
            &["loop-mark"],
        ),
    ]);
}

#[test]
fn deep_nesting_ends() {
    let deep =
        |open: &str, close: &str| format!("{}1{}", open.repeat(500_000), close.repeat(500_000));
    let object = |value: &str| {
        let mut file = Objects::lines("/Deep 5 0 R", &["deep-mark on a page"]);
        file.object(value);
        file.build()
    };
    let content = |start: &str| {
        let mut file = Objects::lines("", &[""]);
        let data = format!("{} {start}", line("deep-mark on a page"));
        file.replace(
            4,
            format!("<< /Length {} >>\nstream\n{data}\nendstream", data.len()),
        );
        file.build()
    };
    // A file without a table of positions is searched for objects.
    let cut = |file: Vec<u8>| file[..file.len() - 60].to_vec();
    let (arrays, dictionaries) = (deep("[", "]"), deep("<</A", ">>"));
    all_survive(vec![
        ("arrays", object(&arrays), &["deep-mark"]),
        ("dictionaries", object(&dictionaries), &["deep-mark"]),
        ("open", object(&"[".repeat(500_000)), &["deep-mark"]),
        ("cut-arrays", cut(object(&arrays)), &["deep-mark"]),
        (
            "cut-dictionaries",
            cut(object(&dictionaries)),
            &["deep-mark"],
        ),
        ("in-content", content(&arrays), &["deep-mark"]),
        (
            "in-content-dict",
            content(&format!("/P {dictionaries} BDC")),
            &["deep-mark"],
        ),
        ("states", content(&"q ".repeat(500_000)), &["deep-mark"]),
        ("marks", content(&"/P BMC ".repeat(500_000)), &["deep-mark"]),
        ("strings", content(&"(".repeat(500_000)), &["deep-mark"]),
    ]);
}

/// A page that would be searched for years costs that page, wherever it is.
#[test]
fn page_with_endless_images_costs_no_other_page() {
    let plain = line("other-mark of this page");
    let text = line("first-mark of this page");
    for part in [
        "BI /W 1 /H 1 ID ",
        "BI /W 1 /H 1 /CS /G /BPC 8 ID a EI b EI ",
        "BI /W 1 /H 1 ID \u{1}\nEI BI /W 2 ID ",
    ] {
        let content = format!("{text} {}", part.repeat(60_000));
        for at in 0..3 {
            let workspace = hostile();
            let mut objects = Objects::new("", &[3, 5, 7]);
            for index in 0..3 {
                let next = objects.next() + 1;
                objects.object(format!(
                    "<< /Type /Page /Parent 2 0 R /Contents {next} 0 R >>"
                ));
                objects.stream("", if index == at { &content } else { &plain });
            }
            workspace.file("h.pdf", objects.build());
            let session = workspace.session();
            let shown = survived(&session, "h.pdf");
            assert!(shown.contains("first-mark"), "{part} {at}: {shown}");
            assert_eq!(
                shown.matches("other-mark").count(),
                2,
                "{part} {at}: {shown}"
            );
            let image = format!("h.pdf:page:{}:img", at + 1);
            let why = session.read(&image).expect_err(&image).message;
            assert!(why.contains("operations for the image of a page"), "{why}");
        }
    }
}

/// Functions that are nested deeply are refused before the page is drawn.
#[test]
fn deep_functions_are_a_limit() {
    let workspace = hostile();
    let mut objects = Objects::new("", &[3]);
    objects.object(
        "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /ColorSpace << /C [/Separation /X /DeviceRGB 5 0 R] >> >> >>",
    );
    objects.stream("", "/C cs 1 scn 0 0 50 50 re f");
    let program = "{".repeat(5000) + "1 0 0" + &"}".repeat(5000);
    objects.stream(
        "/FunctionType 4 /Domain [0 1] /Range [0 1 0 1 0 1]",
        program,
    );
    workspace.file("f.pdf", objects.build());
    let session = workspace.session();
    let why = session.read("f.pdf:page:1:img").unwrap_err().message;
    assert!(why.contains("depth of functions"), "{why}");
    survived(&session, "f.pdf");
}
