//! Lists of paths: each path is read as if it were alone, and the replies become one, within the limits of one page.

use super::json;
use super::reply::{Block, ListPart, ListReply, RenderedFailure, Reply};
use crate::answer::{Answer, Body};
use crate::escapes::escape_invisible;
use crate::failure::Failure;
use crate::limits;
use crate::path::list::{List, join};
use crate::path::{Lines, Suffix};
use crate::request::{Request, Style};
use crate::window::{Capacity, Window};
use crate::world::World;
use omniread_tokens::estimate;
use std::fmt::Write as _;

/// Reads single paths in a dialect.
pub trait Paths {
    /// Everything outside of the reader.
    fn world(&mut self) -> &mut dyn World;

    /// Reads a path, without showing the answer.
    ///
    /// # Errors
    /// Fails if the read fails.
    fn answer(&mut self, request: &Request) -> Result<(Answer, bool), Failure>;

    /// Renders an answer, and reports to the session what is shown.
    ///
    /// # Errors
    /// Fails if the dialect refuses the answer.
    fn show(&mut self, request: &Request, answer: (Answer, bool))
    -> Result<Reply, RenderedFailure>;

    /// Renders the failure of a request.
    fn refuse(&mut self, failure: Failure, request: &Request) -> RenderedFailure;

    /// Reads a path, and renders the answer.
    ///
    /// # Errors
    /// Fails if the read fails.
    fn read(&mut self, request: &Request) -> Result<Reply, RenderedFailure>;
}

/// Reads the paths of a list. `None` if the list is one path, because its name contains `;`, or contains no path.
///
/// # Errors
/// Fails if no path of the list can be read.
pub fn read(
    list: &List<'_>,
    request: &Request,
    reader: &mut dyn Paths,
) -> Option<Result<Reply, RenderedFailure>> {
    let repair = request.style.repair;
    let (paths, may_be_member) = {
        let world = reader.world();
        let mut names = |path: &str| crate::name_length(path, repair, world);
        if list.is_name(&mut names) {
            return None;
        }
        let paths = list.parts(&mut names);
        (paths, list.may_be_member(&mut names, is_selector))
    };
    if may_be_member {
        let mut spelled = request.clone();
        spelled.style.repair = false;
        if let Ok(answer) = reader.answer(&spelled) {
            return Some(reader.show(request, answer));
        }
    }
    let of = |path: &str| Request {
        path: path.to_owned(),
        ..request.clone()
    };
    if let [path] = paths.as_slice() {
        return Some(reader.read(&of(path)));
    }
    paths.first()?;
    let mut room = Room::of(&request.style);
    let mut parts = Vec::new();
    let mut end = None;
    for path in &paths {
        end = room.end(parts.len(), &*reader.world());
        if end.is_some() {
            break;
        }
        let mut one = of(path);
        room.limit(&mut one.style);
        let outcome = match reader.answer(&one) {
            Ok((answer, _)) if !room.fits(&answer) => {
                end = Some(End::Full);
                break;
            }
            Ok(answer) => reader.show(&one, answer),
            Err(failure) => Err(reader.refuse(failure, &one)),
        };
        room.take(&outcome);
        let path = path.clone();
        parts.push(ListPart { path, outcome });
    }
    let unread = paths.get(parts.len()..).unwrap_or_default();
    let read = parts.iter().find_map(|part| part.outcome.as_ref().ok());
    let Some(first) = read.map(|reply| reply.answer.clone()) else {
        // Perhaps a file whose name has a `;` is misspelled.
        return Some(match reader.read(request) {
            Err(_) => Err(refused(parts, unread)),
            reply => reply,
        });
    };
    Some(Ok(reply(&request.path, parts, unread, end, first)))
}

/// Whether the text after a name is a selector or a query, and not a member.
fn is_selector(rest: &str) -> bool {
    rest.strip_prefix(':').is_none_or(|rest| {
        let suffix = Suffix::new(rest, false);
        suffix.is_selector() || matches!(suffix.selector(), Ok(Some(_)) | Err(_))
    })
}

/// The reason why the rest of a list is not read.
#[derive(Clone, Copy)]
enum End {
    Full,
    Paths,
    Time,
}

/// The space that the parts of a list have left on their page.
struct Room {
    style: Style,
    /// Whether nothing is on the page.
    empty: bool,
    /// The lines that requests without a last line may still show.
    open_lines: u64,
    lines: u64,
    bytes: u64,
    images: u64,
    tokens: u64,
}

impl Room {
    fn of(style: &Style) -> Self {
        Self {
            style: *style,
            empty: true,
            open_lines: style.open_lines,
            lines: 0,
            bytes: 0,
            images: 0,
            tokens: 0,
        }
    }

