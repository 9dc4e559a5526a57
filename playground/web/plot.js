// The picture: rows and decision regions, and the densities beside it.
import { $, classInk, context, ink, number, rgb, ticks } from "./dom.js";
import { ask, doubles } from "./engine.js";

/// Families of whole numbers: between them there is nothing to draw.
const WHOLE = ["multinomial", "complement", "poisson", "negative-binomial", "bernoulli"];
const MOST_WHOLE = 100;

/// The range of a column that the picture shows: codes of categories with half a step around them.
export function rangeOf(model, place) {
  const { levels } = model.table.columns[place];
  if (levels) return { from: -0.5, to: levels.length - 0.5, isCode: true };
  let [from, to] = [Infinity, -Infinity];
  const width = model.table.columns.length + 1;
  for (let at = place; at < model.cells.length; at += width) {
    const cell = model.cells[at];
    if (cell < from) from = cell;
    if (cell > to) to = cell;
  }
  const { normal, family } = model.fit?.columns.find((column) => column.place === place) ?? {};
  if (WHOLE.includes(family) && from >= 0 && to <= MOST_WHOLE) return { from: -0.5, to: Math.round(to) + 0.5, isCode: true };
  if (normal) normal[0].forEach((mean, at) => {
    from = Math.min(from, mean - 1.5 * normal[1][at]);
    to = Math.max(to, mean + 1.5 * normal[1][at]);
  });
  if (!(from < to)) [from, to] = Number.isFinite(from) ? [from - 1, from + 1] : [0, 1];
  const room = 0.06 * (to - from);
  return { from: from - room, to: to + room, isCode: false };
}

const image = document.createElement("canvas");
const dots = document.createElement("canvas");

/// Asks for the regions with about this number of cells across, and keeps them as an image.
export function regions(model, view, across) {
  const canvas = $("scatter");
  const cells = (range, most) => range.isCode ? Math.round(range.to - range.from) : most;
  const nx = cells(view.x, across);
  const ny = cells(view.y, Math.max(2, Math.round(across * canvas.clientHeight / Math.max(1, canvas.clientWidth))));
  const axis = (range, place, n) => ({ column: place, from: range.from, to: range.to, n_cells: n, is_code: range.isCode });
  const answer = ask({ do: "picture", x: axis(view.x, view.xPlace, nx), y: axis(view.y, view.yPlace, ny), row: view.row });
  if (answer.error) {
    image.width = 1;
    return answer.error;
  }
  [image.width, image.height] = [nx, ny];
  const g = image.getContext("2d");
  const data = g.createImageData(nx, ny);
  const paper = rgb(ink("paper"));
  const inks = model.table.classes.map((_, index) => rgb(classInk(index)));
  const least = 255 / Math.max(1, model.table.classes.length);
  const { bytes } = answer;
  const isEven = (at, other) => bytes[2 * at] === bytes[2 * other];
  for (let at = 0; at < nx * ny; at++) {
    const own = inks[bytes[2 * at]] ?? paper;
    let share = 0.1 + 0.32 * Math.max(0, (bytes[2 * at + 1] - least) / (255 - least));
    // The boundary, where the picture is fine enough for a line.
    const isEdge = across > 100 && !view.x.isCode && !view.y.isCode && ((at % nx < nx - 1 && !isEven(at, at + 1)) || (at + nx < nx * ny && !isEven(at, at + nx)));
    if (isEdge) share = 0.75;
    for (let c = 0; c < 3; c++) data.data[4 * at + c] = paper[c] + share * (own[c] - paper[c]);
    data.data[4 * at + 3] = 255;
  }
  g.putImageData(data, 0, 0);
  return null;
}

function jitter(row, salt) {
  // The same place for the same row at any time.
  const value = Math.sin((row + 1) * 12.9898 + salt * 78.233) * 43758.5453;
  return value - Math.floor(value) - 0.5;
}

export function placeOf(model, view, row) {
  const width = model.table.columns.length + 1;
  const value = (place, range, salt) => {
    const cell = model.cells[row * width + place];
    return range.isCode ? cell + 0.7 * jitter(row, salt) : cell;
  };
  return [value(view.xPlace, view.x, 1), value(view.yPlace, view.y, 2)];
}

function toScreen(view, width, height) {
  return {
    x: (value) => (value - view.x.from) / (view.x.to - view.x.from) * width,
    y: (value) => height - (value - view.y.from) / (view.y.to - view.y.from) * height,
  };
}

/// With more rows each is a few pixels.
const MANY = 3000;

