//! Sums of values of usual size and of any size.

use super::*;
use crate::test_support::{any_doubles, doubles, rational, rational_sum};
use proptest::prelude::*;

fn sums_of(values: &[f64]) -> ExactSums {
    let mut sums = ExactSums::new(1);
    for &value in values {
        sums.add(0, value);
    }
    sums
}

proptest! {
    #[test]
    fn any_order_any_partition_gives_the_exact_sum(
        mut values in prop::collection::vec(doubles(), 0..60),
        cut in 0..60_usize,
    ) {
        let whole = sums_of(&values);
        let expected = rational_sum(values.iter().copied());
        prop_assert_eq!(rational_sum(whole.get(0).components().iter().copied()), expected);
        let cut = cut.min(values.len());
        let mut merged = sums_of(&values[cut..]);
        merged.merge(&sums_of(&values[..cut]));
        prop_assert_eq!(&merged, &whole);
        merged.subtract(&sums_of(&values[..cut]));
        prop_assert_eq!(&merged, &sums_of(&values[cut..]));
        values.reverse();
        prop_assert_eq!(&sums_of(&values), &whole);
    }

    #[test]
    fn vectors_of_any_lengths_merge_sum_by_sum(
        lengths in (1..20_usize, 1..20_usize),
        cells in prop::collection::vec((0..20_usize, doubles(), any::<bool>()), 0..80),
    ) {
        let longest = lengths.0.max(lengths.1);
        let (mut left, mut right) = (ExactSums::new(lengths.0), ExactSums::new(lengths.1));
        let (mut sum, mut difference) = (ExactSums::new(longest), ExactSums::new(longest));
        for (index, value, is_left) in cells {
            let (part, length, sign) =
                if is_left { (&mut left, lengths.0, 1.0) } else { (&mut right, lengths.1, -1.0) };
            part.add(index % length, value);
            sum.add(index % length, value);
            difference.add(index % length, sign * value);
        }
        let mut merged = left.clone();
        merged.merge(&right);
        prop_assert_eq!(&merged, &sum);
        merged.subtract(&right);
        prop_assert_eq!(&merged, &left);
        merged.subtract(&right);
        prop_assert_eq!(&merged, &difference);
    }

    #[test]
    fn products_are_added_exactly(triples in prop::collection::vec((doubles(), doubles(), 0..9_u8), 0..20)) {
        let mut sums = ExactSums::new(1);
        let mut expected = rational(0.0);
        for (a, b, c) in triples {
            sums.add_triple_product(0, a, b, f64::from(c));
            expected += rational(a) * rational(b) * rational(f64::from(c));
        }
        prop_assert_eq!(rational_sum(sums.get(0).components().iter().copied()), expected);
    }
}

/// `Σ w x` and `Σ w x²` of some terms.
fn weighted(terms: &[(usize, f64, f64)]) -> [ExactSums; 2] {
    let [mut sums, mut squares] = [ExactSums::new(3), ExactSums::new(3)];
    for &(index, weight, value) in terms {
        sums.add_weighted(index, weight, value);
        squares.add_weighted_square(index, weight, value);
    }
    [sums, squares]
}

/// The value of a sum, from its digits and powers of two.
fn value(sum: &Dyadic) -> num_rational::BigRational {
    let mut rest = sum.clone();
    let mut total = rational(0.0);
    while let Some(exponent) = rest.exponent() {
        let leading = rest.times_power_of_two(-exponent).to_f64();
        let power = (0..exponent.abs()).fold(rational(1.0), |power, _| power * rational(2.0));
        total += rational(leading) * if exponent < 0 { power.recip() } else { power };
        rest = &rest - &Dyadic::from(leading).times_power_of_two(exponent);
    }
    total
}

proptest! {
    #[test]
    fn terms_of_any_size_are_added_exactly_in_any_order(
        terms in prop::collection::vec(
            (0..3_usize, prop_oneof![3 => Just(1.0), 1 => any_doubles()], any_doubles()),
            0..12,
        ),
        cut in 0..12_usize,
    ) {
        let (front, back) = terms.split_at(cut.min(terms.len()));
        let (wholes, parts) = (weighted(&terms), [weighted(back), weighted(front)]);
        for (power, whole) in wholes.iter().enumerate() {
            for index in 0..3 {
                let own = terms.iter().filter(|term| term.0 == index);
                let products = own.map(|&(_, weight, value)| {
                    (0..=power).fold(rational(weight), |product, _| product * rational(value))
                });
                let expected = products.fold(rational(0.0), |sum, product| sum + product);
                prop_assert_eq!(value(&whole.get_dyadic(index)), expected);
            }
            let [mut merged, other] = [&parts[0][power], &parts[1][power]].map(ExactSums::clone);
            merged.merge(&other);
            prop_assert_eq!(&merged, whole);
            prop_assert_eq!(merged.to_planes(), whole.to_planes());
            prop_assert_eq!(&ExactSums::from_planes(&whole.to_planes()).unwrap(), whole);
            let mut owned = other.clone();
            owned.merge_owned(parts[0][power].clone());
            prop_assert_eq!(&owned, whole);
            merged.scale(8.0);
            merged.scale(0.125);
            merged.subtract(&other);
            prop_assert_eq!(&merged, &parts[0][power]);
            prop_assert_eq!(merged.is_zero(), (0..3).all(|index| merged.get_dyadic(index).is_zero()));
            merged.scale(0.0);
            prop_assert!(merged.is_zero() && !merged.has_wide());
            let mut moved = ExactSums::new(6);
            (0..3).for_each(|index| moved.add_sum(5 - index, whole, index));
            (0..3).for_each(|index| assert_eq!(moved.get_dyadic(5 - index), whole.get_dyadic(index)));
            let both = ExactSums::concatenated(&[other.clone(), whole.clone()]);
            prop_assert_eq!(both.get_dyadic(4), whole.get_dyadic(1));
            let total = (0..3).fold(Dyadic::ZERO, |sum, index| &sum + &whole.get_dyadic(index));
            prop_assert_eq!(whole.total(), total.to_exact());
        }
    }
}

#[test]
fn the_tail_stays_short() {
    let mut sums = ExactSums::new(2);
    for step in 0..20_000_i32 {
        sums.add(1, 1.37 * 2.0_f64.powi(step * 7 % 600 - 300));
    }
    assert!(sums.overflow[&1].len() < 40 + OVERFLOW_LIMIT);
    assert!(sums.get(0).is_zero());
}

#[test]
fn counts_need_one_plane() {
    let mut sums = ExactSums::new(3);
    for count in 0..1000 {
        sums.add(count % 3, 1.0);
    }
    assert_eq!(sums.n_planes(), 1);
    sums.add(0, 0.1);
    assert_eq!(sums.n_planes(), 2);
}

#[test]
fn growing_keeps_the_sums() {
    let mut sums = ExactSums::new(2);
    sums.add(0, 1e300);
    sums.add(0, 1.0);
    sums.add(1, 0.5);
    let before = sums.clone();
    sums.grow(5);
    assert_eq!(sums, before);
    assert_eq!(sums.get(0).components(), [1e300, 1.0]);
    assert!(sums.get(4).is_zero());
}

#[test]
fn scaling_by_a_power_of_two_is_exact() {
    let mut sums = sums_of(&[0.1, 1e-200, 3e99]);
    let before = sums.clone();
    sums.scale(0.125);
    sums.scale(8.0);
    assert_eq!(sums, before);
    sums.scale(0.0);
    assert!(sums.is_zero());
}
