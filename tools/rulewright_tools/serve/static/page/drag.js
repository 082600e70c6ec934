// Dragging with a pointer, over SVG and HTML alike: whatever has data-id can be dragged, and dropped on whatever has data-id.

const FAR = 8;

// `canDrag(id)` says what may be picked up; `onDrop(id, target)` hears of a drop. Returns how to stop.
export function dragging(root, canDrag, onDrop) {
  let held = null;

  const idsAt = (x, y) => {
    const found = [];
    for (let at = document.elementFromPoint(x, y)?.closest("[data-id]"); at; at = at.parentElement?.closest("[data-id]")) found.push(at.dataset.id);
    return found;
  };
  const start = (event) => {
    if (event.button) return;
    const source = event.target.closest?.("[data-drag]");
    if (source && canDrag(source.dataset.id)) held = { source, id: source.dataset.id, x: event.clientX, y: event.clientY, ghost: null };
  };
  const move = (event) => {
    if (!held) return;
    if (!held.ghost && Math.hypot(event.clientX - held.x, event.clientY - held.y) < FAR) return;
    if (!held.ghost) {
      held.ghost = document.createElement("div");
      held.ghost.className = "ghost";
      held.ghost.textContent = held.source.dataset.drag;
      document.body.append(held.ghost);
      root.classList.add("dragging");
    }
    held.ghost.style.transform = `translate(${event.clientX + 10}px, ${event.clientY + 10}px)`;
    event.preventDefault();
  };
  const end = (event) => {
    if (held?.ghost) {
      held.ghost.remove();
      root.classList.remove("dragging");
      const { id } = held;
      const target = idsAt(event.clientX, event.clientY).find((each) => each !== id);
      if (event.type === "pointerup" && target) onDrop(id, target);
      const swallow = (click) => (click.stopPropagation(), click.preventDefault());
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }), 50);
    }
    held = null;
  };
  root.addEventListener("pointerdown", start);
  addEventListener("pointermove", move, { passive: false });
  addEventListener("pointerup", end);
  addEventListener("pointercancel", end);
  return () => {
    root.removeEventListener("pointerdown", start);
    removeEventListener("pointermove", move);
    removeEventListener("pointerup", end);
    removeEventListener("pointercancel", end);
  };
}
