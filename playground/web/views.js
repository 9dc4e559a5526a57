// The panels: why a row has its label, measures, parameters, the equation.
import { $, classInk, h, ink, number, percent, table } from "./dom.js";

const dot = (index) => h("span", { className: "dot", style: { background: classInk(index) } });

export function legend(model) {
  $("legend").replaceChildren(...model.table.classes.map((label, index) => h("span", {}, dot(index), label)),
    ...(model.table.columns.length > 2 ? [h("span", { className: "soft" }, `regions: other columns as in ${model.rowName}`)] : []),
    ...(model.predicted ? [h("span", { className: "soft" }, "ring: gets another label")] : []),
    ...(model.sampled ? [h("span", { className: "soft" }, "×: drawn from the model")] : []));
}

export function posteriors(model, answer) {
  const order = answer.posteriors.map((_, index) => index).sort((a, b) => answer.log_posteriors[b] - answer.log_posteriors[a]);
  $("posteriors").replaceChildren(...order.slice(0, 6).map((own) => {
    const label = model.fit.classes[own];
    const index = model.table.classes.indexOf(label);
    const value = answer.posteriors[own];
    const text = value > 0 ? percent(value) : `e^${number(answer.log_posteriors[own], 4)}`;
    return h("div", { className: "posterior", title: `posterior ${value}` },
      h("span", { className: "name" }, dot(index), " ", label),
      h("span", { className: "track" }, h("span", { style: { left: "0", width: `${100 * value}%`, background: classInk(index) } })),
      h("span", { className: "value", "data-value": String(value) }, text));
  }));
}

/// Bars of log-odds, with the cells of the row to be changed.
export function why(model, answer, row, change) {
  const terms = answer.terms.map((term) => ({ ...term })).sort((a, b) => Math.abs(b.log_odds ?? 1e9) - Math.abs(a.log_odds ?? 1e9));
  const single = model.table.columns.length <= 6 ? [...answer.terms] : terms;
  const shown = single.slice(0, 9);
  const most = Math.max(1e-9, Math.abs(answer.prior), ...terms.map((term) => Math.abs(term.log_odds ?? 0)));
  const focused = document.activeElement?.dataset?.cell;
  const bar = (value) => {
    const size = value === null ? 50 : 50 * Math.min(1, Math.abs(value) / most);
    return h("span", { className: "track" }, h("span", { style: {
      left: `${value < 0 ? 50 - size : 50}%`, width: `${size}%`, background: ink(value < 0 ? "below" : "above") } }));
  };
  const line = (name, input, value) => [h("span", { className: "name", title: name }, name), input, bar(value),
    h("span", { className: "value", "data-value": String(value) }, value === null ? "∞" : number(value, 3))];
  const lines = [line("prior", h("span", {}), answer.prior)];
  for (const term of shown) {
    const names = term.places.map((place) => model.table.columns[place].name).join(" × ");
    lines.push(line(names, term.places.length === 1 ? cell(model, term.places[0], row, change) : h("span", {}), term.log_odds));
  }
  const old = $("why").firstElementChild;
  const next = h("div", { className: "bars" }, ...lines.flat());
  if (old && focused !== undefined && document.activeElement.closest("#why")) {
    // What is typed into stays what it is.
    const active = document.activeElement;
    next.querySelector(`[data-cell="${focused}"]`)?.replaceWith(active);
    $("why").replaceChildren(next);
    active.focus();
  } else $("why").replaceChildren(next);
  const label = (own) => model.fit.classes[own];
  const rest = terms.length - shown.length;
  $("why-note").textContent = (answer.class === answer.against ? "" : `Log-odds of ${label(answer.class)} against ${label(answer.against)}; bars to the right speak for ${label(answer.class)}.`)
    + (rest > 0 ? ` ${rest} more ${rest === 1 ? "term adds" : "terms add"} ${number(single.slice(9).reduce((sum, term) => sum + term.log_odds, 0), 3)}.` : "");
}

function cell(model, place, row, change) {
  const column = model.table.columns[place];
  const value = row[place];
  const label = `${column.name} of the row`;
  if (column.levels) {
    const select = h("select", { "aria-label": label, "data-cell": String(place) },
      h("option", { value: "" }, "missing"), ...column.levels.map((level, code) => h("option", { value: String(code) }, level)));
    select.value = value === null ? "" : String(value);
    select.addEventListener("change", () => change(place, select.value === "" ? null : Number(select.value)));
    return select;
  }
  const input = h("input", { type: "number", step: "any", "aria-label": label, "data-cell": String(place), value: value === null ? "" : String(Number(value.toPrecision(7))) });
  input.addEventListener("input", () => {
    const typed = input.value === "" ? null : Number(input.value);
    if (typed === null || Number.isFinite(typed)) change(place, typed);
  });
  return input;
}

