//! Tags before the body, in templates and in pages of frames (13.2.6.4.2 to 13.2.6.4.6, 13.2.6.4.16
//! and 13.2.6.4.18).

use super::open::{Open, Space};
use super::{Builder, Mode, Start, Token};
use crate::dom::Tag;

impl Builder {
    pub(super) fn start_around_head(&mut self, mode: Mode, token: &Token) -> Start {
        match (mode, token.tag) {
            (Mode::BeforeHtml, Tag::Html) => {
                self.insert(token);
                self.mode = Mode::BeforeHead;
                Start::Open
            }
            (Mode::BeforeHtml, _) => {
                self.insert_implied(Tag::Html);
                self.mode = Mode::BeforeHead;
                self.again(token)
            }
            (_, Tag::Html) => self.start_in_body(token),
            (Mode::BeforeHead, Tag::Head) => {
                self.head = self.insert_as(token, Space::Html);
                self.mode = Mode::InHead;
                Start::Open
            }
            (Mode::BeforeHead, _) => {
                self.start_head();
                self.again(token)
            }
            (_, Tag::Head) | (Mode::InHeadNoscript, Tag::Noscript) => Start::Closed,
            (Mode::InHeadNoscript, tags!(Basefont Bgsound Link Meta Noframes Style)) => {
                self.start_in_head(token)
            }
            (Mode::AfterHead, Tag::Body) => {
                self.insert(token);
                self.frames_allowed = false;
                self.mode = Mode::InBody;
                Start::Open
            }
            (Mode::AfterHead, Tag::Frameset) => {
                self.insert(token);
                self.mode = Mode::InFrameset;
                Start::Open
            }
            (
                Mode::AfterHead,
                tags!(Base Basefont Bgsound Link Meta Noframes Script Style Template Title),
            ) => self.start_after_head(token),
            _ => {
                self.leave_head();
                self.again(token)
            }
        }
    }

    /// Inserts an element after the end of the head into the head.
    fn start_after_head(&mut self, token: &Token) -> Start {
        let Some(head) = self.head else {
            return Start::Closed;
        };
        self.push(head);
        let start = self.start_in_head(token);
        if let Some(at) = self.position(head.id) {
            self.remove_open(at);
        }
        start
    }

    pub(super) fn start_in_head(&mut self, token: &Token) -> Start {
        match token.tag {
            Tag::Html => self.start_in_body(token),
            tags!(Base Basefont Bgsound Link Meta) => self.insert_empty(token),
            tags!(Title Noframes Style Script) => self.insert_raw(token),
            Tag::Noscript => {
                self.insert(token);
                self.mode = Mode::InHeadNoscript;
                Start::Open
            }
            Tag::Template => {
                self.insert(token);
                self.mark_formatting();
                self.frames_allowed = false;
                self.mode = Mode::InTemplate;
                self.templates.push(Mode::InTemplate);
                Start::Open
            }
            Tag::Head => Start::Closed,
            _ => {
                self.leave_head();
                self.again(token)
            }
        }
    }

    /// Inserts an element without content.
    pub(super) fn insert_empty(&mut self, token: &Token) -> Start {
        self.insert_node(token);
        Start::Closed
    }

    /// Inserts an element whose content is text.
    pub(super) fn insert_raw(&mut self, token: &Token) -> Start {
        self.insert(token);
        self.mode_after_text = self.mode;
        self.mode = Mode::Text;
        Start::Raw
    }

    /// Inserts the element `head`, which the page leaves out.
    pub(super) fn start_head(&mut self) {
        self.head = self.insert_as(&Token::implied(Tag::Head), Space::Html);
        self.mode = Mode::InHead;
    }

    /// Ends the head or its `noscript`, or starts the body.
    pub(super) fn leave_head(&mut self) {
        self.mode = match self.mode {
            Mode::InHeadNoscript => {
                self.pop();
                Mode::InHead
            }
            Mode::InHead => {
                self.pop();
                Mode::AfterHead
            }
            _ => {
                self.insert_implied(Tag::Body);
                Mode::InBody
            }
        };
    }

