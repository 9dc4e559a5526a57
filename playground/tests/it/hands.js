// What people do, for the tests of the page.
const say = (name, value) => console.log(`said ${name} ${encodeURIComponent(JSON.stringify(value))}`);
const problems = [];
addEventListener("error", (event) => problems.push(String(event.message)));
addEventListener("unhandledrejection", (event) => problems.push(String(event.reason)));
let isTryingThePolicy = false;
addEventListener("securitypolicyviolation", (event) => { if (!isTryingThePolicy) problems.push(`policy: ${event.violatedDirective} ${event.blockedURI}`); });
const $$ = (id) => document.getElementById(id);
const { state, settled, model } = globalThis.playground;

async function ready() {
  const until = performance.now() + 60000;
  while (!document.documentElement.dataset.started && performance.now() < until) await new Promise((done) => setTimeout(done, 20));
  await settled();
}

/// Sets a control as hands do.
async function set(id, value) {
  const control = typeof id === "string" ? $$(id) : id;
  if (control.type === "checkbox") control.checked = value;
  else control.value = value;
  control.dispatchEvent(new Event("input", { bubbles: true }));
  control.dispatchEvent(new Event("change", { bubbles: true }));
  await settled();
}

async function press(id) {
  (typeof id === "string" ? $$(id) : id).click();
  await settled();
}

async function go(hash) {
  location.hash = hash;
  await new Promise((done) => setTimeout(done, 30));
  await settled();
}

const text = (id) => $$(id).textContent + [...$$(id).querySelectorAll("input")].map((input) => input.value).join(" ");
const values = (selector) => [...document.querySelectorAll(selector)].map((element) => Number(element.dataset.value));

/// A pointer at a place of a canvas, in shares of its size.
function point(id, kind, x, y) {
  const box = $$(id).getBoundingClientRect();
  $$(id).dispatchEvent(new PointerEvent(kind, { bubbles: true, pointerId: 1, pointerType: "mouse", isPrimary: true, clientX: box.left + x * box.width, clientY: box.top + y * box.height }));
}

async function within(test) {
  try {
    await ready();
    await test();
  } catch (error) {
    problems.push(`${error}\n${error.stack}`);
  }
  say("problems", problems);
  say("end", true);
}
