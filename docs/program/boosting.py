"""Gradient boosting of scikit-learn on the splits of nbayes compare: wine.csv and splits.csv to boosting.csv."""

import pandas as pd
from sklearn.ensemble import HistGradientBoostingClassifier

data, splits = pd.read_csv("wine.csv"), pd.read_csv("splits.csv")
label = "cultivar"
x, y = data.drop(columns=label), data[label]
answers = []
for (repeat, fold), tested in splits.groupby(["repeat", "fold"]):
    rows = tested["row"]
    train = y.index.difference(rows)
    model = HistGradientBoostingClassifier(random_state=0).fit(x.loc[train], y[train])
    p = pd.DataFrame(model.predict_proba(x.loc[rows]), columns=model.classes_, index=rows)
    # A class without training rows has probability 0.
    p = p.reindex(columns=sorted(y.unique()), fill_value=0.0)
    answers.append(p.add_prefix("p(").add_suffix(")").assign(repeat=repeat, fold=fold, label=y[rows]))
pd.concat(answers).rename_axis("row").to_csv("boosting.csv")
