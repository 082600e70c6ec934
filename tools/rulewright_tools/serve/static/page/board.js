// The board as SVG: spots at their positions, links between them, what lies on either; grids as grids.
import { html, useEffect, useMemo, useRef, useState } from "./preact.js";
import { alike, capital, colourOf, hasColour, inWords, lines, symbolOf, unusual } from "./look.js";
import { t } from "./words.js";

const UNIT = 150;
const BOX = { width: 118, height: 96 };
const EDGE = 30; // room around the board, for what sticks out
const CELL = 96; // of grids: cells touch
const HEXAGON = Math.sqrt(3) / 2;
const TOKEN = 12;
const READABLE = 92; // pixels that a step needs at least to be read on a small screen

export function Board({ table, use }) {
  const { board, places, things } = table;
  const spots = Object.values(board.spots ?? {});
  const onlyGrids = spots.length > 0 && spots.every((spot) => spot.grid);
  const unit = onlyGrids ? CELL : UNIT;
  const special = useMemo(() => [unusual(Object.values(board.links ?? {})), unusual(spots)], [board]);
  const usual = useMemo(() => usualSize(spots), [board]);
  const [zoom, setZoom] = useZoom(board, unit, onlyGrids);
  if (!spots.length) return null;
  const dense = onlyGrids && Object.values(board.grids ?? {}).every((grid) => grid.hexagonal) ? HEXAGON : 1; // rows of hexagons reach into each other
  const at = (spot) => [(spot.x + 0.5) * unit, (spot.y * dense + 0.5 / dense) * unit];
  const width = ((board.width ?? 0) + 1) * unit;
  const height = ((board.height ?? 0) * dense + 1 / dense) * unit;
  const inside = (id) => (places[id]?.members ?? []).map((member) => things[member]).filter(Boolean);
  return html`<section class="board-area" aria-label=${t("Board")}>
    <div class="board-scroll" ref=${zoom.ref} tabindex="0" role="region" aria-label=${t("Board, can be scrolled")}>
      <svg class="board" viewBox=${onlyGrids ? `0 0 ${width} ${height}` : `${-EDGE / 3} ${-EDGE / 3} ${width + EDGE} ${height + EDGE / 2}`} style=${zoom.style} role="group" aria-label=${t("{title}: the board", { title: table.title })}>
        ${Object.values(board.links ?? {}).map((link) => html`<${Way} key=${link.id} link=${link} board=${board} at=${at} inside=${inside} use=${use} special=${special[0]} />`)}
        ${spots.map((spot) => html`<${Spot} key=${spot.id} spot=${spot} at=${at(spot)} things=${inside(spot.id)} use=${use} special=${special[1]} grid=${onlyGrids || spot.grid} shape=${board.grids?.[spot.grid]} usual=${usual} />`)}
        ${Object.values(board.links ?? {}).map((link) => html`<${OnTheWay} key=${link.id} link=${link} board=${board} at=${at} inside=${inside} use=${use} />`)}
      </svg>
    </div>
    ${!onlyGrids &&
    html`<div class="zoom" role="group" aria-label=${t("Zoom")}>
      <button class="icon" aria-label=${t("Smaller")} onClick=${() => setZoom(-1)}>−</button>
      <button class="icon" aria-label=${t("Larger")} onClick=${() => setZoom(1)}>+</button>
    </div>`}
  </section>`;
}

// The size that most spots have: the others are larger or smaller than that.
function usualSize(spots) {
  const sizes = spots.map((spot) => spot.look?.size ?? 1).sort((one, other) => one - other);
  return sizes[sizes.length >> 1] || 1;
}

