//! Databases in archives and on standard input, and databases in every dialect.

use super::{USERS, database, refused};
use omniread::{Dialect, Options, Reason};
use omniread_tests::pack::{gzip, tar, zip};
use omniread_tests::{Cli, DIALECTS, Workspace, sha256, text};
use std::fs;

/// A page contains the rows that fit into the page limit of the dialect. The next page starts
/// with the row after them.
#[test]
fn row_pages_fit_the_page_limit_of_each_dialect() {
    let workspace = Workspace::new();
    database(
        &workspace,
        "app.db",
        "create table t(id integer primary key, a text, b text);
         with recursive n(i) as (select 1 union all select i + 1 from n where i < 1500)
         insert into t select i, hex(zeroblob(30)), hex(zeroblob(30)) from n;",
    );
    let session = workspace.session();
    let file = workspace.path().join("app.db").display().to_string();
    for (dialect, name, bytes) in [
        (Dialect::Gateway, "filePath", 52 << 10),
        (Dialect::Claude, "file_path", 400 << 10),
        (Dialect::Gemini, "absolute_path", 400 << 10),
    ] {
        let mut ids = Vec::new();
        let mut next = Some(format!("{file}:t?limit=500"));
        while let Some(path) = next {
            let arguments = serde_json::json!({ name: path }).to_string();
            let reply = session
                .call(dialect, &arguments, &Options::default())
                .unwrap();
            let text = reply.text();
            assert!(text.len() < bytes, "{dialect:?}: {}", text.len());
            let text = text.replace("\\n", "\n");
            ids.extend(text.lines().filter_map(|line| {
                line.strip_prefix('|')?
                    .split('|')
                    .next()?
                    .parse::<u64>()
                    .ok()
            }));
            next = reply.details.next;
        }
        assert_eq!(ids, (1..=1500).collect::<Vec<_>>(), "{dialect:?}");
    }
    let arguments = format!(r#"{{"file_path":"{file}:t?limit=10","limit":3}}"#);
    let reply = session
        .call(Dialect::Claude, &arguments, &Options::default())
        .unwrap();
    assert!(
        reply.text().contains("[`limit` was ignored"),
        "{}",
        reply.text()
    );
    assert_eq!(reply.details.database().unwrap().rows, 10);
}

/// A database in an archive is read with the write-ahead log next to it in the archive. A
/// compressed database can be read as well.
#[test]
fn database_in_an_archive_is_read_with_its_log() {
    let workspace = Workspace::new();
    let app = database(
        &workspace,
        "app.db",
        &format!("{USERS} pragma journal_mode = wal; pragma wal_autocheckpoint = 0;"),
    );
    app.execute("insert into users values(1000, 'in the log', 1)", [])
        .unwrap();
    let path = workspace.path();
    let main = fs::read(path.join("app.db")).unwrap();
    let wal = fs::read(path.join("app.db-wal")).unwrap();
    let both: &[(&str, &[u8])] = &[("db/app.db", &main), ("db/app.db-wal", &wal)];
    workspace
        .file("both.zip", zip(both))
        .file("both.tar.gz", gzip(&tar(both)))
        .file("alone.zip", zip(&[("db/app.db", &main)]))
        .file("nested.zip", zip(&[("both.tar.gz", &gzip(&tar(both)))]))
        .file("app.db.gz", gzip(&main));
    let session = workspace.session();
    for (path, rows) in [
        ("app.db", "251"),
        ("both.zip:db/app.db", "251"),
        ("both.tar.gz:db/app.db", "251"),
        ("nested.zip:both.tar.gz:db/app.db", "251"),
        ("alone.zip:db/app.db", "250"),
        ("app.db.gz:", "250"),
    ] {
        assert!(
            text(&session, path).contains(&format!("users ({rows} rows)")),
            "{path}"
        );
        let path = format!(
            "{}?q=select count(*) as n from users",
            path.trim_end_matches(':')
        );
        assert!(
            text(&session, &path).contains(&format!("|{rows}|")),
            "{path}"
        );
    }
    let reply = session.read("both.zip:db/app.db:users?limit=5").unwrap();
    assert_eq!(reply.details.path, "both.zip:db/app.db:users");
    assert_eq!(
        reply.details.next.as_deref(),
        Some("both.zip:db/app.db:users?limit=5&offset=5")
    );
}

#[test]
fn database_on_stdin_is_read() {
    let workspace = Workspace::new();
    drop(database(&workspace, "app.db", USERS));
    let bytes = fs::read(workspace.path().join("app.db")).unwrap();
    let cli = Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path());
    for (path, expected) in [
        ("-", "users (250 rows)\n"),
        ("-:users:7", "name: user 7\n"),
        ("-?q=select count(*) as n from users", "|250|\n"),
    ] {
        let run = cli.run_with(&[path], &bytes);
        assert!(run.stdout.contains(expected), "{path}: {run:?}");
        assert_eq!(run.code, Some(0));
    }
}

