//! Tables of rows: large and hostile ones, and tables in archives.

use omniread::{Failure, Reason, Session};
use omniread_tests::{Workspace, text};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufWriter, Write as _};

fn refused(session: &Session, path: &str) -> Failure {
    match session.read(path) {
        Ok(reply) => panic!("{path}: {}", reply.text()),
        Err(failure) => failure,
    }
}

/// Writes a file of `rows` rows, each of about 300 bytes.
fn large(workspace: &Workspace, name: &str, rows: u64) {
    let file = File::create(workspace.path().join(name)).unwrap();
    let mut file = BufWriter::new(file);
    file.write_all(b"id,name,price,note\n").unwrap();
    for row in 1..=rows {
        let price = row * 7919 % 100_003;
        writeln!(file, "{row},customer {row},{price}.25,{}", "x".repeat(270)).unwrap();
    }
}

#[test]
fn statement_that_writes_is_refused() {
    let workspace = Workspace::new();
    workspace.file("a.csv", "a,b\n1,2\n");
    let session = workspace.session();
    for statement in [
        "insert into data values(1, 2)",
        "update data set a = 5",
        "delete from data",
        "drop table data",
        "create table t(a)",
        "create temp table t(a)",
        "attach ':memory:' as other",
        "vacuum into 'copy.db'",
        "pragma query_only = off",
        "pragma writable_schema = on",
        "select load_extension('x')",
        "select 1; delete from data",
    ] {
        let failure = refused(&session, &format!("a.csv:?q={statement}"));
        assert!(
            matches!(failure.reason, Reason::Query(_)),
            "{statement}: {failure:?}"
        );
    }
    assert!(text(&session, "a.csv:?q=select * from data").contains("|1|2|"));
}

#[test]
fn table_that_is_larger_than_the_memory_is_filtered() {
    let workspace = Workspace::new();
    large(&workspace, "a.csv", 1_000_000);
    let session = workspace.session();
    let first = text(&session, "a.csv:");
    assert!(
        first.contains("at least") && first.contains("use a.csv::301 to continue"),
        "{first}"
    );
    let far = text(&session, "a.csv::900001?limit=1");
    assert!(far.contains("|900001|900001|customer 900001|"), "{far}");
    let found = text(&session, "a.csv:?where=id = 150000");
    assert!(found.contains("customer 150000"), "{found}");
    let page = text(&session, "a.csv:?where=id > 3&limit=2");
    assert!(page.contains("|5|5|customer 5|"), "{page}");
    assert!(
        page.contains("use a.csv::6?limit=2&where=id > 3 to continue"),
        "{page}"
    );
    // The named columns fit into the memory of the engine, and all columns do not.
    let failure = refused(&session, "a.csv:?q=select * from data order by lower(note)");
    assert!(
        matches!(&failure.reason, Reason::Limit(limit) if limit.name.starts_with("query-")),
        "{failure:?}"
    );
    assert!(text(&session, "a.csv::-1").contains("customer 1000000"));
}

#[test]
fn unclosed_quote_in_a_large_file_does_not_hide_the_rest() {
    let workspace = Workspace::new();
    let file = File::create(workspace.path().join("a.csv")).unwrap();
    let mut file = BufWriter::new(file);
    file.write_all(b"a,b\n1,2\n\"3,4\n").unwrap();
    for _ in 0..100 {
        file.write_all(&b"5,6\n".repeat(256 * 1024)).unwrap();
    }
    drop(file);
    let session = workspace.session();
    let page = text(&session, "a.csv::1-4");
    assert!(
        page.contains("row 2 has a quote that is not closed"),
        "{page}"
    );
    assert!(page.contains("|\"3|4|\n|5|6|"), "{page}");
}

#[test]
fn hostile_tables_are_read() {
    let workspace = Workspace::new();
    workspace.file(
        "wide.csv",
        format!("{}\n{}\n", "a,".repeat(1_000_000), "1,".repeat(1_000_000)),
    );
    workspace.file("nul.csv", b"a,b\n1\0,2\n");
    workspace.file("line.csv", "x".repeat(20_000_000));
    workspace.file(
        "quotes.csv",
        format!("a,b\n{}", "\"1,2\n\"".repeat(500_001)),
    );
    workspace.file(
        "value.csv",
        format!("a,b\n1,\"{}\"\n2,y\n", "line\n".repeat(1_000_000)),
    );
    workspace.file(
        "line.jsonl",
        format!("{{\"a\":\"{}\"}}\n[1]\n", "x".repeat(20_000_000)),
    );
    workspace.file("deep.jsonl", format!("{}\n", "[".repeat(1_000_000)));
    let mut keys = String::new();
    for key in 0..50_000 {
        let _ = writeln!(keys, "{{\"k{key}\":{key}}}");
    }
    workspace.file("keys.jsonl", keys);
    let session = workspace.session();
    for name in [
        "wide.csv",
        "nul.csv",
        "line.csv",
        "quotes.csv",
        "value.csv",
        "line.jsonl",
        "deep.jsonl",
        "keys.jsonl",
    ] {
        for suffix in [
            ":",
            "::2",
            "::-1",
            ":full",
            ":?where=true",
            ":?order=A:desc&limit=2",
            ":?q=select count(*) from data",
        ] {
            let path = format!("{name}{suffix}");
            match session.read(&path) {
                Ok(reply) => assert!(reply.text().len() < 2_000_000, "{path}"),
                Err(failure) => assert!(
                    matches!(
                        failure.reason,
                        Reason::Limit(_) | Reason::InvalidSelector(_)
                    ),
                    "{path}: {failure:?}"
                ),
            }
        }
    }
    assert!(text(&session, "value.csv:?where=a=2").contains("|2|2|y|"));
}

