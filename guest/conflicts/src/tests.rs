mod doubts;
mod inputs;

use crate::{Block, End, Kind, Part, Scanner, Style};
use inputs::{
    CRISSCROSS, CRLF, DIFF3, JJ_DIFF, JJ_GIT, JJ_LONG, JJ_OLD, JJ_OPEN, JJ_THREE, MERGE, SIZE32,
    ZDIFF3,
};
use std::fmt::Write as _;

/// The blocks of a text that is read in chunks of this number of bytes.
fn scan(text: &[u8], chunk: usize) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut scanner = Scanner::default();
    for chunk in text.chunks(chunk) {
        scanner.push(chunk, &mut |block| blocks.push(block.clone()));
    }
    scanner.finish(&mut |block| blocks.push(block.clone()));
    blocks
}

fn blocks(text: &str) -> Vec<Block> {
    scan(text.as_bytes(), 1 << 20)
}

fn slice(text: &str, bytes: std::ops::Range<u64>) -> &str {
    &text[usize::try_from(bytes.start).unwrap()..usize::try_from(bytes.end).unwrap()]
}

/// The text of a part of a block, with its label.
fn part(text: &str, block: &Block, part: Part) -> Option<(String, String)> {
    let side = block.part(part)?;
    let body = slice(text, side.section().body.clone());
    let text = side.text(body.as_bytes()).into_owned();
    Some((side.label().text.clone(), String::from_utf8(text).unwrap()))
}

/// The parts of each block as lines.
fn shown(text: &str) -> String {
    let mut shown = String::new();
    for block in blocks(text) {
        let lines = block.lines;
        write!(shown, "{}: {}-{}", block.number, lines.first, lines.last).unwrap();
        if block.end != End::Marker {
            write!(shown, " {:?}", block.end).unwrap();
        }
        if block.nested > 0 {
            write!(shown, " nested {}", block.nested).unwrap();
        }
        if block.enclosed > 0 {
            write!(shown, " enclosed {}", block.enclosed).unwrap();
        }
        for (name, candidates) in [
            ("bases", &block.bases),
            ("dividers", &block.dividers),
            ("ends", &block.ends),
        ] {
            if !candidates.is_empty() {
                write!(shown, " {name} {:?}", candidates.lines).unwrap();
            }
        }
        shown.push('\n');
        for (name, of) in [
            ("ours", Part::Ours),
            ("base", Part::Base),
            ("theirs", Part::Theirs),
        ] {
            if let Some((label, content)) = part(text, &block, of) {
                let lines = block.part(of).unwrap().lines();
                let (first, last) = (lines.first, lines.last);
                writeln!(shown, "{name} {label:?} {first}-{last} {content:?}").unwrap();
            }
        }
    }
    shown
}

#[test]
fn blocks_of_git_have_sides_and_base() {
    assert_eq!(
        shown(MERGE),
        r#"1: 2-6
ours "HEAD" 3-3 "two main\n"
theirs "feature" 5-5 "two feature\n"
2: 13-17
ours "HEAD" 14-14 "nine main\n"
theirs "feature" 16-16 "nine feature\n"
"#
    );
    let three_way = r#"1: 2-11
ours "HEAD" 3-4 "two main\nthree same\n"
base "4a5eef3" 6-7 "two\nthree\n"
theirs "feature" 9-10 "two feature\nthree same\n"
2: 17-23
ours "HEAD" 18-18 "nine main\n"
base "4a5eef3" 20-20 "nine\n"
theirs "feature" 22-22 "nine feature\n"
"#;
    assert_eq!(shown(DIFF3), three_way);
    assert_eq!(shown(SIZE32), shown(DIFF3));
    assert_eq!(blocks(SIZE32)[0].marker_size, 32);
    assert!(shown(ZDIFF3).starts_with(
        r#"1: 2-9
ours "HEAD" 3-3 "two main\n"
base "4a5eef3" 5-6 "two\nthree\n"
theirs "feature" 8-8 "two feature\n"
"#
    ));
    let mut of_git = blocks(MERGE).into_iter();
    assert!(of_git.all(|block| block.style == Style::Git && block.marker_size == 7));
}

