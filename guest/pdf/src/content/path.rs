//! Paths → thin lines and filled rectangles.

use super::convex;
use crate::extremes::Extremes as _;
use crate::limits;
use crate::matrix::Matrix;
use crate::page::{Colour, Rect, Rule};

/// The thickness in points up to which a rectangle is a line.
const THIN: f32 = 3.0;

/// The angle up to which a line is horizontal or vertical, as a tangent.
const STRAIGHT: f32 = 0.02;

/// The maximum number of parts of a path that are compared with each other. Shapes with holes have two.
const PARTS: usize = 16;

/// A path on the page. Curves are only known by their ends.
#[derive(Debug, Default)]
pub struct Path {
    parts: Vec<Part>,
    points: usize,
}

#[derive(Debug, Default)]
struct Part {
    points: Vec<(f32, f32)>,
    curved: bool,
    closed: bool,
    /// The curves: the place of the end, and the control points.
    curves: Vec<(usize, [(f32, f32); 2])>,
}

/// What a painted path leaves on the page.
#[derive(Debug, Default)]
pub struct Shapes {
    /// Thin lines.
    pub rules: Vec<Rule>,
    /// Filled rectangles that are not thin, and whether all of each is painted.
    pub fills: Vec<(Rect, bool)>,
    /// The rectangles around other filled shapes, and rectangles that are inside of them.
    pub others: Vec<(Rect, Vec<Rect>)>,
}

impl Path {
    /// Starts a part.
    pub fn start(&mut self, point: (f32, f32)) {
        if self.points < limits::PATH_POINTS {
            self.points = self.points.saturating_add(1);
            self.parts.push(Part {
                points: vec![point],
                ..Part::default()
            });
        }
    }

    /// Adds a curve to the last part. Without a first control point, it is the current point.
    pub fn curve(&mut self, first: Option<(f32, f32)>, second: (f32, f32), to: (f32, f32)) {
        let current = self.parts.last().and_then(|part| {
            if part.closed {
                part.points.first().copied()
            } else {
                part.points.last().copied()
            }
        });
        let before = self.points;
        self.line(to, true);
        if self.points > before
            && let Some(part) = self.parts.last_mut()
            && let Some(place) = part.points.len().checked_sub(1).filter(|it| *it > 0)
        {
            let first = first.or(current).unwrap_or(to);
            part.curves.push((place, [first, second]));
        }
    }

    /// Adds a point to the last part.
    pub fn line(&mut self, point: (f32, f32), curved: bool) {
        if self.parts.is_empty() {
            self.start(point);
            return;
        }
        if self.points < limits::PATH_POINTS
            && let Some(part) = self.parts.last_mut()
        {
            self.points = self.points.saturating_add(1);
            if part.closed {
                // A part goes on from the start of the closed one.
                let first = part.points.first().copied().unwrap_or(point);
                self.parts.push(Part {
                    points: vec![first, point],
                    curved,
                    ..Part::default()
                });
                return;
            }
            part.points.push(point);
            part.curved |= curved;
        }
    }

    /// Closes the last part.
    pub fn close(&mut self) {
        if let Some(part) = self.parts.last_mut() {
            part.closed = true;
        }
    }

    /// Adds a rectangle, by a corner and its size.
    pub fn rectangle(&mut self, matrix: Matrix, (x, y): (f32, f32), (width, height): (f32, f32)) {
        if self.points < limits::PATH_POINTS {
            self.points = self.points.saturating_add(4);
            self.parts.push(Part {
                points: vec![
                    matrix.point(x, y),
                    matrix.point(x + width, y),
                    matrix.point(x + width, y + height),
                    matrix.point(x, y + height),
                ],
                closed: true,
                ..Part::default()
            });
        }
    }

    /// Removes all parts.
    pub fn clear(&mut self) {
        self.parts.clear();
        self.points = 0;
    }

    /// The rectangle around the path. `None` if it is empty.
    pub fn bounds(&self) -> Option<Rect> {
        let points = self
            .parts
            .iter()
            .flat_map(|part| part.points.iter().copied());
        points
            .map(|point| Rect::of(point, point))
            .reduce(|all, one| all.around(&one))
    }

