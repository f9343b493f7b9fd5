//! The subject of a read: origin, metadata and inner path, and how to format it as a path.

use crate::path::{Part, Selector, as_file, ends_in, escape_all, is_escaped};
use crate::rooted_path::RootedPath;
use crate::sniff::Hints;
use crate::web::Facts;
use crate::world::Info;
use omniread_schemes::{Facts as SchemeFacts, Naming, Scheme, Selectors};
use std::borrow::Cow;

/// The origin of the bytes that are read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// A file or directory in a root (a directory that may be read). Symlinks in this path are not
    /// resolved.
    File(RootedPath),
    /// Standard input.
    Stdin,
    /// The body of an HTTP response.
    Url,
    /// The content of an internal URL of the agent, such as `skill://name`.
    Resource {
        /// The path of the file with this content, if there is one that an edit tool may change.
        place: Option<RootedPath>,
        /// The facts of the scheme.
        facts: SchemeFacts,
        /// Facts about the content, for the reply.
        notes: Vec<String>,
        /// A path whose read requests the content again, if it is an old copy that was shown without a request.
        refresh: Option<String>,
    },
    /// A file or directory in the directory that is mounted for the scheme of an internal URL.
    /// Symlinks in this path are not resolved. `editable` is true if an edit tool may change it.
    Mounted {
        /// The path in the mount.
        place: RootedPath,
        /// Whether an edit tool may change the file.
        editable: bool,
    },
    /// A file or directory at a revision of a git repository, or a list of its branches and tags.
    Revision(Box<Revision>),
}

/// A file or directory at a revision of a git repository.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Revision {
    /// Its path in the work tree, where ignore files may exclude it. Nothing need be there.
    pub place: RootedPath,
    /// Its path in the revision, whose extension is a hint for its format.
    pub name: String,
    /// Facts about the revision, for the reply.
    pub notes: Vec<String>,
}

impl Origin {
    /// The path of the file that an edit tool may change. `None` if the bytes are not those of such
    /// a file.
    pub fn file(&self) -> Option<&RootedPath> {
        match self {
            Self::File(place)
            | Self::Resource {
                place: Some(place), ..
            }
            | Self::Mounted {
                place,
                editable: true,
            } => Some(place),
            Self::Stdin
            | Self::Url
            | Self::Resource { place: None, .. }
            | Self::Mounted { .. }
            | Self::Revision(_) => None,
        }
    }

    /// A path whose read requests the content again, if it is an old copy that was shown without a request.
    pub fn refresh(&self) -> Option<&str> {
        match self {
            Self::Resource { refresh, .. } => refresh.as_deref(),
            _ => None,
        }
    }

    /// Facts about the origin, for the reply.
    pub fn facts(&self) -> Vec<String> {
        match self {
            Self::Revision(revision) => revision.notes.clone(),
            Self::Resource { notes, .. } => notes.clone(),
            _ => Vec::new(),
        }
    }

    /// The path at which the host opens the file or directory. `None` if the bytes are not those of a
    /// file.
    pub fn on_disk(&self) -> Option<&RootedPath> {
        match self {
            Self::File(place) | Self::Mounted { place, .. } => Some(place),
            Self::Stdin | Self::Url | Self::Resource { .. } | Self::Revision(_) => None,
        }
    }
}

/// A part of a path that leads into a file: the name of an archive member, an image of a document,
/// or the name of a table or row of a database.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// A member of an archive; the name of a directory ends in a slash.
    Member(String),
    /// An image of a document, as in a selector: `image:3`.
    Figure(String),
    /// A table of a database, or the key of a row in it.
    Table(String),
}

impl Step {
    /// The name of the member, image, table or key, as it is written in a path.
    pub fn name(&self) -> &str {
        match self {
            Self::Member(name) | Self::Figure(name) | Self::Table(name) => name,
        }
    }

