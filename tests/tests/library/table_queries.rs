//! Conditions, orders and statements on tables of text. Simple ones are evaluated in the reader, and have the
//! result of the same query in a form that only the SQL engine evaluates.

use omniread::Session;
use omniread_tests::{Workspace, text};

/// A generator of numbers, so that a failure can be repeated.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        usize::try_from(self.0 % end as u64).unwrap()
    }

    fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    fn pick<'p>(&mut self, all: &[&'p str]) -> &'p str {
        all[self.below(all.len())]
    }
}

/// Values that are compared in particular ways.
const ODD: &[&str] = &[
    "",
    "0",
    "1",
    "-1",
    "5",
    "007",
    "1e3",
    " 5",
    "5 ",
    "1.0",
    "2.50",
    "-0",
    "-0.0",
    "0.1",
    "0.2",
    "9007199254740993",
    "9007199254740992",
    "9223372036854775807",
    "12345678901234567890",
    "NaN",
    "inf",
    "a",
    "A",
    "abc",
    "aä",
    "Ä",
    "%",
    "_",
    "x|y",
    "it's",
    "NULL",
    "true",
    "2024-01-02",
    "$5",
    "1,5",
    "+49",
    "日本",
];

const COLUMNS: [&str; 5] = ["id", "score", "city", "odd", "a b"];

fn value(random: &mut Random, column: usize) -> String {
    let found = match column {
        0 => format!("{}", random.below(20)),
        1 if random.chance(90) => format!(
            "{:.2}",
            f64::from(u32::try_from(random.below(2000)).unwrap()) / 100.0 - 10.0
        ),
        2 if random.chance(90) => random
            .pick(&["Rome", "rome", "Oslo", "Zürich", ""])
            .to_owned(),
        4 => format!(
            "{}",
            (1_i64 << 53) + i64::try_from(random.below(3)).unwrap()
        ),
        _ => random.pick(ODD).to_owned(),
    };
    match random.below(20) {
        0 => format!("\"{found}, \"\"{found}\"\"\""),
        1 if column > 1 => format!("\"{found}\nnext\""),
        _ if found.contains(',') || random.chance(10) => format!("\"{found}\""),
        2 if column == 3 => "5\" x".to_owned(),
        _ => found,
    }
}

/// A table with a row that has too few values, one that has too many, and an empty line.
fn table(random: &mut Random, rows: usize) -> String {
    let end = if random.chance(30) { "\r\n" } else { "\n" };
    let mut table = format!("{}{end}", COLUMNS.join(","));
    for row in 0..rows {
        let mut width = COLUMNS.len();
        if row % 97 == 50 {
            width -= 1;
        }
        let values: Vec<String> = (0..width).map(|column| value(random, column)).collect();
        table.push_str(&values.join(","));
        if row % 89 == 40 {
            table.push_str(",more");
        }
        table.push_str(end);
        if row % 61 == 60 {
            table.push_str(end);
        }
    }
    table
}

fn column(random: &mut Random) -> String {
    match random.below(7) {
        0 => "ID".to_owned(),
        1 => "\"a b\"".to_owned(),
        2 => "`odd`".to_owned(),
        at => COLUMNS[at - 3].replace("a b", "\"a b\""),
    }
}

fn literal(random: &mut Random) -> String {
    match random.below(2) {
        0 => random
            .pick(&[
                "0",
                "5",
                "-1",
                "2.5",
                "1.0",
                "+3",
                "9007199254740993",
                "9007199254740992.0",
                ".5",
            ])
            .to_owned(),
        _ => format!(
            "'{}'",
            random.pick(&["a", "Rome", "5", "007", "", "ä", "it''s", "NULL", "5 "])
        ),
    }
}

