//! What families have learnt from rows, on the wire: parameters by name, lists of numbers.
//!
//! A list has one number for each column, or all numbers of all columns one after another and a list of how
//! many each has; which ones a family has it says itself ([`Variant::lists`](nb_variants::Variant::lists)).

use nb_core::description::Value;
use nb_variants::{LearntError, LearntList};

use super::family::{FamilyProblem, ParameterDocument, ValueDocument};
use crate::Family;

/// The parameters that have what the family has learnt.
pub(super) fn parameters(family: &Family) -> Vec<ParameterDocument> {
    let Some(variant) = family.variant() else { return Vec::new() };
    let mut all = Vec::new();
    let mut push = |name: &str, numbers| {
        all.push(ParameterDocument { name: name.into(), value: ValueDocument::Numbers(numbers) });
    };
    for (list, columns) in variant.lists().iter().zip(variant.learnt()) {
        if let Some((name, _)) = list.counts {
            push(name, columns.iter().map(|own| own.len() as f64).collect());
        }
        push(list.name, columns.into_iter().flatten().collect());
    }
    all
}

/// The family of this name with these parameters, if it is one that has learnt something.
pub(super) fn family(name: &str, parameters: &[ParameterDocument]) -> Result<Option<Family>, FamilyProblem> {
    let learnt = Family::learnt().into_iter().find(|family| family.description().name == name);
    let Some(mut family) = learnt else { return Ok(None) };
    let name = family.description().name;
    let lists = family.variant().map_or(&[][..], |variant| variant.lists());
    let is_of_list = |parameter: &str, list: &LearntList| {
        parameter == list.name || list.counts.is_some_and(|(name, _)| parameter == name)
    };
    let mut learnt = Vec::with_capacity(lists.len());
    for list in lists {
        let columns = columns(list, parameters);
        learnt.push(columns.map_err(|(list, must_be)| problem(name, list, must_be))?);
        if list.counts.is_none() && learnt[0].len() != learnt[learnt.len() - 1].len() {
            return Err(problem(name, list.name, list.must_be));
        }
    }
    for parameter in parameters {
        if !lists.iter().any(|list| is_of_list(&parameter.name, list)) {
            family.set(&parameter.name, &parameter.value.clone().into_value())?;
        }
    }
    if let Some(variant) = family.variant_mut() {
        variant.set_learnt(learnt).map_err(|error| match error {
            LearntError::Number { name: list, must_be } => problem(name, list, must_be),
            error => error.into(),
        })?;
    }
    Ok(Some(family))
}

/// The numbers of each column in a list, or the name of the list that is wrong and what it must be.
fn columns(
    list: &LearntList,
    parameters: &[ParameterDocument],
) -> Result<Vec<Vec<f64>>, (&'static str, &'static str)> {
    let numbers = |name: &'static str, must_be: &'static str| {
        let of_name = parameters.iter().find(|parameter| parameter.name == name);
        match of_name.map(|parameter| parameter.value.clone().into_value()) {
            Some(Value::Numbers(numbers)) => Ok(numbers),
            _ => Err((name, must_be)),
        }
    };
    let all = numbers(list.name, list.must_be)?;
    let Some((name_of_counts, must_be)) = list.counts else {
        return Ok(all.into_iter().map(|number| vec![number]).collect());
    };
    let mut rest = all.as_slice();
    let mut columns = Vec::new();
    for count in numbers(name_of_counts, must_be)? {
        if count.fract() != 0.0 || !(0.0..=rest.len() as f64).contains(&count) {
            return Err((name_of_counts, must_be));
        }
        let (own, others) = rest.split_at(count as usize);
        columns.push(own.to_vec());
        rest = others;
    }
    if rest.is_empty() { Ok(columns) } else { Err((list.name, list.must_be)) }
}

fn problem(family: &'static str, name: &'static str, must_be: &'static str) -> FamilyProblem {
    FamilyProblem::Learnt { family, name, must_be }
}
