// The table as it is drawn, for a game that is played and for one that is looked at again.
import { html, useEffect, useMemo, useRef, useState } from "./preact.js";
import { Board } from "./board.js";
import { Choices } from "./choices.js";
import { Decision, Proposal } from "./decision.js";
import { dragging } from "./drag.js";
import { Inspect, LookUp, Rules, WhyNot } from "./inspect.js";
import { capital, inWords, seatColours } from "./look.js";
import { Dialog } from "./parts.js";
import { Place, Track, sorted } from "./places.js";
import { Announcer, Story } from "./story.js";
import { t } from "./words.js";

const NEXT = 4000; // milliseconds in which a question that follows a drop is answered by where it was dropped

// `answer(option)`, `ask(request)`, `undo()`, `consent(agrees)` do what they say; `busy`: an answer is on its way.
export function TableView({ document: { about, table, story }, answer, ask, undo, consent, busy, children }) {
  const [hot, setHot] = useState(new Set());
  const [dialog, setDialog] = useState(null);
  const [menu, setMenu] = useState(null);
  const root = useRef();
  const meant = useRef(null);
  const choices = useMemo(() => new Choices(busy ? null : table.decision), [table.decision, busy]);
  const colours = useMemo(() => seatColours(table), [table.seats]);
  const parts = useMemo(() => sorted(table), [table]);
  const names = (number) => about.seats[number]?.name || (about.seats[number]?.kind === "bot" ? t("Bot {number}", { number }) : table.seats[`player.${number}`]?.label || t("Player {number}", { number }));
  const close = () => setDialog(null);

  const inspect = (subject) => setDialog({ subject });
  const subjectOf = (id) => {
    if (table.board.spots?.[id]) return { spot: table.board.spots[id] };
    if (table.things[id]) return { thing: table.things[id] };
    if (table.board.links?.[id]) return { link: table.board.links[id] };
    if (table.places[id]) return { place: table.places[id] };
    return null;
  };
  const use = {
    choices, hot, colours, seat: about.you, answer: (option) => (setMenu(null), setHot(new Set()), answer(option)),
    point: (ids) => setHot(new Set(ids)),
    click: (ids, options, event) => {
      if (options.length === 1) use.answer(options[0]);
      else if (options.length > 1) setMenu({ options, x: event.clientX || innerWidth / 2, y: event.clientY || innerHeight / 2 });
      else if (subjectOf(ids[0])) inspect(subjectOf(ids[0]));
    },
    about: (ids) => (event) => {
      event.preventDefault();
      event.stopPropagation();
      if (subjectOf(ids[0])) inspect(subjectOf(ids[0]));
    },
    inspect, undo, consent,
    rule: (name, label) => setDialog({ rule: name, label }),
    whyNot: () => setDialog({ whyNot: true }),
  };

  useEffect(() => dragging(root.current, () => choices.options.length > 0, (id, target) => {
    const found = choices.dropped(id, target);
    if (!found) return;
    meant.current = found.next ? { target: found.next, until: Date.now() + NEXT } : null;
    use.answer(found.option);
  }), [choices]);
  useEffect(() => {
    if (!meant.current || !choices.options.length) return;
    const { target, until } = meant.current;
    meant.current = null;
    const found = choices.of(target);
    if (Date.now() < until && found.length === 1) use.answer(found[0]);
  }, [choices]);

  const me = `player.${about.you}`;
  const others = Object.values(table.seats).filter((seat) => seat.id !== me);
  const grouped = (table.groups ?? []).map((group) => ({ ...group, members: group.members.filter((id) => table.tracks[id] || table.places[id]) })).filter((group) => group.members.length);
  const inGroups = new Set(grouped.flatMap((group) => group.members));
  const tracks = Object.values(table.tracks ?? {}).filter((track) => !inGroups.has(track.id));
  const spread = Object.keys(table.board.spots ?? {}).length > 0; // without a board, what lies in the middle of the table comes first
  const shared = parts.shared.filter((place) => place.count || choices.of(place.id).length);
  const common = html`${grouped.map((group) => html`<section class="belongings" key=${group.label}><h2>${group.label}</h2><div class="places">${group.members.map((id) => (table.tracks[id] ? html`<${Track} key=${id} track=${table.tracks[id]} use=${use} />` : html`<${Place} key=${id} place=${table.places[id]} table=${table} use=${use} nested=${parts.inThings} />`))}</div></section>`)}
    ${shared.length > 0 && html`<section class="belongings"><h2>${grouped.length ? t("Also on the table") : t("On the table")}</h2><div class="places">${shared.map((place) => html`<${Place} key=${place.id} place=${place} table=${table} use=${use} nested=${parts.inThings} />`)}</div></section>`}`;
  return html`<div class="table" ref=${root}>
    <h1 class="unseen">${about.title}</h1>
    <div class="people">
      <div class="people-list" role="list" aria-label=${t("Players")} tabindex="0">
      ${Object.values(table.seats).map((seat) => html`<${Person} key=${seat.id} seat=${seat} about=${about} table=${table} name=${names(seat.number)} />`)}
      ${about.watching > 0 && html`<span class="watching" role="listitem">${t("{n} watching", { n: about.watching })}</span>`}
      </div>
      <button class="quiet small look-up" onClick=${() => setDialog({ lookUp: true })}><span aria-hidden="true">⌕</span> ${t("Look up")}</button>
    </div>
    <div class="middle">
      ${Object.keys(table.state ?? {}).length > 0 && html`<ul class="state" aria-label=${t("What holds for all")}>${Object.entries(table.state).map(([name, value]) => html`<li key=${name}>${capital(name)}${value === true ? "" : html` <b>${inWords(value)}</b>`}</li>`)}</ul>`}
      ${tracks.length > 0 && html`<div class="tracks">${tracks.map((track) => html`<${Track} key=${track.id} track=${track} use=${use} />`)}</div>`}
      <${Board} table=${table} use=${use} />
      ${!spread && common}
      ${about.you > 0 && parts.seats[me] && html`<${Belongings} title=${t("Yours")} seat=${table.seats[me]} places=${parts.seats[me]} table=${table} use=${use} nested=${parts.inThings} big />`}
      ${others.map((seat) => html`<${Belongings} key=${seat.id} title=${names(seat.number)} seat=${seat} places=${parts.seats[seat.id]} table=${table} use=${use} nested=${parts.inThings} />`)}
      ${spread && common}
    </div>
    <div class="side">
      ${children}
      <${Proposal} proposal=${about.proposal} you=${about.you} use=${use} names=${names} />
      <${Decision} table=${table} about=${about} use=${use} busy=${busy} names=${names} />
      <${Story} story=${story ?? {}} ask=${ask} use=${use} viewing=${about.viewing && about.you} />
    </div>
    <${Announcer} table=${table} story=${story ?? {}} />
    ${menu && html`<${Menu} menu=${menu} use=${use} onClose=${() => setMenu(null)} />`}
    ${dialog?.subject && html`<${Inspect} key=${Object.values(dialog.subject)[0].id} subject=${dialog.subject} table=${table} nested=${parts.inThings} use=${use} ask=${ask} onClose=${close} />`}
    ${dialog?.rule && html`<${Dialog} title=${capital(dialog.label.replaceAll("_", " "))} onClose=${close} wide><${Rules} name=${dialog.rule} ask=${ask} /></${Dialog}>`}
    ${dialog?.whyNot && html`<${WhyNot} ask=${ask} onClose=${close} />`}
    ${dialog?.lookUp && html`<${LookUp} table=${table} use=${use} onClose=${close} />`}
  </div>`;
}

