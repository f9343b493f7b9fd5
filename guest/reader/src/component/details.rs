//! Converts a reply to data: every fact that its text states.

use crate::answer::{Answer, Body, DatabasePart, Dimensions, LineEnding, Media, Text};
use crate::bindings::exports::omniread::read::types as wit;
use crate::dialects::{ListPart, ListReply, RenderedFailure, Reply};
use crate::path::list::join;
use crate::path::{Range, UnitKind};
use crate::web::{Facts, Method};
use crate::window::{Limit, Page, Total};
use crate::world::Time;

/// Converts a failure of a path of a list.
pub type Refused = fn(RenderedFailure) -> wit::Failure;

/// Converts the facts about a reply to the WIT record `details`.
pub fn details(reply: &mut Reply, refused: Refused) -> wit::Details {
    if let Some(list) = reply.list.take() {
        return of_list(list, refused);
    }
    let answer = &reply.answer;
    let subject = &answer.subject;
    wit::Details {
        kind: kind(reply),
        path: subject.name(),
        resolved_path: subject.absolute(),
        next: answer.next(),
        size: answer.size(),
        modified: subject.info.modified.map(Time::millis),
        window: answer.page().map(|page| window(page, answer)),
        notes: reply.notes.iter().cloned().map(Into::into).collect(),
        suffix_resolution: subject.repair.as_ref().map(|repair| wit::Resolution {
            from: repair.from.clone(),
            to: repair.to.clone(),
        }),
        sha256: answer.sha256().map(str::to_owned),
        web: subject.web.as_deref().map(web),
        repeats: reply.repeats.clone(),
        refresh: subject.origin.refresh().map(str::to_owned),
        image_tokens: image_tokens(reply),
        parts: Vec::new(),
    }
}

/// The tokens of the images of a reply. A reply that repeats an earlier one shows none.
fn image_tokens(reply: &Reply) -> u64 {
    if reply.repeats.is_some() {
        return 0;
    }
    reply.answer.shown_images().tokens
}

/// The facts about the reply to a list of paths.
fn of_list(list: ListReply, refused: Refused) -> wit::Details {
    let replies = list
        .parts
        .iter()
        .filter_map(|part| part.outcome.as_ref().ok());
    let image_tokens = replies
        .clone()
        .map(image_tokens)
        .fold(0, u64::saturating_add);
    let refreshed: Vec<&str> = replies
        .filter_map(|reply| reply.answer.subject.origin.refresh())
        .collect();
    wit::Details {
        kind: wit::Kind::Several,
        path: list.path,
        resolved_path: String::new(),
        next: list.next,
        size: None,
        modified: None,
        window: None,
        notes: Vec::new(),
        suffix_resolution: None,
        sha256: None,
        web: None,
        repeats: None,
        refresh: (!refreshed.is_empty()).then(|| join(&refreshed)),
        image_tokens,
        parts: (list.parts.into_iter())
            .map(|one| part(one, refused))
            .collect(),
    }
}

fn part(part: ListPart, refused: Refused) -> wit::Part {
    match part.outcome {
        Ok(mut reply) => {
            let details = details(&mut reply, refused);
            wit::Part {
                path: part.path,
                kind: Some(details.kind),
                resolved_path: Some(details.resolved_path),
                next: details.next,
                size: details.size,
                modified: details.modified,
                window: details.window,
                notes: details.notes,
                suffix_resolution: details.suffix_resolution,
                web: details.web,
                repeats: details.repeats,
                failure: None,
            }
        }
        Err(failure) => wit::Part {
            path: part.path,
            kind: None,
            resolved_path: None,
            next: None,
            size: None,
            modified: None,
            window: None,
            notes: Vec::new(),
            suffix_resolution: None,
            web: None,
            repeats: None,
            failure: Some(refused(failure)),
        },
    }
}

fn web(facts: &Facts) -> wit::Web {
    wit::Web {
        url: facts.url.clone(),
        final_url: facts.final_url.clone(),
        redirects: facts.redirects.clone(),
        status: facts.status,
        content_type: facts.content_type.clone(),
        method: method(facts.method.unwrap_or(Method::Raw)),
        handler: match facts.method {
            Some(Method::Handler(name)) => Some(name.to_owned()),
            _ => None,
        },
        age: facts.age,
        notes: facts.notes.clone(),
    }
}

