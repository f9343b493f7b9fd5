//! The environment variables of the command line, other than those that set an option of a read.
//!
//! An option on the command line replaces its variable, and an empty variable is one that is not
//! set. Deny rules are the exception: those of both apply, so that a rule in the environment holds
//! for every command.

use super::mounts::{Mount, mount};
use omniread_options::parse_switch;
use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

/// A variable, and its line in `--help`.
pub struct Variable {
    /// The name.
    pub name: &'static str,
    /// The meaning.
    pub help: &'static str,
}

/// The variable of the same option of the command line.
pub const ROOT: &str = "OMNIREAD_ROOT";
/// The variable of the same option of the command line.
pub const SESSION: &str = "OMNIREAD_SESSION";
/// The variable of the same option of the command line.
pub const MOUNT: &str = "OMNIREAD_MOUNT";
/// The variable of the same option of the command line.
pub const DENY: &str = "OMNIREAD_DENY";
/// The variable of the same option of the command line.
#[cfg(feature = "net")]
pub const ALLOW_NET: &str = "OMNIREAD_ALLOW_NET";

/// The variable with the dialect.
pub const DIALECT: &str = "OMNIREAD_DIALECT";
/// The variable with the timeout of a read.
pub const TIMEOUT: &str = "OMNIREAD_TIMEOUT";
/// The variable that says when output is coloured.
pub const COLOR: &str = "OMNIREAD_COLOR";
/// The variable that says how images are output.
pub const IMAGES: &str = "OMNIREAD_IMAGES";
/// The variable with the password of encrypted documents.
pub const PASSWORD: &str = "OMNIREAD_PASSWORD";
/// The variable with the bearer token of HTTP clients.
pub const TOKEN: &str = "OMNIREAD_MCP_TOKEN";
const QUIET: &str = "OMNIREAD_QUIET";

/// The variables that users set, in the order of `--help`.
pub const VARIABLES: &[Variable] = &[
    Variable {
        name: ROOT,
        help: "the roots, separated as in PATH; `--root` replaces them",
    },
    Variable {
        name: MOUNT,
        help: "mounts such as `skill=DIR`, separated as in PATH; those of `--mount` apply too",
    },
    Variable {
        name: SESSION,
        help: "a value of `--session`",
    },
    Variable {
        name: DENY,
        help: "deny rules, separated as in PATH; those of `--deny` apply too",
    },
    #[cfg(feature = "net")]
    Variable {
        name: ALLOW_NET,
        help: "grants of hosts, separated by commas; `--allow-net` replaces them",
    },
    Variable {
        name: COLOR,
        help: "a value of `--color`",
    },
    Variable {
        name: IMAGES,
        help: "a value of `--images`",
    },
    Variable {
        name: "OMNIREAD_PAGER",
        help: "the command of the pager; `PAGER` is used if it is not set",
    },
    Variable {
        name: QUIET,
        help: "`on` means `--quiet`",
    },
    Variable {
        name: DIALECT,
        help: "a value of `--dialect`",
    },
    Variable {
        name: TIMEOUT,
        help: "a value of `--timeout`",
    },
    Variable {
        name: PASSWORD,
        help: "the password of encrypted documents",
    },
    #[cfg(feature = "mcp")]
    Variable {
        name: TOKEN,
        help: "the bearer token of HTTP clients of `omniread mcp`",
    },
];

/// Whether a name that starts with `OMNIREAD_` is that of a variable, or of one that only a build, a
/// test or a benchmark reads.
pub fn is_known(name: &str) -> bool {
    VARIABLES.iter().any(|variable| variable.name == name)
        || matches!(
            name,
            "OMNIREAD_LINK_ARCHITECTURE"
                | "OMNIREAD_LTO"
                | "OMNIREAD_PORTABLE"
                | "OMNIREAD_REMAP"
                | "OMNIREAD_TIMINGS"
                | "OMNIREAD_ZIGBUILD"
        )
        || name.starts_with("OMNIREAD_TEST_")
        || name.starts_with("OMNIREAD_BENCH_")
}

/// The values of variables that are secrets. They are not in the environment any more.
static SECRETS: Mutex<BTreeMap<String, OsString>> = Mutex::new(BTreeMap::new());

/// Takes secrets out of the environment, so that programs which are started do not inherit them. To be
/// called when the process starts.
pub fn take_secrets() {
    for name in [PASSWORD, TOKEN] {
        secret(name);
    }
}

/// The value of a variable that is a secret, which is taken out of the environment. To be called for the
/// first time before the process has other threads.
#[expect(
    unsafe_code,
    reason = "the compiler cannot check that the process has one thread"
)]
pub fn secret(name: &str) -> Option<OsString> {
    let mut secrets = SECRETS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = secrets.get(name) {
        return Some(known.clone());
    }
    let value = env::var_os(name)?;
    // SAFETY: the command line takes its variables before it builds a reader, which starts threads.
    unsafe { env::remove_var(name) };
    secrets.insert(name.to_owned(), value.clone());
    Some(value)
}

