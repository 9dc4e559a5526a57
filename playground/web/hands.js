// The hands: what is moved, pinned and drawn in the pictures.
import { $ } from "./dom.js";
import { state } from "./state.js";
import { placeOf } from "./plot.js";
import { change, model, ui, view } from "./page.js";

export function typeParameter(place, own, fitted, which, value) {
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

export function listenScatter() {
  const canvas = $("scatter");
  canvas.addEventListener("pointermove", (event) => {
    if (!model.cells || !view.x || model.error) return;
    const at = locate(event);
    if (ui.drag?.row !== undefined) {
      if (!ui.drag.isMoving && Math.hypot(at[0] - ui.drag.from[0], at[1] - ui.drag.from[1]) < 4) return;
      ui.drag.isMoving = true;
      const [vx, vy] = valueAt(at);
      for (const [place, value, range] of [[state.x, vx, view.x], [state.y, vy, view.y]]) {
        if (range.isCode) continue;
        if (state.set === "drawn") state.points[ui.drag.row][place] = Number(value.toFixed(3));
        else {
          state.points_moved = state.points_moved.filter(([row, p]) => row !== ui.drag.row || p !== place);
          state.points_moved.push([ui.drag.row, place, Number(value.toPrecision(6))]);
        }
      }
      ui.hover = { row: ui.drag.row };
      change(state.set === "drawn" ? "table" : "cells");
      return;
    }
    if (event.pointerType === "touch") return;
    ui.hover = under(at);
    change("row");
  });
  canvas.addEventListener("pointerleave", () => { if (!ui.drag) { ui.hover = null; change("row"); } });
  canvas.addEventListener("pointerdown", (event) => {
    if (!model.cells || !view.x || model.error) return;
    const at = locate(event);
    const row = nearest(at, 10);
    if (row !== null && !model.isLoaded) {
      ui.drag = { row, from: at, isMoving: false };
      canvas.setPointerCapture(event.pointerId);
    }
  });
  canvas.addEventListener("pointerup", (event) => {
    const own = ui.drag;
    ui.drag = null;
    if (own?.isMoving) { change("fit"); return; }
    const at = locate(event);
    if (own) { pin({ row: own.row }); return; }
    if (state.set === "drawn" && !ui.loaded) {
      const [vx, vy] = valueAt(at);
      state.points = [...state.points, [Number(vx.toFixed(3)), Number(vy.toFixed(3)), Number($("draw-class").value) || 0]];
      state.row = state.points.length - 1;
      change("table");
      return;
    }
    if (model.cells && view.x && !model.error) pin(under(at));
  });
  canvas.addEventListener("pointercancel", () => { ui.drag = null; });
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
    ui.hover = null;
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
  ui.hover = null;
  change(state.scene === "forget" ? "view" : "row");
}

export function listenDensities(id) {
  const canvas = $(id);
  const find = (event) => {
    const [px, py] = locate(event);
    return ui.handles.filter((handle) => handle.id === id && Math.hypot(handle.px - px, handle.py - py) < 12)
      .sort((a, b) => Math.hypot(a.px - px, a.py - py) - Math.hypot(b.px - px, b.py - py))[0];
  };
  canvas.addEventListener("pointerdown", (event) => {
    const handle = find(event);
    if (!handle || model.isLoaded || state.refined) return;
    ui.drag = { handle };
    canvas.setPointerCapture(event.pointerId);
    event.preventDefault();
  });
  canvas.addEventListener("pointermove", (event) => {
    if (!ui.drag?.handle) { canvas.style.cursor = find(event) && !model.isLoaded ? (id === "top" ? "ew-resize" : "ns-resize") : "default"; return; }
    const [px, py, width, height] = locate(event);
    const range = id === "top" ? view.x : view.y;
    const value = id === "top" ? range.from + px / width * (range.to - range.from) : range.to - py / height * (range.to - range.from);
    const { handle } = ui.drag;
    if (handle.kind === "mean") handle.mean = value;
    else handle.deviation = Math.max((range.to - range.from) / 200, Math.abs(value - handle.mean));
    move(handle.class, handle.place, handle.mean, handle.deviation);
  });
  const end = () => { if (ui.drag?.handle) { ui.drag = null; change("fit"); } };
  canvas.addEventListener("pointerup", end);
  canvas.addEventListener("pointercancel", end);
}