/// Draws many rows as small squares, pixel by pixel.
function blit(model, view, g, stride) {
  const { width, height } = g.canvas;
  const picture = g.createImageData(width, height);
  const pixels = new Uint32Array(picture.data.buffer);
  const inks = model.table.classes.map((_, index) => { const [r, gr, b] = rgb(classInk(index)); return ((255 << 24) | (b << 16) | (gr << 8) | r) >>> 0; });
  const size = globalThis.devicePixelRatio > 1.5 ? 5 : 3;
  const { cells } = model;
  const [sx, sy] = [width / (view.x.to - view.x.from), height / (view.y.to - view.y.from)];
  const [jx, jy] = [view.x.isCode ? 0.7 : 0, view.y.isCode ? 0.7 : 0];
  for (let at = 0, row = 0; at < cells.length; at += stride, row++) {
    const vx = cells[at + view.xPlace] + (jx && jx * jitter(row, 1));
    const vy = cells[at + view.yPlace] + (jy && jy * jitter(row, 2));
    const px = Math.round((vx - view.x.from) * sx - size / 2);
    const py = Math.round((view.y.to - vy) * sy - size / 2);
    if (!(px >= 0 && py >= 0 && px <= width - size && py <= height - size)) continue;
    const own = inks[cells[at + stride - 1]];
    for (let y = py; y < py + size; y++) for (let x = px; x < px + size; x++) pixels[y * width + x] = own;
  }
  g.putImageData(picture, 0, 0);
}

/// Draws all rows; kept until they change.
export function points(model, view) {
  const canvas = $("scatter");
  const ratio = Math.min(globalThis.devicePixelRatio || 1, 2);
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  [dots.width, dots.height] = [Math.round(width * ratio), Math.round(height * ratio)];
  const g = dots.getContext("2d");
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  const at = toScreen(view, width, height);
  const stride = model.table.columns.length + 1;
  const n = model.cells.length / stride;
  const radius = n > 600 ? 2.2 : n > 200 ? 3.2 : 4;
  if (n > MANY) {
    blit(model, view, g, stride);
  } else {
    for (let c = 0; c < model.table.classes.length; c++) {
      g.fillStyle = classInk(c);
      g.strokeStyle = ink("paper");
      g.lineWidth = 1.1;
      for (let row = 0; row < n; row++) {
        if (model.cells[row * stride + stride - 1] !== c) continue;
        const [vx, vy] = placeOf(model, view, row);
        if (!(vx === vx && vy === vy)) continue;
        const [px, py] = [at.x(vx), at.y(vy)];
        g.beginPath(); g.arc(px, py, radius, 0, 6.2832); g.fill(); g.stroke();
      }
    }
  }
  // A ring around rows that get another label.
  if (model.predicted && n <= MANY) {
    g.strokeStyle = ink("ink"); g.lineWidth = 1.4;
    for (let row = 0; row < n; row++) {
      if (model.predicted[2 * row] === model.cells[row * stride + stride - 1]) continue;
      const [vx, vy] = placeOf(model, view, row);
      g.beginPath(); g.arc(at.x(vx), at.y(vy), radius + 1.6, 0, 6.2832); g.stroke();
    }
  }
  if (model.sampled) {
    const own = model.sampled.places.length + 1;
    const [cx, cy] = [view.xPlace, view.yPlace].map((place) => model.sampled.places.indexOf(place));
    g.lineWidth = 1.3;
    for (let row = 0; cx >= 0 && cy >= 0 && row * own < model.sampled.rows.length; row++) {
      const cell = (place, range, salt) => model.sampled.rows[row * own + place] + (range.isCode ? 0.7 * jitter(row, salt) : 0);
      const [px, py] = [at.x(cell(cx, view.x, 3)), at.y(cell(cy, view.y, 4))];
      g.strokeStyle = classInk(model.sampled.rows[row * own + own - 1]);
      g.beginPath();
      g.moveTo(px - 3, py - 3); g.lineTo(px + 3, py + 3); g.moveTo(px - 3, py + 3); g.lineTo(px + 3, py - 3);
      g.stroke();
    }
  }
}

/// Puts the picture together: regions, rows, the row that is explained, axes.
export function compose(model, view, cross) {
  const { g, width, height, ratio } = context($("scatter"));
  g.imageSmoothingEnabled = !(view.x.isCode || view.y.isCode);
  if (image.width > 1 && !model.error) g.drawImage(image, 0, 0, width, height);
  else { g.fillStyle = ink("raised"); g.fillRect(0, 0, width, height); }
  axes(g, model, view, width, height);
  g.setTransform(1, 0, 0, 1, 0, 0);
  if (dots.width > 1) g.drawImage(dots, 0, 0);
  g.setTransform(ratio, 0, 0, ratio, 0, 0);
  if (!cross) return;
  const at = toScreen(view, width, height);
  const [px, py] = [at.x(cross[0]), at.y(cross[1])];
  g.strokeStyle = ink("ink"); g.lineWidth = 1;
  g.beginPath();
  g.moveTo(px - 13, py); g.lineTo(px - 6, py); g.moveTo(px + 6, py); g.lineTo(px + 13, py);
  g.moveTo(px, py - 13); g.lineTo(px, py - 6); g.moveTo(px, py + 6); g.lineTo(px, py + 13);
  g.stroke();
  g.lineWidth = 2;
  g.beginPath(); g.arc(px, py, 6, 0, 6.2832); g.stroke();
}

