//! Marks of the lines of a large file, which a session keeps.

use super::*;

/// A text of about 8 MB, whose lines have different lengths.
fn text(word: &str) -> String {
    let line = |n: u32| format!("{word} {n} {}\n", "x".repeat((n % 37) as usize));
    (0..250_000).map(line).collect()
}

fn page(world: &mut MemoryWorld, path: &str) -> (String, u64) {
    let before = world.read_bytes.get();
    let blocks = reply(world, path, &exact()).blocks;
    let shown = blocks.iter().filter_map(|block| match block {
        Block::Text(text) | Block::Notice(text) => Some(text.as_str()),
        _ => None,
    });
    (shown.collect(), world.read_bytes.get() - before)
}

#[test]
fn later_page_of_a_large_file_reads_few_bytes_and_shows_the_same() {
    let content = text("line");
    let mut plain = world(content.as_bytes());
    let mut marked = world(content.as_bytes());
    marked.state = Some([1, 2]);
    for path in [
        "f:200000-200050",
        "f:200051-200101",
        "f:150000-150020",
        "f:9",
        "f:999999",
        "f:-5",
    ] {
        assert_eq!(
            page(&mut plain, path).0,
            page(&mut marked, path).0,
            "{path}"
        );
    }
    let (_, unmarked) = page(&mut plain, "f:200102-200110");
    let (_, read) = page(&mut marked, "f:200102-200110");
    assert!(unmarked > 4 << 20, "{unmarked}");
    // The first chunk, the samples of the encoding, and two chunks of the page.
    assert!(read < 1 << 20, "{read}");
}

#[test]
fn marks_of_another_state_of_a_file_are_not_used() {
    let mut changing = world(text("line").as_bytes());
    changing.state = Some([1, 2]);
    page(&mut changing, "f:200000-200050");
    assert_eq!(changing.cache.len(), 1);
    let content = text("a longer line");
    changing.file("f", content.as_bytes());
    changing.state = Some([1, 3]);
    let mut plain = world(content.as_bytes());
    let path = "f:200000-200050";
    assert_eq!(page(&mut changing, path).0, page(&mut plain, path).0);
}

#[test]
fn damaged_marks_are_not_used() {
    let content = text("line");
    let mut marked = world(content.as_bytes());
    marked.state = Some([1, 2]);
    let path = "f:200000-200050";
    let (expected, _) = page(&mut marked, path);
    for value in marked.cache.values_mut() {
        value.truncate(41);
    }
    assert_eq!(page(&mut marked, path).0, expected);
}

#[test]
fn files_that_may_change_and_small_files_have_no_marks() {
    let mut world = world(text("line").as_bytes());
    page(&mut world, "f:200000-200050");
    world.state = Some([1, 2]);
    world.file("small", "a\nb\n");
    page(&mut world, "small:2");
    assert_eq!(world.cache.len(), 0);
}

#[test]
fn marks_hold_for_texts_in_utf16() {
    let units: Vec<u8> = "\u{feff}"
        .encode_utf16()
        .chain(text("l\u{e9}ne").encode_utf16())
        .flat_map(u16::to_be_bytes)
        .collect();
    let mut plain = world(&units);
    let mut marked = world(&units);
    marked.state = Some([1, 2]);
    for path in ["f:200000-200050", "f:200051-200101", "f:9"] {
        assert_eq!(
            page(&mut plain, path).0,
            page(&mut marked, path).0,
            "{path}"
        );
    }
}
