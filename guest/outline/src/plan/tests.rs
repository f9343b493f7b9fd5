use super::*;
use crate::languages::by_name;
use crate::parse;
use proptest::prelude::*;
use std::fmt::Write as _;

const ROOM: Budget = Budget {
    lines: 1000,
    headings: 1000,
    bytes: 50 << 10,
};

/// Renders the outline of a text as a reply does.
fn written(text: &str, name: &str, lines: usize) -> String {
    let parsed = parse(text, by_name(name).unwrap());
    let budget = Budget { lines, ..ROOM };
    let pieces = plan(text, &parsed, budget).unwrap();
    let of: Vec<&str> = text.lines().collect();
    let line = |number: &u32| of[*number as usize - 1];
    let mut out = String::new();
    for piece in &pieces {
        let _ = match piece {
            Piece::Line(number) => writeln!(out, "{number}:{}", line(number)),
            Piece::Fold {
                first,
                last,
                tail,
                words,
            } => {
                let words = words.as_ref().map_or(String::new(), |w| format!(" {w}"));
                let tail = if *tail { line(last).trim() } else { "" };
                writeln!(out, "{first}-{last}:{} …{words} {tail}", line(first))
            }
            Piece::Gap { first, last, words } => {
                let words = words.as_ref().map_or(String::new(), |w| format!(" {w}"));
                writeln!(out, "…{words} ({first}-{last})")
            }
        };
    }
    out
}

#[test]
fn long_bodies_fold_after_their_signature() {
    let rust = "\
use std::fmt;
use std::io;
use std::mem;

/// A thing.
#[derive(Debug)]
pub struct Thing {
    a: u32,
    b: u32,
}

impl Thing {
    /// Makes one.
    pub fn new(
        a: u32,
        b: u32,
    ) -> Self {
        let c = a;
        let d = b;
        Self { a: c, b: d }
    }
}
";
    assert_eq!(
        written(rust, "a.rs", 8),
        "1-3:use std::fmt; … use std::mem;
7-10:pub struct Thing { … }
12:impl Thing {
14:    pub fn new(
15:        a: u32,
16:        b: u32,
17-21:    ) -> Self { … }
22:}
"
    );
    let python = "\
class Thing:
    \"\"\"A thing.\"\"\"

    def name(self):
        a = 1
        return a

    def other(self):
        a = 2
        return a
";
    assert_eq!(
        written(python, "a.py", 4),
        "1:class Thing:
2:    \"\"\"A thing.\"\"\"
4-6:    def name(self): … 
8-10:    def other(self): … 
"
    );
}

#[test]
fn fitting_bodies_are_shown_smallest_first() {
    let text = "\
fn small() {
    one();
}

fn large() {
    one();
    two();
    three();
}
";
    assert_eq!(
        written(text, "a.rs", 5),
        "1:fn small() {\n2:    one();\n3:}\n5-9:fn large() { … }\n"
    );
    assert_eq!(written(text, "a.rs", 1000).lines().count(), 8);
}

#[test]
fn hidden_members_are_counted() {
    let mut text = String::new();
    for class in 0..3 {
        let _ = writeln!(text, "class C{class} {{");
        for method in 0..10 {
            let _ = writeln!(
                text,
                "    void m{method}() {{\n        x();\n        y();\n    }}"
            );
        }
        text.push_str("}\n");
    }
    let all = written(&text, "A.java", 36);
    assert_eq!(all.matches("void m").count(), 30, "{all}");
    let some = written(&text, "A.java", 20);
    assert_eq!(some.matches("void m").count(), 10, "{some}");
    assert_eq!(some.matches("… 10 methods }").count(), 2, "{some}");
    let none = written(&text, "A.java", 3);
    assert_eq!(none.matches("… 10 methods }").count(), 3, "{none}");
}