    /// The bytes that the page may still have.
    fn bytes_left(&self) -> u64 {
        let lines = self.lines.min(limits::MAX_LINES);
        let page = match self.style.capacity {
            Capacity::ByLines => {
                limits::PAGE_BYTES.max(lines.saturating_mul(limits::BYTES_PER_LINE))
            }
            Capacity::Lines(bytes) | Capacity::Bytes(bytes) => bytes,
        };
        page.min(self.style.reply_bytes).saturating_sub(self.bytes)
    }

    /// The reason why no further path is read, after `count` paths.
    fn end(&self, count: usize, world: &dyn World) -> Option<End> {
        let time = world.read_time();
        let late = |limit| time.used > limit / limits::LIST_TIME;
        let tokens =
            |most: u64| most.saturating_sub(self.tokens) < share(limits::LIST_TOKENS, most);
        let bytes = share(limits::LIST_BYTES, self.style.reply_bytes);
        if count >= limits::LIST_PATHS {
            return Some(End::Paths);
        }
        if self.empty && self.bytes == 0 {
            return None;
        }
        if self.bytes_left() < bytes
            || self.lines >= self.style.max_lines
            || self.style.tokens.is_some_and(tokens)
        {
            return Some(End::Full);
        }
        time.limit.is_some_and(late).then_some(End::Time)
    }

    /// Lowers the limits of a page to what is left. The first part has those of a page of its own, so that a list
    /// always makes progress.
    fn limit(&self, style: &mut Style) {
        if self.empty {
            return;
        }
        style.open_lines = style.open_lines.min(self.open_lines.max(1));
        style.max_lines = style.max_lines.saturating_sub(self.lines).max(1);
        style.reply_bytes = style.reply_bytes.min(self.bytes_left());
        let left = |most: u64| most.saturating_sub(self.tokens);
        style.tokens = style.tokens.map(left);
    }

    /// Whether the page has room for an answer that was read within these limits.
    fn fits(&self, answer: &Answer) -> bool {
        if self.empty {
            return true;
        }
        let lines = answer.page().map_or(0, |page| page.lines.len() as u64);
        // An outline has a size of its own.
        let outline = matches!(&answer.body, Body::Text(text) if text.outline.is_some());
        let too_long = lines > self.open_lines && (outline || is_open(answer));
        // Only the limits of a whole page leave a path to the rest.
        let page_continues = answer.page().is_some_and(|page| page.following.is_some());
        let lost = (answer.is_cut() || page_continues) && answer.next().is_none();
        let images = self.images.saturating_add(images(answer));
        !too_long && !lost && images <= self.style.reply_images
    }

    fn take(&mut self, outcome: &Result<Reply, RenderedFailure>) {
        let reply = match outcome {
            Ok(reply) => reply,
            Err(refused) => {
                self.add(&refused.text);
                return;
            }
        };
        self.empty = false;
        let answer = &reply.answer;
        let lines = answer.page().map_or(0, |page| page.lines.len() as u64);
        self.lines = self.lines.saturating_add(lines);
        if is_open(answer) {
            self.open_lines = self.open_lines.saturating_sub(lines);
        }
        self.images = self.images.saturating_add(images(answer));
        for block in &reply.blocks {
            let (Block::Text(text) | Block::Notice(text)) = block else {
                continue;
            };
            self.add(text);
        }
    }

    /// Counts a text of the page.
    fn add(&mut self, text: &str) {
        self.bytes = self.bytes.saturating_add(text.len() as u64);
        if self.style.tokens.is_some() {
            self.tokens = self.tokens.saturating_add(estimate(text));
        }
    }
}

/// The space that a further path needs: `wanted`, or a quarter of a small page.
fn share(wanted: u64, page: u64) -> u64 {
    wanted.min(page / 4)
}

/// Whether the request for the lines of an answer names no last line.
fn is_open(answer: &Answer) -> bool {
    let open = |window: &Window| match &window.selector.lines {
        Lines::All => true,
        Lines::One(range) => range.end.is_none(),
        Lines::List(_) | Lines::Tail { .. } => false,
    };
    match &answer.body {
        Body::Text(text) => open(&text.window),
        Body::Listing(listing) => open(&listing.window),
        _ => false,
    }
}

/// The size in bytes of the base64 text of the images of an answer.
fn images(answer: &Answer) -> u64 {
    let payloads = answer
        .media()
        .filter_map(|media| media.payload.as_ref().ok());
    let sizes = payloads.map(|payload| payload.data.len() as u64);
    sizes.fold(0, u64::saturating_add)
}

/// Whether the reply to a path starts with a header that names it.
fn has_header(reply: &Reply) -> bool {
    let (Body::Text(text), Some(Block::Text(shown))) = (&reply.answer.body, reply.blocks.first())
    else {
        return false;
    };
    let Some(tag) = text.tag.as_ref().filter(|_| !reply.exact) else {
        return false;
    };
    let end = format!("#{tag}");
    let is_header = |line: &str| {
        line.starts_with(['[', '¶']) && line.strip_suffix(']').unwrap_or(line).ends_with(&end)
    };
    // The line on a repaired path precedes it.
    shown.lines().take(2).any(is_header)
}

