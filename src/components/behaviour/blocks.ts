// Run buttons of code blocks, and outputs that wait for a prediction or their command.

import { codeOf, say } from "./copy-blocks.ts";
import { find, findAll, onClick } from "./dom.ts";
import { runInLab } from "./lab-panel.ts";

onClick("[data-run-block]", (button) => {
  void runInLab(codeOf(button)).then((sent) => {
    if (!sent) return;
    say(button, button.dataset["done"] ?? "");
    showOutput(button.closest<HTMLElement>("[data-reveals]")?.dataset["reveals"]);
  });
});

for (const prediction of findAll("[data-prediction]", HTMLElement)) {
  find("details", HTMLDetailsElement, prediction)?.addEventListener("toggle", () => showOutput(prediction.dataset["prediction"]));
}

/** Shows for good the output that waits under a number. */
function showOutput(number: string | undefined): void {
  const output = find(`[data-awaits="${number}"]`, HTMLElement);
  if (output) output.dataset["shown"] = "";
}