    /// The names of which the step consists in a path. A colon in one of them is escaped, and a
    /// colon between them is not.
    fn parts(&self) -> impl Iterator<Item = &str> {
        let (name, figure) = match self {
            Self::Member(name) | Self::Table(name) => (Some(name.as_str()), None),
            Self::Figure(name) => (None, Some(name.as_str())),
        };
        let words = figure.into_iter().flat_map(|name| name.split(':'));
        name.into_iter().chain(words)
    }
}

/// A path that does not exist, and the path that was read instead.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repair {
    /// The requested path, which does not exist.
    pub from: String,
    /// The path that was read instead.
    pub to: String,
    /// How the replacement was found.
    pub method: RepairMethod,
}

/// How the replacement for a path that does not exist was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RepairMethod {
    /// Exactly one existing path ends with the requested path.
    Suffix,
    /// Exactly one existing path looks like the requested path. Kinds of spaces, quotes and dashes,
    /// and letter case, may differ.
    Lookalike,
    /// A colon in place of the slash after a file, a slash in place of the colon after a directory, or
    /// slashes in place of backslashes.
    Separator,
}

/// The file, member, table or stream that a read is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Subject {
    /// The requested path without its selector, as the user typed it.
    pub requested: String,
    /// The path of the file, without members and selector: relative to the first root, or absolute.
    /// Standard input has the path `-`, and other streams have their URL.
    pub path: String,
    /// The absolute path, or the URL, of the file that was opened.
    pub resolved: String,
    /// The origin of the bytes.
    pub origin: Origin,
    /// Metadata of the file, or of the member that is read.
    pub info: Info,
    /// The compression format of the file or member. `None` if the content is not decompressed.
    pub compression: Option<&'static str>,
    /// The members, table and key that lead from the file to the content that is read.
    pub inner_path: Vec<Step>,
    /// Whether the root directory of an archive is read.
    pub is_root: bool,
    /// The repair, if the requested path does not exist and another one was read.
    pub repair: Option<Repair>,
    /// The response, if the path is a web address.
    pub web: Option<Box<Facts>>,
    /// The id of the artifact with the whole content, if the reply shows only a part and the session keeps it.
    pub artifact: Option<String>,
    /// What reads the rest of a content of which the reply shows only the start.
    pub rest: Rest,
}

/// What reads the rest of a content of which a reply shows only the start.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Rest {
    /// The path of the content with the selector of the rest.
    #[default]
    Selected,
    /// Another path.
    Path(String),
    /// No path.
    Unreachable,
}

/// Whether a URL consists of a scheme and a server only: `https://example.com:8080`.
fn is_bare_server(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    !rest.contains(['/', '?', '#'])
}

/// File name extensions of compressed files.
const COMPRESSED: [&str; 5] = ["gz", "bz2", "xz", "zst", "lzma"];

impl Subject {
    /// The subject for standard input, which has the path `-`. It has no name, so its text is a table
    /// if `has_query` states that rows are requested.
    pub fn stdin(has_query: bool) -> Self {
        let info = Info {
            mime: has_query.then(|| "text/csv".to_owned()),
            ..Info::default()
        };
        Self::remote("-", "-".to_owned(), Origin::Stdin, info)
    }

    /// A subject that is not a file in a root. `typed` is the requested URL, or `-` for standard
    /// input. `resolved` is the URL of the response after redirects.
    pub fn remote(typed: &str, resolved: String, origin: Origin, info: Info) -> Self {
        Self {
            requested: typed.to_owned(),
            path: typed.to_owned(),
            resolved,
            origin,
            info,
            compression: None,
            inner_path: Vec::new(),
            is_root: false,
            repair: None,
            web: None,
            artifact: None,
            rest: Rest::Selected,
        }
    }

    /// The subject for a web address. `typed` is the address without its suffix.
    pub fn web(typed: &str, facts: Facts, info: Info) -> Self {
        Self {
            web: Some(Box::new(facts.clone())),
            ..Self::remote(typed, facts.final_url, Origin::Url, info)
        }
    }

    /// The response, if its body is read: the path is a web address and names no member.
    pub fn page(&self) -> Option<&Facts> {
        self.web.as_deref().filter(|_| self.is_whole())
    }

