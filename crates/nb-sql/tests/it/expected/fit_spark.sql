WITH nb_data AS (
  SELECT CAST(t.`the "y"` AS string) IS NULL AS unlabelled,
    COALESCE(CAST(t.`the "y"` AS string), '') AS class,
    NULLIF(CAST(t.`x` AS double), CAST('NaN' AS double)) AS x1,
    CAST(t.`k` AS string) AS x2,
    NULLIF(CAST(t.`f` AS double), CAST('NaN' AS double)) AS x3,
    NULLIF(CAST(t.`n` AS double), CAST('NaN' AS double)) AS x4
  FROM `t` AS t
),
nb_shifts_1 AS (
  SELECT unlabelled, class,
    COALESCE(floor(mean_x1 / unit_x1 + 5e-1D) * unit_x1, least_x1) AS c_x1
  FROM (
    SELECT unlabelled, class,
      avg(x1) AS mean_x1, min(x1) AS least_x1,
      CASE WHEN min(x1) < max(x1) THEN power(2e0D, floor(ln(GREATEST(stddev_pop(x1), (max(x1) - min(x1)) / (2 * count(x1)))) / ln(2e0D))) END AS unit_x1
    FROM nb_data
    GROUP BY unlabelled, class
  ) AS spans
),
nb_sums_1 AS (
  SELECT d.unlabelled AS unlabelled, d.class AS class,
    count(*) AS n_all, CAST(count(*) AS double) AS w_all, CAST(0 AS bigint) AS r_all,
    count(x1) AS n_x1, CAST(count(*) - count(x1) AS double) AS m_x1, count(CASE WHEN abs(x1) > 2.5822498780869086e120D OR (abs(x1) < 4.257959840008151e-109D AND x1 <> 0e0D) THEN 1 END) AS r_x1,
      min(c_x1) AS c_x1, sum(x1 - c_x1) AS s_x1, sum((x1 - c_x1) * (x1 - c_x1)) AS q_x1,
    count(x3) AS n_x3, CAST(count(*) - count(x3) AS double) AS m_x3, count(CASE WHEN abs(x3) > 1.7976931348623157e308D THEN 1 END) AS r_x3,
      sum(CASE WHEN x3 > 0e0D THEN 1e0D ELSE 0e0D END) AS s_x3,
    count(x4) AS n_x4, CAST(count(*) - count(x4) AS double) AS m_x4, count(CASE WHEN x4 < 0e0D OR x4 > 9.007199254740992e15D OR x4 <> floor(x4) THEN 1 END) AS r_x4,
      sum(x4) AS s_x4
  FROM nb_data AS d
  LEFT JOIN nb_shifts_1 AS h ON h.unlabelled = d.unlabelled AND h.class = d.class
  GROUP BY d.unlabelled, d.class
)
SELECT class, stack(4,
  CASE WHEN unlabelled THEN 'unlabelled' ELSE 'class' END, CAST(NULL AS string), CAST(NULL AS string), n_all, w_all, CAST(NULL AS double), r_all, CAST(NULL AS double), CAST(NULL AS double), CAST(NULL AS double),
  'feature', 'x', CAST(NULL AS string), n_x1, CAST(NULL AS double), m_x1, r_x1, c_x1, s_x1, q_x1,
  'feature', 'f', CAST(NULL AS string), n_x3, CAST(NULL AS double), m_x3, r_x3, 0e0D, s_x3, CAST(NULL AS double),
  'feature', 'n', CAST(NULL AS string), n_x4, CAST(NULL AS double), m_x4, r_x4, 0e0D, s_x4, CAST(NULL AS double)
) AS (kind, feature, category, n_rows, weight, missing, refused, shift, sum, sum_of_squares)
FROM nb_sums_1
UNION ALL
SELECT class, CASE WHEN x2 IS NULL THEN 'missing' ELSE 'category' END AS kind,
  CASE
    WHEN GROUPING(x2) = 0 THEN 'k' END AS feature,
  x2 AS category, count(*) AS n_rows, CAST(count(*) AS double) AS weight,
  CAST(NULL AS double) AS missing, CAST(0 AS bigint) AS refused, CAST(NULL AS double) AS shift, CAST(NULL AS double) AS sum, CAST(NULL AS double) AS sum_of_squares
FROM nb_data
GROUP BY GROUPING SETS ((unlabelled, class, x2))
