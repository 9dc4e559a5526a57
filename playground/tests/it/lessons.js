say("truncation", values("#lesson-figure td[data-value]"));
for (const name of ["underflow", "line", "smoothing", "words", "learning", "sampling", "cloud", "copies", "forget", "truncation"]) {
  await go(`#scene=${name}`);
  say(`lesson-${name}`, [$$("lesson-text").textContent.length > 100, $$("lesson-figure").childElementCount > 0, $$("message").textContent]);
  if (name === "forget") say("forget", [...document.querySelectorAll("#lesson-figure td[data-value]")].map((cell) => cell.dataset.value));
}
await go("#");
await set("shared", true);
say("equation", values("#equation [data-value]"));
say("posteriors", values("#posteriors [data-value]"));
say("measures", values("#measures [data-value]"));
