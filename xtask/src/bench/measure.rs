//! The run: every contender is visited in shuffled turns, and medians are kept.

use std::{
    fs,
    process::{Command, Stdio},
    time::Instant,
};

use serde_json::Value;

use super::{
    Print,
    contenders::{CONTENDERS, OURS, OURS_2, Seat, with_threads},
    limits::Limits,
    options::Peers,
    setup::Setup,
    statistics::{Shuffle, median},
    workloads::{Meta, Operation, WORKLOADS, Workload},
};

/// What one operation took a contender: medians over turns, in seconds.
#[derive(Clone, Debug)]
pub(crate) struct Figures {
    /// Processor time outside the kernel.
    pub(crate) user: f64,
    /// Processor time inside the kernel.
    pub(crate) system: f64,
    /// Wall time.
    pub(crate) wall: f64,
    /// Page faults.
    pub(crate) faults: f64,
    /// What its answers are measured by, if it can be compared.
    pub(crate) check: Option<f64>,
    /// A digest of all bits of its answers.
    pub(crate) digest: Option<String>,
}

impl Figures {
    /// The figure that is compared.
    pub(crate) fn time(&self, operation: &Operation) -> f64 {
        if operation.kernel { self.user + self.system } else { self.user }
    }

    /// The same for a part of the work.
    fn divided(mut self, divisor: f64) -> Self {
        for time in [&mut self.user, &mut self.system, &mut self.wall, &mut self.faults] {
            *time /= divisor;
        }
        self
    }
}

/// What came of one operation.
#[derive(Debug)]
pub(crate) struct Outcome {
    /// The workload.
    pub(crate) workload: &'static Workload,
    /// The operation.
    pub(crate) operation: &'static Operation,
    /// What the machine allows at best, in seconds.
    pub(crate) least: Option<f64>,
    /// One entry per contender: figures, or why there are none.
    pub(crate) figures: Vec<Result<Figures, String>>,
}

/// What is done with all that there is after a workload.
pub(crate) type Keep<'a> = &'a mut dyn FnMut(&[Outcome], &Limits) -> Result<(), String>;

/// Runs all workloads that are asked for; `keep` is called after each with all that there is.
pub(crate) fn run(
    options: &Peers,
    setup: &Setup,
    limits: &mut Limits,
    print: Print<'_>,
    keep: Keep<'_>,
) -> Result<Vec<Outcome>, String> {
    let mut shuffle = Shuffle::new();
    let mut seats: Vec<Seat<'_>> = CONTENDERS.iter().map(|&contender| Seat::new(contender, setup)).collect();
    let mut outcomes = Vec::new();
    for workload in WORKLOADS.iter().filter(|workload| options.wants(workload.name)) {
        let meta = read_meta(setup, workload)?;
        for operation in workload.operations {
            print(&format!("{} {}", workload.name, operation.name));
            let mut figures = if workload.name == "O1" {
                processes(setup, options.runs, &mut shuffle)
            } else {
                turns(&mut seats, workload, operation, options.runs, &mut shuffle, &mut || {
                    limits.visit(operation.bound, &meta);
                })
            };
            let divisor = operation.per.divisor(&meta);
            figures = figures.into_iter().map(|figures| Ok(figures?.divided(divisor))).collect();
            let least = limits.least_seconds(operation.bound, &meta).map(|least| least / divisor);
            outcomes.push(Outcome { workload, operation, least, figures });
        }
        seats.iter_mut().for_each(Seat::drop_data);
        keep(&outcomes, limits)?;
    }
    Ok(outcomes)
}

fn read_meta(setup: &Setup, workload: &Workload) -> Result<Meta, String> {
    let file = setup.data.join(format!("{}.json", workload.data));
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", workload.data))?;
    serde_json::from_str(&text).map_err(|error| format!("{}: {error}", workload.data))
}

/// Between how many turns the machine's limits are measured again.
const LIMIT_VISITS: usize = 3;

