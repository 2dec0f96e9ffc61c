// What the search dialog does once it is open: asks the index for the typed words, lists lessons and the sections in them.

import { find, findAll } from "./dom.ts";

/** What is used of Pagefind's script, which the build writes beside the pages. */
interface SearchIndex {
  init(): Promise<void>;
  /** Null when a later search has overtaken this one. */
  debouncedSearch(words: string, options: object, delayMs: number): Promise<{ readonly results: readonly Hit[] } | null>;
}

interface Hit {
  data(): Promise<Found>;
}

interface Section {
  readonly title: string;
  readonly url: string;
  /** HTML with `<mark>` around the words. */
  readonly excerpt: string;
}

interface Found extends Section {
  readonly meta: Readonly<Record<string, string>>;
  readonly sub_results: readonly Section[];
}

const shownLessons = 8;
const shownSections = 3;
const waitBeforeSearchMs = 120;
const waitBeforeSayingMs = 300;

let prepared: Promise<SearchIndex> | undefined;

/** Makes the dialog answer; a second call does nothing. An index that did not load is asked for again by the next search. */
export function prepareSearch(dialog: HTMLDialogElement): void {
  if (dialog.dataset["ready"] === "true") return;
  dialog.dataset["ready"] = "true";
  const field = find("input", HTMLInputElement, dialog);
  if (field === undefined) return;
  field.addEventListener("input", () => void search(dialog, field));
  find("[data-search-form]", HTMLFormElement, dialog)?.addEventListener("submit", (event) => {
    event.preventDefault();
    find(".search-results a", HTMLAnchorElement, dialog)?.click();
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
  if (said === undefined || list === undefined) return;
  const slow = setTimeout(() => say(said, "loading"), waitBeforeSayingMs);
  try {
    const index = await loadIndex(field.dataset["index"] ?? "");
    const words = field.value.trim();
    if (words === "") {
      list.replaceChildren();
      say(said, "keys");
      return;
    }
    const answer = await index.debouncedSearch(searchable(words), {}, waitBeforeSearchMs);
    if (answer === null) return;
    const found = await Promise.all(answer.results.slice(0, shownLessons).map((hit) => hit.data()));
    if (field.value.trim() !== words) return;
    list.replaceChildren(...found.map(lessonItem));
    const count = answer.results.length;
    if (count < 2) say(said, count === 0 ? "none" : "one");
    else said.textContent = (said.dataset["many"] ?? "").replace("NUMBER", String(count));
  } catch (error) {
    console.error(error);
    prepared = undefined;
    list.replaceChildren();
    say(said, "failed");
  } finally {
    clearTimeout(slow);
  }
}

function loadIndex(address: string): Promise<SearchIndex> {
  prepared ??= import(/* @vite-ignore */ new URL(address, location.href).href).then(async (index: SearchIndex) => {
    await index.init();
    return index;
  });
  return prepared;
}

/** Chinese and Japanese are written without spaces; the index knows words, so the question is cut into words too. */
function searchable(words: string): string {
  const locale = document.documentElement.lang;
  if (!/^(zh|ja)/.test(locale) || !("Segmenter" in Intl)) return words;
  const segments = new Intl.Segmenter(locale, { granularity: "word" }).segment(words);
  return [...segments]
    .map(({ segment }) => segment.trim())
    .filter((segment) => segment !== "")
    .join(" ");
}

function say(said: HTMLElement, what: string): void {
  said.textContent = said.dataset[what] ?? "";
}

function lessonItem(found: Found): HTMLElement {
  const item = document.createElement("li");
  const part = document.createElement("span");
  part.className = "kicker";
  part.textContent = found.meta["part"] ?? "";
  const title = document.createElement("a");
  title.className = "search-lesson";
  title.href = found.url;
  title.textContent = found.meta["title"] ?? found.url;
  const sections = document.createElement("ul");
  const own = found.sub_results.filter(({ url }) => url.includes("#")).slice(0, shownSections);
  if (own.length === 0) sections.append(excerptOf(found));
  for (const section of own) {
    const entry = document.createElement("li");
    const link = document.createElement("a");
    link.href = section.url;
    link.textContent = section.title;
    entry.append(link, excerptOf(section));
    sections.append(entry);
  }
  item.append(part, title, sections);
  return item;
}

/** The excerpt's only markup is `<mark>`: everything else in it is text. */
function excerptOf({ excerpt }: Pick<Section, "excerpt">): HTMLElement {
  const paragraph = document.createElement("p");
  for (const [index, piece] of tidy(excerpt)
    .split(/<\/?mark>/)
    .entries()) {
    const text = new DOMParser().parseFromString(`<p>${piece}`, "text/html").body.textContent ?? "";
    if (index % 2 === 0) paragraph.append(text);
    else {
      const mark = document.createElement("mark");
      mark.textContent = text;
      paragraph.append(mark);
    }
  }
  return paragraph;
}

/** The index ends every heading with a Latin full stop, and cuts where it comes to. */
function tidy(excerpt: string): string {
  return excerpt
    .replace(/([\p{scx=Han}\p{scx=Hira}\p{scx=Kana}）」])\. /gu, "$1。")
    .replace(/^[\s.,;:!?)、。，；：？！）」]+/u, "");
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
