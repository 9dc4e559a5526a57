// From the state to the page, and from the hands to the state.
import { $, choices, h, number } from "./dom.js";
import { ask, doubles, loadEngine, memory } from "./engine.js";
import { DEFAULTS, address, parsed, state } from "./state.js";
import { TABLES, generated } from "./tables.js";
import { compose, densities, placeOf, points, rangeOf, regions } from "./plot.js";
import { confusion, equation, legend, measures, parameters, posteriors, why } from "./views.js";
import { SCENES } from "./scenes.js";

const NUMBERS = ["gaussian", "kernel", "binned", "power", "zero-inflated-gaussian", "poisson", "multinomial", "bernoulli", "categorical", "ignore"];
const CATEGORIES = ["categorical", "grouped", "ignore"];
const BINS = [["mdl", "by description length (MDL)"], ["modl", "most probable (MODL)"], ["width:3", "3 of equal width"], ["width:8", "8 of equal width"], ["width:20", "20 of equal width"], ["frequency:4", "4 with equal rows"], ["frequency:10", "10 with equal rows"]];
const LEVELS = ["row", "view", "fit", "cells", "table"];

const model = { table: null, base: null, cells: null, fit: null, predicted: null, row: [], error: null, sampled: null };
const view = { x: null, y: null, xPlace: 0, yPlace: 1, row: [] };
let tables = {};
let fileText = null;
let loaded = null; // the bytes of a model file
let hover = null;  // {row} or {cells}
let handles = [];
let level = -1;
let frame = 0;
let slowTimer = 0;
let isSlowDone = true;
let waiting = [];

const preset = (name) => (Object.hasOwn(SCENES, name ?? "") ? { ...SCENES[name].preset, scene: name } : null);
const scene = () => SCENES[state.scene] ?? null;
const presetState = () => ({ ...structuredClone(DEFAULTS), ...structuredClone(preset(state.scene) ?? {}) });

/// Asks for the page to be brought up to date from this level on, in the next frame.
function change(from) {
  level = Math.max(level, LEVELS.indexOf(from));
  if (!frame) frame = requestAnimationFrame(update);
}

function message(text) {
  $("message").hidden = !text;
  $("message").textContent = text ?? "";
}

// The table.

function tableRequest() {
  if (loaded) return [{ do: "load" }, loaded];
  if (state.set === "drawn" || state.set === "moons" || state.set === "clouds") {
    const drawn = state.set === "drawn" ? state.points : generated(state.set);
    return [{ do: "points", columns: ["across", "up"], label: "class", classes: ["a", "b", "c"].slice(0, Math.max(2, ...drawn.map((point) => point[2] + 1), state.set === "drawn" ? 3 : 2)) },
      new Float64Array(drawn.flat())];
  }
  const text = state.set === "file" ? fileText ?? state.csv ?? "" : tables[state.set] ?? "";
  const categories = Object.entries(state.families).filter(([, family]) => CATEGORIES.includes(family) && family !== "ignore").map(([name]) => name);
  const label = state.label ?? TABLES.find(([name]) => name === state.set)?.[2] ?? null;
  return [{ do: "table", name: state.set === "file" ? "the file" : `${state.set}.csv`, label, categories }, new TextEncoder().encode(text)];
}

function loadTable() {
  const [request, bytes] = tableRequest();
  const answer = ask(request, bytes);
  if (answer.error) return answer.error;
  model.table = loaded ? answer.table : answer;
  model.isLoaded = loaded !== null;
  model.fit = loaded ? answer.model : null;
  model.base = doubles(answer);
  if (!loaded && state.only) keepOnly();
  if (!loaded && state.copies > 0) addCopies();
  const n = model.table.columns.length;
  if (state.x >= n) state.x = 0;
  if (state.y >= n || (state.y === state.x && n > 1)) state.y = state.x === 0 ? Math.min(1, n - 1) : 0;
  if (state.row !== null && state.row >= model.base.length / (n + 1)) state.row = null;
  if (state.cells && state.cells.length !== n) state.cells = null;
  return null;
}

