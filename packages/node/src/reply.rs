//! Replies and their blocks.

use crate::failure::{Code, Result, error, text_of};
use napi::Env;
use napi::bindgen_prelude::{Buffer, ObjectFinalize};
use napi_derive::napi;
use omniread::{Block, Media};

/// A reply, which converts what JavaScript asks for.
#[napi(custom_finalize)]
pub struct Reply {
    content: omniread::Reply,
    /// The bytes that the garbage collector counts for it.
    weight: i64,
}

impl ObjectFinalize for Reply {
    fn finalize(self, env: Env) -> napi::Result<()> {
        if self.weight > 0 {
            env.adjust_external_memory(-self.weight)?;
        }
        Ok(())
    }
}

/// A block of a reply, without the bytes of an image.
#[napi(object, object_from_js = false)]
pub struct Part {
    /// `text`, `image` or `attachment`.
    #[napi(js_name = "type")]
    pub kind: &'static str,
    /// The number of the block.
    pub index: u32,
    /// The text of a block of text.
    pub text: Option<String>,
    /// The MIME type.
    pub mime: Option<String>,
    /// The number of bytes.
    pub size: Option<f64>,
    /// The width of the image in pixels, if the reply is one image.
    pub width: Option<u32>,
    /// The height.
    pub height: Option<u32>,
}

impl Reply {
    pub fn new(content: omniread::Reply) -> Self {
        let texts = content.blocks.iter().map(|block| match block {
            Block::Text(text) | Block::Notice(text) => text.len(),
            Block::Image(media) | Block::Attachment(media) => media.data.len(),
            _ => 0,
        });
        let bytes: usize = texts.sum();
        // The collector need not know of small ones.
        let weight = i64::try_from(bytes).unwrap_or(i64::MAX);
        let weight = if weight < HEAVY { 0 } else { weight };
        Self { content, weight }
    }

    fn media(&self, index: u32) -> Result<&Media> {
        let index = usize::try_from(index).unwrap_or(usize::MAX);
        match self.content.blocks.get(index) {
            Some(Block::Image(media) | Block::Attachment(media)) => Ok(media),
            _ => Err(error(Code::Option, "the block has no bytes")),
        }
    }

    fn part(&self, index: usize, block: &Block) -> Part {
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        let (kind, media) = match block {
            Block::Image(media) => ("image", media),
            Block::Attachment(media) => ("attachment", media),
            Block::Text(text) | Block::Notice(text) => return Part::text(index, text),
            _ => return Part::text(index, ""),
        };
        // Only the details of one image have its sides.
        let payload = self.content.details.image();
        let payload = payload.and_then(|image| image.payload.as_ref());
        let is_only = kind == "image" && self.content.images().count() == 1;
        let sides = payload.filter(|_| is_only).and_then(|it| it.dimensions);
        Part {
            kind,
            index,
            text: None,
            mime: Some(media.mime.clone()),
            size: Some(size(media)),
            width: sides.map(|sides| sides.width),
            height: sides.map(|sides| sides.height),
        }
    }
}

/// The size in bytes above which the garbage collector counts a reply.
const HEAVY: i64 = 64 << 10;

impl Part {
    fn text(index: u32, text: &str) -> Self {
        Self {
            kind: "text",
            index,
            text: Some(text.to_owned()),
            mime: None,
            size: None,
            width: None,
            height: None,
        }
    }
}

/// The number of bytes. It is far below 2^53.
#[expect(clippy::cast_precision_loss, reason = "a reply has at most 16 MiB")]
fn size(media: &Media) -> f64 {
    let text = media.data.as_bytes();
    let padding = text.iter().rev().take_while(|&&byte| byte == b'=').count();
    (text.len() / 4 * 3).saturating_sub(padding) as f64
}

#[napi]
impl Reply {
    /// Tells the garbage collector the size of a large reply.
    #[napi]
    pub fn weigh(&self, env: Env) -> napi::Result<()> {
        if self.weight > 0 {
            env.adjust_external_memory(self.weight)?;
        }
        Ok(())
    }

    /// The text of all parts that are text, joined by newlines.
    #[napi(getter)]
    pub fn text(&self) -> String {
        self.content.text()
    }

    /// The kind of the content.
    #[napi(getter)]
    pub fn kind(&self) -> &'static str {
        self.content.details.kind.name()
    }

    /// The path without its selector.
    #[napi(getter)]
    pub fn path(&self) -> &str {
        &self.content.details.path
    }

    /// The path that reads the rest.
    #[napi(getter)]
    pub fn next(&self) -> Option<&str> {
        self.content.details.next.as_deref()
    }

    /// Facts about the source.
    #[napi(getter)]
    pub fn notes(&self) -> Vec<&str> {
        let notes = self.content.details.notes.iter();
        notes.map(String::as_str).collect()
    }

    /// The blocks.
    #[napi]
    pub fn parts(&self) -> Vec<Part> {
        let blocks = self.content.blocks.iter().enumerate();
        blocks
            .map(|(index, block)| self.part(index, block))
            .collect()
    }

    /// The bytes of a block.
    #[napi]
    pub fn bytes(&self, index: u32) -> Result<Buffer> {
        let bytes = self.media(index)?.bytes();
        let bytes = bytes.map_err(|wrong| error(Code::Option, wrong.to_string()))?;
        Ok(Buffer::from(bytes))
    }

    /// The bytes of a block in base64.
    #[napi]
    pub fn base64(&self, index: u32) -> Result<&str> {
        Ok(&self.media(index)?.data)
    }

    /// The facts, as JSON.
    #[napi]
    pub fn details(&self) -> String {
        text_of(&self.content.facts())
    }

    /// The facts with the field names of the dialect, as JSON.
    #[napi]
    pub fn structured(&self) -> &str {
        &self.content.structured
    }

    /// The reply as the command line prints it with `--json`.
    #[napi]
    pub fn json(&self) -> String {
        text_of(&self.content)
    }
}
