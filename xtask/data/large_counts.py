"""Poisson and negative binomial naive Bayes of large counts in 80 digits, from the formulas alone.

large_counts.json is what this prints with Python 3.11 and mpmath 1.3:  python3 xtask/data/large_counts.py > xtask/data/large_counts.json
"""
import json
from mpmath import fsum, log, loggamma, mp, mpf, nstr

mp.dps = 80


def poisson(x, rate):
    if rate == 0:
        return mpf(0) if x == 0 else -mp.inf
    return x * log(rate) - rate - loggamma(x + 1)


def negative_binomial(x, mean, dispersion):
    if dispersion <= 0:
        return poisson(x, mean)
    r = 1 / dispersion
    return loggamma(x + r) - loggamma(r) - loggamma(x + 1) + r * log(r / (r + mean)) + x * log(mean / (r + mean))


def moments(xs):
    mean = fsum(xs) / len(xs)
    return mean, fsum((x - mean) ** 2 for x in xs) / (len(xs) - 1)


def dispersion(xs):
    mean, variance = moments(xs)
    return (variance - mean) / mean**2


def rows_of(n):
    """Training rows of three classes, and rows to score: two columns, the second far from the scale of the first."""
    s = int(n**0.5)
    train = {
        # Narrower than Poisson.
        "a": [[n, 3], [n + s // 2, 0], [n - s // 3, 5], [n + 1, 2]],
        "b": [[n + 4 * s, 4], [n + 4 * s + s // 3, 6], [n + 3 * s, 5]],
        # Overdispersed in the first column.
        "c": [[n + n // 5, 1], [n + n // 3, 40], [n + n // 9, 0], [n, 9], [n - n // 7, 2]],
    }
    near = [n + k * s // 4 for k in range(-12, 30, 3)]
    far = [0, 1, 7, s, n // 2, n + n // 5, 2 * n + 1, 5 * n]
    test = [[x, (3 * k) % 7] for k, x in enumerate(near + far)]
    return train, test


def case(n, model, l):
    train, test = rows_of(n)
    n_rows = sum(len(rows) for rows in train.values())
    terms = {}
    for name, rows in train.items():
        columns = [[mpf(row[j]) for row in rows] for j in range(2)]
        rates = [(fsum(xs) + l) / (len(rows) + l) for xs in columns]
        terms[name] = [(rate, dispersion(xs)) for rate, xs in zip(rates, columns)]
    mass = (lambda x, term: poisson(x, term[0])) if model == "poisson" else (lambda x, term: negative_binomial(x, *term))
    joint, posterior = [], []
    for row in test:
        scores = [
            log(mpf(len(rows)) / n_rows) + fsum(mass(mpf(x), term) for x, term in zip(row, terms[name]))
            for name, rows in train.items()
        ]
        most = max(scores)
        evidence = most + log(fsum(mp.exp(score - most) for score in scores))
        joint.append([nstr(score, 25) for score in scores])
        posterior.append([nstr(score - evidence, 25) for score in scores])
    return {"count": n, "model": model, "l": l, "train": train, "test": test, "joint": joint, "posterior": posterior}


cases = [
    case(n, model, l)
    for n in (10**6, 10**9, 10**12, 10**15)
    for model, l in (("poisson", 0), ("poisson", 1), ("negative_binomial", 0))
]
print("[" + ",\n".join(json.dumps(case) for case in cases) + "]")
