//! What the machine allows, measured in the same run: bytes read, multiply-adds, compensated terms and table
//! increments per second.
//!
//! The widest vectors are found out when the program runs, as a library must find them out, and not chosen
//! when it is compiled.

use std::{hint::black_box, io::BufRead, thread, time::Instant};

use serde_json::json;

use crate::{serve::answer, usage::Usage};

#[cfg(target_arch = "x86_64")]
mod x86;

/// What a measurement takes at least, in seconds.
const TURN: f64 = 0.1;

/// Answers `read BYTES THREADS`, `multiply-adds`, `single-multiply-adds`, `compensated-terms` and
/// `increments` with rates per second.
pub(crate) fn serve() -> Result<(), String> {
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|error| error.to_string())?;
        let words: Vec<&str> = line.split(' ').collect();
        let rate = match words[..] {
            ["read", bytes, threads] => {
                let bytes: usize = bytes.parse().map_err(|_| "a number of bytes")?;
                read(bytes, threads == "2")
            }
            ["multiply-adds"] => multiply_adds(false),
            ["single-multiply-adds"] => multiply_adds(true),
            ["compensated-terms"] => compensated_terms(),
            ["increments"] => increments(),
            _ => return Err(format!("there is no limit {line:?}")),
        };
        answer(&json!({"rate": rate}));
    }
    Ok(())
}

/// How often something can be done in a second: repeated until a turn is full. One thread is timed by its
/// processor time, so that other work on the machine counts as little as possible; two are timed by the
/// clock.
fn rate(amount: f64, two_threads: bool, mut work: impl FnMut()) -> f64 {
    work();
    let (mut repeats, mut seconds) = (1_u32, 0.0);
    while seconds < TURN {
        let start = Instant::now();
        let (usage, ()) = Usage::of(repeats, &mut work);
        let each = if two_threads {
            start.elapsed().as_secs_f64() / f64::from(repeats)
        } else {
            usage.user + usage.system
        };
        seconds = each * f64::from(repeats);
        if seconds >= TURN {
            return amount / each;
        }
        repeats = repeats.saturating_mul(2);
    }
    f64::NAN
}

fn read(bytes: usize, two_threads: bool) -> f64 {
    let data = vec![1.0_f64; (bytes / 8).max(64)];
    let (low, high) = data.split_at(data.len() / 2);
    rate(8.0 * data.len() as f64, two_threads, || {
        if two_threads {
            thread::scope(|scope| {
                let other = scope.spawn(|| black_box(sum(high)));
                black_box(sum(low));
                other.join().ok();
            });
        } else {
            black_box(sum(black_box(&data)));
        }
    })
}

/// Multiply-adds in double or in single precision.
fn multiply_adds(single: bool) -> f64 {
    const ROUNDS: usize = 1 << 16;
    let amount =
        |sums: usize, doubles: usize| (ROUNDS * sums * doubles) as f64 * if single { 2.0 } else { 1.0 };
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            let work = if single { x86::single_multiply_adds_512 } else { x86::multiply_adds_512 };
            #[expect(unsafe_code, reason = "the processor was asked")]
            // SAFETY: the processor has AVX-512F, as has just been found out.
            return rate(amount(16, 8), false, || unsafe { work(ROUNDS) });
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            let work = if single { x86::single_multiply_adds_256 } else { x86::multiply_adds_256 };
            #[expect(unsafe_code, reason = "the processor was asked")]
            // SAFETY: the processor has AVX2 and FMA, as has just been found out.
            return rate(amount(12, 4), false, || unsafe { work(ROUNDS) });
        }
    }
    rate(amount(1, 8), false, || {
        if single {
            black_box(multiplied_and_added(black_box([0.5_f32; 16]), ROUNDS, |sum| sum * 0.5 + 1.0));
        } else {
            black_box(multiplied_and_added(black_box([0.5_f64; 8]), ROUNDS, |sum| sum * 0.5 + 1.0));
        }
    })
}

fn multiplied_and_added<T: Copy, const N: usize>(
    mut sums: [T; N],
    rounds: usize,
    step: impl Fn(T) -> T,
) -> [T; N] {
    for _ in 0..rounds {
        for sum in &mut sums {
            *sum = step(*sum);
        }
    }
    sums
}

/// Number of terms added up plainly before they go to a compensated sum, as nb-core does it.
const BUNDLE: usize = 8;

/// Number of classes summed together.
const CLASSES: usize = 2;

/// Number of vectors of values of a column.
#[cfg(target_arch = "x86_64")]
const VECTORS: usize = 2;

