//! The five views of a database (tables, schema, rows, one row, a query), and their pages.

use super::{USERS, database, refused};
use omniread::details::{DatabasePart, Total};
use omniread::{Dialect, Options, Reason};
use omniread_tests::{Workspace, chain, text};

#[test]
fn bare_path_lists_tables() {
    let workspace = Workspace::new();
    database(
        &workspace,
        "app.db",
        &format!(
            "{USERS} create view adults as select * from users where age > 30;
             create table empty(a); create virtual table words using fts5(t);
             create table many(x); create index i on many(x);
             with recursive n(i) as (select 1 union all select i + 1 from n where i < 50001)
             insert into many select i from n;"
        ),
    );
    let session = workspace.session();
    let reply = session.read("app.db").unwrap();
    let lines: Vec<&str> = reply
        .blocks
        .iter()
        .flat_map(|block| match block {
            omniread::Block::Text(text) => text.lines().collect(),
            _ => Vec::new(),
        })
        .collect();
    assert_eq!(
        lines[..3],
        [
            "adults (view, 195 rows)",
            "empty (0 rows)",
            "many (50000+ rows)"
        ]
    );
    assert!(lines.contains(&"users (250 rows)"));
    assert!(lines.contains(&"words (0 rows)"));
    assert!(
        !lines.iter().any(|line| line.contains("sqlite_")),
        "{lines:?}"
    );
    assert_eq!(reply.details.kind.name(), "database");
    let details = reply.details.database().unwrap();
    assert_eq!(details.part, DatabasePart::Tables);
    assert!(matches!(details.total, Total::Exact(total) if total == details.rows));
    assert_eq!(reply.details.next, None);
    let json = serde_json::to_value(&reply).unwrap();
    assert_eq!(json["details"]["kind"], "database");
    assert_eq!(json["details"]["database"]["part"], "tables");
    // These paths name only the database.
    for path in ["app.db:", "app.db:/"] {
        assert_eq!(text(&session, path), lines.join("\n"), "{path}");
    }
    database(&workspace, "bare.db", "create table t(a); drop table t;");
    assert!(text(&session, "bare.db").starts_with("(no tables)"));
}

#[test]
fn table_shows_schema_and_sample_rows() {
    let workspace = Workspace::new();
    let long = format!(
        "create table long(\n  a text, -- {}\n\tb int\n)",
        "x".repeat(3000)
    );
    let app = database(&workspace, "app.db", &format!("{USERS}{long};"));
    app.execute_batch("insert into long values('one\ntwo\tthree', null), (x'00ff', 1.5)")
        .unwrap();
    let session = workspace.session();
    assert_eq!(
        text(&session, "app.db:users"),
        "CREATE TABLE users(id integer primary key, name text not null, age int)\n\
         \n\
         Sample rows:\n\
         |id|name|age|\n\
         |-|-|-|\n\
         |1|user 1|21|\n\
         |2|user 2|22|\n\
         |3|user 3|23|\n\
         |4|user 4|24|\n\
         |5|user 5|25|\n\
         \n\
         [245 more rows; append :users?limit=20&offset=5 to the database path to continue]"
    );
    // The statement is shown whole, even if a line of it is long.
    let shown = text(&session, "app.db:LONG");
    assert!(
        shown.contains(&long.replacen("create table", "CREATE TABLE", 1)),
        "{shown}"
    );
    assert!(shown.contains("|one\\ntwo\\tthree|NULL|"), "{shown}");
    assert!(shown.contains("|<BLOB 2B>|1.5|"), "{shown}");
    let reply = session.read("app.db:users").unwrap();
    assert_eq!(reply.details.path, "app.db:users");
    assert_eq!(
        reply.details.next.as_deref(),
        Some("app.db:users?limit=20&offset=5")
    );
    let details = reply.details.database().unwrap();
    assert_eq!(details.columns, ["id", "name", "age"]);
    assert_eq!(details.part, DatabasePart::Schema);
    assert!(matches!(details.total, Total::Exact(250)));
    assert!(text(&session, "app.db:sqlite_schema").contains("|table|users|"));
}

