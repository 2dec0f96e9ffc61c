// What the search dialog does once it is open: answers while one types, first from titles and words, in full once the texts have come.

import { type Found, openCourseSearch } from "../../course/search/course-search.ts";
import { find, findAll } from "./dom.ts";
import { lessonItem, wordItem } from "./search-items.ts";

const shownLessons = 10;
const waitBeforeSayingMs = 300;

/** Makes the dialog answer; a second call does nothing. An index that did not load is asked for again by the next search. */
export function prepareSearch(dialog: HTMLDialogElement): void {
  if (dialog.dataset["ready"] === "true") return;
  dialog.dataset["ready"] = "true";
  const field = find("input", HTMLInputElement, dialog);
  if (field === undefined) return;
  field.addEventListener("input", () => void search(dialog, field));
  find("[data-search-form]", HTMLFormElement, dialog)?.addEventListener("submit", (event) => {
    event.preventDefault();
    find(".search-results .search-lesson", HTMLAnchorElement, dialog)?.click();
  });
  dialog.addEventListener("keydown", (event) => moveByArrows(event, dialog, field));
  // A link to another place of the same page leaves the dialog open otherwise.
  dialog.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest(".search-results a")) dialog.close();
  });
  void search(dialog, field);
}

async function search(dialog: HTMLDialogElement, field: HTMLInputElement): Promise<void> {
  const said = find("[data-search-said]", HTMLElement, dialog);
  const list = find("[data-search-results]", HTMLElement, dialog);
  const advice = find("[data-search-advice]", HTMLElement, dialog);
  if (said === undefined || list === undefined || advice === undefined) return;
  const typed = field.value.trim();
  const isStale = (): boolean => field.value.trim() !== typed;
  const addresses = { pages: dialog.dataset["pages"] ?? "", glossary: dialog.dataset["glossary"] ?? "" };
  const show = (found: Found, inFull: boolean): void => {
    const focused = document.activeElement?.getAttribute("href");
    list.replaceChildren(
      ...found.words.map((word) => wordItem(word, addresses)),
      ...found.lessons.map((lesson) => lessonItem(lesson, addresses)),
    );
    if (focused) find(`.search-results a[href="${CSS.escape(focused)}"]`, HTMLElement, dialog)?.focus();
    advice.hidden = !inFull || typed === "" || (found.count > 0 && found.holdsAll) || found.words.length > 0;
    if (typed === "") say(said, "keys");
    else if (found.count > 0 || inFull) said.textContent = countIn(said, found, typed);
  };
  const slow = setTimeout(() => say(said, "loading"), waitBeforeSayingMs);
  try {
    const opened = await openCourseSearch(addresses.pages, document.documentElement.lang);
    if (isStale()) return;
    show(opened.search.find(typed, shownLessons), false);
    await opened.texts;
    if (!isStale()) show(opened.search.find(typed, shownLessons), true);
  } catch (error) {
    console.error(error);
    if (!isStale()) say(said, "failed");
  } finally {
    clearTimeout(slow);
  }
}

function countIn(said: HTMLElement, { count, holdsAll }: Found, typed: string): string {
  if (count === 0) return (said.dataset["none"] ?? "").replace("WORDS", () => typed);
  if (!holdsAll) return said.dataset["some"] ?? "";
  return count === 1 ? (said.dataset["one"] ?? "") : (said.dataset["many"] ?? "").replace("NUMBER", String(count));
}

function say(said: HTMLElement, what: string): void {
  said.textContent = said.dataset[what] ?? "";
}

/** Down and Up walk through field and links. */
function moveByArrows(event: KeyboardEvent, dialog: HTMLDialogElement, field: HTMLInputElement): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const stops: readonly HTMLElement[] = [field, ...findAll(".search-results a", HTMLElement, dialog)];
  const active = document.activeElement;
  const at = active instanceof HTMLElement ? stops.indexOf(active) : -1;
  const next = stops[at + (event.key === "ArrowDown" ? 1 : -1)];
  if (at === -1 || next === undefined) return;
  event.preventDefault();
  next.focus();
}
