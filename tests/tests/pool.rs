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

/// Where addresses are limited (`ulimit -v`), there is no pool of memory: reads
/// wait for each other, or run without reserved addresses.
#[cfg(target_os = "linux")]
#[test]
fn reads_work_within_few_addresses() {
    const INSIDE: &str = "OMNIREAD_TEST_FEW_ADDRESSES";
    if let Some(kilobytes) = std::env::var_os(INSIDE) {
        let workspace = Workspace::new();
        let mut image = Vec::new();
        image::RgbImage::new(3, 2)
            .write_to(
                &mut std::io::Cursor::new(&mut image),
                image::ImageFormat::Png,
            )
            .unwrap();
        workspace.file("f", "hello\n").file("p.png", image);
        let session = workspace.session();
        std::thread::scope(|scope| {
            for _ in 0..8 {
                scope.spawn(|| {
                    let reply = session.read("f").unwrap();
                    assert!(reply.text().ends_with("\n1:hello"), "{}", reply.text());
                });
            }
        });
        let text = session.read("p.png").unwrap().text();
        // Definitions promise what this process can do.
        for definition in workspace.builder().build().unwrap().definitions().unwrap() {
            let promised = definition.description.contains("app.db");
            assert_eq!(
                promised,
                kilobytes == "30000000",
                "{}",
                definition.description
            );
        }
        if kilobytes == "30000000" {
            assert!(text.contains("3x2") && !text.contains("ulimit"), "{text}");
        } else {
            assert!(text.contains("GB of addresses"), "{text}");
            assert!(text.contains("PNG image"), "{text}");
        }
        return;
    }
    // This test again, in processes of 30 GB, 4 GB and 500 MB.
    for kilobytes in ["30000000", "4000000", "500000"] {
        let output = std::process::Command::new("sh")
            .args([
                "-c",
                "ulimit -v \"$1\"; exec \"$0\" --exact reads_work_within_few_addresses",
            ])
            .arg(std::env::current_exe().unwrap())
            .arg(kilobytes)
            .env(INSIDE, kilobytes)
            .output()
            .unwrap();
        assert!(output.status.success(), "{kilobytes}: {output:?}");
    }
}
