//! Diagrams of average ranks drawn.

use super::{
    Drawing, Panel,
    canvas::{Anchor, Canvas, LONGEST, shortened, text_width},
    exact,
    frame::FONT,
    named,
    scale::has_place,
};
use crate::{CriticalDifference, Scale, Side};

const ROW: f64 = 20.0;

pub(super) fn draw(diagram: &CriticalDifference, label: &str) -> Drawing {
    let mut order: Vec<usize> =
        (0..diagram.ranks.len()).filter(|&i| has_place(Scale::Linear, diagram.ranks[i].1)).collect();
    let n_omitted = diagram.ranks.len() - order.len();
    // From the end of the axis where the best is.
    order.sort_by(|&a, &b| diagram.ranks[a].1.total_cmp(&diagram.ranks[b].1));
    let layout = Layout::new(diagram, &order);

    let mut canvas = Canvas::new();
    layout.axis(&mut canvas);
    if let Some(difference) = diagram.difference.filter(|&value| value > 0.0) {
        layout.difference(&mut canvas, difference);
    }
    layout.methods(&mut canvas, &order);
    layout.groups(&mut canvas);
    let drawn = canvas.finish(layout.width, layout.height, label);
    Drawing {
        pictures: vec![Panel { title: String::new(), drawn }],
        columns: 1,
        n_omitted,
        ..Drawing::default()
    }
}

/// Where everything lies.
struct Layout<'a> {
    diagram: &'a CriticalDifference,
    /// The axis.
    left: f64,
    right: f64,
    axis: f64,
    /// Its ends.
    low: f64,
    high: f64,
    /// Groups with their level, the uppermost being 0.
    levels: Vec<(usize, Vec<usize>)>,
    n_levels: usize,
    widest_number: f64,
    width: f64,
    height: f64,
}

impl<'a> Layout<'a> {
    fn new(diagram: &'a CriticalDifference, order: &[usize]) -> Self {
        let ranks = || order.iter().map(|&i| diagram.ranks[i].1);
        let low = ranks().fold(1.0, f64::min).floor();
        let high = ranks().fold(diagram.ranks.len() as f64, f64::max).max(low + 1.0).ceil();
        let names = diagram.ranks.iter().map(|(name, _)| text_width(name, FONT)).fold(0.0, f64::max);
        let widest_number = ranks().map(|rank| text_width(&format!("{rank:.2}"), FONT)).fold(0.0, f64::max);
        let margin = names.min(LONGEST) + 24.0 + widest_number;
        let width = (2.0 * margin + 320.0).max(680.0);
        let levels = levels(diagram);
        let n_levels = levels.iter().map(|(level, _)| level + 1).max().unwrap_or(0);
        let axis = if diagram.difference.is_some() { 62.0 } else { 30.0 };
        let rows = order.len().div_ceil(2) as f64;
        let height = axis + 8.0 + 9.0 * n_levels as f64 + ROW * rows + 14.0;
        Self {
            diagram,
            left: margin,
            right: width - margin,
            axis,
            low,
            high,
            levels,
            n_levels,
            widest_number,
            width,
            height,
        }
    }

    fn x_of(&self, rank: f64) -> f64 {
        let share = (rank - self.low) / (self.high - self.low);
        match self.diagram.best {
            Side::Left => self.left + share * (self.right - self.left),
            Side::Right => self.right - share * (self.right - self.left),
        }
    }

    fn axis(&self, canvas: &mut Canvas) {
        canvas.line("axis", (self.left, self.axis), (self.right, self.axis));
        let stride = ((self.high - self.low) / 14.0).ceil().max(1.0);
        let mut rank = self.low;
        while rank <= self.high {
            let x = self.x_of(rank);
            canvas.line("axis", (x, self.axis - 6.0), (x, self.axis));
            canvas.text("", (x, self.axis - 10.0), Anchor::Middle, &format!("{rank:.0}"));
            if stride == 1.0 && rank < self.high {
                let between = self.x_of(rank + 0.5);
                canvas.line("tick", (between, self.axis - 3.5), (between, self.axis));
            }
            rank += stride;
        }
    }

    /// The critical difference as a bar above the end of the axis at the left; with few data sets it can be
    /// longer than the axis, and is a text alone.
    fn difference(&self, canvas: &mut Canvas, difference: f64) {
        let length = difference / (self.high - self.low);
        let text = format!("CD = {difference:.2}");
        if length > 1.0 {
            let text = format!("{text}, more than the whole axis");
            return canvas.text("", (self.left, 16.0), Anchor::Start, &text);
        }
        let end = self.left + length * (self.right - self.left);
        let y = 24.0;
        let words = [named("critical difference", &exact(difference))];
        canvas.mark("difference", &words, |canvas| {
            canvas.line("extent", (self.left, y), (end, y));
            canvas.line("extent", (self.left, y - 4.0), (self.left, y + 4.0));
            canvas.line("extent", (end, y - 4.0), (end, y + 4.0));
            let middle = f64::midpoint(self.left, end).max(text_width(&text, FONT) / 2.0 + 2.0);
            canvas.text("", (middle, y - 8.0), Anchor::Middle, &text);
        });
    }

