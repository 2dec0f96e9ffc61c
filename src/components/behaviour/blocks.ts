// Run and copy buttons of code blocks.

import { onClick } from "./dom.ts";
import { runInLab } from "./lab-panel.ts";

onClick("[data-run-block]", (button) => {
  void runInLab(codeOf(button)).then((sent) => {
    if (sent) say(button, button.dataset["done"] ?? "");
  });
});

onClick("[data-copy-block]", (button) => {
  navigator.clipboard.writeText(codeOf(button)).then(
    () => say(button, button.dataset["done"] ?? ""),
    () => say(button, button.dataset["failed"] ?? ""),
  );
});

function codeOf(button: HTMLElement): string {
  return button.closest("[data-block]")?.querySelector("pre")?.textContent.trimEnd() ?? "";
}

/** Says what happened for two seconds, to eyes in the button's place and to ears in the block's live region. */
function say(button: HTMLElement, words: string): void {
  const said = button.closest("figcaption")?.querySelector("[role=status]");
  if (said) said.textContent = words;
  button.dataset["said"] = words;
  setTimeout(() => {
    delete button.dataset["said"];
    if (said) said.textContent = "";
  }, 2_000);
}