    /// Whether the bytes of the file itself are read, and not those of a member, a table or
    /// decompressed content.
    pub fn is_whole(&self) -> bool {
        self.compression.is_none() && self.inner_path.is_empty()
    }

    /// Whether the shown text is the content of a file that an edit tool may change.
    pub fn editable(&self) -> bool {
        self.origin.file().is_some() && self.is_whole()
    }

    /// The size of the content in bytes, as its source reports it. `None` if the source reports no
    /// size or the content is decompressed.
    pub fn bytes(&self) -> Option<u64> {
        let plain = self.compression.is_none();
        self.info.size.filter(|_| plain)
    }

    /// The facts about the scheme of the URL, if the content is in a mount.
    fn scheme(&self) -> Option<Scheme> {
        let Origin::Mounted { .. } = self.origin else {
            return None;
        };
        let (scheme, _) = self.path.split_once("://")?;
        Some(Scheme::of(scheme))
    }

    /// Whether the whole text is shown, without the limits of a page.
    pub fn is_unpaged(&self) -> bool {
        match &self.origin {
            Origin::Resource { facts, .. } => !facts.paged,
            _ => self.scheme().is_some_and(|scheme| !scheme.facts.paged),
        }
    }

    /// Whether the URL takes no selector, so that there is no way to another page.
    pub fn takes_no_selector(&self) -> bool {
        matches!(&self.origin, Origin::Resource { facts, .. } if facts.selectors == Selectors::None)
    }

    /// Whether this is the directory of all skills, or of those of a namespace.
    pub fn lists_skills(&self) -> bool {
        let skills = self
            .scheme()
            .is_some_and(|scheme| scheme.naming == Naming::Skills);
        skills && matches!(&self.origin, Origin::Mounted { place, .. } if place.path.is_empty())
    }

    /// Adds a step to the path of the content.
    pub fn enter(&mut self, step: Step) {
        self.requested = format!("{}:{}", self.requested, step.name());
        self.inner_path.push(step);
    }

    /// The name of the last member, table or key in the path. `None` if the path names only a file.
    pub fn last_step(&self) -> Option<&str> {
        self.inner_path.last().map(Step::name)
    }

    /// The name of the last member, table or key in the path, or else the path of the file. The
    /// extension of a decompressed file is removed: `a.log` for `a.log.gz`.
    pub fn inner_name(&self) -> &str {
        let file = match (&self.web, &self.origin) {
            (Some(web), _) => &web.name,
            (None, Origin::Revision(revision)) => &revision.name,
            (None, _) => &self.path,
        };
        let name = self.last_step().unwrap_or(file);
        match name.rsplit_once('.') {
            Some((inner, _)) if self.compression.is_some() && ends_in(name, &COMPRESSED) => inner,
            _ => name,
        }
    }

