//! What ctags takes for declarations, and a line of code, or the lines before it,
//! show to be none.

mod families;
mod functional;
mod strings;

use crate::places::{Place, ahead, in_name};

/// Whether the line of a declaration shows that it is none.
pub fn shown(language: &str, place: Place<'_>, name: &str) -> bool {
    match language {
        "OCaml" => functional::ocaml(place, name),
        "Haskell" => functional::haskell(place, name),
        // `(defn #^{:private true} name` is named behind what is said of it.
        "Clojure" => name.starts_with("#^") || name.starts_with('^'),
        "C" => families::c(place, name),
        "C++" => families::cpp(place, name),
        "Objective-C" => families::objective(place, name),
        // What code in a string declares is not declared here.
        "Lua" => strings::lua(place),
        "SQL" => speaks_of(place),
        // `...name` is not called `name`.
        "R" => ahead(place.line(), name).is_some_and(|start| start.ends_with('.')),
        _ => false,
    }
}

/// The line on which begins what ctags found, where it tells another line.
pub fn begins(language: &str, place: Place<'_>) -> Option<u32> {
    let line = place.line().trim();
    let found = match language {
        // It tells where a heading ends.
        "HTML" => {
            let level = line.split("</h").nth(1)?.chars().next()?;
            let opens = format!("<h{level}");
            let mut above = place.above();
            above.find(|place| place.line().contains(&opens))?
        }
        // It tells where `function` stands, not where the name does.
        "R" if line.starts_with("function") => {
            let mut above = place.above().filter(|place| {
                let line = place.line().trim();
                !line.is_empty() && !line.starts_with('#')
            });
            let ends = |place: &Place<'_>| place.line().trim_end().ends_with(['-', '=']);
            above.next().filter(ends)?
        }
        // It tells where the signature of a function says `::`.
        "Haskell" if line.starts_with("::") => {
            let mut above = place.above();
            above.find(|place| place.indent() == Some(0))?
        }
        // It tells where the parameters of a method end.
        "Objective-C" => {
            let ends = |place: &Place<'_>| place.line().contains([';', '}']);
            let mut above = place.above().take_while(|place| !ends(place));
            above.find(|place| place.line().starts_with(['-', '+']))?
        }
        _ => return None,
    };
    Some(found.number())
}

/// `SECURITY LABEL ON TABLE name` says something of a table that is declared
/// elsewhere; ctags looks for the word before the name only.
fn speaks_of(place: Place<'_>) -> bool {
    let line = place.line().trim().to_ascii_lowercase();
    let mut words = line.split(|sign| !in_name(sign));
    words.next().is_some_and(|word| {
        matches!(
            word,
            "security" | "comment" | "alter" | "drop" | "grant" | "revoke"
        )
    })
}
