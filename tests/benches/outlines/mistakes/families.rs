//! False declarations of ctags in C, C++ and Objective-C.

use crate::lines::{SourceLine, after, ahead, in_name, names_class};

/// Whether a declaration that ctags reports in C is false.
pub fn c(place: SourceLine<'_>, name: &str) -> bool {
    let line = place.line().trim();
    asserts(line) || calls_macro(place.before(), line, name) || is_macro_after_name(line, name)
}

/// Whether a declaration that ctags reports in C++ is false.
pub fn cpp(place: SourceLine<'_>, name: &str) -> bool {
    let line = place.line().trim();
    asserts(line)
        || is_macro_after_name(line, name)
        || points(line, name)
        || calls(place, name)
        || in_macro(place)
        // In `class MACRO(…) name`, the macro is not the declared name.
        || (shouted(name) && (line.starts_with(')') || (line.starts_with("class ") && called(line, name))))
}

/// Whether a declaration that ctags reports in Objective-C is false.
pub fn objective(place: SourceLine<'_>, name: &str) -> bool {
    let line = place.line().trim();
    // A line of a macro definition or another directive.
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

/// Whether a line is an assertion: `static_assert(sizeof(a) == 1, "…");`.
fn asserts(line: &str) -> bool {
    let call = |word| line.strip_prefix(word).map(str::trim_start);
    let rest = call("static_assert").or_else(|| call("_Static_assert"));
    rest.is_some_and(|rest| rest.starts_with('('))
}

/// Whether a line calls a macro: `name(a, b);`. Such a line begins a statement, and has no type
/// before the name.
fn calls_macro(before: &str, line: &str, name: &str) -> bool {
    called(line, name) && begins(before, name) && line.ends_with(");")
}

/// Whether a line of C++ calls a macro. A constructor has no type before its name either. So the
/// line is not a call if a class has this name, or if a body follows.
fn calls(place: SourceLine<'_>, name: &str) -> bool {
    let line = place.line().trim();
    let line = line.strip_prefix("extern ").unwrap_or(line);
    let body = |rest: String| rest.starts_with(['{', ':']);
    called(line, name)
        && begins(place.before(), name)
        && !place.after_parameters(name).is_some_and(body)
        && !place.above().any(|place| names_class(place.line(), name))
}

/// Whether a line begins with a name and an opening parenthesis. `class` and another word may
/// precede the name.
fn called(line: &str, name: &str) -> bool {
    let rest = line.strip_prefix(name).or_else(|| {
        let start = line.strip_prefix("class ")?;
        start.get(after(start, name)?..)
    });
    rest.is_some_and(|rest| rest.trim_start().starts_with('('))
}

/// Whether a statement begins after the line `before`. Calls of macros need no semicolon, so one
/// macro call may follow another.
fn begins(before: &str, name: &str) -> bool {
    let before = before.trim();
    before.is_empty()
        || before.starts_with(['#', '/'])
        || before.starts_with("if")
        || before.starts_with("else")
        || before.ends_with([';', '}', '{', '/', ':'])
        || (shouted(name) && before.ends_with([')', '\\']))
}

/// Whether a name is a macro after the name of a class: `class name MACRO {`.
fn is_macro_after_name(line: &str, name: &str) -> bool {
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

/// Whether a line declares a pointer to a function whose result has the type `name`:
/// `BOOL (*callback)(int)`. ctags reports such a type as a function.
fn points(line: &str, name: &str) -> bool {
    let rest = after(line, name).and_then(|end| line.get(end..));
    let rest = rest.map(|rest| rest.trim_start_matches(['*', ' ', '\t']));
    let within = rest.and_then(|rest| rest.strip_prefix('('));
    // The calling convention may precede the asterisk.
    within.is_some_and(|within| {
        let word = within.trim_start().trim_start_matches(in_name);
        word.trim_start().starts_with(['*', '^'])
    })
}

/// Whether a line is in a body that begins with a macro: `TEST(a, b) {`. Declarations in such a
/// body are local. ctags does not recognise the body, and reports variables and calls in it as
/// functions.
fn in_macro(place: SourceLine<'_>) -> bool {
    let types = ["class", "struct", "union", "enum", "typedef", "using"];
    let line = place.line();
    if place.indent().is_none_or(|indent| indent == 0)
        || types.iter().any(|word| after(line, word).is_some())
    {
        return false;
    }
    let outer = |place: &SourceLine<'_>| {
        let line = place.line();
        place.indent() == Some(0) && !line.starts_with(['#', '/', '*'])
    };
    let mut outer = place.above().filter(outer);
    let Some(begins) = outer.next() else {
        return false;
    };
    let line = begins.line().trim_end();
    let head = match line {
        "{" => outer.next().map(SourceLine::line).unwrap_or_default(),
        line if line.ends_with('{') => line,
        _ => return false,
    };
    head.split_once('(').is_some_and(|(word, _)| {
        let word = word.trim_end();
        word.chars().all(in_name) && shouted(word)
    })
}

/// Whether a line contains only a constant of this name, and possibly its value.
fn listed(line: &str, name: &str) -> bool {
    let Some(rest) = line.strip_prefix(name).map(str::trim) else {
        return false;
    };
    let rest = rest.split("//").next().unwrap_or(rest);
    let rest = rest.split("/*").next().unwrap_or(rest).trim();
    rest.is_empty() || rest == ";" || rest.starts_with([',', '='])
}

/// Whether a name is that of a parameter or of the type of a parameter, or is an argument.
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
    // In `- (type)name: (type)parameter`, only the first part is a name.
    let method = line.starts_with(['-', '+']) && start.contains(':');
    method || start.ends_with(['(', ',', '[', '^'])
}

/// Whether a line only uses a name: as a type, `struct name *value;`, or as a variable,
/// `type name = …`.
fn uses(line: &str, name: &str) -> bool {
    let start = ahead(line, name).unwrap_or_default().trim_end();
    let rest = after(line, name).and_then(|end| line.get(end..));
    let rest = rest.unwrap_or_default().trim_start();
    let value = !start.is_empty() && rest.starts_with('=');
    value || (start.ends_with("struct") && rest.starts_with(|sign| in_name(sign) || sign == '*'))
}

/// Whether a name is the second or a later part of the name of an Objective-C method: `more` in
/// `- (type)name: (type)value more: …`.
fn selects(place: SourceLine<'_>, name: &str) -> bool {
    let line = place.line().trim();
    if line.starts_with(['-', '+']) {
        return after(line, name).is_none();
    }
    let rest = line.strip_prefix(name).map(str::trim_start);
    let ends = |place: &SourceLine<'_>| place.line().contains([';', '{', '}']);
    let mut above = place.above().take_while(|place| !ends(place));
    // The type of a method may be alone on the line before its name.
    rest.is_some_and(|rest| rest.starts_with(':'))
        && above.any(|place| place.line().starts_with(['-', '+']) && place.line().contains(':'))
}

/// Whether a name has no lower-case letters, as is usual for macros.
fn shouted(word: &str) -> bool {
    !word.contains(|sign: char| sign.is_ascii_lowercase())
}
