//! GitLab: gitlab.com, and hosts whose names start with `gitlab.`. Others cannot be recognised by their names.
//!
//! The API is described in <https://docs.gitlab.com/api/rest/>: files
//! (<https://docs.gitlab.com/api/repository_files/>), trees (<https://docs.gitlab.com/api/repositories/>), commits
//! (<https://docs.gitlab.com/api/commits/>), issues (<https://docs.gitlab.com/api/issues/>), merge requests
//! (<https://docs.gitlab.com/api/merge_requests/>) and notes (<https://docs.gitlab.com/api/notes/>).

mod tree;
mod work;

use crate::address::{encode, is_number, parts, segments};
use crate::fetch;
use crate::handler::{Found, Handler};
use crate::limits;
use crate::service::{Fault, Service};
use crate::value::Fields;
use serde_json::Value;
use url::Url;

/// Files, directories, issues and merge requests.
pub struct GitLab;

impl Handler for GitLab {
    fn name(&self) -> &'static str {
        "gitlab"
    }

    fn read(&self, url: &Url, service: &mut dyn Service) -> Option<Result<Found, Fault>> {
        let host = url.host_str().filter(|_| url.port().is_none())?;
        if !host.starts_with("gitlab.") {
            return None;
        }
        let segments = segments(url);
        let parts = parts(&segments);
        // The path of a project has at least a group and a name. A hyphen separates it from its pages.
        let at = parts
            .iter()
            .position(|it| *it == "-")
            .filter(|it| *it >= 2)?;
        let path = parts.get(..at)?.join("/");
        let rest = parts.get(at.saturating_add(1)..)?;
        let project = Project {
            origin: format!("{}://{host}", url.scheme()),
            path,
        };
        match rest {
            ["blob", names @ ..] if names.len() >= 2 => {
                Some(tree::file(&project, names, url, service))
            }
            ["tree", names @ ..] if !names.is_empty() => {
                Some(tree::directory(&project, names, service))
            }
            ["issues" | "work_items", number] if is_number(number) => {
                Some(work::issue(&project, number.parse().ok()?, service))
            }
            ["merge_requests", number] if is_number(number) => {
                Some(work::merge_request(&project, number.parse().ok()?, service))
            }
            ["merge_requests", number, "diffs"] if is_number(number) => {
                Some(work::diff(&project, number))
            }
            ["merge_requests", number, "commits"] if is_number(number) => {
                Some(work::commits(&project, number, service))
            }
            _ => None,
        }
    }
}

/// A project.
struct Project {
    /// The scheme and the host.
    origin: String,
    /// The groups and the name, with slashes.
    path: String,
}

impl Project {
    /// The URL of a part of the project's API.
    fn api(&self, path: &str) -> String {
        format!(
            "{}/api/v4/projects/{}/{path}",
            self.origin,
            encode(&self.path)
        )
    }

    /// The URL of a page of the project.
    fn page(&self, path: &str) -> String {
        format!("{}/{}/-/{path}", self.origin, self.path)
    }

    /// Splits names into a branch, tag or commit and a path. Names of branches may have slashes, so the shortest
    /// one that exists is taken: Git allows no branch `a/b` beside a branch `a`. Returns the ref, its commit and
    /// the number of names that it has.
    ///
    /// # Errors
    /// Fails if none of the first names is a ref.
    fn split(
        &self,
        names: &[&str],
        service: &mut dyn Service,
    ) -> Result<(String, Value, usize), Fault> {
        let mut missing = Fault::Missing(self.page("tree"));
        for count in 1..=names.len().min(limits::REF_PARTS) {
            let name = names.get(..count).unwrap_or_default().join("/");
            let url = self.api(&format!("repository/commits/{}?stats=false", encode(&name)));
            match fetch::object(service, &url) {
                Ok(commit) => {
                    let id = commit.line("id").unwrap_or_default();
                    let is_hash = id.len() >= 40 && id.bytes().all(|it| it.is_ascii_hexdigit());
                    if !is_hash {
                        return Err(fetch::other(&name, commit.line("id").as_deref()));
                    }
                    return Ok((name, commit, count));
                }
                Err(fault @ Fault::Missing(_)) => missing = fault,
                Err(fault) => return Err(fault),
            }
        }
        Err(missing)
    }
}
