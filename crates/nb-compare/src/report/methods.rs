//! What was done, ready to be cited.

use std::collections::BTreeSet;

use nb_core::description::Described;
use nb_report::{Block, List, Section, Text};
use nb_variants::Grouped;

use crate::{
    Analysis, Comparison, Data, Design, Learner, Plan, SmoothingChoice, SplitBy,
    method::{CategoryModel, ColumnModel, Discretisation, LearntModel},
};

pub(super) fn section(analysis: &Analysis<'_>) -> Section {
    let design = &analysis.comparison.design;
    let mut section = Section::new("methods", "Methods");
    section.blocks.push(Block::Quotation(paragraph(analysis).into()));
    section.push("The variants, with all options:");
    let items = design.variants.iter().map(|variant| {
        let options = toml::to_string(variant).unwrap_or_default();
        let options = options.lines().filter(|line| !line.starts_with("name ")).collect::<Vec<_>>();
        let calibration = if variant.calibration.is_some() { ", calibrated" } else { "" };
        Text::default()
            .strong(&variant.name)
            .plain(format!(": {}{calibration} ", meaning(&variant.learner)))
            .code(options.join("; "))
    });
    section.push(List { items: items.collect(), ..List::default() });
    if uses_bins(design, &[Discretisation::Modl]) {
        section.push(
            "Bins of MODL are the most probable ones, but those of a greedy search in columns of more than about 4,000 \
             different values.",
        );
    }
    section.push("The measures:");
    let items = analysis
        .measures()
        .into_iter()
        .map(|measure| Text::default().strong(measure.title()).plain(format!(": {}", measure.definition())));
    section.push(List { items: items.collect(), ..List::default() });
    section.push("References:");
    let items = references(design).into_iter().map(Text::from).collect();
    section.push(List { items, ..List::default() });
    section
}

/// How rows were split.
fn splits(plan: Plan) -> String {
    let times = |repeats: usize| match repeats {
        1 => String::new(),
        n => format!(", {n} times"),
    };
    match plan {
        Plan::CrossValidation { folds, repeats } => {
            format!("stratified {folds}-fold cross-validation{}", times(repeats))
        }
        Plan::LeaveOneOut {} => "leave-one-out cross-validation".into(),
        Plan::HeldOut { test, repeats } => {
            format!("stratified splits that hold out {:.4} % of the rows{}", 100.0 * test, times(repeats))
                .replace(".0000 %", " %")
        }
    }
}

