//! Scanners for prose, data and tables.
//!
//! Prose and data result in sections: headings, keys or elements. Tables result in sample
//! records and facts about all records.
//!
//! Every scanner takes linear time and never fails. A scanner returns what it found before and
//! after damage, with the first line that it could not interpret.

mod csv;
mod ini;
mod json;
pub mod keys;
mod lines;
mod markdown;
mod markup;
mod sample;
#[cfg(test)]
mod tests;
mod toml;
mod tree;
mod xml;
mod yaml;

pub use json::find as json_value;
pub use sample::Sample;

use super::item::Parsed;

/// The result of a scanner.
#[derive(Clone, Debug)]
pub enum Scanned {
    /// Sections or declarations.
    Items(Parsed),
    /// Sample records, and facts about all records.
    Sample(Sample),
}

/// A function that scans a text. It returns `None` if the text does not have the expected format or
/// contains no items.
pub type Scanner = fn(&str) -> Option<Scanned>;

/// A format: the names of its files and the scanner for them.
struct Format {
    /// Extensions of file names, without the dot.
    endings: &'static [&'static str],
    /// Whole file names.
    names: &'static [&'static str],
    scan: Scanner,
    /// Reports all keys, if they form paths.
    keys: Option<keys::Walk>,
}

/// Marks a result as prose, whose sections are headings.
fn prose(parsed: Parsed) -> Scanned {
    Scanned::Items(Parsed {
        prose: true,
        ..parsed
    })
}

const FORMATS: [Format; 12] = [
    Format {
        endings: &[
            "md", "markdown", "mdown", "mkd", "mkdn", "mdx", "mdc", "rmd", "qmd",
        ],
        names: &[],
        scan: |text| markdown::parse(text).map(prose),
        keys: None,
    },
    Format {
        endings: &["rst", "rest"],
        names: &[],
        scan: |text| markup::rst(text).map(prose),
        keys: None,
    },
    Format {
        endings: &["adoc", "asciidoc"],
        names: &[],
        scan: |text| markup::asciidoc(text).map(prose),
        keys: None,
    },
    Format {
        endings: &["org"],
        names: &[],
        scan: |text| markup::org(text).map(prose),
        keys: None,
    },
    Format {
        endings: &["tex", "latex", "ltx"],
        names: &[],
        scan: |text| markup::latex(text).map(prose),
        keys: None,
    },
    Format {
        endings: &[
            "json",
            "jsonc",
            "json5",
            "jsonld",
            "geojson",
            "topojson",
            "webmanifest",
            "har",
            "avsc",
            "sarif",
            "tfstate",
            "code-workspace",
            "code-snippets",
        ],
        names: &[
            "composer.lock",
            "pipfile.lock",
            "flake.lock",
            "deno.lock",
            "bun.lock",
            "package.resolved",
            ".babelrc",
            ".swcrc",
            ".jshintrc",
            ".jscsrc",
            ".watchmanconfig",
        ],
        scan: |text| json::parse(text).map(Scanned::Items),
        keys: Some(keys::json),
    },
    Format {
        endings: &["yaml", "yml", "cff"],
        names: &[
            ".clang-format",
            ".clang-tidy",
            ".clangd",
            ".yamllint",
            ".gemrc",
            "pubspec.lock",
            "podfile.lock",
            "yarn.lock",
        ],
        scan: |text| yaml::parse(text).map(Scanned::Items),
        keys: Some(keys::yaml),
    },
    Format {
        // These files may be JSON or YAML.
        endings: &[],
        names: &[".eslintrc", ".prettierrc", ".stylelintrc", ".lintstagedrc"],
        scan: |text| {
            json::parse(text)
                .or_else(|| yaml::parse(text))
                .map(Scanned::Items)
        },
        keys: Some(keys::json_or_yaml),
    },
    Format {
        endings: &["toml"],
        names: &[
            "cargo.lock",
            "poetry.lock",
            "uv.lock",
            "pdm.lock",
            "gopkg.lock",
            "pipfile",
        ],
        scan: |text| toml::parse(text).map(Scanned::Items),
        keys: Some(keys::toml),
    },
    Format {
        endings: &[
            "ini",
            "cfg",
            "conf",
            "cnf",
            "properties",
            "inf",
            "reg",
            "desktop",
            "service",
            "socket",
            "timer",
            "mount",
            "target",
            "slice",
            "network",
            "netdev",
            "link",
            "editorconfig",
            "gitconfig",
            "gitmodules",
            "npmrc",
            "pylintrc",
            "flake8",
            "coveragerc",
            "hgrc",
            "wslconfig",
            "prefs",
            "url",
        ],
        names: &["pylintrc", "pip.conf"],
        scan: |text| ini::parse(text).map(Scanned::Items),
        keys: None,
    },
    Format {
        endings: &[
            "xml",
            "xsd",
            "xsl",
            "xslt",
            "xhtml",
            "svg",
            "plist",
            "csproj",
            "vbproj",
            "fsproj",
            "vcxproj",
            "proj",
            "props",
            "targets",
            "filters",
            "nuspec",
            "config",
            "manifest",
            "xaml",
            "axaml",
            "resx",
            "wsdl",
            "rss",
            "atom",
            "kml",
            "gpx",
            "rdf",
            "xib",
            "storyboard",
            "wxs",
            "wxi",
            "xlf",
            "xliff",
            "ui",
            "qrc",
            "iml",
            "pom",
            "opf",
            "ncx",
            "dae",
            "fxml",
            "urdf",
            "xacro",
            "sdf",
            "glade",
            "drawio",
            "gir",
            "xspf",
            "mathml",
        ],
        names: &[],
        scan: |text| xml::parse(text).map(Scanned::Items),
        keys: None,
    },
    Format {
        endings: &["csv", "tsv", "tab", "psv"],
        names: &[],
        scan: |text| csv::parse(text).map(Scanned::Sample),
        keys: None,
    },
];

