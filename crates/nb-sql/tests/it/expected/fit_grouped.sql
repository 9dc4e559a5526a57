WITH nb_data AS NOT MATERIALIZED (
  SELECT CAST(t."shop" AS text) IS NULL AS ungrouped,
    COALESCE(CAST(t."shop" AS text), '') AS nb_group,
    CAST(t."the ""y""" AS text) IS NULL AS unlabelled,
    COALESCE(CAST(t."the ""y""" AS text), '') AS class,
    NULLIF(CAST(t."x" AS float8), CAST('NaN' AS float8)) AS x1,
    CAST(t."k" AS text) AS x2,
    NULLIF(CAST(t."f" AS float8), CAST('NaN' AS float8)) AS x3,
    NULLIF(CAST(t."n" AS float8), CAST('NaN' AS float8)) AS x4
  FROM "t" AS t
),
nb_shifts_1 AS NOT MATERIALIZED (
  SELECT ungrouped, nb_group, unlabelled, class,
    COALESCE(floor(mean_x1 / unit_x1 + 5e-1::float8) * unit_x1, least_x1) AS c_x1
  FROM (
    SELECT ungrouped, nb_group, unlabelled, class,
      avg(x1) AS mean_x1, min(x1) AS least_x1,
      CASE WHEN min(x1) < max(x1) THEN power(2e0::float8, floor(ln(GREATEST(stddev_pop(x1), (max(x1) - min(x1)) / (2 * count(x1)))) / ln(2e0::float8))) END AS unit_x1
    FROM nb_data
    GROUP BY ungrouped, nb_group, unlabelled, class
  ) AS spans
),
nb_sums_1 AS NOT MATERIALIZED (
  SELECT d.ungrouped AS ungrouped, d.nb_group AS nb_group, d.unlabelled AS unlabelled, d.class AS class,
    count(*) AS n_all, CAST(count(*) AS float8) AS w_all, CAST(0 AS bigint) AS r_all,
    count(x1) AS n_x1, CAST(count(*) - count(x1) AS float8) AS m_x1, count(CASE WHEN abs(x1) > 2.5822498780869086e120::float8 OR (abs(x1) < 4.257959840008151e-109::float8 AND x1 <> 0e0::float8) THEN 1 END) AS r_x1,
      min(c_x1) AS c_x1, sum(x1 - c_x1) AS s_x1, sum((x1 - c_x1) * (x1 - c_x1)) AS q_x1,
    count(x3) AS n_x3, CAST(count(*) - count(x3) AS float8) AS m_x3, count(CASE WHEN abs(x3) > 1.7976931348623157e308::float8 THEN 1 END) AS r_x3,
      sum(CASE WHEN x3 > 0e0::float8 THEN 1e0::float8 ELSE 0e0::float8 END) AS s_x3,
    count(x4) AS n_x4, CAST(count(*) - count(x4) AS float8) AS m_x4, count(CASE WHEN x4 < 0e0::float8 OR x4 > 9.007199254740992e15::float8 OR x4 <> floor(x4) THEN 1 END) AS r_x4,
      sum(x4) AS s_x4
  FROM nb_data AS d
  LEFT JOIN nb_shifts_1 AS h ON h.ungrouped = d.ungrouped AND h.nb_group = d.nb_group AND h.unlabelled = d.unlabelled AND h.class = d.class
  GROUP BY d.ungrouped, d.nb_group, d.unlabelled, d.class
)
SELECT nb_group, class, kind, feature, category, n_rows, weight, missing, refused, shift, sum, sum_of_squares
FROM nb_sums_1 CROSS JOIN LATERAL (VALUES
  (CASE WHEN ungrouped THEN 'ungrouped' WHEN unlabelled THEN 'unlabelled' ELSE 'class' END, CAST(NULL AS text), CAST(NULL AS text), n_all, w_all, CAST(NULL AS float8), r_all, CAST(NULL AS float8), CAST(NULL AS float8), CAST(NULL AS float8)),
  ('feature', 'x', CAST(NULL AS text), n_x1, CAST(NULL AS float8), m_x1, r_x1, c_x1, s_x1, q_x1),
  ('feature', 'f', CAST(NULL AS text), n_x3, CAST(NULL AS float8), m_x3, r_x3, 0e0::float8, s_x3, CAST(NULL AS float8)),
  ('feature', 'n', CAST(NULL AS text), n_x4, CAST(NULL AS float8), m_x4, r_x4, 0e0::float8, s_x4, CAST(NULL AS float8))
) AS v(kind, feature, category, n_rows, weight, missing, refused, shift, sum, sum_of_squares)
UNION ALL
SELECT nb_group, class, CASE WHEN x2 IS NULL THEN 'missing' ELSE 'category' END AS kind,
  CASE
    WHEN GROUPING(x2) = 0 THEN 'k' END AS feature,
  x2 AS category, count(*) AS n_rows, CAST(count(*) AS float8) AS weight,
  CAST(NULL AS float8) AS missing, CAST(0 AS bigint) AS refused, CAST(NULL AS float8) AS shift, CAST(NULL AS float8) AS sum, CAST(NULL AS float8) AS sum_of_squares
FROM nb_data
GROUP BY GROUPING SETS ((ungrouped, nb_group, unlabelled, class, x2))
