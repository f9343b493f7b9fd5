use crate::outline::grammar::{Calls, Language};
use crate::outline::lexis::{Block, Extra, Lexis, Quote};

pub const SQL: Language = Language {
    name: "SQL",
    extensions: &[
        "sql", "ddl", "pls", "plsql", "pks", "pkb", "psql", "mysql", "pgsql",
    ],
    lexis: Lexis {
        // `\echo` is for the program that sends the statements.
        line_comments: &["--", "# ", "\\"],
        block_comments: &[Block::C],
        strings: &[
            Quote::new("'", "'").doubled().over_lines(),
            Quote::new("\"", "\"").doubled(),
            Quote::new("`", "`").doubled(),
        ],
        extras: &[Extra::Dollars],
        ..Lexis::BARE
    },
    caseless: true,
    calls: Calls::Sql,
    ..Language::NONE
};
