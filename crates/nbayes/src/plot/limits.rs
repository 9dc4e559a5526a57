//! From where to where an axis goes: all of the data, unless a few far away rows would squash the rest.

/// Of a group of values this much may lie beyond either end.
const TAIL: f64 = 0.005;
/// What is farther from the middle half than this many times its width is far away.
const FAR: f64 = 3.0;
/// What is far away may be no more of a group than this at either end, else it is a tail.
const FEW: f64 = 0.02;
/// Far away values are shown all the same if the picture grows by no more than this.
const GROWTH: f64 = 0.25;
/// What is added on either side.
const PADDING: f64 = 0.04;

/// Limits for groups of finite values; `None` if there are none. A group is a class: a rare class is not a
/// far away part of a frequent one.
pub(crate) fn of_groups(groups: &[Vec<f64>]) -> Option<(f64, f64)> {
    let hull = |ends: &mut dyn Iterator<Item = (f64, f64)>| {
        ends.reduce(|(low, high), (other_low, other_high)| (low.min(other_low), high.max(other_high)))
    };
    let sorted: Vec<Vec<f64>> =
        groups.iter().map(|group| sorted(group)).filter(|group| !group.is_empty()).collect();
    let (low, high) = hull(&mut sorted.iter().map(|group| middle(group)))?;
    let (least, most) = hull(&mut sorted.iter().map(|group| (group[0], group[group.len() - 1])))?;
    let span = high - low;
    let room = GROWTH * span;
    let low = if least >= low - room { low.min(least) } else { low };
    let high = if most <= high + room { high.max(most) } else { high };
    Some(padded(low, high))
}

/// The values in order, without those that no model takes and no axis reaches.
fn sorted(values: &[f64]) -> Vec<f64> {
    const LARGEST: f64 = 1e121;
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.abs() <= LARGEST).collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

/// The part of a sorted group that is not far away.
fn middle(group: &[f64]) -> (f64, f64) {
    let (low, high) = (quantile(group, TAIL), quantile(group, 1.0 - TAIL));
    let (first, third) = (quantile(group, 0.25), quantile(group, 0.75));
    let reach = FAR * (third - first);
    let rank = |share: f64| share * (group.len() - 1) as f64;
    if reach > 0.0 {
        let few = (group[rank(FEW).ceil() as usize], group[rank(1.0 - FEW).floor() as usize]);
        (low.max(few.0.min(first - reach)), high.min(few.1.max(third + reach)))
    } else if group.len() >= 20 {
        // More than half of the values are equal; of the others the outermost may still be alone.
        (group[rank(TAIL).ceil() as usize], group[rank(1.0 - TAIL).floor() as usize])
    } else {
        (low, high)
    }
}

/// A quantile of sorted values, between two of them in proportion.
fn quantile(sorted: &[f64], share: f64) -> f64 {
    let rank = share * (sorted.len() - 1) as f64;
    let below = sorted[rank.floor() as usize];
    let above = sorted[rank.ceil() as usize];
    below + (above - below) * rank.fract()
}

/// Limits with some room; if they are equal, with room of the size of the value.
pub(crate) fn padded(low: f64, high: f64) -> (f64, f64) {
    let room = match high - low {
        span if span > 0.0 && low + PADDING * span > low => PADDING * span,
        _ if low == 0.0 => 0.5,
        _ => (0.05 * low.abs()).max(0.5),
    };
    (low - room, high + room)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_shown_if_nothing_is_far_away() {
        let values: Vec<f64> = (0..=100).map(f64::from).collect();
        assert_eq!(of_groups(&[values]), Some((-4.0, 104.0)));
    }

    #[test]
    fn far_away_values_do_not_squash_the_rest() {
        let mut values: Vec<f64> = (0..=50).map(f64::from).collect();
        values.push(1e6);
        let (low, high) = of_groups(std::slice::from_ref(&values)).unwrap();
        assert!(low < 0.0 && (50.0..300.0).contains(&high), "{high}");
        let mut zeros = vec![0.0; 60];
        zeros.extend([0.5, 1.0, 1e9]);
        assert!(of_groups(&[zeros]).unwrap().1 < 2.0);
        // A long tail is no outlier.
        let tail: Vec<f64> = (0..400).map(|i| (f64::from(i) / 50.0).exp()).collect();
        assert!(of_groups(std::slice::from_ref(&tail)).unwrap().1 > tail[391]);
        // A class far away is no outlier of another.
        let far: Vec<f64> = (1000..1010).map(f64::from).collect();
        assert!(of_groups(&[values, far]).unwrap().1 > 1009.0);
    }

    #[test]
    fn equal_values_have_room() {
        assert_eq!(of_groups(&[vec![0.0; 9]]), Some((-0.5, 0.5)));
        let (low, high) = of_groups(&[vec![1e9]]).unwrap();
        assert!(low < 1e9 && high > 1e9);
        assert_eq!(of_groups(&[vec![], vec![]]), None);
        assert_eq!(of_groups(&[vec![-1e308, 1e308]]), None);
    }
}