#[expect(clippy::too_many_lines, reason = "a paragraph, sentence by sentence")]
fn paragraph(analysis: &Analysis<'_>) -> String {
    let design = &analysis.comparison.design;
    let names: Vec<&str> = design.variants.iter().map(|variant| variant.name.as_str()).collect();
    let n_sets = analysis.comparison.data.len();
    let mut sentences = vec![
        format!(
            "We compared {} on {n_sets} {} by {}; all variants were trained and tested on the same splits (seed {}).",
            list(&names),
            if n_sets == 1 { "data set" } else { "data sets" },
            all_splits(analysis.comparison),
            design.seed,
        ),
        own_splits(&analysis.comparison.data),
        "What is learnt from data before a model (cut points, grids, powers, scales, vocabularies, calibration) was \
         learnt from the training rows of each split alone; levels of categories are declared, not learnt."
            .into(),
        "Naive Bayes leaves missing cells out, in training and in answers.".into(),
    ];
    if design.variants.iter().any(|variant| matches!(variant.learner, Learner::Logistic { .. })) {
        sentences.push(
            "For logistic regression numbers and counts of columns were standardised, a missing one replaced by the mean with \
             an indicator beside it, and categories coded by indicators; counts of terms of documents and texts were taken as they are."
                .into(),
        );
    }
    sentences.extend(design.variants.iter().filter_map(|variant| {
        let tune = variant.tune.as_ref()?;
        Some(format!(
            "{} was tuned by {} over {} folds of the training rows of each split (nested cross-validation, Varma and Simon 2006).",
            variant.name,
            tune.by.title(),
            tune.folds
        ))
    }));
    if design.variants.iter().any(|variant| variant.calibration.is_some()) {
        let scores = "scores of the training rows from five-fold cross-validation";
        sentences.push(format!("Calibration was fitted to {scores}."));
    }
    let data = &analysis.comparison.data;
    // Where each fold is one row.
    let pooled: Vec<&str> =
        data.iter().filter(|data| data.splits.folds == data.n_rows).map(|data| data.name.as_str()).collect();
    let is_pooled = pooled.len() == data.len();
    if is_pooled {
        sentences.push("Measures are those of all tested rows together.".into());
    } else {
        sentences.push(
            "Measures were computed on each fold and averaged; the calibration error, and a measure that some fold does not \
             have (the AUC of a fold with one class), was computed from all tested rows of a repeat together."
                .into(),
        );
    }
    if !is_pooled && !pooled.is_empty() {
        sentences.push(format!(
            "On {}, where a fold is one row, they are those of all tested rows together, compared by McNemar's test.",
            list(&pooled)
        ));
    }
    if let Some(positive) = &design.positive {
        sentences.push(format!("The positive class is {positive}."));
    }
    if let Some(coverage) = design.coverage {
        sentences.push(format!(
            "Prediction sets were made for a coverage of {coverage}, those of each fold by the rows tested in the other folds of the repeat."
        ));
    }
    if let Some(protected) = &design.protected {
        sentences.push(format!("Measures of fairness compare the groups of {protected}."));
    }
    sentences.push(exploratory(design));
    sentences.push(if is_pooled {
        "On each data set pairs of variants were compared by McNemar's test (mid-p-value).".into()
    } else {
        "On each data set pairs of variants were compared by the corrected resampled t-test (Nadeau and Bengio 2003) and, \
         on the labels of the first repeat, by McNemar's test (mid-p-value)."
            .into()
    });
    if analysis.pairs.iter().flatten().any(|pair| pair.five_by_two.is_some()) {
        sentences.push("The combined 5×2 cross-validated F test (Alpaydin 1999) is given beside it.".into());
    }
    if analysis.ranking().is_some() {
        sentences.push(format!(
            "Over all data sets variants were ranked by {} and compared by Friedman's test with Nemenyi's as post-hoc \
             test, by tests of rank differences adjusted by Holm's procedure, and in pairs by Wilcoxon's signed-rank \
             test (Demšar 2006).",
            design.measure.title()
        ));
    }
    if !analysis.practical().outcomes.is_empty() {
        sentences.push(format!(
        "The probabilities that a variant is worse than the baseline, practically equal (a difference of at most {}) and better are those of \
         the Bayesian correlated t-test and, over data sets, the Bayesian signed-rank test (Benavoli, Corani, Demšar and Zaffalon 2017) and the Bayesian hierarchical test (Corani, \
         Benavoli, Demšar, Mangili and Zaffalon 2017).",
        design.region
    ));
    }
    sentences.push(format!(
        "The significance level was {}. All computations were done with {}.",
        design.alpha,
        analysis.comparison.made.by()
    ));
    sentences.retain(|sentence| !sentence.is_empty());
    sentences.join(" ")
}

/// What is concluded from one measure, and what the others are for.
pub(super) fn exploratory(design: &Design) -> String {
    format!(
        "The primary measure is {}; tests by other measures are exploratory, as their p-values are not adjusted for the number of measures.",
        design.measure.title()
    )
}

/// How the data sets are split.
pub(super) fn all_splits(comparison: &Comparison) -> String {
    if comparison.data.iter().all(|data| data.splits.by == SplitBy::Given) {
        "splits that came with the data".into()
    } else {
        splits(comparison.design.plan)
    }
}

