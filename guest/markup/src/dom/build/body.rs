//! Tags in the body (13.2.6.4.7).

use super::open::{Open, Scope, Space};
use super::{Builder, Mode, Start, Token};
use crate::dom::{Name, Tag};

impl Builder {
    pub(super) fn start_in_body(&mut self, token: &Token) -> Start {
        match token.tag {
            tags!(Address Article Aside Blockquote Center Details Dialog Dir Div Dl Fieldset
                Figcaption Figure Footer Header Hgroup Main Menu Nav Ol P Search Section Summary Ul) =>
            {
                self.close_paragraph();
                self.insert(token);
            }
            Tag::A => {
                self.close_link();
                self.reopen_formatting();
                self.insert_formatting(token);
            }
            tags!(B Big Code Em Font I S Small Strike Strong Tt U) => {
                self.reopen_formatting();
                self.insert_formatting(token);
            }
            Tag::Nobr => {
                self.reopen_formatting();
                if self.scoped(Tag::Nobr).is_some() {
                    self.end_formatting(token.tag, token.key);
                    self.reopen_formatting();
                }
                self.insert_formatting(token);
            }
            Tag::Li => {
                self.close_item(|tag| tag == Tag::Li);
                self.insert_block(token);
            }
            tags!(Dd Dt) => {
                self.close_item(|tag| matches!(tag, tags!(Dd Dt)));
                self.insert_block(token);
            }
            tags!(H1 H2 H3 H4 H5 H6) => {
                self.close_paragraph();
                if self.current().heading().is_some() {
                    self.pop();
                }
                self.insert(token);
            }
            tags!(Pre Listing) => {
                self.insert_block(token);
                self.skips_newline = true;
            }
            Tag::Table => {
                if !self.quirks {
                    self.close_paragraph();
                }
                self.make_room_for_table();
                self.insert(token);
                self.frames_allowed = false;
                self.mode = Mode::InTable;
            }
            tags!(Base Basefont Bgsound Link Meta Noframes Script Style Template Title) => {
                return self.start_in_head(token);
            }
            tags!(Param Source Track) => return self.insert_empty(token),
            tags!(Area Br Embed Img Image Keygen Wbr Input Hr) => return self.start_empty(token),
            Tag::Form => {
                if self.form.is_some() && self.templates.is_empty() {
                    return Start::Closed;
                }
                self.close_paragraph();
                let open = self.insert_as(token, Space::Html);
                if self.templates.is_empty() {
                    self.form = open.map(|open| open.id);
                }
            }
            tags!(Button Select Option Optgroup) => return self.start_control(token),
            tags!(Textarea Xmp Iframe Noembed Plaintext) => return self.start_raw(token),
            tags!(Applet Marquee Object) => {
                self.reopen_formatting();
                self.insert(token);
                self.mark_formatting();
                self.frames_allowed = false;
            }
            tags!(Rb Rtc Rp Rt) => {
                if self.scoped(Tag::Ruby).is_some() {
                    let is_outer = matches!(token.tag, tags!(Rb Rtc));
                    self.close_implied(if is_outer { Tag::Other } else { Tag::Rtc });
                }
                self.insert(token);
            }
            tags!(Svg Math) => {
                self.reopen_formatting();
                return self.insert_foreign(token, token.tag == Tag::Svg);
            }
            tags!(Html Body) => {
                self.merge_attributes(token);
                return Start::Closed;
            }
            Tag::Frameset => return self.start_frames(token),
            Tag::Frame => {
                self.damage.ignored_frames = true;
                return Start::Closed;
            }
            tags!(Caption Col Colgroup Head Tbody Td Tfoot Th Thead Tr) => return Start::Closed,
            _ => {
                self.reopen_formatting();
                self.insert(token);
            }
        }
        Start::Open
    }

    /// Inserts a block in whose presence a page does not consist of frames.
    fn insert_block(&mut self, token: &Token) {
        self.frames_allowed = false;
        self.close_paragraph();
        self.insert(token);
    }

    /// Closes the list item or the term of a definition that the next one ends.
    fn close_item(&mut self, is_item: impl Fn(Tag) -> bool) {
        let mut open = self.open.iter().enumerate().rev();
        let end = open.find(|(_, open)| {
            is_item(open.tag) || (open.is_special() && !matches!(open.tag, tags!(Address Div P)))
        });
        if let Some((at, open)) = end
            && is_item(open.tag)
        {
            self.pop_to(at);
        }
    }

    /// Inserts an element that has no content.
    fn start_empty(&mut self, token: &Token) -> Start {
        let mut token = *token;
        match token.tag {
            Tag::Input => {
                if let Some(at) = self.scoped(Tag::Select) {
                    self.pop_to(at);
                }
                self.reopen_formatting();
                self.frames_allowed &= is_hidden(&token);
            }
            Tag::Hr => {
                self.close_paragraph();
                if self.scoped(Tag::Select).is_some() {
                    self.close_implied(Tag::Other);
                }
                self.frames_allowed = false;
            }
            _ => {
                if token.tag == Tag::Image {
                    token.tag = Tag::Img;
                }
                self.reopen_formatting();
                self.frames_allowed = false;
            }
        }
        self.insert_empty(&token)
    }

