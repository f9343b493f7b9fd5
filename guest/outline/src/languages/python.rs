use crate::families;
use crate::grammar::{Keyword, Nesting};
use crate::language::Language;
use crate::lexis::{LexRules, Quote};

pub const PYTHON: Language = Language {
    name: "Python",
    extensions: &["py", "pyi", "pyw", "pyx", "pxd", "bzl"],
    names: &["SConstruct", "SConscript", "BUILD", "WORKSPACE", "wscript"],
    interpreters: &["python", "python2", "python3", "pypy", "pypy3", "uv"],
    lex_rules: LexRules {
        line_comments: &["#"],
        strings: &[
            Quote::new("\"\"\"", "\"\"\"").over_lines(),
            Quote::new("'''", "'''").over_lines(),
            Quote::DOUBLE,
            Quote::SINGLE,
        ],
        ..LexRules::BARE
    },
    nesting: Nesting::Indentation,
    newlines: true,
    keywords: &[Keyword::function("def"), Keyword::of_type("class")],
    modifiers: &["async"],
    imports: &["import", "from"],
    constant: Some(families::constants::of_python),
    ..Language::NONE
};
