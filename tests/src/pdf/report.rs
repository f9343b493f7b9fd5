//! A long report like those that word processors write.

use super::objects::{Objects, deflated};
use std::fmt::Write as _;

/// The words of the report.
const WORDS: &str = "the of and to in a is that for it as was with be by on not he his but at are this have from \
    which or had they you were their one all we can her has there been if more when will would who so no time \
    system people water between country against possible government different important development however \
    number question through another without information increase national community experience report change";

/// The number of lines of a page.
const LINES: usize = 47;

/// The widths of the characters from the space to `~` in Times-Roman, in thousandths of the size.
const WIDTHS: &str = "250 333 408 500 500 833 778 180 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 \
    500 500 500 278 278 564 564 564 444 921 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 556 722 \
    667 556 611 722 722 944 722 722 611 333 278 333 469 500 333 444 500 444 500 444 333 500 500 278 278 500 278 \
    778 500 500 500 500 333 389 278 500 500 722 500 500 444 480 200 480 541";

/// The pages have a running head, 47 lines of about 69 characters in paragraphs with indents, and the
/// number of the page. Each fourth page starts a part, which is in the outline. Fonts have widths and
/// maps of characters, and all streams are compressed.
pub fn report(pages: usize) -> Vec<u8> {
    let numbers: Vec<usize> = (0..pages).map(|page| 9 + 2 * page).collect();
    let first_entry = 9 + 2 * pages;
    let entries = pages.div_ceil(4);
    let mut objects = Objects::new("/Outlines 3 0 R", &numbers);
    objects.object(format!(
        "<< /First {first_entry} 0 R /Last {} 0 R /Count {entries} >>",
        first_entry + entries - 1
    ));
    let map = objects.next() + 4;
    for (name, bold) in [("Times-Roman", false), ("Times-Bold", true)] {
        let descriptor = objects.next() + 1;
        objects.object(format!(
            "<< /Type /Font /Subtype /TrueType /BaseFont /ABCDEF+{name} /FirstChar 32 /LastChar 126 \
             /Widths [{WIDTHS}] /Encoding /WinAnsiEncoding /FontDescriptor {descriptor} 0 R /ToUnicode {map} 0 R >>"
        ));
        let (flags, weight) = (34, if bold { 700 } else { 400 });
        objects.object(format!(
            "<< /Type /FontDescriptor /FontName /ABCDEF+{name} /Flags {flags} /FontWeight {weight} /ItalicAngle 0 \
             /Ascent 891 /Descent -216 /CapHeight 662 /StemV 80 /FontBBox [-168 -218 1000 898] >>"
        ));
    }
    let ranges: String = (32..127).fold(String::new(), |mut out, code| {
        let _ = writeln!(out, "<{code:02X}> <{code:04X}>");
        out
    });
    let cmap = format!(
        "/CIDInit /ProcSet findresource begin 12 dict begin begincmap\n1 begincodespacerange <00> <FF> \
         endcodespacerange\n95 beginbfchar\n{ranges}endbfchar\nendcmap end end"
    );
    assert_eq!(
        objects.stream("/Filter /FlateDecode", deflated(cmap.as_bytes())),
        map
    );
    let mut words = Words(1);
    for page in 1..=pages {
        let content = objects.next() + 1;
        objects.object(format!(
            "<< /Type /Page /Parent 2 0 R /Contents {content} 0 R \
             /Resources << /Font << /F1 4 0 R /F2 6 0 R >> >> >>"
        ));
        let text = content_of(page, &mut words);
        objects.stream("/Filter /FlateDecode", deflated(text.as_bytes()));
    }
    for entry in 0..entries {
        let (number, page) = (objects.next(), numbers[4 * entry]);
        let next = if entry + 1 < entries {
            format!("/Next {} 0 R", number + 1)
        } else {
            String::new()
        };
        objects.object(format!(
            "<< /Title (Part {}) /Parent 3 0 R {next} /Dest [{page} 0 R /XYZ 72 720 0] >>",
            entry + 1
        ));
    }
    objects.build()
}

/// Words in an order that looks like prose, and is the same in each run.
struct Words(u32);

impl Words {
    fn next(&mut self) -> &'static str {
        self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        let count = WORDS.split_whitespace().count();
        let place = (self.0 >> 8) as usize % count;
        WORDS.split_whitespace().nth(place).expect("a word")
    }

    /// A line of about 69 characters.
    fn line(&mut self) -> String {
        let mut line = String::new();
        while line.len() < 66 {
            line.push_str(self.next());
            line.push(' ');
        }
        line.trim_end().to_owned()
    }
}

fn content_of(page: usize, words: &mut Words) -> String {
    let mut out = String::new();
    show(&mut out, "F1", 9, (72, 756), "Annual report on everything");
    let mut top = 720;
    if page % 4 == 1 {
        show(
            &mut out,
            "F2",
            16,
            (72, top),
            &format!("Part {}", page.div_ceil(4)),
        );
        top -= 28;
    }
    let lines = if page % 4 == 1 { LINES - 2 } else { LINES };
    for index in 0..lines {
        let indent = if index % 7 == 0 { 14 } else { 0 };
        let mut line = words.line();
        if index % 7 == 6 {
            line.truncate(40);
            line.push('.');
        }
        show(&mut out, "F1", 11, (72 + indent, top - 14 * index), &line);
    }
    show(&mut out, "F1", 9, (300, 40), &page.to_string());
    out
}

/// Shows a line, with corrections of the space between some letters.
fn show(out: &mut String, font: &str, size: usize, (x, y): (usize, usize), text: &str) {
    let _ = write!(out, "BT\n/{font} {size} Tf\n1 0 0 1 {x} {y} Tm\n[");
    for (index, part) in text.as_bytes().chunks(7).enumerate() {
        if index > 0 {
            let _ = write!(out, "{}", if index % 2 == 0 { 15 } else { -10 });
        }
        let _ = write!(out, "({})", String::from_utf8_lossy(part));
    }
    out.push_str("] TJ\nET\n");
}
