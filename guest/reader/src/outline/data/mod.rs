//! What prose and data hold: headings, keys, elements; of tables and logs some
//! records, and what holds for all of them.
//!
//! Every scanner takes time that is linear in the text, whatever stands in it,
//! and none fails: it returns what it found up to where it was sure and behind,
//! and the first line of which it was not.

mod csv;
mod ini;
mod json;
mod lines;
mod logs;
mod markdown;
mod markup;
mod sample;
#[cfg(test)]
mod tests;
mod toml;
mod tree;
mod xml;
mod yaml;

pub use sample::Sample;

use super::item::Parsed;

/// What a text of prose or data holds.
#[derive(Clone, Debug)]
pub enum Found {
    /// Its sections.
    Items(Parsed),
    /// Some of its records.
    Sample(Sample),
}

/// Finds what a text holds; `None` if it is not what its name says, or if
/// nothing in it stands out.
pub type Scanner = fn(&str) -> Option<Found>;

/// Files that are scanned alike.
struct Format {
    /// Endings of their names.
    endings: &'static [&'static str],
    /// Whole names.
    names: &'static [&'static str],
    scan: Scanner,
}

/// Prose, whose sections are headings.
fn prose(parsed: Parsed) -> Found {
    Found::Items(Parsed {
        prose: true,
        ..parsed
    })
}

const FORMATS: [Format; 13] = [
    Format {
        endings: &[
            "md", "markdown", "mdown", "mkd", "mkdn", "mdx", "mdc", "rmd", "qmd",
        ],
        names: &[],
        scan: |text| markdown::parse(text).map(prose),
    },
    Format {
        endings: &["rst", "rest"],
        names: &[],
        scan: |text| markup::rst(text).map(prose),
    },
    Format {
        endings: &["adoc", "asciidoc"],
        names: &[],
        scan: |text| markup::asciidoc(text).map(prose),
    },
    Format {
        endings: &["org"],
        names: &[],
        scan: |text| markup::org(text).map(prose),
    },
    Format {
        endings: &["tex", "latex", "ltx"],
        names: &[],
        scan: |text| markup::latex(text).map(prose),
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
        scan: |text| json::parse(text).map(Found::Items),
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
        scan: |text| yaml::parse(text).map(Found::Items),
    },
    Format {
        // They may be either.
        endings: &[],
        names: &[".eslintrc", ".prettierrc", ".stylelintrc", ".lintstagedrc"],
        scan: |text| {
            json::parse(text)
                .or_else(|| yaml::parse(text))
                .map(Found::Items)
        },
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
        scan: |text| toml::parse(text).map(Found::Items),
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
        scan: |text| ini::parse(text).map(Found::Items),
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
        scan: |text| xml::parse(text).map(Found::Items),
    },
    Format {
        endings: &["csv", "tsv", "tab", "psv"],
        names: &[],
        scan: |text| csv::parse(text).map(Found::Sample),
    },
    Format {
        endings: &["log"],
        names: &["syslog", "messages", "dmesg"],
        scan: |text| logs::parse(text).map(Found::Sample),
    },
];

/// Texts of lines that are data each: a page of them says more.
const LINES: [&str; 3] = ["jsonl", "ndjson", "jsonlines"];

/// What scans a file of this name, which may have folders before it. `None` if
/// the name tells nothing.
pub fn by_name(name: &str) -> Option<Scanner> {
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let is = |known: &&str| known.eq_ignore_ascii_case(name);
    if let Some(format) = FORMATS.iter().find(|format| format.names.iter().any(is)) {
        return Some(format.scan);
    }
    // `.env`, `.env.local`, `prod.env`
    let mut parts = name.split('.');
    let before = parts.next();
    let ending = name.rsplit_once('.').map(|(_, ending)| ending)?;
    if ending == "env" || (before == Some("") && parts.next() == Some("env")) {
        return Some(|text| ini::env(text).map(Found::Items));
    }
    if LINES.iter().any(|known| known.eq_ignore_ascii_case(ending)) {
        return Some(|_| None);
    }
    let ends = |format: &&Format| {
        format
            .endings
            .iter()
            .any(|known| known.eq_ignore_ascii_case(ending))
    };
    if let Some(format) = FORMATS.iter().find(ends) {
        return Some(format.scan);
    }
    // `app.log.1`, `app.log.2024-01-02`
    let is_log = name
        .split('.')
        .skip(1)
        .any(|part| part.eq_ignore_ascii_case("log"));
    (is_log && ending.starts_with(|first: char| first.is_ascii_digit()))
        .then_some(|text| logs::parse(text).map(Found::Sample))
}

/// Finds what a text holds, the name of which tells nothing: only logs are told,
/// for prose begins with what it is about.
pub fn by_content(text: &str) -> Option<Found> {
    logs::parse(text).map(Found::Sample)
}
