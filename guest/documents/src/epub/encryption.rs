//! `META-INF/encryption.xml`: the parts that cannot be read without a key.

use crate::limits;
use crate::package::Package;
use crate::xml::{Tree, decode};
use percent_encoding::percent_decode_str;
use std::collections::BTreeSet;

/// Algorithms that only make fonts useless outside of the book. Fonts are never read.
const OBFUSCATION: [&str; 2] = [
    "http://www.idpf.org/2008/embedding",
    "http://ns.adobe.com/pdf/enc#RC",
];

/// Returns the names of the encrypted parts in lowercase.
pub fn encrypted(package: &mut Package) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    let Some(part) = package.part("META-INF/encryption.xml") else {
        return found;
    };
    let text = decode(&part.bytes);
    let tree = Tree::parse(&text);
    let root = tree.root();
    let data = root.descendants();
    for data in data.filter(|element| element.name() == "EncryptedData") {
        if found.len() >= limits::PARTS {
            break;
        }
        let method = data.child("EncryptionMethod");
        let algorithm = method.and_then(|method| method.attr("Algorithm"));
        if algorithm.is_some_and(|algorithm| OBFUSCATION.contains(&algorithm)) {
            continue;
        }
        let reference = data.at(&["CipherData", "CipherReference"]);
        if let Some(address) = reference.and_then(|reference| reference.attr("URI")) {
            let name = crate::package::join("", &percent_decode_str(address).decode_utf8_lossy());
            found.insert(name.to_lowercase());
        }
    }
    found
}