/// Which data sets are split in another way than the design says.
pub(super) fn own_splits(data: &[Data]) -> String {
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let own = data.iter().filter_map(|data| {
        let splits = &data.splits;
        let by = match &splits.by {
            SplitBy::Plan => return None,
            SplitBy::Groups { column, groups } => {
                format!("the {groups} groups of column {column} stay whole")
            }
            SplitBy::Given => "they are given".to_owned(),
        };
        let (folds, repeats) = (count(splits.folds, "fold"), count(splits.repeats, "repeat"));
        Some(format!("Of the splits of {}: {by} ({folds}, {repeats}).", data.name))
    });
    own.collect::<Vec<_>>().join(" ")
}

fn list(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [some @ .., last] => format!("{} and {last}", some.join(", ")),
    }
}

fn meaning(learner: &Learner) -> String {
    let name = match learner {
        Learner::Dependent(choice) => return choice.described().0,
        Learner::NaiveBayes { categories: CategoryModel::Grouped, .. } => {
            "naive Bayes on groups of categories"
        }
        Learner::NaiveBayes { .. } => "naive Bayes",
        Learner::Refined { weights_only: true, .. } => {
            "naive Bayes on bins and categories, weighted by conditional likelihood"
        }
        Learner::Refined { pairs: 1.., .. } => {
            "naive Bayes on bins and categories, weighted and corrected by conditional likelihood, with corrections of pairs of columns"
        }
        Learner::Refined { .. } => {
            "naive Bayes on bins and categories, weighted and corrected by conditional likelihood"
        }
        Learner::DirichletMultinomial { .. } => {
            "naive Bayes with Dirichlet-multinomial distributions of counts"
        }
        Learner::CountRatio { .. } => "logistic regression on log-count ratios",
        Learner::Answers(_) => "answers of another program, trained and tested by it on the same splits",
        Learner::Prior {} => "the class prior of the training rows, for every row",
        Learner::Private { .. } => {
            "naive Bayes from sums with noise (differential privacy), bounds of numbers from the training rows"
        }
        Learner::Wrong { .. } => "Gaussian naive Bayes computed wrongly on purpose",
        Learner::Logistic { .. } => "logistic regression with an L2 penalty",
    };
    name.into()
}

/// The works behind the families of a design.
fn of_families(design: &Design) -> BTreeSet<&'static str> {
    let mut all = BTreeSet::new();
    for variant in &design.variants {
        match &variant.learner {
            Learner::NaiveBayes { numeric, count, text, categories, .. } => {
                all.extend(numeric.iter().chain(count).chain(text).map(ColumnModel::source));
                if *categories == CategoryModel::Grouped {
                    all.insert(Grouped::describe().source);
                }
            }
            Learner::Dependent(choice) => {
                all.extend(choice.described().1);
                if choice.is_linear() {
                    all.insert("Cooper, Webb and Schmidt (2025). Efficient parameter estimation for Bayesian network classifiers using hierarchical linear smoothing. arXiv 2505.23320.");
                }
                if matches!(choice.parents, nb_io::Parents::Selective(_)) {
                    all.insert("Martínez, Webb, Chen and Zaidi (2016). Scalable learning of Bayesian network classifiers. Journal of Machine Learning Research 17(44).");
                }
                if matches!(choice.smoothing, SmoothingChoice::Hdp(_)) {
                    all.insert("Petitjean, Buntine, Webb and Zaidi (2018). Accurate parameter estimation for Bayesian network classifiers using hierarchical Dirichlet processes. Machine Learning 107, 1303-1331.");
                }
            }
            _ => {}
        }
    }
    all.remove("");
    all
}

/// Whether some numbers have bins by one of these rules.
fn uses_bins(design: &Design, rules: &[Discretisation]) -> bool {
    let is_one = |model: &ColumnModel| matches!(model, ColumnModel::Learnt(LearntModel::Binned { bins, .. }) if rules.contains(bins));
    design.variants.iter().any(|variant| match &variant.learner {
        Learner::NaiveBayes { numeric, count, .. } => numeric.iter().chain(count).any(is_one),
        Learner::Dependent(choice) => rules.contains(&choice.bins),
        _ => false,
    })
}

