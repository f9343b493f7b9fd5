//! The reader of a command line.

use super::arguments::Arguments;
use super::{mounted, output};
use omniread::errors::PolicyError;
use omniread::limits::COMMAND_TIMEOUT;
use omniread::{BuildError, Builder, Reader};
use std::path::{Path, PathBuf};

/// The builder of the reader for a command line.
pub fn builder(arguments: &Arguments) -> Builder {
    let mut builder = Reader::builder();
    // Relative paths refer to the first root. They refer to the current directory, as in other
    // programs, if it may be read: a root in another root grants nothing more.
    let here = here();
    let mut roots: Vec<&Path> = arguments.roots.iter().map(PathBuf::as_path).collect();
    if roots.is_empty() {
        roots.push(&here);
    } else {
        move_to_start(&here, &mut roots);
    }
    for root in &roots {
        builder = builder.root(root);
    }
    let home = std::env::home_dir();
    let places: Vec<&Path> = roots.into_iter().chain(home.as_deref()).collect();
    builder = mounted::add(builder, &arguments.mounts, &places);
    if arguments.task.is_short() {
        #[cfg(all(target_os = "linux", target_env = "gnu", target_pointer_width = "64"))]
        super::allocator::share_among_threads();
        builder = builder.short_lived();
    }
    if arguments.task.default_timeout() == COMMAND_TIMEOUT {
        builder = builder.default_timeout(COMMAND_TIMEOUT);
    }
    if let Some(timeout) = arguments.timeout {
        builder = builder.timeout(Some(timeout).filter(|timeout| !timeout.is_zero()));
    }
    for rule in &arguments.deny {
        builder = builder.deny(rule);
    }
    if let Some(bytes) = arguments.max_file_size {
        builder = builder.max_file_size(bytes);
    }
    if let Some(home) = home {
        builder = builder.home(home);
    }
    builder
}

/// Builds the reader. A deny rule of a file that is no pattern here, such as a path outside the roots, is
/// left out with a warning: it denies nothing, and the file may be that of another workspace.
///
/// # Errors
/// Fails as the builder does.
pub fn build(mut builder: Builder, arguments: &Arguments) -> Result<Reader, BuildError> {
    loop {
        let rule = match builder.clone().build() {
            Err(BuildError::Policy(PolicyError::Rule(rule, why))) => (rule, why),
            outcome => return outcome,
        };
        let (rule, why) = rule;
        let Some(origin) = arguments.settings.origin_of_rule(&rule) else {
            return Err(BuildError::Policy(PolicyError::Rule(rule, why)));
        };
        output::print_message(&format!(
            "warning: {origin}: the deny rule `{rule}` has no effect: {why}"
        ));
        builder = builder.without_rule(&rule);
    }
}

/// Makes a directory the first root if it is one of the roots or below one.
fn move_to_start<'a>(directory: &'a Path, roots: &mut Vec<&'a Path>) {
    let Ok(real) = directory.canonicalize() else {
        return;
    };
    let canonical: Vec<_> = roots.iter().map(|root| root.canonicalize().ok()).collect();
    let same = canonical
        .iter()
        .position(|root| root.as_ref() == Some(&real));
    if let Some(same) = same {
        roots[..=same].rotate_right(1);
    } else if canonical
        .iter()
        .flatten()
        .any(|root| real.starts_with(root))
    {
        roots.insert(0, directory);
    }
}

/// The path of the current directory: the value of the variable `PWD`, which may contain symlinks,
/// or `.` if `PWD` does not name this directory.
fn here() -> PathBuf {
    let dot = PathBuf::from(".");
    match std::env::var_os("PWD").map(PathBuf::from) {
        Some(shell)
            if shell.is_absolute() && shell.canonicalize().ok() == dot.canonicalize().ok() =>
        {
            shell
        }
        _ => dot,
    }
}
