//! Lines of sides that look like markers.

use super::*;
use crate::Doubt;

#[test]
fn lines_that_may_divide_the_sides_are_known() {
    let merge = "<<<<<<< a\nLicense\n=======\n\nMIT\n=======\nInstall\n=======\n\nrun\n>>>>>>> b\n";
    let block = &blocks(merge)[0];
    assert_eq!(block.dividers.lines, [3, 6, 8]);
    for part in [Part::Ours, Part::Theirs, Part::Side(1), Part::Side(2)] {
        assert_eq!(
            block.doubts(part),
            [(Doubt::Divider, &block.dividers)],
            "{part:?}"
        );
    }
    // In a block with a base, the first side is certain.
    let heading =
        "<<<<<<< a\nTitle\n=======\n||||||| o\nOld\n=======\n=======\nNew\n=======\n>>>>>>> b\n";
    let block = &blocks(heading)[0];
    assert_eq!(
        part(heading, block, Part::Ours).unwrap().1,
        "Title\n=======\n"
    );
    assert_eq!(block.dividers.lines, [6, 7, 9]);
    assert!(block.doubts(Part::Ours).is_empty());
    assert!(!block.doubts(Part::Base).is_empty() && !block.doubts(Part::Theirs).is_empty());
    let bases = "<<<<<<< a\nx\n||||||| o\ny\n||||||| p\nz\n=======\n>>>>>>> b\n";
    let block = &blocks(bases)[0];
    assert_eq!(block.bases.lines, [3, 5]);
    assert!(!block.doubts(Part::Ours).is_empty() && block.doubts(Part::Theirs).is_empty());
    // A row of an empty table is not the start of a base, but may be.
    let row = "<<<<<<< a\nx\n=======\n|||||||\n=======\ny\n>>>>>>> b\n";
    assert_eq!(blocks(row)[0].dividers.lines, [3, 5]);
    let after = "<<<<<<< a\nx\n=======\n||||||| o\n>>>>>>> b\n";
    assert_eq!(
        shown(after),
        "1: 1-5\nours \"a\" 2-2 \"x\\n\"\ntheirs \"b\" 4-4 \"||||||| o\\n\"\n"
    );
    let late = "<<<<<<< a\n=======\n||||||| o\n||||||| p\n=======\n>>>>>>> b\n";
    assert_eq!(blocks(late)[0].bases.lines, [3, 4]);
    let many = format!("<<<<<<< a\n{}>>>>>>> b\n", "=======\n".repeat(20));
    let dividers = &blocks(&many)[0].dividers;
    assert!(dividers.more && dividers.lines == [2, 3, 4, 5, 6, 7, 8, 9]);
}

#[test]
fn text_of_a_side_may_look_like_the_last_marker() {
    // Text of the first side: the sides are divided after it.
    let quoted = "<<<<<<< a\n>>>>>>> quoted\nmine\n=======\nyours\n>>>>>>> b\n";
    assert_eq!(
        shown(quoted),
        "1: 1-6\nours \"a\" 2-3 \">>>>>>> quoted\\nmine\\n\"\ntheirs \"b\" 5-5 \"yours\\n\"\n"
    );
    let base = "<<<<<<< a\n>>>>>>> q\n||||||| o\n>>>>>>> r\n=======\ny\n>>>>>>> b\n";
    assert_eq!(
        shown(base),
        "1: 1-7\nours \"a\" 2-2 \">>>>>>> q\\n\"\nbase \"o\" 4-4 \">>>>>>> r\\n\"\ntheirs \"b\" 6-6 \"y\\n\"\n"
    );
    // A heading after a block whose sides are not divided.
    let undivided = "<<<<<<< a\nx\n>>>>>>> b\nTitle\n=======\ntext\n";
    let one = "1: 1-3 Undivided\nours \"a\" 2-2 \"x\\n\"\n";
    assert_eq!(shown(undivided), one);
    let next = format!("{undivided}{quoted}");
    assert!(shown(&next).starts_with(one) && shown(&next).contains("\n2: 7-12\n"));
    // Text of the second side, or a marker of a block that has lost its start.
    let second = "<<<<<<< a\n=======\nx\n>>>>>>> quoted\ny\n>>>>>>> b\nz\n";
    let block = &blocks(second)[0];
    assert_eq!((block.lines.last, &*block.ends.lines), (4, &[4, 6][..]));
    assert!(block.doubts(Part::Ours).is_empty() && !block.doubts(Part::Theirs).is_empty());
    let followed = format!("{MERGE}>>>>>>> c\n");
    let ends: Vec<Block> = blocks(&followed);
    assert!(ends[0].ends.is_empty() && !ends[1].ends.is_empty());
    // Git writes a label after the last marker, unless no marker has one.
    let unlabelled = "<<<<<<< a\n=======\nx\n>>>>>>> b\n>>>>>>>\n";
    assert!(blocks(unlabelled)[0].ends.is_empty());
    // A longer block after it has lines that look like its markers.
    for start in ["<<<<<<< a\n=======\n>>>>>>> b\n", "<<<<<<< a\n>>>>>>> b\n"] {
        let found = blocks(&format!("{start}{JJ_LONG}"));
        assert_eq!(found.len(), 2, "{start}");
        assert!(found[0].ends.is_empty() && found[1].end == End::Marker);
        assert_eq!(found[0].bytes(), 0..start.len() as u64);
    }
}

