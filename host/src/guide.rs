//! `omp://`: the built-in guide, whose pages are those of `docs/guide`. A mount or provider of the scheme
//! replaces it.
//!
//! The pages are 120 kB, three thousandths of the program. They are not compressed: that would save 80 kB,
//! and the build script would compile all components again after each change of a page.

use crate::resources::{Facts, Provider, Resource, ResourceError};
use std::fmt::Write as _;

/// The scheme.
pub(crate) const SCHEME: &str = omniread_schemes::GUIDE;

macro_rules! pages {
    ($($name:literal),* $(,)?) => {
        /// The pages, each with its file name.
        const PAGES: &[(&str, &str)] = &[
            $(($name, include_str!(concat!("../../docs/guide/", $name)))),*
        ];
    };
}

pages!(
    "getting-started.md",
    "paths-and-selectors.md",
    "agents.md",
    "archives.md",
    "batches.md",
    "databases.md",
    "documents.md",
    "git.md",
    "github.md",
    "images.md",
    "internal-urls.md",
    "logs.md",
    "many-machines.md",
    "notebooks.md",
    "outlines.md",
    "pdf.md",
    "recipes.md",
    "sessions.md",
    "tables.md",
    "web.md",
    "web-pages.md",
    "workbooks.md",
);

/// The provider of the guide.
pub(crate) struct Guide;

impl Provider for Guide {
    fn scheme(&self) -> &'static str {
        SCHEME
    }

    fn facts(&self) -> Facts {
        Facts::of(SCHEME)
    }

    fn open(&self, url: &str) -> Result<Resource, ResourceError> {
        let name = url.split_once("://").map_or("", |(_, name)| name);
        let (text, mime) = match page(name) {
            Some(text) => (linked(text), "text/markdown"),
            None if name.is_empty() => (list(), "text/plain"),
            None => return Err(ResourceError::NotFound(similar(name))),
        };
        let size = text.len() as u64;
        let mut resource = Resource::new(text.into_bytes(), Some(size));
        resource.mime = Some(mime.to_owned());
        resource.charset = Some("utf-8".to_owned());
        Ok(resource)
    }

    fn names(&self, start: &str, most: usize) -> Result<Option<Vec<String>>, ResourceError> {
        let names = PAGES.iter().map(|(name, _)| *name);
        let names = names.filter(|name| name.starts_with(start)).take(most);
        Ok(Some(names.map(str::to_owned).collect()))
    }
}

/// The text of a page. `.md` at the end of its name may be left out.
fn page(name: &str) -> Option<&'static str> {
    let stem = name.strip_suffix(".md").unwrap_or(name);
    let found = PAGES
        .iter()
        .find(|(page, _)| page.strip_suffix(".md") == Some(stem));
    found.map(|(_, text)| *text)
}

/// The URLs of the pages whose names begin like one that does not exist.
fn similar(name: &str) -> Vec<String> {
    let stem = name.split_once('.').map_or(name, |(stem, _)| stem);
    let starts = PAGES
        .iter()
        .filter(|(page, _)| page.starts_with(stem) && !stem.is_empty());
    starts
        .map(|(page, _)| format!("{SCHEME}://{page}"))
        .collect()
}

/// The URLs of the pages with their titles.
fn list() -> String {
    let mut list = String::new();
    for (name, text) in PAGES {
        let title = text.lines().next().unwrap_or_default();
        let title = title.trim_start_matches('#').trim();
        let _ = writeln!(list, "{SCHEME}://{name}: {title}");
    }
    list
}

/// A page whose links to other pages are URLs of the guide. Links to other documents, which are not in the
/// program, become their text.
fn linked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find("](") {
        let (before, link) = rest.split_at(at);
        let Some(end) = link.find(')') else { break };
        let (link, after) = link.split_at(end + 1);
        let target = link.trim_start_matches("](").trim_end_matches(')');
        let name = target.split_once('#').map_or(target, |(name, _)| name);
        out.push_str(before);
        let is_page = PAGES.iter().any(|(page, _)| *page == name);
        match out.rfind('[') {
            _ if is_page => {
                let _ = write!(out, "]({SCHEME}://{target})");
            }
            Some(open) if target.starts_with("../") => {
                out.remove(open);
            }
            _ => out.push_str(link),
        }
        rest = after;
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_page_of_the_guide_is_in_the_program() {
        // The directory at the time of the compilation may be that of another clone.
        let package = std::env::var_os("CARGO_MANIFEST_DIR").unwrap();
        let directory = Path::new(&package).join("../docs/guide");
        let files = std::fs::read_dir(directory).unwrap();
        let mut files: Vec<String> = files
            .map(|file| file.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let mut pages: Vec<String> = PAGES.iter().map(|(name, _)| (*name).to_owned()).collect();
        pages.sort();
        assert_eq!(files, pages);
    }

    #[test]
    fn links_lead_to_pages_or_to_the_web() {
        for (name, text) in PAGES {
            let text = linked(text);
            for link in text.split("](").skip(1) {
                let target = link.split(')').next().unwrap();
                let page = target.strip_prefix("omp://").map(|page| {
                    let name = page.split('#').next().unwrap();
                    PAGES.iter().any(|(page, _)| *page == name)
                });
                let is_other = target.contains(':') || target.starts_with('#');
                assert!(page.unwrap_or(is_other), "{name}: {target}");
            }
        }
        assert_eq!(
            linked("[a](../b.md) [c](tables.md#d)"),
            "a [c](omp://tables.md#d)"
        );
    }
}