#[test]
fn row_pages_contain_every_row_once() {
    let workspace = Workspace::new();
    database(&workspace, "app.db", USERS);
    let session = workspace.session();
    for path in [
        "app.db:users?limit=30",
        "app.db:users?limit=77&order=name:desc",
        "app.db:users?limit=500",
        "app.db?q=select id, name from users order by age, id",
    ] {
        let replies = chain(&session, path);
        let mut ids: Vec<u64> = replies
            .iter()
            .flat_map(|reply| {
                let text = reply.text();
                let ids = text
                    .lines()
                    .filter_map(|line| line.strip_prefix('|')?.split('|').next()?.parse().ok());
                ids.collect::<Vec<u64>>()
            })
            .collect();
        ids.sort_unstable();
        assert_eq!(ids, (1..=250).collect::<Vec<_>>(), "{path}");
    }
    // Without page limits, a page has the maximum of rows that a request may ask for.
    let all = Options {
        all: true,
        ..Options::default()
    };
    let reply = session.read_as("app.db:users?offset=0", Dialect::Omp, &all);
    let text_of_all = reply.unwrap().text();
    assert_eq!(text_of_all.matches("|user ").count(), 250);
    let filtered = text(&session, "app.db:users?where=age>60&order=age:desc&limit=2");
    assert_eq!(
        filtered.lines().skip(2).take(2).collect::<Vec<_>>(),
        ["|49|user 49|69|", "|99|user 99|69|"]
    );
    assert!(filtered.ends_with(
        "[43 more rows; append :users?limit=2&offset=2&order=age:desc&where=age>60 to the database path to continue]"
    ));
    let clamped = text(&session, "app.db:users?limit=9999");
    assert!(clamped.contains("[limit=9999 was lowered to 500, the maximum for one page]"));
    assert!(text(&session, "app.db:users?offset=250").contains("(no rows)"));
    assert!(text(&session, "app.db:users?where=name='user 7'").contains("|7|user 7|27|"));
    assert!(text(&session, "app.db:users?where=name%3D%27user%207%27").contains("|user 7|"));
    let found = text(
        &session,
        "app.db:users?where=name in (select name from users where id=3) & 1",
    );
    assert!(found.contains("|user 3|"), "{found}");
}