/// Warms all contenders up, which also says how often each repeats the operation in a turn and how good its
/// answers are, then visits those that have the operation in shuffled order.
fn turns(
    seats: &mut [Seat<'_>],
    workload: &'static Workload,
    operation: &Operation,
    runs: usize,
    shuffle: &mut Shuffle,
    between: &mut dyn FnMut(),
) -> Vec<Result<Figures, String>> {
    let name = format!("{}:{}", workload.name, operation.name);
    let warm: Vec<Result<Value, String>> =
        seats.iter_mut().map(|seat| seat.turn(workload.data, &name, 0)).collect();
    let mut turns: Vec<Result<Vec<Value>, String>> =
        warm.iter().map(|warm| warm.clone().map(|_| Vec::new())).collect();
    for run in 0..runs {
        if run < LIMIT_VISITS {
            between();
        }
        for at in shuffle.order(seats.len()) {
            let (Ok(warm), Ok(done)) = (&warm[at], &mut turns[at]) else { continue };
            let repeats = warm.get("repeats").and_then(Value::as_u64).unwrap_or(1);
            match seats[at].turn(workload.data, &name, repeats) {
                Ok(turn) => done.push(turn),
                Err(reason) => turns[at] = Err(reason),
            }
        }
    }
    seats.iter_mut().for_each(Seat::end_operation);
    warm.iter().zip(turns).map(|(warm, turns)| Ok(figures(warm.as_ref().ok(), &turns?))).collect()
}

fn figures(warm: Option<&Value>, turns: &[Value]) -> Figures {
    let of = |key: &str| median(turns.iter().filter_map(|turn| turn.get(key).and_then(Value::as_f64)));
    let text = |key: &str| warm.and_then(|warm| warm.get(key)).and_then(Value::as_str);
    Figures {
        user: of("user"),
        system: of("system"),
        wall: of("wall"),
        faults: of("faults"),
        check: text("check").and_then(|check| check.parse().ok()),
        digest: text("digest").map(String::from),
    }
}

/// The workload whose contenders are whole processes: a CSV file to an accuracy.
fn processes(setup: &Setup, runs: usize, shuffle: &mut Shuffle) -> Vec<Result<Figures, String>> {
    let file = setup.data.join("G1.csv");
    let mut commands: Vec<Option<Command>> = CONTENDERS
        .iter()
        .map(|contender| {
            let mut command = match contender.key {
                "ours" | "ours-2" => Command::new(setup.programs.join("nb-bench-csv")),
                "sklearn" => {
                    let mut python = Command::new(&setup.python);
                    python.arg(setup.peers.join("pandas_csv.py"));
                    python
                }
                _ => return None,
            };
            with_threads(&mut command, if contender.key == "ours-2" { "2" } else { "1" });
            command.arg(&file).stderr(Stdio::null());
            Some(command)
        })
        .collect();
    let mut turns: Vec<Result<Vec<Value>, String>> = commands
        .iter()
        .map(|command| command.as_ref().map(|_| Vec::new()).ok_or("reads no such files here".into()))
        .collect();
    // The first turn warms the file cache up.
    for run in 0..=runs {
        for at in shuffle.order(commands.len()) {
            let (Some(command), Ok(done)) = (&mut commands[at], &mut turns[at]) else { continue };
            match process(command) {
                Ok(turn) if run > 0 => done.push(turn),
                Ok(_) => {}
                Err(reason) => turns[at] = Err(reason),
            }
        }
    }
    turns.into_iter().map(|turns| turns.map(|turns| figures(turns.first(), &turns))).collect()
}

fn process(command: &mut Command) -> Result<Value, String> {
    let start = Instant::now();
    let output = command.output().map_err(|error| error.to_string())?;
    let wall = start.elapsed().as_secs_f64();
    if !output.status.success() {
        return Err(format!("failed with {}", output.status));
    }
    let mut turn: Value = serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())?;
    turn["wall"] = wall.into();
    Ok(turn)
}

impl Outcome {
    /// The figures of a contender.
    pub(crate) fn of(&self, contender: usize) -> Option<&Figures> {
        self.figures.get(contender)?.as_ref().ok()
    }

    /// By how much a contender takes longer: processor time and wall time.
    pub(crate) fn ratios(&self, contender: usize) -> Option<(f64, f64)> {
        let (ours, other) = (self.of(OURS)?, self.of(contender)?);
        Some((other.time(self.operation) / ours.time(self.operation), other.wall / ours.wall))
    }

    /// How far a contender's answers are from ours, where that is more than rounding.
    pub(crate) fn disagreement(&self, contender: usize) -> Option<(f64, f64)> {
        const ROUNDING: f64 = 1e-6;
        // Sizes of files are not answers.
        if self.workload.name == "S1" {
            return None;
        }
        let (ours, other) = (self.of(OURS)?.check?, self.of(contender)?.check?);
        let near = (ours - other).abs() <= ROUNDING * ours.abs().max(ROUNDING);
        (!near && ours != other).then_some((ours, other))
    }

    /// Whether one and two threads gave the same bits; `None` where nothing was compared.
    pub(crate) fn threads_agree(&self) -> Option<bool> {
        let (one, two) = (self.of(OURS)?.digest.as_ref()?, self.of(OURS_2)?.digest.as_ref()?);
        Some(one == two)
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// An outcome of G1's fit: user time, wall time and check of each contender.
    pub(crate) fn outcome(figures: &[Option<(f64, f64, f64)>]) -> Outcome {
        let figures = figures.iter().map(|figures| match *figures {
            Some((user, wall, check)) => Ok(Figures {
                user,
                system: 0.5,
                wall,
                faults: 3.0,
                check: Some(check),
                digest: Some(check.to_string()),
            }),
            None => Err("is absent".into()),
        });
        Outcome {
            workload: &WORKLOADS[0],
            operation: &WORKLOADS[0].operations[0],
            least: Some(0.5),
            figures: figures.collect(),
        }
    }

    #[test]
    fn ratios_and_disagreements() {
        let outcome = outcome(&[Some((2.0, 2.0, 0.8)), Some((2.0, 1.0, 0.8)), Some((6.0, 8.0, 0.7)), None]);
        assert_eq!(outcome.ratios(2), Some((3.0, 4.0)));
        assert_eq!(outcome.ratios(3), None);
        assert_eq!(outcome.disagreement(1), None);
        assert_eq!(outcome.disagreement(2), Some((0.8, 0.7)));
        assert_eq!(outcome.threads_agree(), Some(true));
    }

    #[test]
    fn infinite_and_undefined_answers_disagree() {
        let check = |check| outcome(&[Some((1.0, 1.0, -0.5)), Some((1.0, 1.0, check))]).disagreement(1);
        assert!(check(f64::INFINITY).is_some());
        assert!(check(f64::NAN).is_some());
        assert!(check(-0.5 - 1e-9).is_none());
    }

    #[test]
    fn medians_are_taken_of_each_figure() {
        let turn = |user: f64| serde_json::json!({"user": user, "wall": 2.0 * user});
        let warm = serde_json::json!({"check": "0.5"});
        let figures = figures(Some(&warm), &[turn(3.0), turn(1.0), turn(2.0)]);
        assert_eq!((figures.user, figures.wall, figures.check), (2.0, 4.0, Some(0.5)));
    }
}
