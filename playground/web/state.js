// What the page shows, as a value that fits into its address.

export const DEFAULTS = {
  scene: null,
  set: "iris",      // a table of the page, "drawn", "file"
  csv: null,        // the text of a file that is short enough for the address
  label: null,
  points: [],       // drawn points: [across, up, class]
  x: 2,
  y: 3,
  a: null,          // the classes of the boundary
  b: null,
  families: {},
  l: 1,
  floor: 1e-9,
  bins: "mdl",
  shared: false,
  refined: false,
  prior: "empirical",
  priors: null,
  row: null,        // the row that is explained
  cells: null,      // its cells, where they are not those of the table
  moves: [],        // Gaussians that were moved: [class, column, mean, deviation]
  points_moved: [], // rows that were moved: [row, column, value]
  copies: 0,        // further copies of the column across
  only: null,       // classes that are used
  knob: null,       // the knob of the lesson
};

export const state = structuredClone(DEFAULTS);

const LONGEST = 6000;

function same(a, b) {
  return JSON.stringify(a) === JSON.stringify(b);
}

/// The address of a state: the lesson, and what is not as the lesson has it.
export function address(value, preset) {
  const changed = {};
  for (const key of Object.keys(DEFAULTS)) {
    if (key !== "scene" && !same(value[key], preset[key])) changed[key] = value[key];
  }
  const parts = [];
  if (value.scene) parts.push(`scene=${value.scene}`);
  const text = JSON.stringify(changed);
  if (text !== "{}" && text.length < LONGEST) parts.push(`s=${encodeURIComponent(text)}`);
  return `#${parts.join("&")}`;
}

/// What an address says; anything that is not understood is left out.
export function parsed(hash, presetOf) {
  const fields = new Map(hash.replace(/^#/, "").split("&").map((part) => {
    const at = part.indexOf("=");
    return [part.slice(0, at), part.slice(at + 1)];
  }));
  const value = { ...structuredClone(DEFAULTS), ...structuredClone(presetOf(fields.get("scene")) ?? {}) };
  try {
    const given = JSON.parse(decodeURIComponent(fields.get("s") ?? "%7B%7D"));
    for (const key of Object.keys(DEFAULTS)) {
      if (Object.hasOwn(given, key) && isLike(given[key], DEFAULTS[key])) value[key] = given[key];
    }
  } catch {
    // An address that was cut off: the lesson as it is.
  }
  return value;
}

function isLike(value, example) {
  if (example === null || value === null) return ["string", "number", "object"].includes(typeof value);
  if (Array.isArray(example)) return Array.isArray(value);
  return typeof value === typeof example && !Array.isArray(value);
}
