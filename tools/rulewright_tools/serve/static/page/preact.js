// One door to what is vendored: `html` for markup, and the hooks.
import { h, render } from "preact";
import htm from "htm";

export const html = htm.bind(h);
export { render };
export * from "preact/hooks";
