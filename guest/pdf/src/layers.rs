//! Optional content (ISO 32000-2, 8.11): layers that a viewer shows or not.

use hayro_syntax::object::{Array, Dict, MaybeRef, Name, ObjRef, Object};
use std::collections::BTreeSet;

/// The layers that are not shown when the file is opened.
#[derive(Debug, Default)]
pub struct Layers {
    off: BTreeSet<(u32, i32)>,
}

fn key(reference: ObjRef) -> (u32, i32) {
    (reference.obj_number, reference.gen_number)
}

impl Layers {
    /// Reads the layers of a file.
    pub fn new(catalog: &Dict<'_>) -> Self {
        let mut off = BTreeSet::new();
        let properties = catalog.get::<Dict<'_>>("OCProperties").unwrap_or_default();
        let config = properties.get::<Dict<'_>>("D").unwrap_or_default();
        let references = |dict: &Dict<'_>, name: &str| {
            let list = dict.get::<Array<'_>>(name).unwrap_or_default();
            list.raw_iter()
                .filter_map(|it| it.as_obj_ref())
                .take(100_000)
                .map(key)
                .collect::<Vec<_>>()
        };
        if config
            .get::<Name<'_>>("BaseState")
            .is_some_and(|state| state.as_ref() == b"OFF")
        {
            off.extend(references(&properties, "OCGs"));
            for on in references(&config, "ON") {
                off.remove(&on);
            }
        }
        off.extend(references(&config, "OFF"));
        Self { off }
    }

    /// Whether all layers are shown.
    pub fn is_empty(&self) -> bool {
        self.off.is_empty()
    }

    /// Whether content that belongs to an object is shown. The object is the value of `key` in `dict`:
    /// a layer, or a group of layers with a rule.
    pub fn shows(&self, dict: &Dict<'_>, name: &[u8]) -> bool {
        if self.off.is_empty() {
            return true;
        }
        let Some(MaybeRef::Ref(reference)) = dict.get_raw::<Object<'_>>(name) else {
            return true;
        };
        let group = dict.get::<Dict<'_>>(name).unwrap_or_default();
        if group
            .get::<Name<'_>>("Type")
            .is_none_or(|it| it.as_ref() != b"OCMD")
        {
            return !self.off.contains(&key(reference));
        }
        let layers: Vec<(u32, i32)> = match group.get::<Array<'_>>("OCGs") {
            Some(list) => list
                .raw_iter()
                .filter_map(|it| it.as_obj_ref())
                .take(1000)
                .map(key)
                .collect(),
            None => group.get_ref("OCGs").map(key).into_iter().collect(),
        };
        if layers.is_empty() {
            return true;
        }
        let hidden = |layer: &(u32, i32)| self.off.contains(layer);
        match group.get::<Name<'_>>("P").as_deref() {
            Some(b"AllOn") => !layers.iter().any(hidden),
            Some(b"AnyOff") => layers.iter().any(hidden),
            Some(b"AllOff") => layers.iter().all(hidden),
            _ => !layers.iter().all(hidden),
        }
    }
}