#[test]
fn database_is_detected_by_content() {
    let workspace = Workspace::new();
    database(&workspace, "notes.txt", USERS);
    workspace
        .file("plain.db", "just text\n")
        .file(
            "closed.db",
            (0..4096u32)
                .map(|n| n.wrapping_mul(7919).to_be_bytes()[2])
                .collect::<Vec<_>>(),
        )
        .file("empty.db", "");
    let session = workspace.session();
    assert!(text(&session, "notes.txt:users:7").contains("name: user 7"));
    assert!(text(&session, "plain.db").contains("1:just text"));
    assert!(text(&session, "plain.db:1").contains("just text"));
    assert!(text(&session, "empty.db").contains("[empty file]"));
    let closed = text(&session, "closed.db");
    assert!(
        closed.contains("but the file is not one, or is encrypted"),
        "{closed}"
    );
    for path in [
        "closed.db:users",
        "plain.db:users",
        "closed.db?q=select 1",
        "plain.db?q=select 1",
    ] {
        let failure = refused(&session, path);
        assert!(matches!(failure.reason, Reason::Unsupported(_)), "{path}");
        assert!(
            failure
                .message
                .contains("is not a SQLite database, or is encrypted")
        );
    }
}

#[test]
fn database_is_read_in_every_dialect() {
    let workspace = Workspace::new();
    database(&workspace, "app.db", USERS);
    let session = workspace.session();
    let file = workspace.path().join("app.db");
    let (path, bytes) = (file.display(), fs::read(&file).unwrap());
    let options = Options::default();
    let call = |dialect, arguments: String| session.call(dialect, &arguments, &options);
    let row = "id: 7\nname: user 7\nage: 27";

    let reply = call(
        Dialect::Gateway,
        format!(r#"{{"filePath":"{path}:users:7"}}"#),
    )
    .unwrap();
    assert!(reply.text().starts_with("<database path=") && reply.text().contains(row));
    let failure = call(Dialect::Gateway, format!(r#"{{"filePath":"{path}"}}"#)).unwrap_err();
    assert!(failure.text.contains("Cannot read binary file"));
    assert!(
        failure
            .text
            .contains(&format!("list its contents with `{path}:`")),
        "{}",
        failure.text
    );
    let reply = call(Dialect::Gateway, format!(r#"{{"filePath":"{path}:"}}"#)).unwrap();
    assert!(reply.text().contains("users (250 rows)"));
    let reply = call(
        Dialect::Gateway,
        format!(r#"{{"filePath":"{path}:users","offset":3,"limit":1}}"#),
    );
    assert!(reply.unwrap().text().contains("|id|name|age|"));

    let reply = call(Dialect::Comma, r#"{"path":"app.db:users:7"}"#.to_owned()).unwrap();
    let rendered: serde_json::Value = serde_json::from_str(&reply.text()).unwrap();
    assert_eq!(rendered["data"]["content"], row);
    assert_eq!(rendered["data"]["sha256"], sha256(&bytes));
    let reply = call(Dialect::Comma, r#"{"path":"app.db:users"}"#.to_owned()).unwrap();
    assert!(reply.text().contains("245 more rows"), "{}", reply.text());
    // The decompressed bytes are not those of the file, so there is no SHA-256.
    workspace.file("app.db.gz", gzip(&bytes));
    let reply = call(Dialect::Comma, r#"{"path":"app.db.gz:users:7"}"#.to_owned());
    let rendered: serde_json::Value = serde_json::from_str(&reply.unwrap().text()).unwrap();
    assert_eq!(rendered["data"]["content"], row);
    assert_eq!(rendered["data"]["sha256"], serde_json::Value::Null);
    let failure = call(
        Dialect::Comma,
        r#"{"path":"app.db?q=drop table users"}"#.to_owned(),
    );
    assert!(failure.unwrap_err().text.contains("invalid_arguments"));

    let reply = call(
        Dialect::Gemini,
        format!(r#"{{"absolute_path":"{path}:users:7"}}"#),
    )
    .unwrap();
    let rendered: serde_json::Value = serde_json::from_str(&reply.text()).unwrap();
    assert!(rendered["llmContent"].as_str().unwrap().contains(row));

    let reply = call(
        Dialect::Claude,
        format!(r#"{{"file_path":"{path}:users:7"}}"#),
    )
    .unwrap();
    assert_eq!(reply.text(), row);
    let reply = call(Dialect::Claude, format!(r#"{{"file_path":"{path}"}}"#)).unwrap();
    assert!(reply.text().starts_with("users (250 rows)"));
}

/// If a database has a table `page`, the selector `:page:1` is a row of that table and not page 1
/// of a document. This also applies in dialects that refuse compressed files.
#[test]
fn table_named_like_a_unit_takes_precedence() {
    let workspace = Workspace::new();
    database(
        &workspace,
        "wiki.db",
        "create table page(id integer primary key, title text);
         insert into page values(1, 'Main Page');",
    );
    let bytes = fs::read(workspace.path().join("wiki.db")).unwrap();
    workspace.file("wiki.db.gz", gzip(&bytes));
    let session = workspace.session();
    for dialect in DIALECTS {
        for path in ["wiki.db:page:1", "wiki.db.gz:page:1"] {
            let reply = session.read_as(path, dialect, &Options::default());
            let reply = reply.unwrap_or_else(|failure| panic!("{dialect:?}: {}", failure.text));
            assert!(
                reply.text().contains("title: Main Page"),
                "{dialect:?} {path}"
            );
        }
    }
}

/// In every dialect, the path of a database followed by a colon (`PATH:`) lists the tables.
#[test]
fn database_root_is_listed_in_every_dialect() {
    let workspace = Workspace::new();
    database(&workspace, "app.db", USERS);
    let session = workspace.session();
    for dialect in DIALECTS {
        let reply = session.read_as("app.db:", dialect, &Options::default());
        let reply = reply.unwrap_or_else(|failure| panic!("{dialect:?}: {}", failure.text));
        assert!(reply.text().contains("users (250 rows)"), "{dialect:?}");
        assert_eq!(reply.details.kind.name(), "database", "{dialect:?}");
    }
    let bare = session.read_as("app.db", Dialect::Comma, &Options::default());
    let error: serde_json::Value = serde_json::from_str(&bare.unwrap_err().text).unwrap();
    assert_eq!(error["error"]["kind"], "binary_file");
    assert_eq!(
        error["error"]["suggestedNextAction"],
        "list its contents with `app.db:`; or call again with allowBinary: true to receive base64"
    );
}

/// If a process may open too few files, the error message says so. It does not say that another
/// program writes to the database.
#[test]
#[cfg(target_os = "linux")]
fn too_many_open_files_error_is_reported() {
    let workspace = Workspace::new();
    database(&workspace, "app.db", USERS);
    let mut reported = 0;
    for limit in 4..16 {
        let output = std::process::Command::new("sh")
            .args([
                "-c",
                "ulimit -n \"$1\"; exec \"$0\" --timeout 20 app.db:users",
            ])
            .arg(env!("CARGO_BIN_EXE_omniread-under-test"))
            .arg(limit.to_string())
            .current_dir(workspace.path())
            .output()
            .unwrap();
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!text.contains("another program"), "{limit}: {text}");
        assert!(!text.contains("a program writes"), "{limit}: {text}");
        reported += usize::from(text.contains("too many open files"));
    }
    assert!(reported > 0, "no limit was low enough");
}
