//! Rectangles that are inside of convex shapes, such as discs and boxes with round corners.

use crate::extremes::Extremes as _;
use crate::page::Rect;

/// The number of points on a curve. The lines between them are at most 0.5 % of the radius off.
const STEPS: u8 = 8;

/// The heights of the rectangles, as parts of the height of the shape. Flat ones reach farther to the sides.
const HEIGHTS: [f32; 4] = [0.97, 0.85, 0.7, 0.4];

/// The largest sine of an angle between lines that does not count as a turn.
const STRAIGHT: f32 = 1e-3;

type Point = (f32, f32);

/// The points on a cubic curve between its ends. The points are start, two control points and end.
pub fn curve([start, first, second, end]: [Point; 4]) -> impl Iterator<Item = Point> {
    (1..STEPS).map(move |step| {
        let t = f32::from(step) / f32::from(STEPS);
        let u = 1.0 - t;
        let mix = |a: f32, b: f32, c: f32, d: f32| {
            u * u * u * a + 3.0 * u * u * t * b + 3.0 * u * t * t * c + t * t * t * d
        };
        (
            mix(start.0, first.0, second.0, end.0),
            mix(start.1, first.1, second.1, end.1),
        )
    })
}

/// Rectangles inside of a polygon. Empty if it is not convex.
pub fn inside(points: &[Point]) -> Vec<Rect> {
    let mut corners: Vec<Point> = points.to_vec();
    corners.dedup_by(|a, b| is_near(*a, *b));
    if let (Some(first), Some(last)) = (corners.first(), corners.last())
        && corners.len() > 1
        && is_near(*first, *last)
    {
        corners.pop();
    }
    if !is_convex(&corners) {
        return Vec::new();
    }
    let low = corners.iter().map(|it| it.1).fold(f32::MAX, f32::lesser);
    let high = corners.iter().map(|it| it.1).fold(f32::MIN, f32::greater);
    let (middle, half) = (f32::midpoint(low, high), 0.5 * (high - low));
    let rect = |part: &f32| {
        let (y0, y1) = (middle - part * half, middle + part * half);
        let (upper, lower) = (extent(&corners, y0)?, extent(&corners, y1)?);
        let (x0, x1) = (upper.0.greater(lower.0), upper.1.lesser(lower.1));
        (x0 < x1).then_some(Rect { x0, y0, x1, y1 })
    };
    HEIGHTS.iter().filter_map(rect).collect()
}

fn is_near(a: Point, b: Point) -> bool {
    (a.0 - b.0).abs() < 1e-3 && (a.1 - b.1).abs() < 1e-3
}

/// The sides of a polygon.
fn sides(corners: &[Point]) -> impl Iterator<Item = (Point, Point)> + '_ {
    let next = corners.iter().skip(1).chain(corners.first());
    corners.iter().copied().zip(next.copied())
}

/// Whether all corners turn to one side, and the sides go around once.
fn is_convex(corners: &[Point]) -> bool {
    if corners.len() < 3 {
        return false;
    }
    let sides: Vec<Point> = sides(corners)
        .map(|(a, b)| (b.0 - a.0, b.1 - a.1))
        .collect();
    let (mut left, mut right, mut turn) = (false, false, 0.0_f32);
    let next = sides.iter().skip(1).chain(sides.first());
    for (a, b) in sides.iter().zip(next) {
        let cross = a.0 * b.1 - a.1 * b.0;
        let along = a.0 * b.0 + a.1 * b.1;
        let angle = cross.atan2(along);
        left |= angle < -STRAIGHT;
        right |= angle > STRAIGHT;
        turn += angle;
    }
    left != right && (turn.abs() - std::f32::consts::TAU).abs() < 0.1
}

/// The left and the right end of a convex polygon at a height.
fn extent(corners: &[Point], y: f32) -> Option<(f32, f32)> {
    let mut out: Option<(f32, f32)> = None;
    for (a, b) in sides(corners) {
        if (a.1 - y) * (b.1 - y) > 0.0 || (a.1 - b.1).abs() < 1e-6 {
            continue;
        }
        let x = a.0 + (b.0 - a.0) * (y - a.1) / (b.1 - a.1);
        out = Some(out.map_or((x, x), |it| (it.0.lesser(x), it.1.greater(x))));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A disc from four curves, as programs draw it.
    fn disc(radius: f32) -> Vec<Point> {
        let c = 0.5523 * radius;
        let quarters = [
            [(radius, 0.0), (radius, c), (c, radius), (0.0, radius)],
            [(0.0, radius), (-c, radius), (-radius, c), (-radius, 0.0)],
            [(-radius, 0.0), (-radius, -c), (-c, -radius), (0.0, -radius)],
            [(0.0, -radius), (c, -radius), (radius, -c), (radius, 0.0)],
        ];
        let mut out = Vec::new();
        for quarter in quarters {
            out.push(quarter[0]);
            out.extend(curve(quarter));
        }
        out
    }

    #[test]
    fn rectangles_are_inside_of_a_disc() {
        let found = inside(&disc(50.0));
        assert_eq!(found.len(), HEIGHTS.len());
        for rect in &found {
            assert!(rect.x0.hypot(rect.y0) < 50.1 && rect.x1.hypot(rect.y1) < 50.1);
        }
        assert!(found[3].width() > 85.0);
    }

    #[test]
    fn other_shapes_have_none() {
        let arrow = [(0.0, 0.0), (10.0, 5.0), (0.0, 10.0), (4.0, 5.0)];
        assert!(inside(&arrow).is_empty());
        // A star goes around twice.
        let star: Vec<Point> = (0..5_u8)
            .map(|it| (f32::from(it) * 0.8 * std::f32::consts::PI).sin_cos())
            .collect();
        assert!(inside(&star).is_empty());
        assert!(inside(&[(0.0, 0.0), (f32::NAN, 1.0), (2.0, 0.0)]).is_empty());
    }
}
