//! False declarations of ctags that the line itself or the lines before it disprove.

mod families;
mod functional;
mod strings;

use crate::lines::{SourceLine, ahead, in_name};

/// Whether a line, with the lines around it, shows that the declaration of ctags on it is false.
pub fn shown(language: &str, place: SourceLine<'_>, name: &str) -> bool {
    match language {
        "OCaml" => functional::ocaml(place, name),
        "Haskell" => functional::haskell(place, name),
        // In `(defn #^{:private true} name`, the metadata is not the name.
        "Clojure" => name.starts_with("#^") || name.starts_with('^'),
        "C" => families::c(place, name),
        "C++" => families::cpp(place, name),
        "Objective-C" => families::objective(place, name),
        // Code in a string declares nothing.
        "Lua" => strings::lua(place),
        "SQL" => refers_to_other(place),
        // `...name` is not called `name`.
        "R" => ahead(place.line(), name).is_some_and(|start| start.ends_with('.')),
        _ => false,
    }
}

/// The number of the line on which a declaration begins, if ctags reports a later line for it.
pub fn begins(language: &str, place: SourceLine<'_>) -> Option<u32> {
    let line = place.line().trim();
    let found = match language {
        // ctags reports the last line of a heading.
        "HTML" => {
            let level = line.split("</h").nth(1)?.chars().next()?;
            let opens = format!("<h{level}");
            let mut above = place.above();
            above.find(|place| place.line().contains(&opens))?
        }
        // ctags reports the line of `function`, not that of the name.
        "R" if line.starts_with("function") => {
            let mut above = place.above().filter(|place| {
                let line = place.line().trim();
                !line.is_empty() && !line.starts_with('#')
            });
            let ends = |place: &SourceLine<'_>| place.line().trim_end().ends_with(['-', '=']);
            above.next().filter(ends)?
        }
        // ctags reports the line of `::`, not that of the name.
        "Haskell" if line.starts_with("::") => {
            let mut above = place.above();
            above.find(|place| place.indent() == Some(0))?
        }
        // ctags reports the last line of the parameters.
        "Objective-C" => {
            let ends = |place: &SourceLine<'_>| place.line().contains([';', '}']);
            let mut above = place.above().take_while(|place| !ends(place));
            above.find(|place| place.line().starts_with(['-', '+']))?
        }
        _ => return None,
    };
    Some(found.number())
}

/// Whether a statement such as `SECURITY LABEL ON TABLE name` refers to a table that is declared
/// elsewhere. ctags examines only the word before the name.
fn refers_to_other(place: SourceLine<'_>) -> bool {
    let line = place.line().trim().to_ascii_lowercase();
    let mut words = line.split(|sign| !in_name(sign));
    words.next().is_some_and(|word| {
        matches!(
            word,
            "security" | "comment" | "alter" | "drop" | "grant" | "revoke"
        )
    })
}
