// What this browser remembers: links to seats, a name, how the page looks. All of it may be missing.

function read(key, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(`rulewright.${key}`)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(key, value) {
  try {
    localStorage.setItem(`rulewright.${key}`, JSON.stringify(value));
  } catch {
    // a browser that keeps nothing
  }
}

export const myName = () => read("name", "");
export const setMyName = (name) => write("name", name);

export const seats = () => read("seats", {});

// {seat, host, links, title}: what is known of a game; given parts are added.
export function remember(id, known) {
  const all = seats();
  all[id] = { ...all[id], ...known, at: Date.now() };
  const latest = Object.entries(all).sort((one, other) => other[1].at - one[1].at).slice(0, 40);
  write("seats", Object.fromEntries(latest));
}

export function forget(id) {
  const all = seats();
  delete all[id];
  write("seats", all);
}

export const language = () => read("language", "");
export const setLanguage = (tag) => write("language", tag);

export const theme = () => read("theme", "auto");

export function setTheme(name) {
  write("theme", name);
  applyTheme();
}

export function applyTheme() {
  const name = theme();
  if (name === "auto") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = name;
}

export const setting = (name, otherwise) => read(`setting.${name}`, otherwise);
export const setSetting = (name, value) => write(`setting.${name}`, value);
