//! The copies of issues, pull requests and diffs that the session keeps.

use crate::world::World;
use serde::{Deserialize, Serialize};

/// A text and its notes, as the session keeps them.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct Copy {
    /// The time at which it was requested, in seconds since 1970.
    pub time: u64,
    /// The text.
    pub text: String,
    /// What the reply says besides the text.
    pub notes: Vec<String>,
}

impl Copy {
    /// Finds the copy with a key. Any other entry is ignored.
    pub fn find(key: &str, world: &mut dyn World) -> Option<Self> {
        serde_json::from_slice(&world.cached(key)?).ok()
    }

    /// Stores the copy under a key.
    pub fn store(&self, key: &str, world: &mut dyn World) {
        if let Ok(bytes) = serde_json::to_vec(self) {
            world.cache(key, &bytes);
        }
    }

    /// The age in seconds.
    pub fn age(&self, world: &dyn World) -> u64 {
        world.now().seconds.saturating_sub(self.time)
    }
}
