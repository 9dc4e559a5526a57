//! A family that only passes calls on to another one passes on every method, for rows of every kind.

use std::{
    convert::Infallible,
    sync::{Arc, Mutex},
};

use nb_core::{
    CsrView, Density, FeatureModel, Likelihood, Rows, SufficientStats,
    error::{FamilyError, LayoutError, ValueError},
    exact::{Exact, ExactSums},
    family::{
        Accumulator, Block, ClassRows, ClassSums, Estimates, Interactions, Plan, Scores, SumForm, SumLayout,
        Weights,
    },
};
use ndarray::{Array2, array};
use rand::{Rng, TryRng};

/// A family that notes which of its methods are called, and with which rows.
#[derive(Clone, Debug, Default)]
pub struct Probe(Arc<Mutex<Vec<String>>>);

impl Probe {
    fn note(&self, call: impl Into<String>) {
        self.0.lock().expect("no other call panicked").push(call.into());
    }

    fn take(&self) -> Vec<String> {
        std::mem::take(&mut self.0.lock().expect("no other call panicked"))
    }
}

fn kind(rows: &Block<'_>) -> &'static str {
    match rows {
        Block::F64(_) => "f64",
        Block::F32(_) => "f32",
        Block::U8(_) => "u8",
        Block::Sparse(_) => "sparse",
        _ => "of a new kind",
    }
}

impl FeatureModel for Probe {
    type Fitted = Self;

    fn layout(&self, n_columns: usize) -> Result<SumLayout, LayoutError> {
        self.note(format!("layout of {n_columns}"));
        Ok(SumLayout::new("probe", [("sum", n_columns)]))
    }

    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.note(format!("check {}", kind(rows)));
        Ok(())
    }

    fn update(&self, rows: &Block<'_>, _: Weights<'_>, _: &mut [ExactSums]) {
        self.note(format!("update {}", kind(rows)));
    }

    fn accumulator(&self, _: usize) -> Option<Box<dyn Accumulator + '_>> {
        self.note("accumulator");
        Some(Box::new(ProbeAccumulator(self)))
    }

    fn fit(&self, _: &[ClassSums<'_>]) -> Result<Self, FamilyError> {
        self.note("fit");
        Ok(self.clone())
    }
}

struct ProbeAccumulator<'a>(&'a Probe);

impl Accumulator for ProbeAccumulator<'_> {
    fn add(&mut self, rows: &ClassRows<'_>) -> Result<bool, ValueError> {
        self.0.note(format!("add {}", kind(&rows.block())));
        Ok(true)
    }

    fn finish(&mut self, _: usize, _: &mut [ExactSums]) {
        self.0.note("finish");
    }

    fn plan(&self) -> Plan {
        self.0.note("plan");
        Plan::default()
    }
}

impl Likelihood for Probe {
    fn check(&self, rows: &Block<'_>) -> Result<(), ValueError> {
        self.note(format!("check fitted {}", kind(rows)));
        Ok(())
    }

    fn shape(&self) -> Option<(usize, usize)> {
        self.note("shape");
        None
    }

    fn is_additive(&self) -> bool {
        self.note("is_additive");
        true
    }

    fn interactions(&self) -> Option<&dyn Interactions> {
        self.note("interactions");
        None
    }

    fn log_likelihood(&self, _: usize, _: usize, _: f64) -> f64 {
        self.note("log_likelihood");
        0.0
    }

    fn score(&self, rows: &Block<'_>, _: &mut Scores<'_>) -> Result<(), ValueError> {
        self.note(format!("score {}", kind(rows)));
        Ok(())
    }

    fn estimate(&self, rows: &Block<'_>, _: &mut Estimates<'_>) -> bool {
        self.note(format!("estimate {}", kind(rows)));
        true
    }

    fn of_sums(&self) -> Option<&dyn SumForm> {
        self.note("of_sums");
        Some(self)
    }
}

impl SumForm for Probe {
    fn sum_layout(&self) -> Option<SumLayout> {
        self.note("sum_layout");
        None
    }

    fn log_likelihood_of_sums(&self, _: usize, _: &ClassSums<'_>) -> Option<f64> {
        self.note("log_likelihood_of_sums");
        None
    }
}

impl Density for Probe {
    fn sample(&self, _: usize, _: usize, _: &mut dyn Rng) -> f64 {
        self.note("sample");
        0.0
    }

