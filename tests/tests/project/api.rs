//! Checks of the public API of the library, on its source.

use omniread_tests::project;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The types that are complete: a range has two ends, an image two sides, and a number is exact or a lower
/// bound. All others may get fields and variants.
const COMPLETE: [&str; 3] = ["Dimensions", "Span", "Total"];

/// The source files of the library, each with its text without comments.
fn sources(directory: &Path) -> BTreeMap<PathBuf, String> {
    let mut sources = BTreeMap::new();
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources.extend(self::sources(&path));
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
        let lines = text.lines().map(|line| line.split("//").next().unwrap());
        sources.insert(path, lines.collect::<Vec<_>>().join("\n"));
    }
    sources
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
        .filter(|word| !word.is_empty())
}

/// The statements that start with `start` at the start of a line, each up to its `;`.
fn statements<'t>(text: &'t str, start: &str) -> Vec<&'t str> {
    let starts = text.match_indices(start);
    let starts = starts.filter(|(at, _)| {
        let line = text[..*at].rsplit('\n').next().unwrap();
        line.trim().is_empty()
    });
    starts
        .map(|(at, _)| text[at..].split(';').next().unwrap())
        .collect()
}

/// The names that the library exports: those in `pub use`, and those that public modules define.
fn exported(sources: &BTreeMap<PathBuf, String>) -> BTreeSet<String> {
    let source = project().join("host/src");
    let root = &sources[&source.join("lib.rs")];
    let mut names = BTreeSet::new();
    let mut add = |statement: &str| names.extend(words(statement).map(str::to_owned));
    statements(root, "pub use ").into_iter().for_each(&mut add);
    for module in statements(root, "pub mod ") {
        let name = words(module).nth(2).unwrap();
        if let Some(text) = sources.get(&source.join(name).with_extension("rs")) {
            statements(text, "pub use ").into_iter().for_each(&mut add);
            for line in text.lines() {
                // Items at the start of a line are public.
                if let Some(item) = line.strip_prefix("pub ") {
                    add(item.split(['(', '{', '<', ':']).next().unwrap());
                }
            }
        }
    }
    names
}

/// The names in a file that are those of wasmtime or of generated bindings.
fn foreign(text: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::from([
        "wasmtime",
        "wasmtime_wasi",
        "wasmtime_wasi_http",
        "bindings",
    ]);
    for statement in statements(text, "use ") {
        let mut path = words(statement).skip(1);
        let first = path.find(|word| *word != "crate" && *word != "super");
        if first.is_some_and(|first| names.contains(first)) {
            // Other words are modules, or follow `as`.
            let rest: Vec<&str> = path.collect();
            let types = rest
                .iter()
                .filter(|word| word.starts_with(char::is_uppercase));
            names.extend(types);
            let renamed = rest.windows(2).filter(|pair| pair[0] == "as");
            names.extend(renamed.map(|pair| pair[1]));
        }
    }
    names
}

/// The parts of a file that everyone who uses the library sees: public functions, fields, variants and
/// implemented traits of exported types. Traits that are derived are not seen.
fn seen<'t>(text: &'t str, exported: &BTreeSet<String>) -> Vec<&'t str> {
    let mut seen = Vec::new();
    for line in text.lines().filter(|line| line.ends_with(';')) {
        // Constants, types with another name, and structs whose fields have no names.
        let item = ["pub const ", "pub type ", "pub struct "]
            .iter()
            .find_map(|start| line.strip_prefix(start));
        let name = item.and_then(|item| words(item).next());
        if name.is_some_and(|name| exported.contains(name))
            && (!line.contains('(') || line.contains("(pub "))
        {
            seen.push(line);
        }
    }
    let mut rest = text;
    while let Some((item, after)) = rest
        .split_once("\n}\n")
        .or((!rest.is_empty()).then_some((rest, "")))
    {
        rest = after;
        // The last item that starts at the start of a line: others before it have no body.
        let start = |line: &&str| ["pub ", "impl"].iter().any(|start| line.starts_with(start));
        let Some(head) = item.lines().rfind(start) else {
            continue;
        };
        let at = item.rfind(head).unwrap();
        let (head, body) = item[at..].split_once('{').unwrap_or((&item[at..], ""));
        let is_pub = head.starts_with("pub ");
        let subject = head.rsplit(" for ").next().unwrap();
        let name =
            words(subject).find(|word| !["pub", "impl", "struct", "enum", "trait"].contains(word));
        if !name.is_some_and(|name| exported.contains(name)) {
            continue;
        }
        seen.push(head);
        let whole = is_pub && !head.starts_with("pub struct");
        if whole {
            seen.push(body);
            continue;
        }
        for (at, _) in body.match_indices("pub ") {
            seen.push(body[at..].split(['{', ';', '\n']).next().unwrap());
            // The parameters of a function may be on lines of their own.
            if body[at..].starts_with("pub fn") {
                seen.push(body[at..].split('{').next().unwrap());
            }
        }
    }
    seen
}

