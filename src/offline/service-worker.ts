// The service worker: keeps the site, whole, for the languages the reader has visited, and answers from what it keeps.
//
// Its own text names no version: a version of the site is data (`offline-files.json`), and has a cache. A page belongs to one version
// for as long as it is open: itself, the scripts that it loads later and its lab's texts. The next page is of the newest version that
// is there as a whole. So no worker ever has to give way to another, which pages would have to wait for.

import type { Locale } from "../i18n/locales.ts";
import { type OfflineFile, type OfflineFiles, offlineFilesName } from "./files.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

interface LongEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface Client {
  readonly id: string;
  postMessage(message: FromWorker): void;
}

interface FetchEvent extends LongEvent {
  readonly request: Request;
  /** Of the page that asks; empty for a navigation. */
  readonly clientId: string;
  /** Of the page that a navigation makes. */
  readonly resultingClientId: string;
  respondWith(answer: Promise<Response>): void;
}

interface WorkerScope {
  readonly registration: { readonly scope: string };
  readonly clients: {
    matchAll(options: { readonly type: "window"; readonly includeUncontrolled: boolean }): Promise<readonly Client[]>;
  };
  addEventListener(
    kind: "message",
    act: (event: LongEvent & { readonly data: ToWorker; readonly source: Client | null }) => void,
  ): void;
  addEventListener(kind: "fetch", act: (event: FetchEvent) => void): void;
}

declare const self: WorkerScope;

const prefix = "pilothouse-";
const scope = new URL(self.registration.scope);
const atOnce = 4;

/** What a version's cache says of itself. */
interface Inventory {
  /** The hashes of the files that are there, by address. */
  readonly hashes: Readonly<Record<string, string>>;
  /** Those whose files are all there. */
  readonly languages: readonly Locale[];
  /** The version with the highest turn answers new pages; 0 until it has been there as a whole. */
  readonly turn: number;
}

const inventoryAddress = absolute("offline-inventory.json");
const fresh: Inventory = { hashes: {}, languages: [], turn: 0 };

self.addEventListener("message", (event) => {
  const { locale } = event.data;
  const told = keepInTurn(locale).then((kept) => {
    if (kept) event.source?.postMessage({ kind: "kept", locale });
  });
  event.waitUntil(told);
});
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  const isOurs = url.origin === scope.origin && url.pathname.startsWith(scope.pathname);
  // The classroom answers for itself.
  const isClassroom = url.pathname.startsWith(`${scope.pathname}api/`);
  if (event.request.method === "GET" && isOurs && !isClassroom)
    event.respondWith(event.request.mode === "navigate" ? answerPage(event, url) : answerFile(event, url));
});

/** One after the other: each reads and writes the inventories. */
let keeping: Promise<unknown> = Promise.resolve();

function keepInTurn(locale: Locale): Promise<boolean> {
  const kept = keeping.then(() => keep(locale));
  keeping = kept.catch(() => undefined);
  return kept;
}

/** @returns whether all files of the language are there; without a connection, of the version that was. */
async function keep(locale: Locale): Promise<boolean> {
  // The reader may have forgotten everything since.
  found = undefined;
  await dropUnread();
  try {
    await keepNewest(locale);
  } catch (error) {
    console.info(error);
  }
  const name = await answering();
  return name !== undefined && (await inventoryOf(name)).languages.includes(locale);
}

/** Of the versions that answer no new page any more those go that no open page is of. */
async function dropUnread(): Promise<void> {
  const open = new Set((await self.clients.matchAll({ type: "window", includeUncontrolled: true })).map(({ id }) => id));
  const newest = await answering();
  for (const name of await versions()) {
    const cache = await caches.open(name);
    let read = 0;
    for (const page of await cache.keys(pageAddress(""), { ignoreSearch: true }))
      if (open.has(new URL(page.url).searchParams.get("id") ?? "")) read++;
      else await cache.delete(page);
    if (read === 0 && name !== newest && (await inventoryOf(name)).turn > 0) await caches.delete(name);
  }
}

/** For the language, and for those that were kept before; it answers once it is there as a whole. */
async function keepNewest(locale: Locale): Promise<void> {
  const languages = new Set([locale]);
  for (const name of await versions()) for (const known of (await inventoryOf(name)).languages) languages.add(known);
  let files = await siteFiles();
  for (let same = false; !same; ) {
    const last = files;
    if (await fetchMissing(last, languages)) files = await siteFiles();
    same = files.version === last.version;
  }
  await letAnswer(`${prefix}${files.version}`, [...languages]);
}

/** @throws Error without a connection. */
async function siteFiles(): Promise<OfflineFiles> {
  return (await download(offlineFilesName)).json();
}

/** Interrupted, it goes on where it stopped the next time. @returns whether anything was missing. */
async function fetchMissing(files: OfflineFiles, languages: ReadonlySet<Locale>): Promise<boolean> {
  const name = `${prefix}${files.version}`;
  const cache = await caches.open(name);
  const before = await inventoryOf(name);
  const wanted = [...files.shared, ...[...languages].flatMap((language) => files.languages[language])];
  const waiting = wanted.filter(([address]) => before.hashes[address] === undefined);
  if (waiting.length === 0) return false;
  const others = (await versions()).filter((other) => other !== name);
  const old = await Promise.all(others.map(async (other) => ({ other, hashes: (await inventoryOf(other)).hashes })));
  const hashes: Record<string, string> = { ...before.hashes };
  const next = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const [address, hash] = file;
      const other = old.find((version) => version.hashes[address] === hash)?.other;
      const copy = other === undefined ? undefined : await inVersion(other, absolute(address));
      await cache.put(absolute(address), copy ?? (await download(address)));
      hashes[address] = hash;
    }
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, next));
  } finally {
    await writeInventory(name, { ...before, hashes });
  }
  return true;
}

