WITH nb_data AS NOT MATERIALIZED (
  SELECT CAST(t."the ""y""" AS varchar) IS NULL AS unlabelled,
    COALESCE(CAST(t."the ""y""" AS varchar), '') AS class,
    NULLIF(CAST(t."w" AS double), CAST('NaN' AS double)) AS w,
    NULLIF(CAST(t."x" AS double), CAST('NaN' AS double)) AS x1,
    CAST(t."k" AS varchar) AS x2
  FROM (SELECT * FROM a.b WHERE c) AS t
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
    count(*) AS n_all, sum(w) AS w_all,
    count(CASE WHEN w IS NULL OR w < 0e0 OR w > 1.152921504606847e18 OR (w < 8.673617379884035e-19 AND w <> 0e0) THEN 1 END) AS r_all,
    count(x1) AS n_x1, sum(CASE WHEN x1 IS NULL THEN w ELSE 0e0 END) AS m_x1, count(CASE WHEN abs(x1) > 2.5822498780869086e120 OR (abs(x1) < 4.257959840008151e-109 AND x1 <> 0e0) THEN 1 END) AS r_x1,
      min(c_x1) AS c_x1, sum(w * (x1 - c_x1)) AS s_x1, sum(w * (x1 - c_x1) * (x1 - c_x1)) AS q_x1
  FROM nb_data AS d
  LEFT JOIN nb_shifts_1 AS h ON h.unlabelled = d.unlabelled AND h.class = d.class
  GROUP BY d.unlabelled, d.class
)
SELECT class, v.kind, v.feature, v.category, v.n_rows, v.weight, v.missing, v.refused, v.shift, v.sum, v.sum_of_squares
FROM (SELECT class, unnest([
  {kind: CASE WHEN unlabelled THEN 'unlabelled' ELSE 'class' END, feature: CAST(NULL AS varchar), category: CAST(NULL AS varchar), n_rows: n_all, weight: w_all, missing: CAST(NULL AS double), refused: r_all, shift: CAST(NULL AS double), sum: CAST(NULL AS double), sum_of_squares: CAST(NULL AS double)},
  {kind: 'feature', feature: 'x', category: CAST(NULL AS varchar), n_rows: n_x1, weight: CAST(NULL AS double), missing: m_x1, refused: r_x1, shift: c_x1, sum: s_x1, sum_of_squares: q_x1}
]) AS v FROM nb_sums_1) AS long
UNION ALL
SELECT class, CASE WHEN x2 IS NULL THEN 'missing' ELSE 'category' END AS kind,
  CASE
    WHEN GROUPING(x2) = 0 THEN 'k' END AS feature,
  x2 AS category, count(*) AS n_rows, sum(w) AS weight,
  CAST(NULL AS double) AS missing, CAST(0 AS bigint) AS refused, CAST(NULL AS double) AS shift, CAST(NULL AS double) AS sum, CAST(NULL AS double) AS sum_of_squares
FROM nb_data
GROUP BY GROUPING SETS ((unlabelled, class, x2))
