//! The data of a figure as a table.

use crate::{
    BarSet, Bars, Cell, Column, CriticalDifference, Dots, Heatmap, Lines, Mark, Panels, Plane, Plot,
    Reliability, Series, Table, number,
};

/// All values that were given, also those that have no place in the picture.
pub(crate) fn data(plot: &Plot) -> Table {
    match plot {
        Plot::Lines(lines) => lines_data(lines),
        Plot::Panels(panels) => panels_data(panels),
        Plot::CriticalDifference(diagram) => ranks_data(diagram),
        Plot::Reliability(reliability) => reliability_data(reliability),
        Plot::Dots(dots) => dots_data(dots),
        Plot::Heatmap(heatmap) => heatmap_data(heatmap),
        Plot::Bars(bars) => bars_data(bars),
        Plot::Plane(plane) => plane_data(plane),
    }
}

/// A number with all its digits.
fn exact(value: f64) -> Cell {
    if value.is_nan() { Cell::missing() } else { Cell::text(number::exact(value)).sorted_by(value) }
}

fn optional(value: Option<f64>) -> Cell {
    value.map_or_else(Cell::missing, exact)
}

fn or<'a>(label: &'a str, otherwise: &'a str) -> &'a str {
    if label.is_empty() { otherwise } else { label }
}

fn lines_data(lines: &Lines) -> Table {
    let spread = has_intervals(&lines.series);
    let columns = [Column::text("series"), Column::number(or(&lines.x.label, "x"))];
    let mut table = Table::new("", columns.into_iter().chain(value_columns(or(&lines.y.label, "y"), spread)));
    for series in &lines.series {
        for cells in points(series, spread) {
            table.push([Cell::text(&series.name)].into_iter().chain(cells));
        }
    }
    table
}

fn panels_data(panels: &Panels) -> Table {
    let all = || panels.panels.iter().map(|(_, lines)| lines);
    let spread = all().any(|lines| has_intervals(&lines.series));
    let same = |label: fn(&Lines) -> &str, otherwise| {
        let first = all().next().map_or("", label);
        if all().all(|lines| label(lines) == first) { or(first, otherwise) } else { otherwise }
    };
    let (x, y) = (same(|lines| &lines.x.label, "x"), same(|lines| &lines.y.label, "y"));
    let columns = [Column::text("plot"), Column::text("series"), Column::number(x)];
    let mut table = Table::new("", columns.into_iter().chain(value_columns(y, spread)));
    for (title, lines) in &panels.panels {
        for series in &lines.series {
            for cells in points(series, spread) {
                table.push([Cell::text(title), Cell::text(&series.name)].into_iter().chain(cells));
            }
        }
    }
    table
}

fn has_intervals(series: &[Series]) -> bool {
    series.iter().flat_map(|series| &series.points).any(|point| point.interval.is_some())
}

fn value_columns(label: &str, spread: bool) -> impl Iterator<Item = Column> {
    let names = [label, "low", "high"].into_iter().take(if spread { 3 } else { 1 });
    names.map(Column::number).collect::<Vec<_>>().into_iter()
}

/// The ends of an interval, empty without one.
fn ends(interval: Option<(f64, f64)>) -> [Cell; 2] {
    [interval.map(|(low, _)| low), interval.map(|(_, high)| high)].map(optional)
}

fn points(series: &Series, spread: bool) -> impl Iterator<Item = Vec<Cell>> {
    series.points.iter().map(move |point| {
        let mut cells = vec![exact(point.x), exact(point.y)];
        if spread {
            cells.extend(ends(point.interval));
        }
        cells
    })
}

fn ranks_data(diagram: &CriticalDifference) -> Table {
    let columns = [Column::text("method"), Column::number("average rank"), Column::text("joined with")];
    let mut table = Table::new("", columns);
    for (i, (name, rank)) in diagram.ranks.iter().enumerate() {
        let mut with: Vec<usize> =
            diagram.groups.iter().filter(|group| group.contains(&i)).flatten().copied().collect();
        with.sort_unstable();
        with.dedup();
        let names: Vec<&str> =
            with.into_iter().filter(|&j| j != i).map(|j| diagram.ranks[j].0.as_str()).collect();
        table.push([Cell::text(name), exact(*rank), Cell::text(names.join(", "))]);
    }
    if let Some(difference) = diagram.difference {
        table.push_footer([Cell::text("critical difference"), exact(difference), Cell::default()]);
    }
    table
}

