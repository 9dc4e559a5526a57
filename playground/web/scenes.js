// The lessons: what they say, how the controls stand, and the figure beside the words.
import { $, classInk, h, ink, number, percent, table } from "./dom.js";
import { ask, doubles } from "./engine.js";
import { lineChart } from "./chart.js";
import { cloud } from "./cloud.js";

const LN10 = Math.log(10);

function canvas(label) {
  const old = $("lesson-figure").querySelector("canvas");
  if (old && old.dataset.label === label) return old;
  const made = h("canvas", { role: "img", "aria-label": label });
  made.dataset.label = label;
  $("lesson-figure").replaceChildren(made);
  return made;
}

/// Puts a table behind the canvas of the figure, or alone.
function below(element) {
  $("lesson-figure").querySelectorAll(":scope > :not(canvas)").forEach((old) => old.remove());
  $("lesson-figure").append(element);
}

export const SCENES = {
  underflow: {
    short: "Underflow",
    title: "A product of many small numbers is zero",
    text: "Naive Bayes multiplies a probability per column, or per word of a text. A double ends near 10⁻³²⁴: below it every class has the product 0, and 0/0 is no probability. The sum of logarithms is the same number written so that it fits, and the difference of two sums is the log-odds.",
    try: "fewer copies of the sixteen votes, until one product and then both are there again. The posteriors are from the logarithms, and always there.",
    preset: { set: "housevotes84", x: 3, y: 2, row: 5, knob: 70 },
    knob: { label: "copies of the 16 columns", min: 1, max: 120, step: 1 },
    figure(model, state) {
      const answer = ask({ do: "products", row: model.row, n_copies: state.knob });
      if (answer.error) return below(h("p", {}, answer.error));
      const series = answer.classes.map((own, index) => {
        const step = Math.max(1, Math.floor(own.sums.length / 400));
        return { name: model.fit.classes[index], ink: classInk(index), points: own.sums.map((sum, at) => [at, sum / LN10]).filter((_, at) => at % step === 0) };
      });
      const last = answer.classes.map((own) => own.sums.at(-1) / LN10);
      const n = answer.classes[0].sums.length - 1;
      lineChart(canvas("The logarithm of the product after each column, with the least double"), {
        x: { name: "columns multiplied" }, y: { name: "log₁₀ of the product", range: [Math.min(-360, ...last) - 20, 20] },
        series: [...series, { name: "the least double, 10⁻³²⁴", ink: ink("soft"), dashed: true, points: [[0, -323.3], [n, -323.3]] }],
      });
      const odds = answer.classes.map((own) => own.sums.at(-1));
      const most = Math.max(...odds);
      const sum = odds.reduce((total, value) => total + Math.exp(value - most), 0);
      const products = answer.classes.map((own) => own.products.at(-1) ?? Infinity);
      const total = products.reduce((a, b) => a + b, 0);
      below(table(["class", "product of doubles", "product / sum", "sum of logarithms", "posterior"], answer.classes.map((own, index) => [
        model.fit.classes[index], number(products[index], 3), number(products[index] / total, 3), number(odds[index], 6),
        h("td", { "data-value": String(Math.exp(odds[index] - most) / sum) }, percent(Math.exp(odds[index] - most) / sum))])));
    },
  },
  truncation: {
    short: "Truncation",
    title: "A floor under densities flips labels",
    text: "The R package klaR writes 0.001 where a density underflows to 0. That is far more than the honest density of the tails, so evidence against a class turns into evidence for it: in mail 177 the word “credit” makes nonspam impossible, and klaR answers nonspam.",
    try: "other mails: 346, 373 and 546 differ as well; in mail 1754 klaR has no answer.",
    preset: { set: "spam", x: 19, y: 20, knob: 177, row: 176 },
    knob: { label: "mail number", min: 1, max: 4601, step: 1, isNumber: true, sets: (state) => { state.row = state.knob - 1; state.cells = null; } },
    figure(model, state) {
      const answer = ask({ do: "truncation", row: Math.min(Math.max(1, state.knob), model.table.n_rows) - 1 });
      if (answer.error) return below(h("p", {}, answer.error));
      $("lesson-figure").querySelector("canvas")?.remove();
      const value = (v) => h("td", { "data-value": String(v) }, v === null ? "NaN" : percent(v));
      const cells = answer.truncated.map((cell) => `${model.table.columns[cell.place].name} in ${model.table.classes[cell.class]}: log-density ${number(cell.log_density, 6)}, klaR takes −6.908`);
      below(h("div", {},
        table([`mail ${state.knob}, which is ${model.table.classes[answer.truth]}`, ...model.table.classes], [
          ["klaR's posterior", ...answer.klar.map(value)],
          ["exact posterior", ...answer.exact.map(value)],
          ["exact log p(mail, class)", ...answer.log_odds.map((v) => number(v, 6))]]),
        h("p", { className: "note" }, cells.length ? `Truncated: ${cells.slice(0, 4).join("; ")}${cells.length > 4 ? `; ${cells.length - 4} more` : ""}.` : "No density of this mail is truncated; both models agree."),
        h("p", {}, h("mark", {}, `${answer.n_flipped}`), ` of ${answer.n_rows} mails get another label by the floor; for ${answer.n_lost} there is no number at all.`)));
    },
  },
  line: {
    short: "Curve or line",
    title: "Shared variances make the boundary a line",
    text: "With a variance per class the log-odds are quadratic in every column, and the boundary is a curve. If both classes share the variance the squares cancel: what is left is w·x + b, the form of logistic regression. The weights w and b are below the picture.",
    try: "switch “Share the variance among classes”, then drag the small handles (mean ± one deviation) of the curves beside the picture.",
    preset: { set: "iris", x: 0, y: 1, only: ["versicolor", "virginica"], families: { petal_length_cm: "ignore", petal_width_cm: "ignore" }, row: 60 },
    buttons: [["Switch shared variance", (state) => { state.shared = !state.shared; }]],
    figure(model, state, view) {
      const points = [];
      for (let k = 0; k <= 60; k++) {
        const value = view.x.from + (view.x.to - view.x.from) * k / 60;
        const answer = ask({ do: "explain", row: model.row.map((cell, place) => (place === view.xPlace ? value : cell)) });
        if (answer.error) return below(h("p", {}, answer.error));
        points.push([value, answer.log_posteriors[1] - answer.log_posteriors[0]]);
      }
      lineChart(canvas("Log-odds along the column across"), {
        x: { name: model.table.columns[view.xPlace].name }, y: { name: `log-odds of ${model.fit.classes[1]}` },
        series: [{ name: state.shared ? "shared variance: a line" : "variance per class: a parabola", ink: classInk(0), points }],
        mark: model.row[view.xPlace],
      });
    },
  },
  smoothing: {
    short: "Smoothing",
    title: "How much to believe a count of zero",
    text: "Fourteen days, and the question whether to play tennis when it is sunny, cool, humid and windy. With l = 0 probabilities are the shares of the counts, and one count of zero rules a class out (it never was overcast on a day without tennis). Adding l to every count draws all shares towards the uniform one, and the answer towards the prior.",
    try: "set the outlook of the day to overcast beside “Why?”, then move l from 0 to 10.",
    preset: { set: "playtennis", x: 0, y: 2, row: null, cells: [2, 0, 0, 0], l: 0 },
    control: { key: "l", label: "smoothing l", min: 0, max: 10, step: 0.1, from: "fit" },
    figure(model, state) {
      const values = Array.from({ length: 101 }, (_, k) => k / 10);
      const answer = ask({ do: "smoothing", row: model.row, values });
      if (answer.error) return below(h("p", {}, answer.error));
      lineChart(canvas("Posteriors by smoothing"), {
        x: { name: "smoothing l", range: [0, 10] }, y: { name: "posterior", range: [0, 1] }, mark: state.l,
        series: model.fit.classes.map((label, index) => ({ name: label, ink: classInk(index), points: values.map((l, k) => [l, answer.posteriors[k][index]]) })),
      });
    },
  },
  words: {
    short: "Twenty times a word",
    title: "The twentieth “Chinese” counts like the first",
    text: "The multinomial model adds the log-odds of a word once per occurrence, as if each were new evidence. A text that says Chinese twenty times is twenty times as sure. Bernoulli asks only whether the word is there; its line is flat from the first occurrence on.",
    try: "move the number of times, and change the other words of the text beside “Why?”.",
    preset: { set: "iir_china", x: 1, y: 2, row: null, cells: [0, 3, 1, 0, 0, 1], knob: 3,
      families: Object.fromEntries(["Beijing", "Chinese", "Japan", "Macao", "Shanghai", "Tokyo"].map((word) => [word, "multinomial"])) },
    knob: { label: "times “Chinese” in the text", min: 0, max: 20, step: 1, sets: (state) => { state.cells = (state.cells ?? [0, 3, 1, 0, 0, 1]).with(1, state.knob); } },
    figure(model, state, view, refit) {
      const curve = (family) => {
        if (!refit(Object.fromEntries(model.table.columns.map((column) => [column.name, family])))) return [];
        return Array.from({ length: 21 }, (_, n) => {
          const answer = ask({ do: "explain", row: model.row.with(1, n) });
          return answer.error ? [n, null] : [n, answer.log_posteriors[1] - answer.log_posteriors[0]];
        });
      };
      const series = [
        { name: "multinomial", ink: classInk(0), points: curve("multinomial"), dots: true },
        { name: "Bernoulli", ink: classInk(1), points: curve("bernoulli"), dots: true },
      ];
      refit(null);
      lineChart(canvas("Log-odds by the number of times"), { x: { name: "times “Chinese”", range: [0, 20] }, y: { name: "log-odds of “yes, about China”" }, series, mark: state.knob });
    },
  },
  learning: {
    short: "Logistic regression",
    title: "Few rows favour naive Bayes, many its rival",
    text: "Naive Bayes with shared variances and logistic regression draw the same kind of line. Naive Bayes reaches its own, higher, error with few rows; logistic regression needs more of them and ends lower (Ng and Jordan 2002). Each point is the mean over 30 random training sets, tested on a third of the rows.",
    try: "another table, for example wine or iris, in the list under Data.",
    preset: { set: "pima", x: 1, y: 5, shared: true, row: 0 },
    slow: true,
    figure(model) {
      const n = model.table.n_rows;
      const sizes = [6, 10, 15, 22, 33, 50, 75, 110, 170, 250, 370, 500].filter((size) => size <= 2 * n / 3);
      const answer = ask({ do: "learning", sizes, n_repeats: n > 2000 ? 5 : 30, seed: 1 });
      if (answer.error) return below(h("p", {}, answer.error));
      below(h("p", { hidden: true }));
      const points = (values) => values.map((value, at) => [sizes[at], value]);
      lineChart(canvas("Error on held-out rows by the number of training rows"), {
        x: { name: "training rows", log: true, range: [sizes[0], sizes.at(-1)], ticks: sizes.filter((_, at) => at % 2 === 0) }, y: { name: "share of wrong labels", format: (v) => number(v, 3) },
        series: [{ name: "naive Bayes", ink: classInk(0), points: points(answer.naive_bayes), dots: true }, { name: "logistic regression", ink: classInk(1), points: points(answer.logistic), dots: true }],
      });
    },
  },
  sampling: {
    short: "Sampling",
    title: "What the model believes, drawn",
    text: "Naive Bayes is a recipe for rows: draw a class from the prior, then each column alone from its density. The crosses are such rows. Where they do not look like the data the assumption shows: within a class petal length and width rise together, and in the model they do not.",
    try: "draw again, or compare other columns; “kernel” as the family of a column follows its shape, but never the dependence.",
    preset: { set: "iris", x: 2, y: 3, knob: 1, row: 0 },
    buttons: [["Draw again", (state) => { state.knob += 1; }]],
    before(model, state) {
      const answer = ask({ do: "sample", n_rows: 150, seed: state.knob });
      model.sampled = answer.error ? null : { rows: doubles(answer), places: answer.places };
      model.sampleError = answer.error;
    },
    figure(model, state, view) {
      $("lesson-figure").querySelector("canvas")?.remove();
      if (!model.sampled) return below(h("p", {}, model.sampleError));
      const places = [view.xPlace, view.yPlace];
      const stride = model.table.columns.length + 1;
      const own = model.sampled.places.length + 1;
      const inSample = places.map((place) => model.sampled.places.indexOf(place));
      const rows = model.table.classes.map((label, index) => [label,
        number(correlation(model.cells, stride, places, index), 3), number(correlation(model.sampled.rows, own, inSample, index), 3)]);
      const [a, b] = places.map((place) => model.table.columns[place].name);
      below(h("div", {}, h("p", { className: "note" }, `Correlation of ${a} and ${b} within a class`), table(["class", "rows", "drawn"], rows)));
    },
  },
  cloud: {
    short: "Cloud",
    title: "Four measurements, turned in space",
    text: "The first three principal components of the standardised columns, turning. They show where classes can be told apart at all, before any model. One class of iris lies alone; between the other two every classifier has to guess.",
    try: "drag the cloud; choose wine, whose thirteen columns fall into three groups.",
    preset: { set: "iris", x: 2, y: 3, row: 0 },
    figure(model) {
      const answer = ask({ do: "components" });
      if (answer.error) return below(h("p", {}, answer.error));
      const shares = answer.shares.map((share) => `${number(100 * share, 3)} %`).join(", ");
      cloud(canvas("Rows on three principal components, turning"), model, doubles(answer));
      below(h("p", { className: "note" }, `Shares of the variance: ${shares}.`));
    },
  },
  forget: {
    short: "Forgetting",
    title: "A row is removed, and nothing remembers it",
    text: "The model is a handful of exact sums, so a row can be subtracted again. What is left has every bit of a model that never saw the row. Running means and variances, which most libraries keep, round at each step; their last digits still tell that someone was there.",
    try: "click another row in the picture.",
    preset: { set: "iris", x: 2, y: 3, row: 118 },
    figure(model, state) {
      $("lesson-figure").querySelector("canvas")?.remove();
      const row = state.row ?? 0;
      const answer = ask({ do: "forget", row });
      if (answer.error) return below(h("p", {}, answer.error));
      const file = (value, isSame) => h("td", { "data-value": value, className: isSame ? "good" : "" }, h("code", {}, value));
      const running = answer.running.map((one) => {
        const isSame = one.bits[0] === one.bits[1];
        return [model.table.columns[one.place].name, ...one.bits.map((bits) => h("td", {}, h("code", { className: isSame ? "" : "changed" }, bits.slice(8)))), isSame ? "same" : h("td", {}, h("mark", {}, "differs"))];
      });
      below(h("div", {},
        table(["model file", "fingerprint"], [
          [`of all ${model.table.n_rows} rows`, file(answer.whole)],
          [`row ${row + 1} removed`, file(answer.removed, answer.n_different === 0)],
          [`never had row ${row + 1}`, file(answer.never, answer.n_different === 0)]]),
        h("p", {}, answer.n_different === 0 ? `All ${answer.size} bytes are the same.` : `${answer.n_different} bytes differ.`),
        h("p", { className: "note" }, "Last 32 bits of a running variance (Welford)"),
        table(["column", "row undone", "row never had", ""], running.slice(0, 6))));
    },
  },
  copies: {
    short: "Two copies",
    title: "The same evidence, counted twice",
    text: "Copy a column and naive Bayes counts it again: labels may survive, probabilities become far too sure, and the log-loss of held-out rows rises. Weights that are learnt from held-out rows share the evidence among the copies, and mend it.",
    try: "add copies, then switch “Learn weights, corrections and pairs”.",
    preset: { set: "iris", x: 1, y: 3, copies: 3, row: 100, only: ["versicolor", "virginica"] },
    control: { key: "copies", label: "further copies of the column across", min: 0, max: 8, step: 1, from: "table" },
    slow: true,
    figure(model, state, view, refit, measured) {
      const counts = [0, 1, 2, 4, 6, 8];
      const curve = (refined) => counts.map((copies) => [copies, measured(copies, refined)]);
      lineChart(canvas("Log-loss of held-out rows by the number of copies"), {
        x: { name: "further copies", ticks: counts }, y: { name: "log-loss of held-out rows" }, mark: state.copies,
        series: [{ name: "naive Bayes", ink: classInk(0), points: curve(false), dots: true }, { name: "with learnt weights", ink: classInk(1), points: curve(true), dots: true }],
      });
    },
  },
};

function correlation(rows, stride, [a, b], index) {
  let [n, sa, sb, saa, sbb, sab] = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < rows.length; at += stride) {
    if (rows[at + stride - 1] !== index) continue;
    const [x, y] = [rows[at + a], rows[at + b]];
    if (!(x === x && y === y)) continue;
    n += 1; sa += x; sb += y; saa += x * x; sbb += y * y; sab += x * y;
  }
  return (sab / n - sa / n * (sb / n)) / Math.sqrt((saa / n - (sa / n) ** 2) * (sbb / n - (sb / n) ** 2));
}