#[test]
fn conflict_in_the_base_is_nested() {
    assert_eq!(
        shown(CRISSCROSS),
        r#"1: 2-14 nested 1
ours "HEAD" 3-3 "b xy\n"
base "merged common ancestors" 5-11 "<<<<<<<<< Temporary merge branch 1\nb y\n||||||||| f1d6059\nb\n=========\nb x\n>>>>>>>>> Temporary merge branch 2\n"
theirs "y" 13-13 "b yx\n"
"#
    );
    // Old versions of Git write markers of the same length.
    let same = CRISSCROSS
        .replace("<<<<<<<<<", "<<<<<<<")
        .replace("|||||||||", "|||||||")
        .replace("=========", "=======")
        .replace(">>>>>>>>>", ">>>>>>>");
    let block = &blocks(&same)[0];
    assert_eq!(
        (block.nested, block.lines.last, block.end),
        (1, 14, End::Marker)
    );
    assert_eq!(part(&same, block, Part::Theirs).unwrap().1, "b yx\n");
}

#[test]
fn carriage_return_before_a_line_feed_is_no_part_of_a_marker() {
    assert_eq!(
        shown(CRLF),
        r#"1: 2-6
ours "HEAD" 3-4 "b main\r\nc main\r\n"
theirs "del" 6-5 ""
"#
    );
    // A carriage return alone ends no line.
    assert_eq!(shown("<<<<<<<\r x\n=======\r\r\n>>>>>>> y\n"), "");
    assert_eq!(
        shown("<<<<<<< a\rb\n=======\n>>>>>>> y\r"),
        "1: 1-3\nours \"a\\rb\" 2-1 \"\"\ntheirs \"y\" 3-2 \"\"\n"
    );
}

#[test]
fn byte_order_mark_precedes_a_block() {
    let text = format!("\u{feff}{}", "<<<<<<< a\n=======\n>>>>>>> b\n");
    let block = &blocks(&text)[0];
    assert_eq!(block.bytes(), 3..text.len() as u64);
    assert_eq!(shown("\u{feff}\u{feff}<<<<<<< a\n=======\n>>>>>>> b\n"), "");
}

#[test]
fn blocks_of_jujutsu_have_sides_and_base() {
    assert_eq!(
        shown(JJ_DIFF),
        r#"1: 2-13
ours "to: rtsqusxu 2768b0b9 \"commit A\"" 5-8 "apple\ngrapefruit\norange\n"
base "diff from: vpxusssl 38d49363 \"merge base\"" 5-8 "apple\ngrape\norange\n"
theirs "ysrnknol 7a20f389 \"commit B\"" 10-12 "APPLE\nGRAPE\nORANGE\n"
"#
    );
    assert_eq!(blocks(JJ_DIFF)[0].label.text, "conflict 1 of 1");
    assert_eq!(
        shown(JJ_OLD),
        r#"1: 1-7
ours "Changes from base to side #1" 3-4 "grapefruit\n"
base "Changes from base to side #1" 3-4 "grape\n"
theirs "Contents of side #2" 6-6 "GRAPE\n"
2: 9-16
ours "Contents of side #1" 11-11 "a\n"
base "Contents of base" 13-13 "b\n"
theirs "Contents of side #2" 15-15 "c\n"
"#
    );
    let block = &blocks(JJ_THREE)[0];
    let sides: Vec<String> = (1..=4)
        .filter_map(|number| part(JJ_THREE, block, Part::Side(number)))
        .map(|(_, text)| text)
        .collect();
    assert_eq!(sides, ["one\n", "b\ntwo\n", "three\n"]);
    assert_eq!(part(JJ_THREE, block, Part::Side(0)), None);
}

