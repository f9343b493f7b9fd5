//! The part of `--help` after the options: selectors, settings, variables and examples.

use super::environment::VARIABLES;
use omniread::options::SETTINGS;

/// The example of a web address, if this build can read any.
const WEB_EXAMPLE: &str = if cfg!(feature = "net") {
    "\n  omniread --allow-net docs.rs https://docs.rs/url\n                                  a web page of a granted host"
} else {
    ""
};

/// The rows of names and their meanings, in two columns.
fn table<'t>(rows: impl Iterator<Item = (&'t str, &'t str)> + Clone) -> String {
    let width = rows.clone().map(|(name, _)| name.len()).max().unwrap_or(0);
    let rows = rows.map(|(name, meaning)| format!("  {name:width$}  {meaning}"));
    rows.collect::<Vec<_>>().join("\n")
}

/// The text after the options.
pub fn after_options() -> String {
    let options = table(SETTINGS.iter().map(|setting| (setting.key, setting.help)));
    let variables = table(
        VARIABLES
            .iter()
            .map(|variable| (variable.name, variable.help)),
    );
    format!(
        "\
Selectors:
  PATH:50         from line 50 on
  PATH:50-80      lines 50 to 80, with lines around them (option margin); also :50..80
  PATH:50+10      ten lines from line 50
  PATH:-20        the last 20 lines
  PATH:5-9,40-60  several ranges, without lines around them
  PATH:10:5       from line 10 on; compilers print LINE:COLUMN like this
  PATH:12@2001    line 12 from column 2001
  PATH:raw        the exact text, without line numbers; also :50-80:raw
  PATH:sym:NAME   the declaration, heading or key with this name; also :sym:Outer.inner
  PATH:120:block  the declaration around line 120; :120:block+1 the one around that
  PATH:conflicts  the unresolved merge conflicts of a text
  PATH:conflict:1 the lines of one; PATH:conflict:1/ours one side, also /theirs and /base
Revisions of git:
  a.rs@HEAD~3     the file at a revision; a.rs@v1.0:diff compares it with the work tree
  git://v1.0/src  a file or directory of the first root at a revision; git:// lists branches
Members of archives:
  x.zip           its list of members; also jar, whl, tar, tar.gz, …
  x.zip:src/      the members in a directory
  x.zip:a.txt:50  a member, from line 50 on; archives in archives work too
Images, documents, notebooks, web pages and feeds:
  photo.png       the image, scaled for a model; photo.png:half at half the width and height
  logo.svg:img    the SVG as an image; without `:img` its text
  x.docx          the document as Markdown; x.docx:image:3 an image in it
  x.pdf:page:3    a page; also x.pptx:slide:3, x.epub:chapter:2 and x.mbox:mail:5
  x.pdf:page:3:img    an image of the page; x.pdf:page:3:all shows hidden text too
  x.xlsx:Sales    the first rows of a sheet; x.xlsx:Sales:10-20 by its row numbers
  x.xlsx:Sales:B4:F20           cells; also x.xlsx:Sales?formulas=on
  x.xlsx:Sales?where=Total>9    rows that meet a condition
  x.eml:          the mail as Markdown; x.eml:a.docx an attachment of it
  x.ipynb:cell:4  a cell with its full output, counted from 0; also :cell:2-4
  page.html:      the main text as Markdown; page.html::50 from its line 50 on
  page.html:full  the whole page; page.html#install the section with that id
  feed.xml:       the feed as Markdown, or other XML indented
A file whose whole name is the path comes first. Write `\\:` for a colon in a name.

Options for --set, or in the environment as OMNIREAD_KEY (OMNIREAD_LIMIT=50):
{options}

Other environment variables. Options of the command line take precedence:
{variables}

Sizes are bytes, or have a unit of 1024: K, M, G (500K, 1.5MB, 2GiB). Times are seconds, or have
a unit: ms, s, m, h (500ms, 1m30s).

Standard input is read for the path `-`, and without a PATH if it is a pipe or a file. `/dev/stdin`
and pipes of the shell, `<(command)`, are read too.

Exit status:
  0    everything was read
  1    a path could not be read; the message on standard error states why
  2    the command line is wrong
  130  a signal stopped `omniread batch`

Examples:
  omniread src/main.rs            the first page, with line numbers
  omniread server.log:-50         the end of a log of any size
  omniread -n 40-60 src/main.rs   these lines
  omniread x.json:raw --all | jq  the exact text of a whole file
  omniread .                      this directory
  git diff | omniread             standard input; also `omniread -:1-20`{WEB_EXAMPLE}
  omniread --json Cargo.toml      a JSON object for a program
  omniread call claude '{{\"file_path\": \"README.md\", \"limit\": 20}}'"
    )
}
