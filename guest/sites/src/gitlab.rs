//! GitLab: gitlab.com, and hosts whose names start with `gitlab.`. Others cannot be recognised by their names.
//!
//! The API is described in <https://docs.gitlab.com/api/rest/>: files
//! (<https://docs.gitlab.com/api/repository_files/>), trees (<https://docs.gitlab.com/api/repositories/>), commits
//! (<https://docs.gitlab.com/api/commits/>), issues (<https://docs.gitlab.com/api/issues/>), merge requests
//! (<https://docs.gitlab.com/api/merge_requests/>) and notes (<https://docs.gitlab.com/api/notes/>).

mod project;
mod tree;
mod work;

use crate::address::{is_number, parts, segments};
use crate::handler::{Found, Handler};
use crate::service::{Fault, Service};
use project::Project;
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
