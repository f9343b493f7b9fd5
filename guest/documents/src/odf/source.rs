//! The parts of a document: those of a package, or those of one XML file.

use crate::encryption::parts::{Failure, Parts};
use crate::package::{Package, Part};
use crate::xml::{decode, is_xml};
use crate::{Error, limits};

/// The parts of a document.
pub enum Source {
    /// A zip package, and its parts that are encrypted.
    Package(Box<Package>, Option<Box<Encrypted>>),
    /// A flat file: the XML of all parts in one element.
    Flat(Vec<u8>),
}

/// The encrypted parts of a package.
pub struct Encrypted {
    pub parts: Parts,
    /// The text, which was decrypted to check the password, until it is read.
    text: Option<Part>,
}

/// The name of the part with the text.
const TEXT: &str = "content.xml";

impl Source {
    /// Reads the directory of a package, or detects a flat file.
    ///
    /// # Errors
    /// Fails if the bytes have another format, or if they are encrypted and the password is missing or
    /// wrong.
    pub fn open(bytes: Vec<u8>, password: Option<&str>) -> Result<Self, Error> {
        if is_xml(&bytes) {
            if u64::try_from(bytes.len()).unwrap_or(u64::MAX) > limits::DOCUMENT_BYTES {
                return Err(Error::exhausted("document size"));
            }
            let text = decode(head(&bytes));
            if !text.contains(":opendocument:") {
                let what = "the file is XML, but no OpenDocument file".to_owned();
                return Err(Error::Damaged(what));
            }
            return Ok(Self::Flat(bytes));
        }
        let mut package = Package::open(bytes)?;
        let manifest = package.part("META-INF/manifest.xml").unwrap_or_default();
        let parts = Parts::read(&decode(&manifest.bytes), password)?;
        if !package.has("content.xml") {
            let has = |folder: &str| package.names().any(|name| name.starts_with(folder));
            let what = if has("word/") {
                "a Word document"
            } else if has("xl/") {
                "an Excel workbook"
            } else if has("ppt/") {
                "a PowerPoint presentation"
            } else {
                "a zip archive without `content.xml`"
            };
            return Err(Error::Damaged(format!("the file is {what}")));
        }
        let encrypted = match parts {
            Some(parts) => Some(Box::new(Encrypted::check(parts, &mut package)?)),
            None => None,
        };
        Ok(Self::Package(Box::new(package), encrypted))
    }

    /// Notes on the package as a whole.
    pub fn notes(&self) -> Vec<String> {
        match self {
            Self::Package(package, _) => package.notes().to_vec(),
            Self::Flat(_) => Vec::new(),
        }
    }

    /// Returns whether the document is one XML file.
    pub fn is_flat(&self) -> bool {
        matches!(self, Self::Flat(_))
    }

    /// The package, if its parts can be read in pieces.
    pub fn package(&self) -> Option<&Package> {
        match self {
            Self::Package(package, None) => Some(package),
            Self::Package(..) | Self::Flat(_) => None,
        }
    }

    /// Returns whether the package has the part.
    pub fn has(&self, name: &str) -> bool {
        match self {
            Self::Package(package, _) => package.has(name),
            Self::Flat(_) => false,
        }
    }

    /// Reads a part of the package, such as `content.xml`. A flat file has one part for
    /// `content.xml`, `styles.xml` and `meta.xml`.
    pub fn part(&mut self, name: &str) -> Option<Part> {
        match self {
            Self::Package(package, encrypted) => {
                if let Some(encrypted) = encrypted
                    && name == TEXT
                    && let Some(text) = encrypted.text.take()
                {
                    return Some(text);
                }
                let mut part = package.part(name)?;
                let Some(encrypted) = encrypted else {
                    return Some(part);
                };
                match encrypted
                    .parts
                    .decrypt(name, std::mem::take(&mut part.bytes))
                {
                    Ok(decrypted) => {
                        part.bytes = decrypted.bytes;
                        part.damage = part.damage.or(decrypted.damage);
                    }
                    Err(Failure::Password) => {
                        part.damage = Some("it has another password".to_owned());
                    }
                    Err(Failure::Other(why)) => part.damage = Some(why),
                }
                Some(part)
            }
            Self::Flat(bytes) if name == "content.xml" => Some(Part {
                bytes: bytes.clone(),
                damage: None,
            }),
            Self::Flat(_) => None,
        }
    }

    /// Returns the MIME type that the package declares. It may be empty.
    pub fn mime(&mut self) -> String {
        match self {
            Self::Package(package, _) => {
                let part = package.part("mimetype").unwrap_or_default();
                let text = String::from_utf8_lossy(head(&part.bytes));
                text.trim().to_owned()
            }
            Self::Flat(bytes) => {
                let text = decode(head(bytes));
                let (_, rest) = text.split_once("office:mimetype=\"").unwrap_or_default();
                rest.split('"').next().unwrap_or_default().to_owned()
            }
        }
    }
}

impl Encrypted {
    /// Checks the password by decrypting the text, which is kept.
    fn check(mut parts: Parts, package: &mut Package) -> Result<Self, Error> {
        let mut text = package.part(TEXT).unwrap_or_default();
        match parts.decrypt(TEXT, std::mem::take(&mut text.bytes)) {
            Ok(decrypted) => {
                text.bytes = decrypted.bytes;
                text.damage = text.damage.or(decrypted.damage);
            }
            Err(Failure::Password) => return Err(Error::Encrypted),
            Err(Failure::Other(why)) => {
                let what = format!("the part `{TEXT}` cannot be decrypted: {why}");
                return Err(Error::Damaged(what));
            }
        }
        Ok(Self {
            parts,
            text: Some(text),
        })
    }
}

/// Returns the first bytes, in which the outermost element starts.
fn head(bytes: &[u8]) -> &[u8] {
    // LibreOffice declares about 40 namespaces in 4000 bytes.
    const HEAD: usize = 16 * 1024;
    bytes.get(..HEAD).unwrap_or(bytes)
}