/// Rows of some classes alone.
function keepOnly() {
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
function addCopies() {
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
function edit() {
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

// The model.

function design(families = null, refined = state.refined) {
  const columns = new Map(model.table.columns.map((column) => [column.name, column]));
  const chosen = Object.entries(families ?? state.families).filter(([name, family]) => columns.has(name) && (!refined || family === "ignore"));
  const settings = {};
  if (!refined) Object.assign(settings, { smoothing: String(state.l), variance_floor: String(state.floor) });
  return { families: Object.fromEntries(chosen), settings, shared_variance: state.shared && !refined, bins: refined ? null : state.bins, refined,
    prior: state.prior, priors: state.prior === "given" ? state.priors : null };
}

function fit() {
  model.predicted = null;
  if (!model.isLoaded) {
    const answer = ask({ do: "fit", ...design() });
    if (answer.error && state.set === "drawn" && new Set(state.points.map((point) => point[2])).size < 2) {
      model.fit = null;
      $("status").textContent = `${state.points.length} rows`;
      return "Click in the picture to add points of at least two classes; “New points” says of which.";
    }
    if (answer.error) {
      model.fit = null;
      return answer.error;
    }
    model.fit = answer;
  }
  // While a hand moves something in a large table, the counts of right labels can wait.
  if (drag && model.cells.length > 4000) return null;
  const predicted = ask({ do: "predict" });
  model.predicted = predicted.error || model.isLoaded ? null : doubles(predicted);
  const n = predicted.n_rows;
  const plain = state.refined && model.fit.plain ? ` Nothing was weighted: ${model.fit.plain}.` : "";
  const used = new Set(model.fit.columns.map((column) => column.name));
  const out = model.table.columns.map((column) => column.name).filter((name) => !used.has(name));
  $("status").textContent = model.isLoaded ? `${n} rows drawn from the model that you opened.`
    : `${n} rows; the model gives ${predicted.n_right} of them their label.${out.length ? ` Not used: ${out.slice(0, 5).join(", ")}${out.length > 5 ? ", …" : ""}.` : ""}${plain}`;
  return null;
}

function pinned() {
  const stride = model.table.columns.length + 1;
  if (state.cells) return state.cells.slice();
  const row = state.row ?? 0;
  const cells = Array.from(model.cells.subarray(row * stride, row * stride + stride - 1), (cell) => (cell === cell ? cell : null));
  return cells.length === stride - 1 ? cells : model.table.columns.map(() => 0);
}

// The page.

let frameTime = 0;
function update() {
  const began = performance.now();
  bringUpToDate();
  frameTime = performance.now() - began;
}

function bringUpToDate() {
  frame = 0;
  const from = level;
  level = -1;
  const isAtLeast = (name) => from >= LEVELS.indexOf(name);
  if (isAtLeast("table")) {
    model.error = loadTable();
    if (model.error && !model.table) { message(model.error); return settle(); }
    if (!model.error) drawControls();
  }
  if (!model.error && isAtLeast("cells")) model.error = edit();
  if (isAtLeast("fit")) {
    const wasTable = isAtLeast("table") && model.error;
    if (!wasTable) model.error = model.error && isAtLeast("cells") ? model.error : fit();
    message(model.error);
    drawModelControls();
  }
  Object.assign(view, { xPlace: state.x, yPlace: state.y });
  if (model.cells) model.row = view.row = pinned();
  if (model.fit && scene()?.before && isAtLeast("view")) scene().before(model, state);
  else if (!scene()?.before) model.sampled = null;
  if (isAtLeast("view") && model.cells) {
    if (!drag) { view.x = rangeOf(model, state.x); view.y = rangeOf(model, state.y); }
    if (!model.error) regions(model, view, 64);
    model.rowName = state.cells ? "the row of your own" : `row ${(state.row ?? 0) + 1}`;
    points(model, view);
    handles = densities(model, view);
    legend(model);
    $("tool-note").textContent = handles.length > 0 && !model.isLoaded && !state.refined ? "drag a mean, a deviation, or a row" : "";
    if (model.fit && !model.error) {
      parameters(model, [state.x, state.y], typeParameter);
      drawBoundary();
    }
    pinnedChanged();
    isSlowDone = false;
    clearTimeout(slowTimer);
    slowTimer = setTimeout(slow, drag ? 300 : 90);
  } else if (isAtLeast("row") && view.x) {
    if (pinnedChanged()) {
      model.rowName = state.cells ? "the row of your own" : `row ${(state.row ?? 0) + 1}`;
      legend(model);
      if (!model.error) regions(model, view, 64);
      isSlowDone = false;
      clearTimeout(slowTimer);
      slowTimer = setTimeout(slow, 90);
    }
  }
  if (view.x) compose(model, view, crossAt());
  explain();
  remember();
  settle();
}

let lastPinned = "";
function pinnedChanged() {
  const now = JSON.stringify(model.row);
  const isNew = now !== lastPinned;
  lastPinned = now;
  return isNew;
}

/// What may take longer than a frame: the fine picture, held-out rows, the figure of the lesson.
function slow() {
  if (drag) { slowTimer = setTimeout(slow, 120); return; }
  if (model.fit && !model.error) {
    const budget = 3e6 / Math.max(2, model.table.columns.length);
    regions(model, view, Math.max(64, Math.min(360, Math.floor(Math.sqrt(budget * 4 / 3 / 4)))));
    compose(model, view, crossAt());
    measure();
    const own = scene();
    if (own) own.figure(model, state, view, refit, measured);
  }
  isSlowDone = true;
  settle();
}

function settle() {
  if (frame || !isSlowDone) return;
  document.documentElement.dataset.settled = "yes";
  waiting.splice(0).forEach((done) => done());
}

let lastMeasured = "";
function measure() {
  if (model.isLoaded) {
    $("measures").replaceChildren(h("p", { className: "note" }, "Drop the model's table to measure it; its file has no rows."));
    $("confusion").replaceChildren();
    $("folds").textContent = "";
    return;
  }
  const request = { do: "measure", ...design() };
  const key = JSON.stringify([request, state.set, state.only, state.copies, state.x, state.moves, state.points_moved, state.points, state.label, fileText?.length]);
  if (key === lastMeasured) return;
  lastMeasured = key;
  const answer = ask(request);
  if (answer.error) {
    $("measures").replaceChildren(h("p", { className: "note" }, answer.error));
    $("confusion").replaceChildren();
    $("folds").textContent = "";
    return;
  }
  measures(answer);
  confusion(model, answer);
}

/// Trains with other families for a figure; `null` trains the model of the page again.
function refit(families) {
  return !ask({ do: "fit", ...design(families) }).error;
}

const measuredBefore = new Map();

/// The log-loss of held-out rows with some copies of a column.
function measured(copies, refined) {
  const key = JSON.stringify([copies, refined, state.set, state.x, state.only, design(null, false), state.moves]);
  if (!measuredBefore.has(key)) {
    const keep = { table: model.table, base: model.base, cells: model.cells, copies: state.copies };
    const [request, bytes] = tableRequest();
    const answer = ask(request, bytes);
    [model.table, model.base, state.copies] = [answer, doubles(answer), copies];
    if (state.only) keepOnly();
    if (copies > 0) addCopies();
    const found = ask({ do: "measure", ...design(null, refined) });
    measuredBefore.set(key, found.error ? null : found.model.log_loss);
    Object.assign(model, { table: keep.table, base: keep.base, cells: keep.cells });
    state.copies = keep.copies;
    ask({ do: "points", columns: keep.table.columns.map((column) => column.name), label: keep.table.label, classes: keep.table.classes }, keep.cells);
    refit(null);
  }
  return measuredBefore.get(key);
}

function drawBoundary() {
  const labels = model.fit.classes;
  const index = (label, other) => { const at = labels.indexOf(label); return at >= 0 ? at : other; };
  const b = index(state.b, labels.length - 2);
  let a = index(state.a, labels.length - 1);
  if (a === b) a = (b + 1) % labels.length;
  choices($("class-a"), labels.map((label) => [label, label]), labels[a]);
  choices($("class-b"), labels.map((label) => [label, label]), labels[b]);
  if (labels.length < 2) return;
  equation(model, ask({ do: "boundary", class: a, against: b }));
}

function explain() {
  if (!model.fit || model.error || !model.cells) return;
  const stride = model.table.columns.length + 1;
  let cells = model.row;
  let name = state.cells ? "a row of your own" : `row ${(state.row ?? 0) + 1}`;
  let truth = state.cells ? null : model.table.classes[model.cells[(state.row ?? 0) * stride + stride - 1]];
  if (hover?.row !== undefined && hover.row * stride < model.cells.length) {
    cells = Array.from(model.cells.subarray(hover.row * stride, hover.row * stride + stride - 1), (cell) => (cell === cell ? cell : null));
    name = `row ${hover.row + 1}`;
    truth = model.table.classes[model.cells[hover.row * stride + stride - 1]];
  } else if (hover?.cells) {
    [cells, name, truth] = [hover.cells, "under the pointer", null];
  }
  if (model.isLoaded) truth = null;
  const answer = ask({ do: "explain", row: cells });
  if (answer.error) {
    $("posteriors").replaceChildren();
    $("why").replaceChildren();
    $("why-note").textContent = answer.error;
    return;
  }
  $("why-row").textContent = truth ? `${name}, labelled ${truth}` : name;
  posteriors(model, answer);
  why(model, answer, cells, (place, value) => {
    state.cells = cells.slice();
    state.cells[place] = value;
    hover = null;
    change("row");
  });
}

function crossAt() {
  if (hover?.cells) return [hover.cells[state.x], hover.cells[state.y]];
  const row = hover?.row ?? (state.cells ? null : state.row ?? 0);
  if (row !== null) {
    const stride = model.table.columns.length + 1;
    if (row * stride < model.cells.length) return placeOf(model, view, row);
    return null;
  }
  const at = [state.cells[state.x], state.cells[state.y]];
  return at[0] === null || at[1] === null ? null : at;
}

// Controls.

function drawControls() {
  const sets = TABLES.map(([name, text]) => [name, text]);
  if (state.set === "file") sets.push(["file", "your file"]);
  if (loaded) sets.push(["model", "your model file"]);
  choices($("set"), sets, loaded ? "model" : state.set);
  choices($("label"), (model.table.all_columns ?? []).map((name) => [name, name]), model.table.label);
  $("label").disabled = loaded !== null || ["drawn", "moons", "clouds"].includes(state.set) || state.only !== null;
  const columns = model.table.columns.map((column, place) => [place, column.name]);
  choices($("x"), columns, state.x);
  choices($("y"), columns, state.y);
  $("draw-tools").hidden = state.set !== "drawn" || loaded !== null;
  choices($("draw-class"), model.table.classes.map((label, index) => [index, label]), Number($("draw-class").value) || 0);
  const out = (model.table.left_out ?? []).map((column) => `${column.name} (${column.reason})`);
  $("data-note").textContent = [state.set === "drawn" ? "Click in the picture to add a point." : "", out.length ? `Left out: ${out.slice(0, 4).join("; ")}.` : ""].filter(Boolean).join(" ");
  drawScene();
}

function drawModelControls() {
  const isFixed = model.isLoaded;
  for (const control of $("model-controls").querySelectorAll("input, select")) control.disabled = isFixed;
  $("refined").checked = state.refined;
  $("plain-controls").hidden = state.refined;
  $("shared").checked = state.shared;
  $("l").value = state.l;
  $("l-out").textContent = number(state.l, 3);
  $("floor").value = Math.log10(state.floor);
  $("floor-out").textContent = number(state.floor, 2);
  choices($("bins"), BINS, state.bins);
  $("prior").value = state.prior;
  // Controls that no column of the model listens to are not there.
  const families = new Set((model.fit?.columns ?? []).map((column) => column.family));
  const has = (...names) => !model.fit || names.some((name) => families.has(name));
  $("shared-box").hidden = !has("gaussian", "shared-gaussian");
  $("floor-box").hidden = !has("gaussian", "shared-gaussian", "zero-inflated-gaussian", "power");
  $("bins-box").hidden = !has("binned");
  $("l-box").hidden = !has("binned", "categorical", "grouped", "multinomial", "bernoulli", "poisson");
  drawFamilies(isFixed);
  drawPriors(isFixed);
}

function drawFamilies(isFixed) {
  const { columns } = model.table;
  const shown = columns.slice(0, 60);
  const key = JSON.stringify([columns, state.families, isFixed]);
  if ($("families").dataset.key === key) return;
  $("families").dataset.key = key;
  const chosen = new Map((model.fit?.columns ?? []).map((column) => [column.name, column.family]));
  const select = (name, options, value, act) => {
    const made = h("select", { "aria-label": `family of ${name}`, disabled: isFixed }, h("option", { value: "" }, "as the trainer chooses"), ...options.map((option) => h("option", { value: option }, option)));
    made.value = value ?? "";
    made.addEventListener("change", () => act(made.value));
    return h("label", {}, name, chosen.get(name) && !value ? h("span", { className: "soft" }, ` (${chosen.get(name)})`) : null, made);
  };
  const set = (names, family) => {
    for (const name of names) {
      if (family === "") delete state.families[name];
      else state.families[name] = family;
    }
    hover = null;
    change("table");
  };
  const lines = shown.map((column) => select(column.name, column.levels && !state.families[column.name] ? CATEGORIES : NUMBERS.concat(column.levels ? ["grouped"] : []), state.families[column.name], (family) => set([column.name], family)));
  const numbers = columns.filter((column) => !column.levels).map((column) => column.name);
  if (numbers.length > 1) lines.unshift(select("all columns of numbers", NUMBERS.filter((family) => family !== "ignore"), null, (family) => set(numbers, family)));
  $("families").replaceChildren(...lines);
}

function drawPriors(isFixed) {
  const { classes } = model.table;
  const isGiven = state.prior === "given" && classes.length <= 12 && !isFixed;
  const key = JSON.stringify([classes, isGiven]);
  if ($("priors").dataset.key === key && document.activeElement?.closest?.("#priors")) return;
  $("priors").dataset.key = key;
  if (!isGiven) return $("priors").replaceChildren();
  if (state.priors?.length !== classes.length) state.priors = classes.map(() => 1);
  const sum = state.priors.reduce((a, b) => a + b, 0);
  $("priors").replaceChildren(...classes.map((label, index) => {
    const out = h("output", {}, number(state.priors[index] / sum, 3));
    const input = h("input", { type: "range", min: "0.01", max: "1", step: "0.01", "aria-label": `prior of ${label}`, value: String(state.priors[index]) });
    input.addEventListener("input", () => {
      state.priors[index] = Number(input.value);
      const total = state.priors.reduce((a, b) => a + b, 0);
      $("priors").querySelectorAll("output").forEach((own, at) => { own.textContent = number(state.priors[at] / total, 3); });
      change("fit");
    });
    return h("label", {}, h("span", {}, label, " ", out), input);
  }));
}

function drawScene() {
  for (const link of $("scenes").children) {
    const isHere = (link.dataset.scene || null) === state.scene;
    if (isHere && !link.hasAttribute("aria-current") && $("scenes").scrollWidth > $("scenes").clientWidth) {
      $("scenes").scrollLeft = link.offsetLeft - $("scenes").offsetLeft - 24;
    }
    if (isHere) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  const own = scene();
  $("lesson").hidden = !own;
  if (!own) { $("lesson-figure").replaceChildren(); $("lesson").dataset.scene = ""; return; }
  if ($("lesson").dataset.scene !== state.scene) $("lesson-figure").replaceChildren();
  const key = JSON.stringify([state.scene, own.control ? null : state.knob]);
  if ($("lesson").dataset.key === key || (document.activeElement?.closest?.("#lesson-controls") && $("lesson").dataset.scene === state.scene)) return;
  $("lesson").dataset.key = key;
  $("lesson").dataset.scene = state.scene;
  $("lesson-title").textContent = own.title;
  $("lesson-text").textContent = own.text;
  $("lesson-try").textContent = own.try;
  const knob = own.knob ?? own.control;
  const controls = [];
  if (knob) {
    const where = own.control ? knob.key : "knob";
    const out = h("output", {}, knob.isNumber ? "" : String(state[where]));
    const input = h("input", { type: knob.isNumber ? "number" : "range", id: "knob", min: String(knob.min), max: String(knob.max), step: String(knob.step), value: String(state[where]) });
    input.addEventListener("input", () => {
      const value = Number(input.value);
      if (!(value >= knob.min && value <= knob.max)) return;
      state[where] = value;
      if (!knob.isNumber) out.textContent = String(state[where]);
      knob.sets?.(state);
      hover = null;
      change(knob.from ?? (knob.sets ? "row" : "view"));
    });
    controls.push(h("label", {}, h("span", {}, knob.label, " ", out), input));
  }
  for (const [text, act] of own.buttons ?? []) {
    const button = h("button", { type: "button" }, text);
    button.addEventListener("click", () => { act(state); hover = null; change("fit"); });
    controls.push(button);
  }
  $("lesson-controls").replaceChildren(...controls);
}

// The address.

let remembering = 0;
function remember() {
  clearTimeout(remembering);
  remembering = setTimeout(() => {
    const now = address(state, presetState());
    if (now !== location.hash && !(now === "#" && location.hash === "")) history.replaceState(null, "", now === "#" ? location.href.split("#")[0] : now);
  }, 120);
}

/// Takes a state as a whole.
function take(value) {
  Object.assign(state, structuredClone(value));
  if (state.csv && state.set === "file") fileText = state.csv;
  if (!TABLES.some(([name]) => name === state.set) && !(state.set === "file" && fileText)) state.set = DEFAULTS.set;
  [loaded, hover, lastMeasured] = [null, null, ""];
  $("lesson").dataset.key = "";
  change("table");
}

/// Another table: what was said of the columns of the last one is forgotten.
function useTable(set) {
  const { scene: own, refined, prior, l, floor, bins, shared } = state;
  const keep = own && ["learning", "cloud", "sampling", "forget"].includes(own) ? own : null;
  Object.assign(state, structuredClone(DEFAULTS), { set, scene: keep, refined, prior: prior === "given" ? "empirical" : prior, l, floor, bins, shared, x: 0, y: 1, knob: keep ? state.knob : null });
  if (set === "iris") Object.assign(state, { x: 2, y: 3 });
  if (set === "spam") Object.assign(state, { x: 52, y: 51 });
  if (set === "pima") Object.assign(state, { x: 1, y: 5 });
  [loaded, hover] = [null, null];
  change("table");
}

async function takeFile(file) {
  if (file.size > 20e6) return message("The file has more than 20 MB; the program nbayes takes files of any size.");
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (file.name.endsWith(".nb") || (bytes[0] > 127 && bytes.length < 5e6 && !file.name.match(/\.(csv|tsv|txt)$/i))) return takeModel(bytes);
  takeText(new TextDecoder().decode(bytes));
}

function takeModel(bytes) {
  const before = loaded;
  const answer = ask({ do: "load" }, bytes);
  if (answer.error) { loaded = before; change("table"); setTimeout(() => message(answer.error), 60); return; }
  Object.assign(state, structuredClone(DEFAULTS), { x: 0, y: 1 });
  [loaded, hover] = [bytes, null];
  change("table");
}

function takeText(text) {
  fileText = text;
  useTable("file");
  state.csv = text.length < 4000 ? text : null;
}

function typeParameter(place, own, fitted, which, value) {
  const column = model.fit.columns.find((one) => one.place === place);
  const pair = [column.normal[0][fitted], column.normal[1][fitted]];
  pair[which] = which === 1 ? Math.max(1e-6, value) : value;
  if (!pair.every(Number.isFinite)) return;
  move(own, place, ...pair);
}

function move(own, place, mean, deviation) {
  state.moves = state.moves.filter(([c, p]) => c !== own || p !== place);
  state.moves.push([own, place, Number(mean.toPrecision(7)), Number(deviation.toPrecision(7))]);
  change("cells");
}

// The hands.

let drag = null;

function locate(event) {
  const box = event.currentTarget.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top, box.width, box.height];
}

function valueAt([px, py, width, height]) {
  const snap = (range, value) => (range.isCode ? Math.min(range.to - 0.5, Math.max(0, Math.round(value))) : value);
  return [snap(view.x, view.x.from + px / width * (view.x.to - view.x.from)), snap(view.y, view.y.to - py / height * (view.y.to - view.y.from))];
}

/// The row whose point is nearest, if it is near.
function nearest([px, py, width, height], reach) {
  const stride = model.table.columns.length + 1;
  let best = null;
  let least = reach * reach;
  for (let row = 0; row * stride < model.cells.length; row++) {
    const [vx, vy] = placeOf(model, view, row);
    const dx = (vx - view.x.from) / (view.x.to - view.x.from) * width - px;
    const dy = height - (vy - view.y.from) / (view.y.to - view.y.from) * height - py;
    const distance = dx * dx + dy * dy;
    if (distance <= least) [best, least] = [row, distance];
  }
  return best;
}

function listenScatter() {
  const canvas = $("scatter");
  canvas.addEventListener("pointermove", (event) => {
    if (!model.cells || !view.x || model.error) return;
    const at = locate(event);
    if (drag?.row !== undefined) {
      if (!drag.isMoving && Math.hypot(at[0] - drag.from[0], at[1] - drag.from[1]) < 4) return;
      drag.isMoving = true;
      const [vx, vy] = valueAt(at);
      for (const [place, value, range] of [[state.x, vx, view.x], [state.y, vy, view.y]]) {
        if (range.isCode) continue;
        if (state.set === "drawn") state.points[drag.row][place] = Number(value.toFixed(3));
        else {
          state.points_moved = state.points_moved.filter(([row, p]) => row !== drag.row || p !== place);
          state.points_moved.push([drag.row, place, Number(value.toPrecision(6))]);
        }
      }
      hover = { row: drag.row };
      change(state.set === "drawn" ? "table" : "cells");
      return;
    }
    if (event.pointerType === "touch") return;
    hover = under(at);
    change("row");
  });
  canvas.addEventListener("pointerleave", () => { if (!drag) { hover = null; change("row"); } });
  canvas.addEventListener("pointerdown", (event) => {
    if (!model.cells || !view.x || model.error) return;
    const at = locate(event);
    const row = nearest(at, 10);
    if (row !== null && !model.isLoaded) {
      drag = { row, from: at, isMoving: false };
      canvas.setPointerCapture(event.pointerId);
    }
  });
  canvas.addEventListener("pointerup", (event) => {
    const own = drag;
    drag = null;
    if (own?.isMoving) { change("fit"); return; }
    const at = locate(event);
    if (own) { pin({ row: own.row }); return; }
    if (state.set === "drawn" && !loaded) {
      const [vx, vy] = valueAt(at);
      state.points = [...state.points, [Number(vx.toFixed(3)), Number(vy.toFixed(3)), Number($("draw-class").value) || 0]];
      state.row = state.points.length - 1;
      change("table");
      return;
    }
    if (model.cells && view.x && !model.error) pin(under(at));
  });
  canvas.addEventListener("pointercancel", () => { drag = null; });
  canvas.addEventListener("keydown", (event) => {
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1], Home: null };
    if (!(event.key in steps) || !view.x || model.error) return;
    event.preventDefault();
    const step = steps[event.key];
    const cells = model.row.slice();
    const part = event.shiftKey ? 10 : 60;
    [[state.x, view.x, 0], [state.y, view.y, 1]].forEach(([place, range, which]) => {
      const [from, to] = [range.from, range.to];
      if (!step) cells[place] = range.isCode ? 0 : (from + to) / 2;
      else if (step[which]) {
        const next = (cells[place] ?? 0) + step[which] * (range.isCode ? 1 : (to - from) / part);
        cells[place] = range.isCode ? Math.min(to - 0.5, Math.max(0, next)) : Math.min(to, Math.max(from, Number(next.toPrecision(6))));
      }
    });
    state.cells = cells;
    hover = null;
    change("row");
  });
}

function under(at) {
  const row = nearest(at, 9);
  if (row !== null) return { row };
  const cells = model.row.slice();
  [cells[state.x], cells[state.y]] = valueAt(at);
  return { cells };
}

function pin(what) {
  if (what.row !== undefined) [state.row, state.cells] = [what.row, null];
  else state.cells = what.cells.map((cell) => (cell === null ? null : Number(cell.toPrecision(7))));
  hover = null;
  change(state.scene === "forget" ? "view" : "row");
}

function listenDensities(id) {
  const canvas = $(id);
  const find = (event) => {
    const [px, py] = locate(event);
    return handles.filter((handle) => handle.id === id && Math.hypot(handle.px - px, handle.py - py) < 12)
      .sort((a, b) => Math.hypot(a.px - px, a.py - py) - Math.hypot(b.px - px, b.py - py))[0];
  };
  canvas.addEventListener("pointerdown", (event) => {
    const handle = find(event);
    if (!handle || model.isLoaded || state.refined) return;
    drag = { handle };
    canvas.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!drag?.handle) { canvas.style.cursor = find(event) && !model.isLoaded ? (id === "top" ? "ew-resize" : "ns-resize") : "default"; return; }
    const [px, py, width, height] = locate(event);
    const range = id === "top" ? view.x : view.y;
    const value = id === "top" ? range.from + px / width * (range.to - range.from) : range.to - py / height * (range.to - range.from);
    const { handle } = drag;
    if (handle.kind === "mean") handle.mean = value;
    else handle.deviation = Math.max((range.to - range.from) / 200, Math.abs(value - handle.mean));
    move(handle.class, handle.place, handle.mean, handle.deviation);
  });
  const end = () => { if (drag?.handle) { drag = null; change("fit"); } };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
}

