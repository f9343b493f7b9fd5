//! The budget of a session for its images: those that a read may still show.

use crate::answer::{ImageBudget, ImageTokens, OverBudget};
use crate::request::{ImageSize, Style};
use crate::world::{ShownImages, World};

/// What is left of the budget while the images of a reply are read.
#[derive(Clone, Copy, Debug)]
pub struct Left {
    count: Option<u64>,
    tokens: Option<u64>,
    /// The images that were shown, in this reply too.
    shown: ShownImages,
}

impl Left {
    /// What is left before a read. A path that requests a size has no budget.
    pub fn of(style: &Style, world: &mut dyn World) -> Self {
        let (count, tokens) = match style.image_size {
            ImageSize::Usual => style.image_budget,
            ImageSize::Half | ImageSize::Full => (None, None),
        };
        let is_limited = count.is_some() || tokens.is_some();
        Self {
            count,
            tokens,
            shown: if is_limited {
                world.images()
            } else {
                ShownImages::default()
            },
        }
    }

    /// Whether there is a budget.
    pub fn is_limited(&self) -> bool {
        self.count.is_some() || self.tokens.is_some()
    }

    /// Why an image is over the budget. `None` if it may be shown.
    pub fn refuses(&self, tokens: ImageTokens) -> Option<OverBudget> {
        let mut with = self.shown;
        with.add(tokens.whole);
        let count = self.count.filter(|most| with.count > *most);
        let most = self.tokens.filter(|most| with.tokens > *most);
        let budget = match (count, most) {
            (Some(most), _) => ImageBudget::Count(most),
            (None, Some(most)) => ImageBudget::Tokens(most),
            (None, None) => return None,
        };
        Some(OverBudget {
            budget,
            tokens,
            path: None,
        })
    }

    /// Counts an image that is shown.
    pub fn add(&mut self, tokens: ImageTokens) {
        self.shown.add(tokens.whole);
    }
}
