"""Writes the tables of this folder: `pip install pyarrow openpyxl` and `python make.py` here.

Beside each table `NAME` is `NAME.schema`: the options with which it is read, and what `nbayes schema` says of it.
"""

import datetime
import decimal
import zipfile

import openpyxl
import pyarrow as pa
import pyarrow.feather as feather
import pyarrow.parquet as pq


def write(name, text, encoding="utf-8"):
    with open(name, "wb") as file:
        file.write(text.encode(encoding))


def rows(header, row, n=24):
    return header + "\n" + "".join(row(i) + "\n" for i in range(n))


def label(i):
    return "ab"[i % 2]


def number(i):
    return (i * 7 % 13) + 0.5


write("bom.csv", "\ufeff" + rows("größe,y", lambda i: f"{number(i)},{label(i)}"))
write("utf16.csv", "\ufeff" + rows("größe\ty", lambda i: f"{number(i)}\t{label(i)}"), "utf-16-le")
write("cp1252.csv", rows("größe;y", lambda i: f"{number(i)};{'äö'[i % 2]} für €"), "cp1252")
write("sep.csv", "sep=;\r\n" + rows("x;y", lambda i: f"{number(i)};{label(i)}").replace("\n", "\r\n"))
comma = lambda value: str(value).replace(".", ",")
write("decimal_commas.csv", rows("x;n;y", lambda i: f"{comma(number(i))};{i * 5 % 17};{label(i)}"))
write("thousands.csv", rows("x,z,y", lambda i: f'"{i * 7 % 13 + 1},{i * 311 % 1000:03}",{number(i)},{label(i)}'))
write("thousands_decimal_commas.csv", rows("x;y", lambda i: f"{i * 7 % 13 + 1}.{i * 311 % 1000:03},5;{label(i)}"))
write("percent.csv", rows("share,y", lambda i: f"{number(i)} %,{label(i)}"))
write("currency.csv", rows("price,loss,y", lambda i: f"${number(i)},({number(i)}),{label(i)}"))
stray = ['5"', '"wide', "7"]
write("stray_quotes.tsv", rows("size\ty", lambda i: f"{stray[i % 3]}\t{label(i)}"))
notes = ['"one\ntwo"', '"three, ""four"""']
write("quoted_newlines.csv", rows("note,y", lambda i: f"{notes[i % 2]},{label(i // 2)}"))
write("ragged.csv", "x,z,y\n1,2,a\n3,b\n")
write("duplicate_names.csv", "x,x,y\n1,2,a\n3,4,b\n")
write("write_table.txt", rows('"x" "y"', lambda i: f'"{i + 1}" {number(i)} "{label(i)}"'))
write("filtered_index.csv", rows("Unnamed: 0,visit,x,y", lambda i: f"{i * 37 % 24 * 3},{i * i + 100},{number(i)},{label(i)}"))
codes = ["01234", "90210", "10001"]
write("codes.csv", rows("zip,subject,y", lambda i: f"{codes[i % 3]},{'207a' if i % 12 == 5 else 100 + i % 5},{label(i)}", 60))
write("index_column.csv", rows(",x,y", lambda i: f"{i},{number(i)},{label(i)}"))
write("ids.csv", rows("customer_id,uuid,x,y", lambda i: f"{1000 + i * 37 % 900},{i * 2654435:08x}-e29b,{number(i)},{label(i)}"))
write("dates.csv", rows("x,day,moment,zone,mixed,y", lambda i: f"{number(i)},2024-01-{i + 1:02},2024-01-{i + 1:02} {i:02}:30,2024-01-{i + 1:02}T{i:02}:30:00+02:00,{['2024-01-05', '2024-01-06T12:00Z'][i % 2]},{label(i // 2)}"))
write("date_parts.csv", rows("day,moment,y", lambda i: f"2024-01-{i + 1:02},2024-01-{i + 1:02}T{i:02}:30,{label(i)}"))
write("other_dates.csv", rows("german,american,y", lambda i: f"{i % 3 + 1:02}.01.2024,01/{i % 3 + 1:02}/2024,{label(i)}"))
write("written_dates.csv", rows("x,settled,named,digits,mixed,versions,y", lambda i: f"{number(i)},{i + 1:02}/02/2024 {i % 12 + 1}:05 {['AM', 'pm'][i % 2]},\"Feb {i + 1}, 2024\",{20240201 + i * 7 % 24},{['27/09/2020', '09/27/2020'][i % 2]},{i % 3 + 1}.{i % 2 + 10}.{12 + i % 2},{label(i // 2)}"))
write("na_category.csv", rows("continent,y", lambda i: f"{['NA', 'EU', 'AS'][i % 3]},{label(i)}"))
write("na_missing.csv", rows("continent,y", lambda i: f"{['NA', 'EU', 'AS'][i % 3]},{label(i)}"))
write("truths.csv", rows("flag,mixed,bit,y", lambda i: f"{['True', 'false', 'TRUE', 'False'][i % 4]},{['True', '1', '0'][i % 3]},{i % 2},{label(i // 2)}"))
again = lambda i: '\n# again, "' if i == 3 else ""
write("comments.csv", "Measured in May\n# of flowers\n" + rows("x,y", lambda i: f"{number(i)},{label(i)}{again(i)}"))
write("empty_column.csv", rows("x,nothing,y", lambda i: f"{number(i)},,{label(i)}"))
write("no_header.csv", "".join(f"{number(i)},{i * 5 % 17},{label(i)}\n" for i in range(24)))
write("years_as_names.csv", rows("y,2019,2020,2021", lambda i: f"{label(i)},{number(i)},{number(i + 1)},{number(i + 2)}"))
write("misprints.csv", rows("x,y", lambda i: f"{'about 5' if i == 7 else number(i)},{label(i)}"))
write("control_characters.csv", "x,y\n1,a\n\x00\x01\x02,b\n")
colours = ["red", "'dark blue'", "?"]
header = "@RELATION flowers\n% a comment\n@ATTRIBUTE 'petal length' NUMERIC\n@ATTRIBUTE colour {red, 'dark blue'}\n@ATTRIBUTE y {a, b}\n@DATA"
write("table.arff", rows(header, lambda i: f"{number(i)}, {colours[i % 3]}, {label(i)}"))
values = ["null", '"NA"', '"red"']
record = lambda i: f'{{"x": {number(i)}, "colour": {values[i % 3]}, "ok": {["true", "false"][i % 2]}, "y": "{label(i // 2)}"}}'
write("lines.jsonl", "".join(record(i) + "\n" for i in range(24)))
write("array.json", "[" + ",\n".join(record(i) for i in range(24)) + "]\n")

