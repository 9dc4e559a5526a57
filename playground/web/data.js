// The table of the page: where it comes from, and what hands have done to it.
import { $ } from "./dom.js";
import { ask, doubles } from "./engine.js";
import { DEFAULTS, state } from "./state.js";
import { TABLES, generated } from "./tables.js";
import { CATEGORIES, change, message, model, ui } from "./page.js";

export function tableRequest() {
  if (ui.loaded) return [{ do: "load" }, ui.loaded];
  if (state.set === "drawn" || state.set === "moons" || state.set === "clouds") {
    const drawn = state.set === "drawn" ? state.points : generated(state.set);
    return [{ do: "points", columns: ["across", "up"], label: "class", classes: ["a", "b", "c"].slice(0, Math.max(2, ...drawn.map((point) => point[2] + 1), state.set === "drawn" ? 3 : 2)) },
      new Float64Array(drawn.flat())];
  }
  const text = state.set === "file" ? ui.fileText ?? state.csv ?? "" : ui.tables[state.set] ?? "";
  const categories = Object.entries(state.families).filter(([, family]) => CATEGORIES.includes(family) && family !== "ignore").map(([name]) => name);
  const label = state.label ?? TABLES.find(([name]) => name === state.set)?.[2] ?? null;
  return [{ do: "table", name: state.set === "file" ? "the file" : `${state.set}.csv`, label, categories }, new TextEncoder().encode(text)];
}

export function loadTable() {
  const [request, bytes] = tableRequest();
  const answer = ask(request, bytes);
  if (answer.error) return answer.error;
  model.table = ui.loaded ? answer.table : answer;
  model.isLoaded = ui.loaded !== null;
  model.fit = ui.loaded ? answer.model : null;
  model.base = doubles(answer);
  if (!ui.loaded && state.only) keepOnly();
  if (!ui.loaded && state.copies > 0) addCopies();
  const n = model.table.columns.length;
  if (state.x >= n) state.x = 0;
  if (state.y >= n || (state.y === state.x && n > 1)) state.y = state.x === 0 ? Math.min(1, n - 1) : 0;
  if (state.row !== null && state.row >= model.base.length / (n + 1)) state.row = null;
  if (state.cells && state.cells.length !== n) state.cells = null;
  return null;
}

/// Rows of some classes alone.
export function keepOnly() {
  const classes = model.table.classes.filter((label) => state.only.includes(label));
  if (classes.length < 2 || model.table.columns.some((column) => column.levels)) return;
  const stride = model.table.columns.length + 1;
  const rows = [];
  for (let at = 0; at < model.base.length; at += stride) {
    const place = classes.indexOf(model.table.classes[model.base[at + stride - 1]]);
    if (place >= 0) rows.push(...model.base.subarray(at, at + stride - 1), place);
  }
  fromPoints(model.table.columns.map((column) => column.name), classes, new Float64Array(rows));
}

/// Copies of the column across, behind the others.
export function addCopies() {
  if (model.table.columns.some((column) => column.levels)) return;
  const stride = model.table.columns.length + 1;
  const place = Math.min(state.x, stride - 2);
  const rows = [];
  for (let at = 0; at < model.base.length; at += stride) {
    rows.push(...model.base.subarray(at, at + stride - 1), ...Array(state.copies).fill(model.base[at + place]), model.base[at + stride - 1]);
  }
  const names = model.table.columns.map((column) => column.name);
  const copies = Array.from({ length: state.copies }, (_, k) => `${names[place]} (copy ${k + 1})`);
  fromPoints([...names, ...copies], model.table.classes, new Float64Array(rows));
}

function fromPoints(columns, classes, rows) {
  const { label, all_columns } = model.table;
  const answer = ask({ do: "points", columns, label, classes }, rows);
  if (answer.error) return;
  model.table = { ...answer, all_columns };
  model.base = doubles(answer);
}

/// The cells with what was moved.
export function edit() {
  model.cells = model.base.slice();
  const stride = model.table.columns.length + 1;
  for (const [own, place, mean, deviation] of state.moves) {
    if (!(place < stride - 1)) continue;
    const [m, s] = momentsOf(own, place);
    const factor = s > 0 ? deviation / s : 1;
    for (let at = 0; at < model.cells.length; at += stride) {
      if (model.base[at + stride - 1] === own) model.cells[at + place] = mean + (model.base[at + place] - m) * factor;
    }
  }
  for (const [row, place, value] of state.points_moved) {
    if (row * stride < model.cells.length && place < stride - 1) model.cells[row * stride + place] = value;
  }
  if (model.isLoaded) return null;
  return ask({ do: "cells" }, model.cells).error ?? null;
}

/// Mean and deviation of the rows of a class before any was moved.
function momentsOf(own, place) {
  const stride = model.table.columns.length + 1;
  let [n, mean, squares] = [0, 0, 0];
  for (let at = 0; at < model.base.length; at += stride) {
    const value = model.base[at + place];
    if (model.base[at + stride - 1] !== own || value !== value) continue;
    n += 1;
    const before = value - mean;
    mean += before / n;
    squares += before * (value - mean);
  }
  return [mean, Math.sqrt(squares / Math.max(1, n))];
}

/// Takes a state as a whole.
export function take(value) {
  Object.assign(state, structuredClone(value));
  if (state.csv && state.set === "file") ui.fileText = state.csv;
  if (!TABLES.some(([name]) => name === state.set) && !(state.set === "file" && ui.fileText)) state.set = DEFAULTS.set;
  [ui.loaded, ui.hover, ui.lastMeasured] = [null, null, ""];
  $("lesson").dataset.key = "";
  change("table");
}

/// Another table: what was said of the columns of the last one is forgotten.
export function useTable(set) {
  const { scene: own, refined, prior, l, floor, bins, shared } = state;
  const keep = own && ["learning", "cloud", "sampling", "forget"].includes(own) ? own : null;
  Object.assign(state, structuredClone(DEFAULTS), { set, scene: keep, refined, prior: prior === "given" ? "empirical" : prior, l, floor, bins, shared, x: 0, y: 1, knob: keep ? state.knob : null });
  if (set === "iris") Object.assign(state, { x: 2, y: 3 });
  if (set === "spam") Object.assign(state, { x: 52, y: 51 });
  if (set === "pima") Object.assign(state, { x: 1, y: 5 });
  [ui.loaded, ui.hover] = [null, null];
  change("table");
}

export async function takeFile(file) {
  if (file.size > 20e6) return message("The file has more than 20 MB; the program nbayes takes files of any size.");
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (file.name.endsWith(".nb") || (bytes[0] > 127 && bytes.length < 5e6 && !file.name.match(/\.(csv|tsv|txt)$/i))) return takeModel(bytes);
  takeText(new TextDecoder().decode(bytes));
}

export function takeModel(bytes) {
  const before = ui.loaded;
  const answer = ask({ do: "load" }, bytes);
  if (answer.error) { ui.loaded = before; change("table"); setTimeout(() => message(answer.error), 60); return; }
  Object.assign(state, structuredClone(DEFAULTS), { x: 0, y: 1 });
  [ui.loaded, ui.hover] = [bytes, null];
  change("table");
}

export function takeText(text) {
  ui.fileText = text;
  useTable("file");
  state.csv = text.length < 4000 ? text : null;
}