    /// Rectangles that are inside of the path as a whole. Empty if there may be holes.
    pub fn inside(&self) -> Vec<Rect> {
        let mut parts = self.areas();
        match (parts.next(), parts.next()) {
            (Some(part), None) if part.is_rectangle() => part.bounds().into_iter().collect(),
            (Some(part), None) => convex::inside(&part.outline()),
            _ => Vec::new(),
        }
    }

    /// The rectangle that is a hole of the path where the number of lines around a point counts. `None` if
    /// the path is not one rectangle inside of another one.
    pub fn hole(&self) -> Option<Rect> {
        let mut parts = self.areas();
        let (Some(one), Some(two), None) = (parts.next(), parts.next(), parts.next()) else {
            return None;
        };
        if !one.is_rectangle() || !two.is_rectangle() {
            return None;
        }
        let (one, two) = (one.bounds()?, two.bounds()?);
        let inner = one.common(&two)?;
        (inner == one || inner == two).then_some(inner)
    }

    /// The parts with an area. Programs write single points too.
    fn areas(&self) -> impl Iterator<Item = &Part> {
        self.parts.iter().filter(|part| part.points.len() > 2)
    }

    /// Whether a part of the path is apart from all others, so that it has no holes.
    fn is_apart(&self, place: usize, bounds: &Rect) -> bool {
        self.parts.len() <= PARTS
            && self.parts.iter().enumerate().all(|(other, part)| {
                let common = part.bounds().and_then(|it| it.common(bounds));
                other == place || common.is_none_or(|common| common.area() <= 0.0)
            })
    }

    /// Fills the path.
    pub fn fill(&self, colour: Colour, out: &mut Shapes) {
        for (place, part) in self.parts.iter().enumerate() {
            let Some(bounds) = part.bounds() else {
                continue;
            };
            if part.is_rectangle() {
                let (width, height) = (bounds.width(), bounds.height());
                if width <= THIN
                    && height <= THIN
                    && width.greater(height) < 2.0 * width.lesser(height)
                {
                    // A dot.
                    continue;
                }
                if height <= THIN && height <= width {
                    out.rules.push(Rule {
                        horizontal: true,
                        start: bounds.x0,
                        end: bounds.x1,
                        at: f32::midpoint(bounds.y0, bounds.y1),
                        thickness: height,
                        colour,
                    });
                } else if width <= THIN {
                    out.rules.push(Rule {
                        horizontal: false,
                        start: bounds.y0,
                        end: bounds.y1,
                        at: f32::midpoint(bounds.x0, bounds.x1),
                        thickness: width,
                        colour,
                    });
                } else {
                    out.fills.push((bounds, self.is_apart(place, &bounds)));
                }
            } else if part.points.len() > 2 {
                out.others.push((bounds, self.inside()));
            }
        }
    }

    /// Draws the lines of the path.
    pub fn stroke(&self, colour: Colour, thickness: f32, out: &mut Shapes) {
        if thickness > 2.0 * THIN {
            // A thick line is a filled rectangle.
            for part in &self.parts {
                if let (Some(bounds), [_, _]) = (part.bounds(), part.points.as_slice()) {
                    let half = thickness / 2.0;
                    let (wide, high) = (
                        bounds.width() > bounds.height(),
                        bounds.width() < bounds.height(),
                    );
                    let rect = Rect {
                        x0: bounds.x0 - if high { half } else { 0.0 },
                        x1: bounds.x1 + if high { half } else { 0.0 },
                        y0: bounds.y0 - if wide { half } else { 0.0 },
                        y1: bounds.y1 + if wide { half } else { 0.0 },
                    };
                    out.fills.push((rect, false));
                }
            }
            return;
        }
        for part in &self.parts {
            if part.curved && part.points.len() < 6 {
                continue;
            }
            let first = part.points.first().copied();
            let back = first.filter(|_| part.closed && part.points.len() > 2);
            let ends = part.points.iter().copied().skip(1).chain(back);
            for (from, to) in part.points.iter().copied().zip(ends) {
                out.rules.extend(rule(from, to, colour, thickness));
            }
        }
    }
}