    /// The name, MIME type and charset of the content, as hints for its detection.
    pub fn hints(&self) -> Hints<'_> {
        Hints {
            name: self.inner_name(),
            mime: self.info.mime.as_deref(),
            charset: self.info.charset.as_deref(),
        }
    }

    /// The path of the file and the names of the members in it, joined by colons for messages.
    pub fn shown(&self) -> String {
        self.parts(self.path.as_str().into()).join(":")
    }

    /// The absolute path of the file and the names of the members in it, joined by colons for
    /// messages.
    pub fn absolute(&self) -> String {
        self.parts(self.resolved.as_str().into()).join(":")
    }

    fn parts<'s>(&'s self, path: Cow<'s, str>) -> Vec<Cow<'s, str>> {
        let steps = self.inner_path.iter().flat_map(Step::parts).map(Cow::from);
        std::iter::once(path).chain(steps).collect()
    }

    /// The path argument that reads the same content: the path of the file and the names of the
    /// members in it. Colons and backslashes in names are escaped if necessary.
    pub fn name(&self) -> String {
        self.format_path(&self.path, None, false)
    }

    /// The path argument that reads a member of this subject.
    pub fn member_path(&self, member: &str) -> String {
        self.format_path(self.base_path(), Some(member), false)
    }

    /// The path argument that reads the whole content. It has no selector.
    pub fn whole(&self) -> String {
        self.format_path(self.base_path(), None, false)
    }

    /// The path argument to which a caller appends a colon and a selector (such as a range of
    /// lines).
    pub fn before_selector(&self) -> String {
        // In the root of an archive, a member could have the name of the selector.
        let root = self.is_root.then_some("/");
        self.format_path(self.base_path(), root, true)
    }

    /// The same with the absolute path of the file.
    pub fn absolute_before_selector(&self) -> String {
        let path = match self.origin {
            Origin::File(_) => &self.resolved,
            _ => &self.path,
        };
        self.format_path(path, self.is_root.then_some("/"), true)
    }

    /// The path argument that reads the part of the content that `selector` selects.
    pub fn with_selector(&self, selector: &Selector) -> String {
        let Some(id) = selector.section() else {
            return format!("{}:{selector}", self.before_selector());
        };
        if self.page().is_some() {
            // The section of a web page is the fragment of its address.
            let part = Part::Whole;
            let lines = Selector {
                part,
                ..selector.clone()
            };
            let colon = if selector.selects_lines() { ":" } else { "" };
            return format!("{}#{id}{colon}{lines}", self.base_path());
        }
        // The escape form applies to the names and to the id.
        let section = format!("#{id}");
        let followed = selector.selects_lines();
        let mut path = self.format_path(self.base_path(), Some(&section), followed);
        if followed {
            let part = Part::Whole;
            let lines = Selector {
                part,
                ..selector.clone()
            };
            path.push_str(&format!(":{lines}"));
        }
        path
    }

    /// The path argument of a query on this database, or on one of its tables if `table` is `Some`.
    /// `query` starts with `?`.
    pub fn query_path(&self, table: Option<&str>, query: &str) -> String {
        let path = self.format_path(self.base_path(), table, true);
        // In escape form a colon ends the name of a file.
        let colon = if is_escaped(&path) && table.is_none() {
            ":"
        } else {
            ""
        };
        format!("{path}{colon}{query}")
    }

    /// The path argument that reads a row of a table of this database.
    pub fn row_path(&self, table: &str, key: &str) -> String {
        format!("{}:{key}", self.query_path(Some(table), ""))
    }

    /// Formats a path argument from the path of the file, the members of this subject, and one more
    /// member if there is one. `more` is true if the caller appends a selector or query.
    fn format_path(&self, path: &str, member: Option<&str>, more: bool) -> String {
        let file = match self.origin {
            Origin::File(_) => as_file(path),
            // `-` and `~` have no special meaning in these names.
            Origin::Stdin
            | Origin::Url
            | Origin::Resource { .. }
            | Origin::Mounted { .. }
            | Origin::Revision(_) => path.into(),
        };
        let mut parts = self.parts(file);
        parts.extend(member.map(Cow::from));
        // The escape form exists for file paths only.
        if matches!(
            self.origin,
            Origin::Url | Origin::Resource { .. } | Origin::Mounted { .. } | Origin::Revision(_)
        ) {
            let followed = more || parts.len() > 1;
            let has_port = match &self.origin {
                Origin::Url => true,
                Origin::Resource { facts, .. } => facts.host_colon,
                _ => false,
            };
            if let Some(url) = parts.first_mut()
                && has_port
                && followed
                && is_bare_server(url)
            {
                // Without the slash, a number after the colon would be a port.
                url.to_mut().push('/');
            }
            return parts.join(":");
        }
        let parts: Vec<&str> = parts.iter().map(AsRef::as_ref).collect();
        escape_all(&parts, more)
    }

    /// The path of the file: absolute if the requested path is absolute, because some tools
    /// accept only absolute paths.
    fn base_path(&self) -> &str {
        if self.repair.is_none() && self.requested.starts_with('/') {
            &self.resolved
        } else {
            &self.path
        }
    }
}
