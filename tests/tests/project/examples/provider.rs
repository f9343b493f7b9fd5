//! The example `provider` of the library.

#[path = "../../../../host/examples/provider.rs"]
mod example;

use example::Notes;
use omniread::{Reader, Reason};
use std::error::Error;

/// The largest number of lines of the implementation of a simple provider.
const LINES: usize = 30;

#[test]
fn provider_of_the_example_is_read_listed_and_completed() -> Result<(), Box<dyn Error>> {
    let note = |name: &str, text: &str| (name.to_owned(), text.as_bytes().to_vec());
    let notes = [
        note("plan.md", "one\ntwo\n"),
        note("parts.csv", "a,b\n1,2\n"),
    ];
    let reader = Reader::builder().provider(Notes(notes.into())).build()?;
    let session = reader.session();
    assert_eq!(session.read("notes://plan.md:2-2:raw")?.text(), "two\n");
    assert_eq!(
        session.read("notes://")?.text(),
        "notes://parts.csv\nnotes://plan.md"
    );
    assert_eq!(reader.complete("notes://pl", 5), ["notes://plan.md"]);
    let failure = session.read("notes://plans.md").unwrap_err();
    assert!(
        matches!(&failure.reason, Reason::NotFound(similar) if similar == &["notes://plan.md"]),
        "{failure:?}"
    );
    Ok(())
}

#[test]
fn implementation_of_the_example_is_short() {
    let code = include_str!("../../../../host/examples/provider.rs");
    let implementation = code.split("impl Provider").nth(1).unwrap();
    let lines = implementation
        .split("\n}\n")
        .next()
        .unwrap()
        .lines()
        .count();
    assert!(lines < LINES, "{lines} lines");
}
