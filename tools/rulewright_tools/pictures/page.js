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
    find("home").hidden = key === data.main || !data.drawings[data.main].whole;
    panel.hidden = true;
    reachable();
    history.replaceState(null, "", key === data.main ? "#" : `#${encodeURIComponent(key)}`);
    fit();
    // A long flow begins legible at its top rather than whole and too small.
    if (!data.drawings[key].whole && view.scale < 0.6) zoom(0.8 / view.scale, canvas.clientWidth / 2, 0);
    search();
  }

  // Everything that can be chosen can be come to by keys; of a card first the card, then what is in it.
  function reachable() {
    for (const box of boxes()) {
      box.setAttribute("tabindex", "0");
      box.setAttribute("role", "button");
      const about = details(current, box);
      box.setAttribute("aria-label", [about.label, about.word, about.note, about.mark].filter(Boolean).join(", "));
    }
  }

  function home() {
    if (current !== data.main) show(data.main);
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
    const here = box.getBoundingClientRect(), area = canvas.getBoundingClientRect();
    view.x -= Math.max(0, here.right + 12 - area.right);
    view.y -= Math.max(0, here.bottom + 12 - area.bottom);
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
    // A cell of a map is near to nothing else; its card stays as it is.
    sheet.classList.toggle("dimmed", data.drawings[current].dims && !box.classList.contains("rw-cell"));
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
    if (about.mark) content.append(element("p", about.mark, "mark"));
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

  // A card of a map opens its subject; anything else is told about.
  function press(box) {
    const link = details(current, box).link;
    if (box.classList.contains("rw-card") && link) show(link);
    else choose(box);
  }

  function close() {
    unchoose();
    panel.hidden = true;
  }

  // By keys: Enter tells about a box, and once more opens it; arrows go to the next box that way.
  function enter(box) {
    const link = details(current, box).link;
    if (box.classList.contains("chosen") && link && link !== current) show(link);
    else press(box);
    if (!document.contains(box)) sheet.querySelector(".rw-box")?.focus({ preventScroll: true });
  }

  const middle = (box) => {
    const area = box.getBoundingClientRect();
    return [area.left + Math.min(area.width, 200) / 2, area.top + Math.min(area.height, 40) / 2];
  };

  function towards(box, [dx, dy]) {
    const [x, y] = middle(box);
    let best = null, least = Infinity;
    for (const one of boxes()) {
      const [ox, oy] = middle(one);
      const along = (ox - x) * dx + (oy - y) * dy, aside = Math.abs((ox - x) * dy) + Math.abs((oy - y) * dx);
      if (one !== box && along > 1 && along + aside * 3 < least) [best, least] = [one, along + aside * 3];
    }
    return best;
  }

  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const KEYS = {
    "/": () => query.focus(), "+": () => zoom(1.3), "=": () => zoom(1.3), "-": () => zoom(1 / 1.3), 0: fit, Home: home, Backspace: back,
    Escape: () => (panel.hidden ? back() : close()),
  };
  document.addEventListener("keydown", (event) => {
    if (event.target === query || event.ctrlKey || event.metaKey || event.altKey) return;
    const box = event.target.closest?.(".rw-box");
    if (box && (event.key === "Enter" || event.key === " ")) enter(box);
    else if (event.key in ARROWS) {
      const next = box ? towards(box, ARROWS[event.key]) : sheet.querySelector(".rw-box");
      next?.focus({ preventScroll: true });
    } else if (event.key in KEYS) KEYS[event.key]();
    else return;
    event.preventDefault();
  });
  // How a subject leads to others is seen while one points at its card, or has come to it by keys.
  let pointed = null;
  function point(event) {
    const card = event.target.closest(".rw-card");
    if (card === pointed) return;
    pointed = card;
    for (const arrow of sheet.querySelectorAll(".rw-map .rw-arrow")) {
      arrow.classList.toggle("near", card !== null && [arrow.dataset.from, arrow.dataset.to].includes(card.dataset.id));
    }
  }
  sheet.addEventListener("pointerover", point);
  sheet.addEventListener("focusin", point);
  // What has the focus is in sight.
  sheet.addEventListener("focusin", (event) => {
    const box = event.target.closest(".rw-box");
    if (!box || !box.matches(":focus-visible")) return;
    const here = box.getBoundingClientRect(), area = canvas.getBoundingClientRect();
    if (here.left < area.left || here.top < area.top || here.right > area.right || here.bottom > area.bottom) centre(box);
  });

  let drag = null;
  const fingers = new Map();
  canvas.addEventListener("pointerdown", (event) => {
    if (event.button !== 0) return;
    fingers.set(event.pointerId, event);
    drag = { x: event.clientX, y: event.clientY, moved: false };
  });
  window.addEventListener("pointermove", (event) => {
    if (!drag) return;
    if (fingers.size === 2 && fingers.has(event.pointerId)) return pinch(event);
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    if (!drag.moved && Math.hypot(dx, dy) < 4) return;
    Object.assign(drag, { x: event.clientX, y: event.clientY, moved: true });
    canvas.classList.add("dragging");
    view.x += dx;
    view.y += dy;
    apply();
  });
  // Two fingers: as far apart as they go, so much larger it gets, around the other one.
  function pinch(event) {
    const other = [...fingers.values()].find((finger) => finger.pointerId !== event.pointerId), before = fingers.get(event.pointerId);
    const apart = (finger) => Math.hypot(finger.clientX - other.clientX, finger.clientY - other.clientY) || 1;
    const area = canvas.getBoundingClientRect();
    zoom(apart(event) / apart(before), other.clientX - area.left, other.clientY - area.top);
    fingers.set(event.pointerId, event);
    drag.moved = true;
  }

  window.addEventListener("pointerup", (event) => {
    fingers.delete(event.pointerId);
    const still = drag && !drag.moved;
    drag = null;
    canvas.classList.remove("dragging");
    if (!still || !canvas.contains(event.target)) return;
    const box = event.target.closest(".rw-box");
    if (box) press(box);
    else close();
  });
  window.addEventListener("pointercancel", () => { drag = null; fingers.clear(); });
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
  find("home").addEventListener("click", home);
  find("close").addEventListener("click", close);
  canvas.addEventListener("scroll", () => canvas.scrollTo(0, 0));
  const wanted = decodeURIComponent(location.hash.slice(1));
  show(data.main, false);
  if (wanted !== data.main) show(wanted);
})();
