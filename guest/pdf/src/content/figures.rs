//! The images of a page.

use super::machine::Machine;
use super::painted::Area;
use super::{images, tiles};
use crate::limits;
use crate::page::{Figure, Rect};
use hayro_syntax::object::Stream;
use hayro_syntax::page::Resources;

impl Machine<'_> {
    /// Adds an image, which fills the unit square. `object` is the number of its object, if it is one.
    pub fn image(&mut self, stream: &Stream<'_>, object: Option<u32>, resources: &Resources<'_>) {
        if self.marks.hidden() || !self.file.layers().shows(stream.dict(), b"OC") {
            return;
        }
        let corners = [(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]
            .map(|(x, y)| self.state.matrix.point(x, y));
        let around = corners
            .into_iter()
            .map(|point| Rect::of(point, point))
            .reduce(|all, one| all.around(&one));
        let Some(shown) = around.and_then(|around| around.common(&self.state.clip)) else {
            return;
        };
        let after = self.out.glyphs.len();
        self.out.missing.ink = true;
        if !self.paints_text(&shown, None) {
            let dict = stream.dict();
            let clear = dict.contains_key("SMask")
                || dict.contains_key("Mask")
                || dict.get::<bool>("ImageMask") == Some(true);
            let opaque = !clear
                && self.state.covers
                && self.state.fill.alpha >= 1.0
                && self.state.matrix.is_straight();
            self.paints(&Area {
                around: shown,
                inside: &[shown],
                colour: None,
                opaque,
            });
        }
        // Lines and dots are drawn as images too. They are not pictures, unless they are strips of one.
        let before = self.strip.take();
        let mut rect = shown;
        if tiles::is_thin(&shown) {
            if !tiles::may_be_strip(&shown) || !images::has_details(stream) {
                return;
            }
            let before = before.filter(|it| tiles::are_strips(&it.0, &shown));
            self.strip = Some((shown, before.is_some()));
            match before {
                None => return,
                // The first strip has no number of its own.
                Some((first, false)) => rect = shown.around(&first),
                Some(_) => {}
            }
        } else {
            self.strip = Some((shown, true));
        }
        if self.out.images.len() >= limits::SHAPES {
            return;
        }
        let known = object.and_then(|object| self.images.get(&object).copied());
        let number = known.unwrap_or_else(|| {
            self.image_count = self.image_count.saturating_add(1);
            self.index
                .saturating_mul(1000)
                .saturating_add(self.image_count)
        });
        if self.image_count > limits::PAGE_IMAGES {
            return;
        }
        if let Some(object) = object {
            self.images.insert(object, number);
        }
        if self.wanted == Some(number) && self.taken.is_none() {
            self.taken = images::file_of(stream, resources);
            // The rest of the page is not needed.
            self.operators = 0;
        }
        self.out.images.push(Figure {
            rect,
            number,
            last: number,
            blank: images::is_blank(stream),
            artifact: self.marks.artifact(),
            mcid: self.marks.mark(),
            after,
        });
    }
}
