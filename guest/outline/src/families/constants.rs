//! Lines that bind a name to a value at the outermost level of a file: `const name = …`.

/// The name that a line of JavaScript or TypeScript binds to a value, and the word for it.
pub fn of_script(line: &str) -> Option<(&'static str, &str)> {
    let line = line.strip_prefix("export ").unwrap_or(line).trim_start();
    let line = line.strip_prefix("declare ").unwrap_or(line).trim_start();
    let (word, rest) = ["const", "let", "var"].into_iter().find_map(|word| {
        let rest = line.strip_prefix(word)?;
        rest.starts_with([' ', '\t'])
            .then(|| (word, rest.trim_start()))
    })?;
    let (name, after) = split_name(rest);
    // `const enum A`, `const { a } = b`
    (!name.is_empty() && (after.is_empty() || after.starts_with([':', '=', ';', ',', '!'])))
        .then_some((word, name))
}

/// The name that a line of Python binds to a value, and the word for it.
pub fn of_python(line: &str) -> Option<(&'static str, &str)> {
    let (name, after) = split_name(line);
    let assigns = after.starts_with('=') && !after.starts_with("==");
    let annotated = after.starts_with(':') && after.len() > 1;
    let word = if name.chars().any(char::is_lowercase) {
        "variable"
    } else {
        "constant"
    };
    (!name.is_empty() && (assigns || annotated)).then_some((word, name))
}

/// The name at the start of a text, and the text after it without spaces before it.
fn split_name(text: &str) -> (&str, &str) {
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '$');
    let rest = text.trim_start_matches(is_name);
    let name = text.get(..text.len().saturating_sub(rest.len()));
    (name.unwrap_or_default(), rest.trim_start())
}
