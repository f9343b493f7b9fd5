//! The pictures of documents, which are read like image files: `report.docx:image:3`.

use super::node::{Next, Node};
use super::way::Way;
use crate::failure::Failure;
use crate::pages::Input;
use crate::path::{Part, Picture, Selector, Suffix};
use crate::read::{Content, Context, figure};
use crate::request::Request;
use crate::rooted_path::failure;
use crate::sniff::{self, Container, Document, Kind};
use crate::sources;
use crate::subject::{Step, Subject};
use crate::world::Bytes;
use omniread_document as document;

/// A picture of the content, if that is a document, and the selector with the lines that follow it.
pub struct Pictures(Picture, Selector);

impl Node for Pictures {
    fn detect(_: &mut Content, way: &Way, _: &Request) -> Result<Option<Self>, Failure> {
        if way.rest.is_none() || way.not_rows.is_some() {
            return Ok(None);
        }
        let selector = sources::selector(&way.subject, way.rest.as_ref()).ok();
        Ok(selector.and_then(|selector| match selector.part {
            Part::Figure(picture) => Some(Self(picture, selector)),
            _ => None,
        }))
    }

    fn consume(
        self,
        content: Content,
        way: &mut Way,
        context: &mut Context<'_>,
    ) -> Result<Next, Failure> {
        let Self(picture, of_path) = self;
        let request = context.request;
        request.selector(of_path.clone())?;
        let mut content = content;
        let cannot = |error| failure(error, &request.path);
        let is_document = |head: &mut Bytes, subject: &Subject| {
            let input = Input::new(head, None).ok();
            input.is_some_and(|mut input| with_pictures(&mut input, None, subject).is_some())
        };
        if !way.load_if(&mut content, is_document).map_err(cannot)? {
            return Ok(Next::NotMine(content));
        }
        let size = way.subject.bytes();
        let mut input = Input::new(&mut *content.source, size).map_err(cannot)?;
        let Some((document, format)) = with_pictures(&mut input, content.container, &way.subject)
        else {
            return Ok(Next::NotMine(content));
        };
        let opened = content.opened.take();
        let opened = opened.unwrap_or_else(|| {
            sources::open_document(format, &mut input, &way.subject, context.world)
        });
        let bytes = match opened {
            Ok(opened) => figure::find(picture, document, opened, &way.subject, request)?,
            // The answer is the reason why the document cannot be read.
            Err(error) => {
                content.opened = Some(Err(error));
                return Ok(Next::NotMine(content));
            }
        };
        let lines = Selector {
            part: Part::Whole,
            ..of_path
        };
        way.rest = (lines != Selector::NONE).then(|| Suffix::new(&lines.to_string(), false));
        let child = way.enter(Step::Figure(picture.to_string()), bytes);
        Ok(Next::Child(Box::new(child)))
    }
}

/// The document in whose text paths of pictures may be, also if its bare path shows its own text, as that
/// of a mail does, and its format for the engine. `None` if the content is something else.
fn with_pictures(
    input: &mut Input<'_>,
    container: Option<Container>,
    subject: &Subject,
) -> Option<(Document, document::Format)> {
    let detected = sniff::sniff(input, subject.bytes(), container, subject.hints());
    let document = match (detected.kind, detected.encoding) {
        (Kind::Document(document), _) => document,
        (Kind::Text, Some(encoding)) => sources::of_text(input, encoding, subject.hints())?,
        _ => return None,
    };
    Some((document, document.engine()?))
}
