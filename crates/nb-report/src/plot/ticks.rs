//! Where an axis has ticks, and their labels.

/// A tick of an axis.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) at: f64,
    /// Empty for a small tick between two others.
    pub(super) label: String,
}

/// Ticks at multiples of 1, 2 or 5 times a power of ten, about `most` of them.
pub(super) fn linear(low: f64, high: f64, most: usize) -> Vec<Tick> {
    stepped(low, high, round_step((high - low) / most.max(1) as f64))
}

/// The same at whole numbers alone.
pub(super) fn whole(low: f64, high: f64, most: usize) -> Vec<Tick> {
    stepped(low, high, round_step((high - low) / most.max(1) as f64).max(1.0))
}

fn stepped(low: f64, high: f64, step: f64) -> Vec<Tick> {
    let (first, last) = ((low / step - 1e-9).ceil(), (high / step + 1e-9).floor());
    // A step that is lost in the rounding of the ends never arrives.
    if !(step > 0.0 && step.is_finite() && first <= last && last - first <= 100.0 && low + step > low) {
        return vec![Tick { at: low, label: label(low, 3) }];
    }
    let decimals = (-step.log10() - 1e-9).ceil().max(0.0) as usize;
    let large = low.abs().max(high.abs());
    let tick = |i: usize| {
        let at = (first + i as f64) * step;
        let text = if large >= 1e6 || (step < 1e-4 && large < 1e-2) {
            let digits = (large.log10().floor() + (-step.log10() - 1e-9).ceil()).max(0.0) as usize;
            scientific(at, digits.min(17))
        } else {
            label(at, decimals.min(17))
        };
        Tick { at, label: text }
    };
    (0..=(last - first) as usize).map(tick).collect()
}

/// Ticks of a logarithmic axis: powers of ten with small ticks between them, or round numbers where there are
/// few powers of ten. Both ends are positive.
pub(super) fn logarithmic(low: f64, high: f64, most: usize) -> Vec<Tick> {
    let (first, last) = (low.log10().floor() as i32, high.log10().ceil() as i32);
    let inside = |at: f64| at >= low * (1.0 - 1e-9) && at <= high * (1.0 + 1e-9);
    let decades = (first..=last).filter(|&exponent| inside(power(exponent))).count() as u32;
    let labelled: &[u32] = match decades {
        0 => return linear(low, high, most).into_iter().filter(|tick| tick.at > 0.0).collect(),
        1 if high / low < 10.0 => &[1, 2, 3, 4, 5, 6, 8],
        1 | 2 => &[1, 2, 5],
        _ => &[1],
    };
    let stride = decades.div_ceil(most.max(1) as u32);
    let digits: &[u32] = if decades > 8 { &[1] } else { &[1, 2, 3, 4, 5, 6, 7, 8, 9] };
    let mut ticks = Vec::new();
    for exponent in first..=last {
        for &digit in digits {
            let at = f64::from(digit) * power(exponent);
            let spoken = labelled.contains(&digit) && i64::from(exponent).rem_euclid(i64::from(stride)) == 0;
            if inside(at) {
                ticks.push(Tick {
                    at,
                    label: if spoken { log_label(digit, exponent) } else { String::new() },
                });
            }
        }
    }
    ticks
}

/// Ten to a whole power, as exact as a double can be.
fn power(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().unwrap_or(f64::NAN)
}

/// The least of 1, 2 and 5 times a power of ten that is not below.
fn round_step(step: f64) -> f64 {
    if !(step > 0.0 && step.is_finite()) {
        return f64::NAN;
    }
    let base = power(step.log10().floor() as i32);
    let rounds = [1.0, 2.0, 5.0].map(|digit| digit * base);
    rounds.into_iter().find(|&round| round >= step * (1.0 - 1e-9)).unwrap_or(10.0 * base)
}

fn label(value: f64, decimals: usize) -> String {
    crate::number::for_eyes(&crate::number::fixed(value, decimals))
}

/// As "1.5×10⁶".
fn scientific(value: f64, digits: usize) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let text = format!("{value:.digits$e}");
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let mantissa =
        if mantissa.contains('.') { mantissa.trim_end_matches('0').trim_end_matches('.') } else { mantissa };
    crate::number::for_eyes(&format!("{mantissa}×10{}", raised(exponent)))
}

fn log_label(digit: u32, exponent: i32) -> String {
    match exponent {
        0..=3 => format!("{digit}{}", "0".repeat(exponent as usize)),
        -3..0 => format!("0.{}{digit}", "0".repeat(-exponent as usize - 1)),
        _ if digit == 1 => format!("10{}", raised(&exponent.to_string())),
        _ => format!("{digit}×10{}", raised(&exponent.to_string())),
    }
}

fn raised(digits: &str) -> String {
    let raise = |c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        c => char::to_digit(c, 10).and_then(|digit| char::from_u32('⁰' as u32 + digit)).unwrap_or(c),
    };
    digits.chars().map(raise).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn labels(ticks: &[Tick]) -> Vec<&str> {
        ticks.iter().map(|tick| tick.label.as_str()).filter(|label| !label.is_empty()).collect()
    }

    #[test]
    fn linear_ticks_are_round() {
        assert_eq!(labels(&linear(0.83, 7.1, 6)), ["2", "4", "6"]);
        assert_eq!(labels(&whole(-0.2, 2.4, 6)), ["0", "1", "2"]);
        assert_eq!(labels(&linear(-0.31, 0.22, 6)), ["−0.3", "−0.2", "−0.1", "0.0", "0.1", "0.2"]);
        assert_eq!(labels(&linear(0.0, 5.1e6, 6)), ["0", "1×10⁶", "2×10⁶", "3×10⁶", "4×10⁶", "5×10⁶"]);
        assert_eq!(labels(&linear(1e-7, 3e-7, 2)), ["1×10⁻⁷", "2×10⁻⁷", "3×10⁻⁷"]);
        assert_eq!(
            labels(&linear(1_000_000.5, 1_000_001.6, 3)),
            ["1.0000005×10⁶", "1.000001×10⁶", "1.0000015×10⁶"]
        );
    }

    #[test]
    fn ends_that_cannot_be_divided() {
        for (low, high) in [(1.0, 1.0), (2.0, 1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (1e16, 1e16 + 2.0)]
        {
            assert_eq!(linear(low, high, 5).len(), 1, "{low} {high}");
        }
        assert!(linear(-1e300, 1e300, 5).len() > 2);
    }

    #[test]
    fn logarithmic_ticks() {
        assert_eq!(labels(&logarithmic(1.0, 1000.0, 6)), ["1", "10", "100", "1000"]);
        assert_eq!(labels(&logarithmic(8.0, 300.0, 6)), ["10", "20", "50", "100", "200"]);
        assert_eq!(labels(&logarithmic(0.05, 0.3, 6)), ["0.05", "0.06", "0.08", "0.1", "0.2", "0.3"]);
        assert_eq!(labels(&logarithmic(3.0, 4.0, 5)), ["3.0", "3.2", "3.4", "3.6", "3.8", "4.0"]);
        assert_eq!(labels(&logarithmic(1e-8, 1e8, 5)), ["10⁻⁸", "10⁻⁴", "1", "10⁴", "10⁸"]);
        assert_eq!(logarithmic(1.0, 1000.0, 6).len(), 28);
    }
}
