//! What families have learnt from rows, on the wire: parameters by name, one number per column.

use nb_core::description::Value;
use nb_variants::{Codings, Cuts, Grid, Kdb, KernelDensity, PairCounts, Transform, Transformed, Units};

use super::family::{FamilyProblem, ParameterDocument, ValueDocument};
use crate::Family;

/// Where the transforms of a power are stored as numbers.
const IDENTITY: f64 = 0.0;
const LOG: f64 = 1.0;
const BOX_COX: f64 = 2.0;
const YEO_JOHNSON: f64 = 3.0;

const CUT_COUNTS: &str = "cut_counts";
const CUTS: &str = "cuts";
const PARENT_COUNTS: &str = "parent_counts";
const PARENTS: &str = "parents";

/// The parameters that have what the family has learnt.
pub(super) fn parameters(family: &Family) -> Vec<ParameterDocument> {
    let named = |(name, numbers): (&str, Vec<f64>)| ParameterDocument {
        name: name.into(),
        value: ValueDocument::Numbers(numbers),
    };
    match family {
        Family::Kernel(kernel) => {
            let of_grids = |number: fn(&Grid) -> f64| kernel.grids.iter().map(number).collect();
            let all = [
                ("origins", of_grids(Grid::origin)),
                ("steps", of_grids(Grid::step)),
                ("points", of_grids(|grid| grid.n_points() as f64)),
            ];
            all.into_iter().map(named).collect()
        }
        Family::Power(power) => {
            let (kinds, powers) = power.transforms.iter().map(numbers).unzip();
            let of_units = |number: fn(&Units) -> f64| power.units.iter().map(number).collect();
            let all = [
                ("transforms", kinds),
                ("powers", powers),
                ("centers", of_units(|units| units.center)),
                ("scales", of_units(|units| units.scale)),
            ];
            all.into_iter().map(named).collect()
        }
        family => {
            let Some(counts) = family.pair_counts() else { return Vec::new() };
            let cuts = counts.codings.cuts();
            let columns = (0..cuts.n_columns()).map(|column| cuts.column(column));
            let mut all = vec![
                (CUT_COUNTS, columns.clone().map(|cuts| cuts.len() as f64).collect()),
                (CUTS, columns.flatten().copied().collect()),
            ];
            if let Family::Kdb(kdb) = family {
                let parents = kdb.parents();
                all.push((PARENT_COUNTS, parents.iter().map(|own| own.len() as f64).collect()));
                all.push((PARENTS, parents.iter().flatten().map(|&parent| parent as f64).collect()));
            }
            all.into_iter().map(named).collect()
        }
    }
}

/// The family of this name with these parameters, if it is one that has learnt something.
pub(super) fn family(name: &str, parameters: &[ParameterDocument]) -> Result<Option<Family>, FamilyProblem> {
    let learnt = Family::learnt().into_iter().find(|family| family.description().name == name);
    let mut family = match learnt {
        Some(family @ (Family::Kernel(_) | Family::Power(_))) => family,
        Some(family) if family.pair_counts().is_some() => return of_pairs(family, parameters).map(Some),
        _ => return Ok(None),
    };
    let is_kernel = matches!(family, Family::Kernel(_));
    let own: &[&'static str] = if is_kernel {
        &["origins", "steps", "points"]
    } else {
        &["transforms", "powers", "centers", "scales"]
    };
    let numbers = |name: &'static str| -> Result<&Vec<f64>, FamilyProblem> {
        let of_name = parameters.iter().find(|parameter| parameter.name == name);
        match of_name.map(|parameter| &parameter.value) {
            Some(ValueDocument::Numbers(numbers)) => Ok(numbers),
            _ => Err(problem(is_kernel, name, "one number per column")),
        }
    };
    let columns = own.iter().map(|name| numbers(name)).collect::<Result<Vec<_>, _>>()?;
    if let Some(place) = columns.iter().position(|numbers| numbers.len() != columns[0].len()) {
        return Err(problem(is_kernel, own[place], "one number per column"));
    }
    let rows =
        (0..columns[0].len()).map(|column| columns.iter().map(|all| all[column]).collect::<Vec<f64>>());
    match &mut family {
        Family::Kernel(KernelDensity { grids, .. }) => {
            *grids = rows.map(|of| grid(&of)).collect::<Result<_, _>>()?;
        }
        Family::Power(Transformed { transforms, units, .. }) => {
            for of_column in rows {
                transforms.push(transform(of_column[0], of_column[1])?);
                units.push(Units { center: of_column[2], scale: of_column[3] });
            }
        }
        _ => {}
    }
    for parameter in parameters.iter().filter(|parameter| !own.contains(&parameter.name.as_str())) {
        let value: Value = parameter.value.clone().into_value();
        family.set(&parameter.name, &value)?;
    }
    Ok(Some(family))
}