    fn add_log_base_measure(&self, rows: &Block<'_>, _: &mut [f64]) {
        self.note(format!("add_log_base_measure {}", kind(rows)));
    }
}

/// Checks that what `wrap` makes of a family passes every call on to it, with the rows as they are stored.
///
/// # Panics
/// If a method is not passed on, with its name and the kind of rows.
pub fn check_forwarding<W: FeatureModel>(wrap: impl Fn(Probe) -> W) {
    let probe = Probe::default();
    let model = wrap(probe.clone());
    let expect = |calls: &[&str]| assert_eq!(probe.take(), calls, "calls that were passed on");
    probe.take();

    let layout = model.layout(2).expect("the probe has a layout");
    expect(&["layout of 2"]);
    let mut accumulator = model.accumulator(2).expect("the probe has an accumulator");
    accumulator.plan();
    let mut sums: Vec<_> = layout.parts.iter().map(|part| ExactSums::new(part.len)).collect();
    accumulator.finish(0, &mut sums);
    drop(accumulator);
    expect(&["accumulator", "plan", "finish"]);
    let weight = Exact::from(2.0);
    let class = ClassSums::new(&weight, &sums);
    let fitted = model.fit(&[class]).expect("the probe fits anything");
    expect(&["fit"]);

    fitted.shape();
    fitted.is_additive();
    fitted.interactions();
    fitted.log_likelihood(0, 0, 0.0);
    expect(&["shape", "is_additive", "interactions", "log_likelihood"]);
    let form = fitted.of_sums().expect("the probe has such a form");
    form.sum_layout();
    form.log_likelihood_of_sums(0, &class);
    expect(&["of_sums", "sum_layout", "log_likelihood_of_sums"]);

    each_kind(|kind, rows| {
        let block = rows.block(0..2).expect("rows are stored as a block");
        model.check(&block).expect("the probe takes anything");
        model.update(&block, Weights::Unit, &mut [ExactSums::new(2)]);
        expect(&[&format!("check {kind}"), &format!("update {kind}")]);
        Likelihood::check(&fitted, &block).expect("the probe takes anything");
        Scores::scratch(2, 1, |scores| fitted.score(&block, scores)).expect("the probe takes anything");
        assert!(Estimates::scratch(2, 1, |estimates| fitted.estimate(&block, estimates)));
        let names = ["check fitted", "score", "estimate"].map(|call| format!("{call} {kind}"));
        assert_eq!(probe.take(), names, "calls that were passed on");
        // Rows get to an accumulator by way of statistics.
        let mut stats = SufficientStats::new(&model, 2).expect("the probe has a layout");
        stats.update(&model, rows, &["a", "a"]).expect("the probe takes anything");
        let calls = probe.take();
        assert!(
            calls.contains(&format!("add {kind}")),
            "rows of {kind} were not added as they are: {calls:?}"
        );
    });
}

/// Checks the same of the methods that only densities have.
///
/// # Panics
/// If a method is not passed on, with its name and the kind of rows.
pub fn check_forwarding_of_density<W: FeatureModel>(wrap: impl Fn(Probe) -> W)
where
    W::Fitted: Density,
{
    check_forwarding(&wrap);
    let probe = Probe::default();
    let fitted = wrap(probe.clone()).fit(&[]).expect("the probe fits anything");
    probe.take();
    fitted.sample(0, 0, &mut Zeros);
    assert_eq!(probe.take(), ["sample"]);
    each_kind(|kind, rows| {
        let block = rows.block(0..2).expect("rows are stored as a block");
        fitted.add_log_base_measure(&block, &mut [0.0; 2]);
        assert_eq!(probe.take(), [format!("add_log_base_measure {kind}")]);
    });
}

/// A generator for a family that draws nothing.
struct Zeros;

impl TryRng for Zeros {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        Ok(0)
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        Ok(0)
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        bytes.fill(0);
        Ok(())
    }
}

/// Calls `visit` with two rows of every kind that a block can have.
fn each_kind(visit: impl Fn(&str, &dyn Rows)) {
    let table: Array2<f64> = array![[1.0, 0.0], [2.0, 1.0]];
    visit("f64", &table);
    visit("f32", &table.mapv(|cell| cell as f32));
    visit("u8", &table.mapv(|cell| cell as u8));
    let sparse = CsrView::new(2, &[0_usize, 1, 3], &[0, 0, 1], &[1.0, 2.0, 1.0]);
    visit("sparse", &sparse.expect("a valid table"));
}
