//! Hostile and damaged databases, and queries that are refused or stopped.

use super::{USERS, database, refused};
use omniread::{Reason, Session};
use omniread_tests::{Workspace, text};
use std::fmt::Write as _;
use std::fs;
use std::time::Duration;

fn is_query(reason: &Reason) -> bool {
    matches!(reason, Reason::Query(_))
}

fn is_limit(reason: &Reason) -> bool {
    matches!(reason, Reason::Limit(limit) if limit.name.starts_with("query-"))
}

/// A session whose reads end after some seconds of processor time. The timeout determines the limits
/// on time and work of the SQLite engine.
fn session_with_timeout(workspace: &Workspace, seconds: u64) -> Session {
    let builder = workspace.builder().timeout(Duration::from_secs(seconds));
    builder.build().unwrap().session()
}

/// Checks that the undamaged database `app.db` can be read after a read of a hostile one.
fn assert_next_read_works(session: &Session) {
    assert!(text(session, "app.db:users:7").contains("name: user 7"));
}

#[test]
fn writing_queries_are_refused() {
    let workspace = Workspace::new();
    drop(database(&workspace, "app.db", USERS));
    let before = fs::read(workspace.path().join("app.db")).unwrap();
    let session = workspace.session();
    for statement in [
        "insert into users values(1000, 'x', 1)",
        "update users set name = 'x'",
        "delete from users",
        "replace into users values(1, 'x', 1)",
        "drop table users",
        "create table t(a)",
        "create temp table t(a)",
        "alter table users rename to others",
        "attach 'other.db' as other",
        "attach ':memory:' as other",
        "detach main",
        "vacuum",
        "vacuum into 'copy.db'",
        "reindex",
        "analyze",
        "begin",
        "savepoint s",
        "pragma writable_schema = on",
        "pragma user_version = 5",
        "pragma journal_mode = wal",
        "pragma query_only = off",
        "pragma wal_checkpoint(truncate)",
        "pragma locking_mode = normal",
        "pragma temp_store_directory = '/tmp'",
        "select load_extension('x')",
        "select fts3_tokenizer('simple')",
        "select readfile('/etc/passwd')",
        "select writefile('out', 'x')",
        "select 1; delete from users",
        "select 1; select 2",
        "with t as (select 1) delete from users",
        "explain delete from users",
        "select * from pragma_journal_mode('wal')",
        "select ?",
        "select :name",
        "select",
        "",
        "-- nothing",
        "no sql at all",
    ] {
        let failure = refused(&session, &format!("app.db?q={statement}"));
        let selector = matches!(failure.reason, Reason::InvalidSelector(_));
        assert!(
            is_query(&failure.reason) || selector,
            "{statement}: {failure:?}"
        );
    }
    assert_eq!(fs::read(workspace.path().join("app.db")).unwrap(), before);
    assert_eq!(fs::read_dir(workspace.path()).unwrap().count(), 1);
    // A comment or a semicolon at the end is not a second statement.
    for statement in [
        "select 1;",
        "select 1 ; -- end",
        "/* one */ select 1",
        ";select 1",
    ] {
        let read = session.read(format!("app.db?q={statement}"));
        assert!(read.is_ok() || statement.starts_with(';'), "{statement}");
    }
    assert_next_read_works(&session);
}

#[test]
fn invalid_conditions_and_options_are_refused() {
    let workspace = Workspace::new();
    drop(database(&workspace, "app.db", USERS));
    let session = workspace.session();
    for query in [
        "where=1) union select name, sql, 1 from sqlite_schema--",
        "where=1 union select 1, 2, 3",
        "where=1; drop table users",
        "where=id=1 limit 100 offset 2",
        "where=id=1 -- and more",
        "where=(id=1",
        "where=name='open",
        "where=id=?",
        "where=",
        "order=a;drop",
        "order=id, name",
        "order=1",
        "order=id:sideways",
        "limit=0",
        "limit=-5",
        "limit=many",
        "offset=-1",
        "colour=red",
        "limit=5&limit=6",
        "q=select 1",
    ] {
        let failure = refused(&session, &format!("app.db:users?{query}"));
        assert!(
            matches!(failure.reason, Reason::InvalidSelector(_)),
            "{query}: {failure:?}"
        );
    }
    // The condition is well-formed, but the column does not exist.
    assert!(is_query(
        &refused(&session, "app.db:users?where=nothing=1").reason
    ));
    assert_next_read_works(&session);
}

