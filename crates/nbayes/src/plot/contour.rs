//! Marching squares: the lines where a function, known at the nodes of a grid, is zero.
//!
//! After Lorensen and Cline, *Marching Cubes* (1987), in two dimensions. On an edge between a positive and
//! another node the zero is where a straight line between the two values has it, so that what is smooth looks
//! smooth. Lines run so that what is positive lies on their right, if the second axis points down.

/// A place in units of two axes.
pub(crate) type Point = (f64, f64);

/// A line of zeros.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Contour {
    /// A closed line ends where it starts.
    pub(crate) points: Vec<Point>,
}

impl Contour {
    /// The area that a closed line encloses; negative if it is a hole in what is positive.
    pub(crate) fn area(&self) -> f64 {
        // Seen from one of its points: far from zero the products would drown what they differ by.
        let Some(&(x, y)) = self.points.first() else { return 0.0 };
        let cross = |pair: &[Point]| (pair[0].0 - x) * (pair[1].1 - y) - (pair[1].0 - x) * (pair[0].1 - y);
        0.5 * self.points.windows(2).map(cross).sum::<f64>()
    }
}

/// The lines of zeros of a function of the numbers of two nodes, which lie at `xs` and `ys`. Its values are
/// finite; zero does not count as positive.
pub(crate) fn contours(xs: &[f64], ys: &[f64], value: impl Fn(usize, usize) -> f64) -> Vec<Contour> {
    let links = Links::new(xs.len(), ys.len(), &value);
    let node = |(i, j): (usize, usize)| (xs[i], ys[j], value(i, j));
    let point = |edge: usize| {
        let (from, to) = links.ends(edge);
        let ((x, y, v), (to_x, to_y, to_v)) = (node(from), node(to));
        let t = v / (v - to_v);
        (x + t * (to_x - x), y + t * (to_y - y))
    };
    links
        .chains()
        .into_iter()
        .map(|chain| Contour { points: chain.into_iter().map(point).collect() })
        .collect()
}

/// The borders of what is positive, all closed: outside of the grid nothing is.
pub(crate) fn borders(xs: &[f64], ys: &[f64], value: impl Fn(usize, usize) -> f64) -> Vec<Contour> {
    // A frame of nodes of no width, so that borders run along the edge of the grid.
    let framed =
        |at: &[f64]| -> Vec<f64> { at.first().into_iter().chain(at).chain(at.last()).copied().collect() };
    let inside = |i: usize, n: usize| (1..=n).contains(&i);
    contours(&framed(xs), &framed(ys), |i, j| {
        if inside(i, xs.len()) && inside(j, ys.len()) { value(i - 1, j - 1) } else { -1.0 }
    })
}

/// Which edge of the grid a line goes to from which.
struct Links {
    width: usize,
    next: Vec<Option<usize>>,
}