fn method(method: Method) -> wit::Method {
    match method {
        Method::AlternateFeed => wit::Method::AlternateFeed,
        Method::AlternateMarkdown => wit::Method::AlternateMarkdown,
        Method::Archive => wit::Method::Archive,
        Method::ContentNegotiation => wit::Method::ContentNegotiation,
        Method::Database => wit::Method::Database,
        Method::Failed => wit::Method::Failed,
        Method::Feed => wit::Method::Feed,
        Method::Handler(_) => wit::Method::Handler,
        Method::Html => wit::Method::Html,
        Method::Image => wit::Method::Image,
        Method::Json => wit::Method::Json,
        Method::LinkedDocument => wit::Method::LinkedDocument,
        Method::LlmsTxt => wit::Method::LlmsTxt,
        Method::Markit => wit::Method::Markit,
        Method::MdSuffix => wit::Method::MdSuffix,
        Method::Raw => wit::Method::Raw,
        Method::RawHtml => wit::Method::RawHtml,
        Method::Text => wit::Method::Text,
    }
}

/// The kind of the content that was read, with the facts that exist for that kind.
fn kind(reply: &Reply) -> wit::Kind {
    match &reply.answer.body {
        Body::Text(text) => match &text.facts {
            Some(facts) => wit::Kind::Document(wit::DocumentDetails {
                format: facts.format.clone().into_owned(),
                units: facts.units.map(|(kind, count)| wit::Units {
                    kind: match kind {
                        UnitKind::Cell => wit::UnitKind::Cell,
                        UnitKind::Page => wit::UnitKind::Page,
                        UnitKind::Slide => wit::UnitKind::Slide,
                        UnitKind::Chapter => wit::UnitKind::Chapter,
                        UnitKind::Mail => wit::UnitKind::Mail,
                        UnitKind::Sheet => wit::UnitKind::Sheet,
                    },
                    count,
                }),
                metadata: (facts.metadata.iter())
                    .map(|(name, value)| ((*name).to_owned(), value.clone()))
                    .collect(),
                text: text_details(text, reply),
            }),
            None => wit::Kind::Text(text_details(text, reply)),
        },
        Body::Listing(listing) => match listing.archive {
            Some(format) => wit::Kind::Archive(wit::ArchiveDetails {
                format: format.to_owned(),
                entries: total(listing.entries),
                listed: listing.listed,
                denied_entries: listing.denied_entries,
            }),
            None => wit::Kind::Directory(wit::DirectoryDetails {
                entries: total(listing.entries),
                listed: listing.listed,
                denied_entries: listing.denied_entries,
            }),
        },
        // The dialects that get such an answer refuse it.
        Body::Archive(inside) => wit::Kind::Archive(wit::ArchiveDetails {
            format: inside.format.to_owned(),
            entries: wit::Total::Exact(inside.entries),
            listed: 0,
            denied_entries: 0,
        }),
        Body::Database(database) => wit::Kind::Database(wit::DatabaseDetails {
            part: match database.part {
                DatabasePart::Tables => wit::DatabasePart::Tables,
                DatabasePart::Schema => wit::DatabasePart::Schema,
                DatabasePart::Row => wit::DatabasePart::Row,
                DatabasePart::Query => wit::DatabasePart::Query,
                DatabasePart::Raw => wit::DatabasePart::Raw,
            },
            table: database.table.clone(),
            columns: database.columns.clone(),
            rows: database.rows,
            total: total(database.total),
        }),
        Body::Media(media) if media.format.image => wit::Kind::Image(image_details(media)),
        Body::Media(media) => wit::Kind::Attachment(wit::AttachmentDetails {
            format: media.format.long_name.to_owned(),
            mime: media.format.mime.to_owned(),
            payload: payload(media),
        }),
        Body::Binary(binary) => wit::Kind::Binary(wit::BinaryDetails {
            format: binary.format.clone(),
        }),
    }
}

