//! What paths cost: their points, the pixels that they cover, and their dashes.

use super::budget::{Stop, whole};
use super::machine::Survey;
use super::path::Path;
use crate::limits;
use hayro::kurbo::Rect;
use hayro_syntax::content::ops::TypedInstruction as Op;
use hayro_syntax::object::Object;
use std::rc::Rc;

/// The time of a painted path in nanoseconds, without its points.
const PATH: u64 = 1000;

/// The time of a point of a fill in nanoseconds.
const POINT: u64 = 150;

/// The time of a point of a stroke in nanoseconds. A stroke is an outline with joins.
const STROKED_POINT: u64 = 600;

/// The time of a dash in nanoseconds, and its bytes.
const DASH: f64 = 600.0;
const DASH_BYTES: f64 = 600.0;

/// The time of a pixel that is filled, in nanoseconds.
const PIXEL: f64 = 0.5;

/// The time of a pixel at the edge of a path, in nanoseconds.
const EDGE: f64 = 60.0;

/// The bytes of a pixel at the edge of a path: while the path is drawn, and until the page is drawn. Edges
/// at the same place share the latter.
const EDGE_BYTES: f64 = 5.0;
const KEPT_BYTES: f64 = 8.0;

impl<'a> Survey<'a> {
    /// Executes an operator of paths. Returns whether it is one.
    pub fn path_operator(&mut self, operator: &Op<'_, '_>) -> Result<bool, Stop> {
        let (right, up) = self.state.units();
        let most = f64::from(self.size.width) + f64::from(self.size.height);
        let path = &mut self.path;
        path.scale = (right.max(up), most);
        match operator {
            Op::MoveTo(to) => path.start(to.0.as_f64(), to.1.as_f64()),
            Op::LineTo(to) => path.line(to.0.as_f64(), to.1.as_f64()),
            Op::CubicTo(to) => path.curve(&[to.0, to.1, to.2, to.3, to.4, to.5]),
            Op::CubicStartTo(to) => path.curve(&[to.0, to.1, to.2, to.3]),
            Op::CubicEndTo(to) => path.curve(&[to.0, to.1, to.2, to.3]),
            Op::RectPath(r) => {
                let [x, y, width, height] = [r.0, r.1, r.2, r.3].map(|it| it.as_f64());
                path.start(x, y);
                path.line(x + width, y);
                path.line(x + width, y + height);
                path.line(x, y + height);
                path.line(x, y);
            }
            Op::ClosePath(_) => path.close(),
            Op::LineWidth(width) => self.state.line_width = width.0.as_f64(),
            Op::DashPattern(dashes) => {
                let lengths = dashes.0.iter::<f32>().map(f64::from);
                self.dashes(
                    &lengths
                        .take(limits::RENDER_DASHES.saturating_add(1))
                        .collect::<Vec<f64>>(),
                )?;
            }
            Op::StrokePath(_) => self.paint(false, true)?,
            Op::CloseAndStrokePath(_) => {
                path.close();
                self.paint(false, true)?;
            }
            Op::FillPathNonZero(_)
            | Op::FillPathNonZeroCompatibility(_)
            | Op::FillPathEvenOdd(_) => {
                self.paint(true, false)?;
            }
            Op::FillAndStrokeNonZero(_) | Op::FillAndStrokeEvenOdd(_) => self.paint(true, true)?,
            Op::CloseFillAndStrokeNonZero(_) | Op::CloseFillAndStrokeEvenOdd(_) => {
                path.close();
                self.paint(true, true)?;
            }
            Op::EndPath(_) => self.paint(false, false)?,
            Op::ClipNonZero(_) | Op::ClipEvenOdd(_) => self.clips = true,
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The dashes of lines. A dash of length zero is drawn as a hundredth.
    pub fn dashes(&mut self, lengths: &[f64]) -> Result<(), Stop> {
        if lengths.is_empty() {
            self.state.dashes = None;
            return Ok(());
        }
        let broken = |length: &f64| length.is_nan() || *length < 0.0;
        if lengths.len() > limits::RENDER_DASHES || lengths.iter().any(broken) {
            return Err(Stop {
                limit: "dashes",
                by_size: false,
            });
        }
        let total = lengths
            .iter()
            .map(|length| if *length > 0.0 { *length } else { 0.01 })
            .sum();
        self.state.dashes = Some((total, lengths.len()));
        Ok(())
    }

    fn paint(&mut self, fills: bool, strokes: bool) -> Result<(), Stop> {
        let path = std::mem::take(&mut self.path);
        let clips = std::mem::take(&mut self.clips);
        let Some(bounds) = path.bounds else {
            return Ok(());
        };
        if fills {
            let pattern = self.state.fill.clone();
            self.fill(&path, bounds, pattern)?;
        }
        if strokes {
            self.stroke(&path, bounds)?;
        }
        if clips {
            self.budget
                .time(PATH.saturating_add(path.points.saturating_mul(POINT)))?;
            self.edges(bounds, path.edge)?;
            let area = self.state.matrix.transform_rect_bbox(bounds);
            self.clip(area);
        }
        Ok(())
    }

    fn fill(
        &mut self,
        path: &Path,
        bounds: Rect,
        pattern: Option<Rc<Object<'a>>>,
    ) -> Result<(), Stop> {
        self.budget
            .time(PATH.saturating_add(path.points.saturating_mul(POINT)))?;
        self.cover(bounds, path.edge, pattern)
    }

    fn stroke(&mut self, path: &Path, bounds: Rect) -> Result<(), Stop> {
        self.budget
            .time(PATH.saturating_add(path.points.saturating_mul(STROKED_POINT)))?;
        if let Some((length, count)) = self.state.dashes {
            #[expect(clippy::cast_precision_loss, reason = "there are few dashes")]
            let dashes = path.length / length * count as f64;
            self.budget.pixels(dashes, DASH)?;
            self.budget.bytes(dashes * DASH_BYTES)?;
        }
        let (right, up) = self.state.units();
        let scale = right.max(up);
        let width = self.state.line_width.abs().max(1.0 / scale.max(1e-6));
        let bounds = bounds.inflate(width, width);
        let pattern = self.state.stroke.clone();
        // A line has two edges.
        self.cover(bounds, path.edge * 2.0, pattern)
    }

    /// An area that a path covers at most. `edge` is the length of its edges in pixels.
    fn cover(
        &mut self,
        bounds: Rect,
        edge: f64,
        pattern: Option<Rc<Object<'a>>>,
    ) -> Result<(), Stop> {
        let Some(area) = self.edges(bounds, edge)? else {
            return Ok(());
        };
        self.budget.pixels(area.area(), PIXEL + self.state.blend)?;
        match pattern {
            Some(pattern) => self.pattern(&pattern, area),
            None => Ok(()),
        }
    }

    /// The edges of a path. Returns the visible part of its bounds.
    fn edges(&mut self, bounds: Rect, edge: f64) -> Result<Option<Rect>, Stop> {
        let area = self.state.matrix.transform_rect_bbox(bounds);
        let area = area.intersect(self.state.clip);
        let is_visible = area.width() > 0.0 && area.height() > 0.0;
        if !is_visible {
            return Ok(None);
        }
        self.budget.pixels(edge, EDGE)?;
        self.budget.check(whole(edge * EDGE_BYTES), true)?;
        let kept = edge.min(area.area() + area.height());
        self.budget.bytes(100.0 + kept * KEPT_BYTES)?;
        Ok(Some(area))
    }
}
