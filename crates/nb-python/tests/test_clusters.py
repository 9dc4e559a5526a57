"""Parts of the rows are fitted by other processes and machines, and add up to the bytes of one fit."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from nbayes import GaussianNB
from sklearn.datasets import load_wine

X, Y = load_wine(return_X_y=True)
WHOLE = GaussianNB().fit(X, Y).to_bytes()


def test_dask() -> None:
    dask = pytest.importorskip("dask", reason="dask is not installed: `pip install dask`")

    @dask.delayed  # type: ignore[untyped-decorator]
    def fitted(start: int) -> bytes:
        return GaussianNB().fit(X[start::4], Y[start::4]).to_bytes()

    parts = dask.compute(*[fitted(start) for start in range(4)], scheduler="processes")
    models = [GaussianNB.from_bytes(part) for part in parts]
    assert sum(models[1:], models[0]).to_bytes() == WHOLE


@pytest.mark.filterwarnings("ignore")  # those of pyspark about the versions of others
@pytest.mark.skipif("NB_PYSPARK" not in os.environ, reason="NB_PYSPARK is not set: Spark needs pyspark and Java 17")
def test_spark(monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow
    from pyspark.sql import SparkSession

    def fitted(batches: Iterator[Any]) -> Iterator[Any]:
        model = None
        for batch in batches:
            rows = np.column_stack([batch.column(place).to_numpy() for place in range(batch.num_columns - 1)])
            part = GaussianNB().fit(rows, batch.column(batch.num_columns - 1).to_numpy())
            model = part if model is None else model.merge(part)
        if model is not None:
            yield pyarrow.RecordBatch.from_arrays([pyarrow.array([model.to_bytes()], pyarrow.binary())], ["model"])

    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    spark = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false").getOrCreate()
    try:
        cells = [(*row, int(label)) for row, label in zip(X.tolist(), Y)]
        rows = spark.createDataFrame(cells, [*(f"x{place}" for place in range(X.shape[1])), "label"]).repartition(3)
        parts = [row.model for row in rows.mapInArrow(fitted, "model binary").collect()]
    finally:
        spark.stop()
    assert len(parts) == 3
    models = [GaussianNB.from_bytes(bytes(part)) for part in parts]
    assert sum(models[1:], models[0]).to_bytes() == WHOLE
