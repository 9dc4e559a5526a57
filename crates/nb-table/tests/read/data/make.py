"""Writes the files of this folder: `pip install numpy pyarrow` and `python make.py` here."""

import numpy as np

X = np.array([[1.5, -2.0, 3.0], [np.nan, 0.0, 1e-300]])
np.save("f8_c.npy", X)
np.save("f8_fortran.npy", np.asfortranarray(X))
np.save("f4_big_endian.npy", np.array([[1, 2, 3], [4, 5, 6]], dtype=">f4"))
np.save("i8.npy", np.array([[1, -2, 3], [4, 5, 2**53]], dtype="<i8"))
np.save("u1.npy", np.array([[0, 1, 255], [2, 3, 4]], dtype="u1"))
np.save("bool.npy", np.array([[True, False, True], [False, False, True]]))
np.save("labels_unicode.npy", np.array(["rot", "grün"]))
np.save("labels_bytes.npy", np.array([b"red", b"green"]))
np.save("labels_i8.npy", np.array([-1, 10**18 + 1]))
np.save("scalar.npy", np.array(7.0))
np.save("cube_fortran.npy", np.asfortranarray(np.arange(24.0).reshape(2, 3, 4)))
np.save("objects.npy", np.array([{}, None]), allow_pickle=True)
np.save("record.npy", np.zeros(2, dtype=[("a", "<f8"), ("b", "<i4")]))
np.savez("stored.npz", x=X, y=np.array(["rot", "grün"]))
np.savez_compressed("deflated.npz", x=np.asfortranarray(X), y=np.array([3, 4]), priors=np.array([0.25, 0.75]))


# Tables: the same rows in every format that the feature `arrow` reads.
import datetime

import pyarrow as pa
import pyarrow.parquet as pq

table = pa.table({
    "size": pa.array([1.5, None, 3.0, float("nan"), -0.5], pa.float32()),
    "count": pa.array([1, 2, 3, 4, None], pa.int64()),
    "yes": pa.array([True, False, None, True, False]),
    "colour": pa.array(["red", "blue", None, "NA", "red"]),
    "shape": pa.array(["round", "square", "round", None, "round"]).dictionary_encode(),
    "day": pa.array([datetime.date(2000, 1, day) for day in range(1, 6)]),
    "weight": pa.array([1, 2, 1, 1, 3], pa.uint8()),
    "class": pa.array(["a", "b", "a", "b", "a"], pa.large_string()),
})
pq.write_table(table, "table_snappy.parquet", row_group_size=2)
pq.write_table(table, "table_zstd.parquet", compression="zstd")
pq.write_table(table, "table_gzip.parquet", compression="gzip")
with pa.ipc.new_file("table.arrow", table.schema) as writer:
    writer.write_table(table, max_chunksize=2)
with pa.ipc.new_stream("table.arrows", table.schema) as writer:
    writer.write_table(table)
with pa.ipc.new_file("table_zstd.arrow", table.schema, options=pa.ipc.IpcWriteOptions(compression="zstd")) as writer:
    writer.write_table(table)
large = pa.table({"n": pa.array([1, 2**53 + 1], pa.int64()), "x": pa.array([float("inf"), 1.0]), "class": ["a", None]})
pq.write_table(large, "refused.parquet")
