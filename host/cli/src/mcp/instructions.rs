//! The instructions of the MCP server: what the model of a client has to know besides the definition
//! of the tool.
//!
//! Claude Code cuts them after 2,048 characters. Of the first line, Codex makes the description by which
//! its model decides whether to load the definition of the tool at all, so that it names all kinds.

use omniread::{Dialect, Reader};
use serde_json::Value;

/// A line of the instructions: a kind of content, and paths that read it.
struct Line {
    /// The kind and its paths.
    text: &'static str,
    /// The engine that the kind needs, if any.
    engine: Option<&'static str>,
    /// The dialects that do not read the kind.
    without: &'static [Dialect],
}

impl Line {
    const fn without(self, without: &'static [Dialect]) -> Self {
        Self { without, ..self }
    }
}

const fn line(text: &'static str) -> Line {
    Line {
        text,
        engine: None,
        without: &[],
    }
}

const fn with(engine: &'static str, text: &'static str) -> Line {
    Line {
        engine: Some(engine),
        ..line(text)
    }
}

/// The kinds of content, one on each line. `{}` is the colon that a path needs in dialects in which the
/// path of a file alone reads its text or nothing.
const KINDS: &[Line] = &[
    line(
        "Text and code: `src/a.rs`, lines `src/a.rs:50-80`, the end `log.txt:-20`, exact text `a.json:raw`",
    ),
    line(
        "Declarations, headings, keys: `src/a.rs:sym:Type.name`, the one around a line `src/a.rs:120:block`",
    ),
    // The tool is called `read_file`, and another one lists directories.
    line("Directories: `src/`").without(&[Dialect::Comma, Dialect::Gemini, Dialect::Codex]),
    line("Archives, also in archives: members `x.zip{}`, one of them `x.zip:src/a.rs:50-80`"),
    with(
        "images",
        "Images, shown to you: `photo.png`, smaller `photo.png:half`, an SVG `logo.svg:img`",
    )
    .without(&[Dialect::Comma, Dialect::Codex]),
    with("pdf", "PDF: text `a.pdf{}`, `a.pdf:page:2`"),
    with("pdf", "Pages of PDF as images: `a.pdf:page:2:img`")
        .without(&[Dialect::Comma, Dialect::Codex]),
    with(
        "documents",
        "Word, PowerPoint, OpenDocument, RTF, e-books: `a.docx{}`, `a.pptx:slide:2`, `b.epub:chapter:2`",
    ),
    with(
        "documents",
        "Workbooks: `b.xlsx{}`, a sheet `b.xlsx:Sales`, rows `b.xlsx:Sales?where=Total>9`",
    ),
    line("CSV: text `x.csv`, a table `x.csv:`, rows `x.csv?where=age>30`"),
    with(
        "sqlite",
        "SQLite: tables `app.db{}`, a row `app.db:users:42`, a query `app.db?q=SELECT name FROM users`",
    ),
    with(
        "documents",
        "Mails: the source `m.eml`, the text `m.eml:`, an attachment `m.eml:a.docx`",
    ),
    line("Notebooks: `a.ipynb{}`, `a.ipynb:cell:3`"),
    line("Web pages and feeds in files, as Markdown: `page.html:`, `feed.xml:`"),
];

/// How the paths of a dialect are written, and how a long reply continues.
fn rules(dialect: Dialect) -> (&'static str, &'static str) {
    let path = match dialect {
        Dialect::Comma => "A path is relative to the project.",
        Dialect::Gateway | Dialect::Gemini | Dialect::Codex => {
            "A path is absolute: write the directory of the project before the paths below."
        }
        _ => "A path is relative to the project, or absolute.",
    };
    let long = match dialect {
        Dialect::Omp => "A long reply ends with the path that continues.",
        _ => {
            "A long reply states how to continue: with another path, or with the arguments for lines."
        }
    };
    (path, long)
}

/// The instructions for the tool of a dialect, whose definition is JSON as MCP has it.
pub fn instructions(reader: &Reader, dialect: Dialect, tool: &Value) -> String {
    let name = tool["name"].as_str().unwrap_or_default();
    let has = |engine: &str| reader.engines().any(|name| name == engine);
    let mut kinds = vec!["code", "logs of any size", "archives", "CSV", "notebooks"];
    if has("documents") {
        kinds.extend(["PDF", "Word", "PowerPoint", "Excel", "e-books", "mails"]);
    }
    if has("sqlite") {
        kinds.push("SQLite databases");
    }
    if has("images") {
        kinds.push("images");
    }
    let (path, long) = rules(dialect);
    let colon = if dialect == Dialect::Omp { "" } else { ":" };
    let mut text = format!(
        "`{name}` reads files as text and images: {}. It changes nothing.\n\
         {path} What is read of a file follows its name and a colon. {long}\n",
        kinds.join(", ")
    );
    for line in KINDS {
        if line.engine.is_none_or(has) && !line.without.contains(&dialect) {
            text.push_str("- ");
            text.push_str(&line.text.replace("{}", colon));
            text.push('\n');
        }
    }
    if reader.has_network() {
        text.push_str("- Pages of granted hosts, as Markdown: `https://docs.rs/url`\n");
    }
    text.truncate(text.trim_end().len());
    text
}
