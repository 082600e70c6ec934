// Everything that does not lie on the board: cards as cards, piles as piles, tracks, and what belongs to each player.
import { html } from "./preact.js";
import { alike, capital, colourOf, hasColour, inWords, isColour, symbolOf } from "./look.js";
import { t } from "./words.js";

const SHOWN_FIELDS = 5;

// What belongs to whom: places of a seat, of what stands for it, and of things that lie in these.
export function sorted(table) {
  const { places, things, board, seats } = table;
  const holder = new Map();
  for (const seat of Object.values(seats)) {
    holder.set(seat.id, seat.id);
    for (const each of seat.stands_for ?? []) holder.set(each, seat.id);
  }
  const links = new Set(Object.values(board.links ?? {}).flatMap((link) => link.places ?? []));
  const ownerOf = (place, depth = 0) => {
    if (depth > 6 || !place) return undefined;
    if (!place.owner) return undefined;
    return holder.get(place.owner) ?? (things[place.owner] ? ownerOf(places[things[place.owner].place], depth + 1) : undefined);
  };
  const found = { seats: Object.fromEntries(Object.keys(seats).map((id) => [id, []])), shared: [], inThings: new Map() };
  const grouped = new Set((table.groups ?? []).flatMap((group) => group.members));
  for (const place of Object.values(places)) {
    if (board.spots?.[place.id] || links.has(place.id)) continue;
    const inside = place.owner && things[place.owner] && !holder.has(place.owner);
    if (inside) {
      if (!found.inThings.has(place.owner)) found.inThings.set(place.owner, []);
      found.inThings.get(place.owner).push(place);
    } else {
      const owner = ownerOf(place);
      if (owner) found.seats[owner].push(place);
      else if (!grouped.has(place.id)) found.shared.push(place);
    }
  }
  return found;
}

const isCard = (thing, place) => (thing.look?.shape ? ["card", "tile"].includes(thing.look.shape) : place.shape === "hand" || (place.shape === "row" && Boolean(place.owner)));

export function Place({ place, table, use, nested, big }) {
  const things = (place.members ?? []).map((id) => table.things[id]).filter(Boolean);
  const options = use.choices.of(place.id);
  const hot = use.hot.has(place.id) ? "hot" : "";
  const label = capital(place.label);
  const name = options.length
    ? html`<button class="place-name can" data-id=${place.id} onClick=${(event) => use.click([place.id], options, event)}>${label}</button>`
    : html`<button class="place-name" onClick=${(event) => use.inspect({ place }, event)}>${label}</button>`;
  return html`<div class=${`place shape-${place.shape} ${options.length ? "can" : ""} ${hot}`} data-id=${place.id}>
    <div class="place-head">${name}${place.shape !== "hand" && place.shape !== "row" && place.count > 0 ? html`<span class="place-count">${place.count}</span>` : null}</div>
    ${place.shape === "pile" || place.shape === "bag" ? html`<${Pile} place=${place} things=${things} use=${use} />` : html`<${Things} place=${place} things=${things} use=${use} table=${table} nested=${nested} big=${big} />`}
  </div>`;
}

// A pile shows how high it is and what lies on top; whatever of it an option is about is spread out beside it.
function Pile({ place, things, use }) {
  const top = place.shape === "pile" ? things.at(-1) : undefined;
  const asked = things.filter((thing) => use.choices.of(thing.id).length && thing !== top);
  const face = top && !top.hidden ? top : null;
  return html`<div class="pile-row">
    <div class=${`pile ${place.count ? "" : "none"} ${place.count > 2 ? "thick" : ""}`}>
      ${face ? html`<${Card} group=${[face]} use=${use} small />` : html`<div class=${`card-back ${top ? `c-${colourOf(top, use.colours)}` : hasColour(place) ? `c-${place.look.colour}` : ""}`} title=${place.label}>${place.count || ""}</div>`}
    </div>
    ${asked.map((thing) => html`<${Card} key=${thing.id} group=${[thing]} use=${use} small />`)}
  </div>`;
}

function Things({ place, things, use, table, nested, big }) {
  if (!things.length) return html`<p class="nothing">${place.capacity ? t("room for {n}", { n: place.capacity }) : t("nothing")}</p>`;
  const cards = things.filter((thing) => isCard(thing, place));
  const chips = things.filter((thing) => !isCard(thing, place));
  return html`
    ${cards.length > 0 && html`<div class="cards">${alike(cards).map((group) => html`<${Card} key=${group[0].id} group=${group} use=${use} table=${table} nested=${nested} small=${!big} />`)}</div>`}
    ${chips.length > 0 && html`<div class="chips">${alike(chips).map((group) => html`<${Chip} key=${group[0].id} group=${group} use=${use} />`)}</div>`}
  `;
}

