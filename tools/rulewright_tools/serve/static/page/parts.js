// Small parts that every screen uses: the bar at the top, dialogs, notices, the choice of light and dark.
import { html, useEffect, useRef, useState } from "./preact.js";
import { setLanguage, setTheme, theme } from "./store.js";
import { chosenAmong, languageName, pageLanguages, t } from "./words.js";

const THEMES = { auto: "◐", light: "☀", dark: "☾" };
const themeName = (name) => ({ auto: t("Light or dark as the system is"), light: t("Light"), dark: t("Dark") })[name];

export function ThemeButton() {
  const [name, setName] = useState(theme());
  const names = Object.keys(THEMES);
  const turn = () => {
    const next = names[(names.indexOf(name) + 1) % names.length];
    setTheme(next);
    setName(next);
  };
  return html`<button class="quiet icon" title=${themeName(name)} aria-label=${t("Colours: {name}", { name: themeName(name) })} onClick=${turn}>
    <span aria-hidden="true">${THEMES[name]}</span>
  </button>`;
}

// The language of the page, and of the game that it shows.
export function LanguageChoice({ languages = pageLanguages }) {
  const choose = (event) => {
    setLanguage(event.target.value);
    location.reload(); // whatever is shown comes back in the other language
  };
  return html`<select class="language" aria-label=${t("Language")} value=${chosenAmong(languages)} onChange=${choose}>
    ${languages.map((each) => html`<option value=${each} key=${each}>${`${each.toUpperCase()}\u2003${languageName(each)}`}</option>`)}
  </select>`;
}

export function Bar({ children, title, languages }) {
  return html`<header class="bar">
    <a class="brand" href="/" aria-label=${t("Rulewright: the lobby")}><img src="/static/icon.svg" alt="" width="26" height="26" /><span aria-hidden="true">Rulewright</span></a>
    ${title && html`<span class="bar-title">${title}</span>`}
    <div class="bar-rest">${children}</div>
    <${LanguageChoice} languages=${languages?.length ? languages : undefined} />
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
      <button class="quiet icon" aria-label=${t("Close")} onClick=${onClose}><span aria-hidden="true">✕</span></button>
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

// What a ruleset is called in the language that was chosen.
export const titleOf = (entry) => entry.titles?.[chosenAmong(["en", ...Object.keys(entry.titles ?? {})])] ?? entry.title;

export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

export function ago(seconds) {
  const past = Date.now() / 1000 - seconds;
  if (past < 90) return t("just now");
  if (past < 5400) return t("{n} min ago", { n: Math.round(past / 60) });
  if (past < 129600) return t("{n} h ago", { n: Math.round(past / 3600) });
  return t("{n} days ago", { n: Math.round(past / 86400) });
}
