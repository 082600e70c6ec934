// Small parts that every screen uses: the bar at the top, dialogs, notices, the choice of light and dark.
import { html, useEffect, useRef, useState } from "./preact.js";
import { setTheme, theme } from "./store.js";

const THEMES = { auto: ["Light or dark as the system is", "◐"], light: ["Light", "☀"], dark: ["Dark", "☾"] };

export function ThemeButton() {
  const [name, setName] = useState(theme());
  const names = Object.keys(THEMES);
  const turn = () => {
    const next = names[(names.indexOf(name) + 1) % names.length];
    setTheme(next);
    setName(next);
  };
  return html`<button class="quiet icon" title=${THEMES[name][0]} aria-label=${`Colours: ${THEMES[name][0]}`} onClick=${turn}>
    <span aria-hidden="true">${THEMES[name][1]}</span>
  </button>`;
}

export function Bar({ children, title }) {
  return html`<header class="bar">
    <a class="brand" href="/" aria-label="Rulewright: the lobby"><img src="/static/icon.svg" alt="" width="26" height="26" /><span aria-hidden="true">Rulewright</span></a>
    ${title && html`<span class="bar-title">${title}</span>`}
    <div class="bar-rest">${children}</div>
    <${ThemeButton} />
  </header>`;
}

export function Dialog({ title, onClose, children, wide }) {
  const ref = useRef();
  useEffect(() => {
    const dialog = ref.current;
    dialog.showModal();
    const close = () => onClose();
    dialog.addEventListener("close", close);
    return () => {
      dialog.removeEventListener("close", close);
      dialog.close();
    };
  }, []);
  const outside = (event) => event.target === ref.current && onClose();
  return html`<dialog ref=${ref} class=${wide ? "wide" : ""} aria-labelledby="dialog-title" onClick=${outside}>
    <div class="dialog-head">
      <h2 id="dialog-title">${title}</h2>
      <button class="quiet icon" aria-label="Close" onClick=${onClose}><span aria-hidden="true">✕</span></button>
    </div>
    <div class="dialog-body">${children}</div>
  </dialog>`;
}

// Notices at the bottom: what was refused, what was copied.
export function useNotices() {
  const [notices, setNotices] = useState([]);
  const add = (text, kind = "error") => {
    const notice = { text, kind, key: Math.random() };
    setNotices((old) => [...old.slice(-2), notice]);
    setTimeout(() => setNotices((old) => old.filter((each) => each !== notice)), kind === "error" ? 9000 : 4000);
  };
  const shown = html`<div class="notices" role="status" aria-live="polite">
    ${notices.map((each) => html`<div class=${`notice ${each.kind}`} key=${each.key}>${each.text}</div>`)}
  </div>`;
  return [shown, add];
}

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export const counted = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

export function ago(seconds) {
  const past = Date.now() / 1000 - seconds;
  if (past < 90) return "just now";
  if (past < 5400) return `${Math.round(past / 60)} min ago`;
  if (past < 129600) return `${Math.round(past / 3600)} h ago`;
  return `${counted(Math.round(past / 86400), "day")} ago`;
}
