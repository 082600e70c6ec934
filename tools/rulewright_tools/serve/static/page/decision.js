// What has to be decided: the question, the options as buttons, and what can be done besides.
import { html, useEffect, useRef, useState } from "./preact.js";

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
      ${options.length > 0 && html`<button class="quiet icon fold" aria-expanded=${open} aria-label=${open ? "Hide the options" : "Show the options"} onClick=${() => setOpen(!open)}>${open ? "▾" : "▴"}</button>`}
    </div>
    ${options.length > MANY && html`<input class="filter" type="search" placeholder=${`Find among ${options.length}`} aria-label="Find an option" value=${filter} onInput=${(event) => setFilter(event.target.value)} />`}
    <ol class="options" aria-label="Options">
      ${shown.map((option) => {
        const number = options.indexOf(option) + 1;
        return html`<li key=${option.id}>
          <button class="option" disabled=${busy} onClick=${() => use.answer(option)} onMouseEnter=${() => use.point(option.about ?? [])} onMouseLeave=${() => use.point([])} onFocus=${() => use.point(option.about ?? [])} onBlur=${() => use.point([])}>
            ${number <= 9 && html`<kbd aria-hidden="true">${number}</kbd>`}<span>${option.label}</span>
          </button>
          ${option.rule && html`<button class="quiet icon rule-of" aria-label=${`The rule behind ${option.label}`} title="The rule behind it" onClick=${() => use.rule(option.rule, option.label)}>?</button>`}
        </li>`;
      })}
    </ol>
    <div class="decision-foot">
      ${decision?.mine && html`<button class="quiet small" onClick=${use.whyNot}>What is not offered?</button>`}
      ${about.undo && !about.proposal && html`<button class="quiet small" onClick=${use.undo}>Take back</button>`}
    </div>
  </section>`;
}

function heading(table, about, names) {
  if (about.stopped) return about.stopped;
  if (table.over) {
    const winners = table.winners ?? [];
    if (!winners.length) return "The game is over: nobody wins.";
    if (about.you && winners.includes(about.you)) return winners.length > 1 ? "The game is over: you are among the winners!" : "The game is over: you win!";
    return `The game is over: ${winners.map((number) => names(number)).join(" and ")} ${winners.length > 1 ? "win" : "wins"}.`;
  }
  const decision = table.decision;
  if (!decision) return "One moment …";
  if (decision.mine) return decision.prompt || "Your decision";
  if (about.viewing) return decision.player > 0 ? `${names(decision.player)} decides` : "Somebody decides";
  return decision.player > 0 ? `${names(decision.player)} is thinking …` : "Somebody is thinking …";
}

// Something that is asked of the others, or of this seat.
export function Proposal({ proposal, you, use, names }) {
  if (!proposal) return null;
  const what = proposal.what === "undo" ? `take back ${proposal.count === 1 ? "the last choice" : `the last ${proposal.count} choices`}` : "carry the whole game home, with everything that is hidden in it";
  if (proposal.by === you)
    return html`<div class="proposal" role="status">
      <p>You asked to ${what}. ${names(proposal.needs[0])}${proposal.needs.length > 1 ? ` and ${proposal.needs.length - 1} more` : ""} must agree.</p>
      <button class="small" onClick=${() => use.consent(false)}>Never mind</button>
    </div>`;
  return html`<div class="proposal" role=${proposal.mine ? "alert" : "status"}>
    <p>${names(proposal.by)} would like to ${what}.</p>
    ${proposal.mine && html`<div class="buttons"><button class="primary small" onClick=${() => use.consent(true)}>I agree</button><button class="small" onClick=${() => use.consent(false)}>No</button></div>`}
  </div>`;
}
