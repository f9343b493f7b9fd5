//! What lines around a name show to be declared, where its own line does not.

use crate::places::{Place, after, ahead, in_name, names_class};

/// Whether a name is declared there.
pub fn declares(language: &str, place: Place<'_>, name: &str) -> bool {
    match language {
        "Haskell" => member(place, name) || equation(place, name),
        "C++" => has_body(place, name) || inline(place.line(), name) || makes(place, name),
        "Objective-C" => has_body(place, name) || continues(place, name) || names_type(place, name),
        "R" => assigns(place, name),
        "SQL" => created(place, name),
        _ => false,
    }
}

/// An equation, or a type, in a class or an instance.
fn member(place: Place<'_>, name: &str) -> bool {
    let within = |place: Place<'_>| {
        let line = place.line();
        line.starts_with("instance") || line.starts_with("class") || line.starts_with("deriving")
    };
    place.around().is_some_and(within) && equation(place, name)
}

/// `name … = …`, of which the right side may stand below.
fn equation(place: Place<'_>, name: &str) -> bool {
    let line = place.line().trim_start();
    let line = ["type ", "data ", "newtype "]
        .iter()
        .find_map(|word| line.strip_prefix(word))
        .unwrap_or(line);
    let indent = place.indent().unwrap_or_default();
    let deeper = |line: &&str| line.starts_with(&" ".repeat(indent + 1));
    let mut said = std::iter::once(line).chain(place.below().take_while(deeper));
    let first = line.starts_with(name) || operator(line, name);
    // An operator with its type, and a type that instances say more of.
    let signed =
        line.starts_with(&format!("({name}) ::")) || line.starts_with(&format!("( {name} ) ::"));
    let family = line.len() < place.line().trim_start().len();
    signed || (first && (family || said.any(|line| line.contains('='))))
}

/// `a <+> b = …`, or ``a `name` b = …``.
fn operator(line: &str, name: &str) -> bool {
    let head = line.split(" = ").next().unwrap_or(line);
    let mut words = head.split_whitespace().skip(1);
    words.any(|word| word.trim_matches('`') == name) || head.starts_with(&format!("({name})"))
}

/// `type name(…) {`, or `NAME(…) {` by a macro, at the left margin.
fn has_body(place: Place<'_>, name: &str) -> bool {
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
            .behind(name)
            .is_some_and(|behind| behind.starts_with(['{', ':']))
}

/// `Name(…)` in the class of this name.
fn makes(place: Place<'_>, name: &str) -> bool {
    let line = place.line().trim_start();
    let line = line.strip_prefix("explicit ").unwrap_or(line);
    let behind = line.strip_prefix(name).map(str::trim_start);
    let around = std::iter::successors(place.around(), |place| place.around());
    behind.is_some_and(|behind| behind.starts_with('('))
        && around.take(4).any(|place| names_class(place.line(), name))
}

/// `} name;` behind `typedef struct {`.
fn names_type(place: Place<'_>, name: &str) -> bool {
    let behind = place.line().strip_prefix('}').map(str::trim_start);
    let mut outer = place
        .above()
        .filter(|place| place.indent() == Some(0) && !place.line().starts_with(['{', '#', '/']));
    behind.is_some_and(|behind| behind.starts_with(name) && behind.ends_with(';'))
        && outer
            .next()
            .is_some_and(|place| place.line().starts_with("typedef"))
}

/// A name below `CREATE FUNCTION`.
fn created(place: Place<'_>, name: &str) -> bool {
    let before = place.before().trim_end().to_ascii_lowercase();
    before.ends_with(" function") && place.line().trim_start().starts_with(name)
}

/// `inline type name(…`, or `MACRO type name(type …`.
fn inline(line: &str, name: &str) -> bool {
    let line = line.trim();
    let Some(head) = ahead(line, name) else {
        return false;
    };
    let behind = after(line, name).and_then(|end| line.get(end..));
    let list = behind.is_some_and(|behind| behind.trim_start().starts_with('('));
    let mut words = head.split_whitespace();
    let first = words.next().unwrap_or_default();
    let exported =
        first.len() > 3 && !first.contains(|sign: char| !(sign.is_uppercase() || sign == '_'));
    list && words.next().is_some()
        && (first == "inline" || exported)
        && !head.contains(['=', '(', '"'])
}

/// The name of a method below the line with its type.
fn continues(place: Place<'_>, name: &str) -> bool {
    let before = place.before().trim_end();
    let line = place.line().trim_start();
    before.starts_with(['-', '+']) && before.ends_with(')') && line.starts_with(name)
}

/// `name <-` above its function, besides comments.
fn assigns(place: Place<'_>, name: &str) -> bool {
    let line = place.line().trim();
    let mut below = place.below().map(str::trim);
    let behind = line.trim_start_matches(['"', '`', '\'']).strip_prefix(name);
    let behind = behind.map(|behind| behind.trim_start_matches(['"', '`', '\'', ' ']));
    let said = line.split(" #").next().unwrap_or(line).trim_end();
    let ends = said.ends_with("<-") || said.ends_with('=');
    ends && behind.is_some_and(|behind| behind.starts_with(['<', '=']))
        && below
            .find(|line| !line.is_empty() && !line.starts_with('#'))
            .is_some_and(|line| line.starts_with("function") || line.contains("<- function"))
}
