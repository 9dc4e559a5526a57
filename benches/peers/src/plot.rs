//! Growth plots: times against sizes on logarithmic axes.

use std::{error::Error, path::Path};

use plotters::prelude::*;

use crate::growth::Sweep;

const SIZE: (u32, u32) = (760, 520);
const INK: RGBColor = RGBColor(40, 40, 40);
/// Told apart also without colour vision (Okabe and Ito).
const COLOURS: [RGBColor; 3] = [RGBColor(0, 114, 178), RGBColor(213, 94, 0), RGBColor(0, 158, 115)];

/// Writes the plot of a sweep as SVG.
pub(crate) fn write(path: &Path, sweep: &Sweep) -> Result<(), Box<dyn Error>> {
    let points = || sweep.series.iter().flat_map(|series| &series.points);
    let bounds = |values: &mut dyn Iterator<Item = f64>| {
        values.fold((f64::INFINITY, 0.0_f64), |(least, most), value| (least.min(value), most.max(value)))
    };
    let (left, right) = bounds(&mut points().map(|point| point.0));
    let (bottom, top) = bounds(&mut points().map(|point| point.1));
    // Whole decades of seconds, so that every plot has labelled lines above and below all points.
    let (mut bottom, top) = (10_f64.powf(bottom.log10().floor()), 10_f64.powf(top.log10().ceil()));
    // The legend is at the lower right; a line that stays low gets a decade below it, so that it is not
    // hidden.
    let height = |value: f64| (value / bottom).log10() / (top / bottom).log10();
    if points().any(|&(size, seconds)| size * size > left * right && height(seconds) < 0.35) {
        bottom /= 10.0;
    }
    let root = SVGBackend::new(path, SIZE).into_drawing_area();
    root.fill(&WHITE)?;
    let root = root.margin(10, 0, 0, 0);
    let text = |size: i32| ("sans-serif", size).into_font().color(&INK);
    let root = root.titled(&format!("Time against the number of {}", sweep.axis), text(22))?;
    let root = root.titled(&sweep.fixed, text(15))?;
    let mut chart = ChartBuilder::on(&root)
        .margin(12)
        .margin_right(28)
        .x_label_area_size(48)
        .y_label_area_size(76)
        .build_cartesian_2d((left * 0.9..right * 1.1).log_scale(), (bottom..top).log_scale())?;
    chart
        .configure_mesh()
        .bold_line_style(RGBColor(205, 205, 205))
        .light_line_style(RGBColor(238, 238, 238))
        .axis_style(INK)
        .x_desc(sweep.axis)
        .y_desc("processor time outside the kernel")
        .x_label_formatter(&|size| thousands(*size))
        .y_label_formatter(&|seconds| time(*seconds))
        .label_style(text(15))
        .axis_desc_style(text(16))
        .draw()?;
    // What is proportional to the size runs parallel to this line, through the middle of the picture.
    let middle = (left * right).sqrt();
    let reference = |size: f64| (size, (bottom * top).sqrt() * size / middle);
    let (low, high) = ((bottom / top).sqrt() * middle, (top / bottom).sqrt() * middle);
    let ends = [reference(low.max(left)), reference(high.min(right))];
    chart
        .draw_series(DashedLineSeries::new(ends, 6, 5, RGBColor(130, 130, 130).stroke_width(1)))?
        .label("proportional to size")
        .legend(|(x, y)| PathElement::new([(x, y), (x + 22, y)], RGBColor(130, 130, 130)));
    for (series, colour) in sweep.series.iter().zip(COLOURS) {
        let label = format!("{} (exponent {:.2})", series.operation, series.exponent);
        chart
            .draw_series(LineSeries::new(series.points.iter().copied(), colour.stroke_width(2)))?
            .label(label)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 22, y)], colour.stroke_width(3)));
        chart.draw_series(series.points.iter().map(|&point| Circle::new(point, 3, colour.filled())))?;
    }
    chart
        .configure_series_labels()
        .position(SeriesLabelPosition::LowerRight)
        .background_style(WHITE.mix(0.9))
        .border_style(RGBColor(205, 205, 205))
        .label_font(text(15))
        .draw()?;
    root.present()?;
    Ok(())
}

/// `12,500` instead of `12500`.
fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

/// A time with its unit.
fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 0.999 => format!("{s:.0} s"),
        s if s >= 0.999e-3 => format!("{:.0} ms", s * 1e3),
        s if s >= 0.999e-6 => format!("{:.0} µs", s * 1e6),
        s => format!("{:.0} ns", s * 1e9),
    }
}
