SELECT nb_id AS `id`,
  CASE WHEN best = CAST('-Infinity' AS double) THEN NULL WHEN j1 = best THEN 'a' WHEN j2 = best THEN 'it\'s b' END AS `predicted_the "y"`,
  (j1 - best) - excess AS `log_p(a)`,
  (j2 - best) - excess AS `log_p(it's b)`
FROM (
  SELECT nb_id, j1, j2, best,
    CASE WHEN best > CAST('-Infinity' AS double) THEN ln(exp(GREATEST(j1 - best, (-7e2D))) + exp(GREATEST(j2 - best, (-7e2D)))) END AS excess
  FROM (
    SELECT nb_id, j1, j2, CASE WHEN answerable THEN GREATEST(j1, j2) END AS best
    FROM (
      SELECT nb_id,
        (x1 IS NULL OR (abs(x1) <= 2.5822498780869086e120D)) AS answerable,
        (-6.931471805599453e-1D) + COALESCE((-9.189385332046727e-1D) - (x1 - 2e0D) * (x1 - 2e0D) * 5e-1D, 0e0D) + CASE WHEN x2 = 'it\'s' THEN (-6.931471805599453e-1D) WHEN x2 = 'p' THEN (-6.931471805599453e-1D) ELSE 0e0D END AS j1,
        (-6.931471805599453e-1D) + COALESCE((-9.189385332046727e-1D) - (x1 - 8e0D) * (x1 - 8e0D) * 5e-1D, 0e0D) + CASE WHEN x2 = 'it\'s' THEN (-1.3862943611198906e0D) WHEN x2 = 'p' THEN (-2.876820724517809e-1D) ELSE 0e0D END AS j2
      FROM (
        SELECT t.`id` AS nb_id,
          NULLIF(CAST(t.`x` AS double), CAST('NaN' AS double)) AS x1,
          CAST(t.`k` AS string) AS x2
        FROM `new` AS t
      ) AS cells
    ) AS joint
  ) AS highest
) AS answers