// As large as there is room for, but not smaller than can be read; what is asked about is scrolled into sight.
function useZoom(board, unit, onlyGrids) {
  const ref = useRef();
  const [room, setRoom] = useState(0);
  const [factor, setFactor] = useState(1);
  useEffect(() => {
    if (!ref.current) return undefined;
    const watch = new ResizeObserver(([entry]) => setRoom(entry.contentRect.width));
    watch.observe(ref.current);
    return () => watch.disconnect();
  }, []);
  const steps = (board.width ?? 0) + 1;
  const fits = onlyGrids ? Math.min(room, steps * 120, Math.max(560, steps * 46)) : Math.min(room, steps * unit);
  const least = onlyGrids ? 0 : Math.min(steps * READABLE, steps * unit);
  const size = Math.round(Math.max(fits, least) * factor);
  const style = room ? { width: `${size}px` } : {};
  const turn = (direction) => setFactor((old) => Math.max(0.5, Math.min(2.5, old * (direction > 0 ? 1.25 : 0.8))));
  return [{ ref, style }, turn];
}

// What makes something on the board answer to clicks and keys, if an option is about it or it can be looked up.
function usable(use, ids, label) {
  const options = use.choices.ofAny(ids);
  const press = (event) => {
    event.stopPropagation();
    use.click(ids, options, event);
  };
  const key = (event) => {
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      press(event);
    }
  };
  const hot = ids.some((id) => use.hot.has(id));
  const state = `${options.length ? "can" : ""} ${hot ? "hot" : ""}`;
  if (!options.length) return [state, { onClick: press, onContextMenu: use.about(ids), role: "img", "aria-label": label }];
  const name = `${label}. ${options.map((option) => option.label).join(", ")}`;
  return [state, { onClick: press, onContextMenu: use.about(ids), onKeyDown: key, role: "button", "aria-label": name, tabindex: 0 }];
}

function describe(spot, things) {
  const parts = [spot.label, ...(spot.marks ?? [])];
  if (things.length) parts.push(alike(things).map((each) => (each.length > 1 ? `${each.length} ${each[0].label}` : each[0].label)).join(", "));
  else parts.push("empty");
  return parts.join(", ");
}

function Spot({ spot, at: [x, y], things, use, special, grid, shape, usual }) {
  const others = things.filter((thing) => thing.id !== spot.cover);
  const ids = spot.cover ? [spot.id, spot.cover] : [spot.id];
  const [state, handlers] = usable(use, ids, describe(spot, things));
  const size = Math.min(1.12, (spot.look?.size ?? 1) / usual);
  const width = grid ? CELL - 4 : BOX.width * size;
  const height = grid ? CELL - 4 : BOX.height * size;
  const dark = shape?.chequered && (spot.row + spot.column) % 2;
  const veiled = things.length > 0 && things.every((thing) => thing.hidden) && !grid;
  const words = grid ? [] : lines(spot.label, 15, 2);
  const notes = grid ? [] : special(spot).filter(([, value]) => typeof value !== "object").slice(0, 2);
  const colour = hasColour(spot) ? `c-${spot.look.colour}` : "c-none";
  return html`<g class=${`spot ${state} ${colour} ${dark ? "dark" : ""} ${veiled ? "veiled" : ""} ${grid ? "cell" : ""}`} transform=${`translate(${x} ${y})`} data-id=${spot.id} data-drag=${handlers.tabindex === 0 ? spot.label : undefined}>
    <g class="ground" ...${handlers}>
    <title>${describe(spot, things)}</title>
    ${shape?.hexagonal ? html`<path class="floor" d=${hexagon(CELL - 5)} />` : html`<rect class="floor" x=${-width / 2} y=${-height / 2} width=${width} height=${height} rx=${grid ? 8 : 14} />`}
    ${!grid && html`<path class="band" d=${`M ${-width / 2} ${-height / 2 + 14} a 14 14 0 0 1 14 -14 h ${width - 28} a 14 14 0 0 1 14 14 z`} />`}
    ${words.map((line, index) => html`<text class=${`spot-label ${line.length > 12 ? "long" : ""}`} y=${-height / 2 + 31 + index * 15} key=${index}>${line}</text>`)}
    ${spot.printed && html`<text class="printed" x=${-width / 2 + 8} y=${-height / 2 + 11}>${spot.printed}</text>`}
    ${(spot.marks ?? []).length > 0 && !grid && html`<text class="spot-marks" x=${width / 2 - 8} y=${-height / 2 + 11}>${lines(spot.marks.join(" · "), 16, 1)[0]}</text>`}
    ${notes.length > 0 && !others.length && html`<text class="spot-notes" y=${height / 2 - 9}>${notes.map(([name, value]) => `${name} ${inWords(value)}`).join(" · ")}</text>`}
    </g>
    ${grid ? html`<${Pieces} things=${others} use=${use} />` : html`<${Tokens} things=${others} use=${use} y=${height / 2 - TOKEN - 8} width=${width - 10} />`}
  </g>`;
}