/// A family of pairs: how many cut points each column has, and all of them one after another; the same of parents, if it has them.
fn of_pairs(mut family: Family, parameters: &[ParameterDocument]) -> Result<Family, FamilyProblem> {
    let name = family.description().name;
    let mut lists: Vec<(&str, Vec<f64>)> = Vec::new();
    for parameter in parameters {
        let value = parameter.value.clone().into_value();
        match value {
            Value::Numbers(numbers) if LISTS.iter().any(|(own, _)| *own == parameter.name) => {
                lists.push((&parameter.name, numbers));
            }
            value => family.set(&parameter.name, &value)?,
        }
    }
    let list = |name_of_list: &'static str| -> Result<Vec<f64>, FamilyProblem> {
        let found = lists.iter().find(|(name, _)| *name == name_of_list);
        found.map(|(_, numbers)| numbers.clone()).ok_or_else(|| wrong(name, name_of_list))
    };
    let columns = of_columns(name, (CUT_COUNTS, &list(CUT_COUNTS)?), (CUTS, &list(CUTS)?))?;
    let Some(counts) = family.pair_counts().cloned() else { return Ok(family) };
    let codings = Codings::new(counts.codings.n_categories().to_vec(), Cuts::new(columns)?)?;
    let counts = PairCounts { codings, ..counts };
    let Family::Kdb(kdb) = family else { return Ok(family.with_pair_counts(counts)?) };
    let parents = of_columns(name, (PARENT_COUNTS, &list(PARENT_COUNTS)?), (PARENTS, &list(PARENTS)?))?;
    let place = |number: f64| {
        let is_place = number.fract() == 0.0 && (0.0..1e9).contains(&number);
        is_place.then_some(number as usize).ok_or_else(|| wrong(name, PARENTS))
    };
    let parents = parents.into_iter().map(|own| own.into_iter().map(place).collect());
    let new = Kdb::new(counts, parents.collect::<Result<_, _>>()?)?;
    Ok(Family::Kdb(match kdb.hierarchical() {
        Some(smoothing) => new.with_hierarchical(smoothing),
        None => new,
    }))
}

/// The lists of families of pairs, and what each must be.
const LISTS: [(&str, &str); 4] = [
    (CUT_COUNTS, "the number of cut points of each column"),
    (CUTS, "the cut points of all columns"),
    (PARENT_COUNTS, "the number of parents of each column"),
    (PARENTS, "the parents of all columns"),
];

fn wrong(family: &'static str, name: &'static str) -> FamilyProblem {
    let must_be = LISTS.iter().find(|(own, _)| *own == name).map_or("", |(_, must_be)| must_be);
    FamilyProblem::Learnt { family, name, must_be }
}

/// The numbers of each column, of which there are all in one list, and how many each column has in another.
fn of_columns(
    family: &'static str,
    (name_of_counts, counts): (&'static str, &[f64]),
    (name, numbers): (&'static str, &[f64]),
) -> Result<Vec<Vec<f64>>, FamilyProblem> {
    let mut rest = numbers;
    let mut columns = Vec::with_capacity(counts.len());
    for &count in counts {
        if count.fract() != 0.0 || !(0.0..=rest.len() as f64).contains(&count) {
            return Err(wrong(family, name_of_counts));
        }
        let (own, others) = rest.split_at(count as usize);
        columns.push(own.to_vec());
        rest = others;
    }
    if rest.is_empty() { Ok(columns) } else { Err(wrong(family, name)) }
}

fn problem(is_kernel: bool, name: &'static str, must_be: &'static str) -> FamilyProblem {
    FamilyProblem::Learnt { family: if is_kernel { "kernel" } else { "power" }, name, must_be }
}

fn grid(of_column: &[f64]) -> Result<Grid, FamilyProblem> {
    let points = of_column[2];
    if !(points.fract() == 0.0 && (0.0..1e9).contains(&points)) {
        return Err(problem(true, "points", "whole numbers"));
    }
    Ok(Grid::new(of_column[0], of_column[1], points as usize)?)
}

/// A transform as the number of its kind and its power.
fn numbers(transform: &Transform) -> (f64, f64) {
    match *transform {
        Transform::Identity => (IDENTITY, 1.0),
        Transform::Log => (LOG, 0.0),
        Transform::BoxCox { lambda } => (BOX_COX, lambda),
        Transform::YeoJohnson { lambda } => (YEO_JOHNSON, lambda),
    }
}

fn transform(kind: f64, lambda: f64) -> Result<Transform, FamilyProblem> {
    let all = [
        (IDENTITY, Transform::Identity),
        (LOG, Transform::Log),
        (BOX_COX, Transform::BoxCox { lambda }),
        (YEO_JOHNSON, Transform::YeoJohnson { lambda }),
    ];
    let found = all.into_iter().find(|(own, _)| *own == kind);
    found.map(|(_, transform)| transform).ok_or_else(|| problem(false, "transforms", "0, 1, 2 or 3"))
}
