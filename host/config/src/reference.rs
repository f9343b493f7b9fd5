//! The page `docs/reference/configuration.md`.

use crate::keys::{Key, Rule, Table, keys};
use crate::kind::Kind;
use crate::limits::{USER_BYTES, WORKSPACE_BYTES, WORKSPACE_RULES};
use crate::write::shown_value;

/// The introduction of the page.
const INTRODUCTION: &str = r#"# Configuration

This page is generated from the table of keys in `host/config`.

The command line reads two files in [TOML](https://toml.io):

* The *user file* is `$XDG_CONFIG_HOME/omniread/config.toml`. If that variable is not set, it is
  `~/.config/omniread/config.toml`, on macOS `~/Library/Application Support/omniread/config.toml`, and on Windows
  `%APPDATA%\omniread\config.toml`. `--config FILE` reads another file in its place.
* The *workspace file* is `omniread.toml` at the top of the first root.

```toml
# The user file.
deny = ["*.pem", ".env"]
dialect = "claude"

[mounts]
docs = "~/notes"
skill = "auto"

[limits]
timeout = "20s"

[network]
allow = ["docs.example.com"]
headers = ["docs.example.com=Authorization=env:DOCS_TOKEN"]

[options]
limit = 500
outlines = false
```

A value comes from the first of these that sets it:

1. an option of the command line;
2. an environment variable;
3. the user file;
4. the workspace file;
5. the default.

There is one exception: the workspace file lowers limits that the others set, and a warning says so.

Deny rules and mounts of all of them apply together. The directories of a mount are searched in this order. Of two
rules, one of which is negated (`!PATTERN`), the later one applies: the rules of the user file are the first, and those
of the command line follow those of the environment.

## Trust

Whoever wrote the files of a directory may have written its workspace file too. So it may only restrict reads: it can
add deny rules, and it can lower the limits that the table marks with *lower*, also those that the user sets. Everything
else in it is ignored and reported, also negated rules and limits that it would raise. It must be a regular file of at
most WORKSPACE_BYTES KiB with at most WORKSPACE_RULES deny rules; a symlink is not followed. A user file may have USER_BYTES KiB.

Values of headers are never in a file: it names the file or the environment variable that has the value.

## Values

* A relative path starts in the directory of the file, and `~` is the home directory.
* A time is a number of seconds, or a text with units: `"500ms"`, `"10s"`, `"1m30s"`.
* A size is a number of bytes, or a text with a unit of 1024: `"64K"`, `"1.5M"`.
* A switch is `true`, `false`, `"on"` or `"off"`.

A file with an unknown key or a wrong value is an error. The message states the line and the column.
[omniread.schema.json](omniread.schema.json) is a JSON Schema, with which editors complete and check keys. Editors with
Taplo use it if the first line of a file is `#:schema PATH`.

## Keys
"#;

/// The page.
pub fn reference() -> String {
    let introduction = INTRODUCTION
        .replace("WORKSPACE_BYTES", &(WORKSPACE_BYTES >> 10).to_string())
        .replace("USER_BYTES", &(USER_BYTES >> 10).to_string())
        .replace("WORKSPACE_RULES", &WORKSPACE_RULES.to_string());
    let mut out = introduction;
    out.push_str("\n| key | value | default | workspace file | also set by | meaning |\n");
    out.push_str("|---|---|---|---|---|---|\n");
    for key in keys() {
        out.push_str(&row(key));
    }
    out
}

fn row(key: &Key) -> String {
    let default = match &key.default {
        Some(value) => format!("`{}`", shown_value(&key.kind, value)),
        None => String::new(),
    };
    let workspace = match key.workspace {
        Rule::Ignored => "",
        Rule::Adds => "add",
        Rule::Lowers => "lower",
    };
    let flag = key.flag.map(|flag| match key.table {
        Table::Named("options") => format!("`{flag} {}=VALUE`", key.name),
        _ => format!("`{flag}`"),
    });
    let variable = key.variable.as_ref().map(|name| format!("`{name}`"));
    let also: Vec<String> = flag.into_iter().chain(variable).collect();
    // The default has a column of its own.
    let help = match (&key.default, key.help.rsplit_once(" [default: ")) {
        (Some(_), Some((help, _))) => help,
        _ => key.help,
    };
    let cells = [
        format!("`{key}`"),
        kind(&key.kind),
        default,
        workspace.to_owned(),
        also.join(", "),
        help.to_owned(),
    ];
    format!(
        "| {} |\n",
        cells.map(|it| it.replace('|', "\\|")).join(" | ")
    )
}

/// The kind of a value, for readers of the page.
fn kind(kind: &Kind) -> String {
    let text = match kind {
        Kind::Text(_) => "text",
        Kind::Texts(_) | Kind::Headers => "list of texts",
        Kind::Directory => "directory",
        Kind::Directories => "list of directories",
        Kind::Files => "list of files",
        Kind::Time => "time",
        Kind::Number(range) => return format!("number from {} to {}", range.start(), range.end()),
        Kind::Size(_) => "size",
        Kind::Switch => "switch",
        Kind::Mount => "directory, or list of directories",
        Kind::Environment => "table of texts",
    };
    text.to_owned()
}