#[test]
fn public_api_has_no_type_of_wasmtime() {
    let sources = sources(&project().join("host/src"));
    let exported = exported(&sources);
    for name in [
        "Reader",
        "Reply",
        "Window",
        "Network",
        "Provider",
        "FileState",
    ] {
        assert!(exported.contains(name), "{name} is exported");
    }
    let (mut wrong, mut checked) = (Vec::new(), 0);
    for (path, text) in &sources {
        let foreign = foreign(text);
        for part in seen(text, &exported) {
            checked += 1;
            if let Some(name) = words(part).find(|word| foreign.contains(word)) {
                wrong.push(format!("{}: `{name}` in `{}`", path.display(), part.trim()));
            }
        }
    }
    assert!(checked > 300, "{checked} parts of the API were found");
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn signature_with_a_type_of_wasmtime_is_found() {
    let exported = BTreeSet::from(["Reader".to_owned()]);
    let text = "use wasmtime::Store;\nuse crate::bindings::types as wit;\n\n\
        pub struct Reader {\n    pub(crate) hidden: Store,\n    pub shown: wit::Reply,\n}\n\n\
        impl Reader {\n    pub fn run(\n        store: &mut Store,\n    ) {\n        Store::new();\n    }\n}\n\n\
        impl From<wasmtime::Error> for Reader {\n    fn from(error: wasmtime::Error) {}\n}\n";
    let foreign = foreign(text);
    let found = seen(text, &exported);
    let found = found
        .iter()
        .filter(|part| words(part).any(|word| foreign.contains(word)));
    assert_eq!(found.count(), 3);
}

#[test]
fn types_that_may_grow_are_not_exhaustive() {
    let sources = sources(&project().join("host/src"));
    let exported = exported(&sources);
    let (mut complete, mut checked) = (Vec::new(), 0);
    for (path, text) in &sources {
        if path.ends_with("sandbox/net/failure.rs") {
            // An internal type has the name of an exported one.
            continue;
        }
        let lines: Vec<&str> = text.lines().collect();
        for (at, line) in lines.iter().enumerate() {
            let name = ["pub struct ", "pub enum "]
                .iter()
                .find_map(|start| words(line.strip_prefix(start)?).next());
            let Some(name) = name.filter(|name| exported.contains(*name)) else {
                continue;
            };
            // Code cannot create a struct with private fields, or name them.
            let mut body = lines[at + 1..].iter().take_while(|line| **line != "}");
            let private = |line: &&str| line.starts_with("    ") && !line.starts_with("    pub ");
            if line.starts_with("pub struct")
                && (line.ends_with(';') || body.any(|line| private(line) && line.ends_with(',')))
            {
                continue;
            }
            checked += 1;
            let mut attributes = lines[..at]
                .iter()
                .rev()
                .take_while(|line| line.starts_with('#'));
            if !attributes.any(|line| *line == "#[non_exhaustive]") {
                complete.push(name);
            }
        }
    }
    complete.sort_unstable();
    assert_eq!(complete, COMPLETE);
    assert!(checked > 40, "{checked}");
}
