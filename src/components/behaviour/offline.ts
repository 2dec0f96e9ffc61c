// Offline use: registers the service worker once the page is quiet, asks for the page's language, lets a newer version in early.

import { isLocale } from "../../i18n/locales.ts";
import { type FromWorker, type ToWorker, versionMetric } from "../../offline/messages.ts";
import { savesData } from "./connection.ts";
import { find } from "./dom.ts";

const root = document.documentElement;
/** The page itself comes first. */
const quietMs = 4_000;

if (import.meta.env.PROD && "serviceWorker" in navigator) {
  const whenLoaded = () => {
    void letNewerVersionIn();
    setTimeout(registerOnceQuiet, quietMs);
  };
  addEventListener("load", whenLoaded, { once: true });
}

/** A lab that is being opened has the line to itself, and a while longer for what its first command needs. */
function registerOnceQuiet(): void {
  if (root.dataset["lab"] === "opening") whenOpened(() => setTimeout(registerOnceQuiet, quietMs));
  else void register();
}

function whenOpened(act: () => void): void {
  const observer = new MutationObserver(() => {
    if (root.dataset["lab"] === "opening") return;
    observer.disconnect();
    act();
  });
  observer.observe(root, { attributeFilter: ["data-lab"] });
}

/** Keeps nothing for those who save data, nor on the page that has just forgotten everything. */
async function register(): Promise<void> {
  const { locale } = root.dataset;
  if (!isLocale(locale) || savesData() || root.dataset["forgotten"] === "true") return;
  try {
    await navigator.serviceWorker.register(`${import.meta.env.BASE_URL.replace(/\/?$/, "/")}sw.js`);
    const { active } = await navigator.serviceWorker.ready;
    navigator.serviceWorker.addEventListener("message", (event: MessageEvent<FromWorker>) => {
      if (event.data.kind === "kept") showReady();
    });
    navigator.serviceWorker.startMessages();
    if (active) tell(active, { kind: "keep", locale, version: servedVersion() });
  } catch (error) {
    // Private windows and some settings allow no worker: the course works online all the same.
    console.info(error);
  }
}

function showReady(): void {
  root.dataset["offline"] = "ready";
  const note = find("[data-offline-ready]", HTMLElement);
  if (note) note.hidden = false;
}

/**
 * A version that waits takes over now, while nothing is open yet, and the page is read again from it. Not before the page has been
 * loaded, when the page that it took the place of no longer counts as open.
 */
async function letNewerVersionIn(): Promise<void> {
  const { serviceWorker } = navigator;
  if (serviceWorker.controller === null || labIsOpen()) return;
  serviceWorker.addEventListener("controllerchange", readAgainOnceActive);
  serviceWorker.addEventListener("message", (event: MessageEvent<FromWorker>) => {
    if (event.data.kind === "outdated") readAgainOnceActive();
  });
  serviceWorker.startMessages();
  const version = servedVersion();
  if (version !== undefined) tell(serviceWorker.controller, { kind: "served", version });
  const waiting = (await serviceWorker.getRegistration())?.waiting;
  if (waiting) tell(waiting, { kind: "take-over" });
}

/** Also while it is being opened: what it loads belongs to this version. */
function labIsOpen(): boolean {
  return root.dataset["lab"] === "opening" || root.dataset["lab"] === "open";
}

function tell(worker: ServiceWorker, message: ToWorker): void {
  worker.postMessage(message);
}

/** Which version the worker answered this page from; undefined if the answer came from the network. */
function servedVersion(): string | undefined {
  const [answer] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  return answer?.serverTiming?.find(({ name }) => name === versionMetric)?.description;
}

/** An open lab keeps the version it began with. */
function readAgainOnceActive(): void {
  const worker = navigator.serviceWorker.controller;
  const readAgain = () => {
    if (worker?.state === "activated" && !labIsOpen()) location.reload();
  };
  worker?.addEventListener("statechange", readAgain);
  readAgain();
}
