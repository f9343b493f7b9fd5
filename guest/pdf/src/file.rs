//! An open file: its objects, pages, fonts and layers.

use crate::fonts::{self, Loaded};
use crate::guard;
use crate::layers::Layers;
use crate::limits;
use hayro_syntax::object::{Dict, ObjRef};
use hayro_syntax::page::Page;
use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};
use omniread_document::Error;
use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use std::sync::Arc;

/// The place and the length of a font dictionary in the bytes of the file.
type FontKey = (usize, usize);

/// The number and the generation of an object.
pub type Key = (u32, i32);

/// The number and the generation of a reference.
pub fn key(reference: ObjRef) -> Key {
    (reference.obj_number, reference.gen_number)
}

/// For each page, the structure elements with content on it, and those around them.
pub type Elements = BTreeMap<Key, BTreeSet<Key>>;

/// The destinations of names.
pub type Destinations = BTreeMap<Vec<u8>, Destination>;

/// The destination that a name has: an object with it, or the page.
#[derive(Clone, Copy, Debug)]
pub enum Destination {
    /// A reference to the destination.
    Reference(ObjRef),
    /// The page, from 0.
    Page(usize),
}

/// An open file.
pub struct File {
    pdf: Pdf,
    /// Whether it was opened with a password.
    is_locked: bool,
    layers: Layers,
    fonts: RefCell<BTreeMap<FontKey, Rc<Loaded>>>,
    fallback: OnceCell<Rc<Loaded>>,
    pages: OnceCell<BTreeMap<(u32, i32), usize>>,
    destinations: OnceCell<Destinations>,
    elements: OnceCell<Elements>,
}

impl File {
    /// Opens a file. A file with an empty user password needs no password.
    ///
    /// # Errors
    /// Fails if it has no pages that can be found, or if it is encrypted and the password is missing or
    /// wrong.
    pub fn open(bytes: Vec<u8>, password: Option<&str>) -> Result<Self, Error> {
        if bytes.len() > limits::FILE_BYTES {
            return Err(Error::exhausted("bytes"));
        }
        if guard::is_bomb(&bytes) {
            return Err(Error::exhausted("bytes of objects"));
        }
        let bytes = Arc::new(bytes);
        let mut opened = Pdf::new(Arc::clone(&bytes));
        let mut is_locked = false;
        if let (Err(LoadPdfError::Decryption(_)), Some(password)) = (&opened, password) {
            is_locked = true;
            opened = Pdf::new_with_password(bytes, password);
        }
        let pdf = opened.map_err(|error| match error {
            LoadPdfError::Decryption(DecryptionError::PasswordProtected) => Error::Encrypted,
            LoadPdfError::Decryption(DecryptionError::UnsupportedAlgorithm) => {
                Error::Unsupported("this kind of encryption".to_owned())
            }
            LoadPdfError::Decryption(_) => Error::Damaged("the encryption is damaged".to_owned()),
            LoadPdfError::Invalid => Error::Damaged("there are no pages".to_owned()),
        })?;
        let catalog = pdf
            .xref()
            .get::<Dict<'_>>(pdf.xref().root_id())
            .unwrap_or_default();
        let layers = Layers::new(&catalog);
        drop(catalog);
        Ok(Self {
            pdf,
            is_locked,
            layers,
            fonts: RefCell::new(BTreeMap::new()),
            fallback: OnceCell::new(),
            pages: OnceCell::new(),
            destinations: OnceCell::new(),
            elements: OnceCell::new(),
        })
    }

    /// Opens a file again with more objects. What is known about the names of destinations is kept, and
    /// about the structure elements if `keep_elements` is true.
    ///
    /// # Errors
    /// Fails as [`File::open`] does.
    pub fn reopen(&mut self, bytes: Vec<u8>, keep_elements: bool) -> Result<(), Error> {
        let mut file = Self::open(bytes, None)?;
        file.destinations = std::mem::take(&mut self.destinations);
        if keep_elements {
            file.elements = std::mem::take(&mut self.elements);
        }
        *self = file;
        Ok(())
    }

    /// Whether it was opened with a password.
    pub fn is_locked(&self) -> bool {
        self.is_locked
    }

    /// The objects and pages.
    pub fn pdf(&self) -> &Pdf {
        &self.pdf
    }

    /// The layers.
    pub fn layers(&self) -> &Layers {
        &self.layers
    }

    /// The catalog. It is empty if the file has none.
    pub fn catalog(&self) -> Dict<'_> {
        self.pdf
            .xref()
            .get(self.pdf.xref().root_id())
            .unwrap_or_default()
    }

    /// The structure elements of each page, which are read once.
    pub(crate) fn elements(&self, read: impl FnOnce() -> Elements) -> &Elements {
        self.elements.get_or_init(read)
    }

    /// The number of the page with an object, from 0.
    pub fn page_of(&self, object: (u32, i32)) -> Option<usize> {
        let pages = self.pages.get_or_init(|| {
            let pages = self.pdf.pages().iter().enumerate();
            let id = |(index, page): (usize, &Page<'_>)| {
                let id = page.raw().obj_id()?;
                Some(((id.obj_number, id.gen_number), index))
            };
            pages.filter_map(id).collect()
        });
        pages.get(&object).copied()
    }

    /// The names of destinations, which are read once.
    pub(crate) fn destinations(&self, read: impl FnOnce() -> Destinations) -> &Destinations {
        self.destinations.get_or_init(read)
    }

    /// The font of a dictionary, which is at a place in the bytes of the file.
    pub fn font(&self, key: FontKey, dict: &Dict<'_>) -> Rc<Loaded> {
        if let Some(known) = self.fonts.borrow().get(&key) {
            return Rc::clone(known);
        }
        let loaded = Rc::new(fonts::load(dict));
        let mut fonts = self.fonts.borrow_mut();
        let entries: usize = fonts.values().map(|font| font.entries()).sum();
        if fonts.len() >= limits::FONTS || entries >= limits::FONT_ENTRIES {
            fonts.clear();
        }
        fonts.insert(key, Rc::clone(&loaded));
        loaded
    }

    /// The font for text without a font.
    pub fn fallback_font(&self) -> Rc<Loaded> {
        Rc::clone(self.fallback.get_or_init(|| Rc::new(fonts::fallback())))
    }
}
