"""Negative binomial and zero-inflated Gaussian naive Bayes in 40 digits, from the formulas alone.

The numbers in dispersed.rs are what this prints with mpmath 1.3:  python3 crates/nb-core/tests/it/dispersed.py
"""
from mpmath import *
mp.dps = 40
# negative binomial: two classes, two columns
A = [[0, 2], [12, 3], [3, 2], [7, 1], [1, 4]]
B = [[2, 40], [0, 0], [5, 11], [1, 0]]
def s2(xs):
    m = fsum(xs) / len(xs)
    return m, fsum((x - m) ** 2 for x in xs) / (len(xs) - 1)
def mean(xs, l): return (fsum(xs) + l) / (len(xs) + l)
def nb(x, m, a):
    if a <= 0: return x * log(m) - m - loggamma(x + 1)
    r = 1 / a
    return loggamma(x + r) - loggamma(r) - loggamma(x + 1) + r * log(r / (r + m)) + x * log(m / (r + m))
def alphas(shared):
    out = []
    for j in range(2):
        num, den, own = mpf(0), mpf(0), []
        for rows in (A, B):
            m, v = s2([mpf(r[j]) for r in rows])
            num += (len(rows) - 1) * (v - m); den += (len(rows) - 1) * m * m
            own.append(max((v - m) / m ** 2, mpf(0)))
        out.append([max(num / den, mpf(0))] * 2 if shared else own)
    return out
for shared in (False, True):
    al = alphas(shared)
    print("shared", shared, [[repr(float(a)) for a in c] for c in al])
    for row in ([4, 3], [0, 0], [30, 25]):
        joint = []
        for c, rows in enumerate((A, B)):
            joint.append(log(mpf(len(rows)) / 9) + fsum(nb(mpf(row[j]), mean([mpf(r[j]) for r in rows], 1), al[j][c]) for j in range(2)))
        print(row, [repr(float(x)) for x in joint])
# zero-inflated gaussian
A = [0, 0, 1.5, 2.5, 0, 3.5]
B = [0, -1, 4, 2, 0.5]
for row in (0, 2, -3, 0.25):
    joint = []
    for xs in (A, B):
        z = sum(1 for x in xs if x == 0); o = [mpf(x) for x in xs if x != 0]
        m = fsum(o) / len(o); v = fsum((x - m) ** 2 for x in o) / len(o)
        p = mpf(z + 0.5) / (len(xs) + 1)
        ll = log(p) if row == 0 else log(1 - p) - log(2 * pi * v) / 2 - (mpf(row) - m) ** 2 / (2 * v)
        joint.append(log(mpf(len(xs)) / 11) + ll)
    print(row, [repr(float(x)) for x in joint])