function axes(g, model, view, width, height) {
  const at = toScreen(view, width, height);
  g.fillStyle = ink("ink");
  g.globalAlpha = 0.72;
  g.font = "11px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
  const labels = (range, place, count) => range.isCode && model.table.columns[place].levels
    ? model.table.columns[place].levels.map((level, code) => [code, level.length > 12 ? `${level.slice(0, 11)}…` : level])
    : ticks(range.from, range.to, count).filter((tick) => !range.isCode || Number.isInteger(tick)).map((tick) => [tick, number(tick, 6)]);
  g.textAlign = "center"; g.textBaseline = "bottom";
  for (const [value, text] of labels(view.x, view.xPlace, width / 90)) {
    if (at.x(value) > 22 && at.x(value) < width - 22) g.fillText(text, at.x(value), height - 4);
  }
  g.textAlign = "left"; g.textBaseline = "middle";
  for (const [value, text] of labels(view.y, view.yPlace, height / 60)) {
    if (at.y(value) > 30 && at.y(value) < height - 24) g.fillText(text, 5, at.y(value));
  }
  g.font = "600 12px system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif";
  g.globalAlpha = 0.9;
  g.textAlign = "right"; g.textBaseline = "bottom";
  g.fillText(model.table.columns[view.xPlace].name, width - 8, height - 20);
  g.textAlign = "left"; g.textBaseline = "top";
  g.fillText(model.table.columns[view.yPlace].name, 8, 7);
  g.globalAlpha = 1;
}

/// Draws the densities of both columns. Returns the handles that can be dragged.
export function densities(model, view) {
  const handles = [];
  for (const [id, place, range] of [["top", view.xPlace, view.x], ["side", view.yPlace, view.y]]) {
    const { g, width, height } = context($(id));
    const isTop = id === "top";
    const [length, depth] = isTop ? [width, height] : [height, width];
    const column = model.fit?.columns.find((one) => one.place === place);
    if (!column || model.error || ["multinomial", "complement"].includes(column.family)) continue;
    const n = range.isCode ? range.to - range.from : Math.max(40, Math.round(length / 3));
    const [from, to] = range.isCode ? [0, n - 1] : [range.from, range.to];
    const answer = ask({ do: "densities", column: place, from, to, n_points: n });
    if (answer.error) continue;
    const values = doubles(answer);
    let most = 0;
    for (const value of values) if (Number.isFinite(value) && value > most) most = value;
    if (!(most > 0)) continue;
    const along = (value) => isTop ? (value - range.from) / (range.to - range.from) * length : length - (value - range.from) / (range.to - range.from) * length;
    const up = (density) => (isTop ? depth - Math.min(1.2, density / most) * (depth - 8) : Math.min(1.2, density / most) * (depth - 8));
    const put = (a, d, first) => { const p = isTop ? [a, d] : [d, a]; if (first) g.moveTo(...p); else g.lineTo(...p); };
    const k = model.table.classes.length;
    for (let c = 0; c < k; c++) {
      g.fillStyle = classInk(c); g.strokeStyle = classInk(c); g.lineWidth = 1.8;
      if (range.isCode) {
        const bar = 0.7 * length / n / k;
        for (let code = 0; code < n; code++) {
          const middle = along(code) + (isTop ? 1 : -1) * (c - (k - 1) / 2) * bar;
          const end = up(values[c * n + code]);
          g.globalAlpha = 0.85;
          if (isTop) g.fillRect(middle - bar / 2 + 0.5, end, bar - 1, depth - end);
          else g.fillRect(0, middle - bar / 2 + 0.5, end, bar - 1);
          g.globalAlpha = 1;
        }
        continue;
      }
      const trace = (closes) => {
        g.beginPath();
        if (closes) put(along(from), up(0), true);
        for (let point = 0; point < n; point++) put(along(from + (to - from) * point / (n - 1)), up(values[c * n + point]), point === 0 && !closes);
        if (closes) put(along(to), up(0));
      };
      trace(true); g.globalAlpha = 0.16; g.fill(); g.globalAlpha = 1;
      trace(false); g.stroke();
    }
    if (!column.normal) continue;
    const classAt = (label) => model.table.classes.indexOf(label);
    model.fit.classes.forEach((label, own) => {
      const [mean, deviation] = [column.normal[0][own], column.normal[1][own]];
      const density = (value) => (model.fit.priors[own] / (deviation * Math.sqrt(2 * Math.PI))) * Math.exp(-0.5 * ((value - mean) / deviation) ** 2);
      for (const [kind, value] of [["mean", mean], ["deviation", mean + deviation]]) {
        const [a, d] = [along(value), up(Math.min(density(value), most))];
        if (a < -4 || a > length + 4) continue;
        const [px, py] = isTop ? [a, d] : [d, a];
        g.fillStyle = kind === "mean" ? classInk(classAt(label)) : ink("paper");
        g.strokeStyle = kind === "mean" ? ink("paper") : classInk(classAt(label));
        g.lineWidth = 1.6;
        g.beginPath(); g.arc(px, py, kind === "mean" ? 5 : 4, 0, 6.2832); g.fill(); g.stroke();
        handles.push({ id, kind, class: classAt(label), own, place, px, py, mean, deviation, normal: column.normal });
      }
    });
  }
  return handles;
}
