//! What ctags takes for declarations, and a line of code shows to be none.

/// Words of OCaml behind which a name stands.
const OCAML: &[&str] = &["private", "virtual", "mutable", "rec", "nonrec"];

/// Whether the line of a declaration shows that it is none; the line before it is
/// needed to know where its statement begins.
pub fn shown(language: &str, before: &str, line: &str, name: &str) -> bool {
    let line = line.trim();
    match language {
        // `method private name` is not called `private`.
        "OCaml" => OCAML.contains(&name),
        // `(defn #^{:private true} name` is named behind what is said of it.
        "Clojure" => name.starts_with("#^") || name.starts_with('^'),
        "C" => asserts(line) || calls_macro(before, line, name) || stands_behind(line, name),
        "C++" => asserts(line) || stands_behind(line, name),
        _ => false,
    }
}

/// `static_assert(sizeof(a) == 1, "…");` declares nothing.
fn asserts(line: &str) -> bool {
    let call = |word| line.strip_prefix(word).map(str::trim_start);
    let behind = call("static_assert").or_else(|| call("_Static_assert"));
    behind.is_some_and(|behind| behind.starts_with('('))
}

/// `name(a, b);` calls a macro: there is no type before it, and its statement
/// begins with its line.
fn calls_macro(before: &str, line: &str, name: &str) -> bool {
    let before = before.trim();
    let begins =
        before.is_empty() || before.starts_with('#') || before.ends_with([';', '}', '{', '/']);
    let behind = line.strip_prefix(name).map(str::trim_start);
    begins && behind.is_some_and(|behind| behind.starts_with('(')) && line.ends_with(");")
}

/// `class name MACRO {` is not called `MACRO`, which is in capitals.
fn stands_behind(line: &str, name: &str) -> bool {
    let shouted = |word: &str| !word.contains(|sign: char| sign.is_ascii_lowercase());
    let head = line.split(['{', ':']).next().unwrap_or(line);
    let mut words = head
        .split_whitespace()
        .rev()
        .skip_while(|word| *word == "final");
    words.next() == Some(name)
        && shouted(name)
        && words.next().is_some_and(|word| {
            !shouted(word)
                && word
                    .chars()
                    .all(|sign| sign.is_alphanumeric() || sign == '_')
        })
        && words.any(|word| matches!(word, "class" | "struct" | "union" | "enum"))
}