/// Extensions of formats with one value or record per line. Files of these formats have no outline,
/// because some of their lines are more useful.
const LINES: [&str; 4] = ["jsonl", "ndjson", "jsonlines", "log"];

/// The function that reports all keys of a file with this name, if its format has keys that form
/// paths: JSON, YAML or TOML. The name may include directories.
pub fn keys_by_name(name: &str) -> Option<keys::Walk> {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let is = |known: &&str| known.eq_ignore_ascii_case(name);
    if let Some(format) = FORMATS.iter().find(|format| format.names.iter().any(is)) {
        return format.keys;
    }
    let (_, ending) = name.rsplit_once('.')?;
    let is = |known: &&str| known.eq_ignore_ascii_case(ending);
    let format = FORMATS
        .iter()
        .find(|format| format.endings.iter().any(is))?;
    format.keys
}

/// The scanner for a file name, which may include directories. Returns `None` if the name does not
/// identify a format.
pub fn by_name(name: &str) -> Option<Scanner> {
    of_name(name).map(|named| match named {
        Named::Scanner(scan) => scan,
        Named::Nothing => |_: &str| None,
    })
}

/// What the name of a file says about its outline.
#[derive(Clone, Copy, Debug)]
pub enum Named {
    /// The scanner of its format.
    Scanner(Scanner),
    /// Files of its format have none.
    Nothing,
}

/// What a file name says. Returns `None` if the name does not identify a format.
pub fn of_name(name: &str) -> Option<Named> {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let is = |known: &&str| known.eq_ignore_ascii_case(name);
    if let Some(format) = FORMATS.iter().find(|format| format.names.iter().any(is)) {
        return Some(Named::Scanner(format.scan));
    }
    // `.env`, `.env.local`, `prod.env`
    let mut parts = name.split('.');
    let before = parts.next();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending)?;
    if ending == "env" || (before == Some("") && parts.next() == Some("env")) {
        return Some(Named::Scanner(|text| ini::env(text).map(Scanned::Items)));
    }
    if LINES.iter().any(|known| known.eq_ignore_ascii_case(ending)) {
        return Some(Named::Nothing);
    }
    let ends = |format: &&Format| {
        format
            .endings
            .iter()
            .any(|known| known.eq_ignore_ascii_case(ending))
    };
    let format = FORMATS.iter().find(ends)?;
    Some(Named::Scanner(format.scan))
}
