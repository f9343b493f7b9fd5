//! Tests of damaged and hostile files.

use super::{content, convert, file, text};
use crate::{Format, limits, open};

#[test]
fn truncated_parts_are_read_up_to_the_damage() {
    let body = "<office:text><text:h>Part</text:h><text:list><text:list-item><text:p>one</text:p>\
        </text:list-item></text:list><table:table><table:table-row><table:table-cell><text:p>cell\
        </text:p></table:table-cell></table:table-row></table:table><text:p>é<draw:frame>\
        <draw:object><math><mi>x</mi></math></draw:object></draw:frame></text:p></office:text>";
    let main = content("", body);
    let mut texts = 0_usize;
    for end in (0..main.len()).filter(|end| main.is_char_boundary(*end)) {
        for (format, body) in [
            (Format::Odt, "text"),
            (Format::Odp, "presentation"),
            (Format::Ods, "spreadsheet"),
        ] {
            let part = main[..end].replace("office:text", &format!("office:{body}"));
            if let Ok(mut document) = open(file(&[("content.xml", &part)]), format, None) {
                texts += usize::from(!document.unit(0).text.is_empty());
            }
        }
    }
    assert!(texts > 300, "{texts}");
}

#[test]
fn deep_nesting_is_cut() {
    for name in [
        "text:p",
        "text:span",
        "text:list",
        "text:list-item",
        "text:section",
        "draw:g",
        "text:a",
        "table:table",
        "office:annotation",
        "text:note",
        "draw:object",
        "text:index-body",
    ] {
        let body = format!("<{name}>").repeat(20_000) + "deep";
        convert("", &body, &[]);
    }
    let cycles = [
        ["text:p", "draw:frame", "draw:text-box"].as_slice(),
        &["table:table", "table:table-row", "table:table-cell"],
        &["text:list", "text:list-item"],
        &["text:p", "text:note", "text:note-body"],
        &["text:p", "office:annotation"],
    ];
    for cycle in cycles {
        let open: String = cycle.iter().map(|name| format!("<{name}>")).collect();
        let unit = convert("", &(open.repeat(5000) + "<text:p>deep</text:p>"), &[]);
        assert!(unit.text.contains("deep"), "{cycle:?}");
        assert!(
            unit.notes
                .iter()
                .any(|note| note.starts_with("Deeply nested")),
            "{cycle:?}"
        );
    }
}

#[test]
fn the_deepest_structure_needs_little_stack() {
    let spans = limits::INLINE_DEPTH - 3;
    let level = format!(
        "<text:p>{}<draw:frame><draw:text-box>",
        "<text:span>".repeat(spans)
    );
    let body = level.repeat(limits::DEPTH + 2) + "<text:p>deep</text:p>";
    let run = move || assert!(text(&body).contains("deep"));
    let thread = std::thread::Builder::new().stack_size(4 << 20).spawn(run);
    thread.unwrap().join().unwrap();
}

#[test]
fn loops_of_styles_end() {
    let style = |name: &str, base: &str| {
        format!(
            "<style:style style:name=\"{name}\" style:family=\"paragraph\" \
             style:parent-style-name=\"{base}\"/>"
        )
    };
    let styles = style("a", "b") + &style("b", "a") + &style("c", "c");
    let body =
        "<text:p text:style-name=\"a\">one</text:p><text:p text:style-name=\"c\">two</text:p>";
    assert_eq!(convert(&styles, body, &[]).text, "one\n\ntwo");
}

