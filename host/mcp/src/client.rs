//! What a client tells about itself, and what follows from it for the results that it gets.

use super::reader::Form;
use super::request_log::short;
use super::server::{Server, Structured};
use rmcp::RoleServer;
use rmcp::model::{Implementation, ProtocolVersion};
use rmcp::service::RequestContext;

/// The beginnings of the names of clients that show `structuredContent` to the model and drop the
/// text and the images. <https://github.com/anthropics/claude-code/issues/55677>,
/// <https://github.com/openai/codex/issues/38287>,
/// <https://github.com/anomalyco/opencode/pull/32868>
const DROP_CONTENT: [&str; 3] = ["claude-code", "codex", "opencode"];

/// The maximum size in bytes of the text of a result that a client passes to its model as a whole, by
/// the beginning of its name. `docs/guide/agents.md` has the measured values and the command that
/// measured them; these leave room for the notices after a page.
///
/// * Claude Code takes 500,000 characters, because the definition of the tool asks for them.
/// * Codex takes 48,000 bytes for models that it knows. It cuts out the middle of a longer text, and
///   then leaves out all further blocks, also the notice with the path that continues.
/// * Gemini CLI takes 40,000 characters, and cuts out the middle of a longer text.
const ACCEPTED: [(&str, u32); 3] = [
    ("claude-code", 480_000),
    ("codex", 46_000),
    ("gemini-cli", 38_000),
];

/// The form of the results that a client gets.
pub fn form(server: &Server, context: &RequestContext<RoleServer>) -> Form {
    let name = context
        .client_info()
        .map(|client| client.name.to_ascii_lowercase());
    let starts_with = |start: &str| name.as_ref().is_some_and(|name| name.starts_with(start));
    let drops_content = DROP_CONTENT.into_iter().any(starts_with);
    let accepted = ACCEPTED.iter().find(|(start, _)| starts_with(start));
    Form {
        structured: match server.settings.structured {
            Structured::Always => true,
            Structured::Never => false,
            Structured::Auto => !drops_content,
        },
        text_bytes: accepted
            .filter(|_| server.settings.fit_client)
            .map(|(_, bytes)| *bytes),
    }
}

/// The name and the version of a client, for the log.
pub fn name(context: &RequestContext<RoleServer>) -> Option<String> {
    context.client_info().as_ref().map(label)
}

/// The name and the version that a client has sent, for the log. Long ones are cut.
pub fn label(client: &Implementation) -> String {
    format!("{} {}", short(&client.name), short(&client.version))
}

/// Whether a client describes itself once, when it connects. From version 2026-07-28 of the protocol
/// on, each request describes its client.
pub fn is_described_once(context: &RequestContext<RoleServer>) -> bool {
    let version = context.protocol_version();
    version.is_some_and(|version| version < ProtocolVersion::V_2026_07_28)
}
