//! Rows in an order, and their number, which the engine finds in one scan of a large table.

use super::database;
use omniread_tests::Workspace;

/// A table of 6,000 rows whose values have all types, and whose order differs from that of the rowid.
const MIXED: &str = "
    create table t(id integer primary key, a, b text, c text collate nocase, d real);
    with recursive n(i) as (select 0 union all select i + 1 from n where i < 5999)
    insert into t select i,
        case i % 6 when 0 then null when 1 then i * 7919 % 100 - 50 when 2 then (i * 7919 % 100) / 4.0
            when 3 then 'text ' || (i % 80) when 4 then cast('blob' || (i % 70) as blob)
            else 9007199254740992 + i % 4 end,
        printf('user number %05d of some many', 6000 - i), char(65 + i % 2 * 32 + i % 26), i % 30
    from n;";

/// The ids of the rows in a table as text, whose first column is the id.
fn ids(text: &str) -> Vec<i64> {
    let first = |line: &str| {
        line.split('|')
            .map(str::trim)
            .find(|cell| !cell.is_empty())?
            .parse()
            .ok()
    };
    text.lines().filter_map(first).collect()
}

#[test]
fn page_in_an_order_has_the_rows_of_the_statement() {
    let statements = [
        ("plain.db", MIXED.to_owned()),
        ("utf16.db", format!("pragma encoding = 'UTF-16le';{MIXED}")),
        (
            "index.db",
            format!("{MIXED} create index i on t(a, b); create index j on t(d);"),
        ),
        ("log.db", format!("pragma journal_mode = wal;{MIXED}")),
    ];
    let workspace = Workspace::new();
    let session = workspace.session();
    for (name, statements) in &statements {
        let open = database(&workspace, name, statements);
        for column in ["id", "a", "b", "c", "d"] {
            for way in ["asc", "desc"] {
                for (offset, condition) in [
                    (0, "1"),
                    (15, "a > 3"),
                    (0, "d = 7 or a is null"),
                    (990, "id % 2 = 0"),
                ] {
                    let path = format!(
                        "{name}:t?where={condition}&order={column}:{way}&limit=12&offset={offset}"
                    );
                    let reply = session.read(&path).expect("a reply");
                    let sql = format!(
                        "select id from t where {condition} order by t.{column} {way} limit 12 offset {offset}"
                    );
                    let mut statement = open.prepare(&sql).expect("a statement");
                    let rows = statement
                        .query_map([], |row| row.get::<_, i64>(0))
                        .expect("rows");
                    let expected: Vec<i64> = rows.map(|row| row.expect("a row")).collect();
                    assert_eq!(ids(&reply.text()), expected, "{path}\n{}", reply.text());
                    assert!(
                        reply.text().contains("more rows"),
                        "{path}\n{}",
                        reply.text()
                    );
                }
            }
        }
    }
}

/// SQLite chooses between an index and a sort by the condition and the limit, and rows with equal values have another
/// order in each.
#[test]
fn pages_in_an_order_have_each_row_once() {
    let workspace = Workspace::new();
    let statements = "
        create table t(id integer primary key, a int, b int, pad text);
        create index ta on t(a);
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 15000)
        insert into t select i, i % 7, i % 5, printf('%050d', i) from n;";
    drop(database(&workspace, "a.db", statements));
    let session = workspace.session();
    for condition in ["b=3", "b between 1 and 3", "1"] {
        for way in ["asc", "desc"] {
            let mut found = Vec::new();
            for offset in (0..3000).step_by(100) {
                let path =
                    format!("a.db:t?where={condition}&order=a:{way}&limit=100&offset={offset}");
                found.extend(ids(&session.read(&path).expect("a reply").text()));
            }
            assert_eq!(found.len(), 3000, "{condition} {way}");
            found.sort_unstable();
            found.dedup();
            assert_eq!(found.len(), 3000, "{condition} {way}");
        }
    }
}

#[test]
fn rows_in_an_order_are_counted() {
    let workspace = Workspace::new();
    let statements = "
        create table t(id integer primary key, n int, a text);
        with recursive n(i) as (select 1 union all select i + 1 from n where i < 200)
        insert into t select i, 200 - i, printf('%02000d', i) from n;";
    drop(database(&workspace, "a.db", statements));
    let session = workspace.session();
    for (path, expected) in [
        ("a.db:t?order=n&limit=12", "[188 more rows;"),
        (
            "a.db:t?where=id>50&order=n:desc&limit=12",
            "[138 more rows;",
        ),
        (
            "a.db:t?where=id>50&order=n&limit=12&offset=140",
            "[end of the rows (150 in total)]",
        ),
        (
            "a.db:t?where=id>50&order=n&offset=160",
            "[offset 160 is past the end: there are 150 rows]",
        ),
    ] {
        let reply = session.read(path).expect("a reply");
        assert!(reply.text().contains(expected), "{path}\n{}", reply.text());
    }
}

#[test]
fn function_of_the_scan_cannot_be_called() {
    let workspace = Workspace::new();
    database(&workspace, "a.db", MIXED);
    let session = workspace.session();
    for path in [
        "a.db?q=select omniread_first(a, id) from t",
        "a.db:t?where=omniread_first(a, id)&order=a",
        "a.db:t?where=id in (select omniread_first(a, id) from t)&order=a",
    ] {
        let failure = session.read(path).expect_err("a failure").to_string();
        assert!(
            failure.contains("no such function: omniread_first"),
            "{failure}"
        );
    }
}

#[test]
fn damage_in_a_page_of_rows_is_reported() {
    let workspace = Workspace::new();
    drop(database(
        &workspace,
        "a.db",
        &format!("pragma page_size = 4096;{MIXED}"),
    ));
    let path = workspace.path().join("a.db");
    let mut bytes = std::fs::read(&path).expect("a database");
    // The position of the first cell in a page of rows, in the middle of the file.
    let middle = bytes.len() / 4096 / 2;
    let page = (middle..bytes.len() / 4096)
        .find(|page| bytes[page * 4096] == 13)
        .expect("a page of rows")
        * 4096;
    bytes[page + 8..page + 10].copy_from_slice(&[0xff, 0xff]);
    std::fs::write(&path, bytes).expect("a damaged database");
    let session = workspace.session();
    let list = session.read("a.db").expect("a list");
    assert!(
        list.text().contains("t (rows not counted)"),
        "{}",
        list.text()
    );
    for path in ["a.db:t?order=b&limit=5", "a.db:t?order=d:desc&where=id>7"] {
        let reply = session.read(path).expect("a reply");
        assert!(reply.text().starts_with("[damaged: "), "{}", reply.text());
        assert!(reply.text().contains("(no rows)"), "{}", reply.text());
    }
}