#[test]
fn markers_of_git_may_have_labels_of_jujutsu() {
    assert_eq!(
        shown(JJ_GIT),
        r#"1: 1-7
ours "rtsqusxu 2768b0b9 \"commit A\"" 2-2 "apple\n"
base "vpxusssl 38d49363 \"merge base\"" 4-4 "grape\n"
theirs "ysrnknol 7a20f389 \"commit B\" (no terminating newline)" 6-6 "GRAPE"
"#
    );
}

#[test]
fn label_says_that_a_side_has_no_final_line_feed() {
    let block = &blocks(JJ_OPEN)[0];
    assert_eq!(block.last_marker.end, JJ_OPEN.len() as u64);
    let text = |of| part(JJ_OPEN, block, of).unwrap().1;
    assert_eq!(text(Part::Ours), "grapefruit");
    assert_eq!(text(Part::Base), "grape");
    assert_eq!(text(Part::Theirs), "grape\n");
}

#[test]
fn longer_markers_enclose_shorter_ones() {
    assert_eq!(
        shown(JJ_LONG),
        r#"1: 1-12
ours "to: ours" 4-6 "Heading\n==========\n"
base "diff from: base" 4-6 "Heading\n=======\n"
theirs "theirs" 8-11 "Heading\n<<<<<<< not a marker\n=======\n>>>>>>> not a marker\n"
"#
    );
}

#[test]
fn block_without_end_does_not_hide_the_next() {
    let whole = "<<<<<<< c\n1\n=======\n2\n>>>>>>> d\n";
    let longer = whole
        .replace("<<<<<<<", "<<<<<<<<<")
        .replace("=======", "=========")
        .replace(">>>>>>>", ">>>>>>>>>");
    for start in [
        "<<<<<<< a\nx\n",
        "<<<<<<< a\nx\n=======\ny\n",
        "<<<<<<< a\nx\n||||||| b\ny\n",
        "<<<<<<< a\n%%%%%%% b\n+y\n",
        "<<<<<<<<<<<< a\nx\n||||||||||||\ny\n",
    ] {
        for next in [whole, &longer] {
            let text = format!("{start}{next}text\n{next}");
            let found = blocks(&text);
            let ends: Vec<End> = found.iter().map(|block| block.end).collect();
            assert_eq!(ends, [End::Missing, End::Marker, End::Marker], "{text}");
            assert_eq!(found[0].bytes(), 0..start.len() as u64, "{text}");
            let numbers: Vec<u64> = found.iter().map(|block| block.number).collect();
            assert_eq!(numbers, [1, 2, 3]);
        }
    }
    let many = format!("<<<<<<< a\nx\n{}", longer.repeat(200));
    assert_eq!(blocks(&many).len(), 201);
    let deep: String = (7..40)
        .map(|size| format!("{} a\nx\n", "<".repeat(size)))
        .collect();
    assert_eq!(blocks(&format!("{deep}{longer}")).len(), 34);
}

#[test]
fn line_of_signs_is_no_block() {
    for text in [
        "<<<<<<<<<<<<<<\ntext\n>>>>>>>>>>>>>>\n",
        "<<<<<<<\n",
        "<<<<<< a\n======\n>>>>>> b\n",
        "<<<<<<<a\n=======\n>>>>>>> b\n",
        " <<<<<<< a\n=======\n>>>>>>> b\n",
        "Heading\n=======\n>>>>>>> b\n",
    ] {
        assert_eq!(shown(text), "", "{text}");
    }
    assert_eq!(
        shown("<<<<<<< a\nx\n>>>>>>> b\n"),
        "1: 1-3 Undivided\nours \"a\" 2-2 \"x\\n\"\n"
    );
    assert_eq!(blocks("<<<<<<<\n=======\n>>>>>>>").len(), 1);
}

