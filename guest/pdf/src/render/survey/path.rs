//! The path that is being constructed.

use hayro::kurbo::Rect;
use hayro_syntax::object::Number;

/// The path that is being constructed, in the units of the content.
#[derive(Clone, Debug, Default)]
pub struct Path {
    /// The rectangle around the points.
    pub bounds: Option<Rect>,
    start: (f64, f64),
    last: (f64, f64),
    /// The number of points.
    pub points: u64,
    /// The length of the lines between the points, in the units of the content.
    pub length: f64,
    /// The length in pixels, of which lines that leave the page count only the possible part.
    pub edge: f64,
    /// Pixels per unit, and the largest visible length of a line in pixels.
    pub scale: (f64, f64),
}

impl Path {
    /// Removes all points.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    fn add(&mut self, x: f64, y: f64) {
        self.points = self.points.saturating_add(1);
        let point = Rect::new(x, y, x, y);
        self.bounds = Some(self.bounds.map_or(point, |bounds| bounds.union(point)));
        self.last = (x, y);
    }

    /// Starts a part.
    pub fn start(&mut self, x: f64, y: f64) {
        self.add(x, y);
        self.start = (x, y);
    }

    /// Adds a line.
    pub fn line(&mut self, x: f64, y: f64) {
        let (before_x, before_y) = self.last;
        let length = (x - before_x).hypot(y - before_y);
        self.length += length;
        let (scale, most) = self.scale;
        self.edge += (length * scale).min(most);
        self.add(x, y);
    }

    /// Closes a part.
    pub fn close(&mut self) {
        if self.points > 0 {
            let (x, y) = self.start;
            self.line(x, y);
        }
    }

    /// Adds a curve with its control points, as lines.
    pub fn curve(&mut self, numbers: &[Number]) {
        for pair in numbers.chunks_exact(2) {
            if let [x, y] = pair {
                self.line(x.as_f64(), y.as_f64());
            }
        }
    }
}
