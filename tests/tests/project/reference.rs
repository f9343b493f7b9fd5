//! The pages of `docs/reference/`, generated from the tables in the code.
//!
//! The tests compare the pages with the files. With `BLESS=1` in the environment they write
//! the files instead.

use omniread_options::SETTINGS;
use omniread_tests::{Cli, assert_generated, project};
use std::fmt::Write as _;
use std::fs;

fn check(name: &str, page: &str) {
    assert_generated(&format!("docs/reference/{name}"), page);
}

/// The value of a constant. A constant of `omniread_options` is replaced by its value.
fn resolved(value: &str) -> String {
    // Tests of the engines use lower limits.
    if let Some((_, value)) = value.split_once("if cfg!(test) {")
        && let Some((_, value)) = value.split_once("} else { ")
        && let Some((value, rest)) = value.split_once(" }")
    {
        return format!("{value}{rest}");
    }
    let Some(name) = value.strip_prefix("omniread_options::") else {
        return value.to_owned();
    };
    let name = name.split_whitespace().next().unwrap_or_default();
    let options = source("guest/options/src/lib.rs");
    let start = format!("pub const {name}:");
    let line = options.lines().find(|line| line.starts_with(&start));
    let (_, value) = line.and_then(|line| line.split_once("= ")).unwrap();
    value.trim_end_matches(';').to_owned()
}

/// A doc comment without links: [`NAME`] is `NAME`.
fn unlinked(doc: &str) -> String {
    doc.replace("[`", "`").replace("`]", "`")
}

fn source(path: &str) -> String {
    fs::read_to_string(project().join(path)).unwrap()
}

/// Text for a cell of a Markdown table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|").trim().to_owned()
}

/// An item with a doc comment.
struct Item {
    doc: String,
    line: String,
}

/// The items of a source file that have a doc comment, in the order of the file.
fn documented(text: &str) -> Vec<Item> {
    let mut items = Vec::new();
    let mut doc = String::new();
    for line in text.lines().map(str::trim) {
        if let Some(part) = line.strip_prefix("///") {
            let part = part.trim();
            // An empty line starts a new paragraph.
            let separator = match (doc.is_empty(), part.is_empty()) {
                (true, _) => "",
                (false, true) => "\n",
                (false, false) => " ",
            };
            doc.push_str(separator);
            doc.push_str(part);
        } else if line.starts_with('@') || line.starts_with('#') {
            // An attribute between the comment and its item.
        } else {
            if !doc.is_empty() && !line.is_empty() {
                let doc = std::mem::take(&mut doc);
                let line = line.to_owned();
                items.push(Item { doc, line });
            }
            doc.clear();
        }
    }
    items
}

/// The names and docs of the cases of a WIT `variant` or `enum`, or of the fields of a `record`.
fn members(wit: &str, heading: &str) -> Vec<(String, String)> {
    let start = wit.find(&format!("{heading} {{")).expect(heading);
    let body = &wit[start..];
    let body = &body[body.find('\n').unwrap()..body.find("\n    }").unwrap()];
    let name = |item: Item| {
        let name = item.line.trim_end_matches(',').trim_start_matches('%');
        let name = name.split(['(', ':']).next().unwrap_or_default();
        (name.replace('-', "_"), item.doc)
    };
    documented(body).into_iter().map(name).collect()
}

#[test]
fn command_line_page_matches_the_help() {
    let cli = Cli::new(env!("CARGO_BIN_EXE_omniread-under-test"), project());
    let mut page = String::from(
        "# Command line\n\nThis page is generated from `omniread help`.\n\n## omniread\n",
    );
    for (heading, arguments) in [
        ("", vec!["--help"]),
        ("## omniread call\n", vec!["help", "call"]),
        ("## omniread tools\n", vec!["help", "tools"]),
        ("## omniread batch\n", vec!["help", "batch"]),
        ("## omniread serve\n", vec!["help", "serve"]),
        ("## omniread mcp\n", vec!["help", "mcp"]),
    ] {
        let run = cli.run(&arguments);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let help: Vec<&str> = run.stdout.lines().map(str::trim_end).collect();
        let help = help.join("\n");
        let _ = write!(page, "{heading}\n```text\n{}\n```\n\n", help.trim_end());
    }
    check("command-line.md", &format!("{}\n", page.trim_end()));
}

#[test]
fn options_page_lists_every_setting() {
    let mut page = String::from(
        "# Options\n\n\
         This page is generated from the options in `guest/options`. Set an option with `--set KEY=VALUE`, with an\n\
         environment variable, or in the `options` record of a read.\n\n\
         | key | environment variable | meaning |\n|---|---|---|\n",
    );
    for setting in SETTINGS {
        let variable = setting.key.to_ascii_uppercase().replace('-', "_");
        let _ = writeln!(
            page,
            "| `{}` | `OMNIREAD_{variable}` | {} |",
            setting.key,
            cell(setting.help)
        );
    }
    page.push_str(
        "\nSizes are bytes, or have a unit of 1024: `64K`, `1.5M`. [Command line](command-line.md) lists the variables that set\n\
         options of the command line, such as `OMNIREAD_ROOT`. The build reads `OMNIREAD_PORTABLE`.\n",
    );
    check("options.md", &page);
}

