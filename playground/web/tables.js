// The tables of the page, beside those that it carries as CSV.

/// The name, what it is called, and the label of each table.
export const TABLES = [
  ["iris", "iris: 150 flowers", "species"],
  ["wine", "wine: 178 wines, 13 measurements", "cultivar"],
  ["pima", "diabetes: 768 women", "diabetes"],
  ["titanic", "titanic: 2201 people, categories", "Survived"],
  ["housevotes84", "votes: 435 members of Congress", "Class"],
  ["playtennis", "tennis: 14 days", "play"],
  ["iir_china", "words: 4 short texts", "in_china"],
  ["spam", "spam: 4601 mails, 57 columns", "type"],
  ["moons", "two moons: 240 points", "class"],
  ["clouds", "two clouds: 10 000 points", "class"],
  ["drawn", "points that you draw", "class"],
];

/// A generator of doubles from 0 to 1 with the same numbers everywhere (mulberry32).
export function generator(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

function normal(random) {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}

/// Points `[across, up, class]`.
export function generated(name) {
  const random = generator(7);
  const round = (value) => Number(value.toFixed(3));
  if (name === "moons") {
    return Array.from({ length: 240 }, (_, at) => {
      const angle = Math.PI * random();
      const [x, y] = at % 2 ? [1 - Math.cos(angle), 0.4 - Math.sin(angle)] : [Math.cos(angle), Math.sin(angle)];
      return [round(x + 0.12 * normal(random)), round(y + 0.12 * normal(random)), at % 2];
    });
  }
  return Array.from({ length: 10000 }, (_, at) => at % 2
    ? [round(1.4 + 0.7 * normal(random)), round(1 + 1.1 * normal(random)), 1]
    : [round(-0.6 + 1.1 * normal(random)), round(-0.5 + 0.6 * normal(random)), 0]);
}
