//! Histograms: bins that all classes share.

/// Bins of equal width.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bins {
    pub(crate) start: f64,
    pub(crate) width: f64,
    pub(crate) n: usize,
}

const FEWEST: f64 = 8.0;
const MOST: f64 = 60.0;
/// Where no group has a middle half that is wider than nothing.
const USUAL: f64 = 30.0;

impl Bins {
    /// Bins for the values within some limits, by the rule of Freedman and Diaconis, *On the histogram as a
    /// density estimator* (1981), for the group that wants the narrowest. Values on a grid get bins of
    /// whole grid steps, as otherwise some bins would catch more grid points than others.
    pub(crate) fn new(groups: &[Vec<f64>], (low, high): (f64, f64)) -> Self {
        let span = high - low;
        let mut all: Vec<f64> = Vec::new();
        let mut width = f64::INFINITY;
        for group in groups {
            let mut inside: Vec<f64> =
                group.iter().copied().filter(|value| (low..=high).contains(value)).collect();
            inside.sort_by(f64::total_cmp);
            if inside.len() >= 8 {
                let quarter = |k: usize| inside[k * (inside.len() - 1) / 4];
                let wanted = 2.0 * (quarter(3) - quarter(1)) / (inside.len() as f64).cbrt();
                if wanted > 0.0 {
                    width = width.min(wanted);
                }
            }
            all.extend(inside);
        }
        width = if width.is_finite() { width.clamp(span / MOST, span / FEWEST) } else { span / USUAL };
        let mut start = low;
        if let Some(grid) = grid(&mut all)
            && let Some(&first) = all.first()
            && grid > span / (4.0 * MOST)
        {
            width = (width / grid).round().max(1.0) * grid;
            start = first - 0.5 * grid;
            start -= ((start - low) / width).max(0.0).ceil() * width;
        }
        let n = (((high - start) / width - 1e-9).ceil().max(1.0) as usize).min(1000);
        Self { start, width, n }
    }

    /// The number of the bin of a value.
    pub(crate) fn bin(&self, value: f64) -> Option<usize> {
        let place = (value - self.start) / self.width;
        (place >= 0.0 && place < self.n as f64).then_some(place as usize)
    }
}

/// The step of the grid that values lie on, if there are few enough of them to see one. Sorts the values.
pub(crate) fn grid(values: &mut [f64]) -> Option<f64> {
    const MOST_PLACES: usize = 200;
    values.sort_by(f64::total_cmp);
    let mut places: Vec<f64> = values.to_vec();
    places.dedup();
    if places.len() < 3 || places.len() > MOST_PLACES || places.len() * 2 > values.len() {
        return None;
    }
    let gaps = || places.windows(2).map(|pair| pair[1] - pair[0]);
    let step = gaps().fold(f64::INFINITY, f64::min);
    gaps().all(|gap| ((gap / step).round() - gap / step).abs() < 1e-3).then_some(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_grid_is_seen() {
        let mut values: Vec<f64> = (0..40).map(|i| f64::from(i % 7) / 10.0).collect();
        assert!((grid(&mut values).unwrap() - 0.1).abs() < 1e-9);
        let mut values: Vec<f64> = (0..40).map(|i| f64::from(i).sqrt()).collect();
        assert_eq!(grid(&mut values), None);
    }

    #[test]
    fn every_value_has_a_bin() {
        let values: Vec<f64> = (0..500).map(|i| f64::from(i * 37 % 101) / 3.0).collect();
        let limits = (-1.0, 35.0);
        let bins = Bins::new(std::slice::from_ref(&values), limits);
        assert!(values.iter().all(|&value| bins.bin(value).is_some()), "{bins:?}");
        assert!(bins.start <= limits.0 && bins.start + bins.n as f64 * bins.width >= limits.1 - 1e-6);
        assert_eq!(bins.bin(bins.start - 0.1), None);
        assert_eq!(bins.bin(1e300), None);
    }

    #[test]
    fn bins_of_a_grid_hold_equally_many_places() {
        let values: Vec<f64> = (0..400).map(|i| f64::from(i % 20)).collect();
        let bins = Bins::new(std::slice::from_ref(&values), (-0.8, 19.8));
        let mut counts = vec![0; bins.n];
        for &value in &values {
            counts[bins.bin(value).unwrap()] += 1;
        }
        let inner: Vec<i32> = counts.into_iter().filter(|&count| count > 0).collect();
        assert!(inner[..inner.len() - 1].windows(2).all(|pair| pair[0] == pair[1]), "{inner:?}");
    }
}
