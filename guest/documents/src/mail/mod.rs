//! Mails, mailboxes and mails of Outlook.
//!
//! ```text
//! eml        a mail in the Internet Message Format
//! mbox       a mailbox
//! msg        a mail of Outlook
//! letter     the text of a mail: its header, body and attachments
//! structure  the parts of a mail → body, images and attachments
//! body       the body → text
//! address    lists of addresses
//! date       dates
//! plain      plain text
//! html       HTML, and the choice between both
//! quote      quotations of earlier mails
//! calendar   invitations
//! names      names of attachments
//! tnef       `winmail.dat`
//! ```
//!
//! Nothing is loaded: remote images and links are text.

mod address;
mod body;
mod calendar;
mod date;
pub mod eml;
mod html;
mod letter;
pub mod mbox;
pub mod msg;
mod names;
mod plain;
mod quote;
mod structure;
mod tnef;
