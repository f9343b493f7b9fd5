//! The images of a workbook ([MS-XLS] 2.4.171, [MS-ODRAW] 2.2.20).

use super::records::{Records, joined};
use crate::ole::art::{self, BlipPlace};

/// The images, which are in one list for all sheets.
#[derive(Debug, Default)]
pub struct Images {
    /// The drawings of the workbook, whose records are joined.
    bytes: Vec<u8>,
    /// The positions of the images.
    places: Vec<Option<usize>>,
}

impl Images {
    /// Reads the list from the record at a position.
    pub fn read(stream: &[u8], at: Option<usize>) -> Self {
        let record = at.and_then(|at| Records::new(stream, at).next());
        let bytes = record.map(|record| joined(stream, &record).into_owned());
        let bytes = bytes.unwrap_or_default();
        let group = art::record_at(&bytes, 0).filter(|it| it.kind == art::DGG_CONTAINER);
        let store = group.and_then(|group| group.child(art::BSTORE_CONTAINER));
        let places = store.map_or_else(Vec::new, |store| {
            // After the headers of both records.
            let base = store.at.saturating_add(16);
            let places = art::store(&store).into_iter();
            let inside = places.map(|place| match place? {
                BlipPlace::Inside(at) => Some(base.saturating_add(at)),
                BlipPlace::Outside(_) => None,
            });
            inside.collect()
        });
        Self { bytes, places }
    }

    fn place(&self, number: usize) -> Option<usize> {
        self.places.get(number.checked_sub(1)?).copied().flatten()
    }

    /// Returns whether there is an image with a number, from 1.
    pub fn has(&self, number: usize) -> bool {
        let place = self.place(number);
        place.is_some_and(|at| art::has_image(&self.bytes, at))
    }

    /// Returns the bytes of an image.
    pub fn get(&self, number: usize) -> Option<Vec<u8>> {
        art::image(&self.bytes, self.place(number)?)
    }
}