fn reliability_data(reliability: &Reliability) -> Table {
    let points = || reliability.series.iter().flat_map(|series| &series.points);
    let spread = points().any(|point| point.interval.is_some());
    let columns = [Column::text("series"), Column::number("mean confidence")].into_iter();
    let columns = columns.chain(value_columns("accuracy", spread)).chain([Column::number("rows")]);
    let mut table = Table::new("", columns);
    for series in &reliability.series {
        for point in &series.points {
            let mut row = vec![Cell::text(&series.name), exact(point.confidence), exact(point.accuracy)];
            if spread {
                row.extend(ends(point.interval));
            }
            row.push(exact(point.rows));
            table.push(row);
        }
    }
    table
}

fn dots_data(dots: &Dots) -> Table {
    let values = || dots.series.iter().flat_map(|series| series.values.iter().flatten());
    let spread = values().any(|dot| dot.interval.is_some());
    let columns = [Column::text(or(&dots.category, "category")), Column::text("series")];
    let label = or(&dots.axis.label, "value");
    let mut table = Table::new("", columns.into_iter().chain(value_columns(label, spread)));
    for (i, category) in dots.categories.iter().enumerate() {
        for series in &dots.series {
            let dot = series.values.get(i).copied().flatten();
            let interval = dot.and_then(|dot| dot.interval);
            let mut row = vec![Cell::text(category), Cell::text(&series.name)];
            row.push(optional(dot.map(|dot| dot.value)));
            if spread {
                row.extend(ends(interval));
            }
            table.push(row);
        }
    }
    table
}

fn bars_data(bars: &Bars) -> Table {
    let measure = Column::number(or(&bars.measure, "value"));
    let columns =
        [Column::text("plot"), Column::text("bar"), Column::number("from"), Column::number("to"), measure];
    let mut table = Table::new("", columns);
    for panel in &bars.panels {
        match &panel.bars {
            BarSet::Intervals(bars) => bars.iter().for_each(|&(low, high, value)| {
                table.push([
                    Cell::text(&panel.title),
                    Cell::default(),
                    exact(low),
                    exact(high),
                    exact(value),
                ]);
            }),
            BarSet::Named(bars) => bars.iter().for_each(|(name, value)| {
                let missing = Cell::missing;
                table.push([Cell::text(&panel.title), Cell::text(name), missing(), missing(), exact(*value)]);
            }),
        }
    }
    table
}

fn heatmap_data(heatmap: &Heatmap) -> Table {
    let columns = heatmap.columns.iter().map(Column::number);
    let mut table = Table::new("", [Column::text(or(&heatmap.row, "row"))].into_iter().chain(columns));
    for (name, cells) in heatmap.rows.iter().zip(&heatmap.cells) {
        let numbers = cells.iter().map(|cell| optional(cell.as_ref().map(|cell| cell.value)));
        table.push([Cell::text(name)].into_iter().chain(numbers));
    }
    table
}

/// Points have no second ends; areas and names are not among the data.
fn plane_data(plane: &Plane) -> Table {
    let (x, y) = (or(&plane.x.label, "x"), or(&plane.y.label, "y"));
    let ends = ["to", "upper end"].map(Column::number);
    let columns = [Column::text(or(&plane.series, "series")), Column::number(x), Column::number(y)];
    let mut table = Table::new("", columns.into_iter().chain(ends));
    for layer in &plane.layers {
        let mut add = |x: f64, y: f64, to: Option<f64>, high: Option<f64>| {
            table.push([Cell::text(&layer.name), exact(x), exact(y), optional(to), optional(high)]);
        };
        match &layer.mark {
            Mark::Curve(at) | Mark::Points { at, .. } | Mark::Rings(at) => {
                for &(x, y) in at {
                    add(x, y, None, None);
                }
            }
            Mark::Bars { bars, .. } => {
                for &(from, to, low, high) in bars {
                    add(from, low, Some(to), Some(high));
                }
            }
            Mark::Intervals(intervals) => {
                for &(x, low, high) in intervals {
                    add(x, low, None, Some(high));
                }
            }
            _ => {}
        }
    }
    table
}
