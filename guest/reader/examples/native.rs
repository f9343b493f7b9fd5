//! Reads a path without a sandbox: the native build of the reader, for
//! comparison. `cargo run -p omniread-reader --example native -- PATH [DIALECT]`
use omniread_options::Options;
use omniread_reader::dialects::{Block, Dialect};
use omniread_reader::world::LocalWorld;
use std::io::Write as _;

fn main() -> std::io::Result<()> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments.next().unwrap_or_default();
    let dialect = arguments
        .next()
        .and_then(|name| Dialect::from_name(&name))
        .unwrap_or(Dialect::Omp);
    let root = std::env::current_dir()?.to_string_lossy().into_owned();
    let options = Options {
        stdin: true,
        ..Options::default()
    };
    let text = match dialect.read(&path, &options, &mut LocalWorld::new(vec![root])) {
        Ok(reply) => reply
            .blocks
            .into_iter()
            .map(|block| match block {
                Block::Text(text) | Block::Notice(text) => text,
                Block::Image(media) | Block::Attachment(media) => media.mime.to_owned(),
            })
            .collect::<Vec<_>>()
            .join("\n"),
        Err(refused) => refused.text,
    };
    std::io::stdout().write_all(text.as_bytes())
}
