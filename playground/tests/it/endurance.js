say("started", Number(document.documentElement.dataset.started));
const frame = () => new Promise(requestAnimationFrame);
const settle = (k) => { state.l = (k % 100) / 10; state.shared = k % 2 === 0; state.prior = k % 3 ? "empirical" : "uniform"; globalThis.playground.change(k % 10 ? "fit" : "table"); };
const run = async (from, to) => { for (let k = from; k < to; k++) { settle(k); await frame(); if (k % 100 === 0) await settled(); } await settled(); };
await run(0, 100);
gc();
say("memory-before", globalThis.playground.memory());
say("heap-before", performance.memory.usedJSHeapSize);
await run(100, 1100);
gc();
say("memory-after", globalThis.playground.memory());
say("heap-after", performance.memory.usedJSHeapSize);
await set("set", "clouds");
const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
const timed = async (act) => {
  const times = [];
  for (let k = 0; k < 40; k++) {
    act(k);
    const at = performance.now();
    await frame();
    times.push(globalThis.playground.lastFrame());
  }
  return Math.round(10 * median(times)) / 10;
};
say("hover", await timed((k) => point("scatter", "pointermove", 0.2 + 0.01 * k, 0.4)));
Element.prototype.setPointerCapture = () => {};
const handle = globalThis.playground.handles().find((one) => one.id === "top" && one.kind === "mean");
const [x, y] = [handle.px / $$("top").clientWidth, handle.py / $$("top").clientHeight];
point("top", "pointerdown", x, y);
say("drag", await timed((k) => point("top", "pointermove", x + 0.005 * (k + 1), y)));
point("top", "pointerup", x + 0.2, y);
await settled();
say("moved", state.moves.length);
