//! Declarations that the lines around a name show, if its own line does not.

use crate::lines::{SourceLine, after, ahead, in_name, names_class};

/// Whether the line of a name and the lines around it show that the name is declared there.
pub fn declares(language: &str, place: SourceLine<'_>, name: &str) -> bool {
    match language {
        "Haskell" => member(place, name) || equation(place, name),
        "C++" => has_body(place, name) || inline(place.line(), name) || makes(place, name),
        "Objective-C" => has_body(place, name) || continues(place, name) || names_type(place, name),
        "R" => assigns(place, name),
        "SQL" => created(place, name),
        _ => false,
    }
}

/// Whether a line in a Haskell class or instance declares a name, by an equation or a type.
fn member(place: SourceLine<'_>, name: &str) -> bool {
    let within = |place: SourceLine<'_>| {
        let line = place.line();
        line.starts_with("instance") || line.starts_with("class") || line.starts_with("deriving")
    };
    place.around().is_some_and(within) && equation(place, name)
}

/// Whether a line of Haskell begins an equation of a name: `name … = …`. The `=` may be on a later
/// line.
fn equation(place: SourceLine<'_>, name: &str) -> bool {
    let line = place.line().trim_start();
    let line = ["type ", "data ", "newtype "]
        .iter()
        .find_map(|word| line.strip_prefix(word))
        .unwrap_or(line);
    let indent = place.indent().unwrap_or_default();
    let deeper = |line: &&str| line.starts_with(&" ".repeat(indent + 1));
    let mut lines = std::iter::once(line).chain(place.below().take_while(deeper));
    let first = line.starts_with(name) || operator(line, name);
    // An operator with its type, and a type family.
    let signed =
        line.starts_with(&format!("({name}) ::")) || line.starts_with(&format!("( {name} ) ::"));
    let family = line.len() < place.line().trim_start().len();
    signed || (first && (family || lines.any(|line| line.contains('='))))
}

/// Whether a line of Haskell defines an operator: `a <+> b = …`, or ``a `name` b = …``.
fn operator(line: &str, name: &str) -> bool {
    let head = line.split(" = ").next().unwrap_or(line);
    let mut words = head.split_whitespace().skip(1);
    words.any(|word| word.trim_matches('`') == name) || head.starts_with(&format!("({name})"))
}

/// Whether a line of C++ or Objective-C begins a function with a body, without indentation:
/// `type name(…) {`, or `NAME(…) {` with a macro.
fn has_body(place: SourceLine<'_>, name: &str) -> bool {
    let line = place.line();
    let head = ahead(line, name).is_some_and(|head| {
        head.chars()
            .all(|sign| in_name(sign) || " \t*&:<>,".contains(sign))
    });
    place.indent() == Some(0)
        && !line.starts_with("return")
        && !line.starts_with("else")
        && head
        && place
            .after_parameters(name)
            .is_some_and(|rest| rest.starts_with(['{', ':']))
}

/// Whether a line of C++ declares a constructor: `Name(…)` in a class of this name.
fn makes(place: SourceLine<'_>, name: &str) -> bool {
    let line = place.line().trim_start();
    let line = line.strip_prefix("explicit ").unwrap_or(line);
    let rest = line.strip_prefix(name).map(str::trim_start);
    let around = std::iter::successors(place.around(), |place| place.around());
    rest.is_some_and(|rest| rest.starts_with('('))
        && around.take(4).any(|place| names_class(place.line(), name))
}

/// Whether a line of Objective-C ends the definition of a type: `} name;` after `typedef struct {`.
fn names_type(place: SourceLine<'_>, name: &str) -> bool {
    let rest = place.line().strip_prefix('}').map(str::trim_start);
    let mut outer = place
        .above()
        .filter(|place| place.indent() == Some(0) && !place.line().starts_with(['{', '#', '/']));
    rest.is_some_and(|rest| rest.starts_with(name) && rest.ends_with(';'))
        && outer
            .next()
            .is_some_and(|place| place.line().starts_with("typedef"))
}

/// Whether a name is on the line after the keywords `CREATE FUNCTION` of SQL.
fn created(place: SourceLine<'_>, name: &str) -> bool {
    let before = place.before().trim_end().to_ascii_lowercase();
    before.ends_with(" function") && place.line().trim_start().starts_with(name)
}

/// Whether a line of C++ declares a function: `inline type name(…`, or `MACRO type name(…`.
fn inline(line: &str, name: &str) -> bool {
    let line = line.trim();
    let Some(head) = ahead(line, name) else {
        return false;
    };
    let rest = after(line, name).and_then(|end| line.get(end..));
    let list = rest.is_some_and(|rest| rest.trim_start().starts_with('('));
    let mut words = head.split_whitespace();
    let first = words.next().unwrap_or_default();
    let exported =
        first.len() > 3 && !first.contains(|sign: char| !(sign.is_uppercase() || sign == '_'));
    list && words.next().is_some()
        && (first == "inline" || exported)
        && !head.contains(['=', '(', '"'])
}

/// Whether a name is that of an Objective-C method whose type is on the previous line.
fn continues(place: SourceLine<'_>, name: &str) -> bool {
    let before = place.before().trim_end();
    let line = place.line().trim_start();
    before.starts_with(['-', '+']) && before.ends_with(')') && line.starts_with(name)
}

/// Whether a line of R assigns a function to a name, and the function is on a later line:
/// `name <-`. Comments in between are ignored.
fn assigns(place: SourceLine<'_>, name: &str) -> bool {
    let line = place.line().trim();
    let mut below = place.below().map(str::trim);
    let rest = line.trim_start_matches(['"', '`', '\'']).strip_prefix(name);
    let rest = rest.map(|rest| rest.trim_start_matches(['"', '`', '\'', ' ']));
    let code = line.split(" #").next().unwrap_or(line).trim_end();
    let ends = code.ends_with("<-") || code.ends_with('=');
    ends && rest.is_some_and(|rest| rest.starts_with(['<', '=']))
        && below
            .find(|line| !line.is_empty() && !line.starts_with('#'))
            .is_some_and(|line| line.starts_with("function") || line.contains("<- function"))
}