/** What came in part of other versions is of no use any more. */
async function letAnswer(name: string, languages: readonly Locale[]): Promise<void> {
  const newest = await answering();
  const before = await inventoryOf(name);
  const turn = name === newest ? before.turn : 1 + (newest === undefined ? 0 : (await inventoryOf(newest)).turn);
  await writeInventory(name, { ...before, languages, turn });
  found = undefined;
  for (const other of await versions()) if ((await inventoryOf(other)).turn === 0) await caches.delete(other);
}

async function download(address: OfflineFile[0]): Promise<Response> {
  const response = await fetch(absolute(address), { cache: "no-cache" });
  if (!response.ok) throw new Error(`${response.status} ${response.url}`);
  // A redirected answer may not be given to a navigation.
  return response.redirected ? new Response(response.body, { headers: response.headers }) : response;
}

async function versions(): Promise<readonly string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(prefix));
}

async function inventoryOf(name: string): Promise<Inventory> {
  const stored = await inVersion(name, inventoryAddress);
  return stored === undefined ? fresh : { ...fresh, ...(await stored.json()) };
}

async function writeInventory(name: string, inventory: Inventory): Promise<void> {
  await (await caches.open(name)).put(inventoryAddress, Response.json(inventory));
}

/** What `answering` has found; looked up anew when another version may answer. */
let found: Promise<string | undefined> | undefined;

/** The version that new pages are of; undefined as long as none is there as a whole. */
function answering(): Promise<string | undefined> {
  found ??= lookUp();
  return found;
}

async function lookUp(): Promise<string | undefined> {
  const turns = await Promise.all((await versions()).map(async (name) => ({ name, turn: (await inventoryOf(name)).turn })));
  return turns.filter(({ turn }) => turn > 0).sort((a, b) => b.turn - a.turn)[0]?.name;
}

async function answerPage(event: FetchEvent, url: URL): Promise<Response> {
  const folder = url.pathname.endsWith("/") ? url.href : `${url.origin}${url.pathname}/`;
  const name = await answering();
  const page = name === undefined ? undefined : await inVersion(name, folder);
  if (name !== undefined && page !== undefined) {
    await notePage(event.resultingClientId, name);
    return page;
  }
  try {
    return await fetch(event.request);
  } catch (error) {
    const instead = name === undefined ? undefined : await offlinePage(name, url);
    if (instead === undefined) throw error;
    return instead;
  }
}

/** Says in the reader's language that the page is not kept: the address's language, or one that was visited. */
async function offlinePage(name: string, url: URL): Promise<Response | undefined> {
  const asked = url.pathname.slice(scope.pathname.length).split("/")[0] ?? "";
  for (const locale of [asked, ...(await inventoryOf(name)).languages]) {
    const page = await inVersion(name, absolute(`${locale}/offline/`));
    if (page !== undefined) return page;
  }
  return undefined;
}

/** Of the version that the page is of. A page from the network is of the server's. */
async function answerFile({ request, clientId }: FetchEvent, url: URL): Promise<Response> {
  const name = await versionOf(clientId);
  const own = name === undefined ? undefined : await inVersion(name, url.href);
  if (own !== undefined) return own;
  // Scripts and styles carry their hash in their name: whoever has it, it is the one that is meant.
  const same = url.pathname.startsWith(`${scope.pathname}assets/`) ? await inAnyVersion(url.href) : undefined;
  if (same !== undefined) return same;
  try {
    return await fetch(request);
  } catch (error) {
    const instead = await inAnyVersion(url.href);
    if (instead === undefined) throw error;
    return instead;
  }
}

/** By page; what stands in the caches outlives this worker. */
const pages = new Map<string, Promise<string | undefined>>();

function pageAddress(id: string): string {
  return absolute(`offline-page?id=${id}`);
}

async function notePage(id: string, name: string): Promise<void> {
  pages.set(id, Promise.resolve(name));
  // Before the page is there: it may be about to forget everything. `open` alone would make anew what it has forgotten.
  if (await caches.has(name)) await (await caches.open(name)).put(pageAddress(id), new Response(name));
}

function versionOf(id: string): Promise<string | undefined> {
  const known = pages.get(id) ?? caches.match(pageAddress(id)).then((note) => note?.text());
  pages.set(id, known);
  return known;
}

/** Never `caches.open`, which would make anew what the reader has just forgotten. */
async function inVersion(cacheName: string, address: string): Promise<Response | undefined> {
  return caches.match(address, { cacheName, ignoreSearch: true, ignoreVary: true });
}

async function inAnyVersion(address: string): Promise<Response | undefined> {
  return caches.match(address, { ignoreSearch: true, ignoreVary: true });
}

function absolute(address: string): string {
  return new URL(address, scope).href;
}