/// Numbers in the nearest cache, of which terms `(x - μ)² / 2v` are made.
struct Terms<const VALUES: usize> {
    bundles: Vec<[Column<VALUES>; BUNDLE]>,
}

/// Some values of a column, at the start of a line of the cache, and the column's `μ` and `1 / 2v` of each
/// class.
#[derive(Clone, Copy)]
#[repr(align(64))]
struct Column<const VALUES: usize> {
    values: [f64; VALUES],
    classes: [[f64; 2]; CLASSES],
}

impl<const VALUES: usize> Terms<VALUES> {
    fn new() -> Self {
        const BUNDLES: usize = 8;
        let column = black_box(Column { values: [1.0; VALUES], classes: [[0.5, 0.1]; CLASSES] });
        Self { bundles: vec![[column; BUNDLE]; BUNDLES] }
    }

    fn n_terms(&self) -> f64 {
        (self.bundles.len() * BUNDLE * VALUES * CLASSES) as f64
    }
}

/// Terms `(x - μ)² / 2v` and the compensated sums (Dekker 1971) of their bundles: four and a half operations
/// each, of which a processor with adders beside its multipliers does more at a time than multiply-adds.
fn compensated_terms() -> f64 {
    const ROUNDS: usize = 1 << 10;
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            let terms = Terms::new();
            #[expect(unsafe_code, reason = "the processor was asked")]
            // SAFETY: the processor has AVX-512F, as has just been found out.
            return rate(ROUNDS as f64 * terms.n_terms(), false, || unsafe {
                x86::terms_512(&terms, ROUNDS);
            });
        }
        if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
            let terms = Terms::new();
            #[expect(unsafe_code, reason = "the processor was asked")]
            // SAFETY: the processor has AVX2 and FMA, as has just been found out.
            return rate(ROUNDS as f64 * terms.n_terms(), false, || unsafe {
                x86::terms_256(&terms, ROUNDS);
            });
        }
    }
    let terms = Terms::<8>::new();
    rate(ROUNDS as f64 * terms.n_terms(), false, || {
        for _ in 0..ROUNDS {
            let mut sums = [[(-1e6, 0.0); 8]; CLASSES];
            for bundle in black_box(&terms.bundles) {
                let mut totals = [[0.0; 8]; CLASSES];
                for Column { values, classes } in bundle {
                    for (totals, [mean, factor]) in totals.iter_mut().zip(classes) {
                        for (total, value) in totals.iter_mut().zip(values) {
                            let difference = value - mean;
                            *total += difference * difference * factor;
                        }
                    }
                }
                for ((sum, low), total) in sums.as_flattened_mut().iter_mut().zip(totals.as_flattened()) {
                    let next = *sum - total;
                    *low += (*sum - next) - total;
                    *sum = next;
                }
            }
            black_box(sums);
        }
    })
}

/// Counting categories: one increment of a table in the first-level cache after the other.
fn increments() -> f64 {
    const TABLE: usize = 512;
    let mut random = benches::SplitMix::new(3);
    let codes: Vec<u16> = (0..1 << 14).map(|_| (random.bits() % TABLE as u64) as u16).collect();
    let mut table = [0_u32; TABLE];
    rate(codes.len() as f64, false, || {
        for &code in black_box(&codes) {
            let count = &mut table[usize::from(code) % TABLE];
            *count = count.wrapping_add(1);
        }
        black_box(&mut table);
    })
}

/// The sum of all numbers, which is the least that reading them can be.
fn sum(data: &[f64]) -> f64 {
    #[cfg(target_arch = "x86_64")]
    {
        if is_x86_feature_detected!("avx512f") {
            #[expect(unsafe_code, reason = "the processor was asked")]
            // SAFETY: the processor has AVX-512F, as has just been found out.
            return unsafe { x86::sum_512(data) };
        }
        if is_x86_feature_detected!("avx2") {
            #[expect(unsafe_code, reason = "the processor was asked")]
            // SAFETY: the processor has AVX2, as has just been found out.
            return unsafe { x86::sum_256(data) };
        }
    }
    sum_in_lanes(data)
}

/// Several independent sums, so that no addition waits for the one before.
#[inline(always)]
fn sum_in_lanes(data: &[f64]) -> f64 {
    let mut sums = [0.0; 64];
    let (blocks, rest) = data.as_chunks::<64>();
    for block in blocks {
        for (sum, value) in sums.iter_mut().zip(block) {
            *sum += value;
        }
    }
    sums.iter().chain(rest).sum()
}