// A hexagon that stands on a corner, so wide.
function hexagon(width) {
  const [half, side] = [width / 2, width / 2 / HEXAGON];
  return `M 0 ${-side} L ${half} ${-side / 2} V ${side / 2} L 0 ${side} L ${-half} ${side / 2} V ${-side / 2} Z`;
}

// What lies in a cell: one piece is large, several share it.
function Pieces({ things, use }) {
  const shown = things.slice(0, 4);
  const radius = shown.length > 1 ? 20 : 33;
  const places = shown.length > 1 ? [[-21, -21], [21, -21], [-21, 21], [21, 21]] : [[0, 0]];
  return shown.map((thing, index) => html`<${Token} key=${thing.id} group=${[thing]} x=${places[index][0]} y=${places[index][1]} radius=${radius} use=${use} />`);
}

// What lies in a spot or on a way: what is alike once, with how many there are.
function Tokens({ things, use, y, width, x = 0 }) {
  const groups = alike(things);
  const radius = groups.length > 8 ? TOKEN - 4 : groups.length > 3 ? TOKEN - 2 : TOKEN;
  const perRow = Math.max(1, Math.floor(width / (radius * 2 + 4)));
  const most = perRow * 2;
  const shown = groups.length > most ? groups.slice(0, most - 1) : groups;
  const rest = groups.length - shown.length;
  const rows = Math.ceil((shown.length + (rest ? 1 : 0)) / perRow);
  const position = (index) => {
    const row = Math.floor(index / perRow);
    const inRow = Math.min(perRow, shown.length + (rest ? 1 : 0) - row * perRow);
    return [x + ((index % perRow) - (inRow - 1) / 2) * (radius * 2 + 4), y - (rows - 1 - row) * (radius * 2 + 3)];
  };
  return html`${shown.map((group, index) => {
    const [left, top] = position(index);
    return html`<${Token} key=${group[0].id} group=${group} x=${left} y=${top} radius=${radius} use=${use} />`;
  })}
  ${rest > 0 && html`<text class="more" x=${position(shown.length)[0]} y=${position(shown.length)[1] + 4}>+${rest}</text>`}`;
}

function Token({ group, x, y, radius, use }) {
  const [thing] = group;
  const ids = group.map((each) => each.id);
  const [state, handlers] = usable(use, ids, group.length > 1 ? `${group.length} ${thing.label}` : [thing.label, ...(thing.marks ?? [])].join(", "));
  const size = Math.max(0.7, Math.min(1.4, thing.look?.size ?? 1)) * radius;
  const shape = thing.look?.shape || "token";
  const symbol = symbolOf(thing);
  const letters = [...symbol].length;
  return html`<g class=${`token ${state} c-${colourOf(thing, use.colours)} ${thing.hidden ? "back" : ""} shape-${shape}`} transform=${`translate(${x} ${y})`} data-id=${thing.id} data-drag=${thing.label} ...${handlers}>
    <title>${[group.length > 1 ? `${group.length} × ${thing.label}` : thing.label, ...(thing.marks ?? [])].join(", ")}</title>
    ${shape === "figure"
      ? html`<path class="body" d=${`M ${-size} ${size} q 0 ${-size * 1.1} ${size * 0.55} ${-size * 1.15} a ${size * 0.6} ${size * 0.6} 0 1 1 ${size * 0.9} 0 q ${size * 0.55} ${size * 0.05} ${size * 0.55} ${size * 1.15} z`} />`
      : shape === "cube" || shape === "tile" || shape === "card"
        ? html`<rect class="body" x=${-size * 0.9} y=${-size * 0.9} width=${size * 1.8} height=${size * 1.8} rx=${shape === "cube" ? 2 : 5} />`
        : html`<circle class="body" r=${size} />`}
    <text class="symbol" y=${size * (shape === "figure" ? 0.66 : 0.36)} font-size=${size * (letters > 2 ? 0.72 : letters > 1 ? 0.9 : 1.15)}>${symbol}</text>
    ${group.length > 1 && html`<g class="count"><circle cx=${size} cy=${-size} r="7.5" /><text x=${size} y=${-size + 3.5}>${group.length}</text></g>`}
  </g>`;
}

