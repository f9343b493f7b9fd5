//! Tables on a terminal: as wide as it is, and aligned by the width of characters.

use super::PROGRAM;
use super::pty::{Terminal, shown};
use omniread_tests::{Cli, Workspace};

/// A terminal without colours, whose output is easier to compare.
const DULL: (&str, &str) = ("TERM", "dumb");

/// The number of columns of a text in which only CJK characters and emoji are wide.
fn columns(line: &str) -> usize {
    let width = |c: char| match c {
        '\u{300}'..='\u{36f}' | '\u{200d}' => 0,
        '\u{1100}'..='\u{11ff}' | '\u{3000}'..='\u{9fff}' | '\u{1f300}'..='\u{1faff}' => 2,
        _ => 1,
    };
    line.chars().map(width).sum()
}

fn table(text: &str) -> Vec<&str> {
    text.lines().filter(|line| line.starts_with('|')).collect()
}

#[test]
fn columns_are_aligned_by_width_and_numbers_are_at_the_right() {
    let workspace = Workspace::new();
    workspace.file(
        "a.csv",
        "name,city,people\nann,東京,13960000\nböb,Köln,1087863\n😀,e\u{301}x,7\n",
    );
    let text = shown(&workspace, &["a.csv:"], &[DULL]);
    let expected = "\
| name | city |   people |
| ---- | ---- | -------: |
| ann  | 東京 | 13960000 |
| böb  | Köln |  1087863 |
| 😀   | e\u{301}x   |        7 |
";
    assert!(text.starts_with(expected), "{text}");
    // A pipe gets the reply as a model does.
    let run = Cli::new(PROGRAM, workspace.path()).run(&["a.csv:"]);
    assert!(run.stdout.contains("|ann|東京|13960000|"), "{}", run.stdout);
}

#[test]
fn pretty_aligns_tables_in_a_pipe() {
    let workspace = Workspace::new();
    workspace.file("a.csv", "name,n\nann,1\nbertha,22\n");
    workspace.file("b.txt", "a\u{1b}[1mb\n");
    let cli = Cli::new(PROGRAM, workspace.path());
    let run = cli.run(&["--pretty", "a.csv:"]);
    let expected = "| name   |   n |\n| ------ | --: |\n| ann    |   1 |\n| bertha |  22 |\n";
    assert!(run.stdout.starts_with(expected), "{}", run.stdout);
    // The exact text of a file stays exact.
    let run = cli.run(&["--pretty", "b.txt:raw"]);
    assert_eq!(run.stdout, "a\u{1b}[1mb\n");
    // What a narrow table lacks is named with the option that left it out.
    let mut command = cli.command();
    let run = command
        .env("COLUMNS", "12")
        .args(["--pretty", "a.csv:"])
        .output();
    let shown = String::from_utf8(run.unwrap().stdout).unwrap();
    assert!(shown.contains("Leave out `--pretty`"), "{shown}");
}

fn wide() -> Workspace {
    let workspace = Workspace::new();
    let cells = |tag: &str, cell: &dyn Fn(usize) -> String| {
        let cells: String = (1..=30)
            .map(|n| format!("<{tag}>{}</{tag}>", cell(n)))
            .collect();
        format!("<tr>{cells}</tr>")
    };
    let rows: String = (0..3).map(|_| cells("td", &|n| "漢".repeat(n))).collect();
    let heads = cells("th", &|n| format!("column {n}"));
    workspace.file(
        "wide.html",
        format!("<main><h1>Wide</h1><table>{heads}{rows}</table><p>The end.</p></main>"),
    );
    workspace
}

#[test]
fn table_is_cut_to_the_terminal_and_the_reply_says_so() {
    let workspace = wide();
    for (size, variable, expected) in [
        (100, None, 100),
        (100, Some("60"), 60),
        (0, None, 80),
        (0, Some("200"), 200),
        (100, Some("wide"), 100),
        (100, Some("0"), 100),
    ] {
        let environment: Vec<(&str, &str)> = [DULL]
            .into_iter()
            .chain(variable.map(|columns| ("COLUMNS", columns)))
            .collect();
        let terminal = Terminal::of(&workspace, &["--paging=never", "wide.html:"], &environment);
        let text = terminal.size(size, 24).run().text;
        let table = table(&text);
        assert_eq!(table.len(), 5, "{text}");
        let widths: Vec<usize> = table.iter().map(|line| columns(line)).collect();
        assert!(widths.iter().all(|width| *width == widths[0]), "{text}");
        assert!(
            widths[0] <= expected && widths[0] + 20 > expected,
            "{expected}: {text}"
        );
        let hidden = 30 - table[0].matches("column").count();
        let notice = format!(
            "do not fit into the {expected} columns of the terminal. Add `| cat` to the command to see everything]"
        );
        assert!(
            text.contains(&format!("[{hidden} of 30 columns ")),
            "{text}"
        );
        assert!(text.contains(&notice), "{text}");
    }
}

#[test]
fn pipe_gets_the_whole_table() {
    let workspace = wide();
    let mut command = Cli::new(PROGRAM, workspace.path()).command();
    command.arg("wide.html:").env("COLUMNS", "60");
    let output = String::from_utf8(command.output().unwrap().stdout).unwrap();
    assert!(output.contains("column 30"), "{output}");
    assert!(!output.contains("of the terminal"), "{output}");
}

#[test]
fn rows_of_a_database_fit_on_the_terminal() {
    let workspace = Workspace::new();
    let long = "a long text | with a bar ".repeat(4);
    workspace.file("a.csv", format!("id,text,more\n1,{long},{long}\n22,x,y\n"));
    for columns_of_terminal in [40, 60, 200] {
        let terminal = Terminal::of(&workspace, &["a.csv?q=SELECT * FROM a"], &[DULL]);
        let text = terminal.size(columns_of_terminal, 40).run().text;
        let table = table(&text);
        assert_eq!(table.len(), 4, "{text}");
        assert!(
            table
                .iter()
                .all(|line| columns(line) <= columns_of_terminal.into()),
            "{text}"
        );
        assert!(table[3].starts_with("|  22 | x "), "{text}");
    }
}

#[test]
fn text_of_a_file_is_not_laid_out() {
    let workspace = Workspace::new();
    workspace.file("a.md", "| a | b |\n| --- | --- |\n| 1 | 漢字 |\n");
    let text = shown(&workspace, &["a.md"], &[DULL]);
    assert!(
        text.contains("1:| a | b |\n2:| --- | --- |\n3:| 1 | 漢字 |\n"),
        "{text}"
    );
}
