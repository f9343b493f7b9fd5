//! Encrypted packages. Their parts were encrypted by another program.

use crate::odf::source::Source;
use crate::testing::package;
use crate::{Error, Format, open};

const PASSWORD: Option<&str> = Some("päss");

/// A text with one paragraph, compressed and encrypted with AES-256.
const AES: &[u8] = b"SnRbo4Fu0mztM5rI55S6Z7rW45wDTnkMvS3sDwo1pqx8nIDq2vowefFWA1/t+IFD2gPc1FEplTG3\
    Hy5uXqYpkf8/47KSB9Qq+/JQM6JrKDZczC+Ei5yHM5N1MdFRQQ34wF6svH06D+sAr/g2fb0M21i84o0MBQRKTNXxNlqnDWs=";

/// The same text with Blowfish.
const BLOWFISH: &[u8] =
    b"h/DMeo3foitVCKUDuHEft1+kcCASyoY+wrcmPPAsYTs0yx80LxccbqwTaojHKZr4TXVueWw74sip\
    jMsuhg4bG5vrBHpOyEw6TgcrCHP7BSRsU0SSKv+ifLnfwAd67eE794XgLKg7SU1or7KooUrDei6lzKQVXw==";

/// The description of the encryption of a part.
fn description(name: &str, more: &str) -> String {
    format!(
        "<manifest:file-entry manifest:full-path=\"{name}\" manifest:size=\"1000\">\
         <manifest:encryption-data {more}</manifest:encryption-data></manifest:file-entry>"
    )
}

const BY_AES: &str = "manifest:checksum-type=\"urn:oasis:names:tc:opendocument:xmlns:manifest:1.0#\
    sha256-1k\" manifest:checksum=\"zUNb8iekExyOOgIkOZLlwc9DEMKI9jE9ICXuDZrRJqk=\">\
    <manifest:algorithm manifest:algorithm-name=\"http://www.w3.org/2001/04/xmlenc#aes256-cbc\" \
    manifest:initialisation-vector=\"EBESExQVFhcYGRobHB0eHw==\"/><manifest:start-key-generation \
    manifest:start-key-generation-name=\"http://www.w3.org/2000/09/xmldsig#sha256\" \
    manifest:key-size=\"32\"/><manifest:key-derivation manifest:key-derivation-name=\"PBKDF2\" \
    manifest:key-size=\"32\" manifest:iteration-count=\"10\" \
    manifest:salt=\"AAECAwQFBgcICQoLDA0ODw==\"/>";

const BY_BLOWFISH: &str = "manifest:checksum-type=\"SHA1/1K\" \
    manifest:checksum=\"pe7Ik7HwCRI/9a4RhU+DGo5X+So=\"><manifest:algorithm \
    manifest:algorithm-name=\"Blowfish CFB\" manifest:initialisation-vector=\"EBESExQVFhc=\"/>\
    <manifest:key-derivation manifest:key-derivation-name=\"PBKDF2\" \
    manifest:iteration-count=\"10\" manifest:salt=\"AAECAwQFBgcICQoLDA0ODw==\"/>";

fn file(content: &[u8], entries: &str) -> Vec<u8> {
    let manifest = format!("<manifest:manifest>{entries}</manifest:manifest>");
    package(&[
        ("mimetype", b"application/vnd.oasis.opendocument.text"),
        ("content.xml", &omniread_document::base64::decode(content)),
        ("META-INF/manifest.xml", manifest.as_bytes()),
    ])
}

fn convert(file: Vec<u8>, password: Option<&str>) -> Result<String, Error> {
    let mut document = open(file, Format::Odt, password)?;
    Ok(document.unit(0).text)
}

#[test]
fn the_password_decrypts() {
    for (content, by) in [(AES, BY_AES), (BLOWFISH, BY_BLOWFISH)] {
        let file = || file(content, &description("content.xml", by));
        assert_eq!(convert(file(), PASSWORD), Ok("Secret".to_owned()));
        assert_eq!(convert(file(), Some("pass")), Err(Error::Encrypted));
        assert_eq!(convert(file(), None), Err(Error::Encrypted));
        // A password changes no other package.
        let plain = package(&[("content.xml", b"<a:document-content/>")]);
        assert_eq!(convert(plain, PASSWORD), Ok(String::new()));
    }
}

#[test]
fn the_text_is_decrypted_once() {
    let file = file(AES, &description("content.xml", BY_AES));
    let mut source = Source::open(file, PASSWORD).unwrap();
    let Source::Package(_, Some(encrypted)) = &source else {
        panic!("the package is encrypted");
    };
    let rest = encrypted.parts.rest();
    let text = source.part("content.xml").unwrap().bytes;
    let Source::Package(_, Some(encrypted)) = &source else {
        panic!("the package is encrypted");
    };
    assert_eq!(encrypted.parts.rest(), rest);
    // A second reading decrypts it again.
    assert_eq!(source.part("content.xml").unwrap().bytes, text);
    let Source::Package(_, Some(encrypted)) = &source else {
        panic!("the package is encrypted");
    };
    assert_eq!(encrypted.parts.rest(), rest - text.len());
}

#[test]
fn unknown_encryption_is_named() {
    let unsupported = |what: &str| Err(Error::Unsupported(what.to_owned()));
    let argon = BY_AES.replace("PBKDF2", "urn:x:argon2id");
    let file = |by: &str| file(AES, &description("content.xml", by));
    let what = "the key derivation of the encryption";
    assert_eq!(convert(file(&argon), PASSWORD), unsupported(what));
    assert_eq!(convert(file(&argon), None), Err(Error::Encrypted));
    let gcm = BY_AES.replace("aes256-cbc", "aes256-gcm");
    let what = "the cipher of the encryption";
    assert_eq!(convert(file(&gcm), PASSWORD), unsupported(what));
    let whole = super::passwords::file(AES, &description("encrypted-package", &gcm));
    assert_eq!(convert(whole, PASSWORD), unsupported(what));
}

#[test]
fn damage_and_long_keys_are_errors() {
    let long = BY_AES.replace("count=\"10\"", "count=\"4000000000\"");
    let changed = [
        long,
        BY_AES.replace("EBESExQVFhcYGRobHB0eHw==", "EBES"),
        BY_AES.replace(
            "key-size=\"32\" manifest:iter",
            "key-size=\"5\" manifest:iter",
        ),
    ];
    for by in changed {
        let found = convert(file(AES, &description("content.xml", &by)), PASSWORD);
        assert!(matches!(found, Err(Error::Damaged(_))), "{found:?}");
    }
    // Another part that cannot be decrypted leaves the text.
    let entries = description("content.xml", BY_AES)
        + &description("meta.xml", BY_BLOWFISH)
        + &description("styles.xml", "");
    assert_eq!(
        convert(file(AES, &entries), PASSWORD),
        Ok("Secret".to_owned())
    );
    for end in 0..entries.len() {
        let Some(cut) = entries.get(..end) else {
            continue;
        };
        let _ = convert(file(AES, cut), PASSWORD);
    }
}
