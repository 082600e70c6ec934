// How things look where table.yaml says nothing: colours by kind, symbols by label, and what is worth showing.

const PALETTE = ["teal", "blue", "purple", "brown", "pink", "orange", "green", "grey"];
const KNOWN = new Set(["red", "orange", "yellow", "green", "teal", "blue", "purple", "pink", "brown", "white", "grey", "black"]);

function hash(text) {
  let found = 7;
  for (const letter of text) found = (found * 31 + letter.codePointAt(0)) >>> 0;
  return found;
}

// The colour of a thing: its own, that of the player whom it names, or one for everything of its name. `seats` has the colours of players by label and id.
export function colourOf(thing, seats) {
  const own = thing.look?.colour;
  if (KNOWN.has(own)) return own;
  const named = seats?.get(thing.id) ?? Object.values(thing.fields ?? {}).map((value) => seats?.get(value)).find(Boolean);
  return named ?? PALETTE[hash(thing.name || thing.kind || thing.label || "") % PALETTE.length];
}

// The colours of players, by what names them.
export function seatColours(table) {
  const found = new Map();
  for (const seat of Object.values(table.seats))
    for (const name of [seat.label, seat.id, ...(seat.stands_for ?? [])]) found.set(name, seat.look?.colour);
  return found;
}

export const hasColour = (thing) => KNOWN.has(thing.look?.colour);
export const isColour = (word) => KNOWN.has(word);

// One to three characters for where there is little room.
export function symbolOf(thing) {
  if (thing.look?.symbol) return thing.look.symbol;
  if (thing.hidden) return "?";
  const label = thing.label || "";
  if ([...label].length <= 2) return label;
  const words = label.split(/[\s-]+/).filter(Boolean);
  if (words.length > 1 && /^\d+$/.test(words.at(-1))) return [...words[0]][0].toUpperCase() + words.at(-1).slice(0, 2);
  return words.length > 1 ? ([...words[0]][0] + [...words[1]][0]).toUpperCase() : [...label].slice(0, 2).join("");
}

export const capital = (text) => (text ? text[0].toUpperCase() + text.slice(1) : "");

// A value of a field in words.
export const inWords = (value) => (Array.isArray(value) ? value.map(inWords).join(", ") : String(value));

// The fields of links or spots in which one differs from most of its kind, and numbers: what is the same everywhere says nothing.
export function unusual(all) {
  const counts = new Map();
  const sizes = new Map();
  for (const each of all) {
    sizes.set(each.kind, (sizes.get(each.kind) || 0) + 1);
    for (const [name, value] of Object.entries(each.fields || {})) {
      const key = `${each.kind}/${name}/${inWords(value)}`;
      counts.set(key, (counts.get(key) || 0) + 1);
    }
  }
  return (each) =>
    Object.entries(each.fields || {})
      .filter(([name, value]) => (counts.get(`${each.kind}/${name}/${inWords(value)}`) || 0) * 2 <= sizes.get(each.kind))
      .map(([name, value]) => [name, value]);
}

// Things that are alike, told once with how many there are: [first, count, ids].
export function alike(things) {
  const found = new Map();
  for (const thing of things) {
    const key = `${thing.name}|${thing.label}|${thing.hidden}|${(thing.marks || []).join()}|${JSON.stringify(thing.fields || {})}`;
    if (found.has(key)) found.get(key).push(thing);
    else found.set(key, [thing]);
  }
  return [...found.values()];
}

// A label in lines of about so many letters.
export function lines(text, width, most) {
  const found = [""];
  for (const word of text.split(/\s+/)) {
    const last = found.at(-1);
    if (!last) found[found.length - 1] = word;
    else if (last.length + 1 + word.length <= width) found[found.length - 1] = `${last} ${word}`;
    else found.push(word);
  }
  const kept = found.slice(0, most).map((line) => (line.length > width + 2 ? `${line.slice(0, width)}…` : line));
  if (found.length > most) kept[most - 1] = `${kept[most - 1].replace(/…$/, "").slice(0, width)}…`;
  return kept;
}