/// The header of a part that has no other.
fn header(path: &str) -> String {
    format!("[{}]", escape_invisible(path))
}

/// Blocks of several replies. Texts that follow each other are one block.
#[derive(Default)]
struct Blocks {
    blocks: Vec<Block>,
    /// Whether the last block is exact text, to which nothing is added.
    exact: bool,
}

impl Blocks {
    fn text(&mut self, gap: &str, text: &str) {
        match self.blocks.last_mut() {
            Some(Block::Text(before)) if !self.exact => {
                before.push_str(gap);
                before.push_str(text);
            }
            _ => self.blocks.push(Block::Text(text.to_owned())),
        }
        self.exact = false;
    }

    fn reply(&mut self, path: &str, reply: &mut Reply) {
        let mut gap = "\n\n";
        if !has_header(reply) {
            self.text(gap, &header(path));
            gap = "\n";
        }
        for block in std::mem::take(&mut reply.blocks) {
            match block {
                Block::Text(text) if reply.exact => {
                    self.blocks.push(Block::Text(text));
                    self.exact = true;
                }
                Block::Text(text) => self.text(gap, &text),
                block => self.blocks.push(block),
            }
            gap = "\n\n";
        }
    }
}

/// Combines the replies to the parts of a list.
fn reply(
    path: &str,
    mut parts: Vec<ListPart>,
    unread: &[String],
    end: Option<End>,
    answer: Answer,
) -> Reply {
    let mut blocks = Blocks::default();
    let mut data = Vec::new();
    let mut rest = Vec::new();
    for part in &mut parts {
        let path = &part.path;
        let mut fields = format!("\"path\":{}", json::json(path));
        match &mut part.outcome {
            Ok(reply) => {
                let next = reply.answer.next();
                blocks.reply(path, reply);
                let next_path = json::json(&next);
                let details = std::mem::take(&mut reply.structured);
                let _ = write!(fields, ",\"next\":{next_path},\"details\":{details}");
                rest.extend(next);
            }
            Err(refused) => {
                let head = header(path);
                blocks.text("\n\n", &format!("{head}\n{}", refused.text));
                let error = json::json(&&*refused.failure.message);
                let _ = write!(fields, ",\"error\":{error}");
            }
        }
        data.push(format!("{{{fields}}}"));
    }
    rest.extend_from_slice(unread);
    let next = (!rest.is_empty()).then(|| join(&rest));
    if let (Some(end), Some(next)) = (end, &next) {
        let why = match end {
            End::Full => "the page is full".to_owned(),
            End::Paths => format!("one reply reads {} paths", limits::LIST_PATHS),
            End::Time => "the read took long".to_owned(),
        };
        let (unread, all) = (unread.len(), unread.len().saturating_add(parts.len()));
        let next = escape_invisible(next);
        let how = if next.len() > limits::LIST_NEXT_BYTES {
            // The list would be longer than what it was read for.
            let first = rest.first().map(|path| escape_invisible(path));
            format!(
                "Use the paths from {} on to continue",
                first.unwrap_or_default()
            )
        } else {
            format!("Use {next} to continue")
        };
        let notice = format!("[{unread} of {all} paths not read: {why}. {how}]");
        blocks.text("\n\n", &notice);
    }
    Reply {
        blocks: blocks.blocks,
        structured: format!("{{\"parts\":[{}]}}", data.join(",")),
        notes: Vec::new(),
        exact: false,
        display: None,
        repeats: None,
        answer,
        list: Some(ListReply {
            path: path.to_owned(),
            parts,
            next,
        }),
    }
}

/// The failure of a list of which no path can be read.
fn refused(parts: Vec<ListPart>, unread: &[String]) -> RenderedFailure {
    let failures: Vec<(String, RenderedFailure)> = parts
        .into_iter()
        .filter_map(|part| Some((part.path, part.outcome.err()?)))
        .collect();
    let texts = failures
        .iter()
        .map(|(path, refused)| format!("{}\n{}", header(path), refused.text));
    let mut text = texts.collect::<Vec<_>>().join("\n\n");
    if !unread.is_empty() {
        let rest = escape_invisible(&join(unread));
        let _ = write!(
            text,
            "\n\n[{} paths not read. Use {rest} for them]",
            unread.len()
        );
    }
    let messages = failures
        .iter()
        .map(|(_, refused)| &*refused.failure.message);
    let messages = messages.collect::<Vec<_>>().join("; ");
    let count = failures.len();
    let message = format!("cannot read any of {count} paths: {messages}");
    let structured = format!("{{\"error\":{}}}", json::json(&message));
    let reason = failures
        .into_iter()
        .next()
        .map(|(_, first)| first.failure.reason);
    let reason = reason.unwrap_or_else(|| crate::failure::Reason::NotFound(Vec::new()));
    RenderedFailure {
        failure: Failure::new(reason, message),
        text,
        structured,
    }
}