function press(use, group) {
  const ids = group.map((each) => each.id);
  const options = use.choices.ofAny(ids);
  return [ids, options, (event) => (event.stopPropagation(), use.click(ids, options, event))];
}

export function Card({ group, use, small, table, nested }) {
  const [thing] = group;
  const [ids, options, click] = press(use, group);
  const state = `${options.length ? "can" : ""} ${ids.some((id) => use.hot.has(id)) ? "hot" : ""} ${small ? "small" : ""}`;
  if (thing.hidden) {
    const told = [...(thing.marks ?? []), ...Object.entries(thing.fields ?? {}).map(([name, value]) => `${name} ${inWords(value)}`)].join(", ");
    return html`<button class=${`card back ${state} c-${colourOf(thing, use.colours)}`} data-id=${thing.id} data-drag=${thing.label} onClick=${click} onContextMenu=${use.about(ids)}>
      <span class="card-back-label">${group.length > 1 ? `${group.length} × ` : ""}${thing.label}</span>${told && html`<span class="card-marks">${told}</span>`}
    </button>`;
  }
  const fields = Object.entries(thing.fields ?? {}).filter(([, value]) => value !== 0 && value !== "");
  const inside = ids.flatMap((id) => nested?.get(id) ?? []).filter((place) => place.count);
  return html`<button class=${`card ${state} c-${colourOf(thing, use.colours)}`} data-id=${thing.id} data-drag=${thing.label} onClick=${click} onContextMenu=${use.about(ids)}>
    <span class="card-head"><span class="card-symbol" aria-hidden="true">${symbolOf(thing)}</span><span class="card-title">${thing.label}</span>${group.length > 1 && html`<span class="card-count">×${group.length}</span>`}</span>
    ${(thing.marks ?? []).length > 0 && html`<span class="card-marks">${thing.marks.join(" · ")}</span>`}
    ${!small && html`<span class="card-fields">${fields.slice(0, SHOWN_FIELDS).map(([name, value]) => html`<span class="card-field" key=${name}><span>${name}</span> <b>${inWords(value)}</b></span>`)}</span>`}
    ${inside.map((place) => html`<span class="card-inside" key=${place.id}>${place.label}: ${alike((place.members ?? []).map((id) => table.things[id]).filter(Boolean)).map((each) => (each.length > 1 ? `${each.length} × ${each[0].label}` : each[0].label)).join(", ") || place.count}</span>`)}
    ${options.length > 0 && html`<span class="card-option">${options.length === 1 ? options[0].label : t("{n} options", { n: options.length })}</span>`}
  </button>`;
}

export function Chip({ group, use }) {
  const [thing] = group;
  const [ids, options, click] = press(use, group);
  const state = `${options.length ? "can" : ""} ${ids.some((id) => use.hot.has(id)) ? "hot" : ""}`;
  return html`<button class=${`chip ${state} c-${colourOf(thing, use.colours)} ${thing.hidden ? "back" : ""}`} data-id=${thing.id} data-drag=${thing.label} onClick=${click} onContextMenu=${use.about(ids)}>
    <span class="dot" aria-hidden="true">${symbolOf(thing)}</span>${thing.label}${(thing.marks ?? []).length ? ` (${thing.marks.join(", ")})` : ""}${group.length > 1 ? html` <b>×${group.length}</b>` : ""}
  </button>`;
}

export function Track({ track, use }) {
  const options = use.choices.of(track.id);
  const spaces = track.spaces.length;
  return html`<div class=${`track ${options.length ? "can" : ""} ${use.hot.has(track.id) ? "hot" : ""}`} data-id=${track.id}>
    <button class="place-name" onClick=${(event) => (options.length ? use.click([track.id], options, event) : use.inspect({ track }, event))}>${track.label}</button>
    <ol class="spaces" aria-label=${t("{label}: space {space} of {spaces}, {word}", { label: track.label, space: track.space, spaces, word: track.spaces[track.space - 1] })}>
      ${track.spaces.map((space, at) => html`<li key=${at} class=${`${isColour(space) ? `c-${space}` : ""} ${at + 1 === track.space ? "here" : ""}`} title=${space}><span>${at + 1 === track.space ? "●" : /^\d+$/.test(space) ? space : ""}</span></li>`)}
    </ol>
    <span class="track-word">${track.space} / ${spaces}${/^\d+$/.test(track.spaces[track.space - 1]) ? "" : ` · ${track.spaces[track.space - 1]}`}</span>
  </div>`;
}
