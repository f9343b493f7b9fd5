//! What several tests use.

use omniread_config::{ConfigError, Form, Key, Kind, Layer, Layers, Source, Table};
use std::path::Path;

/// A user file with the name `config.toml` in `/etc/u`.
pub fn user(text: &str) -> Result<Layer, ConfigError> {
    let source = Source::user(Path::new("/etc/u/config.toml"), Some("/home/u".into()));
    Layer::parse(text, &source)
}

/// A workspace file in `/w`.
pub fn workspace(text: &str) -> Result<Layer, ConfigError> {
    Layer::parse(text, &Source::workspace(Path::new("/w")))
}

/// The layers of a user file and a workspace file.
pub fn layers(user_text: &str, workspace_text: &str) -> Layers {
    Layers {
        user: user(user_text).unwrap(),
        workspace: workspace(workspace_text).unwrap(),
        ..Layers::default()
    }
}

/// The messages of a wrong user file.
pub fn messages(text: &str) -> Vec<String> {
    let error = user(text).unwrap_err();
    error.problems.iter().map(ToString::to_string).collect()
}

/// The text of a file that sets a key to a value in TOML. A server gets what else it needs.
pub fn file(key: &Key, value: &str) -> String {
    match key.table {
        Table::Top => format!("{} = {value}\n", key.name),
        Table::Named(table) => format!("[{table}]\n{} = {value}\n", key.name),
        Table::Open(table) => format!("[{table}]\nskill = {value}\n"),
        Table::Tables(table) => {
            let command = match key.name {
                "url" | "command" => "",
                "headers" => "url = \"http://a\"\n",
                _ => "command = \"x\"\n",
            };
            format!("[{table}.one]\n{command}{} = {value}\n", key.name)
        }
    }
}

/// Texts of a form, and texts that do not have it.
pub fn texts(form: Form) -> (&'static [&'static str], &'static [&'static str]) {
    match form {
        Form::Dialect => (&["omp", "claude"], &["", "Omp", "other"]),
        Form::Rule => (&["*.pem", "!a", " a b "], &["", "  ", "a\nb", "a\0"]),
        Form::Grant => (
            &["public", "*.a.example:80", "[::1]:8080"],
            &["", "a b", "a,b"],
        ),
        Form::UserAgent => (&["x/1 (y)"], &["", "a\nb", "ä"]),
        Form::Proxy => (
            &["http://a.example:3128", "http://[::1]:1/"],
            &[
                "",
                "http://a.example",
                "https://a:1",
                "http://u:p@a:1",
                "http://a:1/x",
            ],
        ),
        Form::FileName => (&[".ignore", " a"], &["", " ", "a/b", "a,b"]),
        Form::Program => (&["npx", "/bin/a b"], &["", "a\0b"]),
        Form::Argument => (&["", "--x=y"], &["a\0b"]),
        Form::Base => (
            &["https://a.example/api/v3", "http://localhost:80"],
            &[
                "",
                "a.example",
                "https://u:p@a",
                "https://a/x?y=1",
                "https://a#b",
            ],
        ),
        Form::Address => (
            &["https://a.example/mcp?x=@y", "http://localhost:80"],
            &[
                "",
                "a.example",
                "ftp://a",
                "https://u:p@a",
                "https://",
                "https://a b",
            ],
        ),
    }
}

fn quoted(text: &str) -> String {
    let text = text.replace('\n', "\\n").replace('\0', "\\u0000");
    format!("\"{text}\"")
}

fn all(texts: &[&str], write: impl Fn(&str) -> String) -> Vec<String> {
    texts.iter().map(|text| write(&quoted(text))).collect()
}

fn in_list(text: &str) -> String {
    format!("[{text}]")
}

/// Valid values of a kind in TOML, and invalid ones. Texts with a size out of range are in neither list:
/// the schema cannot compare them.
pub fn examples(kind: &Kind) -> (Vec<String>, Vec<String>) {
    let owned = |texts: &[&str]| texts.iter().map(|&it| it.to_owned()).collect::<Vec<_>>();
    let (valid, invalid) = match kind {
        Kind::Text(form) => {
            let (valid, invalid) = texts(*form);
            (all(valid, str::to_owned), all(invalid, str::to_owned))
        }
        Kind::Texts(form) => {
            let (valid, invalid) = texts(*form);
            let mut valid = all(valid, in_list);
            valid.push("[]".to_owned());
            (valid, [all(invalid, in_list), owned(&["\"a\""])].concat())
        }
        Kind::Directory => (owned(&["\"a\"", "\"~/a\""]), owned(&["\"\"", "[\"a\"]"])),
        Kind::Directories | Kind::Files => (
            owned(&["[\"a\", \"/b\"]", "[]"]),
            owned(&["\"a\"", "[\"\"]", "[[\"a\"]]"]),
        ),
        Kind::Time => (
            owned(&["10", "0", "\"10s\"", "\"1m30s\"", "\"1.5\"", "\" 5 s \""]),
            owned(&["-1", "\"\"", "\"s\"", "\"5x\"", "\"1m30\"", "[1]"]),
        ),
        Kind::Number(range) => {
            let (least, most) = (*range.start(), *range.end());
            let mut invalid = owned(&["\"300\"", "-1"]);
            invalid.push((most + 1).to_string());
            if least > 0 {
                invalid.push((least - 1).to_string());
            }
            (vec![least.to_string(), most.to_string()], invalid)
        }
        Kind::Size(range) => {
            let least = *range.start();
            let valid = vec![
                least.to_string(),
                format!("\"{least}\""),
                format!("\"{}K\"", least.div_ceil(1024)),
                format!("\" {}.0 KiB \"", least.div_ceil(1024)),
            ];
            let mut invalid = owned(&["-1", "\"\"", "\"K\"", "\"1.5\"", "\"1KK\"", "\"iB\""]);
            if let Some(less) = least.checked_sub(1) {
                invalid.push(less.to_string());
            }
            if *range.end() < u64::MAX {
                invalid.push((*range.end() + 1).to_string());
            }
            (valid, invalid)
        }
        Kind::Switch => (
            owned(&["true", "false", "\"on\"", "\"off\""]),
            owned(&["\"yes\"", "1", "\"ON\""]),
        ),
        Kind::Headers => (
            owned(&["[\"a.example=X-Token=file:~/t\", \"a=b=env:C=D\"]", "[]"]),
            owned(&[
                "[\"a=b=secret\"]",
                "[\"a=b=file:\"]",
                "[\"=b=env:C\"]",
                "\"a=b=env:C\"",
            ]),
        ),
        Kind::Mount => (
            owned(&["\"auto\"", "\"a\"", "[\"a\", \"auto\"]"]),
            owned(&["\"\"", "[1]", "{ a = \"b\" }"]),
        ),
        Kind::Environment => (
            owned(&["{}", "{ A = \"b\" }"]),
            owned(&[
                "{ A = 1 }",
                "[\"A=b\"]",
                "{ \"A=B\" = \"c\" }",
                "{ \"\" = \"c\" }",
            ]),
        ),
    };
    let of_wrong_type = owned(&["1979-05-27", "1.5", "{ x = 1 }", "[{ x = 1 }]"]);
    (valid, [invalid, of_wrong_type].concat())
}
