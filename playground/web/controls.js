// The controls: they show the state, and change it.
import { $, choices, h, number } from "./dom.js";
import { state } from "./state.js";
import { TABLES } from "./tables.js";
import { BINS, CATEGORIES, NUMBERS, change, model, scene, ui } from "./page.js";

export function drawControls() {
  const sets = TABLES.map(([name, text]) => [name, text]);
  if (state.set === "file") sets.push(["file", "your file"]);
  if (ui.loaded) sets.push(["model", "your model file"]);
  choices($("set"), sets, ui.loaded ? "model" : state.set);
  choices($("label"), (model.table.all_columns ?? []).map((name) => [name, name]), model.table.label);
  $("label").disabled = ui.loaded !== null || ["drawn", "moons", "clouds"].includes(state.set) || state.only !== null;
  const columns = model.table.columns.map((column, place) => [place, column.name]);
  choices($("x"), columns, state.x);
  choices($("y"), columns, state.y);
  $("draw-tools").hidden = state.set !== "drawn" || ui.loaded !== null;
  choices($("draw-class"), model.table.classes.map((label, index) => [index, label]), Number($("draw-class").value) || 0);
  const out = (model.table.left_out ?? []).map((column) => `${column.name} (${column.reason})`);
  $("data-note").textContent = [state.set === "drawn" ? "Click in the picture to add a point." : "", out.length ? `Left out: ${out.slice(0, 4).join("; ")}.` : ""].filter(Boolean).join(" ");
  drawScene();
}

export function drawModelControls() {
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
    ui.hover = null;
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
      ui.hover = null;
      change(knob.from ?? (knob.sets ? "row" : "view"));
    });
    controls.push(h("label", {}, h("span", {}, knob.label, " ", out), input));
  }
  for (const [text, act] of own.buttons ?? []) {
    const button = h("button", { type: "button" }, text);
    button.addEventListener("click", () => { act(state); ui.hover = null; change("fit"); });
    controls.push(button);
  }
  $("lesson-controls").replaceChildren(...controls);
}
