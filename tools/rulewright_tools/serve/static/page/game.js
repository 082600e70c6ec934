// A game that is being played: the connection, the table, the links of the others.
import { html, useEffect, useRef, useState } from "./preact.js";
import { Table, download, post } from "./net.js";
import { Bar, Dialog, copy, useNotices } from "./parts.js";
import { remember, seats, setSetting, setting } from "./store.js";
import { TableView } from "./table.js";
import { t } from "./words.js";

export function GameScreen({ id, hash, go }) {
  const secret = hash.slice(1) || seats()[id]?.seat || "";
  const [state, setState] = useState({ status: "connecting" });
  const [answered, setAnswered] = useState(null); // the decision that was answered, until the table shows what came of it
  const [links, setLinks] = useState(false);
  const [alone, setAlone] = useState(setting("alone", false));
  const [notices, notify] = useNotices();
  const line = useRef();
  useEffect(() => {
    line.current = new Table(`/ws/game/${id}`, secret, setState);
    return () => line.current.close();
  }, [id, secret]);
  const about = state.document?.about;
  const busy = about?.turn !== undefined && answered === about.turn;
  useEffect(() => {
    if (!about) return;
    document.title = `${about.turn !== undefined ? "● " : ""}${about.title} · Rulewright`;
    if (secret && about.you) remember(id, { seat: secret, title: about.title });
  }, [about?.title, about?.turn !== undefined]);
  useEffect(() => {
    const known = seats()[id];
    if (known?.links && Object.keys(known.links).length > (known.seat ? 1 : 0) && !known.shown) {
      setLinks(true);
      remember(id, { shown: true });
    }
  }, [id]);

  const ask = (request) => line.current.ask(request);
  const tried = async (work) => {
    try {
      return await work();
    } catch (error) {
      notify(error.message);
    }
  };
  const answer = (option) =>
    tried(async () => {
      if (busy || about.turn === undefined) return;
      setAnswered(about.turn);
      try {
        await ask({ do: "answer", turn: about.turn, option: option.id });
      } catch (error) {
        setAnswered(null);
        throw error;
      }
    });
  const options = state.document?.table.decision?.options;
  useEffect(() => {
    if (alone && about?.turn !== undefined && options?.length === 1) answer(options[0]);
  }, [alone, about?.turn]);

  if (state.status === "refused") return html`<${Sorry} why=${state.refusal} />`;
  if (!state.document) return html`<div class="screen"><${Bar} /><main class="wait" role="status"><p>${t("Finding the table …")}</p></main></div>`;
  const host = seats()[id]?.host;
  const undo = () => tried(async () => {
    const { done } = await ask({ do: "propose", what: "undo" });
    if (!done) notify(t("The others are asked, since something was revealed."), "note");
  });
  const consent = (agrees) => tried(() => ask({ do: "consent", number: about.proposal.number, agrees }));
  const take = () => tried(async () => {
    if (!about.replay && !(await ask({ do: "propose", what: "replay" })).done) return notify(t("The others are asked: a replay tells everything that is hidden."), "note");
    await download(`/api/games/${id}/replay`, secret, `${about.ruleset}.replay.json`);
  });
  const turnAlone = () => (setSetting("alone", !alone), setAlone(!alone));
  return html`<div class="screen game">
    <${Bar} title=${[about.title, ...about.layers].join(" · ")} languages=${about.languages}>
      <details class="dropdown" onFocusOut=${(event) => event.currentTarget.contains(event.relatedTarget) || (event.currentTarget.open = false)}>
        <summary class="button quiet">${t("Game")}</summary>
        <div class="dropdown-list" onClick=${(event) => (event.currentTarget.parentElement.open = false)}>
          ${host && html`<button onClick=${() => setLinks(true)}>${t("Seats and links")}</button>`}
          ${about.you > 0 && html`<button onClick=${take}>${t("Save as a replay")}</button>`}
          ${about.you > 0 && html`<button aria-pressed=${alone} onClick=${turnAlone}>${alone ? "✓ " : ""}${t("Take single options by itself")}</button>`}
          ${about.replay && html`<button onClick=${() => go(`/view/${id}`)}>${t("Look at it again")}</button>`}
          <a class="button" href="/">${t("To the lobby")}</a>
        </div>
      </details>
    </${Bar}>
    ${state.status !== "open" && html`<div class="offline" role="alert">${t("The server is away. Nothing is lost: the game goes on as soon as it is back.")}</div>`}
    <main><${TableView} document=${state.document} answer=${answer} ask=${ask} undo=${undo} consent=${consent} busy=${busy || state.status !== "open"}>
      ${about.you === 0 && html`<p class="spectator">${t("You are watching.")}</p>`}
      ${about.replay && html`<div class="after"><button class="primary small" onClick=${() => go(`/view/${id}`)}>${t("Look at it again")}</button></div>`}
    </${TableView}></main>
    ${links && html`<${Links} id=${id} about=${about} onClose=${() => setLinks(false)} notify=${notify} tried=${tried} />`}
    ${notices}
  </div>`;
}

export function Sorry({ why }) {
  return html`<div class="screen"><${Bar} /><main class="wait"><h1>${t("That does not work")}</h1><p role="alert">${why}</p><p><a class="button" href="/">${t("To the lobby")}</a></p></main></div>`;
}

// Who sits where, for who began the game.
function Links({ id, about, onClose, notify, tried }) {
  const [known, setKnown] = useState(seats()[id] ?? {});
  const keep = (links) => (remember(id, { links }), setKnown({ ...known, links }));
  const share = async (secret) => notify((await copy(address(id, secret))) ? t("The link is copied.") : t("Copy the link by hand, please."), "note");
  const renew = (number) => tried(async () => keep({ ...known.links, [number]: (await post(`/api/games/${id}/link`, { seat: number }, known.host)).link }));
  const change = (number, bot) => tried(async () => {
    const found = await post(`/api/games/${id}/seat`, { seat: number, bot }, known.host);
    keep({ ...known.links, [number]: found.link });
  });
  return html`<${Dialog} title=${t("Seats and links")} onClose=${onClose} wide>
    <p class="quiet-text">${t("Whoever has a link plays that seat. Send each to one person.")} ${t("Bots play as long as anybody looks on. A table that everybody has left waits.")}</p>
    <ul class="links">
      ${Object.entries(about.seats).map(([number, seat]) => html`<li key=${number}>
        <b>${seat.name || (seat.kind === "bot" ? t("Bot {number}", { number }) : t("Player {number}", { number }))}${Number(number) === about.you ? ` (${t("you")})` : ""}</b>
        ${seat.kind === "person" && known.links?.[number] && html`<input readonly aria-label=${t("Link for player {number}", { number })} value=${address(id, known.links[number])} onFocus=${(event) => event.target.select()} /><button class="small" onClick=${() => share(known.links[number])}>${t("Copy")}</button>`}
        ${seat.kind === "person" && html`<button class="quiet small" onClick=${() => renew(number * 1)}>${t("New link")}</button>`}
        ${Number(number) !== about.you && (seat.kind === "bot" ? html`<button class="quiet small" onClick=${() => change(number * 1, "")}>${t("Let a person play")}</button>` : html`<button class="quiet small" onClick=${() => change(number * 1, "random")}>${t("Let a bot play")}</button>`)}
      </li>`)}
    </ul>
    <p class="quiet-text">${t("To watch:")} <span class="address">${`${location.origin}/game/${id}`}</span></p>
  </${Dialog}>`;
}

const address = (id, secret) => `${location.origin}/game/${id}#${secret}`;
