//! The pool of instances that reads share.
//!
//! These tests are a process of their own, because they occupy all instances of the pool.

use omniread::{CancelToken, Reason};
use omniread_tests::Workspace;
use std::time::Duration;

/// If all WebAssembly instances of the pool are busy, a read waits for a free one until its
/// timeout.
#[test]
fn reads_beyond_pool_size_wait_until_timeout() {
    let workspace = Workspace::new();
    workspace
        .file("small", "x\n")
        .file("endless", "line\n".repeat(4000));
    let endless = workspace.path().join("endless");
    let endless = std::fs::File::options().write(true).open(endless).unwrap();
    // A search for a late line in a sparse file of a terabyte takes minutes.
    endless.set_len(1 << 40).unwrap();
    let token = CancelToken::new();
    let session = |time| {
        let builder = workspace.builder().timeout(time);
        builder.build().unwrap().session()
    };
    let patient = session(Duration::from_mins(10));
    let reading: Vec<_> = (0..100)
        .map(|_| {
            let session = patient.with_cancel(&token);
            std::thread::spawn(move || session.read("endless:99999999"))
        })
        .collect();
    let impatient = session(Duration::from_millis(50));
    // Reads succeed until all threads have started.
    let failure = (0..1000).find_map(|_| impatient.read("small").err());
    let waiting = std::thread::spawn(move || patient.read("small").is_ok());
    token.cancel();
    for read in reading {
        let failure = read.join().unwrap().unwrap_err();
        assert!(
            matches!(failure.reason, Reason::Cancelled(_)),
            "{failure:?}"
        );
    }
    assert!(waiting.join().unwrap(), "the waiting read got an instance");
    let failure = failure.expect("all instances were occupied");
    let Reason::Limit(limit) = &failure.reason else {
        panic!("{failure:?}");
    };
    assert_eq!((limit.name.as_str(), limit.value), ("time", 50));
    assert!(
        failure.message.contains("exceeded the timeout of 50 ms"),
        "{failure:?}"
    );
    // Waiting for other reads does not count, but a read ends after twenty times its timeout. Windows
    // does not measure processor time.
    if cfg!(unix) {
        assert!(limit.elapsed.is_some_and(|elapsed| elapsed >= 1000));
        assert!(
            failure.message.contains("the machine is busy"),
            "{failure:?}"
        );
    }
}

/// If the address space is limited (`ulimit -v`), there is no pool of WebAssembly instances. Reads
/// then wait for each other, or run without reserved addresses.
#[cfg(target_os = "linux")]
#[test]
fn limited_address_space_reads_succeed() {
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
        // Tool definitions mention databases only if this process can read them.
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
    // Runs this test again in processes with 30 GB, 4 GB and 700 MB of address space. The allocator
    // may reserve 64 MB for each of the eight threads.
    for kilobytes in ["30000000", "4000000", "700000"] {
        let output = std::process::Command::new("sh")
            .args([
                "-c",
                "ulimit -v \"$1\"; exec \"$0\" --exact limited_address_space_reads_succeed",
            ])
            .arg(std::env::current_exe().unwrap())
            .arg(kilobytes)
            .env(INSIDE, kilobytes)
            .output()
            .unwrap();
        assert!(output.status.success(), "{kilobytes}: {output:?}");
    }
}
