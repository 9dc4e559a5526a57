// What all scripts of the page share: the model, what is shown of it, and what must be brought up to date.
import { $ } from "./dom.js";
import { DEFAULTS, state } from "./state.js";
import { SCENES } from "./scenes.js";

export const NUMBERS = ["gaussian", "kernel", "binned", "power", "zero-inflated-gaussian", "poisson", "multinomial", "bernoulli", "categorical", "ignore"];
export const CATEGORIES = ["categorical", "grouped", "ignore"];
export const BINS = [["mdl", "by description length (MDL)"], ["modl", "most probable (MODL)"], ["width:3", "3 of equal width"], ["width:8", "8 of equal width"], ["width:20", "20 of equal width"], ["frequency:4", "4 with equal rows"], ["frequency:10", "10 with equal rows"]];
export const LEVELS = ["row", "view", "fit", "cells", "table"];

export const model = { table: null, base: null, cells: null, fit: null, predicted: null, row: [], error: null, sampled: null };
export const view = { x: null, y: null, xPlace: 0, yPlace: 1, row: [] };
/// What hands and timers change. `loaded` are the bytes of a model file, `hover` is {row} or {cells}, `drag` what a hand holds,
/// `level` from where on the page is out of date, `update` what brings it up to date.
export const ui = { tables: {}, fileText: null, loaded: null, hover: null, drag: null, handles: [], lastMeasured: "", level: -1, frame: 0, update: null };

export const preset = (name) => (Object.hasOwn(SCENES, name ?? "") ? { ...SCENES[name].preset, scene: name } : null);
export const scene = () => SCENES[state.scene] ?? null;
export const presetState = () => ({ ...structuredClone(DEFAULTS), ...structuredClone(preset(state.scene) ?? {}) });

/// Asks for the page to be brought up to date from this level on, in the next frame.
export function change(from) {
  ui.level = Math.max(ui.level, LEVELS.indexOf(from));
  if (!ui.frame) ui.frame = requestAnimationFrame(ui.update);
}

export function message(text) {
  $("message").hidden = !text;
  $("message").textContent = text ?? "";
}