/// Queries that would not end, or would need more memory than the limit, are stopped.
#[test]
fn endless_queries_are_stopped() {
    let workspace = Workspace::new();
    drop(database(
        &workspace,
        "app.db",
        &format!(
            "{USERS}
             create view slow as with recursive t(x) as (select 1 union all select x + 1 from t)
                 select x from t where x < 0;
             create view big as select replace(hex(zeroblob(90000000)), '0', 'abcdefgh') as a;
             create view blob as select zeroblob(900000000) as a;"
        ),
    ));
    // The limits of the engine count steps and processor time, so a busy machine has no effect.
    let session = session_with_timeout(&workspace, 2);
    let nested = format!("select {}1{}", "(".repeat(200), ")".repeat(200));
    for statement in [
        "select count(*) from users a, users b, users c, users d, users e",
        "with recursive t(x) as (select 1 union all select x + 1 from t limit 1000000000) select count(*) from t",
        "select max(x) from slow",
        "select length(a) from big",
        "select instr(hex(zeroblob(5000000)), hex(zeroblob(2000000)) || '1')",
        "select group_concat(hex(randomblob(1000000))) from users a, users b",
    ] {
        let failure = refused(&session, &format!("app.db?q={statement}"));
        assert!(is_limit(&failure.reason), "{statement}: {failure:?}");
        assert!(
            failure.message.contains("the query was stopped"),
            "{statement}"
        );
        assert_next_read_works(&session);
    }
    assert!(session.read(format!("app.db?q={nested}")).is_ok());
    // The parts that can be read within the limits are shown.
    let listing = text(&session, "app.db");
    for line in ["big (view", "blob (view", "slow (view)", "users (250 rows)"] {
        assert!(listing.contains(line), "{listing}");
    }
    let slow = text(&session, "app.db:slow");
    assert!(slow.starts_with("CREATE VIEW slow"), "{slow}");
    assert!(
        slow.contains("[the sample rows are not read: stopped"),
        "{slow}"
    );
    assert!(is_limit(&refused(&session, "app.db:slow?limit=1").reason));
    let blob = text(&session, "app.db:blob");
    assert!(
        blob.contains("<BLOB 858.3MB>") || blob.contains("are not read"),
        "{blob}"
    );
    assert_next_read_works(&session);
}

/// If rows have very many columns, the reply contains only the rows that fit into the limit on the
/// size of a result of the SQLite engine.
#[test]
fn reply_with_wide_rows_is_bounded() {
    let workspace = Workspace::new();
    let columns: Vec<String> = (0..1900).map(|n| format!("c{n}")).collect();
    drop(database(
        &workspace,
        "app.db",
        &format!(
            "{USERS} create table wide({});
             with recursive n(i) as (select 1 union all select i + 1 from n where i < 1200)
             insert into wide(c0) select i from n;",
            columns.join(",")
        ),
    ));
    let session = workspace.session();
    let reply = session.read("app.db?q=select * from wide").unwrap();
    assert!(reply.details.next.is_some());
    assert!(reply.text().contains("[Output capped at "));
    assert_next_read_works(&session);
}

/// The error message for a path without an SQL query does not mention a query.
#[test]
fn errors_without_a_query_do_not_mention_a_query() {
    let workspace = Workspace::new();
    let app = database(
        &workspace,
        "app.db",
        "create table plain(a);
         create table t(a);
         create view gone as select * from t;
         create view write as select load_extension('x') as a;
         create view slow as with recursive n(x) as (select 1 union all select x + 1 from n)
             select x from n where x < 0;
         drop table t;",
    );
    drop(app);
    let session = session_with_timeout(&workspace, 2);
    for (path, message) in [
        (
            "app.db:gone?limit=5",
            "cannot read `app.db:gone?limit=5`: no such table: main.t",
        ),
        (
            "app.db:write?limit=5",
            "cannot read `app.db:write?limit=5`: no such function: load_extension",
        ),
        (
            "app.db:slow?limit=5",
            "the read of `app.db:slow?limit=5` was stopped: it ",
        ),
    ] {
        let failure = refused(&session, path);
        // The speed of the machine decides whether a slow view reaches the limit of instructions or
        // the limit of processor time first.
        assert!(failure.message.starts_with(message), "{}", failure.message);
        for word in ["query", "Not run"] {
            assert!(!failure.text.contains(word), "{}", failure.text);
        }
    }
    for path in [
        "app.db?q=select * from gone",
        "app.db:plain?where=missing=1",
        "app.db?q=drop view gone",
    ] {
        let failure = refused(&session, path);
        assert!(
            failure.message.starts_with("Not run: "),
            "{path}: {}",
            failure.message
        );
    }
    for path in ["app.db", "app.db:gone", "app.db:write"] {
        let shown = text(&session, path);
        for word in ["query", "Not run"] {
            assert!(!shown.contains(word), "{path}: {shown}");
        }
    }
}

