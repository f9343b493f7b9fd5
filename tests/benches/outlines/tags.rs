//! What universal-ctags finds.

use crate::compare::Declarations;
use crate::languages::{Compared, Tags};
use crate::programs::{rows, told};
use std::process::Command;

/// Whether ctags is there, and the one that is needed.
pub fn ready() -> Result<(), String> {
    let version = told(Command::new("ctags").arg("--version"), "");
    match version {
        Ok(version) if version.contains("Universal Ctags") => Ok(()),
        other => {
            let why = other
                .err()
                .unwrap_or("this ctags is another one".to_owned());
            Err(format!(
                "{why}; universal-ctags is needed: `apt install universal-ctags`, \
                 `dnf install ctags`, `brew install universal-ctags`"
            ))
        }
    }
}

/// The declarations of files, one path to a line.
pub fn declarations(language: &Compared, tags: &Tags, files: &str) -> Result<Declarations, String> {
    let mut command = Command::new("ctags");
    command
        .arg("--options=NONE")
        .arg(format!("--language-force={}", tags.name))
        .args(["--sort=no", "-x", "--_xformat=%F\t%n\t%N\t%K\t%l"]);
    if tags.prototypes {
        command.arg(format!("--kinds-{}=+p", tags.name));
    }
    let printed = told(command.args(["-L", "-", "-f", "-"]), files)?;
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

/// Whether a name is one that ctags gives to what has none, or, in a shell, to
/// a list that is empty.
fn invented(name: &str, tags: &Tags) -> bool {
    let invented = ["__anon", "anonymous", "Anonymous", "anonFunc"];
    name == "_"
        || invented.iter().any(|start| name.starts_with(start))
        || (tags.name == "Sh" && name.ends_with('='))
}

/// Whether a name is that of a macro, of which a call looks like a prototype.
fn shouted(name: &str) -> bool {
    !name.contains(char::is_lowercase)
        || name.starts_with("DECLARE_")
        || name.starts_with("DEFINE_")
}