#[test]
fn lines_below_headings_are_text() {
    // The line below the heading is the first that may divide the sides.
    let heading = "<<<<<<< a\nTitle\n=======\n||||||| b\n=======\nx\n>>>>>>> c\n";
    assert!(shown(heading).starts_with("1: 1-7\nours \"a\" 2-3 \"Title\\n=======\\n\"\n"));
    let twice = "<<<<<<< a\nTitle\n=======\nx\n=======\ny\n>>>>>>> c\n";
    assert!(shown(twice).starts_with("1: 1-7 dividers [3, 5]\nours \"a\" 2-2 \"Title\\n\"\n"));
    let rule = "<<<<<<< a\n-------\nx\n=======\ny\n>>>>>>> c\n";
    assert_eq!(
        shown(rule),
        "1: 1-6\nours \"a\" 2-3 \"-------\\nx\\n\"\ntheirs \"c\" 5-5 \"y\\n\"\n"
    );
}

#[test]
fn sections_and_labels_are_limited() {
    let sections = "+++++++ s\nx\n".repeat(500);
    let text = format!("<<<<<<< a\n{sections}>>>>>>> b\n");
    let block = &blocks(&text)[0];
    assert_eq!(block.sections.len(), Block::SECTIONS);
    assert!(block.more_sections);
    let text = format!("<<<<<<< {}\n=======\n>>>>>>> b\n", "é".repeat(1 << 20));
    let label = &scan(text.as_bytes(), 7)[0].label;
    assert!(label.cut && label.text == "é".repeat(512));
    let text = format!("{} a\n", "<".repeat(1 << 20));
    assert_eq!(blocks(&text)[0].marker_size, 1 << 20);
}

/// A generator of numbers for texts: xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: u64) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % limit).unwrap()
    }
}

/// Checks that the blocks and the text between them are the text, and that lines have their numbers.
fn check(text: &[u8], blocks: &[Block]) {
    let at = |offset: u64| usize::try_from(offset).unwrap();
    let line_of = |offset: u64| memchr::memchr_iter(b'\n', &text[..at(offset)]).count() as u64 + 1;
    let mut end = 0;
    for (index, block) in blocks.iter().enumerate() {
        assert_eq!(block.number, index as u64 + 1);
        let mut next = block.first_marker.start;
        assert!(next >= end);
        assert_eq!(line_of(next), block.lines.first);
        let mut pieces = vec![block.first_marker.clone()];
        for section in &block.sections {
            pieces.extend([section.marker.clone(), section.body.clone()]);
            if section.body.is_empty() {
                assert!(section.lines.is_empty(), "{block:?}");
            } else {
                assert_eq!(line_of(section.body.start), section.lines.first);
                assert_eq!(line_of(section.body.end - 1), section.lines.last);
            }
            assert!(
                matches!(section.kind, Kind::Side | Kind::Base) || block.style == Style::Jujutsu
            );
        }
        pieces.push(block.last_marker.clone());
        for piece in pieces {
            assert_eq!(piece.start, next, "{block:?}");
            next = piece.end;
        }
        assert_eq!(line_of(next - 1), block.lines.last, "{block:?}");
        end = next;
        check_doubts(text, block);
    }
    assert!(end <= text.len() as u64);
}

/// Checks that the lines that may be a marker are lines with its sign, from the one that is taken on.
fn check_doubts(text: &[u8], block: &Block) {
    let line = |number: u64| {
        let mut lines = text.split(|byte| *byte == b'\n');
        lines.nth(usize::try_from(number).unwrap() - 1).unwrap()
    };
    let taken = |kind| {
        let mut sections = block.sections.iter().skip(1);
        let section = sections.find(|section| section.kind == kind);
        section.map(|section| section.lines.first - 1)
    };
    let (base, side) = (taken(Kind::Base), taken(Kind::Side));
    let end = Some(block.lines.last);
    for (candidates, sign, first) in [
        (&block.bases, b'|', base),
        (&block.dividers, b'=', side),
        (&block.ends, b'>', end),
    ] {
        let lines = &candidates.lines;
        assert!(
            lines.is_empty() || (lines.len() > 1 && Some(lines[0]) == first),
            "{block:?}"
        );
        assert!(lines.is_sorted_by(|a, b| a < b), "{block:?}");
        for number in lines {
            assert!(line(*number).starts_with(&[sign; 7]), "{block:?}");
        }
    }
}