#[test]
fn compressed_tables_and_members_are_read() {
    let workspace = Workspace::new();
    large(&workspace, "a.csv", 100_000);
    let directory = workspace.path();
    let run = |program: &str, arguments: &[&str]| {
        let status = std::process::Command::new(program)
            .args(arguments)
            .current_dir(&directory)
            .status();
        assert!(status.unwrap().success(), "{program}");
    };
    run("tar", &["cf", "t.tar", "a.csv"]);
    run("gzip", &["-k", "a.csv"]);
    run("tar", &["czf", "t.tar.gz", "a.csv.gz"]);
    fs::remove_file(directory.join("a.csv")).unwrap();
    let session = workspace.session();
    for file in ["a.csv.gz", "t.tar:a.csv", "t.tar.gz:a.csv.gz"] {
        let page = text(&session, &format!("{file}:"));
        assert!(
            page.contains(&format!("use {file}::301 to continue")),
            "{page}"
        );
        for (suffix, expected) in [
            ("::99999", "customer 99999"),
            (":?where=id=50000", "customer 50000"),
            (":?order=id:desc&limit=1", "|100000|100000|"),
            (":?q=select count(*) from data", "100000"),
            ("::-1", "customer 100000"),
        ] {
            let page = text(&session, &format!("{file}{suffix}"));
            assert!(page.contains(expected), "{file}{suffix}: {page}");
        }
    }
}

/// Follows the continuation of a request, and returns the numbers of all rows that are shown.
fn numbers(session: &Session, path: &str) -> Vec<u64> {
    let mut found = Vec::new();
    let mut next = Some(path.to_owned());
    while let Some(path) = next {
        let reply = session.read(&path).unwrap();
        let rendered = reply.text();
        let rows = rendered.lines().filter_map(|line| line.strip_prefix('|'));
        found.extend(rows.filter_map(|row| row.split('|').next()?.parse::<u64>().ok()));
        next = reply.details.next;
        assert!(found.len() < 100, "{path}: {found:?}");
    }
    found
}

#[test]
fn continuation_stays_in_the_requested_rows() {
    let workspace = Workspace::new();
    let rows: String = (1..=30).map(|n| format!("x{n},{n}\n")).collect();
    workspace.file("a.csv", format!("name,price\n{rows}"));
    let session = workspace.session();
    let expected: Vec<u64> = (10..=20).collect();
    for path in [
        "a.csv::10-20?limit=3",
        "a.csv::10-20?limit=3&where=price>0",
        "a.csv::10-12,13-20?limit=2&where=price>0",
    ] {
        assert_eq!(numbers(&session, path), expected, "{path}");
    }
    let odd: Vec<u64> = (11..=20).filter(|n| n % 2 == 1).collect();
    let path = "a.csv::10-20?limit=2&where=price % 2 = 1";
    assert_eq!(numbers(&session, path), odd);
    let rendered = text(&session, "a.csv::3?offset=1&limit=2");
    assert!(
        rendered.contains("x4") && rendered.contains("x5"),
        "{rendered}"
    );
    assert!(!rendered.contains("x3"), "{rendered}");
}

#[test]
fn row_after_the_end_is_an_empty_answer() {
    let workspace = Workspace::new();
    workspace.file("a.csv", "a,b\n1,2\n3,4\n");
    let session = workspace.session();
    let rendered = text(&session, "a.csv::99999999999999");
    assert!(rendered.contains("(no rows)"), "{rendered}");
}

#[test]
fn misspelled_name_in_quotes_is_an_error() {
    let workspace = Workspace::new();
    workspace.file("a.csv", "Unit price,b\n1,2\n3,4\n");
    let session = workspace.session();
    assert!(text(&session, "a.csv:?where=\"Unit price\">2").contains("|3|"));
    let failure = refused(&session, "a.csv:?where=\"Unit prices\">2");
    assert!(
        failure.message.contains("no such column"),
        "{}",
        failure.message
    );
    let failure = refused(&session, "a.csv:?q=select \"x\" from data");
    assert!(
        failure.message.contains("no such column"),
        "{}",
        failure.message
    );
}

