//! The text of a reply as a person sees it: line numbers below each other, tables as wide as the
//! terminal, and colours. Programs and models get the text of the reply unchanged.

mod listing;

use super::colour::Palette;
use super::escapes::inert;
use super::table::{self, Cut};
use omniread::{Block, Dialect, Kind, Reply};

/// The form of the text of a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    /// The exact text of a file, or JSON.
    Exact,
    /// Lines with `N:` or `N|` before them, between a header and notices.
    Numbered,
    /// Lines with their right-aligned number, and a tab (`cat -n`) or ` | ` after it.
    Aligned,
    /// A listing of a directory or archive.
    Listing,
    /// Text with headings and tables in Markdown.
    Markdown,
    /// Any other text.
    Plain,
}

impl Form {
    fn of(reply: &Reply, dialect: Dialect) -> Self {
        let text = reply.details.text();
        if text.is_some_and(|text| text.raw) {
            return Self::Exact;
        }
        if text.is_some_and(|text| text.display.is_some()) {
            return Self::Numbered;
        }
        match (dialect, &reply.details.kind) {
            (Dialect::Comma | Dialect::Gemini, _) => Self::Exact,
            (_, Kind::Directory(_) | Kind::Archive(_)) => Self::Listing,
            (Dialect::Gateway, Kind::Document(_) | Kind::Text(_))
            | (Dialect::Claude, Kind::Text(_)) => Self::Aligned,
            (_, Kind::Database(_) | Kind::Document(_)) => Self::Markdown,
            _ => Self::Plain,
        }
    }
}

/// The output for which a text is formatted.
#[derive(Clone, Copy, Debug)]
pub struct Screen {
    /// The number of columns, if the text is aligned.
    pub columns: Option<usize>,
    /// Whether it is a terminal, on which control characters are escaped.
    pub is_terminal: bool,
    /// The colours.
    pub palette: Palette,
}

/// The form of a reply on a screen.
pub struct View {
    form: Form,
    /// Whether the text is that of a file, without a line ending of its own.
    exact: bool,
    screen: Screen,
    /// The width of the line numbers, if they are aligned.
    numbers: usize,
    /// What the tables of the reply lack, so far.
    pub cut: Cut,
}

impl View {
    /// The view of a reply of a dialect.
    pub fn new(reply: &Reply, dialect: Dialect, screen: Screen) -> Self {
        let form = Form::of(reply, dialect);
        let mut numbers = 0;
        if form == Form::Numbered && screen.columns.is_some() {
            let texts = reply.blocks.iter().filter_map(|block| match block {
                Block::Text(text) => Some(text),
                _ => None,
            });
            let lines = texts.flat_map(|text| text.split('\n'));
            numbers = lines.map(prefix).max().unwrap_or(0);
        }
        Self {
            form,
            exact: reply.details.text().is_some_and(|text| text.raw),
            screen,
            numbers,
            cut: Cut::default(),
        }
    }

    /// Whether the text is exactly that of a file, so that no line ending is added.
    pub fn is_exact_text(&self) -> bool {
        self.exact
    }