function Person({ seat, about, table, name }) {
  const deciding = table.decision?.player === seat.number && !table.over;
  const known = about.seats[seat.number] ?? {};
  const notes = [...(seat.marks ?? []), ...Object.entries(seat.fields ?? {}).filter(([, value]) => typeof value === "string").map(([, value]) => value)];
  const state = `${deciding ? "deciding" : ""} ${known.here ? "" : "gone"} ${seat.outcome ?? ""} c-${seat.look?.colour || "grey"}`;
  return html`<div class=${`person ${state}`} role="listitem" title=${notes.join(", ")}>
    <span class="dot" aria-hidden="true"></span>
    <span class="person-name">${name}${seat.number === about.you ? ` (${t("you")})` : ""}</span>
    <span class="person-notes">${[seat.outcome && t(seat.outcome), known.kind === "open" ? t("open seat") : known.here ? "" : t("away"), ...notes].filter(Boolean).slice(0, 3).join(" · ")}</span>
    ${deciding && html`<span class="unseen">${t("has to decide")}</span>`}
  </div>`;
}

function Belongings({ title, seat, places, table, use, nested, big }) {
  const worth = places.filter((place) => place.count || use.choices.of(place.id).length);
  if (!worth.length) return null;
  const rank = { hand: 0, row: 1, area: 2, pile: 3, bag: 4 };
  const ordered = [...worth].sort((one, other) => (rank[one.shape] ?? 9) - (rank[other.shape] ?? 9));
  const shown = html`<div class="places">${ordered.map((place) => html`<${Place} key=${place.id} place=${place} table=${table} use=${use} nested=${nested} big=${big && place.shape === "hand"} />`)}</div>`;
  if (big) return html`<section class=${`belongings own c-${seat.look?.colour || "grey"}`}><h2>${title}</h2>${shown}</section>`;
  const asked = worth.some((place) => use.choices.ofAny([place.id, ...(place.members ?? [])]).length);
  return html`<details class=${`belongings c-${seat.look?.colour || "grey"}`} open=${asked}>
    <summary><h2>${title}</h2><span class="quiet-text">${ordered.map((place) => `${place.label} ${place.count}`).join(" · ")}</span></summary>
    ${shown}
  </details>`;
}

// Several options about one thing.
function Menu({ menu, use, onClose }) {
  const ref = useRef();
  useEffect(() => {
    const before = document.activeElement;
    ref.current.querySelector("button").focus();
    const key = (event) => event.key === "Escape" && onClose();
    const outside = (event) => ref.current?.contains(event.target) || onClose();
    addEventListener("keydown", key);
    addEventListener("pointerdown", outside);
    return () => {
      removeEventListener("keydown", key);
      removeEventListener("pointerdown", outside);
      before?.focus?.();
    };
  }, []);
  const place = { left: `${Math.max(8, Math.min(menu.x, innerWidth - 260))}px`, top: `${Math.max(8, Math.min(menu.y, innerHeight - 60 - menu.options.length * 46))}px` };
  return html`<div class="menu" ref=${ref} style=${place} role="group" aria-label=${t("What to do with it")}>
    ${menu.options.map((option) => html`<button key=${option.id} onClick=${() => use.answer(option)}>${option.label}</button>`)}
  </div>`;
}