#[test]
fn column_that_a_statement_does_not_name_is_loaded() {
    let workspace = Workspace::new();
    workspace
        .file("a.csv", "a,b\n1,2\n3,4\n")
        .file("sqlite_stat.csv", "price,b\n1,2\n9,4\n");
    let session = workspace.session();
    let columns = text(&session, "a.csv:?q=select name from pragma_table_info('a')");
    assert!(
        columns.contains("|a|") && columns.contains("|b|"),
        "{columns}"
    );
    // SQLite reserves this name.
    let rows = text(&session, "sqlite_stat.csv:?where=price>5");
    assert!(rows.contains("|9|") && !rows.contains("|1|"), "{rows}");
}

#[test]
fn statement_states_what_it_does_not_see() {
    let workspace = Workspace::new();
    let names: Vec<String> = (0..1500).map(|n| format!("k{n}")).collect();
    let values: Vec<String> = (0..1500).map(|n| n.to_string()).collect();
    let wide = format!("{}\n{}\n", names.join(","), values.join(","));
    workspace.file("a.csv", wide);
    let session = workspace.session();
    let rendered = text(&session, "a.csv:?q=select * from data");
    assert!(
        rendered.contains("the statement sees 1000 of the 1500 columns"),
        "{rendered}"
    );
    assert!(rendered.contains("[CSV: 1500 columns, named by the first record"));
    let named = text(&session, "a.csv:?q=select k1400 * 2 as twice from data");
    assert!(named.contains("2800") && !named.contains("sees"), "{named}");
}

#[test]
fn statement_continues_with_a_path_of_the_table() {
    let workspace = Workspace::new();
    let rows: String = (1..=1500).map(|n| format!("x{n},{n}\n")).collect();
    workspace.file("a.csv", format!("name,price\n{rows}"));
    let session = workspace.session();
    let reply = session.read("a.csv:?q=select * from data").unwrap();
    let rendered = reply.text();
    assert!(!rendered.contains("database path"), "{rendered}");
    let next = reply.details.next.unwrap();
    assert!(rendered.contains(&format!("or use {next}")), "{rendered}");
    assert!(text(&session, &next).contains("|x1500|"));
}

#[test]
fn ordered_page_of_long_values_fits_into_memory() {
    let workspace = Workspace::new();
    let file = File::create(workspace.path().join("a.csv")).unwrap();
    let mut file = BufWriter::new(file);
    file.write_all(b"id,a,b,c,d,e,f,g,h\n").unwrap();
    for row in 1..=600 {
        writeln!(
            file,
            "{row}{}",
            format!(",{}", "x".repeat(80_000)).repeat(8)
        )
        .unwrap();
    }
    drop(file);
    let session = workspace.session();
    // A row whose whole values do not fit on a page is shown in parts.
    for (suffix, first) in [
        (":?order=id:desc&limit=500", "|600|600|"),
        (":full?order=id:desc&limit=500", "── Row 600 ──\nid: 600\n"),
    ] {
        let mut next = Some(format!("a.csv{suffix}"));
        let mut pages = 0;
        while let Some(path) = next
            && pages < 2
        {
            let reply = session.read(&path).unwrap();
            let rendered = reply.text();
            assert!(rendered.len() < 200_000, "{path}");
            if pages == 0 {
                assert!(rendered.contains(first), "{path}");
            }
            next = reply.details.next;
            pages += 1;
        }
        assert_eq!(pages, 2);
    }
}

#[test]
fn order_applies_to_the_last_rows() {
    let workspace = Workspace::new();
    workspace.file("a.csv", "id,n\n1,9\n2,8\n3,5\n4,7\n5,6\n");
    let session = workspace.session();
    let rendered = text(&session, "a.csv::-3?order=n:desc&limit=2");
    assert!(rendered.contains("|4|4|7|\n|5|5|6|"), "{rendered}");
    assert!(!rendered.contains("|9 "), "{rendered}");
}

#[test]
fn condition_on_the_wrong_type_is_noted() {
    let workspace = Workspace::new();
    workspace.file("a.csv", "Order date,ok\n2024-01-01,true\n");
    workspace.file("a.jsonl", "{\"a\":1}\n".repeat(300) + "[7]\n");
    let session = workspace.session();
    let rendered = text(&session, "a.csv:?where='Order date' > '2023'");
    assert!(
        rendered.contains("'Order date' is a text and not the column"),
        "{rendered}"
    );
    let rendered = text(&session, "a.csv:?where=ok = true");
    assert!(rendered.contains("`a = 'true'`"), "{rendered}");
    // The column is not one of those that the first records have.
    let rendered = text(&session, "a.jsonl:?where=value = '[7]'");
    assert!(
        rendered.contains("|301|") && rendered.contains("[7]"),
        "{rendered}"
    );
}

#[test]
fn workbook_with_the_name_of_a_table_is_a_workbook() {
    let workspace = Workspace::new();
    let sales = include_bytes!("../../../examples/sales.xlsx");
    workspace.file("a.csv", sales.as_slice());
    let session = workspace.session();
    for path in ["a.csv:", "a.csv:Sales"] {
        assert!(text(&session, path).contains("899.50 EUR"), "{path}");
    }
}
