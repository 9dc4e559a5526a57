//! Accuracy against confidence.

/// Rows of about the same confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ReliabilityPoint {
    /// Their mean confidence, from 0 to 1.
    pub confidence: f64,
    /// The share of them that were answered rightly, from 0 to 1.
    pub accuracy: f64,
    /// Their number, or the sum of their weights.
    pub rows: f64,
    /// The ends of an interval of the accuracy, drawn as a bar.
    pub interval: Option<(f64, f64)>,
}

impl ReliabilityPoint {
    /// Rows of this mean confidence and accuracy, without an interval.
    pub fn new(confidence: f64, accuracy: f64, rows: f64) -> Self {
        Self { confidence, accuracy, rows, interval: None }
    }

    /// Points of one classifier in the order of confidence, where neighbours are joined until each has at
    /// least `least_rows` rows, as accuracies of few rows say nothing; what is left at the end goes to
    /// the last one. Intervals are dropped.
    ///
    /// ```
    /// use nb_report::ReliabilityPoint;
    ///
    /// let bins = [(0.5, 0.0, 1.0), (0.75, 1.0, 1.0), (0.875, 0.75, 4.0), (1.0, 1.0, 4.0)];
    /// let points = bins.map(|(confidence, accuracy, rows)| ReliabilityPoint::new(confidence, accuracy, rows));
    /// let joined = ReliabilityPoint::joined(points, 2.0);
    /// assert_eq!(joined[0], ReliabilityPoint::new(0.625, 0.5, 2.0)); // of two bins
    /// assert_eq!(joined.len(), 3);
    /// ```
    pub fn joined(points: impl IntoIterator<Item = Self>, least_rows: f64) -> Vec<Self> {
        let mut joined: Vec<Self> = Vec::new();
        let mut open = None;
        for point in points {
            let point = open.take().map_or(point, |before: Self| before.join(point));
            if point.rows >= least_rows { joined.push(point) } else { open = Some(point) }
        }
        if let Some(rest) = open {
            let last = joined.pop().map_or(rest, |last| last.join(rest));
            joined.push(last);
        }
        joined
    }

    /// The rows of both.
    fn join(self, other: Self) -> Self {
        let rows = self.rows + other.rows;
        let share = if rows > 0.0 { other.rows / rows } else { 0.0 };
        let mean = |a: f64, b: f64| a + share * (b - a);
        Self::new(mean(self.confidence, other.confidence), mean(self.accuracy, other.accuracy), rows)
    }

    /// The same with an interval of the accuracy.
    #[must_use]
    pub fn between(mut self, low: f64, high: f64) -> Self {
        self.interval = Some((low, high));
        self
    }
}

/// The bins of one classifier.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReliabilitySeries {
    /// The name, as in the legend.
    pub name: String,
    /// The bins; those without rows are left out of the picture.
    pub points: Vec<ReliabilityPoint>,
}

/// A reliability diagram: accuracy against confidence, with the diagonal on which a calibrated classifier
/// lies; the area of a marker is proportional to the number of its rows. Intervals are drawn as bars where
/// there are at most three classifiers; of more they are with the numbers of each point. After DeGroot and
/// Fienberg (1983), *The comparison and evaluation of forecasters*, The Statistician 32, and Niculescu-Mizil
/// and Caruana (2005), *Predicting good probabilities with supervised learning*, ICML.
///
/// ```
/// use nb_report::{Reliability, ReliabilityPoint};
///
/// let mut reliability = Reliability::default();
/// let bins = [(0.55, 0.5, 20.0), (0.95, 0.8, 180.0)];
/// let points = bins.map(|(confidence, accuracy, rows)| ReliabilityPoint::new(confidence, accuracy, rows));
/// reliability.push("naive Bayes", points);
/// assert_eq!(reliability.series[0].points.len(), 2);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Reliability {
    /// One per classifier.
    pub series: Vec<ReliabilitySeries>,
}

impl Reliability {
    /// Adds a classifier.
    pub fn push(&mut self, name: impl Into<String>, points: impl IntoIterator<Item = ReliabilityPoint>) {
        self.series.push(ReliabilitySeries { name: name.into(), points: points.into_iter().collect() });
    }
}
