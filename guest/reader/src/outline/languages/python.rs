use crate::outline::grammar::{Form, Language, Nesting};
use crate::outline::lexis::{Lexis, Quote};

pub const PYTHON: Language = Language {
    name: "Python",
    extensions: &["py", "pyi", "pyw", "pyx", "pxd", "bzl"],
    names: &["SConstruct", "SConscript", "BUILD", "WORKSPACE", "wscript"],
    interpreters: &["python", "python2", "python3", "pypy", "pypy3", "uv"],
    lexis: Lexis {
        line_comments: &["#"],
        strings: &[
            Quote::new("\"\"\"", "\"\"\"").over_lines(),
            Quote::new("'''", "'''").over_lines(),
            Quote::DOUBLE,
            Quote::SINGLE,
        ],
        ..Lexis::BARE
    },
    nesting: Nesting::Indentation,
    newlines: true,
    forms: &[Form::function("def"), Form::of_type("class")],
    modifiers: &["async"],
    imports: &["import", "from"],
    ..Language::NONE
};
