// The settings dialog: preferences, export, and forgetting everything this browser keeps.

import { changePreferences, readPreferences } from "../../course/preferences.ts";
import { exportProgress } from "../../course/progress.ts";
import { askToForgetEverything, isStorageDenied } from "../../course/storage.ts";
import { find, findAll, onClick } from "./dom.ts";

const settings = find("#settings", HTMLDialogElement);

onClick("[data-open-settings]", () => {
  fillSettings();
  settings?.showModal();
});

function fillSettings(): void {
  if (settings === undefined) return;
  const kept = readPreferences();
  for (const input of findAll("input", HTMLInputElement, settings)) {
    if (input.name === "theme") input.checked = input.value === kept.theme;
    if (input.name === "terminalFontSizePx") input.value = String(kept.terminalFontSizePx);
    if (input.name === "screenReader") input.checked = kept.screenReader;
    if (input.name === "singleKeys") input.checked = kept.singleKeys;
  }
  const denied = find("[data-storage-denied]", HTMLElement, settings);
  if (denied) denied.hidden = !isStorageDenied();
}

settings?.addEventListener("change", (event) => {
  const input = event.target;
  if (!(input instanceof HTMLInputElement)) return;
  if (input.name === "theme")
    changePreferences({ theme: input.value === "dark" || input.value === "light" ? input.value : "system" });
  if (input.name === "terminalFontSizePx" && input.valueAsNumber >= 10)
    changePreferences({ terminalFontSizePx: input.valueAsNumber });
  if (input.name === "screenReader") changePreferences({ screenReader: input.checked });
  if (input.name === "singleKeys") changePreferences({ singleKeys: input.checked });
});

/** Settings and the page of progress both carry these buttons: the question stands where it was asked for. */
function ask(button: HTMLElement, asking: boolean): void {
  const place = button.closest("[data-kept]");
  if (place === null) return;
  const idle = find("[data-forget-idle]", HTMLElement, place);
  const question = find("[data-forget-ask]", HTMLElement, place);
  if (idle) idle.hidden = asking;
  if (question) question.hidden = !asking;
  find(asking ? "[data-forget-no]" : "[data-forget]", HTMLElement, place)?.focus();
}
onClick("[data-forget]", (button) => ask(button, true));
onClick("[data-forget-no]", (button) => ask(button, false));
onClick("[data-forget-yes]", () => {
  askToForgetEverything();
  location.reload();
});
onClick("[data-export]", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([exportProgress()], { type: "application/json" }));
  link.download = "pilothouse-progress.json";
  link.click();
  URL.revokeObjectURL(link.href);
});
