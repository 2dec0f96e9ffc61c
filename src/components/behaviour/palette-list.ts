// What the command palette shows once it is open: the course's pages, what the open lab offers, and the search as the last resort.

import type { PaletteEntry } from "../../course/palette-entries.ts";
import type { WorkbenchCommand } from "../../workbench/workbench.ts";
import { find } from "./dom.ts";
import { openWorkbench } from "./open-workbench.ts";
import { rank } from "./palette-rank.ts";
import { openSearch } from "./search.ts";

interface Choice {
  readonly group: PaletteEntry["group"] | WorkbenchCommand["group"] | "search";
  readonly title: string;
  readonly note: string;
  act(): void;
}

const mostShown = 40;
/** Above the cluster's objects. */
const bestShown = 6;
const waitBeforeSayingMs = 300;

let entries: Promise<readonly PaletteEntry[]> | undefined;
let choices: readonly Choice[] = [];
let chosen = 0;
/** An answer that another one has overtaken is not shown. */
let round = 0;
/** The list for what stands in the field: Enter waits for it, for one may type faster than the cluster answers. */
let shown: Promise<void> = Promise.resolve();

/** Makes the dialog answer, and fills it for what stands in its field. */
export function fillPalette(dialog: HTMLDialogElement): void {
  const field = find("input", HTMLInputElement, dialog);
  if (field === undefined) return;
  if (dialog.dataset["ready"] !== "true") {
    dialog.dataset["ready"] = "true";
    field.addEventListener("input", () => {
      shown = show(dialog, field);
    });
    field.addEventListener("keydown", (event) => steer(event, dialog, field));
    dialog.addEventListener("click", (event) => {
      const option = event.target instanceof Element ? event.target.closest<HTMLElement>("[role=option]") : null;
      if (option !== null) take(dialog, Number(option.dataset["index"]));
    });
  }
  shown = show(dialog, field);
}

async function show(dialog: HTMLDialogElement, field: HTMLInputElement): Promise<void> {
  const typed = field.value;
  round += 1;
  const mine = round;
  const slow = setTimeout(() => say(dialog, "loading"), waitBeforeSayingMs);
  let failed = false;
  const [pages, commands] = await Promise.all([
    loadEntries(field.dataset["entries"] ?? "").catch((error: unknown): readonly PaletteEntry[] => {
      console.error(error);
      entries = undefined;
      failed = true;
      return [];
    }),
    openWorkbench()?.commands(typed) ?? [],
  ]);
  clearTimeout(slow);
  if (mine !== round) return;
  choices = choicesFor(typed, pages, commands, find(".palette-list", HTMLElement, dialog)?.dataset["search"] ?? "");
  chosen = 0;
  draw(dialog, field);
  const found = choices.length === 0 ? "none" : "keys";
  say(dialog, failed ? "failed" : found);
}

function loadEntries(address: string): Promise<readonly PaletteEntry[]> {
  entries ??= fetch(address).then(async (reply) => {
    if (!reply.ok) throw new Error(`${reply.status} ${reply.url}`);
    return (await reply.json()) as readonly PaletteEntry[];
  });
  return entries;
}

/** The world has found its objects by their kinds too: they come as they are, behind the best of the rest. Going back comes last: nobody means
 * it who presses Enter on a name. */
function choicesFor(
  typed: string,
  pages: readonly PaletteEntry[],
  commands: readonly WorkbenchCommand[],
  search: string,
): readonly Choice[] {
  const leading = pages.map((page) => ({ ...page, act: () => location.assign(page.href) }));
  const objects = commands.filter(({ group }) => group === "objects");
  const back = commands.filter(({ group }) => group === "back");
  const others = commands.filter(({ group }) => group === "actions" || group === "panels");
  const words = typed.trim();
  if (words === "") return [...others, ...back, ...leading].slice(0, mostShown);
  const found = rank([...others, ...leading], words).slice(0, mostShown);
  const [first, rest] = [found.slice(0, bestShown), found.slice(bestShown)];
  const text: Choice = { group: "search", title: search.replace("WORDS", words), note: "", act: () => searchText(words) };
  return [...first, ...objects, ...rank(back, words), ...rest, text];
}

function searchText(words: string): void {
  openSearch();
  const field = find("#search input", HTMLInputElement);
  if (field === undefined) return;
  field.value = words;
  field.dispatchEvent(new Event("input", { bubbles: true }));
}

function draw(dialog: HTMLDialogElement, field: HTMLInputElement): void {
  const list = find(".palette-list", HTMLElement, dialog);
  if (list === undefined) return;
  list.replaceChildren(...choices.map((choice, index) => optionOf(choice, index, list)));
  list.scrollTop = 0;
  mark(list, field);
}

function optionOf({ group, title, note }: Choice, index: number, list: HTMLElement): HTMLElement {
  const option = document.createElement("li");
  option.id = `palette-${index}`;
  option.dataset["index"] = String(index);
  option.setAttribute("role", "option");
  const part = (name: string, text: string): HTMLElement => {
    const element = document.createElement("span");
    element.className = name;
    element.textContent = text;
    return element;
  };
  option.append(part("palette-title", title), part("palette-note", note));
  option.append(part("palette-group", list.getAttribute(`data-group-${group}`) ?? ""));
  return option;
}

function mark(list: HTMLElement, field: HTMLInputElement): void {
  for (const [index, option] of [...list.children].entries()) option.setAttribute("aria-selected", String(index === chosen));
  const option = list.children[chosen];
  if (option === undefined) {
    field.removeAttribute("aria-activedescendant");
    return;
  }
  field.setAttribute("aria-activedescendant", option.id);
  option.scrollIntoView({ block: "nearest" });
}

function steer(event: KeyboardEvent, dialog: HTMLDialogElement, field: HTMLInputElement): void {
  if (event.isComposing) return;
  const list = find(".palette-list", HTMLElement, dialog);
  const last = choices.length - 1;
  const to = {
    ArrowDown: chosen === last ? 0 : chosen + 1,
    ArrowUp: chosen === 0 ? last : chosen - 1,
    PageDown: chosen + 8,
    PageUp: chosen - 8,
  }[event.key];
  if (to !== undefined && list !== undefined) {
    event.preventDefault();
    chosen = Math.max(0, Math.min(last, to));
    mark(list, field);
  }
  if (event.key === "Enter") {
    event.preventDefault();
    const typed = field.value;
    void settled().then(() => {
      if (dialog.open && field.value === typed) take(dialog, chosen);
    });
  }
}

/** When the newest list is drawn: one may be asked for while another one comes. */
async function settled(): Promise<void> {
  let awaited: Promise<void> | undefined;
  while (awaited !== shown) {
    awaited = shown;
    await awaited;
  }
}

/** Once the dialog has given the keyboard back. */
function take(dialog: HTMLDialogElement, index: number): void {
  const choice = choices[index];
  if (choice === undefined) return;
  dialog.close();
  choice.act();
}

function say(dialog: HTMLDialogElement, what: string): void {
  const said = find("[data-palette-said]", HTMLElement, dialog);
  if (said) said.textContent = said.dataset[what] ?? "";
}
