//! Documents that are set like the text of a typewriter.

use super::*;

/// Lines of text in a font of one width, as a typewriter sets them: 12 points apart.
fn typed(lines: &[&str]) -> Builder {
    let mut page = Builder::new();
    for (index, line) in lines.iter().enumerate() {
        page = page.text((50.0, 60.0 + 12.0 * index as f32), 10.0, MONO, line);
    }
    page
}

/// Text that fills the measure, so that the page is a report.
const REPORT: [&str; 7] = [
    "The committee met in spring and found that the measures of the",
    "first report had been taken by all of the members.  It did not",
    "find that the second report was in need of any more attention,",
    "and it asked the chair to  send a letter to the agencies about",
    "the sizes of samples that are given in the tables that follow.",
    "",
    "The letter was sent in May, and the agencies agreed with it.",
];

#[test]
fn typewritten_text_is_paragraphs_and_no_code() {
    let lines = [REPORT.as_slice(), REPORT.as_slice()].concat();
    let text = typed(&lines).markdown();
    assert!(!text.contains("```") && !text.contains('`'), "{text}");
    assert!(text.contains("measures of the first report"), "{text}");
    assert!(text.contains("\n\nThe letter was sent in May"), "{text}");
}

#[test]
fn typewritten_table_has_hyphens_as_lines_and_no_leader_dots() {
    let table = [
        "",
        "",
        "   Proportion            1.0   1.1   1.2   1.3",
        "-----------------------------------------------",
        "0.99 ..................  800   880   960 1,040",
        "0.95 ..................  160   176   192   208",
        "0.56-0.74 .............   30    33    36    39",
        "0.05 ..................   53    59    64    69",
        "",
        "",
    ];
    let text = typed(&[REPORT.as_slice(), table.as_slice(), REPORT.as_slice()].concat()).markdown();
    let expected = "\n\n|Proportion|1.0|1.1|1.2|1.3|\n|-|-|-|-|-|\n\
        |0.99|800|880|960|1,040|\n|0.95|160|176|192|208|\n\
        |0.56-0.74|30|33|36|39|\n|0.05|53|59|64|69|\n\n";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn listing_of_a_program_is_code_also_without_other_text() {
    let program = [
        "fn main() {",
        "    let limit = parse(args[1]);",
        "    for index in 0..limit {",
        "        println!(\"{}\", index * 2);",
        "    }",
        "}",
    ];
    let lines: Vec<&str> = program.iter().copied().cycle().take(36).collect();
    let text = typed(&lines).markdown();
    assert!(
        text.starts_with("```\nfn main() {\n    let limit"),
        "{text}"
    );
}

#[test]
fn leader_dots_before_several_values_are_no_table_of_contents() {
    let mut page = Builder::new().lines(50.0, 60.0, 10.0, &PROSE);
    for (index, (name, a, b)) in [
        ("Total", "11,062", "256"),
        ("Robbery", "102", "75"),
        ("Arson", "98", "12"),
    ]
    .iter()
    .enumerate()
    {
        let y = 160.0 + 12.0 * index as f32;
        page = page.text((50.0, y), 10.0, REGULAR, &format!("{name} . . . . . . ."));
        page = page.text((200.0, y), 10.0, REGULAR, a);
        page = page.text((260.0, y), 10.0, REGULAR, b);
    }
    let text = page.markdown();
    assert!(
        text.contains("|Total|11,062|256|\n|-|-|-|\n|Robbery|102|75|\n|Arson|98|12|"),
        "{text}"
    );
}