    /// The text of a block as the screen shows it. Control characters of the file are escaped on a
    /// terminal, and in text with colours.
    pub fn text(&mut self, text: &str) -> String {
        let Screen {
            columns,
            is_terminal,
            palette,
        } = self.screen;
        let is_exact = self.form == Form::Exact || (columns.is_none() && !palette.is_coloured());
        if !is_terminal && is_exact {
            return text.to_owned();
        }
        let text = inert(text);
        match self.form {
            Form::Exact => text,
            Form::Numbered => each_line(&text, |line| {
                let (number, rest) = line.split_at(prefix(line));
                if number.is_empty() {
                    return bracketed(line, palette);
                }
                let space = self.numbers.saturating_sub(number.len());
                format!("{:space$}{}{rest}", "", palette.number(number))
            }),
            Form::Aligned => {
                let painted = each_line(&text, |line| {
                    let (number, rest) = line.split_at(aligned_prefix(line));
                    palette.number(number) + rest
                });
                notices(&painted, palette)
            }
            Form::Listing => {
                let text = match columns {
                    Some(_) => listing::aligned(&text),
                    None => text,
                };
                let painted = each_line(&text, |line| listing::painted(line, palette));
                notices(&painted, palette)
            }
            Form::Markdown => {
                let text = match columns {
                    Some(columns) => {
                        let fitted = table::fit(&text, columns, palette);
                        self.cut.add(fitted.cut);
                        fitted.text
                    }
                    None => text,
                };
                let mut fence = None;
                let mut painted = Vec::new();
                for line in text.split('\n') {
                    fence = table::fence_after(fence, line);
                    let heading = fence.is_none()
                        && (line.starts_with("── Row ") || is_markdown_heading(line));
                    painted.push(if heading {
                        palette.head(line)
                    } else {
                        line.to_owned()
                    });
                }
                notices(&painted.join("\n"), palette)
            }
            Form::Plain => notices(&text, palette),
        }
    }
}

fn each_line(text: &str, shown: impl Fn(&str) -> String) -> String {
    text.split('\n').map(shown).collect::<Vec<_>>().join("\n")
}

/// The length in bytes of the line number at the start of a line, with its colon: `12:`, `12@40:`,
/// `12-40:`. A bar (`|`) is in place of the colon if an edit tool cannot change the line. The
/// length is 0 if there is no number.
fn prefix(line: &str) -> usize {
    let number = |c: char| c.is_ascii_digit() || matches!(c, '-' | '@');
    let end = line.find(|c| !number(c)).unwrap_or(line.len());
    let starts = line.starts_with(|c: char| c.is_ascii_digit());
    match line.get(end..) {
        Some(rest) if starts && rest.starts_with([':', '|']) => end + 1,
        _ => 0,
    }
}

/// The length in bytes of the right-aligned number at the start of a line, with its bar. A tab or an
/// arrow may follow it in place of the bar. The length is 0 if there is no number.
fn aligned_prefix(line: &str) -> usize {
    let digits = line.trim_start_matches(' ');
    let rest = digits.trim_start_matches(|c: char| c.is_ascii_digit());
    let end = line.len() - rest.len();
    match digits.len() > rest.len() && rest.starts_with(['\t', '→']) {
        true => end,
        false if digits.len() > rest.len() && rest.starts_with(" | ") => end + 2,
        false => 0,
    }
}

fn bracketed(line: &str, palette: Palette) -> String {
    if line.starts_with('[') {
        palette.notice(line)
    } else {
        line.to_owned()
    }
}

/// Paints the lines in brackets at the start and the end of a text, which are its header and
/// notices.
fn notices(text: &str, palette: Palette) -> String {
    let lines: Vec<&str> = text.split('\n').collect();
    let is_notice = |line: &&str| line.starts_with('[') && line.ends_with(']');
    let before = lines.iter().take_while(|line| is_notice(line)).count();
    let after = lines
        .iter()
        .rev()
        .take_while(|line| is_notice(line))
        .count();
    // Notices follow a blank line. Other lines in brackets belong to the text.
    let from = lines.len() - after;
    let follows = from == 0 || lines[from - 1].is_empty();
    let painted = lines.iter().enumerate().map(|(index, line)| {
        let notice = index < before || (follows && index >= from);
        if notice {
            palette.notice(line)
        } else {
            (*line).to_owned()
        }
    });
    painted.collect::<Vec<_>>().join("\n")
}

/// Whether a line is a heading in Markdown: one to six `#`, and a space.
fn is_markdown_heading(line: &str) -> bool {
    let text = line.trim_start_matches('#');
    (1..=6).contains(&(line.len() - text.len())) && text.starts_with(' ')
}

#[cfg(test)]
mod tests;