/// The value of a variable. `None` if it is empty or not set.
fn value(name: &str) -> Option<OsString> {
    let secrets = SECRETS.lock().unwrap_or_else(PoisonError::into_inner);
    let value = secrets.get(name).cloned().or_else(|| env::var_os(name));
    value.filter(|value| !value.is_empty())
}

/// The value of a variable as text.
///
/// # Errors
/// Fails with a message if the value is not UTF-8.
pub fn text(name: &str) -> Result<Option<String>, String> {
    let text = value(name).map(OsString::into_string).transpose();
    text.map_err(|_| format!("the environment variable `{name}` is not UTF-8"))
}

/// The value of a variable, parsed like the value of its option. `None` if it is empty or not set.
///
/// # Errors
/// Fails with a message if the value is wrong.
pub fn parsed<T>(
    name: &str,
    parse: impl Fn(&str) -> Result<T, String>,
) -> Result<Option<T>, String> {
    let Some(text) = text(name)? else {
        return Ok(None);
    };
    let parsed = parse(&text).map_err(|why| format!("{name} is `{text}`; {why}"))?;
    Ok(Some(parsed))
}

/// The roots.
pub fn roots() -> Vec<PathBuf> {
    let Some(value) = value(ROOT) else {
        return Vec::new();
    };
    // An empty part is not the current directory, as it is in PATH: that would grant access to a
    // directory which nobody named.
    let roots = env::split_paths(&value);
    roots.filter(|root| !root.as_os_str().is_empty()).collect()
}

/// The directory of the session.
pub fn session() -> Option<PathBuf> {
    value(SESSION).map(PathBuf::from)
}

/// The mounts.
///
/// # Errors
/// Fails with a message if the value is not UTF-8, or if a part of it is not a mount.
pub fn mounts() -> Result<Vec<Mount>, String> {
    let Some(text) = text(MOUNT)? else {
        return Ok(Vec::new());
    };
    let parts = env::split_paths(&text);
    let parts = parts.filter(|part| !part.as_os_str().is_empty());
    let mounts = parts.map(|part| {
        let part = part.to_string_lossy().into_owned();
        mount(&part).map_err(|why| format!("{MOUNT} has `{part}`; {why}"))
    });
    mounts.collect()
}

/// The deny rules.
///
/// # Errors
/// Fails with a message if the value is not UTF-8, or if it has commas between rules. A rule that is
/// two would deny nothing, and nobody would notice.
pub fn deny() -> Result<Vec<String>, String> {
    let Some(text) = text(DENY)? else {
        return Ok(Vec::new());
    };
    let separator = if cfg!(windows) { ';' } else { ':' };
    let rules = text.split([separator, '\n']).map(str::trim);
    let rules: Vec<String> = rules
        .filter(|rule| !rule.is_empty())
        .map(str::to_owned)
        .collect();
    match rules.iter().find(|rule| has_separate_comma(rule)) {
        Some(rule) => Err(format!(
            "{DENY} has the rule `{rule}`; separate rules by `{separator}`, and write a rule with a comma as `--deny`"
        )),
        None => Ok(rules),
    }
}

/// Whether a pattern has a comma outside of braces and brackets.
fn has_separate_comma(pattern: &str) -> bool {
    let mut depth = 0_u32;
    pattern.chars().any(|c| {
        match c {
            '{' | '[' => depth += 1,
            '}' | ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == ',' && depth == 0
    })
}

/// The grants of hosts.
///
/// # Errors
/// Fails with a message if a grant is wrong.
#[cfg(feature = "net")]
pub fn grants() -> Result<Vec<omniread::network::Grant>, String> {
    let grants = parsed(ALLOW_NET, |text| {
        let names = text.split([',', ' ', '\n']).filter(|name| !name.is_empty());
        names
            .map(|name| {
                name.parse()
                    .map_err(|error: omniread::network::GrantError| error.to_string())
            })
            .collect()
    });
    Ok(grants?.unwrap_or_default())
}

/// Whether messages are left out.
///
/// # Errors
/// Fails with a message if the value is wrong.
pub fn quiet() -> Result<bool, String> {
    let quiet = parsed(QUIET, |text| {
        parse_switch(text).ok_or_else(|| "it is `on` or `off`".to_owned())
    });
    Ok(quiet?.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_in_braces_belong_to_a_pattern() {
        for (pattern, has) in [
            ("*.{pem,key}", false),
            ("a[,]b", false),
            ("*.pem", false),
            (".env,*.pem", true),
            ("*.{pem,key},x", true),
        ] {
            assert_eq!(has_separate_comma(pattern), has, "{pattern}");
        }
    }
}
