//! Mails, mailboxes and mails of Outlook.

pub mod eml;
pub mod mbox;
pub mod msg;