#[test]
fn hidden_functions_are_counted() {
    let mut text = String::new();
    for function in 0..1000 {
        let _ = writeln!(text, "void f{function}() {{\n    x();\n    y();\n}}");
    }
    let some = written(&text, "a.c", 100);
    assert!(some.lines().count() <= 100, "{some}");
    assert!(some.contains(" functions ("), "{some}");
    assert!(some.starts_with("1-4:void f0() { … }\n"), "{some}");
}

#[test]
fn local_functions_are_hidden_first() {
    let mut text = String::new();
    for function in 0..20 {
        let _ = writeln!(
            text,
            "def outer{function}():\n    def inner{function}():\n        return 1\n    return inner{function}"
        );
    }
    let all = written(&text, "a.py", 100);
    assert_eq!(all.matches("def inner").count(), 20, "{all}");
    let some = written(&text, "a.py", 25);
    assert_eq!(some.matches("def outer").count(), 20, "{some}");
    assert!(some.contains("… 1 function"), "{some}");
}

/// Generates lines of Rust code, which need not be valid.
fn code() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        Just("fn name(a: u32) -> u32 {".to_owned()),
        Just("impl Name {".to_owned()),
        Just("struct Name {".to_owned()),
        Just("}".to_owned()),
        Just("// a remark".to_owned()),
        Just("/// doc".to_owned()),
        Just("#[attribute]".to_owned()),
        Just("let a = 1;".to_owned()),
        Just("use a::b;".to_owned()),
        Just(String::new()),
        "[a-z(){};\"'/* ]{0,12}",
    ];
    prop::collection::vec(line, 1..200).prop_map(|lines| lines.join("\n"))
}

proptest! {
    /// An outline fits into its budget, and contains each significant line exactly once, shown or
    /// marked as left out.
    #[test]
    fn hidden_code_leaves_mark_within_budget(text in code(), lines in 1usize..120) {
        let language = by_name("a.rs").unwrap();
        let parsed = parse(&text, language);
        let budget = Budget { lines, ..ROOM };
        let Some(pieces) = plan(&text, &parsed, budget) else {
            return Ok(());
        };
        let of = Lines::new(&text, &parsed);
        // The budget cannot be met if there are more gaps than lines.
        if parsed.items.len() < lines / 3 {
            prop_assert!(pieces.len() <= lines, "{} of {lines}", pieces.len());
        }
        let mut next = 1;
        for piece in &pieces {
            let (first, last) = match piece {
                Piece::Line(line) => (*line, *line),
                Piece::Fold { first, last, .. } | Piece::Gap { first, last, .. } => (*first, *last),
            };
            prop_assert!(first >= next && last >= first);
            prop_assert!(next == first || !of.has_significant(next, first - 1));
            next = last + 1;
        }
        let count = u32::try_from(of.count()).unwrap();
        prop_assert!(next > count || !of.has_significant(next, count));
    }
}

#[test]
fn file_documentation_is_shown_first() {
    let python =
        "\"\"\"\nAll about it.\n\nAnd more.\n\"\"\"\nimport os\n\ndef f():\n    return 1\n";
    let out = written(python, "a.py", 4);
    assert!(out.starts_with("2-5:All about it. …"), "{out}");
    // A string after the first statement is not documentation.
    let late = "import os\n'''a\nb'''\ndef f():\n    return 1\n";
    assert!(!written(late, "a.py", 3).contains("'''"));
    let rust =
        "// Licence.\n\n//! All about it.\n//! And more.\n\n/// One.\nfn f() {\n    a();\n}\n";
    let out = written(rust, "a.rs", 2);
    assert_eq!(out, "3://! All about it.\n7-9:fn f() { … }\n");
}

#[test]
fn long_comments_leave_a_mark() {
    let note = "// Of nothing that follows.\n".repeat(9);
    let rust = format!("fn one() {{\n    a();\n}}\n\n{note}\nfn two() {{\n    b();\n}}\n");
    assert_eq!(
        written(&rust, "a.rs", 3),
        "1-3:fn one() { … }\n… (4-14)\n15-17:fn two() { … }\n"
    );
}
