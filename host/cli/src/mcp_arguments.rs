//! The arguments of `omniread mcp`.

use super::address::Address;
use super::units::size;
use std::path::PathBuf;

/// The arguments of `omniread mcp`.
#[derive(clap::Args, Debug)]
pub struct McpArguments {
    /// Allow reads in this directory and below, as `--root` does [default: .]
    #[arg(value_name = "DIR", value_hint = clap::ValueHint::DirPath)]
    pub directories: Vec<PathBuf>,

    /// Serve over HTTP in place of standard input and output: at a port of this machine, such as 8080, or at an address, such as localhost:8080 or 0.0.0.0:8080. Port 0 chooses a free port
    #[arg(long, value_name = "ADDRESS", value_parser = Address::parse)]
    pub http: Option<Address>,

    /// Read the bearer token of HTTP clients from this file. `OMNIREAD_MCP_TOKEN` sets it too [default: a random token, printed at the start]
    #[arg(long, value_name = "FILE", requires = "http", value_hint = clap::ValueHint::FilePath)]
    pub token_file: Option<PathBuf>,

    /// Serve HTTP clients without a token. Only on a loopback address
    #[arg(long, requires = "http", conflicts_with = "token_file")]
    pub no_token: bool,

    /// Accept HTTP requests for this host name, such as that of a proxy. Repeat it for more [default: localhost and the address]
    #[arg(long, value_name = "HOST", requires = "http")]
    pub allow_host: Vec<String>,

    /// Accept HTTP requests from web pages of this origin, such as `https://app.example.com:443`. Repeat it for more [default: pages of this machine, if the address is one of it]
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    pub allow_origin: Vec<String>,

    /// The maximum size of the text of a reply, from 4K to 8M. It replaces `--set reply-bytes` [default: what the client accepts, at most 1000000]
    #[arg(long, value_name = "SIZE", value_parser = reply_size)]
    pub max_reply: Option<u32>,

    /// The maximum size of the images of a reply in base64, from 4K to 8M. It replaces `--set reply-images` [default: 1000000]
    #[arg(long, value_name = "SIZE", value_parser = reply_size)]
    pub max_images: Option<u32>,

    /// Let the roots of a client replace the directories of the command line, which apply only if it has none. Otherwise they only narrow them
    #[arg(long)]
    pub roots_from_client: bool,

    /// Give the tool an argument `session`, by which a model names the session of its conversation, for clients that cannot send it as `_meta`
    #[arg(long)]
    pub session_argument: bool,

    /// Which clients get `structuredContent`: `auto` leaves it out for clients that show it to the model in place of the text
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    pub structured: Structured,

    /// Append one JSON object to this file for each request, each refused request and the end of the server; `-` is standard error
    #[arg(long, value_name = "FILE", value_hint = clap::ValueHint::FilePath)]
    pub log: Option<PathBuf>,
}

/// The values of `--structured`.
#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum Structured {
    /// All clients, except those that are known to show it to the model in place of the text and
    /// the images.
    Auto,
    /// All clients.
    Always,
    /// No client.
    Never,
}

impl From<Structured> for omniread_mcp::Structured {
    fn from(structured: Structured) -> Self {
        match structured {
            Structured::Auto => Self::Auto,
            Structured::Always => Self::Always,
            Structured::Never => Self::Never,
        }
    }
}

/// Parses the maximum size of a reply.
fn reply_size(text: &str) -> Result<u32, String> {
    let bytes = u32::try_from(size(text)?).unwrap_or(u32::MAX);
    if omniread_options::REPLY_SIZES.contains(&bytes) {
        Ok(bytes)
    } else {
        Err("write a size from 4K to 8M".to_owned())
    }
}
