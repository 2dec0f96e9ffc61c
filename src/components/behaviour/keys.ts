// Single keys: "?" shows them, "/" searches, "n" and "p" turn lessons, "g" and a letter go to a page. The reader may switch them off.

import { readPreferences } from "../../course/preferences.ts";
import { takesLetters } from "../../workbench/single-keys.ts";
import { find } from "./dom.ts";
import { openSearch } from "./search.ts";

const secondKeyWithinMs = 1_500;
let goingSince = Number.NEGATIVE_INFINITY;

const acts: Readonly<Record<string, () => boolean>> = {
  "?": () => {
    find("#shortcuts", HTMLDialogElement)?.showModal();
    return true;
  },
  "/": () => {
    openSearch();
    return true;
  },
  n: () => follow("a[rel=next]"),
  p: () => follow("a[rel=prev]"),
  g: () => {
    goingSince = performance.now();
    return true;
  },
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !readPreferences().singleKeys) return;
  if (takesLetters(event.target)) return;
  const going = performance.now() - goingSince < secondKeyWithinMs;
  goingSince = Number.NEGATIVE_INFINITY;
  const done = going ? follow(`[data-go-key="${CSS.escape(event.key)}"]`) : acts[event.key]?.();
  if (done === true) event.preventDefault();
});

/** @returns false when the page has no such link. */
function follow(selector: string): boolean {
  const link = find(selector, HTMLAnchorElement);
  if (link === undefined) return false;
  location.assign(link.href);
  return true;
}
