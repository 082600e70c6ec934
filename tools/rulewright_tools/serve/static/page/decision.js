// What has to be decided: the question, the options as buttons, and what can be done besides.
import { html, useEffect, useRef, useState } from "./preact.js";
import { t } from "./words.js";

const MANY = 12;

export function Decision({ table, about, use, busy, names }) {
  const decision = table.decision;
  const [filter, setFilter] = useState("");
  const [open, setOpen] = useState(true);
  const head = useRef();
  const options = use.choices.options;
  useEffect(() => setFilter(""), [decision?.prompt, about.turn]);
  useEffect(() => {
    const key = (event) => {
      if (event.target.closest?.("input, textarea, select, dialog[open]") || event.ctrlKey || event.metaKey || event.altKey) return;
      const number = Number(event.key);
      if (number >= 1 && number <= 9 && options[number - 1]) use.answer(options[number - 1]);
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [options]);
  const shown = filter ? options.filter((option) => option.label.toLowerCase().includes(filter.toLowerCase())) : options;
  return html`<section class=${`decision ${decision?.mine ? "mine" : ""} ${open ? "" : "shut"}`} aria-labelledby="decision-head">
    <div class="decision-head">
      <h2 id="decision-head" ref=${head} tabindex="-1">${heading(table, about, names)}</h2>
      ${options.length > 0 && html`<button class="quiet icon fold" aria-expanded=${open} aria-label=${open ? t("Hide the options") : t("Show the options")} onClick=${() => setOpen(!open)}>${open ? "▾" : "▴"}</button>`}
    </div>
    ${options.length > MANY && html`<input class="filter" type="search" placeholder=${t("Find among {n}", { n: options.length })} aria-label=${t("Find an option")} value=${filter} onInput=${(event) => setFilter(event.target.value)} />`}
    <ol class="options" aria-label=${t("Options")}>
      ${shown.map((option) => {
        const number = options.indexOf(option) + 1;
        return html`<li key=${option.id}>
          <button class="option" disabled=${busy} onClick=${() => use.answer(option)} onMouseEnter=${() => use.point(option.about ?? [])} onMouseLeave=${() => use.point([])} onFocus=${() => use.point(option.about ?? [])} onBlur=${() => use.point([])}>
            ${number <= 9 && html`<kbd aria-hidden="true">${number}</kbd>`}<span>${option.label}</span>
          </button>
          ${option.rule && html`<button class="quiet icon rule-of" aria-label=${t("The rule behind {label}", { label: option.label })} title=${t("The rule behind it")} onClick=${() => use.rule(option.rule, option.label)}>?</button>`}
        </li>`;
      })}
    </ol>
    <div class="decision-foot">
      ${decision?.mine && html`<button class="quiet small" onClick=${use.whyNot}>${t("What is not offered?")}</button>`}
      ${about.undo && !about.proposal && html`<button class="quiet small" onClick=${use.undo}>${t("Take back")}</button>`}
    </div>
  </section>`;
}

function heading(table, about, names) {
  if (about.stopped) return about.stopped;
  if (table.over) {
    const winners = table.winners ?? [];
    if (!winners.length) return t("The game is over: nobody wins.");
    if (about.you && winners.includes(about.you)) return winners.length > 1 ? t("The game is over: you are among the winners!") : t("The game is over: you win!");
    return t(winners.length > 1 ? "The game is over: {names} win." : "The game is over: {names} wins.", { names: winners.map((number) => names(number)).join(", ") });
  }
  const decision = table.decision;
  if (!decision) return t("One moment …");
  if (decision.mine) return decision.prompt || t("Your decision");
  if (about.viewing) return decision.player > 0 ? t("{name} decides", { name: names(decision.player) }) : t("Somebody decides");
  return decision.player > 0 ? t("{name} is thinking …", { name: names(decision.player) }) : t("Somebody is thinking …");
}

// Something that is asked of the others, or of this seat.
export function Proposal({ proposal, you, use, names }) {
  if (!proposal) return null;
  const undo = proposal.what === "undo";
  const name = names(proposal.by);
  if (proposal.by === you)
    return html`<div class="proposal" role="status">
      <p>${undo ? t("You asked to take back your last choice, and whatever came after it.") : t("You asked to carry the whole game home, with everything that is hidden in it.")} ${t("These must agree: {names}.", { names: proposal.needs.map(names).join(", ") })}</p>
      <button class="small" onClick=${() => use.consent(false)}>${t("Never mind")}</button>
    </div>`;
  return html`<div class="proposal" role=${proposal.mine ? "alert" : "status"}>
    <p>${undo ? t("{name} would like to take back their last choice, and whatever came after it.", { name }) : t("{name} would like to carry the whole game home, with everything that is hidden in it.", { name })}</p>
    ${proposal.mine && html`<div class="buttons"><button class="primary small" onClick=${() => use.consent(true)}>${t("I agree")}</button><button class="small" onClick=${() => use.consent(false)}>${t("No")}</button></div>`}
  </div>`;
}
