// The sandbox page: the address says which starting point is open.

import { find, findAll } from "./dom.ts";
import { switchLab } from "./lab-panel.ts";

const presets = findAll("[data-preset]", HTMLAnchorElement);
const panel = find("[data-lab]", HTMLElement);

function chosen(): string | undefined {
  const id = location.hash.slice(1);
  return (presets.find((preset) => preset.dataset["preset"] === id) ?? presets[0])?.dataset["preset"];
}

function mark(id: string): void {
  for (const preset of presets) {
    if (preset.dataset["preset"] === id) preset.setAttribute("aria-current", "true");
    else preset.removeAttribute("aria-current");
  }
}

for (const preset of presets) {
  preset.addEventListener("click", (event) => {
    const id = preset.dataset["preset"];
    if (id === undefined || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.replaceState(undefined, "", `#${id}`);
    mark(id);
    panel?.scrollIntoView({ block: "nearest" });
    void switchLab(id);
  });
}

const id = chosen();
if (id !== undefined && panel) {
  // Before the panel opens by itself.
  panel.dataset["lab"] = id;
  mark(id);
}
