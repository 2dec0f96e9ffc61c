// The page where a learner comes into a class: the code is in the link, a name and a word make the rest.

import { isLocale } from "../../../i18n/locales.ts";
import type { Me, Refusal } from "../../wire.ts";
import { type Answer, ClassroomApi } from "./api.ts";
import { arrivalPath } from "./arrival.ts";
import { forgetWork, hasAnothersWork, writeMembership } from "./membership.ts";
import { firstOpen } from "./plan-marks.ts";

const base = import.meta.env.BASE_URL.replace(/\/?$/, "/");
const address = `${base}api/`;
const api = new ClassroomApi(address);
const page = document.querySelector<HTMLElement>("[data-join-page]");
const form = page?.querySelector("form");
const said = page?.querySelector<HTMLElement>("[data-join-said]");
const locale = document.documentElement.dataset["locale"];

function input(name: string): HTMLInputElement | undefined {
  const found = form?.elements.namedItem(name);
  return found instanceof HTMLInputElement ? found : undefined;
}

/** One of the page's states: `asking`, `form`, `other`, `absent`, `away`. */
function show(state: string): void {
  for (const part of page?.querySelectorAll<HTMLElement>("[data-join-state]") ?? [])
    part.hidden = !(part.dataset["joinState"] ?? "").split(" ").includes(state);
}

/** A sentence of the page's, and the field that it is about. */
function complain(what: string, field?: HTMLInputElement): void {
  if (said) said.textContent = page?.dataset[what] ?? page?.dataset["failed"] ?? "";
  for (const one of ["code", "name", "word"]) {
    const own = input(one);
    if (own === field) own?.setAttribute("aria-invalid", "true");
    else own?.removeAttribute("aria-invalid");
  }
  field?.focus();
}

const sentences: Partial<Record<Refusal["error"], readonly [sentence: string, field?: string]>> = {
  "unknown-code": ["unknownCode", "code"],
  "class-closed": ["classClosed"],
  "class-full": ["classFull"],
  "name-taken": ["nameTaken", "word"],
  "bad-request": ["badName", "name"],
};

async function begin(): Promise<void> {
  const code = input("code");
  const given = decoded(location.hash.slice(1));
  if (code && given !== "" && arrivalPath(given) === undefined) code.value = given;
  show("asking");
  const me = await api.ask<Me>("GET", "me");
  if (me.kind === "later") {
    // Where no classroom is, something answers all the same: a page that says that there is nothing.
    show((await isReached()) ? "absent" : "away");
    return;
  }
  if (me.kind === "refused" || me.value === undefined || me.value.role === undefined) {
    show("absent");
    return;
  }
  // Who comes from a learning platform is in already.
  if (me.value.role === "learner" && arrivalPath(given) !== undefined) {
    take(me);
    return;
  }
  show("form");
  if (me.value.role === "learner") tellKnown(me.value);
  (code?.value === "" ? code : input("name"))?.focus();
}

/** Whoever is in a class already goes on, or comes in as somebody else. */
function tellKnown(me: Extract<Me, { role: "learner" }>): void {
  const place = page?.querySelector<HTMLElement>("[data-join-known]");
  const text = place?.querySelector("p");
  const link = place?.querySelector("a");
  if (!place || !text || !link) return;
  text.textContent = (text.dataset["text"] ?? "").replace(/CLASS|NAME/g, (word) => (word === "NAME" ? me.name : me.class.name));
  link.href = placeOf(firstOpen(me.class.plan, Date.now()));
  link.addEventListener("click", () => become(me));
  place.hidden = false;
}

function become(me: Extract<Me, { role: "learner" }>): void {
  writeMembership({ api: address, role: "learner", id: me.id, name: me.name, className: me.class.name });
}

function decoded(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return "";
  }
}

/** Whether anything at all answers at this address. */
async function isReached(): Promise<boolean> {
  try {
    await fetch(`${address}me`, { cache: "no-store" });
    return true;
  } catch {
    return false;
  }
}

async function join(): Promise<void> {
  const [code, name, word] = ["code", "name", "word"].map(input);
  const button = form?.querySelector<HTMLButtonElement>("button[type=submit]");
  if (!code || !name || !word || !button || !isLocale(locale)) return;
  for (const field of [code, name]) field.value = field.value.trim();
  const lacking = [
    { field: code, says: "missingCode", least: 1 },
    { field: name, says: "missingName", least: 1 },
    { field: word, says: "shortWord", least: 4 },
  ].find(({ field, least }) => field.value.length < least);
  if (lacking !== undefined) {
    complain(lacking.says, lacking.field);
    return;
  }
  button.disabled = true;
  const answer = await api.ask<Me>("POST", "join", { code: code.value, name: name.value, word: word.value, locale });
  button.disabled = false;
  take(answer);
}

function goOn(me: Extract<Me, { role: "learner" }>): void {
  become(me);
  const path = arrivalPath(decoded(location.hash.slice(1)));
  const first = placeOf(firstOpen(me.class.plan, Date.now()));
  // The way here is not one to go back to.
  if (path === undefined) location.assign(first);
  else location.replace(path === "" ? first : `${base}${locale}/${path}`);
}

/** Several learners may use one browser in turn. */
function askWhose(me: Extract<Me, { role: "learner" }>): void {
  show("other");
  const button = (name: string) => page?.querySelector<HTMLElement>(`[data-join-${name}]`);
  button("clear")?.addEventListener("click", () => {
    forgetWork();
    goOn(me);
  });
  button("keep")?.addEventListener("click", () => goOn(me));
  button("clear")?.focus();
}

function take(answer: Answer<Me>): void {
  if (answer.kind === "later") complain(answer.why === "too-many-requests" ? "tooMany" : "noConnection");
  else if (answer.kind === "refused") {
    const [sentence, field] = sentences[answer.refusal.error] ?? ["failed"];
    complain(sentence, field === undefined ? undefined : input(field));
  } else if (answer.value.role === "learner") {
    const me = answer.value;
    if (hasAnothersWork(me.id)) askWhose(me);
    else goOn(me);
  } else complain("failed");
}

/** Of a lesson's page, or of the course's first one. */
function placeOf(lesson: string | undefined): string {
  const pages = JSON.parse(page?.querySelector("[data-join-lessons]")?.textContent ?? "{}") as Readonly<Record<string, string>>;
  const path = lesson === undefined ? undefined : pages[lesson];
  return `${base}${locale}/${path === undefined ? "" : `${path}/`}`;
}

export function letJoin(): void {
  input("shown")?.addEventListener("change", ({ currentTarget }) => {
    const word = input("word");
    if (word) word.type = (currentTarget as HTMLInputElement).checked ? "text" : "password";
  });
  form?.addEventListener("submit", (event) => {
    event.preventDefault();
    void join();
  });
  for (const button of page?.querySelectorAll("[data-join-again]") ?? []) button.addEventListener("click", () => void begin());
  void begin();
}
