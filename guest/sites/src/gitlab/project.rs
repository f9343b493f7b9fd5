//! A project, and its refs.

use crate::address::encode;
use crate::fetch;
use crate::limits;
use crate::service::{Fault, Service};
use crate::value::Fields;
use serde_json::Value;

/// A project.
pub struct Project {
    /// The scheme and the host.
    pub origin: String,
    /// The groups and the name, with slashes.
    pub path: String,
}

impl Project {
    /// The URL of a part of the project's API.
    pub fn api(&self, path: &str) -> String {
        format!(
            "{}/api/v4/projects/{}/{path}",
            self.origin,
            encode(&self.path)
        )
    }

    /// The URL of a page of the project.
    pub fn page(&self, path: &str) -> String {
        format!("{}/{}/-/{path}", self.origin, self.path)
    }

    /// Splits names into a branch, tag or commit and a path. Names of branches may have slashes, so the shortest
    /// one that exists is taken: Git allows no branch `a/b` beside a branch `a`. Returns the ref, its commit and
    /// the number of names that it has.
    ///
    /// # Errors
    /// Fails if none of the first names is a ref.
    pub fn split(
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
