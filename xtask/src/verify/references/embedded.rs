//! The reference numbers and those of other packages, which are part of the binary.

/// Pairs each name with the content of its file.
macro_rules! embed {
    ($($name:literal,)*) => {
        &[$(($name, include_bytes!(concat!("../../../data/references/", $name, ".json.gz")))),*]
    };
}

/// Name, gzip-compressed JSON.
pub(super) static REFERENCES: &[(&str, &[u8])] = embed![
    "adult",
    "boston",
    "breast_cancer",
    "breast_cancer_ljubljana",
    "digits",
    "hard_bernoulli_near_one",
    "hard_constant_feature",
    "hard_constant_in_one_class",
    "hard_counts_1e6",
    "hard_imbalance_1e5",
    "hard_integer_weights",
    "hard_many_categories",
    "hard_many_classes",
    "hard_missing_cells",
    "hard_missing_whole_class",
    "hard_mixed_scales",
    "hard_near_ties",
    "hard_offset_1e9",
    "hard_outlier_test_rows",
    "hard_outlier_train_row",
    "hard_single_row_class",
    "hard_subnormal_values",
    "hard_subnormal_variance",
    "hard_sum_overflow",
    "hard_ulp_spread",
    "hard_variance_1e-30",
    "hard_variance_overflow",
    "hard_wide_binary",
    "hard_wide_gaussian",
    "hard_zero_counts",
    "housevotes84",
    "iir_china",
    "ionosphere",
    "ionosphere_all_numeric",
    "iris",
    "lenses",
    "letter",
    "liver",
    "lymphography",
    "mushroom",
    "optdigits_01",
    "optdigits_23",
    "pima",
    "pima2",
    "playtennis",
    "promoters",
    "shuttle",
    "sick",
    "sms",
    "sonar",
    "soybean",
    "spam",
    "titanic",
    "wine",
    "zoo",
];

/// What other packages give, gzip-compressed JSON.
pub(super) static PEERS: &[u8] = include_bytes!("../../../data/peers.json.gz");