/// When a database is listed, counting the rows of slow virtual tables stops at a limit. The tables
/// are still listed.
#[test]
fn slow_row_counts_in_listings_are_stopped() {
    let workspace = Workspace::new();
    let mut bombs = String::from(
        "create view slow as with recursive t(x) as (select 1 union all select x + 1 from t)
             select x, x as rowid from t where x < 0;",
    );
    for n in 0..60 {
        let _ = writeln!(
            bombs,
            "create virtual table f{n} using fts5(x, content='slow');"
        );
    }
    drop(database(&workspace, "app.db", &format!("{USERS}{bombs}")));
    let session = workspace.session();
    let listing = text(&session, "app.db");
    assert!(listing.contains("users (250 rows)"), "{listing}");
    assert!(listing.contains("f59 ("), "{listing}");
    assert_next_read_works(&session);
}

/// A value that is larger than the memory of the SQLite engine is shown as its type and size.
#[test]
fn huge_values_are_shown_by_size() {
    let workspace = Workspace::new();
    drop(database(
        &workspace,
        "app.db",
        &format!(
            "{USERS} create table big(id integer primary key, a, b);
             insert into big values(1, zeroblob(300000000), 'small'),
                 (2, cast(zeroblob(80000000) as text), 'small too');"
        ),
    ));
    let session = workspace.session();
    for path in ["app.db:big", "app.db:big?limit=5"] {
        let shown = text(&session, path);
        assert!(shown.contains("|1|<BLOB 286.1MB>|small|"), "{shown}");
        assert!(shown.contains("|2|<TEXT 76.3MB>|small too|"), "{shown}");
    }
    let row = text(&session, "app.db:big:1");
    assert!(row.contains("a: <BLOB 286.1MB>\nb: small"), "{row}");
    assert!(is_limit(
        &refused(&session, "app.db?q=select * from big").reason
    ));
    assert_next_read_works(&session);
}

/// The reply for a damaged database starts with the damage. The rows that can be read follow.
#[test]
fn damage_is_reported_with_readable_rows() {
    let workspace = Workspace::new();
    drop(database(
        &workspace,
        "app.db",
        &format!(
            "pragma page_size = 1024; {USERS} create table other(a); insert into other values(1);"
        ),
    ));
    let sound = fs::read(workspace.path().join("app.db")).unwrap();
    let session = workspace.session();
    // Overwrites a page in the middle of the table `users`.
    let mut damaged = sound.clone();
    damaged[5 * 1024..6 * 1024].fill(0xff);
    workspace.file("rows.db", &damaged);
    let rows = text(&session, "rows.db:users?limit=500");
    assert!(
        rows.starts_with("[damaged: database disk image is malformed]\n|id"),
        "{rows}"
    );
    assert!(rows.contains("|1|user 1"), "{rows}");
    assert!(text(&session, "rows.db:other").contains("|1|"));
    let listing = text(&session, "rows.db");
    assert!(listing.contains("other (1 row)"), "{listing}");
    // Makes the definition of a table invalid.
    let name = sound
        .windows(20)
        .position(|bytes| bytes == b"CREATE TABLE other(a")
        .unwrap();
    let mut damaged = sound.clone();
    damaged[name..name + 6].fill(b'x');
    workspace.file("schema.db", &damaged);
    let listing = text(&session, "schema.db");
    assert!(
        listing.starts_with("[damaged: malformed database schema"),
        "{listing}"
    );
    assert!(listing.contains("users (250 rows)"), "{listing}");
    assert!(text(&session, "schema.db:users:7").contains("name: user 7"));
    // A truncated file shows no invented rows.
    workspace.file("cut.db", &sound[..sound.len() - 1500]);
    let rows = text(&session, "cut.db:users?limit=500");
    assert!(
        rows.starts_with("[damaged: 1500 bytes are missing at its end]"),
        "{rows}"
    );
    // The statement of a view is shown even if the view cannot be read.
    let app = database(
        &workspace,
        "bare.db",
        "create table t(a); create view v as select * from t;",
    );
    app.execute_batch("pragma foreign_keys = off; drop table t")
        .unwrap();
    let view = text(&session, "bare.db:v");
    assert!(
        view.starts_with("CREATE VIEW v as select * from t"),
        "{view}"
    );
    assert!(view.contains("[the sample rows are not read: "), "{view}");
    // Truncates the file at many lengths.
    for length in (100..sound.len()).step_by(997) {
        workspace.file("short.db", &sound[..length]);
        for path in [
            "short.db",
            "short.db:users",
            "short.db:users?limit=500",
            "short.db:users:200",
        ] {
            if let Err(failure) = session.read(path) {
                assert!(
                    !matches!(failure.reason, Reason::Internal(_)),
                    "{length} {path}: {failure:?}"
                );
            }
        }
        assert!(session.read("short.db").is_ok(), "{length}");
    }
    // Changes single bytes of the header.
    for place in (16..100).chain([105, 1024, 2048]) {
        let mut damaged = sound.clone();
        damaged[place] ^= 0x5a;
        workspace.file("head.db", &damaged);
        for path in ["head.db", "head.db:users?limit=500"] {
            if let Err(failure) = session.read(path) {
                assert!(
                    !matches!(failure.reason, Reason::Internal(_)),
                    "{place} {path}: {failure:?}"
                );
            }
        }
        assert!(session.read("head.db").is_ok(), "{place}");
    }
}

