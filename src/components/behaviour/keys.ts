// Single keys: "?" shows them, "/" searches, "n" and "p" turn lessons, "g" and a letter go to a page. The reader may switch them off.

import { readPreferences } from "../../course/preferences.ts";
import { takesLetters } from "../../workbench/single-keys.ts";
import { find } from "./dom.ts";
import { openSearch } from "./search.ts";

/** After "g", until the next key or click: without a limit of time, for readers and machines that are slow (WCAG 2.2.1). */
let going = false;

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
    going = true;
    return true;
  },
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || !readPreferences().singleKeys) return;
  if (takesLetters(event.target)) return;
  const isSecond = going;
  going = false;
  const done = isSecond ? follow(`[data-go-key="${CSS.escape(event.key)}"]`) : acts[event.key]?.();
  if (done === true) event.preventDefault();
});

document.addEventListener("pointerdown", () => {
  going = false;
});

/** @returns false when the page has no such link. */
function follow(selector: string): boolean {
  const link = find(selector, HTMLAnchorElement);
  if (link === undefined) return false;
  location.assign(link.href);
  return true;
}
