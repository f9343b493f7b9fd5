//! Instances that were prepared before their read: each read has its own rights and limits, as if its instance were
//! created for it.

use omniread::{AfterReply, CancelToken, Dialect, Options, Reader, Reason};
use omniread_tests::Workspace;
use rusqlite::Connection;
use std::io::Write as _;
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// The number of reads in a row, so that most of them take a prepared instance.
const READS: usize = 20;

#[test]
fn replies_of_prepared_instances_are_those_of_the_first_read() {
    let workspace = Workspace::new();
    workspace.file("f.txt", "one\ntwo\n");
    workspace.file("d/g.txt", "three\n");
    let reader = workspace.builder().build().unwrap();
    let read = |path: &str| {
        let reply = reader.session().read(path);
        reply.map_or_else(|failure| failure.message, |reply| reply.text())
    };
    for path in ["f.txt", "f.txt:2", "d", "missing.txt"] {
        let first = read(path);
        for _ in 0..READS {
            assert_eq!(read(path), first);
            let _after = AfterReply::new();
            assert_eq!(read(path), first);
            assert_eq!(read(path), first);
        }
    }
}

#[test]
fn rights_are_those_of_the_read() {
    let (one, two) = (Workspace::new(), Workspace::new());
    one.file("name.txt", "first\n");
    two.file("name.txt", "second\n");
    one.file("only.txt", "here\n");
    let home = |workspace: &Workspace| workspace.builder().home(workspace.path()).build();
    let (first, second) = (home(&one).unwrap(), home(&two).unwrap());
    for _ in 0..READS {
        let text = |reader: &Reader, path: &str| reader.session().read(path).unwrap().text();
        assert!(text(&first, "name.txt").contains("first"));
        assert!(text(&second, "name.txt").contains("second"));
        assert!(text(&first, "~/name.txt").contains("first"));
        assert!(text(&second, "~/name.txt").contains("second"));
        text(&first, "only.txt");
        second.session().read("only.txt").unwrap_err();
    }
}

#[test]
fn limits_are_those_of_the_read() {
    let workspace = Workspace::new();
    workspace.file("f.txt", "text\n");
    let build = |memory, timeout| {
        let builder = workspace.builder().memory(memory);
        builder.timeout(timeout).build().unwrap()
    };
    let usual = build(64 << 20, Duration::from_mins(1));
    let little = build(1 << 20, Duration::from_mins(1));
    let brief = build(64 << 20, Duration::ZERO);
    let limit = |reader: &Reader| {
        let failure = reader.session().read("f.txt").unwrap_err();
        match failure.reason {
            Reason::Limit(limit) => (limit.name, limit.value),
            reason => panic!("{reason:?}"),
        }
    };
    for _ in 0..READS {
        usual.session().read("f.txt").unwrap();
        assert_eq!(limit(&little), ("memory".to_owned(), 1 << 20));
        usual.session().read("f.txt").unwrap();
        assert_eq!(limit(&brief), ("time".to_owned(), 0));
    }
    let token = CancelToken::new();
    token.cancel();
    for _ in 0..READS {
        usual.session().read("f.txt").unwrap();
        let session = usual.session().with_cancel(&token);
        let failure = session.read("f.txt").unwrap_err();
        assert!(matches!(failure.reason, Reason::Cancelled(_)));
    }
}

#[test]
#[cfg(unix)]
fn standard_input_is_that_of_the_read() {
    let workspace = Workspace::new();
    workspace.file("f.txt", "text\n");
    let session = workspace.session();
    let options = Options::default();
    for number in 0..READS {
        session.read("f.txt").unwrap();
        let (end, mut other) = std::io::pipe().unwrap();
        writeln!(other, "input {number}").unwrap();
        drop(other);
        let pipe = Arc::new(std::fs::File::from(std::os::fd::OwnedFd::from(end)));
        let with_input = Options {
            stdin: true,
            ..options.clone()
        };
        let reply = session
            .with_input(pipe)
            .read_as("-", Dialect::Omp, &with_input);
        assert!(reply.unwrap().text().contains(&format!("input {number}")));
        // Without the option, no read gets standard input.
        session.read_as("-", Dialect::Omp, &options).unwrap_err();
    }
}

/// More reads than the pool has places, with engines, beside instances that are prepared.
#[test]
fn prepared_instances_take_no_place_of_a_read() {
    let workspace = Workspace::new();
    workspace.file("f.txt", "text\n");
    let database = Connection::open(workspace.path().join("a.db")).unwrap();
    let statements = "create table t(a); insert into t values (7)";
    database.execute_batch(statements).unwrap();
    drop(database);
    let reader = workspace.builder().build().unwrap();
    let has_row = || {
        reader
            .session()
            .read("a.db:t")
            .unwrap()
            .text()
            .contains('7')
    };
    assert!((0..READS).all(|_| has_row()));
    thread::scope(|scope| {
        for number in 0..200 {
            let session = reader.session();
            scope.spawn(move || {
                let _after = (number % 2 == 0).then(AfterReply::new);
                let path = if number % 3 == 0 { "a.db:t" } else { "f.txt" };
                for _ in 0..3 {
                    session.read(path).unwrap();
                }
            });
        }
    });
    assert!((0..READS).all(|_| has_row()));
}
