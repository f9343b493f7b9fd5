//! Workbooks: their sheets are read like tables of a database.

use super::read;
use omniread::{Dialect, Reason};
use omniread_tests::pack::zip;
use omniread_tests::{Cli, DIALECTS, Workspace, text};

const SALES: &[u8] = include_bytes!("../../../../examples/sales.xlsx");

fn workspace() -> Workspace {
    let workspace = Workspace::new();
    workspace
        .file("sales.xlsx", SALES)
        .file("x.zip", zip(&[("in/sales.xlsx", SALES)]));
    workspace
}

#[test]
fn bare_path_lists_the_sheets_in_omp() {
    let workspace = workspace();
    let session = workspace.session();
    let rendered = text(&session, "sales.xlsx");
    assert!(
        rendered.starts_with(
            "Contents (sheets; append one to `sales.xlsx`):\n:Sales A1:E8, 7 rows\n\
             :Rates A1:B5, 5 rows (hidden)\n---\n## Sales\n"
        ),
        "{rendered}"
    );
    for dialect in DIALECTS {
        let rendered = read(&session, dialect, "sales.xlsx:").text();
        assert!(
            rendered.contains("|North|2026-01-01|12|899.50 EUR|"),
            "{rendered}"
        );
        assert!(rendered.contains("*Hidden sheet*"), "{rendered}");
    }
}

#[test]
fn rows_have_the_numbers_of_the_sheet() {
    let workspace = workspace();
    let session = workspace.session();
    for book in ["sales.xlsx", "x.zip:in/sales.xlsx"] {
        for dialect in DIALECTS {
            let reply = read(&session, dialect, &format!("{book}:Sales"));
            let rendered = reply.text();
            assert!(rendered.contains("Sales!A4:E8"), "{dialect:?}: {rendered}");
            assert!(
                rendered.contains("row 3 has the names of the columns"),
                "{rendered}"
            );
            assert_eq!(reply.details.kind.name(), "database", "{dialect:?}");
            let some = read(&session, dialect, &format!("{book}:Sales:5-6")).text();
            assert!(some.contains("South") && some.contains("West"), "{some}");
            assert!(!some.contains("North") && !some.contains("East"), "{some}");
        }
    }
    // Rows above the names of the columns are read by their numbers.
    assert!(text(&session, "sales.xlsx:Sales:1-2").contains("Sales of the lamp"));
    // Case is ignored if no sheet has exactly this name.
    assert!(text(&session, "sales.xlsx:sales").contains("Sales!A4:E8"));
}

#[test]
fn condition_compares_typed_values() {
    let workspace = workspace();
    let session = workspace.session();
    for (condition, rows) in [
        ("Total>700 and Region<>'Sum'", vec!["North", "West"]),
        ("Total<300", vec!["East"]),
        ("Date>='2026-03-01'", vec!["West", "East"]),
        ("Share>0.2", vec!["North", "West"]),
        ("Date is null", vec!["Sum"]),
    ] {
        let rendered = text(&session, &format!("sales.xlsx:Sales?where={condition}"));
        for region in ["North", "South", "West", "East", "Sum"] {
            let shown = rendered.contains(&format!("|{region}|"));
            assert_eq!(shown, rows.contains(&region), "{condition}: {rendered}");
        }
    }
    let ordered = text(&session, "sales.xlsx:Sales?order=Total:desc&limit=2");
    let (sum, west) = (ordered.find("|Sum"), ordered.find("|West"));
    assert!(sum < west && sum.is_some(), "{ordered}");
    assert!(!ordered.contains("North"), "{ordered}");
    let invalid = session.read("sales.xlsx:Sales?where=Nope>1").unwrap_err();
    assert!(
        invalid.hint.unwrap().contains("Region"),
        "{}",
        invalid.message
    );
}

#[test]
fn statement_joins_sheets() {
    let workspace = workspace();
    let session = workspace.session();
    let sql = "SELECT s.Region AS region, Rate FROM Sales s JOIN Rates r ON s.Region = r.Region \
               WHERE Rate > 0.19";
    let rendered = text(&session, &format!("sales.xlsx?q={sql}"));
    assert!(
        rendered.contains("East") && rendered.contains("0.2"),
        "{rendered}"
    );
    assert!(!rendered.contains("North"), "{rendered}");
    let changes = session.read("sales.xlsx?q=DELETE FROM Sales").unwrap_err();
    assert!(
        changes.message.contains("changes data"),
        "{}",
        changes.message
    );
}

#[test]
fn range_and_formulas_are_selected() {
    let workspace = workspace();
    let session = workspace.session();
    let rendered = text(&session, "sales.xlsx:Sales?range=C7:D8&formulas=on");
    assert!(rendered.contains("Sales!C7:D8"), "{rendered}");
    assert!(
        rendered.contains("3,571.55 EUR `=SUM(D4:D7)`"),
        "{rendered}"
    );
    assert!(!rendered.contains("East"), "{rendered}");
    for wrong in ["?range=7:B", "?formulas=maybe", "?colour=red", ":x"] {
        let failure = session
            .read(format!("sales.xlsx:Sales{wrong}"))
            .unwrap_err();
        assert!(
            matches!(
                failure.reason,
                Reason::InvalidSelector(_) | Reason::Unsupported(_)
            ),
            "{wrong}: {failure:?}"
        );
    }
}

#[test]
fn missing_sheet_is_not_found() {
    let workspace = workspace();
    let session = workspace.session();
    let missing = session.read("sales.xlsx:Nope").unwrap_err();
    let Reason::NotFound(sheets) = &missing.reason else {
        panic!("{missing:?}");
    };
    assert_eq!(sheets, &["sales.xlsx:Sales", "sales.xlsx:Rates"]);
    // A member of the package is not a sheet.
    assert!(text(&session, "sales.xlsx:xl/workbook.xml").contains("<workbook"));
}

#[test]
fn workbook_on_standard_input_is_queried() {
    let workspace = workspace();
    let cli = Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), workspace.path());
    let run = cli.run_with(&["-:Sales?where=Total<300"], SALES);
    assert!(run.stdout.contains("East"), "{}{}", run.stdout, run.stderr);
    let run = cli.run(&["--dialect", "claude", "sales.xlsx:Rates"]);
    assert!(run.stdout.contains("19.00%"), "{}", run.stdout);
    let run = cli.run(&["--password-file", "no-such-file", "sales.xlsx"]);
    assert_eq!(run.code, Some(2), "{}", run.stdout);
    assert!(
        run.stderr.contains("cannot read the password"),
        "{}",
        run.stderr
    );
}

#[test]
fn sheet_wins_over_a_selector_of_the_text() {
    let workspace = Workspace::new();
    // The names of the sheets are stored, not compressed, in the fixture of this test.
    workspace.file("sales.xlsx", SALES);
    let session = workspace.session();
    // There is no sheet `3`, so it is a line of the text.
    let line = read(&session, Dialect::Omp, "sales.xlsx:3-3:raw").text();
    assert_eq!(line.trim_end(), "Sales of the lamp");
}
