// Small pieces of pages. Text is text: nothing that a file says becomes markup.

export const $ = (id) => document.getElementById(id);

/// An element with properties, and children that are elements or texts.
export function h(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "style") Object.assign(element.style, value);
    else if (key in element) element[key] = value;
    else element.setAttribute(key, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return element;
}

export function table(head, rows) {
  const cell = (value, index) => value instanceof Node && value.tagName === "TD" ? value
    : h("td", { className: index === 0 ? "text" : "" }, value ?? "");
  return h("table", {},
    h("thead", {}, h("tr", {}, ...head.map((name, index) => h("th", { scope: "col", className: index ? "number" : "" }, name)))),
    h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map(cell)))));
}

/// Replaces the choices of a select, and keeps what is chosen.
export function choices(select, options, chosen) {
  const old = [...select.options].map((option) => option.value + "\u0000" + option.text).join("\u0001");
  const now = options.map(([value, text]) => value + "\u0000" + text).join("\u0001");
  if (old !== now) select.replaceChildren(...options.map(([value, text]) => h("option", { value }, text)));
  select.value = String(chosen);
}

/// A number for people: at most `digits` significant digits.
export function number(value, digits = 5) {
  if (value === null || value === undefined) return "–";
  if (typeof value === "string") return value;
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "NaN" : value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  const text = size >= 1e6 || size < 1e-4 ? value.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e")
    : String(Number(value.toPrecision(digits)));
  return text.replace(/-/g, "−");
}

export function percent(value) {
  if (value > 0.9999 && value < 1) return `1 − ${number(1 - value, 2)}`;
  return number(value, 4);
}

export function ink(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();
}

export const classInk = (index) => ink(`c${index % 8}`);

export function rgb(color) {
  const value = parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/// A canvas with the resolution of the screen; its context draws in CSS pixels.
export function context(canvas) {
  const ratio = Math.min(globalThis.devicePixelRatio || 1, 2);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  const [w, hh] = [Math.max(1, Math.round(width * ratio)), Math.max(1, Math.round(height * ratio))];
  if (canvas.width !== w || canvas.height !== hh) [canvas.width, canvas.height] = [w, hh];
  const g = canvas.getContext("2d");
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  g.clearRect(0, 0, width, height);
  g.font = "12px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
  return { g, width, height, ratio };
}

/// Round numbers from `from` to `to`, about `count` of them.
export function ticks(from, to, count) {
  const raw = (to - from) / Math.max(1, count);
  if (!(raw > 0) || !Number.isFinite(raw)) return [];
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((candidate) => candidate >= raw) ?? raw;
  const out = [];
  for (let k = Math.ceil(from / step - 1e-9); k * step <= to + step * 1e-9 && out.length < 30; k++) out.push(Number((k * step).toPrecision(12)));
  return out;
}