function Way({ link, board, at, inside, use, special }) {
  const [one, other] = link.ends.map((id) => board.spots[id]);
  if (!one || (!other && !link.port)) return null;
  const things = (link.places ?? []).flatMap(inside);
  const [x1, y1] = at(one);
  const notes = special(link).map(([, value]) => inWords(value));
  const numbers = Object.values(link.fields ?? {}).filter((value) => typeof value === "number" || Array.isArray(value)).map(inWords);
  const told = [...new Set([...numbers, ...notes, ...(link.marks ?? [])])].join(" ").slice(0, 18);
  const label = [link.label === link.id.replaceAll("_", " ") ? `${capital(link.kind.replaceAll("_", " "))} from ${one.label} to ${other?.label ?? link.ends[1]}` : link.label, ...(link.marks ?? []), told, ...things.map((thing) => thing.label)].filter(Boolean).join(", ");
  const [state, handlers] = usable(use, [link.id, ...(link.places ?? [])], label);
  const colour = hasColour(link) ? `c-${link.look.colour}` : "";
  if (link.port) {
    const [x, y] = [x1 + BOX.width / 2 - 6, y1 - BOX.height / 2 + 8];
    return html`<g class=${`port ${state} ${colour}`} data-id=${link.id} ...${handlers} transform=${`translate(${x} ${y})`}>
      <title>${label}</title>
      <rect x="-4" y="-20" width=${Math.max(26, told.length * 7 + 12)} height="20" rx="7" />
      <text x=${Math.max(26, told.length * 7 + 12) / 2 - 4} y="-6">${told || "·"}</text>
    </g>`;
  }
  const [x2, y2] = at(other);
  const [x, y] = [(x1 + x2) / 2, (y1 + y2) / 2];
  const wide = told.length * 7 + 14;
  return html`<g class=${`way ${state} ${colour}`} data-id=${link.id}>
    <g class="ground" ...${handlers}>
    <title>${label}</title>
    <line class="reach" x1=${x1} y1=${y1} x2=${x2} y2=${y2} />
    <line class="path" x1=${x1} y1=${y1} x2=${x2} y2=${y2} />
    ${link.one_way && html`<circle class="arrow" cx=${x1 + (x2 - x1) * 0.62} cy=${y1 + (y2 - y1) * 0.62} r="4" />`}
    ${told && html`<g transform=${`translate(${x} ${y})`}><rect class="tag" x=${-wide / 2} y="-10" width=${wide} height="20" rx="10" /><text y="4">${told}</text></g>`}
    </g>
  </g>`;
}

// What lies on a way, beside what is written on it, and above everything else.
function OnTheWay({ link, board, at, inside, use }) {
  const [one, other] = link.ends.map((id) => board.spots[id]);
  const things = (link.places ?? []).flatMap(inside);
  if (!one || !things.length) return null;
  const [x1, y1] = at(one);
  if (link.port || !other) return html`<${Tokens} things=${things} use=${use} x=${x1 + BOX.width / 2 + 8} y=${y1 - BOX.height / 2 + 22} width=${30} />`;
  const [x2, y2] = at(other);
  const upright = Math.abs(y2 - y1) > Math.abs(x2 - x1);
  return html`<${Tokens} things=${things} use=${use} x=${(x1 + x2) / 2 + (upright ? 28 : 0)} y=${(y1 + y2) / 2 + (upright ? 0 : 22)} width=${70} />`;
}
