// What every page does: theme, rail, dialogs, progress marks; keys, search, settings and offline use are files of their own.

import { changePreferences, preferencesChanged, readPreferences } from "../../course/preferences.ts";
import { progressChanged } from "../../course/progress.ts";
import { readStored } from "../../course/storage.ts";
import { find, findAll, onClick } from "./dom.ts";
import "./keys.ts";
import "./offline.ts";
import "./palette.ts";
import { markProgress } from "./progress-marks.ts";
import { openSearch } from "./search.ts";
import "./settings.ts";

const root = document.documentElement;

function applyPreferences(): void {
  const { theme, railHidden, singleKeys } = readPreferences();
  if (theme === "system") delete root.dataset["theme"];
  else root.dataset["theme"] = theme;
  if (railHidden) root.dataset["rail"] = "hidden";
  else delete root.dataset["rail"];
  if (singleKeys) delete root.dataset["singleKeys"];
  else root.dataset["singleKeys"] = "off";
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

onClick("[data-open-search]", openSearch);
onClick("[data-close-dialog]", (button) => button.closest("dialog")?.close());
for (const dialog of findAll("dialog", HTMLDialogElement)) {
  // A click beside the dialog closes it: its own box ends where its children begin.
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
}

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
// For members of a class, and those who come in.
if (readStored("classroom") || find("[data-join-page]", HTMLElement)) void import("./classroom.ts");
