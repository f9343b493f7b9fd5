use super::aggregate::Function;
use super::finish::{Machine, Rows};
use super::group::{Groups, Totals};
use super::like::Pattern;
use super::plan::Plan;
use super::program::Op;
use super::record::Record;
use super::value::{Cell, Value, compare};
use crate::pages::Layout;
use std::cmp::Ordering;

const PAGE: usize = 4096;

/// The bytes of a record of some values.
fn record(values: &[Cell<'_>]) -> Vec<u8> {
    let mut head = Vec::new();
    let mut body = Vec::new();
    for value in values {
        let kind = match *value {
            Cell::Null => 0,
            Cell::Integer(number) => {
                body.extend_from_slice(&number.to_be_bytes());
                6
            }
            Cell::Real(number) => {
                body.extend_from_slice(&number.to_be_bytes());
                7
            }
            Cell::Text(text) => {
                body.extend_from_slice(text);
                u8::try_from(13 + 2 * text.len()).unwrap()
            }
            Cell::Blob(blob) => {
                body.extend_from_slice(blob);
                u8::try_from(12 + 2 * blob.len()).unwrap()
            }
        };
        head.push(kind);
    }
    let mut record = vec![u8::try_from(head.len() + 1).unwrap()];
    record.append(&mut head);
    record.append(&mut body);
    record
}

/// The second page of a database: a table with rows whose numbers start at 1.
fn page(rows: &[Vec<Cell<'_>>]) -> Vec<u8> {
    let mut page = vec![0; PAGE];
    page[0] = 0x0d;
    page[3..5].copy_from_slice(&u16::try_from(rows.len()).unwrap().to_be_bytes());
    let mut end = PAGE;
    for (index, row) in rows.iter().enumerate() {
        let record = record(row);
        let mut cell = vec![
            u8::try_from(record.len()).unwrap(),
            u8::try_from(index + 1).unwrap(),
        ];
        cell.extend_from_slice(&record);
        end -= cell.len();
        page[end..end + cell.len()].copy_from_slice(&cell);
        let at = 8 + 2 * index;
        page[at..at + 2].copy_from_slice(&u16::try_from(end).unwrap().to_be_bytes());
    }
    page
}

/// The instructions of a program, one in each line: its name, three operands, the fourth or `-`, and the fifth.
fn program(text: &str) -> Vec<Op> {
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let ops = lines.map(|line| {
        let parts: Vec<&str> = line.split_whitespace().collect();
        let whole = |at: usize| parts[at].parse::<i64>().unwrap();
        let operand = |at: usize| usize::try_from(whole(at)).unwrap_or(usize::MAX);
        Op {
            name: parts[0].to_owned(),
            p1: operand(1),
            p2: operand(2),
            p3: operand(3),
            p4: (parts[4] != "-").then(|| parts[4].to_owned()),
            p5: u16::try_from(whole(5)).unwrap(),
            numbers: (whole(1), whole(2)),
        }
    });
    ops.collect()
}

/// The result of a program on a table. `None` if SQLite has to run it.
fn evaluate(text: &str, rows: &[Vec<Cell<'_>>]) -> Option<String> {
    let plan = Plan::of(program(text))?;
    let mut head = [0; 100];
    head[16..18].copy_from_slice(&4096_u16.to_be_bytes());
    head[28..32].copy_from_slice(&2_u32.to_be_bytes());
    let layout = Layout::of(&head, 2 * PAGE as u64)?;
    let bytes = page(rows);
    let mut machine = Machine::new(&plan, 100);
    let registers = machine.begin()?;
    let functions: Vec<Function> = plan.functions.iter().map(|(it, _)| *it).collect();
    let mut found = Record::new(plan.rows.columns);
    let read: crate::pages::Read<'_> = &mut |_, visit| visit(&bytes);
    let rows = if let Some(groups) = &plan.groups {
        let mut groups = Groups::new(&groups.grouping, &functions);
        let mut visit = |leaf: crate::pages::Leaf<'_>| {
            let work = plan.rows.run(leaf, registers, &mut found, &mut groups)?;
            Some(work > 0)
        };
        layout.leaves(plan.root, read, &mut visit)?;
        Rows::Groups(groups.into_sorted())
    } else {
        let mut totals = Totals {
            states: functions.iter().map(|it| it.start()).collect(),
        };
        let mut visit = |leaf: crate::pages::Leaf<'_>| {
            let work = plan.rows.run(leaf, registers, &mut found, &mut totals)?;
            Some(work > 0)
        };
        layout.leaves(plan.root, read, &mut visit)?;
        Rows::Totals(totals.states)
    };
    machine.end(rows)?;
    let row = |row: &Vec<Value>| {
        let values = row.iter().map(|value| match value.cell() {
            Cell::Null | Cell::Blob(_) => "-".to_owned(),
            Cell::Integer(number) => number.to_string(),
            Cell::Real(number) => format!("{number:?}"),
            Cell::Text(text) => String::from_utf8_lossy(text).into_owned(),
        });
        values.collect::<Vec<_>>().join(" ")
    };
    Some(machine.rows.iter().map(row).collect::<Vec<_>>().join(", "))
}

/// `select g, count(*), avg(b) from t group by g`, where `b` is the first column and `g` the second.
const GROUPS: &str = "
    Init 0 45 0 - 0
    SorterOpen 1 2 0 k(1,B) 0
    Integer 0 2 0 - 0
    Null 0 5 5 - 0
    Gosub 4 41 0 - 0
    OpenRead 0 2 0 2 0
    Rewind 0 12 0 - 0
    Column 0 1 11 - 0
    Column 0 0 12 - 0
    MakeRecord 11 2 13 - 0
    SorterInsert 1 13 0 - 0
    Next 0 7 0 - 1
    OpenPseudo 2 13 2 - 0
    SorterSort 1 44 0 - 0
    SorterData 1 13 2 - 0
    Column 2 0 6 - 0
    Compare 5 6 1 k(1,B) 0
    Jump 18 22 18 - 0
    Gosub 3 33 0 - 0
    Move 6 5 1 - 0
    IfPos 2 44 0 - 0
    Gosub 4 41 0 - 0
    AggStep 0 0 9 count(0) 0
    Column 2 1 14 - 0
    AggStep 0 14 10 avg(1) 1
    If 1 27 0 - 0
    Column 2 0 7 - 0
    Integer 1 1 0 - 0
    SorterNext 1 14 0 - 0
    Gosub 3 33 0 - 0
    Goto 0 44 0 - 0
    Integer 1 2 0 - 0
    Return 3 0 0 - 0
    IfPos 1 35 0 - 0
    Return 3 0 0 - 0
    AggFinal 9 0 0 count(0) 0
    AggFinal 10 1 0 avg(1) 0
    Copy 7 15 0 - 0
    Copy 9 16 1 - 0
    ResultRow 15 3 0 - 0
    Return 3 0 0 - 0
    Null 0 7 10 - 0
    Integer 0 1 0 - 0
    Return 4 0 0 - 0
    Halt 0 0 0 - 0
    Transaction 0 0 1 0 1
    Null 0 5 5 - 0
    Goto 0 1 0 - 0";

/// `select count(*), sum(b) from t where g > 3`.
const TOTALS: &str = "
    Init 0 13 0 - 0
    Null 0 1 2 - 0
    OpenRead 0 2 0 2 0
    Rewind 0 9 0 - 0
    Column 0 1 3 - 0
    Le 4 8 3 BINARY-8 84
    AggStep 0 0 1 count(0) 0
    AggStep 0 3 2 sum(1) 1
    Next 0 4 0 - 1
    AggFinal 1 0 0 count(0) 0
    AggFinal 2 1 0 sum(1) 0
    ResultRow 1 2 0 - 0
    Halt 0 0 0 - 0
    Transaction 0 0 1 0 1
    Integer 3 4 0 - 0
    Goto 0 1 0 - 0";

fn rows<'c>(values: &[(Cell<'c>, Cell<'c>)]) -> Vec<Vec<Cell<'c>>> {
    values.iter().map(|(b, g)| vec![*b, *g]).collect()
}

#[test]
fn rows_are_grouped_in_the_order_of_sqlite() {
    let rows = rows(&[
        (Cell::Integer(4), Cell::Text(b"b")),
        (Cell::Integer(7), Cell::Integer(3)),
        (Cell::Null, Cell::Text(b"b")),
        (Cell::Real(0.5), Cell::Real(3.0)),
        (Cell::Integer(1), Cell::Null),
        (Cell::Integer(2), Cell::Text(b"a")),
    ]);
    // The key of a group is that of its first row.
    let expected = "- 1 1.0, 3 2 3.75, a 1 2.0, b 2 4.0";
    assert_eq!(evaluate(GROUPS, &rows).as_deref(), Some(expected));
    let limited = GROUPS
        .replace(
            "ResultRow 15 3 0 - 0\n    Return",
            "ResultRow 15 3 0 - 0\n    Goto",
        )
        .replace("Goto 3 0 0", "Goto 0 31 0");
    assert_eq!(evaluate(&limited, &rows).as_deref(), Some("- 1 1.0"));
}

#[test]
fn condition_skips_rows_and_null() {
    let rows = rows(&[
        (Cell::Null, Cell::Integer(3)),
        (Cell::Null, Cell::Integer(4)),
        (Cell::Null, Cell::Null),
        (Cell::Null, Cell::Real(3.5)),
    ]);
    assert_eq!(evaluate(TOTALS, &rows).as_deref(), Some("2 7.5"));
    // A column that the table got later is NULL in old rows.
    let short = vec![vec![Cell::Integer(1)]];
    assert_eq!(evaluate(TOTALS, &short).as_deref(), Some("0 -"));
    let default = TOTALS.replace("Column 0 1 3 -", "Column 0 1 3 5");
    assert_eq!(evaluate(&default, &short), None);
}

#[test]
fn other_programs_and_values_are_left_to_sqlite() {
    let rows = rows(&[(Cell::Null, Cell::Text(b"12"))]);
    // The text may look like a number.
    assert_eq!(evaluate(TOTALS, &rows), None);
    for (from, to) in [
        ("BINARY-8", "NOCASE-8"),
        ("sum(1)", "group_concat(1)"),
        ("OpenRead 0 2 0 2 0", "OpenRead 0 2 0 k(2,,) 0"),
        ("OpenRead 0 2 0 2 0", "OpenRead 0 2 1 2 0"),
        ("Column 0 1 3", "Column 1 1 3"),
        ("Le 4 8 3 BINARY-8 84", "Le 4 8 3 BINARY-8 212"),
        ("Le 4 8 3 BINARY-8 84", "Le 4 2 3 BINARY-8 84"),
        ("AggStep 0 3 2 sum(1) 1", "Once 0 3 2 sum(1) 1"),
        // A value of the row before.
        (
            "AggStep 0 0 1 count(0) 0",
            "IsNull 9 8 0 - 0\n    Column 0 0 9 - 0",
        ),
        ("Integer 3 4 0 - 0", "Variable 3 4 0 - 0"),
        ("Rewind 0 9 0 - 0", "Last 0 9 0 - 0"),
    ] {
        assert!(TOTALS.contains(from));
        assert!(
            Plan::of(program(&TOTALS.replacen(from, to, 1))).is_none(),
            "{to}"
        );
    }
    for (from, to) in [
        ("k(1,B)", "k(1,NOCASE)"),
        ("SorterNext 1 14", "SorterNext 1 15"),
        (
            "Column 2 1 14 - 0\n",
            "Column 2 1 14 - 0\n    Found 1 27 14 1 0\n",
        ),
        ("Goto 0 44", "Goto 0 43"),
        ("Jump 18 22 18", "Jump 18 21 18"),
    ] {
        assert!(
            Plan::of(program(&GROUPS.replacen(from, to, 1))).is_none(),
            "{to}"
        );
    }
    assert!(Plan::of(program(GROUPS)).is_some() && Plan::of(program(TOTALS)).is_some());
}

#[test]
fn aggregates_are_those_of_sqlite() {
    let result = |name: &str, values: &[Cell<'_>]| {
        let (function, _) = Function::of(name).unwrap();
        let mut state = function.start();
        for value in values {
            state.add(*value)?;
        }
        state.result(function)
    };
    let shown = |name: &str, values: &[Cell<'_>]| format!("{:?}", result(name, values));
    let (one, half, none) = (Cell::Integer(1), Cell::Real(0.5), Cell::Null);
    assert_eq!(shown("count(1)", &[one, none, half]), "Some(Integer(2))");
    assert_eq!(shown("sum(1)", &[none]), "Some(Null)");
    assert_eq!(shown("total(1)", &[none]), "Some(Real(0.0))");
    assert_eq!(shown("avg(1)", &[one, none, one]), "Some(Real(1.0))");
    assert_eq!(shown("max(1)", &[one, half, none]), "Some(Integer(1))");
    assert_eq!(shown("min(1)", &[one, half, none]), "Some(Real(0.5))");
    // The error of the sum is added at the end.
    let tenths = [Cell::Real(0.1); 10];
    assert_eq!(shown("sum(1)", &tenths), "Some(Real(1.0))");
    let large = Cell::Integer(i64::MAX);
    assert_eq!(shown("sum(1)", &[large, one]), "None");
    assert_eq!(
        shown("avg(1)", &[large, large]),
        "Some(Real(9.223372036854776e18))"
    );
    assert_eq!(shown("sum(1)", &[Cell::Text(b"1")]), "None");
}

#[test]
fn numbers_of_a_group_are_equal_as_in_sqlite() {
    let (whole, real) = (Cell::Integer(1 << 53), Cell::Real(9_007_199_254_740_992.0));
    assert_eq!(compare(whole, real), Ordering::Equal);
    let rows = rows(&[
        (Cell::Integer(1), whole),
        (Cell::Integer(1), real),
        (Cell::Integer(1), Cell::Integer((1 << 53) + 1)),
        (Cell::Integer(1), Cell::Real(-0.0)),
        (Cell::Integer(1), Cell::Integer(0)),
    ]);
    let expected = "-0.0 2 1.0, 9007199254740992 2 1.0, 9007199254740993 1 1.0";
    assert_eq!(evaluate(GROUPS, &rows).as_deref(), Some(expected));
}

#[test]
fn patterns_match_as_in_sqlite() {
    let matches =
        |pattern: &str, text: &str| Pattern::of(pattern).unwrap().matches(text.as_bytes());
    for (pattern, text, expected) in [
        ("abc", "ABC", true),
        ("abc", "abcd", false),
        ("a%", "Abc", true),
        ("%c", "abc", true),
        ("%c", "abcd", false),
        ("%b%", "aBc", true),
        ("%bb%", "abcb", false),
        ("%ab%ab%", "xaby", false),
        ("%ab%ab%", "xabyABz", true),
        ("ab%ba", "aba", false),
        ("%", "", true),
        ("", "", true),
        ("", "a", false),
        ("%é%", "é", true),
        ("%a%", "x\0a", false),
        ("%%x", "aax", true),
    ] {
        if pattern.is_ascii() {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        } else {
            assert_eq!(Pattern::of(pattern), None);
        }
    }
    assert_eq!(Pattern::of("a_c"), None);
}
