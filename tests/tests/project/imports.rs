//! Checks of the imports between the modules of each crate: no cycles, and in the reader and the layout of PDF
//! pages only from a layer to lower layers.

mod paths;

use omniread_tests::project;
use paths::{Module, code, imports};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

/// The modules of the reader, from the highest layer to the lowest.
///
/// A module imports only from modules after it in this list. Modules named `tests` are not checked.
const LAYERS: [&str; 32] = [
    "component",
    "dialects",
    "lib",
    "walk",
    "read",
    "tables",
    "sqlite",
    "convert",
    "converted",
    "sources",
    "answer",
    "request",
    "subject",
    "web",
    "sniff",
    "encoding",
    "digest",
    "pages",
    "window",
    "rooted_path",
    "path",
    "containers",
    "tag",
    "units",
    "world",
    "failure",
    "escapes",
    "quoted",
    "cp437",
    "front_matter",
    "limits",
    "bindings",
];

/// The cycles of imports that exist. A cycle that is added, and a cycle that is gone and still in this
/// list, fail the test, so that the list becomes shorter.
const CYCLES: [&str; 0] = [];

/// The paths of the modules of a crate, each with its code. Modules called `tests` or `memory` are
/// left out.
fn modules(source: &Path) -> BTreeMap<Module, String> {
    let mut modules = BTreeMap::new();
    let mut directories = vec![source.to_owned()];
    while let Some(directory) = directories.pop() {
        for entry in fs::read_dir(directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                directories.push(path);
                continue;
            }
            if path.extension().is_none_or(|extension| extension != "rs") {
                continue;
            }
            let name = path.strip_prefix(source).unwrap().with_extension("");
            let mut module: Module = name
                .iter()
                .map(|part| part.to_str().unwrap().to_owned())
                .collect();
            module.pop_if(|last| last == "mod" || last == "lib");
            if !module
                .iter()
                .any(|part| part == "tests" || part == "memory")
            {
                modules.insert(module, code(&fs::read_to_string(path).unwrap()));
            }
        }
    }
    modules
}

/// Converts a path in the code of `module` to a path from the root of the crate. `None` if it leads
/// to another crate.
fn absolute(
    module: &[String],
    path: &[String],
    modules: &BTreeMap<Module, String>,
) -> Option<Module> {
    let mut base = module.to_vec();
    let mut path = path;
    match path.first()?.as_str() {
        "crate" => return Some(path[1..].to_vec()),
        "self" => path = &path[1..],
        "super" => {
            while path.first().is_some_and(|part| part == "super") {
                base.pop();
                path = &path[1..];
            }
        }
        first => {
            let child: Module = base.iter().cloned().chain([first.to_owned()]).collect();
            modules.get(&child)?;
        }
    }
    base.extend_from_slice(path);
    Some(base)
}

/// Maps each module to the modules from which it imports.
///
/// An import of a re-exported item counts as an import from the module that defines the item.
fn graph(modules: &BTreeMap<Module, String>) -> BTreeMap<Module, BTreeSet<Module>> {
    let mut reexports: BTreeMap<(Module, String), Module> = BTreeMap::new();
    let mut all = Vec::new();
    for (module, code) in modules {
        for (public, path) in imports(code) {
            let Some(path) = absolute(module, &path, modules) else {
                continue;
            };
            if public && let Some(name) = path.last() {
                reexports.insert((module.clone(), name.clone()), path);
            } else {
                all.push((module.clone(), path));
            }
        }
    }
    let mut graph: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (module, mut path) in all {
        for _ in 0..8 {
            let owner = (0..=path.len())
                .rev()
                .find(|end| modules.contains_key(&path[..*end]));
            let end = owner.unwrap();
            let next = path
                .get(end)
                .and_then(|name| reexports.get(&(path[..end].to_vec(), name.clone())));
            match next.filter(|next| path != **next) {
                Some(next) => path = next.iter().chain(&path[end + 1..]).cloned().collect(),
                None => {
                    path.truncate(end);
                    break;
                }
            }
        }
        if path != module && modules.contains_key(&path) {
            graph.entry(module).or_default().insert(path);
        }
    }
    graph
}

fn named(module: &[String]) -> String {
    if module.is_empty() {
        "lib".to_owned()
    } else {
        module.join("/")
    }
}

/// The modules that the imports of a module lead to, directly or through other modules.
fn reachable(graph: &BTreeMap<Module, BTreeSet<Module>>, start: &Module) -> BTreeSet<Module> {
    let mut seen = BTreeSet::new();
    let mut next = vec![start];
    while let Some(module) = next.pop() {
        for import in graph.get(module).into_iter().flatten() {
            if seen.insert(import.clone()) {
                next.push(import);
            }
        }
    }
    seen
}

/// The groups of modules that import each other, directly or through other modules of the group. Each
/// is a sorted list of names with spaces between them.
fn cycles(graph: &BTreeMap<Module, BTreeSet<Module>>) -> Vec<String> {
    let reachable: BTreeMap<&Module, BTreeSet<Module>> = graph
        .keys()
        .map(|module| (module, reachable(graph, module)))
        .collect();
    let mut groups = BTreeSet::new();
    for (module, reached) in &reachable {
        let back = |other: &&Module| reachable.get(other).is_some_and(|of| of.contains(*module));
        let group: Vec<String> = reached
            .iter()
            .filter(back)
            .map(|name| named(name))
            .collect();
        if !group.is_empty() {
            groups.insert(group.join(" "));
        }
    }
    groups.into_iter().collect()
}

