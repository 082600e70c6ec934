// The words of the page itself, in the language that was chosen. Keys are the English sentences; /static/words/TAG.json has what they are in another language.
import { language } from "./store.js";

const PAGE = ["en", "cs"]; // languages that the page speaks; games may have others
let words = {};
let tag = "en";

// The language that a tag means among some: itself, or the same without its region.
function nearest(wanted, among) {
  const parts = wanted.toLowerCase().split("-");
  for (let length = parts.length; length > 0; length--) {
    const found = among.find((each) => each.toLowerCase() === parts.slice(0, length).join("-"));
    if (found) return found;
  }
  return "";
}

// What was chosen here, else what the server was told, else what the browser asks for.
export const wantedLanguage = () => language() || document.documentElement.dataset.language || navigator.language || "en";
export const pageLanguages = PAGE;
export const pageLanguage = () => tag;
export const chosenAmong = (languages) => nearest(wantedLanguage(), languages) || languages[0];
export const languageName = (each) => {
  const name = new Intl.DisplayNames([each], { type: "language" }).of(each) ?? each;
  return name[0].toLocaleUpperCase(each) + name.slice(1);
};

export async function loadWords() {
  tag = nearest(wantedLanguage(), PAGE) || "en";
  document.documentElement.lang = tag;
  if (tag === "en") return;
  try {
    words = await (await fetch(`/static/words/${tag}.json`)).json();
  } catch {
    tag = "en"; // the page without its words still plays
  }
}

// A sentence with its values, which stand in braces. Where a language has several forms for numbers, {n} says which.
export function t(sentence, values = {}) {
  const found = words[sentence] ?? sentence;
  const said = typeof found === "string" ? found : found[form(values.n ?? 0)] ?? found.other;
  return said.replace(/\{(\w+)\}/g, (hole, name) => (name in values ? (typeof values[name] === "number" ? values[name].toLocaleString(tag) : values[name]) : hole));
}

const form = (number) => new Intl.PluralRules(tag).select(number);

// The same for one and for many, which English tells apart by itself.
export const counted = (n, one, many) => t(n === 1 ? one : many, { n });
