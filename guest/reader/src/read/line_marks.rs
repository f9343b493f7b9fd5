//! Marks of the lines of a large file, which the session keeps for its later reads.

use crate::pages::{Input, Marks};
use crate::world::World;

/// The place of marks in the session: the hash of a file and of its state.
pub struct Place([u64; 2]);

impl Place {
    /// The key of the session. The number at its start is that of the format of the marks.
    fn key(&self) -> String {
        let [lower, upper] = self.0;
        format!("lines-1:{upper:016x}{lower:016x}")
    }
}

/// Lets an input use the marks of earlier reads. `None` if the session does not keep marks of its source: lines
/// of a text in memory are counted fast, and those of other sources may change in silence.
pub fn load(input: &mut Input<'_>, world: &mut dyn World) -> Option<Place> {
    if input.complete() || !input.seekable() || input.remote() || !world.lasting() {
        return None;
    }
    let place = Place(input.source().state()?);
    let size = input.source().info().size?;
    let known = world.cached(&place.key());
    let known = known.and_then(|bytes| Marks::parse(&bytes, size));
    input.use_marks(known.unwrap_or_else(|| Marks::new(size)));
    Some(place)
}

/// Keeps the marks that a read added, if the file is still the same.
pub fn keep(input: &mut Input<'_>, place: &Place, world: &mut dyn World) {
    let Some(bytes) = input.marks().and_then(Marks::bytes) else {
        return;
    };
    if input.source().state() == Some(place.0) {
        world.cache(&place.key(), &bytes);
    }
}
