//! Of Haskell and OCaml.

use super::strings;
use crate::places::{Place, after, ahead, in_name};

/// Words of OCaml behind which a name stands.
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

/// Words of Haskell that begin something else than a function.
const HASKELL: &[&str] = &[
    "class", "data", "default", "deriving", "family", "foreign", "infix", "infixl", "infixr",
    "instance", "newtype", "pattern", "type", "where",
];

/// Of OCaml.
pub fn ocaml(place: Place<'_>, name: &str) -> bool {
    let line = place.line().trim();
    // `let () = …` names nothing, and `method private name` is not called
    // `private`.
    name.is_empty()
        || OCAML.contains(&name)
        || constrains(line, name)
        || local(place)
        || strings::ocaml(place)
}

/// `module M : S with type t = u` says what a type is that another one declares;
/// so does what stands behind `=`, or before a dot, and what is quoted.
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

/// A function in another one: behind it, and what is declared with it, says `in`.
fn local(place: Place<'_>) -> bool {
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
            return start.starts_with("in ") || start.trim_end() == "in" || says_in(last);
        }
        last = line;
    }
    false
}

/// Whether a line ends with `in`.
fn says_in(line: &str) -> bool {
    let line = line.split("(*").next().unwrap_or(line).trim_end();
    line.ends_with(" in") || line.trim_start() == "in"
}

/// Of Haskell.
pub fn haskell(place: Place<'_>, name: &str) -> bool {
    let line = place.line();
    // `a <+> b = …` declares what stands between.
    let behind = line.strip_prefix(name).map(str::trim_start);
    HASKELL.contains(&name)
        || field(place, name)
        || within(line.trim(), name)
        || further(place, name)
        || calls(place, name)
        || behind.is_some_and(operates)
}

/// What stands in a type: `data T a = C (A, B)` declares neither `A` nor `a`. And
/// no function begins with a capital.
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

/// The field of a record.
fn field(place: Place<'_>, name: &str) -> bool {
    let start = ahead(place.line(), name).unwrap_or_default().trim_end();
    let record = |place: Place<'_>| {
        let line = place.line().trim();
        line.starts_with("data ") || line.starts_with("newtype ") || line.starts_with('{')
    };
    start.ends_with(['{', ','])
        || (start.is_empty() && place.around().is_some_and(record))
        || (start.is_empty() && place.before().trim_end().ends_with('{'))
}

/// A further equation of the function that is declared just before: ctags does not
/// know that it is the same one, of which the signature is the first.
fn further(place: Place<'_>, name: &str) -> bool {
    let mut outer = place.above().filter(|place| {
        let line = place.line();
        let said = !line.starts_with("--") && !line.starts_with(['#', '{', ')', ']', '}']);
        place.indent() == Some(0) && said
    });
    let begins = |place: Place<'_>| begins(place.line(), name);
    begins(place) && outer.next().is_some_and(begins)
}

/// Whether a line begins with a name.
fn begins(line: &str, name: &str) -> bool {
    let inside = |sign: char| in_name(sign) || sign == '\'';
    let behind = line.strip_prefix(name);
    // An apostrophe at the end of a name is not compared.
    let behind = behind.map(|behind| behind.trim_start_matches('\''));
    behind.is_some_and(|behind| !behind.starts_with(inside))
}

/// `mkYesod "App" …` and `deriveInstances(A, B)` are no equations, and no
/// signatures: they call what makes declarations.
fn calls(place: Place<'_>, name: &str) -> bool {
    let more = place.below().take_while(|line| line.starts_with(' '));
    let mut said = std::iter::once(place.line()).chain(more);
    begins(place.line(), name) && !said.any(|line| line.contains('=') || line.contains("::"))
}

/// Whether an operator stands first, with spaces around it.
fn operates(line: &str) -> bool {
    let first = line.split(' ').next().unwrap_or_default();
    let sign = |sign: char| "!#$%&*+./<=>?@\\^|-~:".contains(sign);
    first.starts_with('`') && line.contains('=')
        || !first.is_empty()
            && first.chars().all(sign)
            && !matches!(first, "=" | "::" | "|")
            && line.contains('=')
}