    pub(super) fn end_around_head(&mut self, mode: Mode, tag: Tag, key: u32) {
        match (mode, tag) {
            (Mode::InHead, Tag::Head) | (Mode::InHeadNoscript, Tag::Noscript) => self.leave_head(),
            (Mode::InHead | Mode::AfterHead, Tag::Template) => {
                self.end_template();
            }
            (Mode::BeforeHtml, tags!(Head Body Html Br)) => {
                self.insert_implied(Tag::Html);
                self.mode = Mode::BeforeHead;
                self.end_again(tag, key);
            }
            (Mode::BeforeHead, tags!(Head Body Html Br)) => {
                self.start_head();
                self.end_again(tag, key);
            }
            (Mode::InHead | Mode::AfterHead, tags!(Body Html Br))
            | (Mode::InHeadNoscript, Tag::Br) => {
                self.leave_head();
                self.end_again(tag, key);
            }
            _ => {}
        }
    }

    pub(super) fn start_in_template(&mut self, token: &Token) -> Start {
        let mode = match token.tag {
            tags!(Base Basefont Bgsound Link Meta Noframes Script Style Template Title) => {
                return self.start_in_head(token);
            }
            tags!(Caption Colgroup Tbody Tfoot Thead) => Mode::InTable,
            Tag::Col => Mode::InColumnGroup,
            Tag::Tr => Mode::InTableBody,
            tags!(Td Th) => Mode::InRow,
            _ => Mode::InBody,
        };
        if let Some(current) = self.templates.last_mut() {
            *current = mode;
        }
        self.mode = mode;
        self.again(token)
    }

    /// Closes the innermost template. Returns whether there is one.
    pub(super) fn end_template(&mut self) -> bool {
        let template = self.open.iter().rposition(|open| open.tag == Tag::Template);
        let Some(at) = template else {
            return false;
        };
        self.pop_to(at);
        self.clear_formatting();
        self.templates.pop();
        self.reset_mode();
        true
    }

    pub(super) fn start_in_frames(&mut self, token: &Token) -> Start {
        let is_inside = self.mode == Mode::InFrameset;
        match token.tag {
            Tag::Html => self.start_in_body(token),
            Tag::Frameset if is_inside => {
                self.insert(token);
                Start::Open
            }
            Tag::Frame if is_inside => self.insert_empty(token),
            Tag::Noframes => {
                self.noframes = Some(self.open.len());
                self.insert_implied(Tag::Div);
                self.mode = Mode::InBody;
                Start::Open
            }
            _ => Start::Closed,
        }
    }

    pub(super) fn end_in_frames(&mut self, tag: Tag) {
        if tag == Tag::Frameset && self.current() == Tag::Frameset {
            self.pop();
            if self.current() != Tag::Frameset {
                self.mode = Mode::AfterFrameset;
            }
        }
    }

    /// Ends the text for browsers without frames, the open element at this index.
    pub(super) fn end_noframes(&mut self, at: usize) {
        self.pop_to(at);
        self.formatting.clear();
        self.templates.clear();
        self.mode = if self.current() == Tag::Frameset {
            Mode::InFrameset
        } else {
            Mode::AfterFrameset
        };
    }

    /// Replaces the body by frames.
    pub(super) fn start_frames(&mut self, token: &Token) -> Start {
        let body = self.open.get(1).copied();
        match body {
            Some(Open {
                tag: Tag::Body, id, ..
            }) if self.frames_allowed => {
                self.document.forget(id);
                self.pop_to(1);
                self.insert(token);
                self.mode = Mode::InFrameset;
                Start::Open
            }
            _ => {
                self.damage.ignored_frames = true;
                Start::Closed
            }
        }
    }
}
