// Uses a control, and says whether the places that it speaks of have changed.
Element.prototype.setPointerCapture = () => {};
async function changes(name, places, act) {
  const before = places.map(text);
  await act();
  const after = places.map(text);
  say(`control-${name}`, before.every((old, at) => old !== after[at]));
}
const pixels = (id) => {
  const c = document.createElement("canvas");
  [c.width, c.height] = [$$(id).width, $$(id).height];
  c.getContext("2d", { willReadFrequently: true }).drawImage($$(id), 0, 0);
  return c.getContext("2d", { willReadFrequently: true }).getImageData(0, 0, c.width, c.height).data.reduce((sum, value, at) => (sum * 31 + value * (at % 7 + 1)) % 1000003, 0);
};
async function redraws(name, ids, act) {
  const before = ids.map(pixels);
  await act();
  const after = ids.map(pixels);
  say(`control-${name}`, before.every((old, at) => old !== after[at]));
}
await changes("shared", ["equation", "parameters", "why", "measures"], () => set("shared", true));
await set("shared", false);
await changes("floor", ["equation", "parameters", "floor-out"], () => set("floor", "-0.25"));
await set("floor", "-9");
await changes("prior", ["priors"], () => set("prior", "given"));
await changes("given prior", ["equation", "why", "priors"], () => set($$("priors").querySelectorAll("input")[1], "0.05"));
await set("prior", "empirical");
await redraws("x", ["scatter", "top"], () => set("x", "0"));
await redraws("y", ["scatter", "side"], () => set("y", "1"));
await changes("classes", ["equation"], () => set("class-a", "setosa"));
const family = (name) => [...$$("families").querySelectorAll("select")].find((select) => select.getAttribute("aria-label") === `family of ${name}`);
await changes("kernel", ["equation", "parameters"], () => set(family("sepal_length_cm"), "kernel"));
await redraws("kernel picture", ["scatter", "top"], () => set(family("sepal_length_cm"), "gaussian"));
await changes("ignore", ["status", "parameters"], () => set(family("sepal_length_cm"), "ignore"));
await changes("all binned", ["parameters", "measures"], () => set(family("all columns of numbers"), "binned"));
await changes("bins", ["measures", "why"], () => set("bins", "width:3"));
await changes("smoothing of bins", ["l-out", "why", "measures"], () => set("l", "9"));
await changes("categories", ["parameters", "measures"], () => set(family("sepal_width_cm"), "categorical"));
await press("reset");
await changes("refined", ["why", "equation-note", "measures"], () => set("refined", true));
await set("refined", false);
const mean = () => $$("parameters").querySelectorAll("input")[1]; // of versicolor
await changes("typed mean", ["parameters", "equation", "measures"], () => set(mean(), "2.5"));
await press("reset");
await changes("cell", ["posteriors", "why-row"], () => set($$("why").querySelector("input"), "9.5"));
await changes("pointer", ["why-row", "why"], async () => { point("scatter", "pointermove", 0.9, 0.1); await settled(); });
await changes("pointer gone", ["why-row"], async () => { point("scatter", "pointerleave", 0.9, 0.1); await settled(); });
await changes("key", ["why"], async () => { for (let k = 0; k < 4; k++) $$("scatter").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft", shiftKey: true })); await settled(); });
await press("reset");
const handle = globalThis.playground.handles().find((one) => one.id === "top" && one.kind === "mean" && one.class === 1);
const width = $$("top").clientWidth; const height = $$("top").clientHeight;
await changes("dragged Gaussian", ["parameters", "equation"], async () => {
  point("top", "pointerdown", handle.px / width, handle.py / height);
  for (let k = 1; k <= 5; k++) { point("top", "pointermove", (handle.px + 12 * k) / width, handle.py / height); await new Promise(requestAnimationFrame); }
  point("top", "pointerup", (handle.px + 60) / width, handle.py / height);
  await settled();
});
await press("reset");
await changes("label", ["legend", "measures"], () => set("label", "petal_width_cm"));
await changes("table", ["legend", "measures", "status"], () => set("set", "wine"));
await changes("drawn", ["data-note"], () => set("set", "drawn"));
for (const [x, y, c] of [[0.2, 0.3, "0"], [0.25, 0.5, "0"], [0.3, 0.35, "0"], [0.7, 0.6, "1"], [0.75, 0.4, "1"], [0.8, 0.7, "1"]]) {
  $$("draw-class").value = c;
  point("scatter", "pointerdown", x, y); point("scatter", "pointerup", x, y);
  await settled();
}
say("control-points", state.points.length === 6 && $$("status").textContent.startsWith("6 rows"));
const link = globalThis.playground.address();
await changes("clear", ["status", "message"], () => press("draw-clear"));
await go(link);
say("control-link", state.points.length === 6 && $$("status").textContent.startsWith("6 rows"));
await redraws("dragged point", ["scatter"], async () => {
  const [x, y] = [0.2, 0.3];
  point("scatter", "pointerdown", x, y);
  for (let k = 1; k <= 4; k++) { point("scatter", "pointermove", x + 0.05 * k, y); await new Promise(requestAnimationFrame); }
  point("scatter", "pointerup", x + 0.2, y);
  await settled();
});
const scheme = document.documentElement.dataset.scheme;
await redraws("scheme", ["scatter", "top"], () => press("scheme"));
say("control-scheme name", document.documentElement.dataset.scheme !== scheme);
$$("paste").value = "a,b,y\n1,2,u\n2,1,u\n3,3,u\n5,6,v\n6,7,v\n7,5,v\n";
await changes("paste", ["legend", "status"], () => press("paste-use"));
for (const [name, knob] of [["underflow", "60"], ["truncation", "346"], ["words", "12"], ["copies", "1"]]) {
  await go(`#scene=${name}`);
  await (name === "truncation" || name === "words" ? changes(`knob of ${name}`, ["why"], () => set("knob", knob)) : set("knob", knob));
  say(`control-knob value of ${name}`, String(name === "copies" ? state.copies : state.knob) === knob);
}
await go("#scene=sampling");
await redraws("draw again", ["scatter"], () => press($$("lesson-controls").querySelector("button")));
await go("#scene=line");
await changes("switch", ["equation"], () => press($$("lesson-controls").querySelector("button")));
await go("#scene=smoothing");
await changes("smoothing", ["why", "l-out", "posteriors"], () => set("l", "4"));
