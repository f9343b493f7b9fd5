//! The Rust code of the documents. Each `rust` block must occur in this file, so that it
//! compiles.

#![expect(clippy::print_stdout, reason = "the code is that of the documents")]

use omniread_tests::project;
use std::error::Error;

#[expect(dead_code, reason = "it reads a file of the reader's own project")]
fn first_read() -> Result<(), Box<dyn Error>> {
    let reader = omniread::Reader::builder().root(".").deny(".env").build()?;
    let session = reader.session();
    let reply = session.read("src/main.rs:1-40")?;
    println!("{}", reply.text());
    if let Some(next) = &reply.details.next {
        println!("{}", session.read(next)?.text());
    }
    Ok(())
}

#[expect(dead_code, reason = "`library.rs` tests it")]
fn failures(session: &omniread::Session) {
    use omniread::Reason;

    match session.read("docs/plan.md") {
        Ok(reply) => println!("{}", reply.text()),
        Err(failure) if matches!(failure.reason, Reason::NotFound(_)) => println!("no plan"),
        Err(failure) => println!("{failure:#}"),
    }
}

#[expect(dead_code, reason = "`library.rs` tests it")]
fn images(session: &omniread::Session) -> Result<(), Box<dyn Error>> {
    let reply = session.read("report.pdf:page:3:img")?;
    for image in reply.images() {
        let bytes = image.bytes()?;
        println!("{}: {} bytes", image.mime, bytes.len());
    }
    Ok(())
}

#[expect(dead_code, reason = "`library` tests it")]
#[rustfmt::skip]
fn session_on_disk() -> Result<(), Box<dyn Error>> {
    use omniread::sessions::StoreLimits;
    use omniread::{Reader, Session};

    let reader = Reader::builder().root(".").build()?;
    let directory = std::env::temp_dir().join("omniread-session");
    let opened = Session::open(&reader, directory, StoreLimits::DISK)?;
    let session = opened.session;
    session.read("README.md")?;
    let changes = session.changes("README.md")?;
    assert!(changes.hunks.is_empty());
    Ok(())
}

#[test]
fn types_of_the_documents_are_shared_between_threads() {
    fn is_shared<T: Send + Sync + 'static>() {}

    is_shared::<omniread::Reader>();
    is_shared::<omniread::Session>();
    is_shared::<omniread::Reply>();
    is_shared::<omniread::Failure>();
    is_shared::<omniread::CancelToken>();
}

#[expect(dead_code, reason = "`web` tests it")]
#[rustfmt::skip]
fn network() -> Result<(), Box<dyn Error>> {
    use omniread::{Network, Reader};
    use std::time::Duration;

    let token = "from a file or a variable";
    let network = Network::default()
        .allow("docs.example.com".parse()?)
        .allow("*.wiki.example.com".parse()?)
        .allow("localhost:8080".parse()?)
        .header("docs.example.com", "Authorization", format!("Bearer {token}"))
        .timeout(Duration::from_secs(20));
    let reader = Reader::builder().network(network).build()?;
    drop(reader);
    Ok(())
}

#[expect(dead_code, reason = "`session.rs` tests it")]
fn reread(reader: &omniread::Reader) -> Result<(), Box<dyn Error>> {
    let session = reader.session();
    session.read("src/main.rs")?;
    // … the model works …
    if session.stale("src/main.rs")?.is_stale() {
        let reply = session.read("src/main.rs")?;
        println!("{}", reply.text());
    }
    Ok(())
}

#[expect(dead_code, reason = "`pool.rs` and `sandbox.rs` test it")]
fn cancel(reader: &omniread::Reader) {
    let token = omniread::CancelToken::new();
    let session = reader.session().with_cancel(&token);
    std::thread::spawn(move || session.read("huge.log:-1:raw"));
    token.cancel();
}

#[expect(dead_code, reason = "`prepared.rs` tests it")]
fn after_reply(session: &omniread::Session) -> Result<(), Box<dyn Error>> {
    let after = omniread::AfterReply::new();
    let reply = session.read("notes.md")?;
    println!("{}", reply.text());
    drop(after);
    Ok(())
}

/// The code without white space, to compare code whose indentation differs.
fn squeezed(code: &str) -> String {
    code.split_whitespace().collect()
}

#[test]
fn rust_blocks_of_the_documents_are_compiled() {
    let compiled = squeezed(include_str!("snippets.rs"))
        + &squeezed(include_str!("../../../../host/examples/async.rs"))
        + &squeezed(include_str!("../../../../host/examples/provider.rs"));
    for name in [
        "README.md",
        "docs/embedding/rust.md",
        "docs/guide/recipes.md",
        "docs/guide/sessions.md",
    ] {
        let document = std::fs::read_to_string(project().join(name)).unwrap();
        let mut blocks = 0;
        for block in document.split("```rust\n").skip(1) {
            let code = squeezed(block.split("\n```").next().unwrap());
            assert!(compiled.contains(&code), "{name}: {code}");
            blocks += 1;
        }
        assert!(blocks > 0, "{name} has no `rust` block");
    }
}