book = openpyxl.Workbook()
sheet = book.active
sheet.append([])
sheet.append(["x", "day", "share", "note", "y"])
for i in range(24):
    day = datetime.date(2024, 1, i + 1)
    sheet.append([number(i) if i % 5 else None, day, (i * 7 % 13) / 100, ["red", "#N/A", "blue"][i % 3], label(i)])
    sheet.cell(row=sheet.max_row, column=3).number_format = "0 %"
book.save("table.xlsx")

cell = lambda value: f'<table:table-cell office:value-type="float" office:value="{value}"/>' if isinstance(value, float) else f'<table:table-cell office:value-type="string"><text:p>{value}</text:p></table:table-cell>'
row = lambda values: "<table:table-row>" + "".join(map(cell, values)) + "</table:table-row>"
names = 'xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
content = f'<?xml version="1.0" encoding="UTF-8"?><office:document-content {names} office:version="1.2"><office:body><office:spreadsheet><table:table table:name="flowers">' + row(["x", "y"]) + "".join(row([number(i), label(i)]) for i in range(24)) + "</table:table></office:spreadsheet></office:body></office:document-content>"
kind = "application/vnd.oasis.opendocument.spreadsheet"
manifest = f'<?xml version="1.0" encoding="UTF-8"?><manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0" manifest:version="1.2"><manifest:file-entry manifest:full-path="/" manifest:media-type="{kind}"/><manifest:file-entry manifest:full-path="content.xml" manifest:media-type="text/xml"/></manifest:manifest>'
with zipfile.ZipFile("table.ods", "w", zipfile.ZIP_DEFLATED) as file:
    file.writestr("mimetype", kind, zipfile.ZIP_STORED)
    file.writestr("content.xml", content)
    file.writestr("META-INF/manifest.xml", manifest)

n = range(24)
table = pa.table({
    "price": pa.array([decimal.Decimal(i * 7 % 13) / 4 for i in n], pa.decimal128(9, 2)),
    "day": pa.array([datetime.date(2024, 1, i + 1) for i in n]),
    "moment": pa.array([datetime.datetime(2024, 1, i + 1, i, 30) for i in n], pa.timestamp("us", "UTC")),
    "emb": pa.array([None if i == 5 else [number(i), number(i + 1)] for i in n], pa.list_(pa.float32(), 2)),
    "y": [label(i) for i in n],
})
pq.write_table(table, "decimals_dates_lists.parquet")
feather.write_feather(table.drop_columns("emb"), "lz4.feather", compression="lz4")
