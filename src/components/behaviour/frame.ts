// What every page does: theme, rail, dialogs, progress marks.

import { changePreferences, preferencesChanged, readPreferences } from "../../course/preferences.ts";
import { forgetProgress, progressChanged, readProgress } from "../../course/progress.ts";
import { isStorageDenied } from "../../course/storage.ts";
import { find, findAll, onClick } from "./dom.ts";
import { markProgress } from "./progress-marks.ts";

const root = document.documentElement;
const settings = find("#settings", HTMLDialogElement);
const shortcuts = find("#shortcuts", HTMLDialogElement);

function applyPreferences(): void {
  const { theme, railHidden } = readPreferences();
  if (theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = theme;
  if (railHidden) root.dataset["rail"] = "hidden";
  else delete root.dataset["rail"];
  updateRailButton();
}

function updateRailButton(): void {
  const shown = isRailSheet() ? root.dataset["railSheet"] === "open" : root.dataset["rail"] !== "hidden";
  for (const button of findAll("[data-rail-toggle]", HTMLElement)) button.setAttribute("aria-expanded", String(shown));
}

/** The style sheet decides where the rail is a column and where a sheet over the text. */
function isRailSheet(): boolean {
  const rail = find("#rail", HTMLElement);
  return rail !== undefined && getComputedStyle(rail).position === "fixed";
}

onClick("[data-rail-toggle]", () => {
  if (isRailSheet()) {
    root.dataset["railSheet"] = root.dataset["railSheet"] === "open" ? "closed" : "open";
    updateRailButton();
    if (root.dataset["railSheet"] === "open") find("#rail a, #rail summary", HTMLElement)?.focus();
  } else changePreferences({ railHidden: !readPreferences().railHidden });
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape" || root.dataset["railSheet"] !== "open") return;
  root.dataset["railSheet"] = "closed";
  updateRailButton();
  find("[data-rail-toggle]", HTMLElement)?.focus();
});

onClick("[data-open-settings]", () => {
  fillSettings();
  settings?.showModal();
});
onClick("[data-close-dialog]", (button) => button.closest("dialog")?.close());
for (const dialog of [settings, shortcuts]) {
  // A click beside the dialog closes it: its own box ends where its children begin.
  dialog?.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}

document.addEventListener("keydown", (event) => {
  if (event.key !== "?" || event.ctrlKey || event.metaKey || event.altKey || !readPreferences().singleKeys) return;
  if (event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable], .xterm, dialog")) return;
  shortcuts?.showModal();
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

function askToForget(asking: boolean): void {
  const idle = find("[data-forget-idle]", HTMLElement);
  const ask = find("[data-forget-ask]", HTMLElement);
  if (idle) idle.hidden = asking;
  if (ask) ask.hidden = !asking;
  find(asking ? "[data-forget-no]" : "[data-forget]", HTMLElement)?.focus();
}
onClick("[data-forget]", () => askToForget(true));
onClick("[data-forget-no]", () => askToForget(false));
onClick("[data-forget-yes]", () => {
  forgetProgress();
  askToForget(false);
  const said = find("[data-forgotten]", HTMLElement);
  if (said) said.textContent = said.dataset["text"] ?? "";
});
onClick("[data-export]", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([JSON.stringify(readProgress(), undefined, 2)], { type: "application/json" }));
  link.download = "pilothouse-progress.json";
  link.click();
  URL.revokeObjectURL(link.href);
});

// The language switch keeps the place in the page.
for (const link of findAll("[data-language-link]", HTMLAnchorElement)) {
  link.addEventListener("click", () => {
    link.hash = location.hash;
  });
}

document.addEventListener(preferencesChanged, applyPreferences);
document.addEventListener(progressChanged, markProgress);
addEventListener("resize", updateRailButton);
applyPreferences();
markProgress();
