//! A source file → the paths that it imports or uses.

/// The path of a module or item in its crate, as a list of names. The path of the crate root is
/// empty.
pub type Module = Vec<String>;

/// The text of a source file without its comments, the contents of its strings and its module `tests`.
pub fn code(text: &str) -> String {
    let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap();
    let mut code = String::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let skipped = match c {
            '/' if rest.starts_with("//") => rest.find('\n').unwrap_or(rest.len()),
            '/' if rest.starts_with("/*") => rest.find("*/").map_or(rest.len(), |end| end + 2),
            '"' | '\'' | 'r' => literal(rest, &code),
            _ => 0,
        };
        if skipped == 0 {
            code.push(c);
            rest = &rest[c.len_utf8()..];
        } else {
            // It still separates what is before it from what is after it.
            code.push(' ');
            rest = &rest[skipped..];
        }
    }
    code
}

/// The length of the literal of a string or a character at the start of a text, after other code. 0 if
/// there is none.
fn literal(text: &str, before: &str) -> usize {
    let raw = text
        .strip_prefix('r')
        .map(|rest| rest.trim_start_matches('#'));
    if let Some(open) = raw {
        let is_word = before.ends_with(|c: char| c.is_alphanumeric() && c != 'b' || c == '_');
        let Some(inside) = open.strip_prefix('"').filter(|_| !is_word) else {
            return 0;
        };
        let hashes = "#".repeat(text.len() - 1 - open.len());
        let end = inside.find(&format!("\"{hashes}"));
        let start = text.len() - inside.len();
        return end.map_or(text.len(), |end| start + end + 1 + hashes.len());
    }
    let quote = text.chars().next().unwrap();
    let inside = &text[1..];
    if quote == '\'' && !inside.starts_with('\\') {
        // Otherwise it is a lifetime.
        let length = inside.chars().next().map_or(0, char::len_utf8);
        let ends = inside[length..].starts_with('\'');
        return if ends { length + 2 } else { 0 };
    }
    let mut is_escaped = false;
    for (at, c) in inside.char_indices() {
        if is_escaped || c == '\\' {
            is_escaped = !is_escaped;
        } else if c == quote {
            return at + 2;
        }
    }
    text.len()
}

/// Adds each path in an import tree, such as `a::{b, c::d}`, to `out`. `before` is the start of
/// these paths, which is not in the tree.
fn paths(tree: &str, before: &[String], out: &mut Vec<Module>) {
    let tree = tree.trim();
    if let Some(list) = tree.strip_prefix('{') {
        let list = list.strip_suffix('}').unwrap_or(list);
        let (mut depth, mut start) = (0, 0);
        for (at, c) in list.char_indices().chain([(list.len(), ',')]) {
            match c {
                '{' => depth += 1,
                '}' => depth -= 1,
                ',' if depth == 0 => {
                    paths(&list[start..at], before, out);
                    start = (at + 1).min(list.len());
                }
                _ => {}
            }
        }
        return;
    }
    let word = |text: &str| text.split_whitespace().next().unwrap_or("").to_owned();
    let mut path = before.to_vec();
    match tree.split_once("::") {
        Some((first, rest)) => {
            path.push(word(first));
            paths(rest, &path, out);
        }
        None if !tree.is_empty() => {
            path.push(word(tree));
            out.push(path);
        }
        None => {}
    }
}

/// The paths that the code of a file imports or uses, as written. Each has a flag that is true for
/// a re-export.
pub fn imports(code: &str) -> Vec<(bool, Module)> {
    let mut all = Vec::new();
    let mut rest = code;
    // The code without imports.
    let mut body = String::new();
    while let Some(at) = rest.find("use ") {
        let (before, after) = rest.split_at(at);
        let line = before.rsplit('\n').next().unwrap().trim();
        let end = after.find(';').unwrap_or(after.len());
        let mut found = Vec::new();
        body.push_str(before);
        if line.is_empty() || line.starts_with("pub") {
            paths(&after[4..end], &[], &mut found);
            all.extend(
                found
                    .into_iter()
                    .map(|path| (line.starts_with("pub"), path)),
            );
            rest = &after[end..];
        } else {
            body.push_str("use ");
            rest = &after[4..];
        }
    }
    body.push_str(rest);
    // Paths to higher modules, also in re-exports.
    for (at, _) in code
        .match_indices("crate::")
        .chain(code.match_indices("super::"))
    {
        if code[..at].ends_with(':') {
            // This is the middle of a path.
            continue;
        }
        let end = code[at..].find(|c: char| !c.is_alphanumeric() && c != '_' && c != ':');
        let path = &code[at..at + end.unwrap_or(code.len() - at)];
        // This is a function of the same file, called from a nested module.
        let own = path
            .strip_prefix("super::")
            .filter(|name| !name.contains("::"));
        if own.is_some_and(|name| code.contains(&format!("fn {name}("))) {
            continue;
        }
        // A path that continues in braces is in an import, which is parsed above.
        if !path.ends_with("::") {
            all.push((false, path.split("::").map(str::to_owned).collect()));
        }
    }
    all.extend(inner_paths(&body).into_iter().map(|path| (false, path)));
    all
}

/// The paths in code without imports that may begin with a module of the file, such as `child::f`.
fn inner_paths(body: &str) -> Vec<Module> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let mut all = Vec::new();
    for part in body.split(|c: char| !is_name(c) && c != ':') {
        let path: Module = part.split("::").map(str::to_owned).collect();
        let is_path = path.len() > 1 && path.iter().all(|name| name.chars().all(is_name));
        let first = path[0].as_str();
        // Types, and paths that are found by their first name.
        let is_other = first.is_empty() || matches!(first, "crate" | "super" | "Self");
        if is_path && !is_other {
            all.push(path);
        }
    }
    all
}

#[test]
fn import_trees_are_parsed() {
    let code = "pub use a::B;\nuse super::{c, d::{self, E}};\nfn f() { crate::g::h(); i::j(k) }";
    let found = imports(code).into_iter();
    let found = found.map(|(public, path)| (public, path.join("::")));
    let expected = [
        (true, "a::B"),
        (false, "super::c"),
        (false, "super::d::self"),
        (false, "super::d::E"),
        (false, "crate::g::h"),
        (false, "i::j"),
    ];
    let expected = expected.map(|(public, path)| (public, path.to_owned()));
    assert_eq!(found.collect::<Vec<_>>(), expected);
}

#[test]
fn comments_and_strings_are_no_code() {
    let text = "a // b::c\n/* d */ \"e::f \\\" g\" r#\"h\"i\"# 'j' '\\'' &'k x";
    let code = code(text);
    let left: Vec<&str> = code.split_whitespace().collect();
    assert_eq!(left, ["a", "&'k", "x"]);
}
