//! Of C and those that come from it.

use crate::places::{Place, after, ahead, in_name, names_class};

/// Of C.
pub fn c(place: Place<'_>, name: &str) -> bool {
    let line = place.line().trim();
    asserts(line) || calls_macro(place.before(), line, name) || stands_behind(line, name)
}

/// Of C++.
pub fn cpp(place: Place<'_>, name: &str) -> bool {
    let line = place.line().trim();
    asserts(line)
        || stands_behind(line, name)
        || points(line, name)
        || calls(place, name)
        || in_macro(place)
        // `class MACRO(…) name`: the macro is not what is declared.
        || (shouted(name) && (line.starts_with(')') || (line.starts_with("class ") && called(line, name))))
}

/// Of Objective-C.
pub fn objective(place: Place<'_>, name: &str) -> bool {
    let line = place.line().trim();
    // What stands in a macro, or asks for one.
    line.starts_with('#')
        || place.before().trim_end().ends_with('\\')
        || line.starts_with("@property")
        || name == "__attribute__"
        || points(line, name)
        || listed(line, name)
        || parameter(line, name)
        || uses(line, name)
        || selects(place, name)
        || (shouted(name) && calls(place, name))
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
    called(line, name) && begins(before, name) && line.ends_with(");")
}

/// The same where constructors have no type either: no class has this name, and
/// no body follows.
fn calls(place: Place<'_>, name: &str) -> bool {
    let line = place.line().trim();
    let line = line.strip_prefix("extern ").unwrap_or(line);
    let body = |behind: String| behind.starts_with(['{', ':']);
    called(line, name)
        && begins(place.before(), name)
        && !place.behind(name).is_some_and(body)
        && !place.above().any(|place| names_class(place.line(), name))
}

/// Whether a line begins with a name and a list.
fn called(line: &str, name: &str) -> bool {
    let behind = line.strip_prefix(name).or_else(|| {
        let start = line.strip_prefix("class ")?;
        start.get(after(start, name)?..)
    });
    behind.is_some_and(|behind| behind.trim_start().starts_with('('))
}

/// Whether a statement begins behind a line; behind a call of a macro, which needs
/// no semicolon, if it calls one too.
fn begins(before: &str, name: &str) -> bool {
    let before = before.trim();
    before.is_empty()
        || before.starts_with(['#', '/'])
        || before.starts_with("if")
        || before.starts_with("else")
        || before.ends_with([';', '}', '{', '/', ':'])
        || (shouted(name) && before.ends_with([')', '\\']))
}

/// `class name MACRO {` is not called `MACRO`, which is in capitals.
fn stands_behind(line: &str, name: &str) -> bool {
    let head = line.split(['{', ':']).next().unwrap_or(line);
    let mut words = head
        .split_whitespace()
        .rev()
        .skip_while(|word| *word == "final");
    words.next() == Some(name)
        && shouted(name)
        && words
            .next()
            .is_some_and(|word| !shouted(word) && word.chars().all(in_name))
        && words.any(|word| matches!(word, "class" | "struct" | "union" | "enum"))
}

/// `BOOL (*name)(int)` declares a pointer; ctags takes its type for a function.
fn points(line: &str, name: &str) -> bool {
    let behind = after(line, name).and_then(|end| line.get(end..));
    let behind = behind.map(|behind| behind.trim_start_matches(['*', ' ', '\t']));
    let within = behind.and_then(|behind| behind.strip_prefix('('));
    // The way it is called may stand before the asterisk.
    within.is_some_and(|within| {
        let word = within.trim_start().trim_start_matches(in_name);
        word.trim_start().starts_with(['*', '^'])
    })
}

/// What stands in the body that a macro begins, `TEST(a, b) {`, is not declared for
/// others; ctags does not know that it is a body, and takes variables and calls
/// there for functions.
fn in_macro(place: Place<'_>) -> bool {
    let types = ["class", "struct", "union", "enum", "typedef", "using"];
    let line = place.line();
    if place.indent().is_none_or(|indent| indent == 0)
        || types.iter().any(|word| after(line, word).is_some())
    {
        return false;
    }
    let outer = |place: &Place<'_>| {
        let line = place.line();
        place.indent() == Some(0) && !line.starts_with(['#', '/', '*'])
    };
    let mut outer = place.above().filter(outer);
    let Some(begins) = outer.next() else {
        return false;
    };
    let line = begins.line().trim_end();
    let head = match line {
        "{" => outer.next().map(Place::line).unwrap_or_default(),
        line if line.ends_with('{') => line,
        _ => return false,
    };
    head.split_once('(').is_some_and(|(word, _)| {
        let word = word.trim_end();
        word.chars().all(in_name) && shouted(word)
    })
}

/// A name alone on its line, or with a value, is that of a constant.
fn listed(line: &str, name: &str) -> bool {
    let Some(behind) = line.strip_prefix(name).map(str::trim) else {
        return false;
    };
    let behind = behind.split("//").next().unwrap_or(behind);
    let behind = behind.split("/*").next().unwrap_or(behind).trim();
    behind.is_empty() || behind == ";" || behind.starts_with([',', '='])
}

/// The type, or the name, of a parameter or of what is given in a call.
fn parameter(line: &str, name: &str) -> bool {
    // `NS_ENUM(type, name)` declares a name in brackets.
    if line.contains("_ENUM") || line.contains("_OPTIONS") {
        return false;
    }
    let Some(mut start) = ahead(line, name).map(str::trim_end) else {
        return false;
    };
    while let Some(word) = start.rsplit(|sign| !in_name(sign)).next()
        && matches!(word, "const" | "struct" | "unsigned" | "signed" | "id")
    {
        start = start.strip_suffix(word).unwrap_or_default().trim_end();
    }
    // `- (type)name: (type)parameter`, where only what is said first is a name.
    let method = line.starts_with(['-', '+']) && start.contains(':');
    method || start.ends_with(['(', ',', '[', '^'])
}

/// `struct name *value;`, and `type value = …`, which is no function.
fn uses(line: &str, name: &str) -> bool {
    let start = ahead(line, name).unwrap_or_default().trim_end();
    let behind = after(line, name).and_then(|end| line.get(end..));
    let behind = behind.unwrap_or_default().trim_start();
    let value = !start.is_empty() && behind.starts_with('=');
    value || (start.ends_with("struct") && behind.starts_with(|sign| in_name(sign) || sign == '*'))
}

/// What is said further on of a method, `- (type)name: (type)value more: …`, or
/// what is only a part of its name.
fn selects(place: Place<'_>, name: &str) -> bool {
    let line = place.line().trim();
    if line.starts_with(['-', '+']) {
        return after(line, name).is_none();
    }
    let behind = line.strip_prefix(name).map(str::trim_start);
    let ends = |place: &Place<'_>| place.line().contains([';', '{', '}']);
    let mut above = place.above().take_while(|place| !ends(place));
    // The type of a method may stand alone on the line before its name.
    behind.is_some_and(|behind| behind.starts_with(':'))
        && above.any(|place| place.line().starts_with(['-', '+']) && place.line().contains(':'))
}

/// Whether a name is in capitals.
fn shouted(word: &str) -> bool {
    !word.contains(|sign: char| sign.is_ascii_lowercase())
}
