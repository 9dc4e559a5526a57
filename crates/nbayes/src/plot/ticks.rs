//! Where an axis has ticks, and short labels for them.

/// Ticks of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ticks {
    pub(crate) at: Vec<f64>,
    pub(crate) labels: Vec<String>,
    /// What the labels leave out, to be said after the name of the axis.
    pub(crate) unit: String,
}

/// At most so many ticks, at round numbers; at whole ones if `whole`.
pub(crate) fn ticks(low: f64, high: f64, most: usize, whole: bool) -> Ticks {
    let span = high - low;
    let mut step = round_up(span / most.max(1) as f64);
    if whole {
        step = step.max(1.0);
    }
    // A step of less than a rounding error would never arrive.
    if !(step > 0.0 && step.is_finite() && low + step > low && high - step < high) {
        return Ticks { at: vec![low], labels: vec![label(low, 3)], unit: String::new() };
    }
    let first = (low / step - 1e-9).ceil();
    let n = ((high / step + 1e-9).floor() - first).max(0.0) as usize;
    let at: Vec<f64> = (0..=n).map(|i| (first + i as f64) * step).collect();
    let size = low.abs().max(high.abs());
    // Labels of far away numbers tell the distance from the first tick.
    let origin = if span < 1e-4 * size { at[0] } else { 0.0 };
    let largest = at.iter().map(|value| (value - origin).abs()).fold(step, f64::max);
    let exponent = (largest.log10() + 1e-9).floor() as i32;
    let thousands = if (-3..5).contains(&exponent) { 0 } else { exponent.div_euclid(3) * 3 };
    let unit = power(thousands);
    let decimals = (-(step / unit).log10() - 1e-9).ceil().max(0.0) as usize;
    let labels = at.iter().map(|value| label((value - origin) / unit, decimals)).collect();
    let mut said = String::new();
    if origin != 0.0 {
        said.push_str(&format!(" {} {}", if origin < 0.0 { '+' } else { '−' }, origin.abs()));
    }
    if thousands != 0 {
        said.push_str(&format!(" (×10{})", superscript(thousands)));
    }
    Ticks { at, labels, unit: said }
}

/// Ten to a whole power, as exact as a double can be.
fn power(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(1.0)
}

/// The least of 1, 2 and 5 times a power of ten that is not below.
fn round_up(step: f64) -> f64 {
    if !(step > 0.0 && step.is_finite()) {
        return 0.0;
    }
    let base = power(step.log10().floor() as i32);
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|digit| digit * base)
        .find(|&round| round >= step * (1.0 - 1e-9))
        .unwrap_or(10.0 * base)
}

/// A number with so many decimals and a proper minus sign.
pub(crate) fn label(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    match text.strip_prefix('-') {
        Some(digits) if digits.chars().all(|c| matches!(c, '0' | '.')) => digits.into(),
        Some(digits) => format!("−{digits}"),
        None => text,
    }
}

fn superscript(number: i32) -> String {
    let raise = |c: char| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        c => c.to_digit(10).and_then(|digit| char::from_u32('⁰' as u32 + digit)).unwrap_or(c),
    };
    number.to_string().chars().map(raise).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(low: f64, high: f64) -> (Vec<String>, String) {
        let ticks = ticks(low, high, 6, false);
        assert!(ticks.at.len() <= 7, "{ticks:?}");
        assert!(ticks.at.iter().all(|at| (low..=high).contains(at)), "{ticks:?}");
        (ticks.labels, ticks.unit)
    }

    #[test]
    fn round_numbers_with_short_labels() {
        assert_eq!(labels(0.83, 7.1).0, ["2", "4", "6"]);
        assert_eq!(labels(-0.31, 0.22).0, ["−0.3", "−0.2", "−0.1", "0.0", "0.1", "0.2"]);
        assert_eq!(labels(0.0, 1.0).0, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]);
        let (numbers, unit) = labels(0.0, 5.1e6);
        assert_eq!((numbers.last().unwrap().as_str(), unit.as_str()), ("5", " (×10⁶)"));
        let (numbers, unit) = labels(0.0, 2.1e-7);
        assert_eq!((numbers[1].as_str(), unit.as_str()), ("50", " (×10⁻⁹)"));
        let (numbers, unit) = labels(1e9 - 0.4, 1e9 + 4.3);
        assert_eq!((numbers[1].as_str(), unit.as_str()), ("1", " − 1000000000"));
    }

    #[test]
    fn odd_limits_have_a_tick() {
        assert_eq!(ticks(3.0, 3.0, 5, false).at, [3.0]);
        assert_eq!(ticks(0.0, f64::INFINITY, 5, false).at, [0.0]);
        assert_eq!(ticks(0.2, 2.7, 9, true).labels, ["1", "2"]);
    }
}