function listen() {
  const on = (id, event, act) => $(id).addEventListener(event, act);
  on("set", "change", () => useTable($("set").value));
  on("label", "change", () => {
    const { set, refined } = state;
    Object.assign(state, structuredClone(DEFAULTS), { set, refined, label: $("label").value, csv: state.csv, x: 0, y: 1 });
    change("table");
  });
  on("x", "change", () => { state.x = Number($("x").value); hover = null; change(state.copies ? "table" : "view"); });
  on("y", "change", () => { state.y = Number($("y").value); hover = null; change("view"); });
  on("class-a", "change", () => { state.a = $("class-a").value; if (state.b === state.a || !state.b) state.b = $("class-b").value === state.a ? null : $("class-b").value; change("view"); });
  on("class-b", "change", () => { state.b = $("class-b").value; change("view"); });
  on("refined", "change", () => { state.refined = $("refined").checked; change("fit"); });
  on("shared", "change", () => { state.shared = $("shared").checked; change("fit"); });
  on("l", "input", () => { state.l = Number($("l").value); change("fit"); });
  on("floor", "input", () => { state.floor = Number((10 ** Number($("floor").value)).toPrecision(3)); change("fit"); });
  on("bins", "change", () => { state.bins = $("bins").value; change("fit"); });
  on("prior", "change", () => { state.prior = $("prior").value; change("fit"); });
  on("open", "click", () => $("file").click());
  on("file", "change", () => { const [file] = $("file").files; if (file) takeFile(file); $("file").value = ""; });
  on("paste-use", "click", () => { if ($("paste").value.trim()) takeText($("paste").value); });
  on("draw-clear", "click", () => { state.points = []; state.row = null; change("table"); });
  on("reset", "click", () => take(presetState()));
  on("save", "click", save);
  on("link", "click", copyLink);
  on("scheme", "click", () => setScheme(document.documentElement.dataset.scheme === "dark" ? "light" : "dark"));
  on("controls", "submit", (event) => event.preventDefault());
  addEventListener("hashchange", () => take(parsed(location.hash, preset)));
  addEventListener("resize", () => change("view"));
  addEventListener("dragover", (event) => { event.preventDefault(); $("drop").hidden = false; });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) $("drop").hidden = true; });
  addEventListener("drop", (event) => {
    event.preventDefault();
    $("drop").hidden = true;
    const [file] = event.dataTransfer?.files ?? [];
    if (file) takeFile(file);
  });
  const scheme = matchMedia("(prefers-color-scheme: dark)");
  setScheme(scheme.matches ? "dark" : "light");
  scheme.addEventListener("change", () => setScheme(scheme.matches ? "dark" : "light"));
  listenScatter();
  listenDensities("top");
  listenDensities("side");
}

