// A new game: rules with layers and options, and who sits where.
import { html, useEffect, useRef, useState } from "./preact.js";
import { get, post } from "./net.js";
import { Bar, titleOf, useNotices } from "./parts.js";
import { myName, remember } from "./store.js";
import { t } from "./words.js";

export function NewGame({ go, wanted }) {
  const [lobby, setLobby] = useState(null);
  const [name, setName] = useState(wanted.get("ruleset") || "");
  const [layers, setLayers] = useState([]);
  const [rules, setRules] = useState(null);
  const [problem, setProblem] = useState("");
  const [chosen, setChosen] = useState({});
  const [seats, setSeats] = useState([]);
  const counted = useRef(false); // whether somebody has said how many play
  const [listed, setListed] = useState(true);
  const [seed, setSeed] = useState("");
  const [busy, setBusy] = useState(false);
  const [notices, notify] = useNotices();

  useEffect(() => {
    document.title = `${t("A new game")} · Rulewright`;
    get("/api/lobby").then((found) => {
      setLobby(found);
      const playable = found.rulesets.filter((each) => each.players?.[1]);
      setName((old) => (playable.some((each) => each.name === old) ? old : found.first || playable[0]?.name || ""));
    }, (error) => notify(error.message));
  }, []);

  useEffect(() => {
    if (!name) return;
    setProblem("");
    post("/api/settings", { ruleset: name, layers }).then(
      (found) => {
        setRules(found);
        const [low, high] = found.players;
        setSeats((old) => seated(counted.current ? Math.max(low, Math.min(high, old.length)) : found.usual, old));
      },
      (error) => setProblem(error.message),
    );
  }, [name, layers]);

  const begin = async (event) => {
    event.preventDefault();
    setBusy(true);
    try {
      const options = Object.fromEntries((rules?.settings ?? []).filter((each) => chosen[each.name] && chosen[each.name] !== each.default).map((each) => [each.name, chosen[each.name]]));
      const asked = {
        ruleset: name, layers, options, listed,
        seats: seats.map((seat) => ({ kind: seat.who === "open" ? "open" : seat.who === "me" || seat.who === "link" ? "person" : "bot", bot: seat.who, name: seat.who === "me" ? myName() : seat.name || "" })),
        ...(seed.trim() ? { seed: Number(seed) } : {}),
      };
      const game = await post("/api/games", asked);
      const mine = seats.findIndex((seat) => seat.who === "me") + 1;
      const title = lobby.rulesets.find((each) => each.name === name)?.title || name;
      remember(game.id, { seat: game.links[mine], host: game.host, links: game.links, title });
      go(`/game/${game.id}${mine ? `#${game.links[mine]}` : ""}`);
    } catch (error) {
      notify(error.message);
      setBusy(false);
    }
  };

  const entry = lobby?.rulesets.find((each) => each.name === name);
  const onTop = (entry?.layers ?? []).map((layer) => lobby.rulesets.find((each) => each.name === layer)).filter(Boolean);
  const [low, high] = rules?.players ?? [2, 2];
  const resize = (count) => {
    counted.current = true;
    setSeats((old) => seated(count, old));
  };
  return html`<div class="screen">
    <${Bar} languages=${rules?.languages} />
    <main class="new-game">
      <h1>${entry ? titleOf(entry) : t("A new game")}</h1>
      ${entry?.description && html`<p class="lead">${entry.description}</p>`}
      <form onSubmit=${begin}>
        <fieldset>
          <legend>${t("The game")}</legend>
          <label class="row">
            <span>${t("Ruleset")}</span>
            <select value=${name} onChange=${(event) => (setName(event.target.value), setLayers([]), setChosen({}))}>
              ${(lobby?.rulesets ?? []).filter((each) => each.players?.[1]).map((each) => html`<option value=${each.name}>${titleOf(each)}</option>`)}
            </select>
          </label>
          ${onTop.length > 0 &&
          html`<details class="layers">
            <summary>${t("House rules and expansions")}${layers.length ? ` (${layers.length})` : ""}</summary>
            ${onTop.map(
              (each) => html`<label class="check" key=${each.name}>
                <input type="checkbox" checked=${layers.includes(each.name)} onChange=${() => setLayers(toggled(layers, each.name))} />
                <span><b>${each.title}</b><br /><span class="quiet-text">${each.description}</span></span>
              </label>`,
            )}
          </details>`}
          ${(rules?.settings ?? []).length > 0 &&
          html`<details class="layers">
            <summary>${t("Options")}</summary>
            ${rules.settings.map(
              (each) => html`<label class="row" key=${each.name}>
                <span>${each.label}<br /><span class="quiet-text">${each.description}</span></span>
                <select value=${chosen[each.name] ?? each.default} onChange=${(event) => setChosen({ ...chosen, [each.name]: event.target.value })}>
                  ${each.values.map((value) => html`<option value=${value}>${value.replaceAll("_", " ")}</option>`)}
                </select>
              </label>`,
            )}
          </details>`}
          ${problem && html`<p class="warning" role="alert">${problem}</p>`}
        </fieldset>
        <fieldset>
          <legend>${t("The players")}</legend>
          ${low !== high &&
          html`<div class="counts" role="group" aria-label=${t("Number of players")}>
            ${[...Array(high - low + 1)].map((_, at) => html`<button type="button" aria-pressed=${seats.length === low + at} onClick=${() => resize(low + at)}>${low + at}</button>`)}
          </div>`}
          ${seats.map(
            (seat, at) => html`<div class="seat-row" key=${at}>
              <span class="seat-number" aria-hidden="true">${at + 1}</span>
              <select aria-label=${t("Player {number}", { number: at + 1 })} value=${seat.who} onChange=${(event) => setSeats(replaced(seats, at, { who: event.target.value }))}>
                <option value="me">${t("Me")}</option>
                <option value="link">${t("Somebody I send a link")}</option>
                <option value="open">${t("Whoever comes to the lobby")}</option>
                ${Object.entries(lobby?.bots ?? {}).map(([bot, words]) => html`<option value=${bot}>${t("Bot")}: ${t(words).toLowerCase()}</option>`)}
              </select>
              ${seat.who === "link" && html`<input aria-label=${t("Name of player {number}", { number: at + 1 })} placeholder=${t("Name")} maxlength="40" value=${seat.name || ""} onInput=${(event) => setSeats(replaced(seats, at, { name: event.target.value }))} />`}
            </div>`,
          )}
          ${seats.some((seat) => seat.who in (lobby?.bots ?? {})) && html`<p class="quiet-text">${t("Bots play as long as anybody looks on. A table that everybody has left waits.")}</p>`}
        </fieldset>
        <details class="layers">
          <summary>${t("More")}</summary>
          <label class="check"><input type="checkbox" checked=${listed} onChange=${() => setListed(!listed)} /><span>${t("Show the game in the lobby")}</span></label>
          <label class="row"><span>${t("Seed")}<br /><span class="quiet-text">${t("The same number brings the same luck.")}</span></span><input inputmode="numeric" pattern="[0-9]{0,15}" value=${seed} onInput=${(event) => setSeed(event.target.value)} /></label>
        </details>
        <button class="primary large" disabled=${busy || !rules || Boolean(problem)}>${busy ? t("Setting up …") : t("Begin")}</button>
      </form>
    </main>
    ${notices}
  </div>`;
}

const seated = (count, old) => [...Array(count)].map((_, at) => old[at] ?? { who: at === 0 ? "me" : "random" });
const toggled = (list, each) => (list.includes(each) ? list.filter((other) => other !== each) : [...list, each]);

// Only one seat is mine: another one that I take frees the first.
function replaced(seats, at, change) {
  return seats.map((seat, index) => (index === at ? { ...seat, ...change } : change.who === "me" && seat.who === "me" ? { ...seat, who: "link" } : seat));
}