#[test]
fn huge_numbers_cost_nothing() {
    let huge = "4294967295";
    let body = format!(
        "<table:table><table:table-row table:number-rows-repeated=\"{huge}\"><table:table-cell \
         table:number-columns-repeated=\"{huge}\" table:number-columns-spanned=\"{huge}\" \
         table:number-rows-spanned=\"{huge}\"><text:p>a<text:s text:c=\"{huge}\"/>b</text:p>\
         </table:table-cell></table:table-row></table:table><text:list text:style-name=\"L\">\
         <text:list-item text:start-value=\"{huge}\"><text:p>x</text:p></text:list-item>\
         <text:list-item><text:p>y</text:p></text:list-item></text:list>"
    );
    let styles = format!(
        "<text:list-style style:name=\"L\"><text:list-level-style-number text:level=\"1\" \
         text:display-levels=\"{huge}\" style:num-format=\"a\" style:num-letter-sync=\"true\"/>\
         </text:list-style>"
    );
    let unit = convert(&styles, &body, &[]);
    assert!(unit.text.len() < 16 << 20, "{}", unit.text.len());
    assert!(unit.text.contains("|a b|"));
}

#[test]
fn entities_are_not_expanded() {
    let main = format!(
        "<!DOCTYPE x [<!ENTITY a \"boom\"><!ENTITY f SYSTEM \"file:///etc/passwd\">]>{}",
        content("", "<office:text><text:p>a&a;&f;b</text:p></office:text>")
    );
    let mut document = open(file(&[("content.xml", &main)]), Format::Odt, None).unwrap();
    assert_eq!(document.unit(0).text, "ab");
}

#[test]
fn repeated_cells_end_for_the_whole_document() {
    let table = "<table:table><table:table-row table:number-rows-repeated=\"1000000000\">\
        <table:table-cell table:number-columns-repeated=\"1000000000\"><text:p>again</text:p>\
        </table:table-cell></table:table-row></table:table>";
    let unit = convert("", &(table.repeat(50) + "<text:p>end</text:p>"), &[]);
    let count = unit.text.matches("again").count();
    assert!(count <= limits::REPEATED_NODES / 2 + 100, "{count}");
    assert!(count > 1000, "{count}");
    assert!(unit.text.ends_with("end"));
    assert_eq!(
        unit.notes,
        ["Too many cells are repeated. The others are left out."]
    );
}

#[test]
fn long_cells_are_repeated_less() {
    let cell = |text: &str| {
        format!(
            "<table:table><table:table-row><table:table-cell \
             table:number-columns-repeated=\"10000\"><text:p>{text}</text:p></table:table-cell>\
             </table:table-row></table:table>"
        )
    };
    let count = |text: &str| convert("", &cell(text), &[]).text.matches('y').count();
    assert_eq!(count("y"), 10_000);
    assert!(count(&("y".to_owned() + &"x".repeat(10_000))) < 2000);
}

#[test]
fn repeated_spaces_end_for_the_whole_document() {
    let body = "<text:p>a".to_owned() + &"<text:s text:c=\"200\"/>".repeat(20_000) + "b</text:p>";
    let text = text(&body);
    assert!(text.len() < limits::REPEATED_SPACES + 30_000);
    assert!(text.starts_with('a') && text.ends_with('b'));
}

#[test]
fn long_addresses_and_repeated_addresses_are_limited() {
    let link = |length: usize, content: &str| {
        let url = format!("h:{}", "x".repeat(length - 2));
        format!("<text:a xlink:href=\"{url}\">{content}</text:a>")
    };
    let unit = convert(
        "",
        &format!("<text:p>{}</text:p>", link(limits::URL_BYTES + 1, "t")),
        &[],
    );
    assert_eq!(unit.text, "t");
    assert_eq!(
        unit.notes,
        ["Addresses of links that are too long are left out."]
    );
    let count = 2 * limits::LINK_BYTES / limits::URL_BYTES;
    let pieces = "x<text:line-break/>".repeat(count);
    let body = format!("<text:p>{}</text:p>", link(limits::URL_BYTES, &pieces));
    let unit = convert("", &body, &[]);
    assert!(
        unit.text.len() < 2 * limits::LINK_BYTES,
        "{}",
        unit.text.len()
    );
    assert_eq!(
        unit.notes,
        ["There are too many links. The rest is shown without addresses."]
    );
}
