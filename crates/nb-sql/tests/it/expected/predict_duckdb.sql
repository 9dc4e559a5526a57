SELECT CASE WHEN best = CAST('-Infinity' AS double) THEN NULL WHEN j1 = best THEN 'a' WHEN j2 = best THEN 'it''s b' END AS "predicted_the ""y""",
  (j1 - best) - excess AS "log_p(a)",
  (j2 - best) - excess AS "log_p(it's b)"
FROM (
  SELECT j1, j2, best,
    CASE WHEN best > CAST('-Infinity' AS double) THEN ln(exp(GREATEST(j1 - best, (-7e2))) + exp(GREATEST(j2 - best, (-7e2)))) END AS excess
  FROM (
    SELECT j1, j2, CASE WHEN answerable THEN GREATEST(j1, j2) END AS best
    FROM (
      SELECT (x1 IS NULL OR (abs(x1) <= 2.5822498780869086e120)) AS answerable,
        (-6.931471805599453e-1) + COALESCE((-9.189385332046727e-1) - (x1 - 2e0) * (x1 - 2e0) * 5e-1, 0e0) + CASE WHEN x2 = 'it''s' THEN (-6.931471805599453e-1) WHEN x2 = 'p' THEN (-6.931471805599453e-1) ELSE 0e0 END AS j1,
        (-6.931471805599453e-1) + COALESCE((-9.189385332046727e-1) - (x1 - 8e0) * (x1 - 8e0) * 5e-1, 0e0) + CASE WHEN x2 = 'it''s' THEN (-1.3862943611198906e0) WHEN x2 = 'p' THEN (-2.876820724517809e-1) ELSE 0e0 END AS j2
      FROM (
        SELECT NULLIF(CAST(t."x" AS double), CAST('NaN' AS double)) AS x1,
          CAST(t."k" AS varchar) AS x2
        FROM "new" AS t
      ) AS cells
    ) AS joint
  ) AS highest
) AS answers