/// The source directories of all crates, except those of tests and benches.
fn crates() -> Vec<String> {
    let manifest = fs::read_to_string(project().join("Cargo.toml")).unwrap();
    let members = manifest.split("members = [").nth(1).unwrap();
    let members = members
        .split(']')
        .next()
        .unwrap()
        .split('"')
        .skip(1)
        .step_by(2);
    let of_program = members.filter(|member| !member.starts_with("tests"));
    // Some packages compile the sources of another one with other features.
    let of_program = of_program.filter(|member| project().join(member).join("src").is_dir());
    let sources = of_program.map(|member| format!("{member}/src"));
    sources.collect()
}

#[test]
fn imports_have_no_cycles() {
    let crates = crates();
    assert!(crates.len() > 20, "{crates:?}");
    let mut found = Vec::new();
    for source in crates {
        let graph = graph(&modules(&project().join(&source)));
        found.extend(
            cycles(&graph)
                .into_iter()
                .map(|group| format!("{source}: {group}")),
        );
    }
    assert_eq!(found, CYCLES);
}

#[test]
fn reader_imports_only_from_lower_layers() {
    let modules = modules(&project().join("guest/reader/src"));
    let graph = graph(&modules);
    let layer = |module: &Module| {
        let name = module.first().map_or("lib", String::as_str);
        let layer = LAYERS.iter().position(|layer| *layer == name);
        layer.unwrap_or_else(|| panic!("`{name}` is not in the list of layers"))
    };
    let mut upwards = Vec::new();
    let mut count = 0;
    for (module, imports) in &graph {
        for import in imports {
            count += 1;
            if layer(import) < layer(module) {
                upwards.push(format!("{} -> {}", named(module), named(import)));
            }
        }
    }
    assert_eq!(upwards, [""; 0]);
    // Without this check the test would pass if the parser found no imports.
    assert!(count > 300, "{count}");
}

/// The list of modules in the doc comment of the layout of PDF pages is in the order of its layers.
#[test]
fn pdf_layout_imports_only_from_modules_below() {
    let source = project().join("guest/pdf/src");
    let text = fs::read_to_string(source.join("layout/mod.rs")).unwrap();
    let list = text.split("```").nth(1).unwrap();
    let order: Vec<&str> = list
        .lines()
        .filter_map(|line| line.strip_prefix("//!   ")?.split_whitespace().next())
        .collect();
    let modules = modules(&source);
    let place = |module: &Module| match module.as_slice() {
        [layout, name] if layout == "layout" => {
            let place = order.iter().position(|other| other == name);
            Some(1 + place.unwrap_or_else(|| panic!("`{name}` is not in the list of modules")))
        }
        [layout] if layout == "layout" => Some(0),
        _ => None,
    };
    let count = modules.keys().filter_map(place).count();
    assert_eq!(count, order.len() + 1);
    let mut upwards = Vec::new();
    for (module, imports) in &graph(&modules) {
        for import in imports {
            if let (Some(from), Some(to)) = (place(module), place(import))
                && to <= from
            {
                upwards.push(format!("{} -> {}", named(module), named(import)));
            }
        }
    }
    assert_eq!(upwards, [""; 0]);
}

/// The modules of the document engine in groups, from the highest layer to the lowest: formats, what they
/// share, containers, and text. The root re-exports types of a lower crate.
const DOCUMENTS: [&[&str]; 5] = [
    &["open", "testing"],
    &[
        "doc", "docx", "epub", "mail", "odf", "ppt", "pptx", "rtf", "xlml", "xls", "xlsb", "xlsx",
    ],
    &[
        "budget", "chart", "diagram", "math", "objects", "report", "slides", "word", "workbook",
    ],
    &["encryption", "mime", "ole", "package", "xml"],
    &[
        "codepage", "fonts", "format", "limits", "numerals", "symbols",
    ],
];

/// The formats of documents that import another format, because they contain documents of it.
const CONTAINED: [&str; 4] = ["mail -> rtf", "ppt -> odf", "ppt -> xls", "xlsb -> xlsx"];

#[test]
fn documents_import_only_from_lower_layers() {
    let graph = graph(&modules(&project().join("guest/documents/src")));
    let layer = |name: &str| {
        let layer = DOCUMENTS.iter().position(|group| group.contains(&name));
        layer.unwrap_or_else(|| panic!("`{name}` is not in the list of layers"))
    };
    let mut upwards = BTreeSet::new();
    let mut contained = BTreeSet::new();
    for (module, imports) in &graph {
        for import in imports {
            let (Some(module), Some(import)) = (module.first(), import.first()) else {
                continue;
            };
            let (from, to) = (layer(module), layer(import));
            let text = format!("{module} -> {import}");
            if to < from {
                upwards.insert(text);
            } else if from == 1 && to == 1 && module != import {
                contained.insert(text);
            }
        }
    }
    assert_eq!(upwards.into_iter().collect::<Vec<_>>(), [""; 0]);
    assert_eq!(contained.into_iter().collect::<Vec<_>>(), CONTAINED);
}

#[test]
fn parent_that_calls_its_child_is_in_a_cycle_with_it() {
    let path = |text: &str| text.split_terminator('/').map(str::to_owned).collect();
    let modules = [
        (
            "a",
            "mod b;\nmod c;\npub use c::D;\nfn f() -> D { b::g() }\nstruct E;",
        ),
        ("a/b", "use super::{D, E};"),
        ("a/c", "pub struct D;"),
    ];
    let modules = modules.map(|(name, code)| (path(name), code.to_owned()));
    let graph = graph(&BTreeMap::from(modules));
    assert_eq!(cycles(&graph), ["a a/b"]);
    // The item that is re-exported is in the other child.
    assert_eq!(
        graph[&path("a/b")],
        BTreeSet::from([path("a"), path("a/c")])
    );
}
