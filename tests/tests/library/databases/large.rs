//! Large databases: counts that stop at their limit, and sorts that need temporary files.

use super::{database, refused};
use omniread::Reason;
use omniread_tests::{Workspace, text};
use std::fmt::Write as _;

/// SQL that creates a table of `rows` rows with a number, and a text of 100 characters.
fn table(name: &str, rows: u32) -> String {
    format!(
        "create table {name}(id integer primary key, n int, t text);
         with recursive i(i) as (select 1 union all select i + 1 from i where i < {rows})
         insert into {name} select i, i * 7919 % 1009, printf('%0100d', i) from i;"
    )
}

#[test]
fn rows_of_a_large_database_are_counted_up_to_the_limit() {
    let workspace = Workspace::new();
    let mut statements = String::new();
    for (name, rows) in [("at_limit", 50_000), ("over", 50_001), ("under", 49_999)] {
        statements.push_str(&table(name, rows));
    }
    statements
        .push_str("create table none(a); create table keys(a text primary key) without rowid;");
    statements.push_str("insert into keys select t from at_limit where id < 1001;");
    drop(database(&workspace, "large.db", &statements));
    let size = workspace.path().join("large.db").metadata().unwrap().len();
    assert!(size > 16 << 20, "{size}");
    let session = workspace.session();
    let list = text(&session, "large.db");
    let lines: Vec<&str> = list.lines().take(5).collect();
    assert_eq!(
        lines,
        [
            "at_limit (50000 rows)",
            "keys (1000 rows)",
            "none (0 rows)",
            "over (50000+ rows)",
            "under (49999 rows)"
        ]
    );
}

#[test]
fn rows_that_do_not_fit_into_the_cache_are_sorted_and_grouped() {
    let workspace = Workspace::new();
    drop(database(&workspace, "large.db", &table("big", 120_000)));
    let session = workspace.session();
    // The rows with the same number keep their order.
    let mut expected: Vec<(u64, u64)> = (1..=120_000u64).map(|id| (id * 7919 % 1009, id)).collect();
    expected.sort_unstable();
    for offset in [0, 60_000, 119_995] {
        let query =
            format!("large.db?q=select id, n, t from big order by n, id limit 3 offset {offset}");
        let mut table = "|id|n|t|\n|-|-|-|\n".to_owned();
        for (n, id) in &expected[offset..offset + 3] {
            let start = format!("{id:0100}");
            let _ = writeln!(table, "|{id}|{n}|{}…|", &start[..39]);
        }
        assert!(text(&session, &query).starts_with(&table), "{offset}");
    }
    let groups = "large.db?q=select count(*), sum(c) from \
                  (select t, count(*) as c from big group by t order by n desc)";
    assert!(text(&session, groups).contains("|120000|120000|"));
    let distinct = "large.db?q=select count(*) from (select distinct t || n from big)";
    assert!(text(&session, distinct).contains("|120000|"));
}

#[test]
fn sort_that_exceeds_the_memory_is_stopped() {
    let workspace = Workspace::new();
    drop(database(&workspace, "small.db", &table("t", 400)));
    let session = workspace.session();
    // 400 x 400 rows of four kilobytes.
    let query =
        "small.db?q=select a.id, printf('%04000d', b.id) as x from t a, t b order by x, a.id";
    let failure = refused(&session, query);
    assert!(
        matches!(&failure.reason, Reason::Limit(limit) if limit.name == "query-memory"),
        "{failure:?}"
    );
    assert!(text(&session, "small.db:t:7").contains("id: 7"));
}

#[test]
fn texts_of_all_lengths_are_searched() {
    let workspace = Workspace::new();
    let statements = "
        create table t(id integer primary key, a text, b text);
        with recursive n(i) as (select 0 union all select i + 1 from n where i < 1999)
        insert into t select i, substr(printf('%060d', i * 7919), 1 + i % 60), replace(hex(i * 104729), '0', 'é')
        from n;";
    let open = database(&workspace, "a.db", statements);
    let session = workspace.session();
    for condition in [
        "a like '%7%'",
        "a like '%79%3%'",
        "b like '%d3%'",
        "b like '%é_'",
        "b glob '*é[0-5]*'",
        "a glob '*9?1*'",
        "a < b",
        "substr(a, 1, 20) = substr(a, 21, 20)",
        "a || '' = a and instr(a, '00000000000000000') > 0",
        "replace(a, '79', '97') > a",
    ] {
        let sql = format!("select count(*), total(id), min(id), max(id) from t where {condition}");
        let expected = open.query_row(&sql, [], |row| {
            let [count, min, max] = [0, 2, 3].map(|at| row.get::<_, Option<i64>>(at));
            Ok((count?, row.get::<_, f64>(1)?, min?, max?))
        });
        let (count, total, min, max) = expected.expect("a row");
        let text = text(&session, &format!("a.db?q={sql}"));
        let shown =
            |number: Option<i64>| number.map_or("NULL".to_owned(), |number| number.to_string());
        let row = format!("|{}|{total:?}|{}|{}|", shown(count), shown(min), shown(max));
        assert!(text.contains(&row), "{condition}: {row}\n{text}");
    }
}