/// The works behind what a design uses, by author.
fn references(design: &Design) -> Vec<String> {
    let uses =
        |wanted: &dyn Fn(&Learner) -> bool| design.variants.iter().any(|variant| wanted(&variant.learner));
    let models = |wanted: fn(&ColumnModel) -> bool| {
        uses(&|learner| match learner {
            Learner::NaiveBayes { numeric, count, text, .. } => {
                numeric.iter().chain(count).chain(text).any(wanted)
            }
            _ => false,
        })
    };
    let mut all = vec![
        "Cohen (1960). A coefficient of agreement for nominal scales. Educational and Psychological Measurement 20, 37-46.",
        "Gorodkin (2004). Comparing two K-category assignments by a K-category correlation coefficient. Computational Biology and Chemistry 28, 367-374.",
        "Kohavi and Wolpert (1996). Bias plus variance decomposition for zero-one loss functions. ICML, 275-283.",
        "Matthews (1975). Comparison of the predicted and observed secondary structure of T4 phage lysozyme. Biochimica et Biophysica Acta 405, 442-451.",
        "Webb (2000). MultiBoosting: a technique for combining boosting and wagging. Machine Learning 40, 159-196.",
        "Benavoli, Corani, Demšar and Zaffalon (2017). Time for a change: a tutorial for comparing multiple classifiers through Bayesian analysis. Journal of Machine Learning Research 18(77).",
        "Benavoli, Mangili, Corani, Zaffalon and Ruggeri (2014). A Bayesian Wilcoxon signed-rank test based on the Dirichlet process. ICML, 1026-1034.",
        "Bouckaert and Frank (2004). Evaluating the replicability of significance tests for comparing learning algorithms. PAKDD.",
        "Corani and Benavoli (2015). A Bayesian approach for comparing cross-validated algorithms on multiple data sets. Machine Learning 100, 285-304.",
        "Demšar (2006). Statistical comparisons of classifiers over multiple data sets. Journal of Machine Learning Research 7, 1-30.",
        "Dunn (1961). Multiple comparisons among means. Journal of the American Statistical Association 56, 52-64.",
        "Fagerland, Lydersen and Laake (2013). The McNemar test for binary matched-pairs data. BMC Medical Research Methodology 13, 91.",
        "Guo, Pleiss, Sun and Weinberger (2017). On calibration of modern neural networks. ICML, 1321-1330.",
        "Kumar, Liang and Ma (2019). Verified uncertainty calibration. NeurIPS 32.",
        "Roelofs, Cain, Shlens and Mozer (2022). Mitigating bias in calibration error estimation. AISTATS, 4036-4054.",
        "Nadeau and Bengio (2003). Inference for the generalization error. Machine Learning 52, 239-281.",
        "Wilson (1927). Probable inference, the law of succession, and statistical inference. Journal of the American Statistical Association 22, 209-212.",
    ];
    if matches!(design.plan, Plan::CrossValidation { folds: 2, repeats: 5 }) {
        all.push("Alpaydin (1999). Combined 5 × 2 cv F test for comparing supervised classification learning algorithms. Neural Computation 11, 1885-1892.");
    }
    if uses(&|learner| matches!(learner, Learner::Private { .. })) {
        all.push("Canonne, Kamath and Steinke (2020). The discrete Gaussian for differential privacy. NeurIPS 33, 15676-15688.");
        all.push("Dwork, McSherry, Nissim and Smith (2006). Calibrating noise to sensitivity in private data analysis. TCC, 265-284.");
    }
    if design.coverage.is_some() {
        all.push("Sadinle, Lei and Wasserman (2019). Least ambiguous set-valued classifiers with bounded error levels. Journal of the American Statistical Association 114, 223-234.");
        all.push("Vovk (2015). Cross-conformal predictors. Annals of Mathematics and Artificial Intelligence 74, 9-28.");
        all.push("Vovk, Gammerman and Shafer (2005). Algorithmic learning in a random world. Springer.");
    }
    if design.protected.is_some() {
        all.push("Kleinberg, Mullainathan and Raghavan (2017). Inherent trade-offs in the fair determination of risk scores. ITCS, 43:1-43:23.");
        all.push(
            "Dwork, Hardt, Pitassi, Reingold and Zemel (2012). Fairness through awareness. ITCS, 214-226.",
        );
        all.push("Hardt, Price and Srebro (2016). Equality of opportunity in supervised learning. NIPS 29, 3315-3323.");
    }
    if design.predictions {
        all.push("Vickers and Elkin (2006). Decision curve analysis: a novel method for evaluating prediction models. Medical Decision Making 26, 565-574.");
        all.push("Drummond and Holte (2006). Cost curves: an improved method for visualizing classifier performance. Machine Learning 65, 95-130.");
    }
    if models(|model| matches!(model, ColumnModel::Learnt(LearntModel::Binned { .. })))
        || uses(&|learner| matches!(learner, Learner::Dependent(_) | Learner::Refined { .. }))
    {
        all.push("Dougherty, Kohavi and Sahami (1995). Supervised and unsupervised discretization of continuous features. ICML, 194-202.");
        all.push("Fayyad and Irani (1993). Multi-interval discretization of continuous-valued attributes for classification learning. IJCAI, 1022-1027.");
    }
    if uses_bins(design, &[Discretisation::Modl, Discretisation::ModlGreedy]) {
        all.push("Boullé (2006). MODL: a Bayes optimal discretization method for continuous attributes. Machine Learning 65, 131-165.");
    }
    all.extend(of_families(design));
    if uses(&|learner| matches!(learner, Learner::Refined { .. })) {
        all.push("Zaidi, Cerquides, Carman and Webb (2013). Alleviating naive Bayes attribute independence assumption by attribute weighting. Journal of Machine Learning Research 14, 1947-1988.");
    }
    if uses(&|learner| matches!(learner, Learner::Refined { weights_only: false, .. })) {
        all.push("Breiman (1996). Stacked regressions. Machine Learning 24, 49-64.");
        all.push("Eilers and Marx (1996). Flexible smoothing with B-splines and penalties. Statistical Science 11, 89-121.");
        all.push("Zaidi, Webb, Carman, Petitjean and Cerquides (2016). ALRn: accelerated higher-order logistic regression. Machine Learning 104, 151-194.");
    }
    if uses(&|learner| matches!(learner, Learner::Refined { weights_only: false, pairs: 1.., .. })) {
        all.push("Lengerich, Tan, Chang, Hooker and Caruana (2020). Purifying interaction effects with the functional ANOVA. AISTATS, 2402-2412.");
        all.push("Lou, Caruana, Gehrke and Hooker (2013). Accurate intelligible models with pairwise interactions. KDD, 623-631.");
    }
    if uses(&|learner| matches!(learner, Learner::DirichletMultinomial { .. })) {
        all.push("Madsen, Kauchak and Elkan (2005). Modeling word burstiness using the Dirichlet distribution. ICML, 545-552.");
    }
    if uses(&|learner| matches!(learner, Learner::CountRatio { .. })) {
        all.push("Wang and Manning (2012). Baselines and bigrams: simple, good sentiment and topic classification. ACL, 90-94.");
    }
    if design.variants.iter().any(|variant| variant.calibration.is_some()) {
        all.push("Platt (1999). Probabilistic outputs for support vector machines and comparisons to regularized likelihood methods. Advances in Large Margin Classifiers.");
        all.push("Zadrozny and Elkan (2002). Transforming classifier scores into accurate multiclass probability estimates. KDD, 694-699.");
    }
    if design.variants.iter().any(|variant| variant.tune.is_some()) {
        all.push("Varma and Simon (2006). Bias in error estimation when using cross-validation for model selection. BMC Bioinformatics 7, 91.");
    }
    all.sort_unstable();
    all.into_iter().map(str::to_owned).collect()
}
