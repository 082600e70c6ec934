"use strict";
// One page of drawings: pan, zoom, search, and a panel with the source of what was clicked. All texts of the ruleset
// come from the JSON beside this script and are only ever set as text.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const find = (id) => document.getElementById(id);
  const canvas = find("canvas"), sheet = find("sheet"), panel = find("panel"), query = find("query");
  const templates = new Map();
  for (const one of document.querySelectorAll("template[data-key]")) templates.set(one.dataset.key, one);
  const view = { x: 0, y: 0, scale: 1 };
  const trail = [];
  let current = null, hits = [], hit = -1;

  const copy = (key) => templates.get(key).content.querySelector("svg").cloneNode(true);
  const details = (key, box) => data.drawings[key].boxes[Number(box.dataset.box)];
  const boxes = () => [...sheet.querySelectorAll(".rw-box")];
  const apply = () => {
    sheet.style.transform = `translate(${view.x}px, ${view.y}px) scale(${view.scale})`;
  };

  function show(key, remember = true) {
    if (!templates.has(key)) return;
    if (remember && current !== null) trail.push({ key: current, ...view });
    current = key;
    sheet.replaceChildren(copy(key));
    find("title").textContent = data.drawings[key].title;
    find("back").disabled = trail.length === 0;
    panel.hidden = true;
    fit();
    // A long flow begins legible at its top rather than whole and too small.
    if (!data.drawings[key].whole && view.scale < 0.6) zoom(0.8 / view.scale, canvas.clientWidth / 2, 0);
    search();
  }

  function back() {
    const last = trail.pop();
    if (!last) return;
    show(last.key, false);
    Object.assign(view, { x: last.x, y: last.y, scale: last.scale });
    apply();
  }

  function fit() {
    const svg = sheet.firstElementChild.viewBox.baseVal;
    view.scale = Math.min(1.25, canvas.clientWidth / svg.width, canvas.clientHeight / svg.height);
    view.x = Math.max(0, (canvas.clientWidth - svg.width * view.scale) / 2);
    view.y = Math.max(0, (canvas.clientHeight - svg.height * view.scale) / 2);
    apply();
  }

  function zoom(factor, x = canvas.clientWidth / 2, y = canvas.clientHeight / 2) {
    const scale = Math.min(6, Math.max(0.02, view.scale * factor));
    view.x = x - (x - view.x) * (scale / view.scale);
    view.y = y - (y - view.y) * (scale / view.scale);
    view.scale = scale;
    apply();
  }

  function centre(box) {
    if (view.scale < 0.7) view.scale = 1;
    apply();
    const here = box.getBoundingClientRect(), area = canvas.getBoundingClientRect();
    view.x += area.left + area.width / 2 - (here.left + here.width / 2);
    view.y += area.top + area.height / 2 - (here.top + here.height / 2);
    apply();
  }

  // The panel takes room from the canvas: what was clicked must not end up outside.
  function uncover() {
    const box = sheet.querySelector(".chosen");
    if (!box) return;
    const beyond = box.getBoundingClientRect().right + 12 - canvas.getBoundingClientRect().right;
    if (beyond > 0) view.x -= beyond;
    apply();
  }

  function search() {
    const words = query.value.trim().toLowerCase();
    hits = [];
    hit = -1;
    for (const box of boxes()) {
      const about = details(current, box);
      const found = words !== "" && `${about.label} ${about.note} ${about.name}`.toLowerCase().includes(words);
      box.classList.toggle("hit", found);
      box.classList.remove("current");
      if (found) hits.push(box);
    }
    find("found").textContent = words === "" ? "" : hits.length === 0 ? "not found" : `${hits.length} found`;
    if (hits.length) step(1);
  }

  function step(by) {
    if (!hits.length) return;
    if (hit >= 0) hits[hit].classList.remove("current");
    hit = (hit + by + hits.length) % hits.length;
    hits[hit].classList.add("current");
    find("found").textContent = `${hit + 1} of ${hits.length}`;
    centre(hits[hit]);
  }

  function choose(box) {
    const id = box.dataset.id, near = new Set([id]);
    unchoose();
    for (const arrow of sheet.querySelectorAll(".rw-arrow")) {
      const touches = arrow.dataset.from === id || arrow.dataset.to === id;
      arrow.classList.toggle("near", touches);
      if (touches) near.add(arrow.dataset.from).add(arrow.dataset.to);
    }
    for (const one of boxes()) one.classList.toggle("near", near.has(one.dataset.id));
    box.classList.add("chosen");
    sheet.classList.toggle("dimmed", data.drawings[current].whole);
    tell(details(current, box));
  }

  function unchoose() {
    for (const box of sheet.querySelectorAll(".chosen")) box.classList.remove("chosen");
    for (const arrow of sheet.querySelectorAll(".rw-arrow.near")) arrow.classList.remove("near");
    sheet.classList.remove("dimmed");
  }

  function element(name, text, kind) {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    if (kind) made.className = kind;
    return made;
  }

  function excerpt(span) {
    const [file, first, , last] = span;
    const parts = [element("p", `${file}, line ${first}`, "quiet")];
    const lines = data.sources[file];
    if (!lines || first > lines.length) return parts;
    const block = element("pre");
    for (let number = first; number <= Math.min(last, first + 199, lines.length); number += 1) {
      const line = element("span");
      line.append(element("b", String(number)), lines[number - 1] || " ");
      block.append(line);
    }
    return [...parts, block];
  }

  function tell(about) {
    const content = find("about");
    const linked = about.link !== null && templates.has(about.link) && about.link !== current;
    content.replaceChildren(element("h2", about.label), element("p", about.note ? `${about.word}: ${about.note}` : about.word, "quiet"));
    const source = element("div");
    if (about.span) source.append(element("h3", "Source"), ...excerpt(about.span));
    content.append(source);
    const cites = about.cites.length || !linked ? about.cites : data.drawings[about.link].cites;
    if (cites.length) {
      const list = element("dl");
      for (const id of cites) list.append(element("dt", id), element("dd", data.rules[id] ?? ""));
      content.append(element("h3", "Rulebook"), list);
    }
    if (linked) content.append(...drawing(about, source));
    panel.hidden = false;
    panel.scrollTop = 0;
    uncover();
  }

  function drawing(about, source) {
    const open = element("button", "Open this drawing");
    open.addEventListener("click", () => show(about.link));
    const small = element("div");
    small.id = "small";
    small.append(copy(about.link));
    small.addEventListener("click", (event) => {
      const box = event.target.closest(".rw-box");
      if (!box) return;
      const inner = details(about.link, box);
      if (inner.link !== null && inner.link !== about.link) jump(inner.link);
      else if (inner.span) source.replaceChildren(element("h3", "Source"), ...excerpt(inner.span));
    });
    const heading = element("h3", data.drawings[about.link].title);
    const bar = element("p");
    bar.append(open);
    return [heading, bar, small];
  }

  // To the box of an effect where the whole ruleset is shown, else to its own drawing.
  function jump(link) {
    const box = boxes().find((one) => one.dataset.id === link);
    if (!box) return show(link);
    choose(box);
    centre(box);
  }

  let drag = null;
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    drag = { x: event.clientX, y: event.clientY, moved: false };
  });
  window.addEventListener("pointermove", (event) => {
    if (!drag) return;
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(dx, dy) < 4) return;
    Object.assign(drag, { x: event.clientX, y: event.clientY, moved: true });
    canvas.classList.add("dragging");
    view.x += dx;
    view.y += dy;
    apply();
  });
  window.addEventListener("pointerup", (event) => {
    const still = drag && !drag.moved;
    drag = null;
    canvas.classList.remove("dragging");
    if (!still || !canvas.contains(event.target)) return;
    const box = event.target.closest(".rw-box");
    if (box) choose(box);
    else {
      unchoose();
      panel.hidden = true;
    }
  });
  window.addEventListener("pointercancel", () => { drag = null; });
  canvas.addEventListener("dblclick", (event) => {
    const box = event.target.closest(".rw-box");
    const link = box && details(current, box).link;
    if (link && link !== current) show(link);
  });
  canvas.addEventListener("wheel", (event) => {
    event.preventDefault();
    const area = canvas.getBoundingClientRect();
    zoom(Math.exp(-Math.max(-200, Math.min(200, event.deltaY)) / 400), event.clientX - area.left, event.clientY - area.top);
  }, { passive: false });
  query.addEventListener("input", search);
  query.addEventListener("keydown", (event) => {
    if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
    if (event.key === "Escape") { query.value = ""; search(); }
  });
  find("in").addEventListener("click", () => zoom(1.3));
  find("out").addEventListener("click", () => zoom(1 / 1.3));
  find("fit").addEventListener("click", fit);
  find("back").addEventListener("click", back);
  find("close").addEventListener("click", () => { unchoose(); panel.hidden = true; });
  show(data.main, false);
})();
