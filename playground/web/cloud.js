// A cloud of points that turns: three components, seen from a distance.
import { classInk, context, ink } from "./dom.js";

const eye = { angle: 0.6, tilt: 0.35, isDragged: false, frame: 0, draw: null };
const isStill = () => globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches ?? false;

export function cloud(canvas, model, places) {
  const stride = model.table.columns.length + 1;
  const n = Math.min(places.length / 3, 3000);
  let most = 1e-9;
  for (const value of places) most = Math.max(most, Math.abs(value));
  eye.draw = () => {
    if (!canvas.isConnected) return false;
    const { g, width, height } = context(canvas);
    const size = 0.46 * Math.min(width, height * 1.5);
    const [s, c, t, u] = [Math.sin(eye.angle), Math.cos(eye.angle), Math.sin(eye.tilt), Math.cos(eye.tilt)];
    const project = (x, y, z) => {
      const [x1, z1] = [c * x + s * z, c * z - s * x];
      const [y1, z2] = [u * y - t * z1, u * z1 + t * y];
      const near = 2.6 / (2.6 + z2);
      return [width / 2 + size * near * x1, height / 2 - size * near * y1, z2, near];
    };
    g.strokeStyle = ink("rule"); g.fillStyle = ink("soft"); g.lineWidth = 1;
    ["1", "2", "3"].forEach((name, at) => {
      const end = [0, 0, 0];
      end[at] = 0.9;
      const [a, b] = [project(...end.map((v) => -v)), project(...end)];
      g.beginPath(); g.moveTo(a[0], a[1]); g.lineTo(b[0], b[1]); g.stroke();
      g.fillText(name, b[0] + 4, b[1]);
    });
    const all = Array.from({ length: n }, (_, row) => [...project(places[3 * row] / most, places[3 * row + 1] / most, places[3 * row + 2] / most), model.cells[row * stride + stride - 1]]);
    all.sort((a, b) => b[2] - a[2]);
    for (const [px, py, , near, own] of all) {
      g.globalAlpha = Math.min(1, Math.max(0.35, near - 0.15));
      g.fillStyle = classInk(own);
      g.beginPath(); g.arc(px, py, 3.4 * near, 0, 6.2832); g.fill();
    }
    g.globalAlpha = 1;
    return true;
  };
  if (!canvas.dataset.turns) {
    canvas.dataset.turns = "yes";
    canvas.style.touchAction = "pan-y";
    canvas.addEventListener("pointerdown", (event) => { eye.isDragged = true; canvas.setPointerCapture(event.pointerId); });
    canvas.addEventListener("pointermove", (event) => {
      if (!eye.isDragged) return;
      eye.angle -= event.movementX / 120;
      eye.tilt = Math.max(-1.4, Math.min(1.4, eye.tilt + event.movementY / 160));
      eye.draw();
    });
    canvas.addEventListener("pointerup", () => { eye.isDragged = false; });
  }
  cancelAnimationFrame(eye.frame);
  let last = performance.now();
  const turn = (now) => {
    if (!eye.isDragged) eye.angle += Math.min(50, now - last) / 4000;
    last = now;
    if (eye.draw()) eye.frame = requestAnimationFrame(turn);
  };
  if (isStill()) eye.draw(); else eye.frame = requestAnimationFrame(turn);
}
