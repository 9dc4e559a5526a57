WITH nb_data AS NOT MATERIALIZED (
  SELECT CAST("the ""y""" AS text) IS NULL AS unlabelled,
    COALESCE(CAST("the ""y""" AS text), '') AS class,
    NULLIF(CAST("x" AS double precision), CAST('NaN' AS double precision)) AS x1,
    CAST("k" AS text) AS x2,
    NULLIF(CAST("f" AS double precision), CAST('NaN' AS double precision)) AS x3,
    NULLIF(CAST("n" AS double precision), CAST('NaN' AS double precision)) AS x4
  FROM "t" AS t
),
nb_sums_1 AS NOT MATERIALIZED (
  SELECT d.unlabelled AS unlabelled, d.class AS class,
    count(*) AS n_all, CAST(count(*) AS double precision) AS w_all, CAST(0 AS bigint) AS r_all,
    count(x1) AS n_x1, sum(CASE WHEN x1 IS NULL THEN 1e0::double precision ELSE 0e0::double precision END) AS m_x1, count(CASE WHEN abs(x1) > 2.5822498780869086e120::double precision OR (abs(x1) < 4.257959840008151e-109::double precision AND x1 <> 0e0::double precision) THEN 1 END) AS r_x1, sum(x1) AS s_x1, sum(x1 * x1) AS q_x1,
    count(x3) AS n_x3, sum(CASE WHEN x3 IS NULL THEN 1e0::double precision ELSE 0e0::double precision END) AS m_x3, count(CASE WHEN abs(x3) > 1.7976931348623157e308::double precision THEN 1 END) AS r_x3, sum(CASE WHEN x3 > 0e0::double precision THEN 1e0::double precision ELSE 0e0::double precision END) AS s_x3,
    count(x4) AS n_x4, sum(CASE WHEN x4 IS NULL THEN 1e0::double precision ELSE 0e0::double precision END) AS m_x4, count(CASE WHEN x4 < 0e0::double precision OR x4 > 9.007199254740992e15::double precision OR x4 <> floor(x4) THEN 1 END) AS r_x4, sum(x4) AS s_x4
  FROM nb_data AS d
  GROUP BY d.unlabelled, d.class
)
SELECT class, kind, feature, category, n_rows, weight, missing, refused, shift, sum, sum_of_squares
FROM nb_sums_1 CROSS JOIN LATERAL (VALUES
  (CASE WHEN unlabelled THEN 'unlabelled' ELSE 'class' END, CAST(NULL AS text), CAST(NULL AS text), n_all, w_all, CAST(NULL AS double precision), r_all, CAST(NULL AS double precision), CAST(NULL AS double precision), CAST(NULL AS double precision)),
  ('feature', 'x', CAST(NULL AS text), n_x1, CAST(NULL AS double precision), m_x1, r_x1, 0e0::double precision, s_x1, q_x1),
  ('feature', 'f', CAST(NULL AS text), n_x3, CAST(NULL AS double precision), m_x3, r_x3, 0e0::double precision, s_x3, CAST(NULL AS double precision)),
  ('feature', 'n', CAST(NULL AS text), n_x4, CAST(NULL AS double precision), m_x4, r_x4, 0e0::double precision, s_x4, CAST(NULL AS double precision))
) AS v(kind, feature, category, n_rows, weight, missing, refused, shift, sum, sum_of_squares)
UNION ALL
SELECT class, CASE WHEN COALESCE(x2) IS NULL THEN 'missing' ELSE 'category' END AS kind,
  CASE
    WHEN GROUPING(x2) = 0 THEN 'k' END AS feature,
  COALESCE(x2) AS category, count(*) AS n_rows, CAST(count(*) AS double precision) AS weight,
  CAST(NULL AS double precision) AS missing, CAST(0 AS bigint) AS refused, CAST(NULL AS double precision) AS shift, CAST(NULL AS double precision) AS sum, CAST(NULL AS double precision) AS sum_of_squares
FROM nb_data
GROUP BY GROUPING SETS ((unlabelled, class, x2))
