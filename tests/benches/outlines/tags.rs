//! The declarations that universal-ctags finds.

use crate::compare::Declarations;
use crate::languages::{Compared, Tags};
use crate::programs::{output_of, rows};
use std::process::Command;

/// Checks that universal-ctags is installed.
pub fn ready() -> Result<(), String> {
    let version = output_of(Command::new("ctags").arg("--version"), "");
    match version {
        Ok(version) if version.contains("Universal Ctags") => Ok(()),
        other => {
            let why = other
                .err()
                .unwrap_or("this ctags is not universal-ctags".to_owned());
            Err(format!(
                "{why}; universal-ctags is needed: `apt install universal-ctags`, \
                 `dnf install ctags`, `brew install universal-ctags`"
            ))
        }
    }
}

/// Finds the declarations in some files. `files` has one path per line.
pub fn declarations(language: &Compared, tags: &Tags, files: &str) -> Result<Declarations, String> {
    let mut command = Command::new("ctags");
    command
        .arg("--options=NONE")
        .arg(format!("--language-force={}", tags.name))
        .args(["--sort=no", "-x", "--_xformat=%F\t%n\t%N\t%K\t%l"]);
    if tags.prototypes {
        command.arg(format!("--kinds-{}=+p", tags.name));
    }
    let printed = output_of(command.args(["-L", "-", "-f", "-"]), files)?;
    let mut found = Declarations::default();
    for [path, line, name, kind, of] in rows(&printed) {
        let wanted = tags.kinds.split(' ').any(|one| one == kind) && of == tags.name;
        if wanted && !(kind == "prototype" && shouted(name)) && !invented(name, tags) {
            let line = line.parse().unwrap_or_default();
            found.add(path, line, &language.part(name));
        }
    }
    Ok(found)
}

/// Whether ctags invented a name. It does so for an anonymous declaration, and for an empty list in
/// a shell script, `name=()`.
fn invented(name: &str, tags: &Tags) -> bool {
    let invented = ["__anon", "anonymous", "Anonymous", "anonFunc"];
    name == "_"
        || invented.iter().any(|start| name.starts_with(start))
        || (tags.name == "Sh" && name.ends_with('='))
}

/// Whether a name is probably that of a macro. Calls of macros look like prototypes.
fn shouted(name: &str) -> bool {
    !name.contains(char::is_lowercase)
        || name.starts_with("DECLARE_")
        || name.starts_with("DEFINE_")
}
