//! Mails, mailboxes and mails of Outlook.
//!
//! ```text
//! eml        a mail in the Internet Message Format
//! mbox       a mailbox
//! msg        a mail of Outlook
//! page       the page in a mail that saves it
//! letter     the text of a mail: its header, body and attachments
//! structure  the parts of a mail → body, images and attachments
//! body       the body → text
//! mime       the places of the parts
//! fields     header fields and their parameters
//! words      encoded words
//! address    lists of addresses
//! date       dates
//! transfer   base64, quoted-printable, uuencode and yEnc
//! charset    charsets
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
mod charset;
mod date;
pub mod eml;
mod fields;
mod html;
mod letter;
pub mod mbox;
mod mime;
pub mod msg;
mod names;
pub mod page;
mod plain;
mod quote;
mod structure;
mod tnef;
pub(crate) mod transfer;
mod words;
