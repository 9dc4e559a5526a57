SELECT nb_id AS "id",
  CASE WHEN best = CAST('-Infinity' AS float8) THEN NULL WHEN j1 = best THEN 'a' WHEN j2 = best THEN 'it''s b' END AS "predicted_the ""y""",
  (j1 - best) - excess AS "log_p(a)",
  (j2 - best) - excess AS "log_p(it's b)"
FROM (
  SELECT nb_id, j1, j2, best,
    CASE WHEN best > CAST('-Infinity' AS float8) THEN ln(exp(GREATEST(j1 - best, (-7e2::float8))) + exp(GREATEST(j2 - best, (-7e2::float8)))) END AS excess
  FROM (
    SELECT nb_id, j1, j2, CASE WHEN answerable THEN GREATEST(j1, j2) END AS best
    FROM (
      SELECT nb_id,
        (x1 IS NULL OR (abs(x1) <= 2.5822498780869086e120::float8)) AS answerable,
        (-6.931471805599453e-1::float8) + COALESCE((-9.189385332046727e-1::float8) - (x1 - 2e0::float8) * (x1 - 2e0::float8) * 5e-1::float8, 0e0::float8) + CASE WHEN x2 = 'it''s' THEN (-6.931471805599453e-1::float8) WHEN x2 = 'p' THEN (-6.931471805599453e-1::float8) ELSE 0e0::float8 END AS j1,
        (-6.931471805599453e-1::float8) + COALESCE((-9.189385332046727e-1::float8) - (x1 - 8e0::float8) * (x1 - 8e0::float8) * 5e-1::float8, 0e0::float8) + CASE WHEN x2 = 'it''s' THEN (-1.3862943611198906e0::float8) WHEN x2 = 'p' THEN (-2.876820724517809e-1::float8) ELSE 0e0::float8 END AS j2
      FROM (
        SELECT t."id" AS nb_id,
          NULLIF(CAST(t."x" AS float8), CAST('NaN' AS float8)) AS x1,
          CAST(t."k" AS text) AS x2
        FROM "new" AS t
      ) AS cells OFFSET 0
    ) AS joint OFFSET 0
  ) AS highest OFFSET 0
) AS answers
