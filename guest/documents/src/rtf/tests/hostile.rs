//! Tests of damage and limits.

use super::{converted, opened, text};
use crate::Error;
use crate::rtf::open;

#[test]
fn other_formats_are_errors() {
    for bytes in [&b"PK\x03\x04"[..], b"", b"text {\\rtf1}", b"{\\rt"] {
        assert!(
            matches!(open(bytes.to_vec()), Err(Error::Damaged(_))),
            "{bytes:?}"
        );
    }
    assert_eq!(text("\u{feff} {\\rtf1 x}"), "x");
}

#[test]
fn damaged_groups_keep_the_text() {
    assert_eq!(text("{\\rtf1 a\\par}} b\\par c"), "a\n\nb\n\nc");
    assert_eq!(text("{\\rtf1 a\\par} trailing bytes"), "a");
    assert_eq!(
        text("{\\rtf1 a{\\b b{\\footnote c"),
        "a**b**[^1]\n\n[^1]: c"
    );
    let bin = "{\\rtf1 a{\\pict\\bin2147483647 xyz}b\\par}";
    assert_eq!(text(bin), "ab");
    assert_eq!(text("{\\rtf1 a\\'zz\\'4 b\\"), "azz4 b");
}

#[test]
fn cut_documents_are_read_up_to_the_cut() {
    let rtf = "{\\rtf1\\ansi{\\fonttbl{\\f0 Arial;}}{\\stylesheet{\\s1\\outlinelevel0 h;}}\
        {\\*\\listtable{\\list{\\listlevel{\\leveltext\\'02\\'00.;}}\\listid1}}Words\\par\
        \\trowd\\cellx9\\cellx99\\intbl a\\cell{\\field{\\*\\fldinst HYPERLINK \"u:x\"}\
        {\\fldrslt b}}\\cell\\row\\pard{\\footnote n}{\\shp{\\*\\shpinst{\\shptxt t}}}\
        {\\pict 89504e470d0a1a0a89}{\\mmath{\\moMath{\\mr x}}}\\u8364 ?}";
    let mut shown = 0;
    for length in 0..rtf.len() {
        if let Ok(mut document) = open(rtf.as_bytes()[..length].to_vec()) {
            let unit = document.unit(0);
            shown += usize::from(unit.text.contains("Words"));
            assert!(unit.notes.iter().any(|note| note.contains("ends early")));
            document.image(1);
        }
    }
    assert!(shown > 200, "{shown}");
}

#[test]
fn deep_groups_are_read() {
    let depth = 200_000;
    let rtf = format!(
        "{{\\rtf1 {}deep{} end\\par}}",
        "{\\b ".repeat(depth),
        "}".repeat(depth)
    );
    let unit = opened(rtf.as_bytes()).unit(0);
    assert_eq!(unit.text, "**deep** end");
    assert_eq!(unit.notes.len(), 1);
    for start in [
        "{\\footnote ",
        "{\\shptxt ",
        "{\\field{\\*\\fldinst HYPERLINK \"a:b\"}{\\fldrslt ",
        "{\\header ",
        "{\\*\\x ",
        "{\\moMath{\\mf{\\mnum ",
        "{\\pict ",
        "{\\stylesheet ",
        "{\\fonttbl ",
        "\\trowd\\itap9 a\\cell ",
        "\\itap30000\\intbl x\\par ",
        "{\\upr ",
        "{\\listtext ",
    ] {
        let rtf = format!("{{\\rtf1 before\\par {}x", start.repeat(12_000));
        assert!(
            opened(rtf.as_bytes()).unit(0).text.contains("before"),
            "{start}"
        );
    }
}

#[test]
fn many_pieces_are_cut() {
    let cells = "\\cell".repeat(crate::limits::RTF_PIECES + 10);
    let rtf = format!("{{\\rtf1 first\\par\\intbl{cells} last}}");
    let unit = opened(rtf.as_bytes()).unit(0);
    assert!(unit.notes[0].contains("The rest is left out"), "{unit:?}");
    assert!(unit.text.starts_with("first"));
    assert!(!unit.text.contains("last"));
}

#[test]
fn rows_share_their_definition() {
    let cells: String = (1..=1000)
        .map(|at| format!("\\cellx{}", at * 100))
        .collect();
    let rows = "a\\cell\\row ".repeat(5_000);
    let text = converted(&format!("\\trowd{cells}\\intbl {rows}\\pard end"));
    assert!(text.ends_with("\n\nend"));
}
