// Run and copy buttons of code blocks, and outputs that wait for a prediction or their command.

import { find, findAll, onClick } from "./dom.ts";
import { runInLab } from "./lab-panel.ts";

onClick("[data-run-block]", (button) => {
  void runInLab(codeOf(button)).then((sent) => {
    if (!sent) return;
    say(button, button.dataset["done"] ?? "");
    showOutput(button.closest<HTMLElement>("[data-reveals]")?.dataset["reveals"]);
  });
});

onClick("[data-copy-block]", (button) => {
  navigator.clipboard.writeText(codeOf(button)).then(
    () => say(button, button.dataset["done"] ?? ""),
    () => say(button, button.dataset["failed"] ?? ""),
  );
});

for (const prediction of findAll("[data-prediction]", HTMLElement)) {
  find("details", HTMLDetailsElement, prediction)?.addEventListener("toggle", () => showOutput(prediction.dataset["prediction"]));
}

/** Shows for good the output that waits under a number. */
function showOutput(number: string | undefined): void {
  const output = find(`[data-awaits="${number}"]`, HTMLElement);
  if (output) output.dataset["shown"] = "";
}

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
