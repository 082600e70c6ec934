// Buttons that show one sort of entries, and texts side by side. A sort goes together with a search: what is shown fits both.
(() => {
  const buttons = [...document.querySelectorAll("[data-show]")];
  const entries = [...document.querySelectorAll("#main .sort")];
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
  function show(sort) {
    for (const button of buttons) button.setAttribute("aria-pressed", String(button.dataset.show === sort));
    const fits = (entry) => entry.dataset.sort.split(" ").includes(sort);
    for (const entry of entries) entry.classList.toggle("unfit", sort !== "" && !fits(entry));
    sheet.replaceSync(sort ? ".unfit, #main section:not(:has(.sort:not(.unfit, [hidden]))) { display: none }" : "");
  }
  for (const button of buttons) button.addEventListener("click", () => show(button.dataset.show));
  // A link leads to what it names, whatever sort is shown.
  window.addEventListener("hashchange", () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (target?.closest(".unfit") || (target?.matches("section") && !target.getClientRects().length)) { show(""); target.scrollIntoView(); }
  });
  const unfold = document.getElementById("unfold");
  unfold?.addEventListener("click", () => {
    const open = unfold.getAttribute("aria-pressed") !== "true";
    for (const each of document.querySelectorAll("#main details")) each.open = open;
    unfold.setAttribute("aria-pressed", String(open));
  });
  const beside = document.getElementById("beside");
  beside?.addEventListener("click", () => {
    beside.setAttribute("aria-pressed", String(document.body.classList.toggle("besides")));
  });
})();