    /// Inserts a button, a list of options, or one of these.
    fn start_control(&mut self, token: &Token) -> Start {
        let select = match token.tag {
            Tag::Button => None,
            _ => self.scoped(Tag::Select),
        };
        match token.tag {
            Tag::Button => {
                if let Some(at) = self.scoped(Tag::Button) {
                    self.pop_to(at);
                }
                self.frames_allowed = false;
            }
            Tag::Select => {
                self.frames_allowed = false;
                if let Some(at) = select {
                    self.pop_to(at);
                    return Start::Closed;
                }
            }
            Tag::Option if select.is_some() => self.close_implied(Tag::Optgroup),
            _ if select.is_some() => self.close_implied(Tag::Other),
            _ => {
                if self.current() == Tag::Option {
                    self.pop();
                }
            }
        }
        self.reopen_formatting();
        self.insert(token);
        Start::Open
    }

    /// Inserts an element whose content is text.
    fn start_raw(&mut self, token: &Token) -> Start {
        match token.tag {
            Tag::Plaintext => {
                self.close_paragraph();
                self.insert(token);
                return Start::Raw;
            }
            Tag::Xmp => {
                self.close_paragraph();
                self.reopen_formatting();
            }
            _ => {}
        }
        self.frames_allowed &= token.tag == Tag::Noembed;
        self.insert_raw(token);
        self.skips_newline = token.tag == Tag::Textarea;
        Start::Raw
    }

    /// Adds the attributes of another `html` or `body`.
    fn merge_attributes(&mut self, token: &Token) {
        let at = usize::from(token.tag == Tag::Body);
        let is_open = self.open.get(at).is_some_and(|open| open.tag == token.tag);
        if is_open && self.templates.is_empty() {
            self.frames_allowed &= token.tag == Tag::Html;
            self.add_attributes(at, token.attributes);
        }
    }

    pub(super) fn end_in_body(&mut self, tag: Tag, key: u32) {
        match tag {
            tags!(Address Article Aside Blockquote Button Center Dd Details Dialog Dir Div Dl Dt
                Fieldset Figcaption Figure Footer Header Hgroup Listing Main Menu Nav Ol Pre Search
                Section Select Summary Ul) => self.end_scoped(self.scoped(tag)),
            Tag::P => {
                if let Some(at) = self.paragraph() {
                    self.pop_to(at);
                } else if !self.is_full() {
                    self.insert_implied(Tag::P);
                    self.pop();
                }
            }
            tags!(A B Big Code Em Font I Nobr S Small Strike Strong Tt U) => {
                self.end_formatting(tag, key);
            }
            Tag::Li => self.end_scoped(self.find(|open| open == tag, Scope::ListItem)),
            tags!(H1 H2 H3 H4 H5 H6) => {
                let heading = self.find(|open| open.heading().is_some(), Scope::Default);
                self.end_scoped(heading);
            }
            tags!(Body Html) => {
                if self.scoped(Tag::Body).is_some() {
                    self.mode = Mode::AfterBody;
                }
            }
            tags!(Applet Marquee Object) => {
                if let Some(at) = self.scoped(tag) {
                    self.pop_to(at);
                    self.clear_formatting();
                }
            }
            Tag::Form => self.end_form(),
            Tag::Template => {
                self.end_template();
            }
            Tag::Br => {
                if !self.is_full() {
                    self.start_empty(&Token::implied(Tag::Br));
                }
            }
            _ => self.end_other(key),
        }
    }

    fn end_scoped(&mut self, found: Option<usize>) {
        if let Some(at) = found {
            self.pop_to(at);
        }
    }

    /// Closes a form. Elements in it may stay open.
    fn end_form(&mut self) {
        if !self.templates.is_empty() {
            self.end_scoped(self.scoped(Tag::Form));
            return;
        }
        let Some(at) = self.form.take().and_then(|id| self.position(id)) else {
            return;
        };
        let inner = self.open.get(at.saturating_add(1)..).unwrap_or_default();
        if inner.iter().any(|open| open.is_scope()) {
            return;
        }
        self.close_implied(Tag::Other);
        self.remove_open(at);
    }

    /// Closes an element that no other rule mentions.
    pub(super) fn end_other(&mut self, key: u32) {
        let has_name = |open: &Open| open.key == key && open.space == Space::Html;
        let mut open = self.open.iter().enumerate().rev();
        let end = open.find(|(_, open)| has_name(open) || open.is_special());
        if let Some((at, open)) = end
            && has_name(open)
        {
            self.pop_to(at);
        }
    }
}

/// Whether an `input` is hidden.
pub(super) fn is_hidden(token: &Token) -> bool {
    let kind = token.attributes.get(Name::Type);
    kind.is_some_and(|kind| kind.eq_ignore_ascii_case(b"hidden"))
}
