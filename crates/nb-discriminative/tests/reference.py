"""The least values that the learner should reach, by SciPy's L-BFGS-B with tight tolerances.

Prints the constants of `src/learn/reference.rs`: python3 reference.py (numpy 2.4.6, scipy 1.17.1).
"""

import numpy as np
from scipy.optimize import minimize
from scipy.special import logsumexp

N_ROWS, N_COLUMNS, N_LEVELS, N_CLASSES = 90, 3, 4, 3


def rows():
    """The rows of the tests: numbers of a linear congruential generator, of which the first column follows the class."""
    state, x, y = 12345, [], []
    for _ in range(N_ROWS):
        drawn = []
        for _ in range(N_COLUMNS + 1):
            state = (1103515245 * state + 12345) % 2**31
            drawn.append(state >> 16)
        label = drawn[0] % N_CLASSES
        cells = [value % N_LEVELS for value in drawn[1:]]
        if drawn[1] % 5 < 3:
            cells[0] = label
        x.append(cells)
        y.append(label)
    return np.array(x), np.array(y)


x, y = rows()
counts = np.zeros((N_COLUMNS, N_LEVELS, N_CLASSES))
for column in range(N_COLUMNS):
    np.add.at(counts[column], (x[:, column], y), 1)
totals = counts[0].sum(0)
log_prior = np.log((totals + 1 / N_CLASSES) / (N_ROWS + 1))
l = 1 / N_LEVELS
log_p = np.log((counts + l) / (totals + 1))
said = np.stack([log_p[column][x[:, column]] for column in range(N_COLUMNS)], axis=1)
own = np.stack([counts[column][x[:, column], y] for column in range(N_COLUMNS)], axis=1)
left_out = np.log((own - 1 + l) / (totals[y] - 1 + 1)[:, None])
for row in range(N_ROWS):
    said[row, :, y[row]] = left_out[row]


def loss(scores):
    return (logsumexp(scores, axis=1) - scores[np.arange(N_ROWS), y]).sum()


def of_weights(p, common=0.0):
    w, b = p[:N_COLUMNS], p[N_COLUMNS:]
    scores = log_prior + b + np.einsum("rjc,j->rc", said, w)
    return loss(scores) + 0.5 * ((w - common) ** 2).sum() + 0.05 * (b @ b)


def of_common(p):
    w, b = p[0], p[1:]
    return loss(log_prior + b + w * said.sum(axis=1)) + 0.05 * (w**2 + b @ b)


def of_tables(p):
    tables, b = p[:-N_CLASSES].reshape(N_COLUMNS, N_LEVELS, N_CLASSES), p[-N_CLASSES:]
    scores = log_prior + b + sum(tables[column][x[:, column]] for column in range(N_COLUMNS))
    rough = (np.diff(tables, axis=1) ** 2).sum()
    return loss(scores) + 0.25 * (tables**2).sum() + rough


def least(function, n, bounds):
    options = {"maxiter": 10_000, "maxfun": 10**7, "ftol": 1e-15, "gtol": 1e-9}
    return minimize(function, np.full(n, 0.1), method="L-BFGS-B", bounds=bounds, options=options)


of_all = [(0, None)] * N_COLUMNS + [(None, None)] * N_CLASSES
weights = least(of_weights, N_COLUMNS + N_CLASSES, of_all)
common = least(of_common, 1 + N_CLASSES, [(0, None)] + [(None, None)] * N_CLASSES)
towards_half = least(lambda p: of_weights(p, 0.5), N_COLUMNS + N_CLASSES, of_all)
tables = least(of_tables, N_COLUMNS * N_LEVELS * N_CLASSES + N_CLASSES, None)
print("counts of the classes:", totals)
print("weights:", weights.fun, weights.x[:N_COLUMNS])
print("the weight of all:", common.x[0])
print("weights near a half:", towards_half.fun, towards_half.x[:N_COLUMNS])
print("tables:", tables.fun)
