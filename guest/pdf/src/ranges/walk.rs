//! References from object to object.

use hayro_syntax::object::{Dict, MaybeRef, Name, Object, ObjectIdentifier};
use std::collections::BTreeSet;

/// What a walk looks for. It decides which references are followed, and which data are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// What the facts about the document are in: the outline, the names, the labels of pages.
    Facts,
    /// The attachments of annotations of a page.
    Attached,
    /// The text of a page.
    Text,
    /// The text of a page, and the data of its images.
    Images,
    /// Structure elements, with all elements in them.
    Tags,
    /// Structure elements, without the elements in them.
    Element,
}

impl Kind {
    /// The number of kinds.
    pub const COUNT: usize = 6;

    /// Whether the data of a large stream are read.
    pub fn has_data(self, dict: &Dict<'_>) -> bool {
        let is = |key: &str, value: &[u8]| {
            let name = dict.get::<Name<'_>>(key);
            name.is_some_and(|name| name.as_ref() == value)
        };
        match self {
            Self::Facts => is("Type", b"Metadata"),
            Self::Attached | Self::Tags | Self::Element => false,
            Self::Text => !is("Subtype", b"Image") && !is("Type", b"EmbeddedFile"),
            Self::Images => true,
        }
    }

    /// Whether a reference of a dictionary is followed.
    fn follows(self, key: &[u8], dict: &Dict<'_>) -> bool {
        match self {
            Self::Facts => !matches!(
                key,
                // Pages, elements and fields have walks of their own.
                b"Pages" | b"StructTreeRoot" | b"AcroForm" | b"SE" | b"SD" | b"Parent"
                // Nothing of these is shown.
                | b"Threads" | b"PieceInfo" | b"Perms" | b"DSS" | b"SpiderInfo" | b"Thumb"
            ),
            Self::Attached => match key {
                b"Annots" => true,
                b"FS" | b"EF" | b"F" | b"UF" | b"DOS" | b"Mac" | b"Unix" | b"Params" => {
                    dict.contains_key("FS") || dict.contains_key("EF") || !dict.contains_key("Rect")
                }
                _ => false,
            },
            Self::Text | Self::Images => !matches!(
                key,
                // The other fields of a form, the other beads of an article, and elements.
                b"Kids" | b"B" | b"StructTreeRoot" | b"SE" | b"SD"
                // What is signed, and content that is not shown.
                | b"Reference" | b"PieceInfo" | b"Thumb" | b"3DD" | b"RichMediaContent" | b"Movie"
                | b"Sound" | b"EF" | b"AF"
            ),
            Self::Tags | Self::Element => {
                !matches!(
                    key,
                    b"K" if self == Self::Element
                ) && !matches!(
                    key,
                    b"P" | b"Pg"
                        | b"Obj"
                        | b"Stm"
                        | b"AF"
                        | b"Ref"
                        | b"IDTree"
                        | b"ParentTree"
                        | b"Schema"
                )
            }
        }
    }
}

/// The maximum depth of lists and dictionaries in an object. Those of programs have five.
const DEPTH: usize = 16;

/// Calls `each` with the references of an object that a walk follows. `keys` gets the keys in the parent
/// tree that the object has.
pub fn references(
    object: &Object<'_>,
    kind: Kind,
    keys: &mut BTreeSet<i64>,
    each: &mut dyn FnMut(ObjectIdentifier),
) {
    Visitor { kind, keys, each }.object(object, 0);
}

/// Visits the values in an object.
struct Visitor<'v> {
    kind: Kind,
    keys: &'v mut BTreeSet<i64>,
    each: &'v mut dyn FnMut(ObjectIdentifier),
}

impl Visitor<'_> {
    fn object(&mut self, object: &Object<'_>, depth: usize) {
        if depth > DEPTH {
            return;
        }
        match object {
            Object::Array(list) => {
                for item in list.raw_iter() {
                    self.value(item, depth);
                }
            }
            Object::Dict(dict) => self.entries(dict, depth),
            Object::Stream(stream) => self.entries(stream.dict(), depth),
            _ => {}
        }
    }

    fn entries(&mut self, dict: &Dict<'_>, depth: usize) {
        for (key, value) in dict.entries() {
            let key: &[u8] = key.as_ref();
            if matches!(key, b"StructParent" | b"StructParents")
                && matches!(self.kind, Kind::Text | Kind::Images)
                && let MaybeRef::NotRef(Object::Number(number)) = &value
            {
                self.keys.insert(number.as_i64());
            }
            if self.kind.follows(key, dict) {
                self.value(value, depth);
            }
        }
    }

    fn value(&mut self, value: MaybeRef<Object<'_>>, depth: usize) {
        match value {
            MaybeRef::Ref(reference) => (self.each)(reference.into()),
            MaybeRef::NotRef(object) => self.object(&object, depth.saturating_add(1)),
        }
    }
}