fn text_details(text: &Text, reply: &Reply) -> wit::TextDetails {
    let page = &text.page;
    wit::TextDetails {
        encoding: text.encoding.charset.name(),
        guessed: text.encoding.guessed,
        bom: text.encoding.bom_len > 0,
        line_ending: match text.line_ending {
            LineEnding::None => wit::LineEnding::None,
            LineEnding::Lf => wit::LineEnding::Lf,
            LineEnding::CrLf => wit::LineEnding::Crlf,
            LineEnding::Mixed => wit::LineEnding::Mixed,
            LineEnding::Cr => wit::LineEnding::Cr,
        },
        final_newline: page.final_newline,
        raw: reply.exact,
        tag: text.tag.clone(),
        escapes: wit::Escapes {
            invalid: page.escapes.invalid,
            control: page.escapes.control,
            hidden: page.escapes.hidden,
            bidi: page.escapes.bidi,
        },
        display: reply.display.as_ref().map(|display| wit::Display {
            text: display.text.clone(),
            start: display.start,
        }),
    }
}

fn image_details(media: &Media) -> wit::ImageDetails {
    wit::ImageDetails {
        format: media.format.long_name.to_owned(),
        mime: media.format.mime.to_owned(),
        dimensions: media.size().map(dimensions),
        header: media.facts.as_ref().map(|facts| wit::ImageHeader {
            channels: facts.channels,
            alpha: facts.alpha,
            depth: facts.depth,
            frames: facts.frames.count,
            metadata: facts.metadata.clone(),
        }),
        payload: payload(media),
        tokens: media.tokens().map(|tokens| tokens.whole),
        tokens_at_half: media.tokens().map(|tokens| tokens.half),
    }
}

fn payload(media: &Media) -> Option<wit::Payload> {
    media.payload.as_ref().ok().map(|payload| wit::Payload {
        mime: payload.mime.to_owned(),
        bytes: payload.bytes,
        dimensions: payload.size.map(dimensions),
        passthrough: payload.passthrough,
    })
}

fn dimensions(size: Dimensions) -> wit::Dimensions {
    wit::Dimensions {
        width: size.width,
        height: size.height,
    }
}

fn window(page: &Page, answer: &Answer) -> wit::Window {
    wit::Window {
        shown: page
            .spans()
            .into_iter()
            .map(|(first, last)| wit::Span { first, last })
            .collect(),
        total: total(lines(page, answer)),
        bytes: answer
            .bytes()
            .filter(|_| matches!(answer.body, Body::Text(_))),
        limit: limit(page, answer).map(|limit| match limit {
            Limit::Lines => wit::Limit::Lines,
            Limit::Bytes(_) => wit::Limit::Bytes,
            Limit::Tokens(_) => wit::Limit::Tokens,
        }),
        cuts: page
            .lines
            .iter()
            .filter_map(|line| {
                let column = line.cut?;
                Some(wit::Cut {
                    line: line.number,
                    shown: column.saturating_sub(line.column),
                    path: answer
                        .subject
                        .with_selector(&page.line_remainder(line, column)),
                })
            })
            .collect(),
        skipped: page.skipped.iter().map(span).collect(),
    }
}

/// The limit that ended a page.
fn limit(page: &Page, answer: &Answer) -> Option<Limit> {
    let of_rows = match &answer.body {
        Body::Database(database) => database.limit,
        _ => None,
    };
    page.limit.or(of_rows)
}

/// The number of lines of the content. The lines of a list about it are not counted as such.
fn lines(page: &Page, answer: &Answer) -> Total {
    match &answer.body {
        Body::Text(text) if text.made.is_some() => Total::AtLeast(page.lines.len() as u64),
        _ => page.total,
    }
}

fn span(range: &Range) -> wit::Span {
    let line = |line: u64| i64::try_from(line).unwrap_or(i64::MAX);
    wit::Span {
        first: line(range.start.line),
        last: range.end.map_or(i64::MAX, line),
    }
}

fn total(total: Total) -> wit::Total {
    match total {
        Total::Exact(total) => wit::Total::Exact(total),
        Total::AtLeast(least) => wit::Total::AtLeast(least),
    }
}