    /// Names at both sides, each with a line from its rank; the halves of the ranks that are nearer to a side
    /// have their names there, the outermost uppermost, so that no lines cross.
    fn methods(&self, canvas: &mut Canvas, order: &[usize]) {
        let first_row = self.axis + 20.0 + 9.0 * self.n_levels as f64;
        let n_best = order.len().div_ceil(2);
        for (place, &i) in order.iter().enumerate() {
            let (name, rank) = &self.diagram.ranks[i];
            let (row, side) = if place < n_best {
                (place, self.diagram.best)
            } else {
                (
                    order.len() - 1 - place,
                    if self.diagram.best == Side::Left { Side::Right } else { Side::Left },
                )
            };
            let (x, y) = (self.x_of(*rank), first_row + ROW * row as f64);
            let (end, anchor, inward) = match side {
                Side::Left => (self.left - 12.0, Anchor::End, Anchor::Start),
                Side::Right => (self.right + 12.0, Anchor::Start, Anchor::End),
            };
            let away = if side == Side::Left { -1.0 } else { 1.0 };
            let words = [name.clone(), named("average rank", &exact(*rank))];
            canvas.mark("method", &words, |canvas| {
                canvas.path("leader", &[(x, self.axis), (x, y), (end, y)], false);
                canvas.shape("knot", super::series_style::SeriesStyle::of(0).marker((x, self.axis), 22.0));
                let number = format!("{rank:.2}");
                let beyond = self.widest_number + 5.0;
                canvas.text("rank", (end + away * beyond, y + 4.0), inward, &number);
                canvas.text(
                    "",
                    (end + away * (beyond + 6.0), y + 4.0),
                    anchor,
                    &shortened(name, LONGEST, FONT),
                );
            });
        }
    }

    fn groups(&self, canvas: &mut Canvas) {
        for (level, group) in &self.levels {
            let (low, high) = ends(self.diagram, group);
            let y = self.axis + 11.0 + 9.0 * *level as f64;
            let (a, b) = (self.x_of(low), self.x_of(high));
            let names: Vec<&str> = group.iter().map(|&i| self.diagram.ranks[i].0.as_str()).collect();
            let words = ["no significant difference:".to_string(), names.join(", ")];
            canvas.mark("group", &words, |canvas| {
                canvas.line("joined", (a.min(b) - 4.0, y), (a.max(b) + 4.0, y));
            });
        }
    }
}

/// The least and the largest rank of a group.
fn ends(diagram: &CriticalDifference, group: &[usize]) -> (f64, f64) {
    let ranks = || group.iter().map(|&i| diagram.ranks[i].1);
    (ranks().fold(f64::INFINITY, f64::min), ranks().fold(f64::NEG_INFINITY, f64::max))
}

/// Groups of two methods or more, each on the uppermost level where it touches no other.
fn levels(diagram: &CriticalDifference) -> Vec<(usize, Vec<usize>)> {
    let is_drawn = |i: &&usize| has_place(Scale::Linear, diagram.ranks[**i].1);
    let groups = diagram.groups.iter().map(|group| group.iter().filter(is_drawn).copied().collect());
    let mut groups: Vec<Vec<usize>> = groups.filter(|group: &Vec<usize>| group.len() > 1).collect();
    groups.sort_by(|a, b| ends(diagram, a).0.total_cmp(&ends(diagram, b).0));
    let mut taken: Vec<f64> = Vec::new();
    let mut placed = Vec::new();
    let air = 0.03 * diagram.ranks.len() as f64;
    for group in groups {
        let (low, high) = ends(diagram, &group);
        let level = taken.iter().position(|&end| end + air < low).unwrap_or(taken.len());
        if level == taken.len() {
            taken.push(high);
        } else {
            taken[level] = high;
        }
        placed.push((level, group));
    }
    placed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_share_levels_where_they_do_not_touch() {
        let ranks = [1.0, 1.4, 1.8, 4.0, 4.4, 6.0].map(|rank| (String::new(), rank));
        let diagram = CriticalDifference::new(ranks, 0.5);
        let levels: Vec<usize> = levels(&diagram).into_iter().map(|(level, _)| level).collect();
        assert_eq!(diagram.groups, [vec![0, 1], vec![1, 2], vec![3, 4]]);
        assert_eq!(levels, [0, 1, 0]);
    }
}