#[test]
fn row_is_selected_by_its_primary_key() {
    let workspace = Workspace::new();
    database(
        &workspace,
        "app.db",
        &format!(
            "{USERS}
             create table pages(url text primary key, body text);
             insert into pages values('https://x/?a=1:2', 'hello'), ('042', 'zeros'), ('42', 'none');
             create table pairs(a text, b text, primary key(a, b)); insert into pairs values('x', 'y');
             create table keyed(a text, b text, primary key(a, b)) without rowid;
             insert into keyed values('x', 'y');
             create table bare(v); insert into bare values('first');
             create table shadow(rowid text, v); insert into shadow values('z', 'here');
             create table untyped(k primary key, v); insert into untyped values(7, 'number'), ('t', 'text');
             create table anys(k any primary key, v text) strict;
             insert into anys values(5, 'five'), ('5', 'text'), (1.5, 'real');
             create table ints(k int primary key, v); insert into ints values('abc', 'text');
             create table \"q?1\"(k text primary key, v); insert into \"q?1\" values('a?1', 'here');
             create table blobs(id blob primary key, v); insert into blobs values(x'0a1b', 'found');
             create table raw(k text primary key); insert into raw values('5-9');
             create view adults as select * from users where age > 30;"
        ),
    );
    let session = workspace.session();
    for (path, expected) in [
        ("app.db:users:42", "id: 42\nname: user 42\nage: 62"),
        (
            "app.db:pages:https://x/?a=1:2",
            "url: https://x/?a=1:2\nbody: hello",
        ),
        ("app.db:pages:042", "url: 042\nbody: zeros"),
        ("app.db:pairs:1", "a: x\nb: y"),
        ("app.db:bare:1", "v: first"),
        ("app.db:shadow:1", "rowid: z\nv: here"),
        ("app.db:untyped:7", "k: 7\nv: number"),
        ("app.db:untyped:t", "k: t\nv: text"),
        ("app.db:blobs:x'0A1B'", "id: <BLOB 2B>\nv: found"),
        ("app.db:raw:5-9", "k: 5-9"),
        ("app.db:anys:1.5", "k: 1.5\nv: real"),
        ("app.db:ints:abc", "k: abc\nv: text"),
        ("app.db:q?1:a?1", "k: a?1\nv: here"),
    ] {
        assert_eq!(text(&session, path), expected, "{path}");
    }
    assert!(text(&session, "app.db:anys:5").contains("[more than one row has this key]"));
    // A table name takes precedence over a selector.
    assert!(text(&session, "app.db:raw").starts_with("CREATE TABLE raw"));
    for (path, message) in [
        (
            "app.db:users:9999",
            "No row found in table 'users' for key '9999'.",
        ),
        (
            "app.db:users:abc",
            "Primary key 'id' of table 'users' must be an integer; got 'abc'",
        ),
        (
            "app.db:keyed:x",
            "a primary key of several columns (a, b) and no rowid",
        ),
        (
            "app.db:pairs:x",
            "so the key is a rowid, which is an integer; got 'x'",
        ),
        ("app.db:adults:1", "'adults' is a view"),
        ("app.db:users:1?limit=5", "has no query parameters"),
        ("app.db:users:", "there is no key after `app.db:users:`"),
        ("app.db:5-9", "Table '5-9' not found in 'app.db'"),
        ("app.db:userz", "Table 'userz' not found in 'app.db'"),
    ] {
        let failure = refused(&session, path);
        assert!(
            failure.message.contains(message),
            "{path}: {}",
            failure.message
        );
    }
    assert_eq!(
        refused(&session, "app.db:keyed:x").hint.as_deref(),
        Some("use `app.db:keyed?where=\"a\"='…' and \"b\"='…'`")
    );
    let Reason::NotFound(near) = refused(&session, "app.db:userz").reason else {
        panic!("another reason");
    };
    assert_eq!(near[0], "app.db:users");
}

#[test]
fn read_only_queries_are_run() {
    let workspace = Workspace::new();
    database(&workspace, "app.db", USERS);
    let session = workspace.session();
    for (path, expected) in [
        (
            "app.db?q=select count(*) from users",
            "|count(*)|\n|-|\n|250|",
        ),
        (
            "app.db?q=select%20count(*)%20from%20users;",
            "|count(*)|\n|-|\n|250|",
        ),
        ("app.db?q=select 1 as a -- one", "|a|\n|-|\n|1|"),
        ("app.db?q=select '\\:' as colon", "|colon|\n|-|\n|\\:|"),
        (
            "app.db?q=select 6&3, 'a&limit' as b",
            "|6&3|b|\n|-|-|\n|2|a&limit|",
        ),
        ("app.db?q=pragma user_version", "|user_version|\n|-|\n|0|"),
        ("app.db?q=values(1),(null)", "|column1|\n|-|\n|1|\n|NULL|"),
        (
            "app.db?q=select * from users where 0",
            "|id|name|age|\n|-|-|-|\n(no rows)",
        ),
    ] {
        assert_eq!(text(&session, path), expected, "{path}");
    }
    assert!(
        text(&session, "app.db?q=explain query plan select * from users").contains("SCAN users")
    );
    // `now` is the time of the machine. `random()` returns the same values on every page.
    let now = "app.db?q=select abs(unixepoch('now') - SECONDS) < 60 as now";
    let since = std::time::UNIX_EPOCH.elapsed().unwrap().as_secs();
    assert!(text(&session, &now.replace("SECONDS", &since.to_string())).contains("|1|"));
    let random = "app.db?q=select random() as r";
    assert_eq!(text(&session, random), text(&session, random));
    // The rows are capped, and `next` continues with the next row.
    let many = "app.db?q=-- first\nwith recursive n(i) as (select 1 union all select i + 1 from n where i < 2500) select i from n; -- last";
    let replies = chain(&session, many);
    assert!(replies[0].text().contains(
        "[Output capped at 1000 rows; add a LIMIT/OFFSET clause to the query to page through more, or append ?q=SELECT * FROM ("
    ));
    let shown: Vec<u64> = replies
        .iter()
        .map(|reply| reply.details.database().unwrap().rows)
        .collect();
    assert_eq!(shown, [1000, 1000, 500]);
    assert!(replies[2].text().contains("|2500"));
}

