//! Mails as a container: the parts of a mail and its header fields (RFC 2045 to 2047).
//!
//! ```text
//! parts     the places of the parts
//! page      the page in a mail that saves it
//! fields    header fields and their parameters
//! words     encoded words
//! transfer  base64, quoted-printable, uuencode and yEnc
//! charset   charsets
//! ```

pub mod charset;
pub mod fields;
pub mod page;
pub mod parts;
pub mod transfer;
pub mod words;
