// Copy buttons of code blocks.

import { onClick } from "./dom.ts";

onClick("[data-copy-block]", (button) => {
  navigator.clipboard.writeText(codeOf(button)).then(
    () => say(button, button.dataset["done"] ?? ""),
    () => say(button, button.dataset["failed"] ?? ""),
  );
});

/** Of the block that a button belongs to. */
export function codeOf(button: HTMLElement): string {
  return button.closest("[data-block]")?.querySelector("pre")?.textContent.trimEnd() ?? "";
}

/** Says what happened for two seconds, to eyes in the button's place and to ears in the block's live region. */
export function say(button: HTMLElement, words: string): void {
  const said = button.closest("figcaption")?.querySelector("[role=status]");
  if (said) said.textContent = words;
  button.dataset["said"] = words;
  setTimeout(() => {
    delete button.dataset["said"];
    if (said) said.textContent = "";
  }, 2_000);
}
