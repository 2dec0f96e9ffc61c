// The service worker: keeps one version of the site, whole, for the languages the reader has visited, and answers from it.
//
// One version at a time: a page, the scripts it loads later and the labs' texts always belong together. A newer version is fetched
// beside the old one and takes over when the old one's pages are closed, or when the only open page asks for it. The old one's files
// go once the only open page is one of the new version.

import type { Locale } from "../i18n/locales.ts";
import type { OfflineFile, OfflineFiles } from "./files.ts";
import { type FromWorker, type ToWorker, versionMetric } from "./messages.ts";

/** Filled in by the build. */
declare const offlineFiles: OfflineFiles;

const files = offlineFiles;

interface LongEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}

interface WindowPage {
  postMessage(message: FromWorker): void;
}

interface WorkerScope {
  readonly registration: { readonly scope: string; readonly installing: object | null; readonly waiting: object | null };
  readonly clients: {
    matchAll(options: { readonly type: "window"; readonly includeUncontrolled: boolean }): Promise<readonly WindowPage[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(kind: "install", act: (event: LongEvent) => void): void;
  addEventListener(
    kind: "message",
    act: (event: LongEvent & { readonly data: ToWorker; readonly source: WindowPage | null }) => void,
  ): void;
  addEventListener(
    kind: "fetch",
    act: (event: LongEvent & { readonly request: Request; respondWith(answer: Promise<Response>): void }) => void,
  ): void;
}

declare const self: WorkerScope;

const prefix = "pilothouse-";
const cacheName = `${prefix}${files.version}`;
const scope = new URL(self.registration.scope);
const atOnce = 4;

/** What a cache says of itself: the hashes of its files, and the languages it is for. */
interface Inventory {
  readonly hashes: Readonly<Record<string, string>>;
  readonly languages: readonly Locale[];
}

const inventoryAddress = new URL("offline-inventory.json", scope).href;

self.addEventListener("install", (event) => event.waitUntil(takeAlong()));
self.addEventListener("message", (event) => {
  const { data, source } = event;
  if (data.kind === "keep") {
    const work = keep(data.locale).then((kept) => {
      source?.postMessage(kept);
      return data.version === files.version ? dropOldVersionsIfAlone() : undefined;
    });
    event.waitUntil(work);
  } else if (data.kind === "take-over") event.waitUntil(takeOverIfAlone());
  else if (data.version !== files.version) source?.postMessage({ kind: "outdated" });
});
self.addEventListener("fetch", (event) => {
  const url = new URL(event.request.url);
  if (event.request.method === "GET" && url.origin === scope.origin && url.pathname.startsWith(scope.pathname))
    event.respondWith(event.request.mode === "navigate" ? answerPage(event.request, url) : answerFile(event.request));
});

/** A new version fetches what the version before kept, and fails as a whole if it cannot. */
async function takeAlong(): Promise<void> {
  for (const locale of await languagesOfOldVersions()) await keep(locale);
}

async function languagesOfOldVersions(): Promise<ReadonlySet<Locale>> {
  const found = new Set<Locale>();
  for (const name of await otherVersions()) for (const locale of (await inventoryOf(name)).languages) found.add(locale);
  return found;
}

async function otherVersions(): Promise<readonly string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(prefix) && name !== cacheName);
}

/** An older page that is still open goes on loading what belongs to it; a newer version's files are there before it takes over. */
async function dropOldVersionsIfAlone(): Promise<void> {
  const names = await otherVersions();
  const { installing, waiting } = self.registration;
  if (installing === null && waiting === null && (await pageIsAlone())) for (const name of names) await caches.delete(name);
}

/**
 * Looks once, at the moment of the question: the browser lets the old worker come to rest first, and a page asked for in between can
 * stay blank (Chromium 156), so nothing may happen that the page which asks does not wait for.
 */
async function takeOverIfAlone(): Promise<void> {
  if (await pageIsAlone()) await self.skipWaiting();
}

async function pageIsAlone(): Promise<boolean> {
  return (await self.clients.matchAll({ type: "window", includeUncontrolled: true })).length <= 1;
}