#[test]
fn blocks_do_not_depend_on_chunks_and_rebuild_the_text() {
    const PIECES: [&str; 24] = [
        "<<<<<<<",
        "|||||||",
        "=======",
        ">>>>>>>",
        "%%%%%%%",
        "+++++++",
        "-------",
        "\\\\\\\\\\\\\\",
        "<",
        "|",
        "=",
        ">",
        "%",
        "+",
        "-",
        "\\",
        "\n",
        "\n",
        "\r\n",
        " ",
        " a\n",
        "x",
        "\u{feff}",
        "é",
    ];
    const LINES: [&str; 18] = [
        "<<<<<<<\n",
        ">>>>>>>\n",
        "=======\t \n",
        "|||||||\n",
        "<<<<<<< a\n",
        "||||||| b\n",
        "=======\n",
        ">>>>>>> c\n",
        "%%%%%%% d\n",
        "+++++++ e\n",
        "------- f\n",
        "\\\\\\\\\\\\\\ g\n",
        "<<<<<<<<< a\n",
        "=========\n",
        ">>>>>>>>> c\n",
        "||||||||| c\n",
        "x\n",
        "<<<<<<<<\n",
    ];
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    for round in 0..60_000u32 {
        let mut text = String::new();
        for _ in 0..random.below(30) {
            text.push_str(match round % 2 {
                0 => PIECES[random.below(24)],
                _ => LINES[random.below(18)],
            });
        }
        let text = text.as_bytes();
        let whole = scan(text, 1 << 20);
        check(text, &whole);
        let numbers = random.below(4) as u64..random.below(9) as u64;
        let mut scanner = Scanner::labelling(numbers.clone());
        let mut unlabelled = whole.iter();
        let mut compare = |block: &Block| {
            let whole = unlabelled.next().unwrap();
            if numbers.contains(&block.number) {
                assert_eq!(block, whole);
            }
            assert_eq!(block.bytes(), whole.bytes());
            assert_eq!(block.label.is_empty(), whole.label.is_empty());
            for (section, whole) in block.sections.iter().zip(&whole.sections) {
                assert_eq!(section.body, whole.body);
                assert_eq!(section.label.is_empty(), whole.label.is_empty());
            }
        };
        scanner.push(text, &mut compare);
        scanner.finish(&mut compare);
        assert_eq!(unlabelled.next(), None);
        let chunk = 1 + random.below(12);
        assert_eq!(
            scan(text, chunk),
            whole,
            "{:?}",
            String::from_utf8_lossy(text)
        );
        if round % 50 == 0 {
            for chunk in 1..text.len() {
                assert_eq!(scan(text, chunk), whole);
            }
        }
    }
}

#[test]
fn bytes_that_are_not_text_are_scanned() {
    let mut random = Random(7);
    for _ in 0..20_000 {
        let length = random.below(200);
        let bytes: Vec<u8> = (0..length)
            .map(|_| match random.below(4) {
                0 => u8::try_from(random.below(256)).unwrap(),
                _ => b"<|=>%+-\\\n\r "[random.below(11)],
            })
            .collect();
        let whole = scan(&bytes, 1 << 20);
        check(&bytes, &whole);
        for block in &whole {
            for side in block.sides() {
                let body = side.section().body.clone();
                let body = usize::try_from(body.start).unwrap()..usize::try_from(body.end).unwrap();
                let _ = side.text(&bytes[body]);
            }
        }
    }
}