/// If a value is too long for a page, the paths in `next` continue it to its end.
#[test]
fn long_value_is_continued_to_its_end() {
    let workspace = Workspace::new();
    let app = database(
        &workspace,
        "app.db",
        "create table docs(id text primary key, body text)",
    );
    let body: String = (0..9000).map(|n| format!("wörd {n}, ")).collect();
    app.execute("insert into docs values('it''s', ?)", [&body])
        .unwrap();
    let session = workspace.session();
    for path in ["app.db:docs:it's", "app.db?q=select body from docs"] {
        let mut whole = String::new();
        for reply in chain(&session, path) {
            let text = reply.text();
            let line = text.lines().find_map(|line| line.strip_prefix("body: "));
            whole.push_str(line.unwrap().trim_end_matches('…'));
        }
        assert_eq!(whole, body, "{path}");
    }
    let table = text(&session, "app.db:docs");
    assert!(
        table.contains(
            "[1 value is cut; `app.db?q=SELECT * FROM \"docs\" WHERE \"id\" = 'it''s'` shows the first of these rows whole]"
        ),
        "{table}"
    );
}

/// A value that is too long for a page is shown completely on several pages, in each text encoding
/// of SQLite, and even if it contains a NUL character.
#[test]
fn long_value_is_whole_in_every_database_encoding() {
    for encoding in ["UTF-8", "UTF-16le", "UTF-16be"] {
        let workspace = Workspace::new();
        let app = database(
            &workspace,
            "app.db",
            &format!(
                "pragma encoding = '{encoding}'; create table docs(id integer primary key, body text)"
            ),
        );
        let body: String = (0..90_000).map(|n| format!("ä{n}")).collect();
        app.execute("insert into docs values(1, ?)", [&body])
            .unwrap();
        let short = "x".repeat(10_000);
        app.execute("insert into docs values(2, ?)", [&short])
            .unwrap();
        let session = workspace.session();
        let whole = |path: &str| -> String {
            let texts = chain(&session, path).into_iter().map(|reply| {
                let text = reply.text();
                let line = text.lines().find_map(|line| line.strip_prefix("body: "));
                line.unwrap().trim_end_matches('…').to_owned()
            });
            texts.collect()
        };
        assert!(whole("app.db:docs:1") == body, "{encoding}");
        assert_eq!(
            text(&session, "app.db:docs:2"),
            format!("id: 2\nbody: {short}"),
            "{encoding}"
        );
        if encoding == "UTF-8" {
            let nul = format!("{}\0{}", "a".repeat(5000), "b".repeat(30_000));
            app.execute("insert into docs values(3, ?)", [&nul])
                .unwrap();
            assert_eq!(whole("app.db:docs:3"), nul.replace('\0', "⟨U+0000⟩"));
        }
    }
}

