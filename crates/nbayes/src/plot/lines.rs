//! Lines on their way to the paper: cut off at the edge, and broken into dashes.

use super::shapes::{Colour, Point, Rectangle, Shape, WHITE};

/// The parts of a line that lie in a rectangle. Liang and Barsky, *A New Concept and Method for Line Clipping* (1984).
pub(crate) fn clip(points: &[Point], area: &Rectangle) -> Vec<Vec<Point>> {
    let mut parts: Vec<Vec<Point>> = Vec::new();
    for ends in points.windows(2) {
        let Some((from, to)) = clip_segment(ends[0], ends[1], area) else { continue };
        match parts.last_mut() {
            Some(part) if part.last() == Some(&from) => part.push(to),
            _ => parts.push(vec![from, to]),
        }
    }
    parts
}

fn clip_segment(a: Point, b: Point, area: &Rectangle) -> Option<(Point, Point)> {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for (towards, distance) in
        [(-dx, a.0 - area.left), (dx, area.right - a.0), (-dy, a.1 - area.top), (dy, area.bottom - a.1)]
    {
        if towards == 0.0 {
            if distance < 0.0 {
                return None;
            }
        } else if towards < 0.0 {
            enter = enter.max(distance / towards);
        } else {
            leave = leave.min(distance / towards);
        }
    }
    let at = |t: f64| match t {
        0.0 => a,
        1.0 => b,
        t => (a.0 + t * dx, a.1 + t * dy),
    };
    (enter < leave).then(|| (at(enter), at(leave)))
}

/// Arrows at the upper and the lower edge, where a line goes on beyond it: one for every part of the line that does.
pub(crate) fn beyond(points: &[Point], area: &Rectangle, colour: Colour) -> Vec<Shape> {
    let side = |&(x, y): &Point| match y {
        _ if !(area.left..=area.right).contains(&x) => 0,
        y if y < area.top - 0.5 => -1,
        y if y > area.bottom + 0.5 => 1,
        _ => 0,
    };
    let parts = points.chunk_by(|a, b| side(a) == side(b)).filter(|part| side(&part[0]) != 0);
    parts.flat_map(|part| arrow(part, side(&part[0]), area, colour)).collect()
}

/// An arrow at the middle of a part of a line that is above (-1) or below (1) an area.
fn arrow(part: &[Point], side: i32, area: &Rectangle, colour: Colour) -> [Shape; 2] {
    const SIZE: f64 = 5.0;
    let (first, last) = (part[0].0, part[part.len() - 1].0);
    let x = f64::midpoint(first, last).clamp(area.left + SIZE, area.right - SIZE);
    let (tip, towards) = (if side < 0 { area.top } else { area.bottom }, f64::from(-side));
    let corners = |size: f64, tip: f64| {
        vec![(x, tip), (x - size, tip + 1.6 * size * towards), (x + size, tip + 1.6 * size * towards)]
    };
    [
        Shape::Polygon { corners: corners(SIZE + 1.5, tip), colour: WHITE, opacity: 1.0 },
        Shape::Polygon { corners: corners(SIZE, tip + 1.5 * towards), colour, opacity: 1.0 },
    ]
}

/// A line in dashes: lengths of strokes and of the gaps after them, in turn. Without any it stays whole.
pub(crate) fn dashed(points: &[Point], dashes: &[f64]) -> Vec<Vec<Point>> {
    if dashes.is_empty() {
        return vec![points.to_vec()];
    }
    let mut strokes = Vec::new();
    let (mut index, mut left) = (0, dashes[0]);
    let mut current: Vec<Point> = points.first().copied().into_iter().collect();
    for ends in points.windows(2) {
        let ((x, y), (to_x, to_y)) = (ends[0], ends[1]);
        let length = (to_x - x).hypot(to_y - y);
        let mut done = 0.0;
        while length - done > left {
            done += left;
            let here = (x + (to_x - x) * done / length, y + (to_y - y) * done / length);
            if index % 2 == 0 {
                current.push(here);
                strokes.push(std::mem::take(&mut current));
            } else {
                current = vec![here];
            }
            index = (index + 1) % dashes.len();
            left = dashes[index];
        }
        left -= length - done;
        if index % 2 == 0 {
            current.push((to_x, to_y));
        }
    }
    if current.len() > 1 {
        strokes.push(current);
    }
    strokes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_the_edge() {
        let area = Rectangle { left: 0.0, top: 0.0, right: 10.0, bottom: 10.0 };
        let line = [(-5.0, 5.0), (5.0, 5.0), (5.0, 15.0), (8.0, 15.0), (8.0, 5.0)];
        assert_eq!(
            clip(&line, &area),
            [vec![(0.0, 5.0), (5.0, 5.0), (5.0, 10.0)], vec![(8.0, 10.0), (8.0, 5.0)]]
        );
        assert!(clip(&[(-1.0, -1.0), (-1.0, 20.0)], &area).is_empty());
    }

    #[test]
    fn arrows_are_where_a_line_goes_on() {
        let area = Rectangle { left: 0.0, top: 0.0, right: 100.0, bottom: 100.0 };
        let line = [(10.0, 50.0), (20.0, -5.0), (30.0, -9.0), (40.0, 50.0), (50.0, 300.0), (200.0, 900.0)];
        let arrows = beyond(&line, &area, Colour(1, 2, 3));
        let tips: Vec<Point> = arrows
            .iter()
            .filter_map(|shape| match shape {
                Shape::Polygon { corners, colour, .. } if *colour != WHITE => Some(corners[0]),
                _ => None,
            })
            .collect();
        assert_eq!(tips, [(25.0, 1.5), (50.0, 98.5)]);
        assert!(beyond(&line[..1], &area, WHITE).is_empty());
    }

    #[test]
    fn dashes_go_round_corners() {
        let line = [(0.0, 0.0), (5.0, 0.0), (5.0, 5.0)];
        let strokes = dashed(&line, &[3.0, 1.0]);
        assert_eq!(
            strokes,
            [
                vec![(0.0, 0.0), (3.0, 0.0)],
                vec![(4.0, 0.0), (5.0, 0.0), (5.0, 2.0)],
                vec![(5.0, 3.0), (5.0, 5.0)],
            ]
        );
        assert_eq!(dashed(&line, &[]), [line.to_vec()]);
    }
}