#[test]
fn side_may_have_a_whole_conflict() {
    let inner = "<<<<<<< c\n1\n=======\n2\n>>>>>>> d\n";
    let outer = |ours: &str, theirs: &str| format!("<<<<<<< a\n{ours}=======\n{theirs}>>>>>>> b\n");
    for (ours, theirs, enclosed) in [(inner, "y\n", 1), ("x\n", inner, 1), (inner, inner, 2)] {
        let text = format!("{}{MERGE}", outer(ours, theirs));
        let found = blocks(&text);
        assert_eq!(found.len(), 3, "{text}");
        assert_eq!((found[0].end, found[0].enclosed), (End::Marker, enclosed));
        assert_eq!(part(&text, &found[0], Part::Ours).unwrap().1, ours);
        assert_eq!(part(&text, &found[0], Part::Theirs).unwrap().1, theirs);
        assert!(found[0].dividers.is_empty() && found[0].ends.is_empty());
    }
    // One that has lost its end has no more than one.
    let open = format!("<<<<<<< a\n{inner}{inner}=======\n>>>>>>> b\n");
    let ends: Vec<End> = blocks(&open).iter().map(|block| block.end).collect();
    assert_eq!(ends, [End::Missing, End::Marker, End::Marker]);
    let open = format!("<<<<<<< a\n<<<<<<< b\n{inner}{inner}");
    let ends: Vec<End> = blocks(&open).iter().map(|block| block.end).collect();
    assert_eq!(ends, [End::Missing, End::Missing, End::Marker, End::Marker]);
}

#[test]
fn decoration_is_no_block() {
    for text in [
        "Intro\n<<<<<<<<<<\n\nSection\n==========\nfoo\n",
        "<<<<<<<<<<<<<<<\n---------------\n  art\n>>>>>>>>>>>>>>>\n",
        "<<<<<<<<<<\nTitle\n==========\ntext\n>>>>>>>>>>\n",
        "<<<<<<<\nTitle\n=======\ntext\n",
        "<<<<<<<\n||||||| \n",
    ] {
        assert_eq!(shown(text), "", "{text}");
    }
    let inner = "<<<<<<<<< c\n=========\n>>>>>>>>> d\n";
    for decorated in [
        format!("<<<<<<<\n{inner}>>>>>>>\n"),
        format!("<<<<<<<<\n{inner}========\n>>>>>>>>\n"),
    ] {
        assert!(shown(&decorated).starts_with("1: 2-4\n"), "{decorated}");
    }
    // A file of `rerere` has no labels. A block with a label has one of any length.
    for whole in [
        "<<<<<<<\n=======\n>>>>>>>\n",
        "<<<<<<<<<<\n==========\n>>>>>>>>>> b\n",
        "<<<<<<<\n||||||| o\n=======\n>>>>>>>\n",
    ] {
        assert_eq!(blocks(whole).len(), 1, "{whole}");
    }
}

#[test]
fn white_space_after_the_dividing_line_is_no_label() {
    for space in [" ", "\t", "  \t", " \r"] {
        let text = format!("<<<<<<< a\nx\n======={space}\ny\n>>>>>>> b\n");
        assert_eq!(
            part(&text, &blocks(&text)[0], Part::Theirs).unwrap().1,
            "y\n"
        );
    }
    for heading in [" x", "\tx", " é", "\r\r"] {
        let text = format!("<<<<<<< a\nx\n======={heading}\ny\n>>>>>>> b\n");
        assert_eq!(blocks(&text)[0].end, End::Undivided, "{heading:?}");
    }
}

#[test]
fn bases_have_numbers() {
    let block = &blocks(JJ_THREE)[0];
    let base = |number| part(JJ_THREE, block, Part::BaseNumber(number));
    assert_eq!(base(1), part(JJ_THREE, block, Part::Base));
    assert_eq!(base(2).unwrap().1, "b\n");
    assert_eq!((base(0), base(3)), (None, None));
}

#[test]
fn part_without_doubts_has_the_text_that_was_written() {
    const LINES: [&str; 6] = [
        "x\n",
        "\n",
        "=======\n",
        ">>>>>>> q\n",
        ">>>>>>>\n",
        "========\n",
    ];
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut certain = 0;
    for _ in 0..30_000 {
        let mut side = || -> String {
            let count = random.below(4);
            (0..count).map(|_| LINES[random.below(6)]).collect()
        };
        let (ours, base, theirs) = (side(), side(), side());
        let has_base = random.below(2) == 0;
        let middle = if has_base {
            format!("||||||| o\n{base}")
        } else {
            String::new()
        };
        let text = format!("<<<<<<< a\n{ours}{middle}=======\n{theirs}>>>>>>> b\n{MERGE}");
        let found = blocks(&text);
        let block = &found[0];
        assert_eq!(found.len(), 3, "{text}");
        for (of, written) in [
            (Part::Ours, &ours),
            (Part::Base, &base),
            (Part::Theirs, &theirs),
        ] {
            if block.doubts(of).is_empty()
                && let Some((_, found)) = part(&text, block, of)
            {
                assert_eq!(found, *written, "{of:?} {text}");
                certain += 1;
            }
        }
    }
    assert!(certain > 20_000, "{certain}");
}
