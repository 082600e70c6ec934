// What has happened, line by line, with the rule behind each.
import { html, useEffect, useRef, useState } from "./preact.js";
import { t } from "./words.js";

const SHOWN = 150;

export function Story({ story, ask, use, viewing }) {
  const [earlier, setEarlier] = useState({});
  const [open, setOpen] = useState(SHOWN);
  const list = useRef();
  const stuck = useRef(true);
  const known = { ...earlier, ...story };
  const numbers = Object.keys(known).map(Number).sort((one, other) => one - other);
  const last = Math.max(0, ...Object.keys(story).map(Number));
  const shown = numbers.filter((number) => number <= last).slice(-open);
  useEffect(() => {
    if (stuck.current && list.current) list.current.scrollTop = list.current.scrollHeight;
  }, [last]);
  useEffect(() => {
    const lines = list.current;
    const watch = new ResizeObserver(() => stuck.current && (lines.scrollTop = lines.scrollHeight));
    watch.observe(lines);
    return () => watch.disconnect();
  }, []);
  useEffect(() => setEarlier({}), [viewing]);
  const more = async () => {
    stuck.current = false;
    if (shown[0] === numbers[0] && numbers[0] > 1) setEarlier({ ...earlier, ...(await ask({ do: "story", before: numbers[0] })) });
    setOpen(open + SHOWN);
  };
  const scrolled = (event) => {
    stuck.current = event.target.scrollTop + event.target.clientHeight > event.target.scrollHeight - 30;
  };
  let lastRule = "";
  return html`<section class="story" aria-labelledby="story-head">
    <h2 id="story-head">${t("Story")}</h2>
    <div class="story-lines" ref=${list} onScroll=${scrolled} tabindex="0" role="log" aria-labelledby="story-head">
      ${shown[0] > 1 && html`<button class="quiet small" onClick=${more}>${t("Earlier")}</button>`}
      ${shown.map((number) => {
        const line = known[number];
        if (line.kind === "heading") return html`<h3 class=${`phase level-${line.depth}`} key=${number}>${line.text}</h3>`;
        const rule = `${line.rule} ${(line.cites ?? []).join()}`;
        const other = rule !== lastRule;
        lastRule = rule;
        return html`<p key=${number} class=${`line ${line.kind}`} style=${{ "--depth": Math.min(4, line.depth ?? 0) }}>
            <span>${line.text}</span>
            ${other && line.rule && html` <button class="cite" onClick=${() => use.rule(line.rule, line.rule)} title=${[line.rule, ...(line.cites ?? [])].join(", ")}>${line.cites?.length ? cited(line.cites) : line.rule.replaceAll("_", " ")}</button>`}
          </p>`;
      })}
    </div>
  </section>`;
}

const cited = (cites) => (cites.length > 1 ? `${cites[0]} +${cites.length - 1}` : cites[0]);

// What a screen reader is told: what was asked last, and the latest lines.
export function Announcer({ table, story }) {
  const last = Math.max(0, ...Object.keys(story).map(Number));
  const before = useRef(last);
  const [text, setText] = useState("");
  useEffect(() => {
    const lines = [];
    for (let number = Math.max(before.current + 1, last - 5); number <= last; number++) if (story[number]) lines.push(story[number].text);
    before.current = last;
    const asked = table.decision?.mine ? `${t("Your decision")}: ${table.decision.prompt}` : "";
    setText([...lines, asked].filter(Boolean).join(". "));
  }, [last, table.decision?.prompt]);
  return html`<div class="unseen" role="status" aria-live="polite">${text}</div>`;
}
