//! Lines cut off at the edge of a frame.

use super::canvas::Place;

/// A rectangle: its left, upper, right and lower end.
pub(super) type Edges = [f64; 4];

/// The parts of a line that lie in a rectangle. Liang and Barsky, *A New Concept and Method for Line
/// Clipping* (1984).
pub(super) fn clip(points: &[Place], area: Edges) -> Vec<Vec<Place>> {
    let mut parts: Vec<Vec<Place>> = Vec::new();
    for ends in points.windows(2) {
        let Some((from, to)) = clip_segment(ends[0], ends[1], area) else { continue };
        match parts.last_mut() {
            Some(part) if part.last() == Some(&from) => part.push(to),
            _ => parts.push(vec![from, to]),
        }
    }
    parts
}

fn clip_segment(a: Place, b: Place, [left, top, right, bottom]: Edges) -> Option<(Place, Place)> {
    let (dx, dy) = (b.0 - a.0, b.1 - a.1);
    let (mut enter, mut leave) = (0.0_f64, 1.0_f64);
    for (towards, distance) in [(-dx, a.0 - left), (dx, right - a.0), (-dy, a.1 - top), (dy, bottom - a.1)] {
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

/// Arrows at the upper and the lower edge, where a line goes on beyond it: one for every part of the line
/// that does.
pub(super) fn arrows(points: &[Place], area: Edges) -> Vec<[Place; 3]> {
    let [left, top, right, bottom] = area;
    let side = |&(x, y): &Place| match y {
        _ if !(left..=right).contains(&x) => 0,
        y if y < top - 0.5 => -1,
        y if y > bottom + 0.5 => 1,
        _ => 0,
    };
    let parts = points.chunk_by(|a, b| side(a) == side(b)).filter(|part| side(&part[0]) != 0);
    parts.map(|part| arrow(part, side(&part[0]), area)).collect()
}

/// An arrow at the middle of a part of a line that is above (-1) or below (1) an area.
fn arrow(part: &[Place], side: i32, [left, top, right, bottom]: Edges) -> [Place; 3] {
    const SIZE: f64 = 5.0;
    let x = f64::midpoint(part[0].0, part[part.len() - 1].0).clamp(left + SIZE, right - SIZE);
    let (edge, inward) = (if side < 0 { top } else { bottom }, f64::from(-side));
    let (tip, base) = (edge + 1.5 * inward, edge + (1.5 + 1.6 * SIZE) * inward);
    [(x, tip), (x - SIZE, base), (x + SIZE, base)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_at_the_edge() {
        let area = [0.0, 0.0, 10.0, 10.0];
        let line = [(-5.0, 5.0), (5.0, 5.0), (5.0, 15.0), (8.0, 15.0), (8.0, 5.0)];
        assert_eq!(
            clip(&line, area),
            [vec![(0.0, 5.0), (5.0, 5.0), (5.0, 10.0)], vec![(8.0, 10.0), (8.0, 5.0)]]
        );
        assert!(clip(&[(-1.0, -1.0), (-1.0, 20.0)], area).is_empty());
    }

    #[test]
    fn arrows_are_where_a_line_goes_on() {
        let area = [0.0, 0.0, 100.0, 100.0];
        let line = [(10.0, 50.0), (20.0, -5.0), (30.0, -9.0), (40.0, 50.0), (50.0, 300.0), (200.0, 900.0)];
        let tips: Vec<Place> = arrows(&line, area).iter().map(|arrow| arrow[0]).collect();
        assert_eq!(tips, [(25.0, 1.5), (50.0, 98.5)]);
        assert!(arrows(&line[..1], area).is_empty());
    }
}
