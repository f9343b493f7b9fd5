//! Reads of databases within a budget of tokens.

use super::{USERS, database};
use omniread::{Dialect, Options, Reply, Session};
use omniread_tests::Workspace;

fn read(session: &Session, path: &str, tokens: u32) -> Reply {
    let options = Options {
        tokens,
        ..Options::default()
    };
    let reply = session.read_as(path, Dialect::Omp, &options);
    reply.unwrap_or_else(|failure| panic!("{path}: {}", failure.message))
}

/// The lines of a reply before its notices.
fn lines(reply: &Reply) -> Vec<String> {
    let text = reply.text();
    let lines = text.lines().take_while(|line| !line.is_empty());
    lines.map(str::to_owned).collect()
}

#[test]
fn list_of_tables_is_within_the_budget() {
    let workspace = Workspace::new();
    let statements: String = (0..200)
        .map(|n| format!("create table table_{n:03}(id);"))
        .collect();
    database(&workspace, "a.db", &statements);
    let session = workspace.session();
    let all = lines(&read(&session, "a.db", 0));
    assert_eq!(all.len(), 200);
    let reply = read(&session, "a.db", 300);
    let shown = lines(&reply);
    assert_eq!(shown, all[..shown.len()]);
    assert!((20..60).contains(&shown.len()), "{}", reply.text());
    let more = 200 - shown.len();
    assert!(
        reply
            .text()
            .contains(&format!("[{more} more tables; append ?q=")),
        "{}",
        reply.text()
    );
    // The statements that continue name each of the others once.
    let mut named: Vec<String> = shown.iter().map(|line| line[..9].to_owned()).collect();
    let mut next = reply.details.next;
    while let Some(path) = next {
        let reply = read(&session, &path, 300);
        let rows = reply.text();
        named.extend(
            rows.match_indices("|table_")
                .map(|(at, _)| rows[at + 1..at + 10].to_owned()),
        );
        next = reply.details.next;
    }
    let tables: Vec<String> = (0..200).map(|n| format!("table_{n:03}")).collect();
    assert_eq!(named, tables);
}

#[test]
fn definition_is_within_the_budget() {
    let workspace = Workspace::new();
    let columns: Vec<String> = (0..300)
        .map(|n| format!("column_{n} integer default {n}"))
        .collect();
    database(
        &workspace,
        "a.db",
        &format!(
            "create table wide({}); insert into wide default values; {USERS}",
            columns.join(", ")
        ),
    );
    let session = workspace.session();
    let whole = read(&session, "a.db:wide", 0);
    let cut = read(&session, "a.db:wide", 500);
    let used = cut.text().len();
    assert!(
        used < 4000 && used < whole.text().len() / 2,
        "{}",
        cut.text()
    );
    assert!(
        cut.text().contains("is cut; append ?q=SELECT"),
        "{}",
        cut.text()
    );
    assert!(
        cut.text().contains("Sample rows:\n(not shown)"),
        "{}",
        cut.text()
    );
    assert!(cut.details.next.is_some());
    // A small table is shown whole, with as many rows as fit.
    let users = read(&session, "a.db:users", 100);
    assert!(
        users.text().contains("create table users") || users.text().contains("CREATE TABLE users"),
        "{}",
        users.text()
    );
    assert!(users.text().contains("|user 1|"), "{}", users.text());
}

#[test]
fn rows_within_a_budget_are_shown_once() {
    let workspace = Workspace::new();
    database(&workspace, "a.db", USERS);
    let session = workspace.session();
    let mut next = Some("a.db:users?limit=200".to_owned());
    let mut shown = Vec::new();
    while let Some(path) = next {
        let reply = read(&session, &path, 150);
        let text = reply.text();
        let rows = text.lines().filter_map(|line| line.split("|user ").nth(1));
        shown.extend(rows.map(|row| row.split('|').next().unwrap().parse::<u32>().unwrap()));
        next = reply.details.next;
    }
    assert_eq!(shown, (1..=250).collect::<Vec<_>>());
}

#[test]
fn wide_row_is_read_in_parts_within_the_budget() {
    let workspace = Workspace::new();
    let names: Vec<String> = (0..60)
        .map(|n| format!("column_with_long_name_{n}"))
        .collect();
    let value = |n: usize| format!("{n} {}", "a long value of text ".repeat(9).trim_end());
    let values: Vec<String> = (0..60).map(|n| format!("'{}'", value(n))).collect();
    database(
        &workspace,
        "h.db",
        &format!(
            "create table h(id integer primary key, {}); insert into h values (1, {});",
            names.join(", "),
            values.join(", ")
        ),
    );
    let session = workspace.session();
    let rows = ["h.db:h:1", "h.db?q=SELECT * FROM h"];
    for first in rows {
        let mut read_values = vec![String::new(); 60];
        let mut next = Some(first.to_owned());
        while let Some(path) = next {
            let reply = read(&session, &path, 100);
            let text = reply.text();
            assert!(text.len() < 1200, "{path}: {text}");
            for line in text.lines() {
                let Some(line) = line.strip_prefix("column_with_long_name_") else {
                    continue;
                };
                let (number, part) = line.split_once(": ").unwrap();
                let number: usize = number.parse().unwrap();
                read_values[number] += part.strip_suffix('…').unwrap_or(part);
            }
            next = reply.details.next;
        }
        assert_eq!(read_values, (0..60).map(value).collect::<Vec<_>>());
    }
}
