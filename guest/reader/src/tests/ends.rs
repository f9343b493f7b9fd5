//! Tests of what replies state about the end of a text: its total is exact if the page reaches it.

use super::{reply, world};
use crate::dialects::{Block, Dialect, Reply};
use crate::limits;
use crate::window::Total;
use crate::world::memory::MemoryWorld;
use omniread_options::Options;

fn lines(count: usize) -> Vec<u8> {
    (1..=count)
        .flat_map(|n| format!("line {n}\n").into_bytes())
        .collect()
}

fn text(reply: &Reply) -> String {
    let texts = reply.blocks.iter().filter_map(|block| match block {
        Block::Text(text) | Block::Notice(text) => Some(text.as_str()),
        Block::Image(_) | Block::Attachment(_) => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn total(reply: &Reply) -> Total {
    reply.answer.page().unwrap().total
}

fn omp(world: &mut MemoryWorld, path: &str) -> Reply {
    reply(world, path, &Options::default())
}

fn call(dialect: Dialect, world: &mut MemoryWorld, arguments: &str) -> String {
    let reply = dialect.call(arguments, &Options::default(), world);
    text(&reply.unwrap_or_else(|refused| panic!("{arguments}: {}", refused.text)))
}

#[test]
fn page_that_reaches_the_end_states_it_in_omp() {
    let mut world = world(&lines(450));
    let end = "\n\n[end of file (450 lines total)]";
    for path in ["f:301", "f:301-", "f:450", "f:-20", "f:-1"] {
        let reply = omp(&mut world, path);
        assert!(text(&reply).ends_with(end), "{path}: {}", text(&reply));
        assert_eq!(total(&reply), Total::Exact(450), "{path}");
    }
    // Another notice states it.
    for (path, notice) in [
        (
            "f:440-450",
            "[Showing lines 439-450 of 450 (:440-450 with context)]",
        ),
        ("f:1,440-", "[Showing lines 1, 440-450 of 450]"),
        (
            "f:440,500-",
            "[Range 500 is beyond end of file (450 lines total); skipped]",
        ),
        ("f:500", "beyond end of file (450 lines total)"),
    ] {
        let reply = omp(&mut world, path);
        assert!(text(&reply).contains(notice), "{path}: {}", text(&reply));
        assert!(!text(&reply).contains("[end of file"), "{path}");
        assert_eq!(total(&reply), Total::Exact(450), "{path}");
    }
    // The whole text, exact text, and a page before the end have no such notice.
    for path in ["f", "f:301:raw", "f:2-3"] {
        let reply = omp(&mut world, path);
        assert!(!text(&reply).contains("[end of"), "{path}");
    }
    let whole = omp(&mut super::world(b"a\nb\n"), "f");
    assert!(text(&whole).ends_with("\n1:a\n2:b"), "{}", text(&whole));
    let unended = omp(&mut super::world(b"a\nb"), "f:2");
    assert!(text(&unended).ends_with("2:b\n\n[no newline at end of file]"));
}

#[test]
fn tail_of_a_text_is_counted_up_to_a_limit() {
    let line = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde\n";
    let most = usize::try_from(limits::COUNTED_TAIL_BYTES).unwrap() / line.len();
    let mut counted = world(line.repeat(most).as_bytes());
    let reply = omp(&mut counted, "f:-2");
    assert_eq!(total(&reply), Total::Exact(most as u64));
    assert!(text(&reply).ends_with(&format!("[end of file ({most} lines total)]")));
    let mut longer = world(line.repeat(most + 1).as_bytes());
    let reply = omp(&mut longer, "f:-2");
    assert!(matches!(total(&reply), Total::AtLeast(_)));
    assert!(text(&reply).contains("-1 is the last. The total was not counted"));
    // The end that is reached from the start is counted.
    let last = most + 1;
    for path in [
        format!("f:{last}"),
        format!("f:{most}-{last}"),
        format!("f:{most}-"),
    ] {
        assert_eq!(
            total(&omp(&mut longer, &path)),
            Total::Exact(last as u64),
            "{path}"
        );
    }
}

#[test]
fn stream_and_member_state_their_end() {
    let mut world = MemoryWorld::new("/ws");
    world.stdin = lines(450);
    let options = Options {
        stdin: true,
        ..Options::default()
    };
    for path in ["-:301", "-:-3"] {
        let reply = reply(&mut world, path, &options);
        assert!(
            text(&reply).ends_with("[end of file (450 lines total)]"),
            "{}",
            text(&reply)
        );
        assert_eq!(total(&reply), Total::Exact(450));
    }
}

#[test]
fn last_page_of_a_listing_states_its_end() {
    let mut world = MemoryWorld::new("/ws");
    for n in 0..400 {
        world.file(&format!("d/{n:03}"), b"");
    }
    let first = omp(&mut world, "d");
    let next = first.answer.next().unwrap();
    let last = omp(&mut world, &next);
    assert!(
        text(&last).ends_with("[end of listing (401 lines total)]"),
        "{}",
        text(&last)
    );
}

#[test]
fn every_dialect_states_the_end() {
    let mut world = world(&lines(10));
    let reply = call(
        Dialect::Claude,
        &mut world,
        r#"{"file_path": "f", "offset": 9}"#,
    );
    assert!(
        reply.ends_with("(Showing 2 of 10 total lines) The file ends here."),
        "{reply}"
    );
    let reply = call(
        Dialect::Claude,
        &mut world,
        r#"{"file_path": "f", "offset": 8, "limit": 2}"#,
    );
    assert!(
        reply.ends_with("(Showing 2 of 10 total lines) Use offset=10 to continue."),
        "{reply}"
    );
    let reply = call(
        Dialect::Gateway,
        &mut world,
        r#"{"filePath": "/ws/f", "offset": 8}"#,
    );
    assert!(reply.contains("lines=\"9-10\" total=\"10\""), "{reply}");
    let reply = call(
        Dialect::Comma,
        &mut world,
        r#"{"path": "f", "startLine": 9}"#,
    );
    assert!(
        reply.contains("\"lineCount\":10,\"startLine\":9,\"endLine\":10,\"truncated\":false"),
        "{reply}"
    );
    let reply = call(
        Dialect::Gemini,
        &mut world,
        r#"{"file_path": "/ws/f", "start_line": 9}"#,
    );
    assert!(
        reply.contains("these lines reach the end of the file"),
        "{reply}"
    );
    let reply = call(
        Dialect::Gemini,
        &mut world,
        r#"{"absolute_path": "/ws/f", "offset": 8, "limit": 9}"#,
    );
    assert!(
        reply.contains("showing lines 9-10 of 10 total lines"),
        "{reply}"
    );
}

#[test]
fn last_rows_of_a_table_state_it() {
    let content: String = (0..400).fold("a,b\n".to_owned(), |rows, n| rows + &format!("{n},x\n"));
    let mut world = MemoryWorld::new("/ws");
    world.file("a.csv", content.into_bytes());
    for (path, note) in [
        ("a.csv::301", "[row 400 is the last]"),
        ("a.csv::-5", "[row 400 is the last]"),
        (
            "a.csv:?limit=50&offset=390",
            "[end of the rows (400 in total)]",
        ),
    ] {
        let text = text(&omp(&mut world, path));
        assert!(text.contains(note), "{path}: {text}");
    }
    for path in ["a.csv:", "a.csv::20-30", "a.csv:?limit=5&offset=20"] {
        let text = text(&omp(&mut world, path));
        let states = text.contains("is the last]") || text.contains("end of the rows");
        assert!(!states, "{path}: {text}");
    }
}