#[test]
fn wide_rows_are_shown_vertically() {
    let workspace = Workspace::new();
    let columns: Vec<String> = (0..2000).map(|n| format!("c{n}")).collect();
    let values: Vec<String> = (0..2000).map(|n| n.to_string()).collect();
    database(
        &workspace,
        "app.db",
        &format!(
            "create table wide({}); insert into wide values({v}), ({v}), ({v});",
            columns.join(","),
            v = values.join(",")
        ),
    );
    let session = workspace.session();
    let replies = chain(&session, "app.db:wide?limit=3");
    let rows: Vec<String> = replies
        .iter()
        .flat_map(|reply| {
            let text = reply.text();
            assert!(text.len() < 60 << 10);
            let rows = text.lines().filter(|line| line.starts_with("──"));
            rows.map(str::to_owned).collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(rows, ["── Row 1 ──", "── Row 2 ──", "── Row 3 ──"]);
    assert!(text(&session, "app.db:wide:2").contains("\nc1999: 1999"));
}

#[test]
fn unusual_table_names_are_readable() {
    let workspace = Workspace::new();
    let names = [
        "a:b",
        "a",
        "q?limit=5",
        "it's",
        "say \"hi\"",
        "tab\there",
        "naïve 表",
        "select",
        "[x]",
        "back\\slash",
        "5-9",
        "semi;colon",
        "-- no comment",
        "\u{202e}rtl",
        "a:b:c",
    ];
    let app = database(&workspace, "we:ird?.db", "");
    for name in names {
        let quoted = format!("\"{}\"", name.replace('"', "\"\""));
        app.execute_batch(&format!(
            "create table {quoted}({quoted} text primary key, v); insert into {quoted} values('k:1', 5);"
        ))
        .unwrap();
    }
    let session = workspace.session();
    for name in names {
        let path = format!("we:ird?.db:{name}");
        let reply = session
            .read(&path)
            .unwrap_or_else(|failure| panic!("{path}: {failure:?}"));
        let details = reply.details.database().unwrap();
        assert_eq!(details.table.as_deref(), Some(name));
        assert!(session.read(format!("{path}:k:1")).is_ok(), "{path}");
        assert!(session.read(format!("{path}?limit=1")).is_ok(), "{path}");
        // The path in the details reads the same table again.
        let again = session.read(&reply.details.path).unwrap();
        assert_eq!(again.details.path, reply.details.path);
        assert_eq!(
            again.details.database().unwrap().table.as_deref(),
            Some(name)
        );
    }
    assert!(text(&session, "we:ird?.db?q=select 1 as one").contains("|one|"));
    let listing = text(&session, "we:ird?.db");
    assert!(listing.contains("tab\\there (1 row)"), "{listing}");
    assert!(listing.contains("⟨U+202E⟩rtl (1 row)"), "{listing}");
}

#[test]
fn list_of_many_tables_is_paged() {
    let workspace = Workspace::new();
    let tables: String = (0..620)
        .map(|n| format!("create table t{n:03}(a);"))
        .collect();
    database(&workspace, "app.db", &tables);
    let session = workspace.session();
    let reply = session.read("app.db").unwrap();
    assert_eq!(reply.text().matches(" (0 rows)\n").count(), 500);
    assert!(reply.text().contains("[120 more tables; append ?q="));
    let rest = session.read(reply.details.next.unwrap()).unwrap();
    assert!(rest.text().contains("|t500|table|"));
    assert_eq!(rest.details.database().unwrap().rows, 120);
}

/// Virtual tables, whose rows an SQLite module computes, are read like other tables.
#[test]
fn virtual_tables_are_read() {
    let workspace = Workspace::new();
    database(
        &workspace,
        "app.db",
        "create virtual table places using rtree(id, a, b); insert into places values(1, 2, 3);
         create virtual table words using fts5(t); insert into words values('hello world');
         create virtual table old using fts4(t); insert into old values('good bye');
         create table named(row text, row_ text); insert into named values('b', 1), ('a', 2);",
    );
    let session = workspace.session();
    assert!(text(&session, "app.db").contains("places (1 row)"));
    assert!(text(&session, "app.db:places").contains("|1|2.0|3.0|"));
    assert!(text(&session, "app.db:words?where=words match 'world'").contains("|hello world|"));
    assert!(text(&session, "app.db:old?where=old match 'bye'").contains("|good bye|"));
    assert!(text(&session, "app.db:named?order=row&limit=1").contains("|a|2|"));
}