fn condition(random: &mut Random, depth: usize) -> String {
    let name = column(random);
    let not = if random.chance(40) { "not " } else { "" };
    match random.below(12) {
        0 if depth < 2 => format!(
            "{} and {}",
            condition(random, depth + 1),
            condition(random, depth + 1)
        ),
        1 if depth < 2 => format!(
            "({} or {})",
            condition(random, depth + 1),
            condition(random, depth + 1)
        ),
        2 => format!("not {}", condition(random, depth + 1)),
        3 => format!("{name} is {not}null"),
        4 => {
            let pattern = random.pick(&["%o%", "r%", "%E", "_", "%5%", "Ä%", "__m_", "%%"]);
            format!("city {not}like '{pattern}'")
        }
        5 => format!("{name} {not}in ({}, {})", literal(random), literal(random)),
        6 => format!(
            "{name} {not}between {} and {}",
            literal(random),
            literal(random)
        ),
        7 => format!(
            "{} {} {name}",
            literal(random),
            random.pick(&["<", ">=", "="])
        ),
        _ => {
            let operator = random.pick(&["=", "==", "!=", "<>", "<", "<=", ">", ">="]);
            format!("{name} {operator} {}", literal(random))
        }
    }
}

fn aggregate(random: &mut Random) -> String {
    let function = random.pick(&["count", "sum", "avg", "min", "MAX"]);
    match random.below(4) {
        0 => "count(*)".to_owned(),
        1 => format!("{function}( {} )", column(random)),
        _ => format!("{function}({})", column(random)),
    }
}

/// A statement, with a mark for its condition.
fn statement(random: &mut Random) -> String {
    let mut limit = String::new();
    if random.chance(50) {
        limit = format!(" limit {}", random.below(30));
        if random.chance(30) {
            limit += &format!(" offset {}", random.below(5));
        }
    }
    let direction = |random: &mut Random| random.pick(&["", " desc", " asc"]);
    match random.below(3) {
        0 => {
            let outputs = match random.below(3) {
                0 => "*".to_owned(),
                1 => column(random),
                _ => format!("{}, {} as other", column(random), column(random)),
            };
            let mut order = String::new();
            if random.chance(60) {
                order = format!(
                    " order by {}{}, 1{}",
                    column(random),
                    direction(random),
                    direction(random)
                );
            }
            format!("select {outputs} from data<>{order}{limit}")
        }
        1 => format!(
            "select {}, {} from data<>{limit}",
            aggregate(random),
            aggregate(random)
        ),
        _ => {
            let (group, one, two) = (column(random), aggregate(random), aggregate(random));
            let order = match random.below(4) {
                0 => String::new(),
                1 => format!(" order by {one}{}", direction(random)),
                2 => format!(
                    " order by {two}{}, {group}{}",
                    direction(random),
                    direction(random)
                ),
                _ => format!(" order by {group}{}", direction(random)),
            };
            format!("select {group}, {one}, {two} from data<> group by {group}{order}{limit}")
        }
    }
}

/// The text of a reply without the condition that only the engine evaluates.
fn reply(session: &Session, path: &str) -> String {
    let text = match session.read(path) {
        Ok(reply) => reply.text(),
        Err(failure) => failure.message.clone(),
    };
    let mut text = text;
    for (form, plain) in [
        ("&where=1=1", ""),
        (" and 1=1", ""),
        (" where 1=1", ""),
        ("%20and%201=1", ""),
        ("%20where%201=1", ""),
    ] {
        text = text.replace(form, plain);
    }
    text
}

fn assert_equal(session: &Session, simple: &str, engine: &str) {
    assert_eq!(reply(session, simple), reply(session, engine), "{simple}");
}

#[test]
fn simple_queries_have_the_results_of_the_engine() {
    let mut random = Random(0x5eed);
    for rows in [0, 1, 7, 150, 700, 2600] {
        let workspace = Workspace::new();
        workspace.file("a.csv", table(&mut random, rows));
        let session = workspace.session();
        for _ in 0..60 {
            let simple = condition(&mut random, 0);
            let range = random.pick(&["", "", "3-40", "5", "1-3,7-90"]);
            let page = random.pick(&["", "&limit=2", "&limit=500", "&limit=3&offset=2"]);
            let of = |condition: &str, more: &str| format!("a.csv:{range}?where={condition}{more}");
            let engine = format!("({simple}) and 1=1");
            // A condition in parentheses is in the path that continues.
            assert_equal(
                &session,
                &of(&format!("({simple})"), page),
                &of(&engine, page),
            );
            let order = format!(
                "{page}&order={}{}",
                random.pick(&COLUMNS),
                random.pick(&["", ":desc"])
            );
            assert_equal(
                &session,
                &of(&format!("({simple})"), &order),
                &of(&engine, &order),
            );
            let order = order.trim_start_matches('&');
            assert_equal(
                &session,
                &format!("a.csv:{range}?{order}"),
                &format!("a.csv:{range}?{order}&where=1=1"),
            );
            let wanted = statement(&mut random);
            let with = |condition: &str| format!("a.csv:?q={}", wanted.replace("<>", condition));
            if random.chance(50) {
                assert_equal(&session, &with(""), &with(" where 1=1"));
            } else {
                let simple = with(&format!(" where ({simple})"));
                assert_equal(&session, &simple, &with(&format!(" where {engine}")));
            }
        }
    }
}

