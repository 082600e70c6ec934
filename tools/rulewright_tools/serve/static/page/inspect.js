// Looking things up: one thing with its rule, a rule by its name, everything by its label, and what is not offered.
import { html, useEffect, useState } from "./preact.js";
import { Chip } from "./places.js";
import { capital, inWords } from "./look.js";
import { Dialog } from "./parts.js";
import { t } from "./words.js";

export function Rules({ name, ask }) {
  const [rules, setRules] = useState(null);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    setRules(null);
    ask({ do: "rule", name }).then(setRules, (error) => setProblem(error.message));
  }, [name]);
  if (problem) return html`<p class="warning">${problem}</p>`;
  if (!rules) return html`<p class="quiet-text" role="status">${t("Looking it up …")}</p>`;
  if (!rules.length) return html`<p class="quiet-text">${t("Nothing is written about it by itself.")}</p>`;
  return rules.map(
    (rule) => html`<div class="rule" key=${rule.path}>
      ${(rule.cites ?? []).map((cite) => html`<blockquote key=${cite.id}><p>${cite.statement}</p><cite>${cite.id}${cite.page ? ` · ${cite.page}` : ""}</cite></blockquote>`)}
      <pre tabindex="0" aria-label=${t("The text of {path}", { path: rule.path })}>${rule.text}</pre>
      <p class="quiet-text">${capital(rule.what)} <b>${rule.path}</b>, ${rule.package}</p>
      ${(rule.changes ?? []).map((each) => html`<pre class="change" tabindex="0" key=${each}>${each}</pre>`)}
      ${(rule.hooks ?? []).length > 0 && html`<details><summary>${t("What else has a say in it")} (${rule.hooks.length})</summary><ul>${rule.hooks.map((each) => html`<li key=${each}>${each}</li>`)}</ul></details>`}
    </div>`,
  );
}

export function Reasons({ refusals }) {
  if (!refusals.length) return html`<p class="quiet-text">${t("Nothing is withheld.")}</p>`;
  return html`<ul class="refusals">
    ${refusals.map(
      (each) => html`<li key=${each.id}>
        <b>${each.label || each.id}</b>
        ${each.reasons.map((reason, at) => html`<p key=${at}>${capital(reason.reason)} ${(reason.cites ?? []).map((cite) => html`<span class="cite" key=${cite.id} title=${cite.statement}>${cite.id}</span>`)}</p>`)}
      </li>`,
    )}
  </ul>`;
}

export function WhyNot({ ask, onClose }) {
  const [refusals, setRefusals] = useState(null);
  useEffect(() => {
    ask({ do: "why_not" }).then(setRefusals, () => setRefusals([]));
  }, []);
  return html`<${Dialog} title=${t("What is not offered now")} onClose=${onClose} wide>
    ${refusals ? html`<${Reasons} refusals=${refusals} />` : html`<p class="quiet-text" role="status">${t("Asking the rules …")}</p>`}
  </${Dialog}>`;
}

// One thing, spot, place, way or track.
export function Inspect({ subject, table, nested, use, ask, onClose }) {
  const { thing, spot, place, link, track } = subject;
  const it = thing ?? spot ?? place ?? link ?? track;
  const [refusals, setRefusals] = useState(null);
  const about = [it.id, ...(spot?.cover ? [spot.cover] : [])];
  const options = use.choices.ofAny(about);
  const inside = place ?? (spot && table.places[spot.id]);
  const members = (inside?.members ?? []).map((id) => table.things[id]).filter(Boolean);
  const own = thing ? nested.get(thing.id) ?? [] : [];
  const rule = (spot?.cover && table.things[spot.cover]?.name) || it.name || it.id;
  const facts = [...(it.marks ?? []).map((mark) => ["", mark]), ...Object.entries(it.fields ?? {})];
  return html`<${Dialog} title=${capital(it.label)} onClose=${onClose} wide>
    ${thing && html`<p class="quiet-text">${[thing.kind?.replaceAll("_", " "), table.places[thing.place] && t("in: {place}", { place: table.board.spots?.[thing.place]?.label ?? table.places[thing.place].label })].filter(Boolean).join(", ")}</p>`}
    ${options.length > 0 && html`<div class="buttons">${options.map((option) => html`<button class="primary" key=${option.id} onClick=${() => (use.answer(option), onClose())}>${option.label}</button>`)}</div>`}
    ${facts.length > 0 && html`<dl class="facts">${facts.map(([name, value]) => (name ? html`<div key=${name}><dt>${name}</dt><dd>${inWords(value)}</dd></div>` : html`<div key=${value}><dt>${t("is")}</dt><dd>${value}</dd></div>`))}</dl>`}
    ${inside && html`<h3>${inside.count ? t("Here: {n}", { n: inside.count }) : t("Nothing is here")}</h3><div class="chips">${members.map((each) => html`<${Chip} key=${each.id} group=${[each]} use=${use} />`)}</div>`}
    ${own.map((each) => html`<div key=${each.id}><h3>${capital(each.label)}</h3><div class="chips">${(each.members ?? []).map((id) => table.things[id]).filter(Boolean).map((member) => html`<${Chip} key=${member.id} group=${[member]} use=${use} />`)}</div></div>`)}
    ${!it.hidden && html`<h3>${t("The rule")}</h3><${Rules} name=${rule} ask=${ask} />`}
    ${use.seat > 0 && !it.hidden && (refusals ? html`<h3>${t("Not offered")}</h3><${Reasons} refusals=${refusals} />` : html`<button class="small" onClick=${() => ask({ do: "why_not", thing: it.id }).then(setRefusals, () => setRefusals([]))}>${t("Why can I do nothing else with it?")}</button>`)}
  </${Dialog}>`;
}

// Everything by its label: for who does not see the board, or does not find something on it.
export function LookUp({ table, use, onClose }) {
  const [words, setWords] = useState("");
  const all = [
    ...Object.values(table.board.spots ?? {}).map((spot) => ({ spot, label: spot.label, where: t("on the board") })),
    ...Object.values(table.things).filter((thing) => !thing.hidden).map((thing) => ({ thing, label: thing.label, where: table.board.spots?.[thing.place]?.label ?? table.places[thing.place]?.label ?? "" })),
    ...Object.values(table.places).filter((place) => !table.board.spots?.[place.id]).map((place) => ({ place, label: capital(place.label), where: place.owner ? table.seats[place.owner]?.label ?? "" : "" })),
  ];
  const found = all.filter((each) => each.label.toLowerCase().includes(words.toLowerCase())).slice(0, 60);
  return html`<${Dialog} title=${t("Look something up")} onClose=${onClose} wide>
    <input type="search" autofocus aria-label=${t("What to look for")} placeholder=${t("What to look for")} value=${words} onInput=${(event) => setWords(event.target.value)} />
    <ul class="found">${found.map((each, at) => html`<li key=${at}><button class="quiet" onClick=${() => use.inspect(each)}><b>${each.label}</b> <span class="quiet-text">${each.where}</span></button></li>`)}</ul>
  </${Dialog}>`;
}
