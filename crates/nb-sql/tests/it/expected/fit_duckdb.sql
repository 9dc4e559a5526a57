WITH nb_data AS NOT MATERIALIZED (
  SELECT CAST(t."the ""y""" AS varchar) IS NULL AS unlabelled,
    COALESCE(CAST(t."the ""y""" AS varchar), '') AS class,
    NULLIF(CAST(t."x" AS double), CAST('NaN' AS double)) AS x1,
    CAST(t."k" AS varchar) AS x2,
    NULLIF(CAST(t."f" AS double), CAST('NaN' AS double)) AS x3,
    NULLIF(CAST(t."n" AS double), CAST('NaN' AS double)) AS x4
  FROM "t" AS t
),
nb_shifts_1 AS NOT MATERIALIZED (
  SELECT unlabelled, class,
    COALESCE(floor(mean_x1 / unit_x1 + 5e-1) * unit_x1, least_x1) AS c_x1
  FROM (
    SELECT unlabelled, class,
      avg(x1) AS mean_x1, min(x1) AS least_x1,
      CASE WHEN min(x1) < max(x1) THEN power(2e0, floor(ln(GREATEST(stddev_pop(x1), (max(x1) - min(x1)) / (2 * count(x1)))) / ln(2e0))) END AS unit_x1
    FROM nb_data
    GROUP BY unlabelled, class
  ) AS spans
),
nb_sums_1 AS NOT MATERIALIZED (
  SELECT d.unlabelled AS unlabelled, d.class AS class,
    count(*) AS n_all, CAST(count(*) AS double) AS w_all, CAST(0 AS bigint) AS r_all,
    count(x1) AS n_x1, CAST(count(*) - count(x1) AS double) AS m_x1, count(CASE WHEN abs(x1) > 2.5822498780869086e120 OR (abs(x1) < 4.257959840008151e-109 AND x1 <> 0e0) THEN 1 END) AS r_x1,
      min(c_x1) AS c_x1, sum(x1 - c_x1) AS s_x1, sum((x1 - c_x1) * (x1 - c_x1)) AS q_x1,
    count(x3) AS n_x3, CAST(count(*) - count(x3) AS double) AS m_x3, count(CASE WHEN abs(x3) > 1.7976931348623157e308 THEN 1 END) AS r_x3,
      sum(CASE WHEN x3 > 0e0 THEN 1e0 ELSE 0e0 END) AS s_x3,
    count(x4) AS n_x4, CAST(count(*) - count(x4) AS double) AS m_x4, count(CASE WHEN x4 < 0e0 OR x4 > 9.007199254740992e15 OR x4 <> floor(x4) THEN 1 END) AS r_x4,
      sum(x4) AS s_x4
  FROM nb_data AS d
  LEFT JOIN nb_shifts_1 AS h ON h.unlabelled = d.unlabelled AND h.class = d.class
  GROUP BY d.unlabelled, d.class
)
SELECT class, v.kind, v.feature, v.category, v.n_rows, v.weight, v.missing, v.refused, v.shift, v.sum, v.sum_of_squares
FROM (SELECT class, unnest([
  {kind: CASE WHEN unlabelled THEN 'unlabelled' ELSE 'class' END, feature: CAST(NULL AS varchar), category: CAST(NULL AS varchar), n_rows: n_all, weight: w_all, missing: CAST(NULL AS double), refused: r_all, shift: CAST(NULL AS double), sum: CAST(NULL AS double), sum_of_squares: CAST(NULL AS double)},
  {kind: 'feature', feature: 'x', category: CAST(NULL AS varchar), n_rows: n_x1, weight: CAST(NULL AS double), missing: m_x1, refused: r_x1, shift: c_x1, sum: s_x1, sum_of_squares: q_x1},
  {kind: 'feature', feature: 'f', category: CAST(NULL AS varchar), n_rows: n_x3, weight: CAST(NULL AS double), missing: m_x3, refused: r_x3, shift: 0e0, sum: s_x3, sum_of_squares: CAST(NULL AS double)},
  {kind: 'feature', feature: 'n', category: CAST(NULL AS varchar), n_rows: n_x4, weight: CAST(NULL AS double), missing: m_x4, refused: r_x4, shift: 0e0, sum: s_x4, sum_of_squares: CAST(NULL AS double)}
]) AS v FROM nb_sums_1) AS long
UNION ALL
SELECT class, CASE WHEN x2 IS NULL THEN 'missing' ELSE 'category' END AS kind,
  CASE
    WHEN GROUPING(x2) = 0 THEN 'k' END AS feature,
  x2 AS category, count(*) AS n_rows, CAST(count(*) AS double) AS weight,
  CAST(NULL AS double) AS missing, CAST(0 AS bigint) AS refused, CAST(NULL AS double) AS shift, CAST(NULL AS double) AS sum, CAST(NULL AS double) AS sum_of_squares
FROM nb_data
GROUP BY GROUPING SETS ((unlabelled, class, x2))
