// From the state to the page.
import { $, choices, h } from "./dom.js";
import { ask, doubles, loadEngine, memory } from "./engine.js";
import { DEFAULTS, address, parsed, state } from "./state.js";
import { compose, densities, placeOf, points, rangeOf, regions } from "./plot.js";
import { confusion, equation, legend, measures, parameters, posteriors, why } from "./views.js";
import { SCENES } from "./scenes.js";
import { LEVELS, change, message, model, preset, presetState, scene, ui, view } from "./page.js";
import { addCopies, edit, keepOnly, loadTable, tableRequest, take, takeFile, takeModel, takeText, useTable } from "./data.js";
import { drawControls, drawModelControls } from "./controls.js";
import { listenDensities, listenScatter, typeParameter } from "./hands.js";

let slowTimer = 0;
let isSlowDone = true;
let waiting = [];

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
  if (ui.drag && model.cells.length > 4000) return null;
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
  ui.frame = 0;
  const from = ui.level;
  ui.level = -1;
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
    if (!ui.drag) { view.x = rangeOf(model, state.x); view.y = rangeOf(model, state.y); }
    if (!model.error) regions(model, view, 64);
    model.rowName = state.cells ? "the row of your own" : `row ${(state.row ?? 0) + 1}`;
    points(model, view);
    ui.handles = densities(model, view);
    legend(model);
    $("tool-note").textContent = ui.handles.length > 0 && !model.isLoaded && !state.refined ? "drag a mean, a deviation, or a row" : "";
    if (model.fit && !model.error) {
      parameters(model, [state.x, state.y], typeParameter);
      drawBoundary();
    }
    pinnedChanged();
    isSlowDone = false;
    clearTimeout(slowTimer);
    slowTimer = setTimeout(slow, ui.drag ? 300 : 90);
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
  if (ui.drag) { slowTimer = setTimeout(slow, 120); return; }
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
  if (ui.frame || !isSlowDone) return;
  document.documentElement.dataset.settled = "yes";
  waiting.splice(0).forEach((done) => done());
}

function measure() {
  if (model.isLoaded) {
    $("measures").replaceChildren(h("p", { className: "note" }, "Drop the model's table to measure it; its file has no rows."));
    $("confusion").replaceChildren();
    $("folds").textContent = "";
    return;
  }
  const request = { do: "measure", ...design() };
  const key = JSON.stringify([request, state.set, state.only, state.copies, state.x, state.moves, state.points_moved, state.points, state.label, ui.fileText?.length]);
  if (key === ui.lastMeasured) return;
  ui.lastMeasured = key;
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
  if (ui.hover?.row !== undefined && ui.hover.row * stride < model.cells.length) {
    cells = Array.from(model.cells.subarray(ui.hover.row * stride, ui.hover.row * stride + stride - 1), (cell) => (cell === cell ? cell : null));
    name = `row ${ui.hover.row + 1}`;
    truth = model.table.classes[model.cells[ui.hover.row * stride + stride - 1]];
  } else if (ui.hover?.cells) {
    [cells, name, truth] = [ui.hover.cells, "under the pointer", null];
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
    ui.hover = null;
    change("row");
  });
}

function crossAt() {
  if (ui.hover?.cells) return [ui.hover.cells[state.x], ui.hover.cells[state.y]];
  const row = ui.hover?.row ?? (state.cells ? null : state.row ?? 0);
  if (row !== null) {
    const stride = model.table.columns.length + 1;
    if (row * stride < model.cells.length) return placeOf(model, view, row);
    return null;
  }
  const at = [state.cells[state.x], state.cells[state.y]];
  return at[0] === null || at[1] === null ? null : at;
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

function listen() {
  const on = (id, event, act) => $(id).addEventListener(event, act);
  on("set", "change", () => useTable($("set").value));
  on("label", "change", () => {
    const { set, refined } = state;
    Object.assign(state, structuredClone(DEFAULTS), { set, refined, label: $("label").value, csv: state.csv, x: 0, y: 1 });
    change("table");
  });
  on("x", "change", () => { state.x = Number($("x").value); ui.hover = null; change(state.copies ? "table" : "view"); });
  on("y", "change", () => { state.y = Number($("y").value); ui.hover = null; change("view"); });
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
  const isWhole = ui.loaded === null && (state.set !== "file" || state.csv !== null);
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
    ui.tables = await loadEngine();
  } catch (error) {
    message(`This browser cannot run the page: ${error.message}. It needs WebAssembly and DecompressionStream.`);
    return;
  }
  listen();
  take(parsed(location.hash, preset));
  requestAnimationFrame(() => requestAnimationFrame(() => { document.documentElement.dataset.started = String(Math.round(performance.now() - started)); }));
}

// For tests and for the curious.
globalThis.playground = { state, model, settled, ask, memory, change, take, takeText, takeModel, save, address: () => address(state, presetState()), handles: () => ui.handles, lastFrame: () => frameTime };

ui.update = update;
start();