#[test]
fn queries_of_json_lines_have_the_results_of_the_engine() {
    let mut random = Random(0xfeed);
    let mut lines = String::new();
    for _ in 0..900 {
        let mut fields = Vec::new();
        for name in COLUMNS {
            if random.chance(85) {
                let value = random.pick(&[
                    "null",
                    "1",
                    "2.5",
                    "\"a\"",
                    "\"Rome\"",
                    "true",
                    "[1]",
                    "{\"x\":1}",
                    "1e300",
                    "-0.0",
                    "9007199254740993",
                ]);
                fields.push(format!("\"{name}\":{value}"));
            }
        }
        lines += &format!("{{{}}}\n", fields.join(","));
    }
    let workspace = Workspace::new();
    workspace.file("a.jsonl", lines);
    let session = workspace.session();
    for _ in 0..60 {
        let simple = condition(&mut random, 0);
        let engine = format!("({simple}) and 1=1");
        let of = |condition: &str| format!("a.jsonl:?where={condition}");
        assert_equal(&session, &of(&format!("({simple})")), &of(&engine));
        let wanted = statement(&mut random);
        let with = |condition: &str| format!("a.jsonl:?q={}", wanted.replace("<>", condition));
        assert_equal(&session, &with(""), &with(" where 1=1"));
    }
}

#[test]
fn large_table_is_grouped_and_sorted() {
    let workspace = Workspace::new();
    let rows = (0..400_000_u64).map(|row| {
        let note = if row % 5 == 0 {
            "\"a, \"\"b\"\"\""
        } else {
            "plain text of a row"
        };
        format!(
            "{row},city {},{}.5,{note}\n",
            row % 97,
            row * 7919 % 100_003
        )
    });
    workspace.file(
        "a.csv",
        format!("id,city,score,note\n{}", rows.collect::<String>()),
    );
    let session = workspace.session();
    let found = text(
        &session,
        "a.csv:?q=select city, count(*), sum(id) from data group by city order by 2 desc, city limit 2",
    );
    assert!(
        found.contains("|city 0|4124|824657722|\n|city 1|4124|824661846|"),
        "{found}"
    );
    let found = text(&session, "a.csv:?order=score:desc&limit=2");
    assert!(
        found.contains("|100002.5|") && found.contains("399998 more rows"),
        "{found}"
    );
    let found = text(
        &session,
        "a.csv:?where=note like '%\"B\"'&limit=1&offset=79999",
    );
    assert!(found.contains("|399996|399995|"), "{found}");
    // A table with more groups than the reader keeps is for the engine.
    let found = text(
        &session,
        "a.csv:?q=select id, count(*) from data group by id order by id desc limit 1",
    );
    assert!(found.contains("|399999|1|"), "{found}");
}

#[test]
fn values_that_are_for_the_engine_are_found_while_rows_are_read() {
    let workspace = Workspace::new();
    let mut table = "n,t\n".to_owned() + &"1,a\n".repeat(500);
    table += "5 apples,x\n9223372036854775807,y\n";
    workspace.file("a.csv", table);
    workspace.file("b.csv", "n\n9223372036854775807\n1\n");
    let session = workspace.session();
    // SQLite takes the number at the start of a text.
    let found = text(&session, "a.csv:?q=select sum(n) from data where t <> 'y'");
    assert!(found.contains("|505.0|"), "{found}");
    let failure = session
        .read("b.csv:?q=select sum(n) from data")
        .unwrap_err();
    assert!(failure.message.contains("integer overflow"), "{failure:?}");
    let found = text(&session, "a.csv:?q=select avg(n) from data where t = 'a'");
    assert!(found.contains("|1.0|"), "{found}");
}
