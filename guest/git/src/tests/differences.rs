//! Unified diffs, which git applies.

use super::disk::Temporary;
use crate::diff::{Diff, unified};
use crate::limits;

#[test]
fn git_applies_the_diffs_to_the_old_text() {
    let numbers =
        |range: std::ops::Range<u32>| range.map(|it| format!("{it}\n")).collect::<String>();
    let long = numbers(0..100);
    for (old, new) in [
        ("a\n".to_owned(), "b\n".to_owned()),
        (String::new(), "b\n".to_owned()),
        ("a\n".to_owned(), String::new()),
        ("a".to_owned(), "a\n".to_owned()),
        ("a\nb".to_owned(), "a\nc".to_owned()),
        (
            long.clone(),
            long.replace("50\n", "fifty\n").replace("57\n", ""),
        ),
        (
            long.clone(),
            long.replace("50\n", "fifty\n").replace("58\n", "new\n58\n"),
        ),
        (long.clone(), long.replace("\n5", "\nx5")),
        (long.clone(), format!("first\n{long}last")),
        (long.clone(), numbers(20..80)),
        (numbers(0..7), numbers(3..10)),
    ] {
        let Diff::Text {
            text,
            added,
            removed,
        } = unified(old.as_bytes(), new.as_bytes(), "a/file", "b/file")
        else {
            panic!();
        };
        let directory = Temporary::empty();
        directory.git(&["init", "-q", "."]);
        directory.write("file", &old);
        directory.git_with(&["apply", "--unidiff-zero", "-"], text.as_bytes());
        assert_eq!(
            String::from_utf8(directory.read("file")).unwrap(),
            new,
            "{text}"
        );
        let lines = |sign: char| {
            text.lines()
                .skip(2)
                .filter(|line| line.starts_with(sign))
                .count()
        };
        assert_eq!(
            (lines('+') as u64, lines('-') as u64),
            (added, removed),
            "{text}"
        );
    }
}

#[test]
fn nothing_is_compared_line_by_line_without_need() {
    let long = vec![b'a'; limits::DIFF_BYTES + 1];
    assert_eq!(unified(b"a", b"a", "a", "b"), Diff::Equal);
    assert_eq!(unified(&long, &long, "a", "b"), Diff::Equal);
    assert_eq!(unified(b"a\0", b"a", "a", "b"), Diff::Binary);
    assert_eq!(unified(b"a", &long, "a", "b"), Diff::Long);
}
