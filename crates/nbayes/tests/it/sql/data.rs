//! Tables made for the tests.

use super::{Data, Type};

/// Numbers that look random and are always the same (the generator of Steele, Lea and Flood 2014, *Fast
/// splittable pseudorandom number generators*).
pub(super) struct Numbers(u64);

impl Numbers {
    pub(super) fn new(seed: u64) -> Self {
        Self(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to 1.
    pub(super) fn uniform(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Below `n`.
    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// About normal: a sum of twelve uniform numbers less six, whose variance is one.
    pub(super) fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}

impl Data {
    pub(super) fn new(columns: &[(&str, Type)], rows: impl IntoIterator<Item = Vec<String>>) -> Self {
        let mut writer = csv::Writer::from_writer(Vec::new());
        writer.write_record(columns.iter().map(|(name, _)| name)).unwrap();
        rows.into_iter().for_each(|row| writer.write_record(row).unwrap());
        let csv = String::from_utf8(writer.into_inner().unwrap()).unwrap();
        Self { columns: columns.iter().map(|(name, kind)| ((*name).to_owned(), *kind)).collect(), csv }
    }
}

/// Names that must be quoted, and columns of whole numbers and texts for families of all kinds.
pub(super) const MIXED: [(&str, Type); 10] = [
    ("id", Type::Whole),
    ("select", Type::Text),
    ("the \"n\" `n`", Type::Whole),
    ("Größe, in m", Type::Whole),
    ("it's", Type::Text),
    ("flag", Type::Whole),
    ("calls", Type::Whole),
    ("bursts", Type::Whole),
    ("rain", Type::Real),
    ("w", Type::Real),
];

/// A schema file for [`MIXED`].
pub(super) const MIXED_SCHEMA: &str = r#"
label = "select"
weights = "w"
[columns]
'the "n" `n`' = "gaussian"
"Größe, in m" = "gaussian"
"it's" = "categorical"
flag = "bernoulli"
calls = "poisson"
bursts = "negative-binomial"
rain = "zero-inflated-gaussian"
id = "ignore"
"#;

/// Rows of [`MIXED`], every tenth cell of its features NULL.
pub(super) fn mixed(n_rows: usize) -> Data {
    let mut numbers = Numbers::new(7);
    let labels = ["a", "b b", "it's", "ü\"q"];
    let levels = ["red", "blue, dark", "gr\"een", "ça'", "x${y}\\"];
    let rows = (0..n_rows).map(|id| {
        let class = numbers.below(4);
        let or_null =
            |numbers: &mut Numbers, text: String| if numbers.below(10) == 0 { String::new() } else { text };
        let n = (numbers.normal() * 30.0).round() + 20.0 * class as f64;
        let size = 1e9 + numbers.below(1000) as f64 + 300.0 * class as f64;
        let level = levels[numbers.below(1 + class) as usize + numbers.below(2) as usize];
        let flag = u64::from(numbers.below(5) < 1 + class);
        let calls = numbers.below(2 + 2 * class);
        let bursts = calls * numbers.below(2 + 3 * class) * numbers.below(3);
        let rain = (numbers.normal() * 8.0).round() * numbers.below(2) as f64 + 0.5 * numbers.below(2) as f64;
        let weight = ["1", "2", "0", "0.5"][numbers.below(4) as usize];
        vec![
            id.to_string(),
            labels[class as usize].into(),
            or_null(&mut numbers, n.to_string()),
            or_null(&mut numbers, size.to_string()),
            or_null(&mut numbers, level.into()),
            or_null(&mut numbers, flag.to_string()),
            or_null(&mut numbers, calls.to_string()),
            or_null(&mut numbers, bursts.to_string()),
            or_null(&mut numbers, (rain + 0.0).to_string()),
            weight.into(),
        ]
    });
    Data::new(&MIXED, rows)
}
