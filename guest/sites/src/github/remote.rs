//! The repository of a workspace, from the text of its `.git/config`.
//!
//! The names are those of <https://git-scm.com/docs/git-config#_variables>, and the addresses are those of
//! <https://git-scm.com/docs/git-fetch#_git_urls>. The crate that reads repositories finds the files of
//! the configuration and their settings. Files that `[include]` names are not read.

use super::forge::{self, PUBLIC_HOST};
use super::scheme::Repository;
use crate::limits;
use omniread_document::order;
use std::fmt;

/// A remote of a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Remote {
    /// Its name, such as `origin`.
    name: String,
    /// Its first URL, as it is written.
    url: Option<String>,
    /// Its first URL for pushes, as it is written.
    push_url: Option<String>,
    /// What `gh repo set-default` wrote: `base`, or the name of another repository.
    resolved: Option<String>,
}

/// The parts of a configuration that lead to a repository.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Config {
    /// The remotes in the order of the file.
    remotes: Vec<Remote>,
    /// Prefixes of URLs, each with what takes its place.
    instead: Vec<(String, String)>,
    /// Those for pushes only.
    push_instead: Vec<(String, String)>,
}

/// The reason why a configuration leads to no repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoRemote {
    /// There is no remote.
    None,
    /// No remote is on a server. Contains the names of the remotes.
    Elsewhere(Vec<String>),
}

impl NoRemote {
    /// What to do next, as an imperative.
    pub fn hint(&self) -> &'static str {
        "name the repository: `issue://OWNER/REPO/12`"
    }
}

impl fmt::Display for NoRemote {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("the repository has no remote"),
            Self::Elsewhere(names) => {
                let names = crate::text::line(&names.join(", "), limits::LINE_CHARS);
                write!(
                    f,
                    "no remote of the repository has the form HOST/OWNER/REPO: {names}"
                )
            }
        }
    }
}

impl Config {
    /// Adds a setting: the name of its section, the name in quotes, its own name, and its value. The names of
    /// sections and settings are in lower case. Other settings are ignored.
    pub fn add(&mut self, section: &str, inner: &str, key: &str, value: &str) {
        if value.is_empty() {
            return;
        }
        let value = value.to_owned();
        match (section, key) {
            ("remote", "url" | "pushurl" | "gh-resolved") => {
                let Some(remote) = self.remote(inner) else {
                    return;
                };
                match key {
                    "url" => remote.url.get_or_insert(value),
                    "pushurl" => remote.push_url.get_or_insert(value),
                    _ => remote.resolved.insert(value),
                };
            }
            ("url", "insteadof") if self.instead.len() < limits::CONFIG_ENTRIES => {
                self.instead.push((value, inner.to_owned()));
            }
            ("url", "pushinsteadof") if self.push_instead.len() < limits::CONFIG_ENTRIES => {
                self.push_instead.push((value, inner.to_owned()));
            }
            _ => {}
        }
    }

    /// The remote with a name, which is added if it is new.
    fn remote(&mut self, name: &str) -> Option<&mut Remote> {
        if let Some(at) = self.remotes.iter().position(|remote| remote.name == name) {
            return self.remotes.get_mut(at);
        }
        if self.remotes.len() >= limits::CONFIG_ENTRIES {
            return None;
        }
        self.remotes.push(Remote {
            name: name.to_owned(),
            ..Remote::default()
        });
        self.remotes.last_mut()
    }

    /// The repositories of the remotes, each with its host and the name of the remote, the best one first: that
    /// which `gh repo set-default` chose, then `upstream`, `github`, `origin`, and the others in the order of the
    /// file. Which hosts are GitHub is the caller's business.
    ///
    /// # Errors
    /// Fails if no remote is a repository on a server.
    pub fn repositories(&self) -> Result<Vec<(Repository, String)>, NoRemote> {
        if self.remotes.is_empty() {
            return Err(NoRemote::None);
        }
        let mut found = Vec::new();
        for remote in &self.remotes {
            let Some(mut repository) = self.location(remote) else {
                continue;
            };
            let rank = match (&remote.resolved, remote.name.as_str()) {
                (Some(_), _) => 0_u8,
                (None, "upstream") => 1,
                (None, "github") => 2,
                (None, "origin") => 3,
                (None, _) => 4,
            };
            // Another repository of the same host, which has no remote.
            if let Some((owner, repo)) = remote
                .resolved
                .as_deref()
                .and_then(|name| name.split_once('/'))
                && forge::is_name(owner)
                && forge::is_name(repo)
            {
                owner.clone_into(&mut repository.owner);
                repo.clone_into(&mut repository.repo);
            }
            found.push((rank, repository, remote.name.clone()));
        }
        if found.is_empty() {
            let names = self.remotes.iter().map(|remote| remote.name.clone());
            return Err(NoRemote::Elsewhere(names.take(10).collect()));
        }
        // The sort is stable.
        order::by(&mut found, |a, b| a.0.cmp(&b.0));
        Ok(found
            .into_iter()
            .map(|(_, repository, name)| (repository, name))
            .collect())
    }

