//! A connection that is opened before its database is known.

use crate::handle::Handle;
use crate::vfs::{self, Place};
use std::cell::RefCell;
use std::ffi::CString;
use std::rc::Rc;

/// The name of its database: that of the first one.
const NAME: &str = "/0";

/// An open connection whose database is not known yet.
pub struct Prepared {
    /// The connection. It has not read its file.
    pub handle: Handle,
    /// The place for the files of the database.
    pub place: Rc<Place>,
}

thread_local!(static PREPARED: RefCell<Option<Prepared>> = const { RefCell::new(None) });

/// Takes the connection to the database with this name, if one is prepared.
pub fn take(name: &str) -> Option<Prepared> {
    PREPARED.with_borrow_mut(|prepared| prepared.take_if(|_| name == NAME))
}

/// Closes the connection, if one is prepared, and returns whether there was one.
pub fn discard() -> bool {
    let is_prepared = PREPARED.take().is_some();
    if is_prepared {
        vfs::remove(NAME);
    }
    is_prepared
}

/// Prepares the connection. Without it, the read opens one, and reports the error.
pub fn prepare() {
    let Ok(name) = CString::new(NAME) else {
        return;
    };
    if vfs::register().is_err() {
        return;
    }
    let place = Rc::new(Place::new());
    vfs::add(NAME, Rc::clone(&place));
    if let Ok(handle) = Handle::open(&name) {
        PREPARED.set(Some(Prepared { handle, place }));
    }
}