/// An invalid journal or log next to an undamaged database does not affect what is read.
#[test]
fn invalid_journals_are_ignored() {
    let workspace = Workspace::new();
    drop(database(&workspace, "app.db", USERS));
    let session = workspace.session();
    let header = |records: u32, pages: u32, sector: u32, page: u32| {
        let mut bytes = vec![0xd9, 0xd5, 0x05, 0xf9, 0x20, 0xa1, 0x63, 0xd7];
        for field in [records, 1, pages, sector, page] {
            bytes.extend_from_slice(&field.to_be_bytes());
        }
        bytes.resize(4096, 0);
        bytes
    };
    for journal in [
        vec![0; 5000],
        b"no journal".to_vec(),
        header(0, 10, 512, 4096),
        header(u32::MAX, u32::MAX, 512, 4096),
        header(1000, 10, 1, 4096),
        header(1000, 10, 512, 3),
        header(1000, 10, 1 << 31, 1 << 31),
    ] {
        workspace.file("app.db-journal", &journal);
        assert_next_read_works(&session);
        fs::remove_file(workspace.path().join("app.db-journal")).unwrap();
        workspace.file("app.db-wal", &journal);
        assert_next_read_works(&session);
        fs::remove_file(workspace.path().join("app.db-wal")).unwrap();
    }
}

/// Text in a database cannot imitate table borders or notices.
#[test]
fn database_text_cannot_imitate_notices() {
    let workspace = Workspace::new();
    let app = database(&workspace, "app.db", USERS);
    app.execute(
        "insert into users values(7777, ?, 1)",
        ["x |\n|1|2|\n\n[0 more rows]\u{1b}[2J"],
    )
    .unwrap();
    let session = workspace.session();
    let shown = text(&session, "app.db:users:7777");
    assert_eq!(shown.lines().count(), 3, "{shown}");
    assert!(shown.contains("\\n[0 more rows]⟨U+001B⟩[2J"), "{shown}");
}

/// A database of ten gigabytes, most of it unused pages, is listed like a small one.
#[test]
fn huge_sparse_database_is_listed() {
    let workspace = Workspace::new();
    drop(database(&workspace, "app.db", USERS));
    let path = workspace.path().join("app.db");
    let mut bytes = fs::read(&path).unwrap();
    let size = u64::from(u16::from_be_bytes([bytes[16], bytes[17]]));
    let pages = u32::try_from((10 << 30) / size).unwrap();
    bytes[28..32].copy_from_slice(&pages.to_be_bytes());
    fs::write(&path, bytes).unwrap();
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_len(10 << 30).unwrap();
    let session = workspace.session();
    let mut listing = String::new();
    let _ = write!(listing, "{}", text(&session, "app.db"));
    assert!(
        listing.contains("users (250 rows)") && listing.contains("10.0GB"),
        "{listing}"
    );
    assert_next_read_works(&session);
}
