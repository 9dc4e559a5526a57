// Line charts of the lessons.
import { context, ink, number, ticks } from "./dom.js";

/// Draws series `{name, ink, points: [[x, y]], dashed, dots}`. A gap is a point whose y is null.
export function lineChart(canvas, { series, x, y, mark, yTicks }) {
  const { g, width, height } = context(canvas);
  const points = series.flatMap((one) => one.points).filter(([, value]) => value !== null && Number.isFinite(value));
  if (points.length === 0) return;
  const range = (index, given) => given ?? [Math.min(...points.map((p) => p[index])), Math.max(...points.map((p) => p[index]))];
  let [x0, x1] = range(0, x.range);
  let [y0, y1] = range(1, y.range);
  if (x0 === x1) x1 = x0 + 1;
  if (y0 === y1) [y0, y1] = [y0 - 1, y1 + 1];
  if (!y.range) [y0, y1] = [y0 - 0.06 * (y1 - y0), y1 + 0.06 * (y1 - y0)];
  const box = { left: 52, right: width - 12, top: 26, bottom: height - 36 };
  const logX = x.log ? (value) => Math.log10(value) : (value) => value;
  const atX = (value) => box.left + (logX(value) - logX(x0)) / (logX(x1) - logX(x0)) * (box.right - box.left);
  const atY = (value) => box.bottom - (value - y0) / (y1 - y0) * (box.bottom - box.top);
  g.lineWidth = 1;
  g.textBaseline = "middle";
  g.textAlign = "right";
  for (const tick of yTicks ?? ticks(y0, y1, Math.floor((box.bottom - box.top) / 34))) {
    g.strokeStyle = ink("grid");
    g.beginPath(); g.moveTo(box.left, atY(tick)); g.lineTo(box.right, atY(tick)); g.stroke();
    g.fillStyle = ink("soft");
    g.fillText(y.format ? y.format(tick) : number(tick, 4), box.left - 7, atY(tick));
  }
  g.textAlign = "center";
  g.textBaseline = "top";
  for (const tick of x.ticks ?? ticks(x0, x1, Math.floor((box.right - box.left) / 70))) {
    g.fillStyle = ink("soft");
    g.fillText(number(tick, 4), atX(tick), box.bottom + 6);
  }
  g.fillText(x.name, (box.left + box.right) / 2, height - 14);
  g.textAlign = "left";
  let at = box.left;
  const room = series.reduce((sum, one) => sum + g.measureText(one.name ?? "").width + 37, g.measureText(y.name).width);
  // On a phone the names of the lines have to do.
  const titles = room > width - box.left ? [] : [{ name: y.name, isTitle: true }];
  if (titles.length === 0) at = 8;
  for (const one of [...titles, ...series]) {
    if (!one.name) continue;
    if (!one.isTitle) {
      g.strokeStyle = one.ink; g.lineWidth = 2.5; g.setLineDash(one.dashed ? [5, 4] : []);
      g.beginPath(); g.moveTo(at, 9); g.lineTo(at + 16, 9); g.stroke(); g.setLineDash([]);
      at += 21;
    }
    g.fillStyle = one.isTitle ? ink("soft") : ink("ink");
    g.fillText(one.name, at, 3);
    at += g.measureText(one.name).width + 16;
  }
  if (mark !== undefined && mark !== null) {
    g.strokeStyle = ink("soft"); g.lineWidth = 1; g.setLineDash([3, 3]);
    g.beginPath(); g.moveTo(atX(mark), box.top - 4); g.lineTo(atX(mark), box.bottom); g.stroke(); g.setLineDash([]);
  }
  g.save();
  g.beginPath(); g.rect(box.left - 4, box.top - 4, box.right - box.left + 8, box.bottom - box.top + 8); g.clip();
  for (const one of series) {
    g.strokeStyle = one.ink; g.fillStyle = one.ink; g.lineWidth = 2; g.lineJoin = "round";
    g.setLineDash(one.dashed ? [5, 4] : []);
    g.beginPath();
    let isDown = false;
    for (const [px, py] of one.points) {
      if (py === null || !Number.isFinite(py)) { isDown = false; continue; }
      if (isDown) g.lineTo(atX(px), atY(py)); else g.moveTo(atX(px), atY(py));
      isDown = true;
    }
    g.stroke();
    g.setLineDash([]);
    if (one.dots) for (const [px, py] of one.points) {
      if (py === null) continue;
      g.beginPath(); g.arc(atX(px), atY(py), 3.2, 0, 7); g.fill();
    }
  }
  g.restore();
}
