// The lobby: what can be played, what is being played, what was played.
import { html, useEffect, useState } from "./preact.js";
import { get, post, send } from "./net.js";
import { Bar, ago, titleOf, useNotices } from "./parts.js";
import { forget, myName, remember, seats, setMyName } from "./store.js";
import { counted, t } from "./words.js";

const REFRESH = 5000;

export function Lobby({ go }) {
  const [lobby, setLobby] = useState(null);
  const [away, setAway] = useState("");
  const [mine, setMine] = useState(seats());
  const [notices, notify] = useNotices();
  useEffect(() => {
    document.title = "Rulewright";
    let over = false;
    const load = () =>
      get("/api/lobby").then(
        (found) => over || (setLobby(found), setAway("")),
        (error) => over || setAway(error.message),
      );
    load();
    const timer = setInterval(load, REFRESH);
    return () => {
      over = true;
      clearInterval(timer);
    };
  }, []);

  const bring = (path, then) => async (event) => {
    const file = event.target.files[0];
    event.target.value = "";
    if (!file) return;
    try {
      then(await send(path, file));
    } catch (error) {
      notify(error.message);
    }
  };
  const sit = async (game, seat) => {
    try {
      const found = await post(`/api/games/${game.id}/sit`, { seat, name: myName() });
      remember(game.id, { seat: found.link, title: game.title });
      go(`/game/${game.id}#${found.link}`);
    } catch (error) {
      notify(error.message);
    }
  };
  const leave = (id) => {
    forget(id);
    setMine(seats());
  };

  const known = new Set([...(lobby?.games ?? []), ...(lobby?.archive ?? [])].map((each) => each.id));
  const own = Object.entries(mine).filter(([, each]) => each.seat);
  const playable = (lobby?.rulesets ?? []).filter((each) => each.players?.[1] && !each.is_layer);
  return html`<div class="screen">
    <${Bar}><${Name} /></${Bar}>
    <main class="lobby">
      <section class="welcome">
        <h1>${t("Pull up a chair.")}</h1>
        <p>${t("Board games written as text. Choose one, send your friends a link, or play with bots.")}</p>
        ${away && html`<p class="warning" role="alert">${away}</p>`}
      </section>
      <section aria-labelledby="play">
        <h2 id="play">${t("Begin a game")}</h2>
        <div class="rulesets">
          ${playable.map((each) => html`<${Ruleset} key=${each.name} entry=${each} first=${each.name === lobby.first} />`)}
          ${!lobby && !away && html`<p class="quiet-text">${t("Looking for rulesets …")}</p>`}
        </div>
      </section>
      ${own.length > 0 &&
      html`<section aria-labelledby="own">
        <h2 id="own">${t("Your seats")}</h2>
        <ul class="games">
          ${own.map(
            ([id, each]) => html`<li key=${id}>
              <a class="game-title" href=${`/game/${id}#${each.seat}`}>${each.title || t("A game")}</a>
              <span class="quiet-text">${known.has(id) ? "" : t("not in the list")}</span>
              <button class="quiet small" onClick=${() => leave(id)} aria-label=${t("Forget {title}", { title: each.title || t("A game") })}>${t("Forget")}</button>
            </li>`,
          )}
        </ul>
      </section>`}
      <section aria-labelledby="now">
        <h2 id="now">${t("Being played")}</h2>
        ${lobby && !lobby.games.length && html`<p class="quiet-text">${t("Nothing yet.")}</p>`}
        <ul class="games">
          ${(lobby?.games ?? []).map((each) => html`<${Game} key=${each.id} game=${each} sit=${sit} />`)}
        </ul>
      </section>
      <section aria-labelledby="past">
        <h2 id="past">${t("Played")}</h2>
        ${lobby && !lobby.archive.length && html`<p class="quiet-text">${t("Games that are over can be watched here again.")}</p>`}
        <ul class="games">
          ${(lobby?.archive ?? []).map(
            (each) => html`<li key=${each.id}>
              <a class="game-title" href=${`/view/${each.id}`}>${each.title}</a>
              <span class="quiet-text">${outcome(each)} · ${counted(each.choices, "{n} decision", "{n} decisions")} · ${ago(each.created)}</span>
            </li>`,
          )}
        </ul>
        <p class="bring">
          <label class="button">${t("Open a replay")}<input type="file" accept=".json,.replay" onChange=${bring("/api/replays", ({ id }) => go(`/view/${id}`))} /></label>
          ${lobby?.uploads &&
          html`<label class="button">
            ${t("Bring a ruleset")}<input type="file" accept=".rules" onChange=${bring("/api/rulesets", ({ name }) => go(`/new?ruleset=${name}`))} />
          </label>`}
        </p>
      </section>
    </main>
    ${notices}
  </div>`;
}

function Name() {
  const [name, setName] = useState(myName());
  const change = (event) => {
    setName(event.target.value);
    setMyName(event.target.value);
  };
  return html`<label class="name">${t("Your name")} <input value=${name} maxlength="40" autocomplete="nickname" placeholder="Anna" onInput=${change} /></label>`;
}

function Ruleset({ entry, first }) {
  const [low, high] = entry.players;
  return html`<a class=${`ruleset ${first ? "first" : ""}`} href=${`/new?ruleset=${encodeURIComponent(entry.name)}`}>
    <span class="ruleset-title">${titleOf(entry)}</span>
    <span class="ruleset-about">${entry.description || ""}</span>
    <span class="ruleset-players">${low === high ? counted(low, "{n} player", "{n} players") : t("{low}–{n} players", { low, n: high })}${entry.own ? ` · ${t("your own")}` : ""}</span>
  </a>`;
}

const nameOf = (seat, at) => seat.name || (seat.kind === "bot" ? t("Bot") : t("Player {number}", { number: at + 1 }));

function outcome(game) {
  if (game.stopped) return t("stopped");
  const winners = (game.winners ?? []).map((number) => nameOf(game.seats[number - 1], number - 1));
  return winners.length ? t("won by {names}", { names: winners.join(", ") }) : t("nobody won");
}

function Game({ game, sit }) {
  const open = game.seats.map((seat, at) => [seat, at + 1]).filter(([seat]) => seat.kind === "open");
  return html`<li>
    <span class="game-title">${game.title}${game.layers.length ? ` ${t("with {names}", { names: game.layers.join(", ") })}` : ""}</span>
    <span class="quiet-text">${game.seats.map((seat, at) => (seat.kind === "open" ? t("an open seat") : nameOf(seat, at))).join(", ")} · ${ago(game.created)}${game.here ? "" : ` · ${t("nobody is there: it waits")}`}</span>
    <span class="game-actions">
      ${open.slice(0, 1).map(([, number]) => html`<button class="primary small" onClick=${() => sit(game, number)}>${t("Sit down")}</button>`)}
      ${game.watched && html`<a class="button small" href=${`/game/${game.id}`}>${t("Watch")}</a>`}
    </span>
  </li>`;
}