impl Links {
    fn new(width: usize, height: usize, value: &impl Fn(usize, usize) -> f64) -> Self {
        let mut links = Self { width, next: vec![None; 2 * width * height] };
        for j in 0..height.saturating_sub(1) {
            for i in 0..width.saturating_sub(1) {
                // Once around the cell.
                let corners = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)].map(|(i, j)| value(i, j));
                let edges =
                    [links.right(i, j), links.down(i + 1, j), links.right(i, j + 1), links.down(i, j)];
                links.cross(corners, edges);
            }
        }
        links
    }

    /// The edge from a node to the one on its right.
    fn right(&self, i: usize, j: usize) -> usize {
        2 * (j * self.width + i)
    }

    /// The edge from a node to the one below.
    fn down(&self, i: usize, j: usize) -> usize {
        2 * (j * self.width + i) + 1
    }

    fn ends(&self, edge: usize) -> ((usize, usize), (usize, usize)) {
        let (i, j) = (edge / 2 % self.width, edge / 2 / self.width);
        ((i, j), if edge.is_multiple_of(2) { (i + 1, j) } else { (i, j + 1) })
    }

    /// Links the edges of a cell: a line comes in where the walk around the cell leaves what is positive, and
    /// goes out where it comes back, at the next edge or, if what is positive does not hang together in
    /// the cell, at the last.
    fn cross(&mut self, corners: [f64; 4], edges: [usize; 4]) {
        let positive = corners.map(|value| value > 0.0);
        let leaves = |k: usize| positive[k] && !positive[(k + 1) % 4];
        let returns = |k: usize| !positive[k] && positive[(k + 1) % 4];
        let hangs_together = corners.iter().sum::<f64>() > 0.0;
        for k in (0..4).filter(|&k| leaves(k)) {
            let mut ahead = (1..4).map(|step| (k + step) % 4).filter(|&k| returns(k));
            let to = if hangs_together { ahead.next() } else { ahead.next_back() };
            self.next[edges[k]] = to.map(|to| edges[to]);
        }
    }

    /// The edges of each line, in order; those of a closed one end with the first.
    fn chains(&self) -> Vec<Vec<usize>> {
        let mut is_end = vec![false; self.next.len()];
        self.next.iter().flatten().for_each(|&edge| is_end[edge] = true);
        let mut next = self.next.clone();
        let starts = (0..next.len()).filter(|&edge| next[edge].is_some());
        // Open lines from their start; what is left are closed ones.
        let (inner, open): (Vec<_>, Vec<_>) = starts.partition(|&edge| is_end[edge]);
        let mut chains = Vec::new();
        for start in open.into_iter().chain(inner) {
            let mut chain = vec![start];
            let mut edge = start;
            while let Some(to) = next[edge].take() {
                chain.push(to);
                edge = to;
            }
            if chain.len() > 1 {
                chains.push(chain);
            }
        }
        chains
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;

    impl Contour {
        fn is_closed(&self) -> bool {
            self.points.len() > 2 && self.points.first() == self.points.last()
        }
    }

    fn length(contour: &Contour) -> f64 {
        contour.points.windows(2).map(|pair| (pair[1].0 - pair[0].0).hypot(pair[1].1 - pair[0].1)).sum()
    }

    fn nodes(n: usize, low: f64, high: f64) -> Vec<f64> {
        (0..n).map(|i| low + (high - low) * i as f64 / (n - 1) as f64).collect()
    }

    #[test]
    fn a_circle_is_closed_and_round() {
        let (xs, ys) = (nodes(81, -2.0, 2.0), nodes(61, -1.5, 1.5));
        let found = contours(&xs, &ys, |i, j| 1.0 - xs[i].powi(2) - ys[j].powi(2));
        assert_eq!(found.len(), 1);
        let circle = &found[0];
        assert!(circle.is_closed());
        assert!((length(circle) / (2.0 * PI) - 1.0).abs() < 2e-3, "{}", length(circle));
        assert!((circle.area() / PI - 1.0).abs() < 2e-3, "{}", circle.area());
        assert!(circle.points.iter().all(|&(x, y)| (x.hypot(y) - 1.0).abs() < 1e-3));
        // The same circle as a hole.
        let found = contours(&xs, &ys, |i, j| xs[i].powi(2) + ys[j].powi(2) - 1.0);
        assert!((found[0].area() / PI + 1.0).abs() < 2e-3);
    }

    #[test]
    fn lines_end_at_the_edge_of_the_grid_and_borders_follow_it() {
        let at = nodes(11, 0.0, 1.0);
        let value = |i: usize, _: usize| 0.33 - at[i];
        let found = contours(&at, &at, value);
        assert_eq!(found.len(), 1);
        assert!(!found[0].is_closed());
        assert!(found[0].points.iter().all(|point| (point.0 - 0.33).abs() < 1e-12));
        assert!((length(&found[0]) - 1.0).abs() < 1e-12);
        let found = borders(&at, &at, value);
        assert!(found.len() == 1 && found[0].is_closed());
        assert!((found[0].area() - 0.33).abs() < 1e-12);
        assert!((length(&found[0]) - 2.66).abs() < 1e-12);
    }

    #[test]
    fn borders_of_what_is_positive_and_of_the_rest_share_the_area() {
        let at = nodes(24, 0.0, 1.0);
        let value = |i: usize, j: usize| ((9.0 * at[i]).sin() * (7.0 * at[j]).cos()) + 0.1;
        let area = |sign: f64| -> f64 {
            let found = borders(&at, &at, |i, j| sign * value(i, j));
            assert!(found.iter().all(Contour::is_closed));
            found.iter().map(Contour::area).sum()
        };
        assert!((area(1.0) + area(-1.0) - 1.0).abs() < 1e-9, "{} {}", area(1.0), area(-1.0));
    }

    #[test]
    fn areas_far_from_zero_are_areas() {
        let far = nodes(9, 1e9, 1e9 + 1.0);
        let found = borders(&far, &far, |_, _| 1.0);
        assert!((found[0].area() - 1.0).abs() < 1e-6, "{}", found[0].area());
    }

    #[test]
    fn a_saddle_is_parted_as_its_middle_says() {
        let corners = |sign: f64, middle: f64| {
            contours(&[0.0, 1.0], &[0.0, 1.0], move |i, j| if i == j { sign } else { -middle * sign })
        };
        for contour in corners(1.0, 0.5) {
            // What is positive hangs together: the lines cut off the other corners.
            let &[(x, y), ..] = &contour.points[..] else { panic!() };
            let (to_x, to_y) = contour.points[1];
            assert!((x - to_x) * (y - to_y) > 0.0, "{contour:?}");
        }
        assert_eq!(corners(1.0, 0.5).len(), 2);
    }
}