    /// The repository of a remote: that of its URL, or that to which it pushes if its URL is a directory.
    fn location(&self, remote: &Remote) -> Option<Repository> {
        let url = remote.url.as_deref();
        let fetched = url.and_then(|url| location(&replaced(&self.instead, url)?));
        fetched.or_else(|| match &remote.push_url {
            Some(push) => location(&replaced(&self.instead, push)?),
            None => {
                let url = url?;
                location(&replaced(&self.push_instead, url).filter(|to| to != url)?)
            }
        })
    }
}

/// A URL with the longest of the prefixes replaced that it has.
fn replaced(instead: &[(String, String)], url: &str) -> Option<String> {
    let matching = instead
        .iter()
        .filter(|(prefix, _)| url.starts_with(prefix.as_str()));
    let Some((prefix, base)) = matching.max_by_key(|(prefix, _)| prefix.len()) else {
        return Some(url.to_owned());
    };
    Some(format!("{base}{}", url.get(prefix.len()..)?))
}

/// The repository that an address of Git names: `https://HOST/OWNER/REPO.git`, `git@HOST:OWNER/REPO`,
/// `ssh://git@HOST:22/OWNER/REPO`. `None` if it is a directory, or has another number of segments. Names and
/// passwords of users are not kept.
pub fn location(url: &str) -> Option<Repository> {
    let (host, path) = match url.split_once("://") {
        Some((scheme, rest)) => {
            let (authority, path) = rest.split_once('/')?;
            let (_, host) = authority.rsplit_once('@').unwrap_or(("", authority));
            let (name, port) = host.split_once(':').unwrap_or((host, ""));
            let host = match (scheme.to_ascii_lowercase().as_str(), port) {
                // The port of SSH is not that of the API.
                ("https", "443") | ("http", "80") | ("ssh" | "git" | "git+ssh" | "ssh+git", _) => {
                    name
                }
                ("https" | "http", _) => host,
                _ => return None,
            };
            (host, path)
        }
        // Only without a slash before the colon, as Git does.
        None => {
            let (authority, path) = url.split_once(':')?;
            let host = authority
                .rsplit_once('@')
                .map_or(authority, |(_, host)| host);
            // One letter is a drive of Windows.
            if authority.contains('/') || host.len() < 2 {
                return None;
            }
            (host, path)
        }
    };
    let host = host.to_ascii_lowercase();
    let host = match host.as_str() {
        // <https://docs.github.com/en/authentication/troubleshooting-ssh/using-ssh-over-the-https-port>
        "ssh.github.com" | "www.github.com" => PUBLIC_HOST,
        host => host,
    };
    let path = path.trim_matches('/');
    let path = path.strip_suffix(".git").unwrap_or(path);
    let (owner, repo) = path.split_once('/')?;
    let repo = repo.trim_matches('/');
    let valid = forge::is_host(host) && forge::is_name(owner) && forge::is_name(repo);
    valid.then(|| Repository {
        host: Some(host.to_owned()),
        owner: owner.to_owned(),
        repo: repo.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> Config {
        let mut config = Config::default();
        for setting in omniread_git::config_entries(text) {
            let value = setting.value.unwrap_or_default();
            config.add(&setting.section, &setting.inner, &setting.key, &value);
        }
        config
    }

    fn name(url: &str) -> Option<String> {
        let found = location(url)?;
        Some(format!("{}/{}/{}", found.host?, found.owner, found.repo))
    }

    fn chosen(text: &str) -> Option<String> {
        let (found, remote) = config(text).repositories().ok()?.into_iter().next()?;
        Some(format!(
            "{remote}: {}/{}/{}",
            found.host?, found.owner, found.repo
        ))
    }

    #[test]
    fn addresses_of_all_forms_name_a_repository() {
        for url in [
            "https://github.com/o/r",
            "https://github.com/o/r.git/",
            "https://user:ghp_secret@GitHub.com:443/o/r.git",
            "http://github.com:80/o/r",
            "git@github.com:o/r.git",
            "github.com:/o/r.git",
            "ssh://git@github.com/o/r.git",
            "ssh://git@github.com:22/o/r",
            "ssh://git@ssh.github.com:443/o/r.git",
            "git@ssh.github.com:o/r.git",
            "git+ssh://git@github.com/o/r",
            "git://github.com/o/r.git",
        ] {
            assert_eq!(name(url).as_deref(), Some("github.com/o/r"), "{url}");
        }
        assert_eq!(
            name("https://x@ghe.corp:8443/o/r.js.git").as_deref(),
            Some("ghe.corp:8443/o/r.js")
        );
        for url in [
            "",
            "/srv/o/r.git",
            "../r",
            "C:\\o\\r",
            "C:/o/r",
            "file:///o/r",
            "./a:b/c",
            "https://github.com/o",
            "https://gitlab.com/a/b/c",
            "https://github.com/../r",
            "git@:o/r",
            "https://github.com/o/..",
            "https://a b/o/r",
            "ext::sh -c x/y",
            "https://github.com:99999/o/r",
        ] {
            assert_eq!(name(url), None, "{url}");
        }
    }

    #[test]
    fn remote_that_gh_chose_comes_first() {
        let text = "[remote \"origin\"]\n\turl = git@github.com:me/r.git\n[remote \"upstream\"]\n url = https://github.com/them/r\n";
        assert_eq!(chosen(text).as_deref(), Some("upstream: github.com/them/r"));
        let base = format!("{text}[remote \"origin\"]\n\tgh-resolved = base\n");
        assert_eq!(chosen(&base).as_deref(), Some("origin: github.com/me/r"));
        let other = format!("{text}[remote \"origin\"]\n\tgh-resolved = us/x\n");
        assert_eq!(chosen(&other).as_deref(), Some("origin: github.com/us/x"));
    }

    #[test]
    fn order_is_that_of_names_and_directories_are_skipped() {
        let text = "[remote \"z\"]\nurl=https://github.com/o/r\n[remote \"origin\"]\nurl=https://gitlab.com/a/b\n[remote \"upstream\"]\nurl=/srv/r\n";
        assert_eq!(chosen(text).as_deref(), Some("origin: gitlab.com/a/b"));
        let names: Vec<String> = config(text)
            .repositories()
            .unwrap()
            .into_iter()
            .map(|(_, name)| name)
            .collect();
        assert_eq!(names, ["origin", "z"]);
        assert_eq!(config("").repositories(), Err(NoRemote::None));
        let local = config("[remote \"a\"]\nurl = ../a").repositories();
        assert_eq!(local, Err(NoRemote::Elsewhere(vec!["a".to_owned()])));
    }

    #[test]
    fn longest_prefix_is_replaced() {
        let text = "[url \"git@github.com:\"]\n insteadOf = gh:\n[url \"https://ghe.corp/\"]\n INSTEADOF = \"gh:c/\" # x\n";
        assert_eq!(
            chosen(&format!("{text}[remote \"a\"]\nurl = gh:o/r")).as_deref(),
            Some("a: github.com/o/r")
        );
        assert_eq!(
            chosen(&format!("{text}[remote \"a\"]\nurl = gh:c/o/r")).as_deref(),
            Some("a: ghe.corp/o/r")
        );
        let push = "[url \"git@github.com:\"]\npushInsteadOf = /mirror/\n[remote \"a\"]\nurl = /mirror/o/r\n";
        assert_eq!(chosen(push).as_deref(), Some("a: github.com/o/r"));
        let push = "[remote \"a\"]\nurl = /mirror/o/r\npushurl = git@github.com:o/p\n";
        assert_eq!(chosen(push).as_deref(), Some("a: github.com/o/p"));
    }

    #[test]
    fn syntax_of_configurations_is_read() {
        let text = "\u{feff}# [remote \"no\"]\n; url = x \\\n[core]\n\tbare = false\n[ReMoTe \"a\\\"b\"] url = \"https://github.com/\\\n\
                    o/r\" ; comment\nfetch = +refs/heads/*:refs/remotes/*\n";
        assert_eq!(chosen(text).as_deref(), Some("a\"b: github.com/o/r"));
        for text in [
            "[",
            "[remote",
            "[remote \"a",
            "[remote \"a\"",
            "url",
            "=",
            "[remote \"a\"]\nurl\n=\nurl =",
            "\\",
            "[url \"\\",
        ] {
            assert!(config(text).repositories().is_err(), "{text}");
        }
        let many: String = (0..5000)
            .map(|n| format!("[remote \"{n}\"]\nurl = /x\n"))
            .collect();
        assert!(config(&many).remotes.len() <= limits::CONFIG_ENTRIES);
    }
}
