"""A classifier of Weka on the splits of nbayes compare: python weka.py data.arff splits.csv answers.csv CLASSIFIER [OPTION...]

weka.jar is in the current folder. The class is the last attribute, and its values are the labels of the splits.
"""

import csv
import subprocess
import sys
from collections import defaultdict

data, splits, answers, *classifier = sys.argv[1:]
REMOVE = "weka.filters.unsupervised.instance.RemoveRange"
PREDICTIONS = "weka.classifiers.evaluation.output.prediction.CSV -distribution -decimals 17 -file weka-fold.csv"


def weka(*arguments):
    subprocess.run(["java", "-cp", "weka.jar", *arguments], check=True, stdout=subprocess.DEVNULL)


tested = defaultdict(list)
with open(splits, newline="") as file:
    for line in csv.DictReader(file):
        tested[line["repeat"], line["fold"]].append(int(line["row"]))

lines, classes = [], {}
for (repeat, fold), rows in tested.items():
    numbers = ",".join(str(row + 1) for row in rows)  # Weka counts from 1
    weka(REMOVE, "-R", numbers, "-i", data, "-o", "weka-train.arff")
    weka(REMOVE, "-V", "-R", numbers, "-i", data, "-o", "weka-test.arff")
    weka(*classifier, "-t", "weka-train.arff", "-T", "weka-test.arff", "-classifications", PREDICTIONS)
    with open("weka-fold.csv", newline="") as file:
        # inst#, actual and predicted as in 2:versicolor, error, then the distribution with a star at the predicted class
        of_fold = [line for line in csv.reader(file) if line and line[0].isdigit()]
    for row, (_, actual, predicted, _, *distribution) in zip(rows, of_fold, strict=True):
        (number, label), (_, predicted) = actual.split(":", 1), predicted.split(":", 1)
        classes[int(number)] = label
        lines.append([repeat, fold, row, label, predicted, *(p.lstrip("*") for p in distribution)])

with open(answers, "w", newline="") as file:
    writer = csv.writer(file)
    writer.writerow(["repeat", "fold", "row", "label", "predicted", *(f"p({classes[c]})" for c in sorted(classes))])
    writer.writerows(lines)
