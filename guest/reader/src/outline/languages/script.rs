use crate::outline::grammar::{Calls, Form, Habit, Language, Name, Place};
use crate::outline::lexis::{Block, Extra, Lexis, Quote};

const LEXIS: Lexis = Lexis {
    line_comments: &["//"],
    block_comments: &[Block::C],
    strings: &[
        Quote::DOUBLE,
        Quote::SINGLE,
        Quote::new("`", "`").over_lines().code("${"),
    ],
    word: "$",
    tails: "",
    last: "",
    extras: &[Extra::Regexes],
};

const WITH_MARKUP: Lexis = Lexis {
    extras: &[Extra::Regexes, Extra::Markup],
    ..LEXIS
};

pub const JAVASCRIPT: Language = Language {
    name: "JavaScript",
    extensions: &["js", "mjs", "cjs", "jsx"],
    interpreters: &["node", "nodejs", "deno", "bun"],
    lexis: WITH_MARKUP,
    newlines: true,
    forms: &[
        Form::function("function").with_block(),
        Form::of_type("class").with_block(),
    ],
    modifiers: &[
        "export", "default", "async", "static", "get", "set", "const", "let", "var",
    ],
    calls: Calls::Script,
    control: &[
        "if", "for", "while", "switch", "return", "catch", "with", "function", "do", "else",
        "super", "await", "new", "case", "throw", "typeof", "yield", "import", "try", "finally",
        "default", "in", "of",
    ],
    imports: &["import"],
    ..Language::NONE
};

pub const TYPESCRIPT: Language = Language {
    name: "TypeScript",
    extensions: &["ts", "mts", "cts"],
    lexis: LEXIS,
    forms: &[
        Form::function("function"),
        Form::of_type("class").with_block(),
        Form::of_type("interface").with_block(),
        Form::of_type("enum").with_block().holding(Place::Entries),
        Form::of_type("type").named(Name::Alias),
        Form::module("namespace").with_block().holding(Place::File),
        Form::module("module").with_block().holding(Place::File),
    ],
    modifiers: &[
        "export",
        "default",
        "declare",
        "abstract",
        "async",
        "public",
        "protected",
        "private",
        "static",
        "readonly",
        "override",
        "get",
        "set",
        "const",
        "let",
        "var",
        "accessor",
    ],
    habits: &[Habit::Annotations],
    ..JAVASCRIPT
};

pub const TSX: Language = Language {
    name: "TSX",
    extensions: &["tsx"],
    lexis: WITH_MARKUP,
    interpreters: &[],
    ..TYPESCRIPT
};
