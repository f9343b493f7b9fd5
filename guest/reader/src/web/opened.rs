//! An open web address: the source of its bytes, and what the reply states about it.

use super::address::Address;
use super::exchange::Budget;
use super::facts::{self, Facts};
use super::fetch::{Content, Fetched};
use super::head;
use crate::world::{Info, Source};

/// An open web address.
pub struct Opened {
    /// The address as the user typed it, without its suffix and its fragment.
    pub typed: String,
    /// The facts about the response.
    pub facts: Facts,
    /// The body.
    pub source: Box<dyn Source>,
    /// The metadata that the server reports.
    pub info: Info,
    /// The text after the URL: a selector or a member.
    pub suffix: Option<String>,
}

/// Opens a response. `budget` has the requests that the read may still send.
pub fn opened(address: Address, fetched: Fetched, budget: Budget) -> Opened {
    let Fetched {
        url,
        redirects,
        fragment,
        head,
        content,
        age,
        is_kept,
        mut notes,
    } = fetched;
    let is_empty = matches!(&content, Content::Whole(bytes) if bytes.is_empty());
    let failed = head.status >= 400 || is_empty || matches!(head.status, 204 | 205 | 304);
    let mut all: Vec<String> = facts::redirected(&redirects).into_iter().collect();
    if head.status != 200 {
        all.push(format!("status {}", facts::status(head.status)));
    } else if is_empty {
        all.push("the body is empty".to_owned());
    }
    if matches!(head.status, 429 | 503)
        && let Some(value) = &head.retry_after
    {
        all.extend(facts::retry(value));
    }
    all.extend(facts::stated(&head));
    all.extend(facts::copied(age));
    all.append(&mut notes);
    let name = head.name(&url);
    let mut suffix = address.suffix.clone();
    let mut kept = None;
    // The fragment of a redirect replaces that of the request (RFC 9110, 10.2.2).
    if let Some(id) = fragment.or_else(|| address.fragment.clone()) {
        match section(&id, &name, &head, &content, suffix.as_deref()) {
            Section::Suffix(of_id, is_section) => {
                kept = is_section.then_some(id);
                suffix = Some(of_id);
            }
            Section::Whole => {}
            Section::Ignored => all.push(format!("`#{id}` was ignored: this is not a web page")),
        }
    }
    let info = Info {
        size: content.size(),
        modified: None,
        mime: head.mime(),
        charset: head.charset(),
    };
    Opened {
        typed: address.typed,
        facts: Facts {
            url: address.url.into(),
            final_url: url.into(),
            redirects,
            status: head.status,
            content_type: head.content_type,
            name,
            fragment: kept,
            is_fresh: address.fresh,
            is_kept,
            age,
            failed,
            method: None,
            notes: all,
            budget,
        },
        source: content.source(),
        info,
        suffix,
    }
}

/// What the fragment of an address selects.
enum Section {
    /// The suffix, and whether it selects a section of a web page.
    Suffix(String, bool),
    /// Everything, because the suffix requests that.
    Whole,
    /// Nothing, because the content has no sections.
    Ignored,
}

fn section(
    id: &str,
    name: &str,
    head: &head::Head,
    content: &Content,
    suffix: Option<&str>,
) -> Section {
    if crate::path::ends_in(name, &["pdf"]) {
        // RFC 8118, 3.
        let page = id
            .strip_prefix("page=")
            .and_then(|page| page.parse::<u32>().ok());
        let Some(page) = page.filter(|page| *page > 0) else {
            return Section::Ignored;
        };
        let selector = format!("page:{page}");
        return match suffix {
            None => Section::Suffix(selector, false),
            // Lines of the page.
            Some(lines) if is_lines(lines) => Section::Suffix(format!("{selector}:{lines}"), false),
            Some(_) => Section::Ignored,
        };
    }
    if !content.is_html(name, head) {
        return Section::Ignored;
    }
    let lines = match suffix {
        None | Some("") => String::new(),
        Some(lines) => {
            let selector = crate::path::Selector::parse(lines).ok().flatten();
            match selector {
                Some(it) if it.part == crate::path::Part::Whole && !it.raw => format!(":{lines}"),
                _ => return Section::Whole,
            }
        }
    };
    let decoded = percent_encoding::percent_decode_str(id).decode_utf8();
    let id = decoded.unwrap_or_else(|_| id.into());
    Section::Suffix(format!("#{id}{lines}"), true)
}

/// Whether a suffix selects lines or the exact text.
fn is_lines(suffix: &str) -> bool {
    use crate::path::{Part, Selector};
    let selector = Selector::parse(suffix).ok().flatten();
    selector.is_some_and(|it| it.part == Part::Whole)
}
