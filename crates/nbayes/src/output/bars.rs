//! Bars of characters.

/// The length of the longest bar on either side.
const WIDTH: usize = 12;

/// A bar from the middle to the right for a positive number, to the left for a negative one.
pub(crate) fn bar(value: f64, largest: f64) -> String {
    let share = if largest > 0.0 { (value / largest).clamp(-1.0, 1.0) } else { 0.0 };
    let length = (share.abs() * WIDTH as f64).round() as usize;
    let blocks = "█".repeat(length);
    if value < 0.0 { format!("{blocks:>WIDTH$}│") } else { format!("{:WIDTH$}│{blocks}", "") }
}
