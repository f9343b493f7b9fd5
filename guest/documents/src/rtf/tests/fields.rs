//! Tests of fields and tables of contents.

use super::{converted, notes};

#[test]
fn links_and_other_fields_are_read() {
    assert_eq!(
        converted(
            "See {\\field{\\*\\fldinst{HYPERLINK \"https://x.org/?a=1\"}{\\*\\datafield 00d0}}\
             {\\fldrslt{\\b the} page}}, {\\field{\\*\\fldinst HYPERLINK \\\\l \"mark\"}\
             {\\fldrslt there}} on {\\field{\\*\\fldinst DATE}{\\fldrslt Monday}}."
        ),
        "See [**the** page](https://x.org/?a=1), there on Monday."
    );
    assert_eq!(
        converted(
            "{\\field{\\*\\fldinst FORMCHECKBOX {\\*\\formfield{\\fftype1\\ffres25\\ffdefres1}}}\
             {\\fldrslt}} yes {\\field{\\*\\fldinst FORMDROPDOWN{\\*\\formfield{\\fftype2\\ffres1\
             {\\*\\ffl one}{\\*\\ffl two}}}}}\
             {\\field{\\*\\fldinst{ FORMCHECKBOX }}{\\fldrslt {}}}"
        ),
        "- [x] yes two[ ]"
    );
}

#[test]
fn fields_without_a_result_are_shown_once() {
    let field = |instruction: &str, result: &str| {
        converted(&format!(
            "a{{\\field{{\\*\\fldinst {instruction}}}{result}}}b"
        ))
    };
    let symbol = "SYMBOL 183 \\\\f \"Symbol\" \\\\s 12";
    for (instruction, result, expected) in [
        (symbol, "{\\fldrslt }", "a•b"),
        (symbol, "", "a•b"),
        (symbol, "{\\fldrslt\\f3\\fs24  }", "a •b"),
        (symbol, "{\\fldrslt x}", "axb"),
        (symbol, "{\\fldrslt{\\v x}}", "ab"),
        ("{SYMBOL} {0xB7 \\\\f Symbol}", "{\\fldrslt}", "a•b"),
        ("MACROBUTTON NoMacro [Name]", "", "a[Name]b"),
        (
            "EQ \\\\o\\\\ad(\\\\s\\\\up 11(r),w)",
            "{\\fldrslt w(r)}",
            "aw(r)b",
        ),
        ("PAGE", "", "ab"),
    ] {
        assert_eq!(
            field(instruction, result),
            expected,
            "{instruction} {result}"
        );
    }
    assert_eq!(
        converted("a{\\v {\\field{\\*\\fldinst SYMBOL 65}}}{\\b{\\field{\\*\\fldinst SYMBOL 66}}}"),
        "a**B**"
    );
}

#[test]
fn contents_are_left_out_if_there_are_headings() {
    let contents = "{\\field{\\*\\fldinst TOC \\\\o}{\\fldrslt One 1\\par Two 2\\par}}\\pard";
    let text = format!("a\\par {contents} b\\par\\pard\\outlinelevel0 One\\par");
    assert_eq!(converted(&text), "a\n\nb\n\n# One");
    let text = format!("Inhalt\\par {contents} b\\par\\pard\\outlinelevel0 One\\par");
    assert_eq!(converted(&text), "b\n\n# One");
    assert_eq!(notes(&text).len(), 1);
    assert_eq!(converted(contents), "One 1\n\nTwo 2");
}

#[test]
fn contents_of_other_programs_are_known_by_their_style() {
    let styles = "{\\stylesheet{\\s1\\outlinelevel0 a;}{\\s2 Contents 1;}}";
    assert_eq!(
        converted(&format!(
            "{styles}\\pard\\s2{{\\field{{\\*\\fldinst HYPERLINK \"#x\"}}{{\\fldrslt One 1}}}}\\par\
             \\pard\\s1 One\\par"
        )),
        "# One"
    );
}

#[test]
fn headings_with_styles_of_contents_are_shown() {
    let text = "{\\stylesheet{\\s1\\outlinelevel0 a;}{\\s2 toc 1;}}\\pard\\s2 1.2\\tab Scope\\par\
                \\pard\\s2 One\\tab 12\\par\\pard\\s1 One\\par";
    assert_eq!(converted(text), "1.2 Scope\n\n# One");
}

#[test]
fn pronunciations_and_unknown_bullets_are_shown() {
    let field = "{\\field{\\*\\fldinst EQ \\\\o\\\\ad(\\\\s\\\\up 11(reading),word)}{\\fldrslt }}";
    assert_eq!(converted(field), "word(reading)");
    let fonts = "{\\fonttbl{\\f0\\fcharset2 Wingdings 2;}}";
    let item = "{\\listtext\\f0\\u61591 ?\\tab}item\\par";
    assert_eq!(converted(&format!("{fonts}\\pard{item}")), "- item");
    let list = "{\\*\\listtable{\\list{\\listlevel\\levelnfc23{\\leveltext\\'01\\u61591 ?;}\\f0}\
                \\listid1}}{\\*\\listoverridetable{\\listoverride\\listid1\\ls1}}";
    assert_eq!(
        converted(&format!("{fonts}{list}\\pard\\ls1 {item}")),
        "- item"
    );
}

#[test]
fn equations_without_a_result_are_noted() {
    let field = "{\\field{\\*\\fldinst EQ \\\\f(1,2)}{\\fldrslt }}";
    assert_eq!(notes(field), ["An equation in a field is not shown."]);
    assert_eq!(
        notes(&field.repeat(3)),
        ["3 equations in fields are not shown."]
    );
    assert_eq!(
        notes(&field.replace("{\\fldrslt }", "{\\fldrslt x}")),
        [""; 0]
    );
    assert_eq!(notes(&format!("{{\\v a{field}}}")).len(), 1);
}
