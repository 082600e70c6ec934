// The page: which screen an address shows.
import { html, render, useEffect, useState } from "./preact.js";
import { GameScreen } from "./game.js";
import { Lobby } from "./lobby.js";
import { NewGame } from "./new_game.js";
import { applyTheme } from "./store.js";
import { Viewer } from "./viewer.js";
import { loadWords } from "./words.js";

export function go(path) {
  history.pushState(null, "", path);
  dispatchEvent(new PopStateEvent("popstate"));
}

function useAddress() {
  const [address, setAddress] = useState(location.pathname + location.search + location.hash);
  useEffect(() => {
    const update = () => setAddress(location.pathname + location.search + location.hash);
    const follow = (event) => {
      const link = event.target.closest?.("a[href^='/']");
      if (!link || link.target || event.defaultPrevented || event.button || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      go(link.getAttribute("href"));
      scrollTo(0, 0);
    };
    addEventListener("popstate", update);
    addEventListener("hashchange", update);
    addEventListener("click", follow);
    return () => {
      removeEventListener("popstate", update);
      removeEventListener("hashchange", update);
      removeEventListener("click", follow);
    };
  }, []);
  return address;
}

function Page() {
  const url = new URL(useAddress(), location.origin);
  const [, screen, id] = url.pathname.split("/");
  if (screen === "new") return html`<${NewGame} key=${url.search} go=${go} wanted=${url.searchParams} />`;
  if (screen === "game" && id) return html`<${GameScreen} key=${id + url.hash} id=${id} hash=${url.hash} go=${go} />`;
  if (screen === "view" && id) return html`<${Viewer} key=${id} id=${id} go=${go} />`;
  return html`<${Lobby} go=${go} />`;
}

applyTheme();
await loadWords();
render(html`<${Page} />`, document.getElementById("page"));
