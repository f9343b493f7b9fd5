//! The repository of the workspace, from `.git/config`.

use crate::failure::{Failure, Reason};
use crate::rooted_path::RootedPath;
use crate::sources::git::{WorldFiles, failure};
use crate::sources::unnamed::nothing_granted;
use crate::world::World;
use omniread_git as git;
use omniread_sites::github::{Config, NoRemote, Repository};

/// Hosts of other services, on which no remote is a repository of GitHub.
const OTHERS: &[&str] = &[
    "bitbucket.org",
    "codeberg.org",
    "gitlab.com",
    "git.sr.ht",
    "ssh.dev.azure.com",
];

/// The repository of the workspace, and the name of the remote that names it.
///
/// # Errors
/// Fails if the first root has no repository that may be read, or if that has no remote on a server.
pub fn of_workspace(
    path: &str,
    scheme: &str,
    world: &mut dyn World,
) -> Result<(Repository, String), Failure> {
    if world.roots().is_empty() {
        return Err(nothing_granted(path));
    }
    let hint = format!("name the repository: `{scheme}://OWNER/REPO/12`");
    let directory = RootedPath::of(".", world)?.absolute(world);
    let texts = git::settings(&mut WorldFiles { world }, &directory);
    let texts = texts.map_err(|error| failure(&error, path).hint(hint.clone()))?;
    let mut config = Config::default();
    for text in &texts {
        for git::Setting {
            section,
            inner,
            key,
            value,
        } in git::config_entries(text)
        {
            config.add(&section, &inner, &key, value.as_deref().unwrap_or_default());
        }
    }
    let no_remote = |why: &dyn std::fmt::Display| {
        let message = format!("cannot read `{path}`: {why}");
        Failure::new(Reason::NotFound(Vec::new()), message).hint(hint.clone())
    };
    let found = config.repositories().map_err(|why| no_remote(&why))?;
    let mut names = Vec::new();
    for (repository, remote) in found {
        let host = repository.host.as_deref().unwrap_or_default();
        if !OTHERS.contains(&host) {
            return Ok((repository, remote));
        }
        names.push(remote);
    }
    Err(no_remote(&NoRemote::Elsewhere(names)))
}
