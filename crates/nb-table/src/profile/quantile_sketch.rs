//! Quantiles of a stream in bounded memory.

/// How many values a level holds before half of them move up.
const CAPACITY: usize = 1024;

/// Values in levels: one of level `h` stands for `2^h` values of the stream. A full level is sorted, and
/// every second of its values moves up (Munro and Paterson 1980; Manku, Rajagopalan and Lindsay 1998; Karnin,
/// Lang and Liberty 2016). Which half moves alternates, so that the same stream gives the same sketch.
///
/// Half of a level of weight `w` ranks every value as the whole level does, or `w` beside it. The sum of
/// these `w` is kept: a bound that holds, not one that is exceeded with some probability.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct QuantileSketch {
    levels: Vec<Level>,
    max_rank_error: u64,
}

#[derive(Clone, Debug, Default, PartialEq)]
struct Level {
    values: Vec<f64>,
    keeps_odd: bool,
}

impl QuantileSketch {
    /// Adds a value `n` times.
    pub(super) fn add(&mut self, value: f64, n: u64) {
        for level in 0..u64::BITS as usize {
            if n >> level & 1 == 1 {
                self.push(level, value);
            }
        }
    }

    fn push(&mut self, level: usize, value: f64) {
        if self.levels.len() <= level {
            self.levels.resize_with(level + 1, Level::default);
        }
        self.levels[level].values.push(value);
        self.compact_from(level);
    }

    /// Adds all values of another sketch.
    pub(super) fn merge(&mut self, other: &Self) {
        if self.levels.len() < other.levels.len() {
            self.levels.resize_with(other.levels.len(), Level::default);
        }
        self.max_rank_error += other.max_rank_error;
        for (level, others) in self.levels.iter_mut().zip(&other.levels) {
            level.values.extend_from_slice(&others.values);
        }
        for level in 0..self.levels.len() {
            self.compact_from(level);
        }
    }

    /// Halves this level if it is full, and those above that are full then.
    fn compact_from(&mut self, mut level: usize) {
        while self.levels.get(level).is_some_and(|level| level.values.len() >= CAPACITY) {
            let Level { values, keeps_odd } = &mut self.levels[level];
            values.sort_unstable_by(f64::total_cmp);
            // The largest of an odd number stays.
            let rest = if values.len() % 2 == 1 { values.pop() } else { None };
            let up: Vec<f64> = values.iter().copied().skip(usize::from(*keeps_odd)).step_by(2).collect();
            *values = rest.into_iter().collect();
            *keeps_odd = !*keeps_odd;
            self.max_rank_error += 1 << level;
            level += 1;
            if self.levels.len() == level {
                self.levels.push(Level::default());
            }
            self.levels[level].values.extend(up);
        }
    }

    /// By how many ranks a quantile may be wrong at most.
    pub(super) fn max_rank_error(&self) -> u64 {
        self.max_rank_error
    }

    /// Values and how many of the stream each stands for, in no order.
    pub(super) fn weighted(&self) -> impl Iterator<Item = (f64, u64)> + '_ {
        let levels = self.levels.iter().enumerate();
        levels.flat_map(|(height, level)| level.values.iter().map(move |&value| (value, 1 << height)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How many values of the stream are at most `value`, by the sketch.
    fn rank(sketch: &QuantileSketch, value: f64) -> u64 {
        sketch.weighted().filter(|(kept, _)| *kept <= value).map(|(_, weight)| weight).sum()
    }

    /// 0 to n - 1 in a scattered order.
    fn scattered(n: u64) -> impl Iterator<Item = f64> {
        (0..n).map(move |i| (i * 611_953 % n) as f64)
    }

    #[test]
    fn the_error_is_within_its_bound_and_small() {
        let n = 300_000;
        for values in [(0..n).map(|i| i as f64).collect::<Vec<_>>(), scattered(n).collect()] {
            let mut sketch = QuantileSketch::default();
            for &value in &values {
                sketch.add(value, 1);
            }
            assert_eq!(sketch.weighted().map(|(_, weight)| weight).sum::<u64>(), n);
            assert!(sketch.max_rank_error() < n / 100, "{}", sketch.max_rank_error());
            for share in [1, 10, 50, 90, 99] {
                let value = n * share / 100;
                let error = rank(&sketch, value as f64).abs_diff(value + 1);
                assert!(error <= sketch.max_rank_error(), "{share} %: {error}");
            }
        }
    }

    #[test]
    fn parts_merge_within_the_bound() {
        let n = 100_000;
        let mut parts = vec![QuantileSketch::default(); 7];
        for (i, value) in scattered(n).enumerate() {
            parts[i % 7].add(value, 1);
        }
        let mut all = QuantileSketch::default();
        for part in &parts {
            all.merge(part);
        }
        assert_eq!(all.weighted().map(|(_, weight)| weight).sum::<u64>(), n);
        let error = rank(&all, 50_000.0).abs_diff(50_001);
        assert!(error <= all.max_rank_error() && all.max_rank_error() < n / 50);
    }

    #[test]
    fn many_equal_values_are_added_at_once() {
        let mut sketch = QuantileSketch::default();
        sketch.add(0.0, 1_000_001);
        sketch.add(3.0, 5);
        assert_eq!((rank(&sketch, 0.0), rank(&sketch, 3.0)), (1_000_001, 1_000_006));
        assert_eq!(sketch.max_rank_error(), 0);
    }
}
