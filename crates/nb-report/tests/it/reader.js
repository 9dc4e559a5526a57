"use strict";
(async () => {
  const lines = [];
  const say = (name, value) => lines.push(`${name}=${String(value).trim().replaceAll("\n", "|")}`);
  let alerts = 0;
  window.alert = () => (alerts += 1);
  const wait = async (holds) => {
    for (let i = 0; i < 200 && !holds(); i += 1) await new Promise((done) => setTimeout(done, 20));
  };
  const select = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  try {
    await wait(() => document.documentElement.matches(".ready"));
    say("loaded before", performance.getEntriesByType("resource").length);

    const table = select("#accuracy table");
    const cells = (column) => Array.from(table.tBodies[0].rows, (row) => row.cells[column].textContent.replace("▼", ""));
    const heads = all("thead th", table);
    const click = (column) => select("button", heads[column]).click();
    for (const order of ["rising", "falling", "again"]) {
      click(1);
      say(`rows ${order}`, `${cells(1).join(" ")} | ${heads[1].getAttribute("aria-sort")}`);
    }
    for (const order of ["rising", "falling"]) {
      click(5);
      say(`missing last, ${order}`, cells(5).at(-1));
    }
    click(0);
    say("names rising", cells(0).slice(0, 3).join("\n"));
    say("footer", table.tFoot.rows[0].cells[0].textContent);
    select("button", heads[2]).focus();
    say("a header takes the focus", document.activeElement === select("button", heads[2]));

    const tip = select("#nb-tip");
    const read = () => (getComputedStyle(tip).visibility === "hidden" ? "hidden" : tip.textContent);
    const picture = select("#figure-lines svg");
    const marks = all(".mark", picture);
    picture.scrollIntoView();
    await new Promise((done) => setTimeout(done, 100));
    marks.find((mark) => mark.ariaLabel.startsWith("naive Bayes")).focus();
    say("first mark", read());
    document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight", bubbles: true }));
    say("second mark", read());
    say("last mark by its label", marks.find((mark) => mark.ariaLabel.startsWith("m*")).ariaLabel);
    document.activeElement.blur();
    const point = (type, mark, beside, pointerType) => {
      const box = select(".marker", mark).getBoundingClientRect();
      const clientX = box.left + box.width / 2 + beside;
      const clientY = box.top + box.height / 2;
      mark.parentElement.dispatchEvent(new PointerEvent(type, { clientX, clientY, pointerType, bubbles: true }));
    };
    const other = marks.findLast((mark) => mark.ariaLabel.startsWith("logistic regression"));
    point("pointermove", other, 0, "mouse");
    say("pointed at", tip.textContent.split("\n")[0]);
    picture.dispatchEvent(new PointerEvent("pointerleave", { pointerType: "mouse" }));
    say("left", read());
    point("pointerdown", other, -9, "touch");
    say("a finger beside a mark", tip.textContent.split("\n")[0]);
    const cell = all("td", table).find((cell) => cell.textContent.startsWith("0.620"));
    cell.dispatchEvent(new PointerEvent("pointerenter", { pointerType: "mouse" }));
    const digits = tip.textContent.split(" ")[0];
    say("a cell", `${Number(digits).toFixed(3)}, ${digits.length > 5 ? "with more digits" : "with no more digits"}`);
    say("titles left", all("svg title").length);
    say("one stop per picture", all("svg[role=group]").every((svg) => all("[tabindex='0']", svg).length === 1));

    const saved = [];
    URL.createObjectURL = (blob) => (saved.push(blob), "blob:none");
    const names = [];
    HTMLAnchorElement.prototype.click = function () {
      names.push(this.download);
    };
    for (const button of all(".download button")) {
      const n = saved.length;
      button.click();
      await wait(() => saved.length > n);
    }
    for (const i of [0, 1]) {
      say(`file ${i + 1}`, `${(await saved[i].text()).trim()}\n${names[i]}\n${saved[i].type}`);
    }
    const bytes = new Uint8Array(await saved[2].arrayBuffer());
    say("file 3", `${bytes.length} bytes, ${bytes[0]} to ${bytes.at(-1)}`);
    select("#accuracy [data-csv]").click();
    say("table as CSV", (await saved[3].text()).split("\n")[0]);
    const files = [];
    for (const button of all("[data-csv]").filter((button) => !button.closest("details"))) {
      button.click();
      files.push(await saved.at(-1).text());
    }
    say("tables as CSV", files.join("~"));

    const ground = () => getComputedStyle(document.body).backgroundColor;
    const schemes = select("#nb-scheme");
    say("colours at first", ground());
    schemes.click();
    say("colours light", ground());
    schemes.click();
    say("colours dark", ground());

    const ids = all("[id]").map((element) => element.id);
    say("ids given twice", ids.filter((id, i) => ids.indexOf(id) !== i));
    say("links that lead nowhere", all("a[href^='#']").filter((a) => !document.getElementById(a.hash.slice(1))));
    say("alerts", alerts);

    const refused = new Set();
    document.addEventListener("securitypolicyviolation", (event) => refused.add(event.effectiveDirective));
    const image = new Image();
    image.src = "http://127.0.0.1:9/x.png";
    await fetch("http://127.0.0.1:9/").catch(() => {});
    await new Promise((done) => setTimeout(done, 300));
    say("refused", Array.from(refused).sort().join(" "));
  } catch (error) {
    say("error", error.stack);
  }
  const results = document.createElement("pre");
  results.id = "results";
  results.textContent = lines.join("\n");
  document.body.append(results);
})();