function setScheme(name) {
  document.documentElement.dataset.scheme = name;
  $("scheme").textContent = name === "dark" ? "Light" : "Dark";
  $("scheme").setAttribute("aria-label", `switch to ${name === "dark" ? "light" : "dark"} colours`);
  if (model.table) change("view");
}

function save() {
  const answer = ask({ do: "save" });
  if (answer.error) return message(answer.error);
  const url = URL.createObjectURL(new Blob([answer.bytes], { type: "application/octet-stream" }));
  const link = h("a", { href: url, download: `${state.set}.nb` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}

async function copyLink() {
  const now = address(state, presetState());
  history.replaceState(null, "", now === "#" ? location.href.split("#")[0] : now);
  const isWhole = loaded === null && (state.set !== "file" || state.csv !== null);
  let said = isWhole ? "Copied" : "Copied, without the file";
  try { await navigator.clipboard.writeText(location.href); } catch { said = "It is in the address bar"; }
  $("link").textContent = said;
  setTimeout(() => { $("link").textContent = "Copy link"; }, 1800);
}

function settled() {
  return new Promise((done) => {
    waiting.push(done);
    change("row");
  });
}

$("scenes").append(...[["", "Free play"], ...Object.entries(SCENES).map(([name, own]) => [name, own.short])].map(([name, text]) => {
  const link = h("a", { href: name ? `#scene=${name}` : "#" }, text);
  link.dataset.scene = name;
  return link;
}));

async function start() {
  const started = performance.now();
  try {
    tables = await loadEngine();
  } catch (error) {
    message(`This browser cannot run the page: ${error.message}. It needs WebAssembly and DecompressionStream.`);
    return;
  }
  listen();
  take(parsed(location.hash, preset));
  requestAnimationFrame(() => requestAnimationFrame(() => { document.documentElement.dataset.started = String(Math.round(performance.now() - started)); }));
}

// For tests and for the curious.
globalThis.playground = { state, model, settled, ask, memory, change, take, takeText, takeModel, save, address: () => address(state, presetState()), handles: () => handles, lastFrame: () => frameTime };

start();
