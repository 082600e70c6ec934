"use strict";
// What every page can do: search, follow links to what is hidden or folded, be light or dark. Nothing of a ruleset is ever made into markup here.
(() => {
  const find = (id) => document.getElementById(id);
  const root = document.documentElement;
  const query = find("query"), found = find("found"), none = find("none"), contents = find("contents");
  const words = JSON.parse(find("data").textContent);

  // -- light and dark
  const keep = (name) => { try { localStorage.setItem("rulewright-theme", name); } catch { /* a file may not remember */ } };
  try { const kept = localStorage.getItem("rulewright-theme"); if (kept === "light" || kept === "dark") root.dataset.theme = kept; } catch { /* the same */ }
  find("theme").addEventListener("click", () => {
    const dark = root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
    root.dataset.theme = dark ? "light" : "dark";
    keep(root.dataset.theme);
  });

  // -- contents: open where there is room
  const wide = matchMedia("(min-width: 1100px)");
  const unfold = () => { if (contents) contents.open = wide.matches; };
  wide.addEventListener("change", unfold);
  unfold();
  if (contents) contents.addEventListener("click", (event) => { if (event.target.closest("a") && !wide.matches) contents.open = false; });

  // -- search: all words, in any order, parts of words too, whatever accents they have
  const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
  const FEW = 40; // with so few found, what is folded in them and has the words is unfolded
  let entries = null, sections = [], hits = [], at = -1, wanted = [], unfolded = [];
  function collect() {
    entries = [...document.querySelectorAll("#main .find")].map((element) => ({ element, text: plain(`${element.dataset.find ?? ""} ${element.textContent}`) }));
    sections = [...document.querySelectorAll("#main section")].reverse();
  }
  function search() {
    if (!entries) collect();
    wanted = plain(query.value).split(/\s+/).filter(Boolean);
    hits = [];
    at = -1;
    for (const { element, text } of entries) {
      const match = wanted.every((word) => text.includes(word));
      element.hidden = !match;
      if (match) hits.push(element);
    }
    for (const section of sections) section.hidden = wanted.length > 0 && !section.querySelector(".find:not([hidden])");
    document.body.classList.toggle("searching", wanted.length > 0);
    found.textContent = wanted.length ? words.found.replace("{count}", hits.filter((hit) => !hit.parentElement.closest(".find")).length) : "";
    none.hidden = !wanted.length || hits.length > 0;
    for (const each of unfolded) each.open = false;
    unfolded = wanted.length && hits.length <= FEW ? hits.flatMap((hit) => [...hit.querySelectorAll("details:not([open])")]).filter((each) => wanted.some((word) => plain(each.textContent).includes(word))) : [];
    for (const each of unfolded) each.open = true;
    paint();
  }
  // The words themselves, where the browser can mark ranges without touching the text.
  function paint() {
    if (!window.CSS?.highlights) return;
    CSS.highlights.delete("found");
    if (!wanted.length || hits.length > 400) return;
    const ranges = [];
    for (const hit of hits) {
      const walker = document.createTreeWalker(hit, NodeFilter.SHOW_TEXT);
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        const text = plain(node.data);
        if (text.length !== node.data.length) continue;
        for (const word of wanted) {
          for (let start = text.indexOf(word); start >= 0; start = text.indexOf(word, start + word.length)) {
            const range = new Range();
            range.setStart(node, start);
            range.setEnd(node, start + word.length);
            ranges.push(range);
          }
        }
      }
    }
    CSS.highlights.set("found", new Highlight(...ranges));
  }
  function step(direction) {
    if (!hits.length || !wanted.length) return;
    at = (at + direction + hits.length) % hits.length;
    open(hits[at]);
    hits[at].scrollIntoView({ block: "center" });
    document.querySelector(".current")?.classList.remove("current");
    hits[at].classList.add("current");
  }
  let waiting = 0;
  query.addEventListener("input", () => { clearTimeout(waiting); waiting = setTimeout(search, 60); });
  query.addEventListener("keydown", (event) => {
    if (event.key === "Enter") { event.preventDefault(); step(event.shiftKey ? -1 : 1); }
    if (event.key === "Escape") { query.value = ""; search(); query.blur(); }
  });
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest("input, textarea, select, [contenteditable]");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) { event.preventDefault(); query.focus(); query.select(); }
  });

  // -- links lead to what they name, whatever is hidden or folded
  function open(element) {
    for (let each = element; each; each = each.parentElement) if (each.tagName === "DETAILS" && each !== contents) each.open = true;
  }
  function follow() {
    let name = "";
    try { name = decodeURIComponent(location.hash.slice(1)); } catch { return; }
    const target = name && find(name);
    if (!target) return;
    if (wanted.length && target.closest("[hidden]")) { query.value = ""; search(); }
    open(target);
    target.scrollIntoView();
  }
  window.addEventListener("hashchange", follow);
  follow();

  // -- on paper everything is there, but for what is only worth a look
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = [...document.querySelectorAll("#main details:not([open], .as-is)")];
    for (const each of folded) each.open = true;
  });
  window.addEventListener("afterprint", () => { for (const each of folded) each.open = false; });
})();