fn rule(from: (f32, f32), to: (f32, f32), colour: Colour, thickness: f32) -> Option<Rule> {
    let bounds = Rect::of(from, to);
    let (width, height) = (bounds.width(), bounds.height());
    let horizontal = height <= (width * STRAIGHT).greater(0.01);
    let vertical = width <= (height * STRAIGHT).greater(0.01);
    if width.greater(height) < 0.5 || horizontal == vertical {
        return None;
    }
    let middle = (
        f32::midpoint(bounds.x0, bounds.x1),
        f32::midpoint(bounds.y0, bounds.y1),
    );
    let (start, end, at) = if horizontal {
        (bounds.x0, bounds.x1, middle.1)
    } else {
        (bounds.y0, bounds.y1, middle.0)
    };
    Some(Rule {
        horizontal,
        start,
        end,
        at,
        thickness,
        colour,
    })
}

impl Part {
    /// The corners of the part, with points on its curves.
    fn outline(&self) -> Vec<(f32, f32)> {
        let mut curves = self.curves.iter().peekable();
        let mut out: Vec<(f32, f32)> = Vec::with_capacity(self.points.len());
        for (place, &end) in self.points.iter().enumerate() {
            if let (Some((_, [first, second])), Some(&start)) =
                (curves.next_if(|it| it.0 == place), out.last())
            {
                out.extend(convex::curve([start, *first, *second, end]));
            }
            out.push(end);
        }
        out
    }

    fn bounds(&self) -> Option<Rect> {
        let points = self.points.iter().map(|&point| Rect::of(point, point));
        points.reduce(|all, one| all.around(&one))
    }

    /// Whether it is a rectangle with horizontal and vertical sides.
    fn is_rectangle(&self) -> bool {
        if self.curved {
            return false;
        }
        let mut points = self.points.as_slice();
        if let [first, _, _, _, last] = points
            && near(*first, *last)
        {
            points = points.get(..4).unwrap_or_default();
        }
        let [a, b, c, d] = points else { return false };
        let level = |p: &(f32, f32), q: &(f32, f32)| (p.1 - q.1).abs() < 0.1;
        let upright = |p: &(f32, f32), q: &(f32, f32)| (p.0 - q.0).abs() < 0.1;
        level(a, b) && upright(b, c) && level(c, d) && upright(d, a)
            || upright(a, b) && level(b, c) && upright(c, d) && level(d, a)
    }
}

fn near(a: (f32, f32), b: (f32, f32)) -> bool {
    (a.0 - b.0).abs() < 0.1 && (a.1 - b.1).abs() < 0.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_are_lines_or_areas() {
        let mut path = Path::default();
        path.rectangle(Matrix::IDENTITY, (10.0, 20.0), (100.0, 0.5));
        path.rectangle(Matrix::IDENTITY, (10.0, 20.0), (100.0, 40.0));
        path.rectangle(Matrix::IDENTITY, (10.0, 20.0), (1.0, 40.0));
        path.start((0.0, 0.0));
        path.line((5.0, 9.0), false);
        path.line((9.0, 0.0), false);
        let mut out = Shapes::default();
        path.fill(Colour::BLACK, &mut out);
        assert_eq!(out.rules.len(), 2);
        assert!(out.rules[0].horizontal && !out.rules[1].horizontal);
        assert!((out.rules[0].at - 20.25).abs() < 1e-4);
        assert_eq!(
            out.fills,
            [(
                Rect {
                    x0: 10.0,
                    y0: 20.0,
                    x1: 110.0,
                    y1: 60.0
                },
                false
            )]
        );
        assert_eq!(out.others.len(), 1);
    }

    #[test]
    fn strokes_are_lines() {
        let mut path = Path::default();
        path.rectangle(Matrix::IDENTITY, (0.0, 0.0), (100.0, 40.0));
        path.start((0.0, 0.0));
        path.line((50.0, 50.0), false);
        let mut out = Shapes::default();
        path.stroke(Colour::BLACK, 1.0, &mut out);
        assert_eq!(out.rules.len(), 4);
        for _ in 0..2 * limits::PATH_POINTS {
            path.line((1.0, 1.0), true);
        }
        assert!(path.points <= limits::PATH_POINTS);
    }
}