/** One after the other: each reads and writes the inventory. */
let keeping: Promise<unknown> = Promise.resolve();

function keep(locale: Locale): Promise<FromWorker> {
  const kept = keeping.then(() => fetchMissing(locale));
  keeping = kept.catch(() => undefined);
  return kept;
}

/** Fetches what is not yet there. Interrupted, it goes on where it stopped the next time. */
async function fetchMissing(locale: Locale): Promise<FromWorker> {
  const cache = await caches.open(cacheName);
  const before = await inventoryOf(cacheName);
  const wanted = [...files.shared, ...files.languages[locale]];
  const waiting = wanted.filter(([address]) => before.hashes[address] === undefined);
  const old = await Promise.all((await otherVersions()).map(async (name) => ({ name, hashes: (await inventoryOf(name)).hashes })));
  const hashes: Record<string, string> = { ...before.hashes };
  const next = async (): Promise<void> => {
    for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
      const [address, hash] = file;
      const name = old.find((version) => version.hashes[address] === hash)?.name;
      await cache.put(
        absolute(address),
        (name === undefined ? undefined : await copyFrom(name, address)) ?? (await download(file)),
      );
      hashes[address] = hash;
    }
  };
  const languages = [...new Set([...before.languages, locale])];
  try {
    await Promise.all(Array.from({ length: atOnce }, next));
  } finally {
    const inventory: Inventory = { hashes, languages };
    await cache.put(inventoryAddress, Response.json(inventory));
  }
  return { kind: "kept", locale };
}

async function copyFrom(name: string, address: string): Promise<Response | undefined> {
  return (await caches.open(name)).match(absolute(address));
}

async function download([address]: OfflineFile): Promise<Response> {
  const response = await fetch(absolute(address), { cache: "no-cache" });
  if (!response.ok) throw new Error(`${response.status} ${response.url}`);
  // A redirected answer may not be given to a navigation.
  return response.redirected ? new Response(response.body, { headers: response.headers }) : response;
}

async function inventoryOf(name: string): Promise<Inventory> {
  const stored = (await caches.has(name)) ? await (await caches.open(name)).match(inventoryAddress) : undefined;
  return stored === undefined ? { hashes: {}, languages: [] } : stored.json();
}

/** What this version does not have may belong to an older page: scripts and styles carry their hash in their name. */
async function answerFile(request: Request): Promise<Response> {
  return (await kept(request.url)) ?? (await caches.match(request.url, { ignoreSearch: true, ignoreVary: true })) ?? fetch(request);
}

async function answerPage(request: Request, url: URL): Promise<Response> {
  const folder = url.pathname.endsWith("/") ? url.href : `${url.origin}${url.pathname}/`;
  const found = await kept(folder);
  if (found !== undefined) return withVersion(found);
  try {
    return await fetch(request);
  } catch (error) {
    const page = await offlinePage(url);
    if (page === undefined) throw error;
    return page;
  }
}

/** A version can give way between its answer and the page's first script: the page knows its version, and asks. */
function withVersion(page: Response): Response {
  const headers = new Headers(page.headers);
  headers.set("Server-Timing", `${versionMetric};desc="${files.version}"`);
  return new Response(page.body, { status: page.status, headers });
}

/** Says in the reader's language that the page is not kept: the address's language, or one that was visited. */
async function offlinePage(url: URL): Promise<Response | undefined> {
  const asked = url.pathname.slice(scope.pathname.length).split("/")[0] ?? "";
  for (const locale of [asked, ...(await inventoryOf(cacheName)).languages]) {
    const page = await kept(absolute(`${locale}/offline/`));
    if (page !== undefined) return page;
  }
  return undefined;
}

async function kept(address: string): Promise<Response | undefined> {
  // Never `caches.open`, which would make anew what the reader has just forgotten.
  return caches.match(address, { cacheName, ignoreSearch: true, ignoreVary: true });
}

function absolute(address: string): string {
  return new URL(address, scope).href;
}
