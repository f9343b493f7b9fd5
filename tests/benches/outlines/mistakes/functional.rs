//! False declarations of ctags in Haskell and OCaml.

use super::strings;
use crate::lines::{SourceLine, after, ahead, in_name};

/// OCaml keywords that may precede a declared name, and are not names themselves.
const OCAML: &[&str] = &[
    "private",
    "virtual",
    "mutable",
    "rec",
    "nonrec",
    "open",
    "constraint",
    "module",
];

/// Haskell keywords that are not names of functions.
const HASKELL: &[&str] = &[
    "class", "data", "default", "deriving", "family", "foreign", "infix", "infixl", "infixr",
    "instance", "newtype", "pattern", "type", "where",
];

/// Whether a declaration that ctags reports in OCaml is false.
pub fn ocaml(place: SourceLine<'_>, name: &str) -> bool {
    let line = place.line().trim();
    // `let () = …` has no name, and the name of `method private name` is not `private`.
    name.is_empty()
        || OCAML.contains(&name)
        || constrains(line, name)
        || local(place)
        || strings::ocaml(place)
}

/// Whether a line only uses a name: in a constraint such as `with type t = u`, after the `=` of a
/// type, before a dot, or in an extension, `[%…`.
fn constrains(line: &str, name: &str) -> bool {
    let start = ahead(line, name).unwrap_or_default();
    let path = after(line, name).is_some_and(|end| line.get(end..).unwrap_or("").starts_with('.'));
    let more = line.strip_prefix("and ").map(str::trim_start);
    let more = more.is_some_and(|more| more.starts_with("type ") || more.starts_with("module "));
    path || more
        || start.contains("with type ")
        || start.contains("[%")
        || (line.starts_with("type ") && start.contains('='))
}

/// Whether a function is local to another one. Then `in` follows the function, and the functions
/// that `and` declares with it.
fn local(place: SourceLine<'_>) -> bool {
    let line = place.line();
    let own = place.indent();
    let start = line.trim_start();
    if !start.starts_with("let ") && !start.starts_with("and ") {
        return false;
    }
    let mut last = line;
    for line in place.below().filter(|line| !line.trim().is_empty()) {
        let start = line.trim_start();
        let with = start.starts_with("and ");
        let indent = Some(line.len() - start.len());
        if indent < own || (indent == own && !with) {
            return start.starts_with("in ") || start.trim_end() == "in" || ends_with_in(last);
        }
        last = line;
    }
    false
}

/// Whether a line ends with `in`.
fn ends_with_in(line: &str) -> bool {
    let line = line.split("(*").next().unwrap_or(line).trim_end();
    line.ends_with(" in") || line.trim_start() == "in"
}

/// Whether a declaration that ctags reports in Haskell is false.
pub fn haskell(place: SourceLine<'_>, name: &str) -> bool {
    let line = place.line();
    // `a <+> b = …` declares the operator.
    let rest = line.strip_prefix(name).map(str::trim_start);
    HASKELL.contains(&name)
        || field(place, name)
        || within(line.trim(), name)
        || further(place, name)
        || calls(place, name)
        || rest.is_some_and(operates)
}

/// Whether a name is only a part of a type: `data T a = C (A, B)` declares neither `A` nor `a`. On
/// a line that declares no type, a name that begins with a capital letter is no function.
fn within(line: &str, name: &str) -> bool {
    let words = ["data ", "newtype ", "type ", "class "];
    let declares = words.iter().any(|word| line.starts_with(word));
    let small = name.starts_with(char::is_lowercase);
    let head = line.split('=').next().unwrap_or(line);
    match (declares, small) {
        (true, true) => true,
        (true, false) => after(head, name).is_none() && !line.contains("=>"),
        (false, small) => !small || line.starts_with(['{', ',']),
    }
}

/// Whether a name is the field of a record.
fn field(place: SourceLine<'_>, name: &str) -> bool {
    let start = ahead(place.line(), name).unwrap_or_default().trim_end();
    let record = |place: SourceLine<'_>| {
        let line = place.line().trim();
        line.starts_with("data ") || line.starts_with("newtype ") || line.starts_with('{')
    };
    start.ends_with(['{', ','])
        || (start.is_empty() && place.around().is_some_and(record))
        || (start.is_empty() && place.before().trim_end().ends_with('{'))
}

/// Whether a line is a further equation of the function that the previous declaration begins. ctags
/// reports it too, but only the first line of a function, which may be its signature, is the
/// declaration.
fn further(place: SourceLine<'_>, name: &str) -> bool {
    let mut outer = place.above().filter(|place| {
        let line = place.line();
        let code = !line.starts_with("--") && !line.starts_with(['#', '{', ')', ']', '}']);
        place.indent() == Some(0) && code
    });
    let begins = |place: SourceLine<'_>| begins(place.line(), name);
    begins(place) && outer.next().is_some_and(begins)
}

/// Whether a line begins with a name.
fn begins(line: &str, name: &str) -> bool {
    let inside = |sign: char| in_name(sign) || sign == '\'';
    let rest = line.strip_prefix(name);
    // An apostrophe at the end of a name is ignored.
    let rest = rest.map(|rest| rest.trim_start_matches('\''));
    rest.is_some_and(|rest| !rest.starts_with(inside))
}

/// Whether a line calls a macro that creates declarations: `mkYesod "App" …`,
/// `deriveInstances(A, B)`.
fn calls(place: SourceLine<'_>, name: &str) -> bool {
    let more = place.below().take_while(|line| line.starts_with(' '));
    let mut lines = std::iter::once(place.line()).chain(more);
    begins(place.line(), name) && !lines.any(|line| line.contains('=') || line.contains("::"))
}

/// Whether a text begins with an operator, followed by a space, and contains `=`.
fn operates(line: &str) -> bool {
    let first = line.split(' ').next().unwrap_or_default();
    let sign = |sign: char| "!#$%&*+./<=>?@\\^|-~:".contains(sign);
    first.starts_with('`') && line.contains('=')
        || !first.is_empty()
            && first.chars().all(sign)
            && !matches!(first, "=" | "::" | "|")
            && line.contains('=')
}
