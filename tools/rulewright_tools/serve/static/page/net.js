// Talking to the server: requests, and a connection that comes back by itself.
import { t, wantedLanguage } from "./words.js";

export class Refused extends Error {
  constructor(message, code) {
    super(message);
    this.code = code;
  }
}

async function request(path, options) {
  let answer;
  try {
    answer = await fetch(path, options);
  } catch {
    throw new Refused(t("The server does not answer."), "away");
  }
  const found = await answer.json().catch(() => ({ refused: t("The server answers with {status}.", { status: String(answer.status) }), code: "away" }));
  if (!answer.ok) throw new Refused(t(found.refused || "That did not work."), found.code);
  return found;
}

export const get = (path) => request(path, {});

export function post(path, data, secret) {
  const headers = { "Content-Type": "application/json" };
  if (secret) headers.Authorization = `Bearer ${secret}`;
  return request(path, { method: "POST", headers, body: JSON.stringify(data) });
}

export const send = (path, file) => request(path, { method: "POST", headers: { "Content-Type": "application/octet-stream" }, body: file });

export async function download(path, secret, name) {
  const answer = await fetch(path, { headers: { Authorization: `Bearer ${secret}` } });
  if (!answer.ok) throw new Refused(t((await answer.json()).refused), "away");
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

// A JSON merge patch (RFC 7396); what has not changed stays the same object.
export function merged(old, patch) {
  const made = { ...old };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete made[key];
    else if (typeof value === "object" && !Array.isArray(value)) made[key] = merged(isObject(made[key]) ? made[key] : {}, value);
    else made[key] = value;
  }
  return made;
}

const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);

const FIRST_WAIT = 400;
const LONGEST_WAIT = 8000;

// A connection to one game. `onChange(state)` hears of {document, status, refusal}; status is connecting, open, away or refused.
export class Table {
  constructor(path, token, onChange) {
    this.path = path;
    this.token = token;
    this.onChange = onChange;
    this.document = null;
    this.status = "connecting";
    this.refusal = null;
    this.asked = new Map();
    this.number = 0;
    this.wait = FIRST_WAIT;
    this.open();
  }

  open() {
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}${this.path}`);
    this.socket = socket;
    socket.onopen = () => {
      this.ask({ do: "join", token: this.token || "", language: wantedLanguage().slice(0, 40) }).catch(() => {});
    };
    socket.onmessage = (event) => this.hear(JSON.parse(event.data));
    socket.onclose = () => {
      for (const { reject } of this.asked.values()) reject(new Refused(t("The connection was lost; the game is safe."), "away"));
      this.asked.clear();
      if (this.closed || this.status === "refused") return;
      this.set({ status: this.document ? "away" : "connecting" });
      setTimeout(() => this.closed || this.open(), this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    };
  }

  hear(message) {
    if (message.v !== undefined && message.v !== 1) {
      this.set({ status: "refused", refusal: t("This page is older than the server: reload it.") });
    } else if (message.whole) {
      this.at = message.n;
      this.wait = FIRST_WAIT;
      this.set({ document: message.whole, status: "open" });
    } else if (message.patch) {
      if (message.of !== this.at) return this.socket.close();
      this.at = message.n;
      this.set({ document: merged(this.document, message.patch) });
    } else if (message.to !== undefined && this.asked.has(message.to)) {
      const { resolve, reject, joining } = this.asked.get(message.to);
      this.asked.delete(message.to);
      if (message.refused === undefined) return resolve(message.ok);
      if (joining) this.set({ status: "refused", refusal: t(message.refused) });
      reject(new Refused(t(message.refused), message.code));
    } else if (message.refused !== undefined) {
      const passing = ["rate", "silence", "full"].includes(message.code);
      this.set(passing ? {} : { status: "refused", refusal: t(message.refused) });
    }
  }

  ask(request) {
    const ask = ++this.number;
    return new Promise((resolve, reject) => {
      if (this.socket.readyState !== WebSocket.OPEN) return reject(new Refused(t("There is no connection at the moment."), "away"));
      this.asked.set(ask, { resolve, reject, joining: request.do === "join" });
      this.socket.send(JSON.stringify({ ...request, ask }));
    });
  }

  set(change) {
    Object.assign(this, change);
    this.onChange({ document: this.document, status: this.status, refusal: this.refusal });
  }

  close() {
    this.closed = true;
    this.socket.close();
  }
}
