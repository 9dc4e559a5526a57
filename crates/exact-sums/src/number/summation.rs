//! Adding up doubles without loss.

use nb_simd::error_free::{two_prod, two_sum};

use crate::{
    dyadic::Dyadic,
    number::{Components, Exact, canonical},
};

/// Up to this size, `2^1021`, sums are kept as doubles, which no addition takes out of their range.
const LARGEST: f64 = f64::from_bits((1023 + 1021) << 52);

/// The sum of doubles under construction.
#[derive(Default)]
pub(super) struct Summation {
    /// Three doubles hold most sums, and adding to them does not branch.
    leading: [f64; 3],
    /// What leaves them.
    partials: Partials,
    /// What would make them too large.
    beyond: Option<Box<Beyond>>,
}

/// The part of a sum that is beyond the range of [`Summation`].
#[derive(Default)]
struct Beyond {
    finite: Dyadic,
    /// The plain sum of what is no number, else zero.
    special: f64,
}

impl Summation {
    #[inline(always)]
    pub(super) fn add(&mut self, part: f64) {
        let (mut sum, mut carry) = (self.leading, part);
        for component in &mut sum {
            (*component, carry) = two_sum(*component, carry);
        }
        if sum[0].abs() <= LARGEST {
            self.leading = sum;
            if carry != 0.0 {
                self.partials.add(carry);
            }
        } else {
            self.add_beyond(part);
        }
    }

    /// Adds a product, whose bits must not be below `2^-1074`.
    #[inline(always)]
    pub(super) fn add_product(&mut self, a: f64, b: f64) {
        let (product, error) = two_prod(a, b);
        if error.is_finite() {
            self.add(error);
            self.add(product);
        } else {
            self.add_product_beyond(a, b);
        }
    }

    #[cold]
    fn add_beyond(&mut self, part: f64) {
        let beyond = self.beyond.get_or_insert_default();
        if part.is_finite() {
            beyond.finite = &beyond.finite + &Dyadic::from(part);
        } else {
            beyond.special += part;
        }
    }

    /// A product of factors that are too large to be split, or that is itself too large.
    #[cold]
    fn add_product_beyond(&mut self, a: f64, b: f64) {
        if a.is_finite() && b.is_finite() {
            let beyond = self.beyond.get_or_insert_default();
            beyond.finite = &beyond.finite + &(&Dyadic::from(a) * &Dyadic::from(b));
        } else {
            self.add_beyond(a * b);
        }
    }

    #[inline]
    pub(super) fn finish(self) -> Exact {
        if self.partials.parts.is_empty()
            && self.beyond.is_none()
            && let Some(components) = canonical(self.leading)
        {
            return Exact::of_canonical(Components::few(components));
        }
        self.finish_at_length()
    }

    fn finish_at_length(mut self) -> Exact {
        for part in self.leading.into_iter().rev().filter(|&part| part != 0.0) {
            self.partials.add(part);
        }
        let Some(beyond) = self.beyond else {
            return Exact::of_canonical(Components::Many(self.partials.into_canonical()));
        };
        if beyond.special != 0.0 {
            return Exact::of_components(vec![beyond.special]);
        }
        let parts = self.partials.parts.iter();
        parts.fold(beyond.finite, |sum, &part| &sum + &Dyadic::from(part)).to_exact()
    }
}

/// The value of the lowest bit of a number that is set; of a number other than zero.
pub(super) fn lowest_bit(number: f64) -> f64 {
    const MANTISSA: u64 = (1 << (f64::MANTISSA_DIGITS - 1)) - 1;
    let bits = number.to_bits();
    // A power of two is its only bit.
    let others = if bits & MANTISSA == 0 { 0.0 } else { f64::from_bits(bits & (bits - 1)) };
    (number - others).abs()
}

/// A sum under construction: non-overlapping doubles of increasing size (Shewchuk 1997, grow-expansion with
/// the zeros left out).
#[derive(Default)]
pub(super) struct Partials {
    pub(super) parts: Vec<f64>,
}

impl Partials {
    fn add(&mut self, value: f64) {
        let mut carry = value;
        let mut kept = 0;
        for i in 0..self.parts.len() {
            let (sum, error) = two_sum(carry, self.parts[i]);
            if error != 0.0 {
                self.parts[kept] = error;
                kept += 1;
            }
            carry = sum;
        }
        self.parts.truncate(kept);
        if carry != 0.0 {
            self.parts.push(carry);
        }
        debug_assert!(self.is_expansion(), "PROOFS.md, lemma 5: {:?}", self.parts);
    }

    /// Whether each part is smaller than the lowest bit of the next.
    pub(super) fn is_expansion(&self) -> bool {
        self.parts.windows(2).all(|pair| pair[0] != 0.0 && pair[0].abs() < lowest_bit(pair[1]))
    }

    /// The sum rounded to nearest, ties to even. Adding from the top is exact until a rounding error appears;
    /// below it only the sign of what is left matters, and only when the error is exactly half a unit.
    fn rounded(&self) -> f64 {
        let mut below = self.parts.iter().rev();
        let Some(&first) = below.next() else { return 0.0 };
        let mut total = first;
        let mut error = 0.0;
        for &part in below.by_ref() {
            (total, error) = two_sum(total, part);
            if error != 0.0 {
                break;
            }
        }
        if let Some(&next) = below.next()
            && error != 0.0
            && (error < 0.0) == (next < 0.0)
        {
            let doubled = 2.0 * error;
            let neighbour = total + doubled;
            if neighbour - total == doubled {
                total = neighbour;
            }
        }
        total
    }

    fn into_canonical(mut self) -> Vec<f64> {
        let mut canonical = Vec::with_capacity(self.parts.len());
        while !self.parts.is_empty() {
            let leading = self.rounded();
            canonical.push(leading);
            self.add(-leading);
        }
        canonical
    }
}