#[test]
fn errors_page_lists_every_reason() {
    let wit = source("wit/read/types.wit");
    let mut page = String::from(
        "# Errors\n\n\
         This page is generated from `wit/read/types.wit`. A failed read has a kind for programs, a message with the path as\n\
         the caller wrote it, and often a hint with the next step. With `--json`, the field `error.kind` is one of these:\n\n\
         | kind | meaning |\n|---|---|\n",
    );
    for (name, doc) in members(&wit, "variant reason") {
        let _ = writeln!(page, "| `{name}` | {} |", cell(&doc));
    }
    for (heading, of) in [
        ("variant network-error", "network"),
        ("enum special-file", "special_file"),
    ] {
        let _ = write!(page, "\n## `{of}`\n\n| kind | meaning |\n|---|---|\n");
        for (name, doc) in members(&wit, heading) {
            let _ = writeln!(page, "| `{name}` | {} |", cell(&doc));
        }
    }
    page.push_str(
        "\nThe exit status of the command line is 0 if everything was read, 1 if something was not, and 2 if the command line\n\
         is wrong.\n",
    );
    check("errors.md", &page);
}

#[test]
fn limits_page_lists_every_limit() {
    let mut page = String::from(
        "# Limits\n\n\
         This page is generated from the modules that define the limits. `a << b` is a · 2ᵇ: `1 << 20` is a mebibyte.\n",
    );
    for (file, heading) in [
        ("guest/reader/src/limits.rs", "Reader"),
        ("guest/git/src/limits.rs", "Revisions of git"),
        ("guest/sites/src/limits.rs", "Handlers of sites"),
        ("guest/outline/src/limits.rs", "Outlines"),
        ("guest/logs/src/limits.rs", "Logs"),
        ("guest/markup/src/limits.rs", "Web pages, feeds and XML"),
        ("guest/images/src/limits.rs", "Image engine"),
        ("guest/sqlite/src/limits.rs", "SQLite engine"),
        (
            "guest/document/src/limits.rs",
            "Markdown and notes of documents and pages",
        ),
        ("guest/documents/src/limits.rs", "Document engine"),
        ("guest/pdf/src/limits.rs", "PDF engine"),
        ("host/src/limits.rs", "Host"),
        ("host/mcp-client/src/limits.rs", "Client of MCP servers"),
        ("host/batch/src/limits.rs", "Batches"),
        ("host/service/src/limits.rs", "Services"),
        ("host/store/src/limits.rs", "Sessions"),
        ("host/config/src/limits.rs", "Configuration files"),
        ("host/src/sandbox/net/limits.rs", "Network"),
    ] {
        let _ = write!(
            page,
            "\n## {heading}\n\nDefined in `{file}`.\n\n| name | value | meaning |\n|---|---|---|\n"
        );
        for item in documented(&source(file)) {
            let Some((_, rest)) = item.line.split_once("const ") else {
                continue;
            };
            let (Some((name, _)), Some((_, value))) = (rest.split_once(':'), rest.split_once('='))
            else {
                continue;
            };
            let value = resolved(value.trim().trim_end_matches(';'));
            let _ = writeln!(
                page,
                "| `{name}` | `{value}` | {} |",
                unlinked(&cell(&item.doc))
            );
        }
    }
    check("limits.md", &page);
}

/// The page describes every field in the JSON of the command line.
#[test]
fn json_page_names_every_field() {
    let page = source("docs/reference/json.md");
    let code = ["mod", "failure", "reply"].map(|name| source(&format!("host/src/json/{name}.rs")));
    let code = code.concat();
    let mut names = Vec::new();
    // Names in `json!`, and the first arguments of `field` and `serialize_entry`.
    for (at, _) in code.match_indices("\": ") {
        names.push(code[..at].rsplit('"').next().unwrap_or_default());
    }
    for call in ["serialize_entry(\"", "field(\""] {
        let calls = code.split(call).skip(1);
        names.extend(calls.filter_map(|call| call.split('"').next()));
    }
    // Fields of the structures that are serialized.
    let types = [
        "details", "document", "failure", "listing", "media", "text", "window",
    ];
    let types = types
        .map(|name| source(&format!("host/src/types/{name}.rs")))
        .concat();
    for part in types.split("\n#[derive(").skip(1) {
        let (derived, rest) = part.split_once('\n').unwrap_or_default();
        let definition = rest.split("\n}").next().unwrap_or_default();
        if !derived.contains("Serialize") || !definition.contains("pub struct") {
            continue;
        }
        let mut renamed = None;
        for line in definition.lines().map(str::trim) {
            if let Some(attribute) = line.strip_prefix("#[serde(") {
                renamed = attribute
                    .contains("skip")
                    .then_some("")
                    .or_else(|| attribute.split('"').nth(1));
            } else if let Some((name, _)) = line
                .strip_prefix("pub ")
                .and_then(|line| line.split_once(": "))
            {
                names.push(
                    renamed
                        .take()
                        .filter(|name| *name != "super::sorted")
                        .unwrap_or(name),
                );
            }
        }
    }
    assert!(names.contains(&"total_lines") && names.contains(&"encoding_guessed"));
    let missing: Vec<_> = names
        .into_iter()
        .filter(|name| {
            !name.is_empty()
                && !name.contains([' ', '/', '{'])
                && !page.contains(&format!("`{name}`"))
        })
        .collect();
    assert!(
        missing.is_empty(),
        "docs/reference/json.md lacks {missing:?}"
    );
}
