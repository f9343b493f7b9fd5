//! The pool of memory that reads share: a process of its own, since reads here
//! take all places.

#![allow(missing_docs, reason = "a test")]

use omniread::{CancelToken, Reason};
use omniread_tests::Workspace;
use std::time::Duration;

/// More reads than run at a time: they wait for their turn, and no longer than
/// they may take.
#[test]
fn many_reads_wait_for_their_turn() {
    let workspace = Workspace::new();
    workspace
        .file("small", "x\n")
        .file("endless", "line\n".repeat(4000));
    let endless = workspace.path().join("endless");
    let endless = std::fs::File::options().write(true).open(endless).unwrap();
    // Looking for a late line in a hole of a terabyte takes minutes.
    endless.set_len(1 << 40).unwrap();
    let token = CancelToken::new();
    let session = |time| {
        let builder = workspace.builder().deadline(time);
        builder.build().unwrap().session()
    };
    let long = session(Duration::from_mins(10));
    let reading: Vec<_> = (0..100)
        .map(|_| {
            let session = long.with_cancel(&token);
            std::thread::spawn(move || session.read("endless:99999999"))
        })
        .collect();
    let short = session(Duration::from_millis(50));
    // There are places until all of them have started.
    let failure = (0..1000).find_map(|_| short.read("small").err());
    let waiting = std::thread::spawn(move || long.read("small").is_ok());
    token.cancel();
    for read in reading {
        let failure = read.join().unwrap().unwrap_err();
        assert!(
            matches!(failure.reason, Reason::Cancelled(_)),
            "{failure:?}"
        );
    }
    assert!(waiting.join().unwrap(), "its turn came");
    let failure = failure.expect("all places were taken");
    assert!(
        matches!(&failure.reason, Reason::Limit(limit) if limit.name == "time"),
        "{failure:?}"
    );
    assert!(
        failure.message.contains("took longer than the 50 ms"),
        "{failure:?}"
    );
}

/// Where addresses are few there is no pool of memory, and reads work without.
#[cfg(target_os = "linux")]
#[test]
fn few_addresses_are_enough() {
    const INSIDE: &str = "OMNIREAD_TEST_FEW_ADDRESSES";
    if std::env::var_os(INSIDE).is_some() {
        let workspace = Workspace::new();
        workspace.file("f", "hello\n");
        let reply = workspace.session().read("f").unwrap();
        assert!(reply.text().ends_with("\n1:hello"), "{}", reply.text());
        return;
    }
    // This test again, in a process of 8 GB, of which each read takes four.
    let output = std::process::Command::new("sh")
        .args([
            "-c",
            "ulimit -v 8000000; exec \"$0\" --exact few_addresses_are_enough",
        ])
        .arg(std::env::current_exe().unwrap())
        .env(INSIDE, "1")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
}