export function measures(answer) {
  const pick = (name, title, digits) => [title,
    h("td", { "data-value": String(answer.model[name]) }, number(answer.model[name], digits)), number(answer.prior[name], digits)];
  $("folds").textContent = `${answer.n_folds} folds`;
  $("measures").replaceChildren(table(["", "model", "class prior"], [
    pick("accuracy", "accuracy", 4), pick("log_loss", "log-loss", 4), pick("brier", "Brier score", 4),
    pick("auc", "AUC", 4), pick("calibration_error", "calibration error", 3)]));
}

export function confusion(model, answer) {
  const { classes } = model.table;
  if (classes.length > 8) return $("confusion").replaceChildren();
  const totals = answer.confusion.map((row) => row.reduce((a, b) => a + b, 0));
  const cells = (row, truth) => row.map((count, predicted) => h("td", {
    style: { background: count > 0 ? `color-mix(in srgb, ${classInk(predicted)} ${Math.round(8 + 34 * count / Math.max(1, totals[truth]))}%, transparent)` : "transparent" },
    title: `${classes[truth]} predicted as ${classes[predicted]}: ${count}` }, number(count)));
  $("confusion").replaceChildren(h("table", {},
    h("caption", {}, "rows: actual label, columns: predicted"),
    h("thead", {}, h("tr", {}, h("th", {}), ...classes.map((label) => h("th", { scope: "col" }, label)))),
    h("tbody", {}, ...answer.confusion.map((row, truth) => h("tr", {}, h("th", { scope: "row" }, classes[truth]), ...cells(row, truth))))));
}

/// Cut points in names, with the digits that people read.
const short = (name) => name.replace(/-?\d+\.\d{5,}/g, (digits) => number(Number(digits), 4));

/// The parameters of the two columns of the picture; means and deviations can be typed.
export function parameters(model, places, change) {
  const focused = document.activeElement?.closest?.("#parameters") ? document.activeElement.dataset.parameter : undefined;
  const parts = [];
  for (const place of new Set(places)) {
    const column = model.fit.columns.find((one) => one.place === place);
    const name = model.table.columns[place].name;
    if (!column) { parts.push(h("p", { className: "note" }, `${name}: not used`)); continue; }
    const rows = [];
    if (column.normal && !model.fit.refined) {
      ["mean", "standard deviation"].forEach((title, which) => rows.push([title, ...model.fit.classes.map((label, own) => {
        const value = column.normal[which][own];
        const key = `${place}-${which}-${own}`;
        const input = h("input", { type: "number", step: "any", "aria-label": `${title} of ${name} in ${label}`, "data-parameter": key, "data-value": String(value), value: String(Number(value.toPrecision(5))) });
        input.addEventListener("change", () => change(place, model.table.classes.indexOf(label), own, which, Number(input.value)));
        return h("td", {}, input);
      })]));
    } else {
      for (const parameter of column.parameters.slice(0, 16)) rows.push([short(parameter.name), ...parameter.values.map((value) => h("td", { "data-value": String(value) }, number(value, 4)))]);
      if (column.weight !== null && column.weight !== undefined) rows.push(["weight", ...model.fit.classes.map(() => number(column.weight, 4))]);
    }
    const title = `${name}: ${column.title ?? "weighted and corrected"}`;
    parts.push(rows.length ? table([title, ...model.fit.classes], rows) : h("p", { className: "note" }, `${title}; its curve is beside the picture`));
  }
  $("parameters").replaceChildren(...parts);
  if (focused) $("parameters").querySelector(`[data-parameter="${focused}"]`)?.focus();
}

/// `w·x + b`, or a polynomial of second degree, set equal to zero.
export function equation(model, answer) {
  const out = $("equation");
  if (answer.error || model.fit.refined) {
    out.textContent = "";
    $("equation-note").textContent = model.fit.refined ? "With weights, corrections and pairs the boundary has no short equation." : answer.error;
    return;
  }
  if (answer.terms.length === 0) {
    out.textContent = "";
    $("equation-note").textContent = "No column is normal, so that there is no short equation; “Why?” has what each column adds to the log-odds.";
    return;
  }
  const parts = [];
  const add = (value, name, power) => {
    if (value === 0) return;
    const sign = value < 0 ? " − " : parts.length ? " + " : "";
    const item = h("span", { "data-value": String(value) }, sign, number(Math.abs(value), 4), name ? " " : "");
    if (name) item.append(h("i", {}, name));
    if (power) item.append(h("sup", {}, "2"));
    parts.push(item);
  };
  const shown = answer.terms.slice(0, 6);
  for (const term of shown) {
    add(term.square, term.name, true);
    add(term.linear, term.name, false);
  }
  if (answer.terms.length > 6) parts.push(h("span", {}, " + …"));
  add(answer.constant, null, false);
  out.replaceChildren(...parts, " = 0");
  const kind = answer.kind === "linear" ? "A line (a plane): w·x + b, as the variances are shared. " : "A curve of second degree: each class has its own variances. ";
  $("equation-note").textContent = kind + (answer.others.length ? `What these columns add comes on top: ${answer.others.slice(0, 8).join(", ")}${answer.others.length > 8 ? ", …" : ""}.` : "");
}
