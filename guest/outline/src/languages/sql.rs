use crate::families;
use crate::language::Language;
use crate::lexis::{Block, LexFeature, LexRules, Quote};

pub const SQL: Language = Language {
    name: "SQL",
    extensions: &[
        "sql", "ddl", "pls", "plsql", "pks", "pkb", "psql", "mysql", "pgsql",
    ],
    lex_rules: LexRules {
        // `\echo` is a command of psql, not a statement.
        line_comments: &["--", "# ", "\\"],
        block_comments: &[Block::C],
        strings: &[
            Quote::new("'", "'").doubled().over_lines(),
            Quote::new("\"", "\"").doubled(),
            Quote::new("`", "`").doubled(),
        ],
        extras: &[LexFeature::Dollars, LexFeature::Backslashes],
        ..LexRules::BARE
    },
    case_insensitive: true,
    family: &families::sql::SQL,
    ..Language::NONE
};
