// A game that is over, moment by moment, through anybody's eyes.
import { html, useEffect, useRef, useState } from "./preact.js";
import { Table, post } from "./net.js";
import { Bar, useNotices } from "./parts.js";
import { Sorry } from "./game.js";
import { remember } from "./store.js";
import { TableView } from "./table.js";
import { t } from "./words.js";

const PACE = 700;

export function Viewer({ id, go }) {
  const [state, setState] = useState({ status: "connecting" });
  const [playing, setPlaying] = useState(false);
  const [wanted, setWanted] = useState(null);
  const [notices, notify] = useNotices();
  const line = useRef();
  useEffect(() => {
    line.current = new Table(`/ws/view/${id}`, "", setState);
    return () => line.current.close();
  }, [id]);
  const about = state.document?.about;
  useEffect(() => {
    if (about) document.title = `${about.title} · Rulewright`;
  }, [about?.title]);
  const ask = (request) => line.current.ask(request);

  // While one request is under way the slider may move on: only where it is then is asked for.
  const moving = useRef(false);
  const next = useRef(null);
  const move = async (to, seat = about.you) => {
    next.current = { to: Math.max(0, Math.min(about.total, to)), seat };
    setWanted(next.current.to);
    if (moving.current) return;
    moving.current = true;
    try {
      while (next.current) {
        const request = next.current;
        next.current = null;
        await ask({ do: "go", ...request });
      }
    } catch (error) {
      notify(error.message);
      setPlaying(false);
    }
    moving.current = false;
    setWanted(null);
  };
  useEffect(() => {
    if (!playing || !about) return undefined;
    if (about.at >= about.total) return setPlaying(false);
    const timer = setTimeout(() => move(about.at + 1), PACE);
    return () => clearTimeout(timer);
  }, [playing, about?.at]);
  useEffect(() => {
    const key = (event) => {
      if (!about || event.target.closest?.("input, select, dialog[open]")) return;
      if (event.key === "ArrowLeft") move(about.at - 1);
      if (event.key === "ArrowRight") move(about.at + 1);
    };
    addEventListener("keydown", key);
    return () => removeEventListener("keydown", key);
  }, [about]);

  if (state.status === "refused") return html`<${Sorry} why=${state.refusal} />`;
  if (!state.document) return html`<div class="screen"><${Bar} /><main class="wait" role="status"><p>${t("Setting up the game again …")}</p></main></div>`;
  const playOn = async () => {
    try {
      const seats = Object.keys(about.seats).map((number) => (Number(number) === Math.max(1, about.you) ? { kind: "person" } : { kind: "bot", bot: "random" }));
      const game = await post("/api/games", { replay: id, at: about.at, seats });
      const mine = Object.values(game.links)[0];
      remember(game.id, { seat: mine, host: game.host, links: game.links, title: about.title, shown: true });
      go(`/game/${game.id}#${mine}`);
    } catch (error) {
      notify(error.message);
    }
  };
  const at = wanted ?? about.at;
  const nothing = () => {};
  return html`<div class="screen game viewing">
    <${Bar} title=${about.title} languages=${about.languages} />
    <main><${TableView} document=${state.document} answer=${nothing} ask=${ask} undo=${nothing} consent=${nothing} busy=${true}>
      <section class="slider" aria-label=${t("Time")}>
        <div class="slider-row">
          <button class="icon" aria-label=${t("To the beginning")} onClick=${() => move(0)}>«</button>
          <button class="icon" aria-label=${t("Back")} onClick=${() => move(about.at - 1)}>‹</button>
          <button class="icon primary" aria-label=${playing ? t("Pause") : t("Play")} onClick=${() => setPlaying(!playing)}>${playing ? "❚❚" : "▶"}</button>
          <button class="icon" aria-label=${t("On")} onClick=${() => move(about.at + 1)}>›</button>
          <button class="icon" aria-label=${t("To the end")} onClick=${() => move(about.total)}>»</button>
          <output>${at} / ${about.total}</output>
        </div>
        <input type="range" min="0" max=${about.total} value=${at} aria-label=${t("Moment of the game")} onInput=${(event) => move(Number(event.target.value))} />
        <div class="slider-row">
          <label>${t("Seen by")} <select value=${about.you} onChange=${(event) => move(about.at, Number(event.target.value))}>
            <option value="0">${t("who watches")}</option>
            ${Object.entries(about.seats).map(([number, seat]) => html`<option value=${number} key=${number}>${seat.name || t("Player {number}", { number })}</option>`)}
          </select></label>
          <button class="small" onClick=${playOn}>${t("Play on from here")}</button>
        </div>
      </section>
    </${TableView}></main>
    ${notices}
  </div>`;
}
